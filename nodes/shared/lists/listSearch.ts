// Makes the searches behind dropdowns (resource locators), which cache a page for 20 seconds. Those of each node are in its
// locators.ts.

import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	isExpression,
	jsonParse,
} from 'n8n-workflow';

import { connect, type Send, type Service } from '../http/connection';
import { nodeError } from '../http/nodeError';
import { interactiveOptions, createSend } from '../http/request';
import { toFailure } from '../values/failure';
import { idIn, mapIn } from '../values/json';
import { hasText, lowerCase } from '../values/text';
import { webAddressIn } from '../values/webAddress';
import { searchPages } from './pagedSearch';
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
	keywords?(record: IDataObject): unknown[];
	value?(record: IDataObject): string | number | undefined;
	url?(record: IDataObject): string | undefined;
	/** What some services search the list by. */
	searchQuery?(filter: string): IDataObject;
}

/** A page is cached so that the next letter typed costs no request. */
const CACHE_MS = 20_000;

export function listSearchFor(service: Service, list: SearchedList): ListSearch {
	const cache = new Map<string, { page: Page; readAt: number }>();
	const searches = new Map<string, boolean>();
	return async function (this, entered = '', paginationToken) {
		try {
			const { source } = list;
			const connection = await connect(this, service);
			const { connectionKey, clock } = connection;
			const send = createSend(connection, interactiveOptions(connection));
			const filter = entered.trim();
			const toEntries = (records: IDataObject[]): INodeListSearchItems[] =>
				records
					.filter((record) => isMatch(record, lowerCase(filter), list))
					.flatMap((record) => entryOf(record, list));
			if (typeof source === 'function') return { results: toEntries(await source(send)) };
			const isFiltered = filter !== '';
			// Whoever opens the dropdown again sees what the service has now.
			if (!isFiltered && paginationToken === undefined) cache.clear();
			const now = clock.now();
			for (const [key, { readAt }] of cache) if (now - readAt >= CACHE_MS) cache.delete(key);
			const keyOf = (query: IDataObject, number: number): string =>
				JSON.stringify([connectionKey, query, number]);
			const pagesWith = (query: IDataObject): RequestPage => {
				const requestPage = pagesOf({ ...source, query: { ...source.query, ...query } }, send);
				return async (number, pageSize) => {
					const key = keyOf(query, number);
					const known = cache.get(key);
					const page = known?.page ?? (await requestPage(number, pageSize));
					cache.set(key, known ?? { page, readAt: clock.now() });
					return page;
				};
			};
			return await searchPages({
				token: mapIn(jsonParse<unknown>(paginationToken ?? '', { fallbackValue: {} })),
				isFiltered,
				all: pagesWith({}),
				found: isFiltered && list.searchQuery ? pagesWith(list.searchQuery(filter)) : undefined,
				isKnown: searches.get(connectionKey),
				keep(isSearched, second) {
					searches.set(connectionKey, isSearched);
					if (second) cache.set(keyOf({}, 2), { page: second, readAt: clock.now() });
				},
				toEntries,
			});
		} catch (error) {
			throw nodeError(this.getNode(), toFailure(error));
		}
	};
}

function isMatch(record: IDataObject, wanted: string, list: SearchedList): boolean {
	const texts = [list.label(record), record.id, ...(list.keywords?.(record) ?? [])];
	return texts.some((text) => hasText(text, wanted));
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
