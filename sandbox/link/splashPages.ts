import { integer, text } from '../database.ts';
import { pageReader } from './pagination.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

/** Splash pages are read-only. */
export function splashPageRoutes({ database }: LinkContext): LinkRoute[] {
	const count = database.prepare('SELECT count(*) AS total FROM splash_pages WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM splash_pages WHERE account_id = ?', ['id']);

	return [
		{
			method: 'GET',
			path: '/api/splash',
			list: 'splash',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) =>
				read([accountId], query).map((row) => ({
					id: integer(row, 'id'),
					name: text(row, 'name'),
					date: text(row, 'date'),
				})),
		},
	];
}
