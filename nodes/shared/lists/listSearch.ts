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

import { connect, type Connection, type Service } from '../http/connection';
import type { Send } from '../http/connection';
import { interactiveOptions, senderOf } from '../http/request';
import { toFailure } from '../values/failure';
import { idIn, mapIn } from '../values/json';
import { lowerCase } from '../values/text';
import { webAddressIn } from '../values/webAddress';
import { ListWalk, placeIn } from './listWalk';
import {
	EMPTY_PAGE,
	type ListSource,
	type Page,
	pagesOf,
	recordKey,
	type RequestPage,
} from './pages';

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

/** When a filtered search stops. The API cannot filter, so a match may be on any page. */
const PAGES_PER_SEARCH = 25;
const FULL = 50;

/** A page is cached so that the next letter typed costs no request. */
const CACHE_MS = 20_000;

/** The search behind a dropdown. It reads the next page when the user scrolls; with a filter, until the dropdown is full. */
export function searchOf(service: Service, list: SearchedList): ListSearch {
	const cache: PageCache = new Map();
	return async function (this, filter = '', paginationToken) {
		try {
			const connection = await connect(this, service);
			const send = senderOf(connection, interactiveOptions(connection));
			const wanted = lowerCase(filter.trim());
			const token = mapIn(jsonParse<unknown>(paginationToken ?? '', { fallbackValue: {} }));
			const place = placeIn(token);
			// Whoever opens the dropdown again sees what the service has now.
			const anew = wanted === '' ? (place?.page ?? 1) : undefined;
			const requestPage = cached(cache, connection, pagesFor(list, send), anew);
			if (typeof list.source !== 'function') return await search(requestPage, token, wanted, list);
			const { records } = await requestPage(1, 0);
			return { results: entriesOf(records, wanted, list) };
		} catch (error) {
			const { message, advice } = toFailure(error);
			throw new NodeApiError(this.getNode(), { message }, { message, description: advice });
		}
	};
}

function pagesFor({ source }: SearchedList, send: Send): RequestPage {
	if (typeof source !== 'function') return pagesOf(source, send);
	return async () => ({ ...EMPTY_PAGE, records: await source(send) });
}

async function search(
	requestPage: RequestPage,
	token: IDataObject,
	wanted: string,
	list: SearchedList,
): Promise<INodeListSearchResult> {
	const walk = new ListWalk(requestPage, { from: placeIn(token) });
	let { first, last } = token;
	const results: INodeListSearchItems[] = [];
	const maxPages = wanted === '' ? 1 : PAGES_PER_SEARCH;
	for (let page = 1; page <= maxPages && results.length < FULL; page += 1) {
		const records = await walk.next().catch((error: unknown) => {
			// A search shows what it has found so far. Scrolling reads on.
			if (page > 1 && ['outOfTime', 'unreadable'].includes(toFailure(error).kind)) return undefined;
			throw error;
		});
		if (!records) break;
		const [from, to] = [records.at(0), records.at(-1)].map((record) => recordKey(record ?? {}));
		// Behind the end of a list, a service may repeat its first or its last page.
		if (from === first || to === last) return { results };
		first ??= from;
		last = to;
		results.push(...entriesOf(records, wanted, list));
	}
	const { place } = walk;
	return place
		? { results, paginationToken: JSON.stringify({ ...place, first, last }) }
		: { results };
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

/** By credential, page and limit. An entry goes with the first search that finds it too old. */
type PageCache = Map<string, { page: Page; readAt: number }>;

/** @param anew the number of a page that is requested although it is in the cache */
function cached(
	cache: PageCache,
	{ clock, connectionKey }: Connection,
	requestPage: RequestPage,
	anew: number | undefined,
): RequestPage {
	return async (number, limit, once) => {
		const now = clock.now();
		for (const [key, { readAt }] of cache) if (now - readAt >= CACHE_MS) cache.delete(key);
		const wanted = `${connectionKey} ${number} ${limit}`;
		const found = number === anew ? undefined : cache.get(wanted);
		if (found) return found.page;
		const page = await requestPage(number, limit, once);
		// An empty page may be an accident.
		if (page.records.length > 0) cache.set(wanted, { page, readAt: clock.now() });
		return page;
	};
}
