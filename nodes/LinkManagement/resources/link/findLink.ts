// How *Create or Update* finds the link of a row: by a look-up, or in the list, which is read once a run. Also what list and details
// show of a link.

import type { IDataObject } from 'n8n-workflow';

import { singleRecord } from '../../../shared/lists/namedList';
import { LARGEST_PAGE, pageIn } from '../../../shared/lists/pages';
import { RecordIndex } from '../../../shared/lists/recordIndex';
import { toFailure } from '../../../shared/values/failure';
import { parseId } from '../../../shared/values/input';
import { textIn } from '../../../shared/values/json';
import { decoded } from '../../../shared/values/text';
import { linkDetailsOf, linkRecord } from '../../records';
import { linkPath, links } from '../../serviceLists';
import { canonicalUrl } from '../../values/longUrl';
import { aliasIn } from '../../values/shortUrl';
import { type LinkRow, readNewest, type WantedRow } from './linkRow';

/**
 * With at most a few requests, unless a known link has another alias of the same form.
 * @returns undefined also if the rest of the list may have it
 */
export async function findQuickly(row: WantedRow): Promise<IDataObject | undefined> {
	const { alias, shortUrl, said } = row.wanted;
	if (alias === undefined) return undefined;
	const found = await row.index.lookUp(shortUrl, row.rowsLeft);
	if (found) return found;
	// It is known without a look-up, or page 1 shows it, where the service ignores look-ups.
	const known = knownLink(row);
	if (!known || isFinal(known, alias)) return known;
	// One that leads where the row says is the row's: then the service has rewritten the alias.
	const isRewritten = canonicalUrl(textIn(known.longurl) ?? '') === said.url;
	return isRewritten ? known : await findInList(row);
}

/** In the list, read as far as needed. A link is found by its long URL only when all are known: the oldest counts. */
export async function findInList(row: WantedRow): Promise<IDataObject | undefined> {
	const { index, rowsLeft, wanted } = row;
	const { alias, shortUrl } = wanted;
	await readNewest(row);
	const isEnough = async (): Promise<boolean> =>
		alias !== undefined &&
		(isFinal(knownLink(row), alias) || (index.pagesLeft > rowsLeft && (await index.findsAll())));
	while (!(await isEnough()) && (await index.readNextPage()));
	const known = knownLink(row);
	if (!known || alias === undefined || isFinal(known, alias)) return known;
	return index.pagesLeft === 0 ? known : ((await index.lookUpNow(shortUrl)) ?? known);
}

/** Whether a link has the alias as it was entered. Another one of the same form may follow, which has. */
const isFinal = (link: IDataObject | undefined, entered: string): boolean =>
	link !== undefined &&
	decoded(textIn(link.alias) ?? aliasIn(link.shorturl, entered) ?? '') === decoded(entered);

/** @throws Failure if several have the alias, and none as it was entered */
function knownLink({ index, wanted }: WantedRow): IDataObject | undefined {
	const { alias, keys } = wanted;
	const found = keys.map((key) => index.named(key, true)).find(({ length }) => length > 0) ?? [];
	if (alias === undefined) return found[0];
	const exact = found.filter((link) => isFinal(link, alias));
	return singleRecord(links, alias, exact.length > 0 ? exact : found);
}

/** Reads page 1 again: another program may have made the link since. */
export async function findAmongNewest(row: WantedRow): Promise<IDataObject | undefined> {
	const index = new RecordIndex(links, row.send, row.shortBase);
	await index.readNextPage();
	return knownLink({ ...row, index });
}

/** A link with its details: those of the look-up that found it, or read now. */
export async function withDetails(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const id = parseId('Link', link.id);
	const { index } = row;
	const known = index.get(id) ?? link;
	if ('location' in known) return known;
	const { body } = await row.send({ method: 'GET', path: linkPath(id) });
	return index.put(linkDetailsOf(body, id));
}

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
		const query = { q: textIn(link.alias) ?? '', limit: LARGEST_PAGE, page: 1 };
		const { body } = await row.send({ method: 'GET', path: '/api/urls', query });
		// What some services find by a text; others ignore it.
		for (const entry of pageIn(body, { listName: 'urls' }).records) index.put(linkRecord(entry));
		while (isMissing() && (await index.readNextPage()));
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.mayBeRefusal) throw failure;
	}
	return index.get(id) ?? link;
}
