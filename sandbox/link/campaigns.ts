import { flag, integer, text, textOrNull } from '../database.ts';
import type { Row } from '../database.ts';
import { Failure } from '../failure.ts';
import { nonEmpty, readFlag, readRequiredText, readText } from '../input.ts';
import type { Fields } from '../input.ts';
import { pageReader } from './pagination.ts';
import { idIn, unknownId } from './routes.ts';
import type { Call, LinkContext, LinkRoute } from './routes.ts';

const SLUG = /^[A-Za-z0-9_-]{1,64}$/;
const DEFAULT_NAME = 'Untitled campaign';

export function campaignRoutes(context: LinkContext): LinkRoute[] {
	const { database, dialect, baseUrl } = context;
	const count = database.prepare('SELECT count(*) AS total FROM campaigns WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM campaigns WHERE account_id = ?', ['id']);
	const find = database.prepare('SELECT * FROM campaigns WHERE account_id = ? AND id = ?');
	const holder = database.prepare('SELECT id FROM campaigns WHERE slug = ?');
	const insert = database.prepare(
		'INSERT INTO campaigns (account_id, name, slug, public) VALUES (?, ?, ?, ?)',
	);
	const update = database.prepare(
		'UPDATE campaigns SET name = ?, slug = ?, public = ? WHERE id = ?',
	);
	const remove = database.prepare('DELETE FROM campaigns WHERE account_id = ? AND id = ?');
	const assign = database.prepare(
		'UPDATE links SET campaign_id = ? WHERE account_id = ? AND id = ?',
	);

	const existing = (accountId: number, id: number): Row => {
		const row = find.get(accountId, id);
		if (!row) throw unknownId('campaign', id);
		return row;
	};

	/** A slug that no other campaign has; null for none. */
	const slugIn = ({ body }: Call, id?: number): string | null | undefined => {
		const slug = readText(body, 'slug')?.trim();
		if (!slug) return slug === undefined ? undefined : null;
		if (!SLUG.test(slug)) {
			throw new Failure(422, 'slug must have 1 to 64 letters, digits, - or _ and nothing else.');
		}
		const other = holder.get(slug);
		if (other && integer(other, 'id') !== id) {
			throw new Failure(409, `The slug ${slug} is already taken.`);
		}
		return slug;
	};

	const record = (row: Row, nameKey: 'name' | 'domain'): Fields => {
		const id = integer(row, 'id');
		const slug = textOrNull(row, 'slug');
		return {
			id,
			[nameKey]: text(row, 'name'),
			public: flag(row, 'public'),
			rotator: slug === null ? false : `${baseUrl()}/r/${slug}`,
			list: `${baseUrl()}/campaign/${id}`,
		};
	};
	const swapped = dialect.campaignName === 'swapped';
	const usualKey = swapped ? 'domain' : 'name';
	const otherKey = swapped ? 'name' : 'domain';

	return [
		{
			method: 'GET',
			path: '/api/campaigns',
			list: 'campaigns',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			// The document finds the other key "in one list entry"; here it is the first of a page.
			records: ({ accountId }, query) =>
				read([accountId], query).map((row, index) => record(row, index ? usualKey : otherKey)),
		},
		{
			method: 'POST',
			path: '/api/campaign/add',
			answer(call) {
				const { lastInsertRowid } = insert.run(
					call.accountId,
					nonEmpty(readText(call.body, 'name')?.trim()) ?? DEFAULT_NAME,
					slugIn(call) ?? null,
					readFlag(call.body, 'public') ? 1 : 0,
				);
				return record(existing(call.accountId, Number(lastInsertRowid)), otherKey);
			},
		},
		{
			method: 'POST',
			path: '/api/campaign/:campaignid/assign/:linkid',
			answer(call) {
				const campaignId = idIn(call, 'campaignid', 'campaign');
				const linkId = idIn(call, 'linkid', 'link');
				existing(call.accountId, campaignId);
				if (assign.run(campaignId, call.accountId, linkId).changes === 0) {
					throw unknownId('link', linkId);
				}
				return { message: 'The link has been assigned to the campaign.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/campaign/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'campaign');
				const row = existing(call.accountId, id);
				const name = readRequiredText(call.body, 'name').trim();
				const slug = slugIn(call, id);
				const isPublic = readFlag(call.body, 'public') ?? flag(row, 'public');
				update.run(name, slug === undefined ? textOrNull(row, 'slug') : slug, isPublic ? 1 : 0, id);
				return record(existing(call.accountId, id), otherKey);
			},
		},
		{
			method: 'DELETE',
			path: '/api/campaign/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'campaign');
				if (remove.run(call.accountId, id).changes === 0) throw unknownId('campaign', id);
				return { message: 'The campaign has been deleted.' };
			},
		},
	];
}
