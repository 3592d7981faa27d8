import type { DatabaseSync } from 'node:sqlite';
import { integer } from '../database.ts';
import { Failure } from '../failure.ts';
import { bodyOf, type Fields, FILLED, filledIn, FLAG, TEXT, textIn, textOf } from '../input.ts';
import { recordOf, Records } from '../records.ts';
import { shortUrl } from './links.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { qrCodeUrl } from './qrCodes.ts';
import { type Call, idIn, type LinkContext, type LinkRoute } from './routes.ts';

const COLOUR = textOf('a HEX colour such as #ff8800');

/** What can be in a channel: the table of each type, and how an item is shown. */
const ITEMS = {
	links: {
		table: 'links',
		show: ({ title, alias, domain }: Fields, base: string) => ({
			title,
			code: alias,
			link: shortUrl({ alias, domain }, base),
		}),
	},
	bio: {
		table: 'bio_pages',
		show: ({ title, alias }: Fields, base: string) => ({
			title,
			code: alias,
			link: `${base}/bio/${String(alias)}`,
		}),
	},
	qr: {
		table: 'qr_codes',
		show: ({ name, code }: Fields, base: string) => ({
			title: name,
			code,
			link: qrCodeUrl(String(code), base),
		}),
	},
} as const;
type ItemType = keyof typeof ITEMS;
const isItemType = (type: string): type is ItemType => Object.hasOwn(ITEMS, type);
export const ITEM_TYPES = Object.keys(ITEMS).filter(isItemType);

export function channelRoutes({ database, baseUrl }: LinkContext): LinkRoute[] {
	const channels = new Records(database, 'channels', 'channel');
	const assign = database.prepare(
		'INSERT OR IGNORE INTO channel_items (channel_id, type, item_id) VALUES (?, ?, ?)',
	);
	const channelIn = (call: Call, segment: string): Fields =>
		channels.get(call.accountId, idIn(call, segment, 'channel'));
	const itemsIn = (call: Call): Fields[] =>
		itemsOf(database, Number(channelIn(call, 'id').id), baseUrl());

	return [
		listRoute(database, channels, '/api/channels', 'channels'),
		{
			method: 'GET',
			path: '/api/channel/:id',
			list: 'items',
			total: (call) => itemsIn(call).length,
			records(call, { offset, limit, descending }) {
				const items = itemsIn(call);
				return (descending ? items.reverse() : items).slice(offset, offset + limit);
			},
		},
		{
			method: 'POST',
			path: '/api/channel/add',
			body: bodyOf({ name: FILLED, description: TEXT, color: COLOUR, starred: FLAG }, 'name'),
			answer({ accountId, body }) {
				const id = channels.add(accountId, {
					name: textIn(body, 'name'),
					description: body.description ?? '',
					color: filledIn(body, 'color') ?? '#000000',
					starred: body.starred ?? false,
				});
				return channels.get(accountId, id);
			},
		},
		{
			method: 'POST',
			path: '/api/channel/:channelid/assign/:type/:itemid',
			answer(call) {
				const channel = channelIn(call, 'channelid');
				const { type = '' } = call.params;
				if (!isItemType(type)) {
					throw new Failure(422, `type must be one of: ${ITEM_TYPES.join(', ')}.`);
				}
				const items = new Records(database, ITEMS[type].table, `${type} item`);
				const item = items.get(call.accountId, idIn(call, 'itemid', items.what));
				assign.run(Number(channel.id), type, Number(item.id));
				return { message: 'The item has been assigned to the channel.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/channel/:id/update',
			body: bodyOf({ name: FILLED, description: TEXT, color: COLOUR, starred: FLAG }),
			answer(call) {
				const channel = channelIn(call, 'id');
				const { description, starred } = call.body;
				channels.change(channel, {
					name: textIn(call.body, 'name'),
					description,
					color: filledIn(call.body, 'color'),
					starred,
				});
				return { message: 'The channel has been updated.' };
			},
		},
		deletionRoute(channels, '/api/channel/:id/delete'),
	];
}

/** The items of a channel that are still there, in the order in which they were made, whatever their type. */
function itemsOf(database: DatabaseSync, channelId: number, base: string): Fields[] {
	const items = ITEM_TYPES.flatMap((type) => {
		const { table, show } = ITEMS[type];
		return database
			.prepare(
				`SELECT ${table}.* FROM channel_items JOIN ${table} ON id = item_id WHERE channel_id = ? AND type = ? ORDER BY id`,
			)
			.all(channelId, type)
			.map((row) => {
				const { title, code, link } = show(recordOf(row), base);
				const preview = `${base}/preview/${String(code)}.svg`;
				const { date } = recordOf(row);
				return { made: String(date), item: { type, id: integer(row, 'id'), title, preview, link } };
			});
	});
	return items
		.sort((a, b) => (a.made < b.made ? -1 : Number(a.made > b.made)))
		.map(({ made, item }) => ({ ...item, date: made.slice(0, 10) }));
}
