import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	NodeApiError,
} from 'n8n-workflow';

import { connect, type Connection, type Service } from '../http/connection';
import { interactiveOptions, type Send, senderOf } from '../http/request';
import { toFailure } from '../values/failure';
import { composed, idIn, integerIn } from '../values/json';
import { webAddressIn } from '../values/webAddress';
import {
	LARGEST_PAGE,
	type ListSource,
	mayGoOn,
	orEmpty,
	type Page,
	pagesOf,
	type RequestPage,
} from './pages';

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export interface SearchedList {
	/** The list in pages, or a function that gets all of it if the API has no pages. */
	source: ListSource | ((send: Send) => Promise<Page>);
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
			const firstPage = integerIn(paginationToken) ?? 1;
			const wanted = lowerCase(filter.trim());
			// Whoever opens the dropdown again sees what the service has now.
			if (wanted === '') cache.delete(cacheKey(connection, firstPage));
			const requestPage = cached(cache, connection, pagesFor(connection, list, send));
			return await matches(firstPage, wanted, requestPage, list);
		} catch (error) {
			const { message, advice } = toFailure(error);
			throw new NodeApiError(this.getNode(), { message }, { message, description: advice });
		}
	};
}

function pagesFor(connection: Connection, { source }: SearchedList, send: Send): RequestPage {
	if (typeof source === 'function') return async () => await source(send);
	return orEmpty(pagesOf(connection, source, send));
}

async function matches(
	firstPage: number,
	wanted: string,
	requestPage: RequestPage,
	list: SearchedList,
): Promise<INodeListSearchResult> {
	const lastPage = firstPage + (wanted === '' ? 1 : PAGES_PER_SEARCH) - 1;
	const results: INodeListSearchItems[] = [];
	for (let number = firstPage; ; number += 1) {
		const page = await requestPage(number, LARGEST_PAGE);
		const found = page.records.filter((record) => isMatch(record, wanted, list));
		results.push(...found.flatMap((record) => entryOf(record, list)));
		if (!mayGoOn(page)) return { results };
		if (results.length >= FULL || number >= lastPage)
			return { results, paginationToken: String(number + 1) };
	}
}

function isMatch(record: IDataObject, wanted: string, list: SearchedList): boolean {
	const texts = [list.label(record), record.id, ...(list.keywords?.(record) ?? [])];
	return texts.some((text) => lowerCase(text).includes(wanted));
}

/** A text or a number in lower case and in one Unicode form, to compare it; empty for anything else. */
export const lowerCase = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number'
		? composed(String(value)).toLowerCase()
		: '';

function entryOf(record: IDataObject, list: SearchedList): INodeListSearchItems[] {
	const value = list.value ? list.value(record) : idIn(record.id);
	const url = webAddressIn(list.url?.(record));
	if (value === undefined || isExpression(value)) return [];
	const label = list.label(record);
	const name = isExpression(label) ? ` ${label}` : label;
	return [{ name, value, ...(url === undefined ? {} : { url }) }];
}

/** n8n stores value and name of the entry that is picked, and evaluates what begins with `=`. */
const isExpression = (text: string | number): boolean => String(text).startsWith('=');

type PageCache = Map<string, { page: Page; readAt: number }>;

const cacheKey = ({ connectionKey }: Connection, page: number): string =>
	`${connectionKey} ${page}`;

function cached(cache: PageCache, connection: Connection, requestPage: RequestPage): RequestPage {
	const { clock } = connection;
	return async (number, limit) => {
		const now = clock.now();
		for (const [key, { readAt }] of cache) if (now - readAt >= CACHE_MS) cache.delete(key);
		const wanted = cacheKey(connection, number);
		const found = cache.get(wanted);
		if (found) return found.page;
		const page = await requestPage(number, limit);
		cache.set(wanted, { page, readAt: clock.now() });
		return page;
	};
}
