// Puts an item into a channel. Services refuse an item that is already there, so after a refusal the items of the channel decide.

import type { IDataObject } from 'n8n-workflow';

import type { NamedList } from '../shared/lists/namedList';
import type { Row } from '../shared/operations/operation';
import { keptBy } from '../shared/operations/session';
import { toFailure } from '../shared/values/failure';
import { textsIn } from '../shared/values/json';

/** The items of each channel that was read in a run. */
const channelsOf = keptBy((_run: object) => new Map<number, NamedList>());

function channelList(channel: number, { session }: Row): NamedList {
	const known = channelsOf(session.run);
	const items: NamedList = known.get(channel) ?? {
		source: { path: `/api/channel/${channel}`, listName: 'items' },
		what: 'item',
		// Items of several types may have the same id.
		recordOf: ({ type, id }) => itemNamed(type, id),
		names: ({ name }) => textsIn(name),
		nameOf: (name) => name,
		label: ({ name }) => textsIn(name).join(),
	};
	known.set(channel, items);
	return items;
}

const itemNamed = (type: unknown, id: unknown): IDataObject => ({
	name: textsIn(type, id).join(' '),
});

/** @throws Failure if the item is not in the channel now */
export async function assignToChannel(
	channel: number,
	type: string,
	item: number,
	row: Row,
): Promise<IDataObject> {
	const path = `/api/channel/${channel}/assign/${type}/${item}`;
	const items = row.list(channelList(channel, row));
	try {
		const { body } = await row.send({ method: 'POST', path });
		items.put(itemNamed(type, item));
		return body;
	} catch (error) {
		const failure = toFailure(error);
		if (failure.kind !== 'refused') throw failure;
		const found = await items.all(`${type} ${item}`, 'first').catch(() => []);
		if (found.length === 0) throw failure;
		return { message: failure.message };
	}
}
