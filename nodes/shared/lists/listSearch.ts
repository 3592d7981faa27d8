// Makes the searches behind dropdowns (resource locators), which cache a page for 20 seconds. Those of each node are in its
// locators.ts.

import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	isExpression,
	jsonParse,
	NodeApiError,
} from 'n8n-workflow';

import { connect, type Connection, type Send, type Service } from '../http/connection';
import { interactiveOptions, createSend } from '../http/request';
import { isOutOfTime, toFailure } from '../values/failure';
import { countIn, idIn, mapIn } from '../values/json';
import { lowerCase } from '../values/text';
import { webAddressIn } from '../values/webAddress';
import { type Cursor, LIST_START, ListWalk } from './listWalk';
import { type ListSource, type Page, pagesOf, type RequestPage } from './pages';

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export interface SearchedList {
	/** The list in pages, or a function that gets all its records if the API has no pages. */
	source: ListSource | ((send: Send) => Promise<IDataObject[]>);
	label(record: IDataObject): string;
	/** What a filter is compared with, besides the label and the id. */
	keywords?(record: IDataObject): unknown[];
	/** What is stored in the parameter. Default: the record's id. */
	value?(record: IDataObject): string | number | undefined;
	url?(record: IDataObject): string | undefined;
}

/** When a filtered search stops; scrolling reads on. The API cannot filter, so a match may be on any page. */
const PAGES_PER_SEARCH = 25;
const FULL = 50;

/** A page is cached so that the next letter typed costs no request. */
const CACHE_MS = 20_000;

/** The search behind a dropdown. It reads the next page when the user scrolls; with a filter, until the dropdown is full. */
export function listSearchFor(service: Service, list: SearchedList): ListSearch {
	const cache: PageCache = new Map();
	return async function (this, filter = '', paginationToken) {
		try {
			const { source } = list;
			const connection = await connect(this, service);
			const send = createSend(connection, interactiveOptions(connection));
			const wanted = lowerCase(filter.trim());
			if (typeof source === 'function')
				return { results: entriesOf(await source(send), wanted, list) };
			const token = mapIn(jsonParse<unknown>(paginationToken ?? '', { fallbackValue: {} }));
			const from = cursorIn(token);
			// Whoever opens the dropdown again sees what the service has now.
			if (wanted === '' && from.page === 1) cache.clear();
			const requestPage = cached(cache, connection, pagesOf(source, send));
			const walk = new ListWalk(requestPage, from);
			const results = await search(walk, wanted, list);
			if (!walk.cursor) return { results };
			return { results, paginationToken: JSON.stringify(walk.cursor) };
		} catch (error) {
			const { message, advice } = toFailure(error);
			throw new NodeApiError(this.getNode(), { message }, { message, description: advice });
		}
	};
}

const cursorIn = ({ page, count, pageSize }: IDataObject): Cursor => ({
	page: idIn(page) ?? LIST_START.page,
	count: countIn(count) ?? LIST_START.count,
	pageSize: countIn(pageSize) ?? LIST_START.pageSize,
});

async function search(
	walk: ListWalk,
	wanted: string,
	list: SearchedList,
): Promise<INodeListSearchItems[]> {
	const results: INodeListSearchItems[] = [];
	for (let page = 1; page <= PAGES_PER_SEARCH && results.length < FULL; page += 1) {
		const records = await walk.next().catch((error: unknown) => {
			// A search shows what it has found so far. Scrolling reads on.
			if (page > 1 && isOutOfTime(error)) return undefined;
			throw error;
		});
		results.push(...entriesOf(records ?? [], wanted, list));
		if (!records || wanted === '') break;
	}
	return results;
}

const entriesOf = (
	records: IDataObject[],
	wanted: string,
	list: SearchedList,
): INodeListSearchItems[] =>
	records
		.filter((record) => isMatch(record, wanted, list))
		.flatMap((record) => entryOf(record, list));

function isMatch(record: IDataObject, wanted: string, list: SearchedList): boolean {
	const texts = [list.label(record), record.id, ...(list.keywords?.(record) ?? [])];
	return texts.some((text) => lowerCase(text).includes(wanted));
}

/** n8n stores value and name of the entry that is picked, and evaluates what begins with `=`. */
function entryOf(record: IDataObject, list: SearchedList): INodeListSearchItems[] {
	const value = list.value ? list.value(record) : idIn(record.id);
	const url = webAddressIn(list.url?.(record));
	if (value === undefined || isExpression(value)) return [];
	const label = list.label(record);
	const name = isExpression(label) ? ` ${label}` : label;
	return [{ name, value, ...(url === undefined ? {} : { url }) }];
}

/** By credential and page. */
type PageCache = Map<string, { page: Page; readAt: number }>;

function cached(
	cache: PageCache,
	{ clock, connectionKey }: Connection,
	requestPage: RequestPage,
): RequestPage {
	return async (number, pageSize) => {
		const now = clock.now();
		for (const [key, { readAt }] of cache) if (now - readAt >= CACHE_MS) cache.delete(key);
		const wanted = `${connectionKey} ${number}`;
		const page = cache.get(wanted)?.page ?? (await requestPage(number, pageSize));
		cache.set(wanted, { page, readAt: cache.get(wanted)?.readAt ?? now });
		return page;
	};
}
