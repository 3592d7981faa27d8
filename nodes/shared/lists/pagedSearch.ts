// Reads a list for a dropdown: one page when the user opens it or scrolls; with a filter, until the dropdown is full. Where the
// service can search, too, it finds what is beyond the pages that are read here.

import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { type Failure, isOutOfTime, toFailure } from '../values/failure';
import { countIn, idIn } from '../values/json';
import { type Cursor, LIST_START, ListWalk } from './listWalk';
import type { Page, RequestPage } from './pages';

/** When a filtered search stops; scrolling reads on. */
const PAGES_PER_SEARCH = 25;
const FULL = 50;

type ToEntries = (records: IDataObject[]) => INodeListSearchItems[];

export interface Search {
	connectionKey: string;
	/** Where the dropdown is scrolled to. */
	token: IDataObject;
	isFiltered: boolean;
	/** Of the whole list. */
	all: RequestPage;
	/** Of what the service finds; undefined if it is not asked. */
	found: RequestPage | undefined;
	/** Takes a page of the whole list that was read in another way. */
	keepPage: (number: number, page: Page) => void;
	/** The entries of the records that match. */
	toEntries: ToEntries;
}

export class PagedSearch {
	/** By credential, whether the service searches. Else it ignores the query, and counts as many records as without it. */
	private readonly searches = new Map<string, boolean>();

	async run(search: Search): Promise<INodeListSearchResult> {
		const { all, found, token, toEntries, isFiltered } = search;
		const from = cursorIn(token);
		if (found && token.isFound === true) return await readFound(found, from, toEntries);
		const walk = new ListWalk(all, from);
		const first = toEntries((await walk.next()) ?? []);
		if (!isFiltered || first.length >= FULL || !walk.cursor) return resultWith(first, walk);
		const mayFind = found && from.page === 1;
		const isSearched = mayFind && (await this.isSearched(search, found).catch(nothingIfOutOfTime));
		const more = isSearched ? await readFound(found, LIST_START, toEntries) : { results: [] };
		if (more.results.length > 0) return { ...more, results: merged(first, more.results) };
		return resultWith([...first, ...(await readOn(walk, toEntries, first.length))], walk);
	}

	/** If it is not known, page 2 shows it: where the service does not search, the dropdown needs that page anyway. */
	private async isSearched(
		{ connectionKey, all, keepPage }: Search,
		found: RequestPage,
	): Promise<boolean> {
		const { records, result = 0, pageSize } = await all(1);
		const known = this.searches.get(connectionKey);
		if (known === false || result <= records.length) return false;
		const ask = async (number: number): Promise<Page | undefined> =>
			await found(number, pageSize).catch(
				nothingIf(({ consequences }) => consequences.isRefusal === true),
			);
		const second = known ? undefined : await ask(2);
		const isIgnored = second !== undefined && second.records.length > 0 && !isFewer(second, result);
		if (isIgnored) keepPage(2, second);
		const isSearched = !isIgnored && isFewer(await ask(1), result);
		this.searches.set(connectionKey, isSearched);
		return isSearched;
	}
}

const isFewer = (page: Page | undefined, than: number): boolean => (page?.result ?? than) < than;

const nothingIf =
	(isExpected: (failure: Failure) => boolean) =>
	(error: unknown): undefined => {
		if (!isExpected(toFailure(error))) throw error;
	};

/** A search shows what it has found so far. Scrolling reads on. */
const nothingIfOutOfTime = nothingIf(isOutOfTime);

const cursorIn = ({ page, count, pageSize }: IDataObject): Cursor => ({
	page: idIn(page) ?? LIST_START.page,
	count: countIn(count) ?? LIST_START.count,
	pageSize: countIn(pageSize) ?? LIST_START.pageSize,
});

/** The entries of the next pages, until the dropdown is full. */
async function readOn(
	walk: ListWalk,
	toEntries: ToEntries,
	shown: number,
): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	for (let page = 1; page < PAGES_PER_SEARCH && shown + entries.length < FULL; page += 1) {
		const records = await walk.next().catch(nothingIfOutOfTime);
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

function merged(
	first: INodeListSearchItems[],
	more: INodeListSearchItems[],
): INodeListSearchItems[] {
	const values = new Set(first.map(({ value }) => value));
	return [...first, ...more.filter(({ value }) => !values.has(value))];
}
