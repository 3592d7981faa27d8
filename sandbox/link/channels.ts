import { flag, integer, text } from '../database.ts';
import type { Row } from '../database.ts';
import { Failure } from '../failure.ts';
import { nonEmpty, readFlag, readRequiredText, readText } from '../input.ts';
import type { Fields } from '../input.ts';
import { shortUrl } from './links.ts';
import { pageReader } from './pagination.ts';
import { qrCodeUrl } from './qrCodes.ts';
import { idIn, unknownId } from './routes.ts';
import type { Call, LinkContext, LinkRoute } from './routes.ts';

const HEX_COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const DEFAULT_COLOUR = '#000000';

/** The types of items, and how an item of the account is found. */
const ITEM_OWNERS: Record<string, string> = {
	links: 'SELECT id FROM links WHERE account_id = ? AND id = ?',
	bio: 'SELECT id FROM bio_pages WHERE account_id = ? AND id = ?',
	qr: 'SELECT id FROM qr_codes WHERE account_id = ? AND id = ?',
};

export const ITEM_TYPES = Object.keys(ITEM_OWNERS);

/** The items of a channel in the order in which they were made, whatever their type. */
const SELECT_ITEMS = `SELECT * FROM (
	SELECT channel_id, channel_items.type AS type, item_id,
		coalesce(links.title, bio_pages.title, qr_codes.name) AS title,
		coalesce(links.alias, bio_pages.alias, qr_codes.code) AS alias,
		coalesce(links.date, bio_pages.date, qr_codes.date) AS date,
		(SELECT domain FROM domains WHERE domains.id = links.domain_id) AS domain
	FROM channel_items
	LEFT JOIN links ON channel_items.type = 'links' AND links.id = item_id
	LEFT JOIN bio_pages ON channel_items.type = 'bio' AND bio_pages.id = item_id
	LEFT JOIN qr_codes ON channel_items.type = 'qr' AND qr_codes.id = item_id
) WHERE channel_id = ?`;

export function channelRoutes(context: LinkContext): LinkRoute[] {
	const { database } = context;
	const count = database.prepare('SELECT count(*) AS total FROM channels WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM channels WHERE account_id = ?', ['id']);
	const countItems = database.prepare(
		'SELECT count(*) AS total FROM channel_items WHERE channel_id = ?',
	);
	// The sort key must be unique, and an id is unique only within its type.
	const readItems = pageReader(database, SELECT_ITEMS, ['date', 'type', 'item_id']);
	const find = database.prepare('SELECT * FROM channels WHERE account_id = ? AND id = ?');
	const insert = database.prepare(
		'INSERT INTO channels (account_id, name, description, color, starred) VALUES (?, ?, ?, ?, ?)',
	);
	const update = database.prepare(
		'UPDATE channels SET name = ?, description = ?, color = ?, starred = ? WHERE id = ?',
	);
	const remove = database.prepare('DELETE FROM channels WHERE account_id = ? AND id = ?');
	const assign = database.prepare(
		'INSERT OR IGNORE INTO channel_items (channel_id, type, item_id) VALUES (?, ?, ?)',
	);

	const existing = (accountId: number, id: number): Row => {
		const row = find.get(accountId, id);
		if (!row) throw unknownId('channel', id);
		return row;
	};

	return [
		{
			method: 'GET',
			path: '/api/channels',
			list: 'channels',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) => read([accountId], query).map(channelRecord),
		},
		{
			method: 'GET',
			path: '/api/channel/:id',
			list: 'items',
			total(call) {
				const id = idIn(call, 'id', 'channel');
				existing(call.accountId, id);
				return integer(countItems.get(id) ?? {}, 'total');
			},
			records: (call, query) =>
				readItems([idIn(call, 'id', 'channel')], query).map((row) => itemRecord(row, context)),
		},
		{
			method: 'POST',
			path: '/api/channel/add',
			answer({ accountId, body }) {
				const { lastInsertRowid } = insert.run(
					accountId,
					readRequiredText(body, 'name').trim(),
					readText(body, 'description') ?? '',
					readColour(body) ?? DEFAULT_COLOUR,
					readFlag(body, 'starred') ? 1 : 0,
				);
				return channelRecord(existing(accountId, Number(lastInsertRowid)));
			},
		},
		{
			method: 'POST',
			path: '/api/channel/:channelid/assign/:type/:itemid',
			answer(call) {
				const channelId = idIn(call, 'channelid', 'channel');
				existing(call.accountId, channelId);
				const type = itemType(call);
				const itemId = idIn(call, 'itemid', `${type} item`);
				if (!database.prepare(ITEM_OWNERS[type] ?? '').get(call.accountId, itemId)) {
					throw unknownId(`${type} item`, itemId);
				}
				assign.run(channelId, type, itemId);
				return { message: 'The item has been assigned to the channel.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/channel/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'channel');
				const row = existing(call.accountId, id);
				const name = readText(call.body, 'name')?.trim();
				if (name === '') throw new Failure(422, 'name must not be empty.');
				update.run(
					name ?? text(row, 'name'),
					readText(call.body, 'description') ?? text(row, 'description'),
					readColour(call.body) ?? text(row, 'color'),
					(readFlag(call.body, 'starred') ?? flag(row, 'starred')) ? 1 : 0,
					id,
				);
				return { message: 'The channel has been updated.' };
			},
		},
		{
			method: 'DELETE',
			path: '/api/channel/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'channel');
				if (remove.run(call.accountId, id).changes === 0) throw unknownId('channel', id);
				return { message: 'The channel has been deleted.' };
			},
		},
	];
}

function channelRecord(row: Row): Fields {
	return {
		id: integer(row, 'id'),
		name: text(row, 'name'),
		description: text(row, 'description'),
		color: text(row, 'color'),
		starred: flag(row, 'starred'),
	};
}

function itemRecord(row: Row, context: LinkContext): Fields {
	const type = text(row, 'type');
	const alias = text(row, 'alias');
	const base = context.baseUrl();
	const addresses: Record<string, { preview: string; link: string }> = {
		links: { preview: `${base}/preview/${alias}.svg`, link: shortUrl(row, context) },
		bio: { preview: `${base}/preview/${alias}.svg`, link: `${base}/bio/${alias}` },
		qr: { preview: `${base}/preview/${alias}.svg`, link: qrCodeUrl(alias, base) },
	};
	return {
		type,
		id: integer(row, 'item_id'),
		title: text(row, 'title'),
		...addresses[type],
		date: text(row, 'date').slice(0, 10),
	};
}

function itemType({ params }: Call): string {
	const type = params.type ?? '';
	if (!ITEM_TYPES.includes(type)) {
		throw new Failure(422, `type must be one of: ${ITEM_TYPES.join(', ')}.`);
	}
	return type;
}

function readColour(body: Fields): string | undefined {
	const colour = readText(body, 'color')?.trim();
	if (colour && !HEX_COLOUR.test(colour)) {
		throw new Failure(422, 'color must be a HEX colour such as #ff8800.');
	}
	return nonEmpty(colour);
}
