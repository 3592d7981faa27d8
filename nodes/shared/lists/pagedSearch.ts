// Reads a list for a dropdown: one page when the user opens it or scrolls; with a filter, until the dropdown is full. Where the
// service can search, too, it finds what is beyond the pages that are read here.

import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { isOutOfTime, toFailure } from '../values/failure';
import { type Cursor, cursorIn, LIST_START, ListWalk } from './listWalk';
import type { Page, RequestPage } from './pages';

const PAGES_PER_SEARCH = 25;
const FULL = 50;

type ToEntries = (records: IDataObject[]) => INodeListSearchItems[];

export interface Search {
	token: IDataObject;
	isFiltered: boolean;
	all: RequestPage;
	found: RequestPage | undefined;
	/** Whether the service searches, if that is known. Else it ignores the query, and counts as many records as without it. */
	isKnown: boolean | undefined;
	/** Takes that, and page 2 of the whole list if that showed it. */
	keep: (isSearched: boolean, second: Page | undefined) => void;
	toEntries: ToEntries;
}

export async function searchPages(search: Search): Promise<INodeListSearchResult> {
	const { all, found, token, toEntries, isFiltered } = search;
	const from = cursorIn(token);
	if (found && token.isFound === true) return await readFound(found, from, toEntries);
	const walk = new ListWalk(all, from);
	const first = toEntries((await walk.next()) ?? []);
	if (!isFiltered || first.length >= FULL || walk.isDone) return resultWith(first, walk);
	const mayFind = found && from.page === 1;
	if (mayFind && (await isSearched(search, found).catch(nothingIf(isSearchEnd)))) {
		const more = await readFound(found, LIST_START, toEntries);
		const byValue = new Map([...first, ...more.results].map((entry) => [entry.value, entry]));
		if (more.results.length > 0) return { ...more, results: [...byValue.values()] };
	}
	return resultWith([...first, ...(await readOn(walk, toEntries, first.length))], walk);
}

/** If it is not known, page 2 shows it: where the service does not search, the dropdown needs that page anyway. */
async function isSearched({ all, isKnown, keep }: Search, found: RequestPage): Promise<boolean> {
	const { records, result = 0, pageSize } = await all(1);
	if (isKnown === false || result <= records.length) return false;
	const isFewer = (page: Page | undefined): boolean => (page?.result ?? result) < result;
	const second = isKnown ? undefined : await found(2, pageSize);
	const isIgnored = second !== undefined && second.records.length > 0 && !isFewer(second);
	const first = isIgnored ? undefined : await found(1, pageSize);
	keep(isFewer(first), isIgnored ? second : undefined);
	return isFewer(first);
}

/** A service may refuse to search, and the time may be up: what was found without is shown. */
const isSearchEnd = (error: unknown): boolean =>
	isOutOfTime(error) || toFailure(error).consequences.isRefusal === true;

/** A search shows what it has found so far. */
const nothingIf =
	(isExpected: (error: unknown) => boolean) =>
	(error: unknown): undefined => {
		if (!isExpected(error)) throw error;
	};

async function readOn(
	walk: ListWalk,
	toEntries: ToEntries,
	shown: number,
): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	for (let page = 1; page < PAGES_PER_SEARCH && shown + entries.length < FULL; page += 1) {
		const records = await walk.next().catch(nothingIf(isOutOfTime));
		if (!records) break;
		entries.push(...toEntries(records));
	}
	return entries;
}

async function readFound(
	found: RequestPage,
	from: Cursor,
	toEntries: ToEntries,
): Promise<INodeListSearchResult> {
	const walk = new ListWalk(found, from);
	return resultWith(await readOn(walk, toEntries, 0), walk, { isFound: true });
}

function resultWith(
	results: INodeListSearchItems[],
	{ cursor }: ListWalk,
	token: IDataObject = {},
): INodeListSearchResult {
	return cursor
		? { results, paginationToken: JSON.stringify({ ...cursor, ...token }) }
		: { results };
}
