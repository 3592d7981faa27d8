import { Failure } from '../failure.ts';
import { readRequiredUrl, readUrl, refuseField } from '../input.ts';
import { Records } from './records.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';

export function domainRoutes({ database }: LinkContext): LinkRoute[] {
	const domains = new Records(database, 'domains', 'domain');

	return [
		domains.list('/api/domains', 'domains'),
		{
			method: 'POST',
			path: '/api/domain/add',
			answer({ accountId, body }) {
				const domain = new URL(readRequiredUrl(body, 'domain'));
				checkDomain(domain);
				if (domains.idWith('domain', ...originsOf(domain.host)) !== undefined) {
					throw new Failure(409, `${domain.host} is already in use.`);
				}
				const id = domains.add(accountId, {
					domain: domain.origin,
					redirectroot: readUrl(body, 'redirectroot') ?? '',
					redirect404: readUrl(body, 'redirect404') ?? '',
				});
				return { id };
			},
		},
		{
			method: 'PUT',
			path: '/api/domain/:id/update',
			answer(call) {
				refuseField(call.body, 'domain');
				domains.change(call.accountId, idIn(call, 'id', 'domain'), {
					redirectroot: readUrl(call.body, 'redirectroot'),
					redirect404: readUrl(call.body, 'redirect404'),
				});
				return { message: 'The domain has been updated.' };
			},
		},
		domains.deletion('/api/domain/:id/delete'),
	];
}

/** What a domain with this host may be stored as. */
export const originsOf = (host: string): string[] => [`http://${host}`, `https://${host}`];

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
