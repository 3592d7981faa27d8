import { datetime } from '../clock.ts';
import { integer, text } from '../database.ts';
import { Failure } from '../failure.ts';
import { readRequiredText, readText, readWord, refuseField } from '../input.ts';
import { pageReader } from './pagination.ts';
import { idIn, unknownId } from './routes.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

export const PIXEL_TYPES = [
	'tagmanagerpixel',
	'analyticspixel',
	'socialapixel',
	'adspixel',
	'professionalnetworkpixel',
	'microblogpixel',
	'retargetingpixel',
	'qapixel',
	'pinboard',
	'searchengine',
	'messaging',
	'forum',
	'shortvideo',
] as const;

export function pixelRoutes({ database }: LinkContext): LinkRoute[] {
	const count = database.prepare('SELECT count(*) AS total FROM pixels WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM pixels WHERE account_id = ?', ['id']);
	const insert = database.prepare(
		'INSERT INTO pixels (account_id, type, name, tag, date) VALUES (?, ?, ?, ?, ?)',
	);
	const update = database.prepare(
		'UPDATE pixels SET name = ifnull(?, name), tag = ? WHERE account_id = ? AND id = ?',
	);
	const remove = database.prepare('DELETE FROM pixels WHERE account_id = ? AND id = ?');

	return [
		{
			method: 'GET',
			path: '/api/pixels',
			list: 'pixels',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) =>
				read([accountId], query).map((row) => ({
					id: integer(row, 'id'),
					type: text(row, 'type'),
					name: text(row, 'name'),
					tag: text(row, 'tag'),
					date: text(row, 'date'),
				})),
		},
		{
			method: 'POST',
			path: '/api/pixel/add',
			answer({ accountId, body, now }) {
				const { lastInsertRowid } = insert.run(
					accountId,
					readWord(body, 'type', PIXEL_TYPES),
					readRequiredText(body, 'name'),
					readRequiredText(body, 'tag'),
					datetime(now),
				);
				return { id: Number(lastInsertRowid) };
			},
		},
		{
			method: 'PUT',
			path: '/api/pixel/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'pixel');
				refuseField(call.body, 'type');
				const name = readText(call.body, 'name');
				if (name?.trim() === '') throw new Failure(422, 'name must not be empty.');
				const tag = readRequiredText(call.body, 'tag');
				if (update.run(name ?? null, tag, call.accountId, id).changes === 0) {
					throw unknownId('pixel', id);
				}
				return { message: 'The pixel has been updated.' };
			},
		},
		{
			method: 'DELETE',
			path: '/api/pixel/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'pixel');
				if (remove.run(call.accountId, id).changes === 0) throw unknownId('pixel', id);
				return { message: 'The pixel has been deleted.' };
			},
		},
	];
}
