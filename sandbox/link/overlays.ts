import { integer, text } from '../database.ts';
import { OVERLAY_PATH } from './answers.ts';
import { pageReader } from './pagination.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

/** CTA overlays are read-only. */
export function overlayRoutes({ database }: LinkContext): LinkRoute[] {
	const count = database.prepare('SELECT count(*) AS total FROM overlays WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM overlays WHERE account_id = ?', ['id']);

	return [
		{
			method: 'GET',
			path: OVERLAY_PATH,
			list: 'cta',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) =>
				read([accountId], query).map((row) => ({
					id: integer(row, 'id'),
					type: text(row, 'type'),
					name: text(row, 'name'),
					date: text(row, 'date'),
				})),
		},
	];
}
