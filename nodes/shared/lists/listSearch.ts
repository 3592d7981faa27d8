import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Connection } from '../http/request';
import { failureIn } from '../values/failure';
import { idIn, integerIn } from '../values/json';
import type { Get } from '../http/lookup';
import { lookupFor, orNodeError } from '../http/lookup';
import type { Page } from './pages';
import { hasMore, LARGEST_PAGE, readPage } from './pages';
import type { RateLimiter } from '../http/rateLimiter';
import type { Service } from '../http/connection';

/** n8n's signature of the search behind a locator's list. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Asks for a page of a list; the first is 1. */
export type AskList = (get: Get, number: number) => Promise<Page>;

/** A list in pages, as the link service has them. */
export function pagedList(path: string, listName: string): AskList {
	return async (get, page) =>
		readPage(await get(path, { limit: LARGEST_PAGE, page }), listName, LARGEST_PAGE);
}

/** How the records of one list become entries of a dropdown. */
export interface SearchedList {
	/** Asks for one page of it. */
	ask: AskList;
	/** What a person knows a record by. */
	label(record: IDataObject): string;
	/** What the parameter gets; the record's id if not said. */
	value?(record: IDataObject): string | number | undefined;
	/** A page to open from the field. */
	url?(record: IDataObject): string | undefined;
	/** Reads one record by its id, where the API can: then an id typed as filter costs one request. */
	byId?: { path(id: number): string; read(body: IDataObject): IDataObject };
}

/** Pages that a filtered search reads at most; the API cannot filter, so the record may be on any page. */
export const PAGES_PER_SEARCH = 25;

/** How long pages are kept for the next letter that is typed, in milliseconds. */
const CACHE_MS = 20_000;

/**
 * The search behind a dropdown. Without a filter it reads one page, and the next one when the user scrolls. With one it
 * reads on until a page has matches, at most `PAGES_PER_SEARCH`; typing on does not read those pages again.
 */
export function searchOf(service: Service, list: SearchedList): ListSearch {
	return async function (this, filter = '', paginationToken) {
		return await orNodeError(this, async () => {
			const { get, connection } = await lookupFor(this, service);
			const firstPage = integerIn(paginationToken) ?? 1;
			const wanted = filter.trim().toLowerCase();
			if (wanted !== '' && firstPage === 1) {
				const exact = await recordById(list, wanted, get);
				if (exact) return { results: entriesOf([exact], list) };
			}
			const ask: AskPageNumber = async (number) => await list.ask(get, number);
			return wanted === ''
				? await onePage(firstPage, cached(connection, list, ask, 0), list)
				: await matchingPages(firstPage, wanted, cached(connection, list, ask, CACHE_MS), list);
		});
	};
}

type AskPageNumber = (page: number) => Promise<Page>;

async function onePage(
	number: number,
	ask: AskPageNumber,
	list: SearchedList,
): Promise<INodeListSearchResult> {
	const page = await ask(number);
	return { results: entriesOf(page.records, list), ...tokenFor(page, number) };
}

async function matchingPages(
	firstPage: number,
	wanted: string,
	ask: AskPageNumber,
	list: SearchedList,
): Promise<INodeListSearchResult> {
	for (let number = firstPage; ; number += 1) {
		const page = await ask(number);
		const results = entriesOf(page.records, list).filter(({ name, value }) =>
			`${name} ${String(value)}`.toLowerCase().includes(wanted),
		);
		const isLast = !hasMore(page, number) || number - firstPage + 1 >= PAGES_PER_SEARCH;
		if (results.length > 0 || isLast) return { results, ...tokenFor(page, number) };
	}
}

async function recordById(
	{ byId }: SearchedList,
	wanted: string,
	get: Get,
): Promise<IDataObject | undefined> {
	const id = idIn(wanted);
	if (byId === undefined || id === undefined) return undefined;
	return await get(byId.path(id), {}).then(
		(body) => byId.read(body),
		(error: unknown) => {
			// No record has that id; the number may still be part of a name.
			if (failureIn(error)?.kind === 'refused') return undefined;
			throw error;
		},
	);
}

function entriesOf(records: IDataObject[], list: SearchedList): INodeListSearchItems[] {
	return records.flatMap((record) => {
		const value = list.value ? list.value(record) : idIn(record.id);
		const url = list.url?.(record);
		if (value === undefined) return [];
		return [{ name: list.label(record), value, ...(url === undefined ? {} : { url }) }];
	});
}

function tokenFor(page: Page, number: number): { paginationToken?: string } {
	return hasMore(page, number) ? { paginationToken: String(number + 1) } : {};
}

interface CachedPage {
	page: Page;
	readAt: number;
}

type CachedPages = Map<number, CachedPage>;

const cachedPages = new WeakMap<RateLimiter, WeakMap<SearchedList, CachedPages>>();

/** Asks for pages, and keeps them a moment with the credential and the list that they are of. */
function cached(
	{ pacer, time }: Connection,
	list: SearchedList,
	ask: AskPageNumber,
	maxAgeMs: number,
): AskPageNumber {
	const lists = cachedPages.get(pacer) ?? new WeakMap<SearchedList, CachedPages>();
	const pages = lists.get(list) ?? new Map<number, CachedPage>();
	cachedPages.set(pacer, lists.set(list, pages));
	return async (number) => {
		const found = pages.get(number);
		if (found && time.now() - found.readAt < maxAgeMs) return found.page;
		const page = await ask(number);
		pages.set(number, { page, readAt: time.now() });
		return page;
	};
}
