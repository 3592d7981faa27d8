// What the list and the details show of a link, read when a row needs it.

import type { IDataObject } from 'n8n-workflow';

import { toFailure } from '../../../shared/values/failure';
import { LARGEST_PAGE, pageIn } from '../../../shared/lists/pages';
import { textIn, without } from '../../../shared/values/json';
import { parseId } from '../../../shared/values/input';
import { linkDetailsOf, linkRecord } from '../../records';
import { linkPath } from '../../serviceLists';
import type { LinkRow } from './linkRow';

/** A link with its details: those of the look-up that found it, or read now. */
export async function withDetails(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const id = parseId('Link', link.id);
	const { index } = row;
	const known = index.get(id) ?? link;
	if ('location' in known) return known;
	const { body } = await row.send({ method: 'GET', path: linkPath(id) });
	return index.put(linkDetailsOf(body, id));
}

/** A link without what only its details show. */
export const withoutDetails = (link: IDataObject): IDataObject =>
	without(link, 'device', 'expiry', 'location', 'statistics');

/** A record of the list counts clicks; the details do it elsewhere. */
const isListed = (link: IDataObject): boolean => 'clicks' in link;

/** Whether the list shows in which campaign and channel a link is; undefined if no record of it is known. */
export function showsPlaces(row: LinkRow): boolean | undefined {
	const listed = row.index.known.find(isListed);
	return listed && 'campaign' in listed && 'channel' in listed;
}

/** A link with the campaign and channel that the list shows: found by a search, or by reading on. A key may not read the list. */
export async function withPlaces(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const { index } = row;
	const id = parseId('Link', link.id);
	const isMissing = (): boolean => !isListed(index.get(id) ?? link) && showsPlaces(row) !== false;
	if (!isMissing()) return link;
	try {
		await searchList(textIn(link.alias) ?? '', row);
		while (isMissing() && (await index.readNextPage()));
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.mayBeRefusal) throw failure;
	}
	return index.get(id) ?? link;
}

/** Takes in what some services find by a text; others ignore it. */
async function searchList(q: string, { index, send }: LinkRow): Promise<void> {
	const query = { q, limit: LARGEST_PAGE, page: 1 };
	const { body } = await send({ method: 'GET', path: '/api/urls', query });
	for (const entry of pageIn(body, { listName: 'urls' }).records) index.put(linkRecord(entry));
}
