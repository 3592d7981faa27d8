// Makes the searches behind dropdowns (resource locators): one page when the user opens one or scrolls; with a filter, until it
// is full. Those of each node are in its locators.ts.

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
import { isOutOfTime, toFailure } from '../values/failure';
import { idIn, mapIn } from '../values/json';
import { hasText, lowerCase } from '../values/text';
import { webAddressIn } from '../values/webAddress';
import { type Cursor, cursorIn, LIST_START, ListWalk } from './listWalk';
import { type ListSource, pagesOf, type RequestPage } from './pages';

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
	/** What some services search the list by; the others ignore it, and each page that is read is searched here. */
	searchQuery?(filter: string): IDataObject;
}

const PAGES_PER_SEARCH = 10;
const FULL = 50;

type ToEntries = (records: IDataObject[]) => INodeListSearchItems[];

export function listSearchFor(service: Service, list: SearchedList): ListSearch {
	return async function (this, entered = '', paginationToken) {
		try {
			const { source } = list;
			const connection = await connect(this, service);
			const send = createSend(connection, interactiveOptions(connection));
			const filter = entered.trim();
			const toEntries: ToEntries = (records) =>
				records
					.filter((record) => isMatch(record, lowerCase(filter), list))
					.flatMap((record) => entryOf(record, list));
			if (typeof source === 'function') return { results: toEntries(await source(send)) };
			const pagesWith = (query: IDataObject = {}): RequestPage =>
				pagesOf({ ...source, query: { ...source.query, ...query } }, send);
			const searched = filter === '' ? undefined : list.searchQuery?.(filter);
			const found = searched && pagesWith(searched);
			const token = tokenIn(paginationToken);
			return await searchPages(pagesWith(), found, token, toEntries, filter !== '');
		} catch (error) {
			throw nodeError(this.getNode(), toFailure(error));
		}
	};
}

/** @param found the pages that the service finds; where it does not search, they are those of the whole list */
async function searchPages(
	all: RequestPage,
	found: RequestPage | undefined,
	token: IDataObject,
	toEntries: ToEntries,
	isFiltered: boolean,
): Promise<INodeListSearchResult> {
	const from = cursorIn(token);
	if (found && token.isFound === true)
		return await read(found, from, toEntries, true, { isFound: true });
	const first = await read(all, from, toEntries, isFiltered && !found);
	if (!found || first.results.length >= FULL || !first.paginationToken) return first;
	const more = await read(found, LIST_START, toEntries, true, { isFound: true });
	if (more.results.length > 0) return { ...more, results: union(first.results, more.results) };
	// What a record shows may not be what the service searches.
	const rest = await read(all, cursorIn(tokenIn(first.paginationToken)), toEntries, true);
	return { ...rest, results: union(first.results, rest.results) };
}

const tokenIn = (token: string | undefined): IDataObject =>
	mapIn(jsonParse<unknown>(token ?? '', { fallbackValue: {} }));

const union = (...lists: INodeListSearchItems[][]): INodeListSearchItems[] => [
	...new Map(lists.flat().map((entry) => [entry.value, entry])).values(),
];

/** The entries of one page, or until the dropdown is full. What was found before the time is up is shown. */
async function read(
	requestPage: RequestPage,
	from: Cursor,
	toEntries: ToEntries,
	untilFull: boolean,
	more: IDataObject = {},
): Promise<INodeListSearchResult> {
	const walk = new ListWalk(requestPage, from);
	const results: INodeListSearchItems[] = [];
	for (let page = 0; page < (untilFull ? PAGES_PER_SEARCH : 1); page += 1) {
		const records = await walk.next().catch((error: unknown) => {
			if (page === 0 || !isOutOfTime(error)) throw error;
			return undefined;
		});
		results.push(...toEntries(records ?? []));
		if (!records || results.length >= FULL) break;
	}
	const { cursor } = walk;
	return cursor
		? { results, paginationToken: JSON.stringify({ ...cursor, ...more }) }
		: { results };
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
