import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { bodyOf, type Fields, FLAG, isRecord, TEXT } from '../fields.ts';
import type { Range, Records, Tables } from '../records.ts';
import { shortUrl } from './linkFields.ts';
import { type Call, type LinkRoutes, listRoute, recordRoutes, sourceOf } from './routes.ts';

const FIELDS = { name: TEXT, description: TEXT, color: TEXT, starred: FLAG };
const USUAL = { description: '', color: '#000000', starred: false };

export function channelRoutes(tables: Tables, dialect: Dialect): LinkRoutes {
	const { channels } = tables;
	/** Those of the channel that have not been deleted, the first one that was assigned first. */
	const itemsIn = (call: Call): Fields[] =>
		assignedTo(channels.get(call.accountId, call.params.id)).flatMap(({ type, id }) => {
			const record = tableOf(tables, String(type))?.find(id);
			return record ? [shownItem(String(type), record, call)] : [];
		});
	const items = {
		count: (call: Call) => itemsIn(call).length,
		page: (call: Call, { offset, limit }: Range) => itemsIn(call).slice(offset, offset + limit),
	};

	return {
		'GET /api/channels': listRoute('channels', sourceOf(channels, withoutItems), dialect),
		'GET /api/channel/:id': listRoute('items', items, dialect),
		...recordRoutes('/api/channel', channels, {
			create: bodyOf(FIELDS, 'name'),
			made: ({ body }) => ({ ...USUAL, ...body }),
			created: (channel) => channel,
			update: bodyOf(FIELDS),
		}),
		'POST /api/channel/:channelid/assign/:type/:itemid': {
			answer({ accountId, params: { type = '', channelid, itemid } }) {
				const channel = channels.get(accountId, channelid);
				const table = tableOf(tables, type);
				if (!table) throw new Failure(422, `There is no item type ${type}.`);
				const { id } = table.get(accountId, itemid);
				const isThere = assignedTo(channel).some((item) => item.type === type && item.id === id);
				if (isThere && dialect.shapes === 'installed') {
					throw new Failure(422, 'The item is in this channel already.');
				}
				putIntoChannel(tables, channel, type, id);
				return { message: 'The item has been assigned to the channel.' };
			},
		},
	};
}

const tableOf = ({ links, bioPages, qrCodes }: Tables, type: string): Records | undefined =>
	(({ links, bio: bioPages, qr: qrCodes }) as Record<string, Records>)[type];

/** The types and the IDs of a channel, in the order in which they were assigned. */
const assignedTo = ({ items }: Fields): Fields[] =>
	Array.isArray(items) ? items.filter(isRecord) : [];

/** Makes an item the last one of a channel. */
export function putIntoChannel(
	{ channels, links }: Tables,
	channel: Fields,
	type: string,
	id: unknown,
): void {
	const others = assignedTo(channel).filter((item) => item.type !== type || item.id !== id);
	channels.change(channel.id, { items: [...others, { type, id }] });
	if (type === 'links') links.change(id, { channel: channel.id });
}

const withoutItems = ({ items: _items, ...channel }: Fields): Fields => channel;

function shownItem(type: string, record: Fields, call: Call): Fields {
	const { baseUrl } = call;
	const { id, title, name, date } = record;
	const alias = String(record.alias);
	return {
		type,
		id,
		title: title ?? name,
		preview: `${baseUrl}/preview/${alias}.svg`,
		link: type === 'links' ? shortUrl(record, call) : `${baseUrl}/${type}/${alias}`,
		date: String(date).slice(0, 10),
	};
}
