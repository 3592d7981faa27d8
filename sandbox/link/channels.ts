import { Failure } from '../failure.ts';
import { bodyOf, type Fields, FLAG, isRecord, TEXT } from '../input.ts';
import { Records } from '../records.ts';
import { shortUrl } from './links.ts';
import { deletionRoute, listRoute, updateRoute } from './lists.ts';
import { qrCodeUrl } from './qrCodes.ts';
import { type Call, idIn, type LinkContext, type LinkRoute } from './routes.ts';

/** What can be in a channel: the table of each type, and what a channel shows of a record of it. */
const ITEMS = {
	links: {
		table: 'links',
		show: (link: Fields, base: string) => ({ title: link.title, link: shortUrl(link, base) }),
	},
	bio: {
		table: 'bio_pages',
		show: ({ title, alias }: Fields, base: string) => ({
			title,
			link: `${base}/bio/${String(alias)}`,
		}),
	},
	qr: {
		table: 'qr_codes',
		show: ({ name, alias }: Fields, base: string) => ({
			title: name,
			link: qrCodeUrl(alias, base),
		}),
	},
} as const;
type ItemType = keyof typeof ITEMS;
const isItemType = (type: unknown): type is ItemType => Object.hasOwn(ITEMS, String(type));

const FIELDS = { name: TEXT, description: TEXT, color: TEXT, starred: FLAG };
const USUAL = { description: '', color: '#000000', starred: false };

export function channelRoutes({ database, baseUrl }: LinkContext): LinkRoute[] {
	const channels = new Records(database, 'channels', 'channel');
	const channelIn = (call: Call, segment: string): Fields =>
		channels.get(call.accountId, idIn(call, segment, 'channel'));
	const recordsOf = (type: ItemType): Records =>
		new Records(database, ITEMS[type].table, `${type} item`);

	/** As the channel shows it; none if it has been deleted. */
	const shownItem = ({ type, id }: Fields): Fields[] => {
		if (!isItemType(type)) return [];
		const record = recordsOf(type).first('id = ?', Number(id));
		if (!record) return [];
		const { title, link } = ITEMS[type].show(record, baseUrl());
		const preview = `${baseUrl()}/preview/${String(record.alias)}.svg`;
		return [{ type, id, title, preview, link, date: String(record.date).slice(0, 10) }];
	};
	const shownItems = (call: Call): Fields[] => itemsOf(channelIn(call, 'id')).flatMap(shownItem);

	return [
		listRoute(database, channels, '/api/channels', 'channels', withoutItems),
		{
			method: 'GET',
			path: '/api/channel/:id',
			list: 'items',
			total: (call) => shownItems(call).length,
			records(call, { offset, limit, descending }) {
				const items = shownItems(call);
				return (descending ? items.reverse() : items).slice(offset, offset + limit);
			},
		},
		{
			method: 'POST',
			path: '/api/channel/add',
			body: bodyOf(FIELDS, 'name'),
			answer({ accountId, body }) {
				const record = { ...USUAL, ...body };
				return { id: channels.add(accountId, record), ...record };
			},
		},
		{
			method: 'POST',
			path: '/api/channel/:channelid/assign/:type/:itemid',
			answer(call) {
				const channel = channelIn(call, 'channelid');
				const { type } = call.params;
				if (!isItemType(type)) throw new Failure(422, `There is no item type ${type}.`);
				const records = recordsOf(type);
				const { id } = records.get(call.accountId, idIn(call, 'itemid', records.what));
				const others = itemsOf(channel).filter((item) => item.type !== type || item.id !== id);
				channels.change(channel, { items: [...others, { type, id }] });
				return { message: 'The item has been assigned to the channel.' };
			},
		},
		updateRoute(channels, '/api/channel/:id/update', bodyOf(FIELDS)),
		deletionRoute(channels, '/api/channel/:id/delete'),
	];
}

/** The types and the IDs, in the order in which they were assigned. */
const itemsOf = ({ items }: Fields): Fields[] =>
	Array.isArray(items) ? items.filter(isRecord) : [];

const withoutItems = ({ items: _items, ...channel }: Fields): Fields => channel;
