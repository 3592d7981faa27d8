import { integer, type Row, text } from '../database.ts';
import { Failure } from '../failure.ts';
import { type Fields, nonEmpty, readFlag, readRequiredText, readText } from '../input.ts';
import { shortUrl } from './links.ts';
import { pageReader } from './pagination.ts';
import { qrCodeUrl } from './qrCodes.ts';
import { Records } from './records.ts';
import { type Call, idIn, type LinkContext, type LinkRoute, unknownId } from './routes.ts';

const HEX_COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const DEFAULT_COLOUR = '#000000';

/** The types of items, and the table of each. */
const ITEM_TABLES: Record<string, string> = { links: 'links', bio: 'bio_pages', qr: 'qr_codes' };
export const ITEM_TYPES = Object.keys(ITEM_TABLES);

/** The items of a channel in the order in which they were made, whatever their type. */
const SELECT_ITEMS = `SELECT * FROM (
	SELECT channel_id, type, item_id,
		coalesce(links.title, bio_pages.record ->> 'title', qr_codes.record ->> 'name') AS title,
		coalesce(links.alias, bio_pages.record ->> 'alias', qr_codes.record ->> 'code') AS alias,
		coalesce(links.date, bio_pages.record ->> 'date', qr_codes.record ->> 'date') AS date,
		(SELECT record ->> 'domain' FROM domains WHERE domains.id = links.domain_id) AS domain
	FROM channel_items
	LEFT JOIN links ON type = 'links' AND links.id = item_id
	LEFT JOIN bio_pages ON type = 'bio' AND bio_pages.id = item_id
	LEFT JOIN qr_codes ON type = 'qr' AND qr_codes.id = item_id
) WHERE channel_id = ?`;

export function channelRoutes(context: LinkContext): LinkRoute[] {
	const { database } = context;
	const channels = new Records(database, 'channels', 'channel');
	const countItems = database.prepare(
		'SELECT count(*) AS total FROM channel_items WHERE channel_id = ?',
	);
	// The sort key must be unique, and an id is unique only within its type.
	const readItems = pageReader(database, SELECT_ITEMS, ['date', 'type', 'item_id']);
	const assign = database.prepare(
		'INSERT OR IGNORE INTO channel_items (channel_id, type, item_id) VALUES (?, ?, ?)',
	);

	/** The id in the path, of a channel that the account has. */
	const channelIn = (call: Call, segment: string): number => {
		const id = idIn(call, segment, 'channel');
		channels.get(call.accountId, id);
		return id;
	};

	return [
		channels.list('/api/channels', 'channels'),
		{
			method: 'GET',
			path: '/api/channel/:id',
			list: 'items',
			total: (call) => integer(countItems.get(channelIn(call, 'id')) ?? {}, 'total'),
			records: (call, query) =>
				readItems([channelIn(call, 'id')], query).map((row) => itemRecord(row, context)),
		},
		{
			method: 'POST',
			path: '/api/channel/add',
			answer({ accountId, body }) {
				const id = channels.add(accountId, {
					name: readRequiredText(body, 'name').trim(),
					description: readText(body, 'description') ?? '',
					color: readColour(body) ?? DEFAULT_COLOUR,
					starred: readFlag(body, 'starred') ?? false,
				});
				return channels.get(accountId, id);
			},
		},
		{
			method: 'POST',
			path: '/api/channel/:channelid/assign/:type/:itemid',
			answer(call) {
				const channelId = channelIn(call, 'channelid');
				const type = itemType(call);
				const itemId = idIn(call, 'itemid', `${type} item`);
				const item = database
					.prepare(`SELECT id FROM ${ITEM_TABLES[type]} WHERE account_id = ? AND id = ?`)
					.get(call.accountId, itemId);
				if (!item) throw unknownId(`${type} item`, itemId);
				assign.run(channelId, type, itemId);
				return { message: 'The item has been assigned to the channel.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/channel/:id/update',
			answer(call) {
				const id = channelIn(call, 'id');
				const name = readText(call.body, 'name')?.trim();
				if (name === '') throw new Failure(422, 'name must not be empty.');
				channels.change(call.accountId, id, {
					name,
					description: readText(call.body, 'description'),
					color: readColour(call.body),
					starred: readFlag(call.body, 'starred'),
				});
				return { message: 'The channel has been updated.' };
			},
		},
		channels.deletion('/api/channel/:id/delete'),
	];
}

function itemRecord(row: Row, context: LinkContext): Fields {
	const type = text(row, 'type');
	const alias = text(row, 'alias');
	const base = context.baseUrl();
	const links: Record<string, string> = {
		links: shortUrl(row, context),
		bio: `${base}/bio/${alias}`,
		qr: qrCodeUrl(alias, base),
	};
	return {
		type,
		id: integer(row, 'item_id'),
		title: text(row, 'title'),
		preview: `${base}/preview/${alias}.svg`,
		link: links[type],
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
