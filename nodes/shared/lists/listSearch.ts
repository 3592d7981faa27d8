// Makes the searches behind dropdowns (resource locators): one page when the user opens one or scrolls; with a filter, until it
// is full. Those of each node are in its locators.ts.

import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	jsonParse,
} from 'n8n-workflow';

import { connect } from '../http/connection';
import type { Send, Service } from '../http/service';
import { nodeError } from '../http/nodeError';
import { interactiveOptions, createSend } from '../http/request';
import { isOutOfTime, toFailure } from '../values/failure';
import { idIn, mapIn } from '../values/json';
import { hasText, lowerCase } from '../values/text';
import { webAddressIn } from '../values/webAddress';
import { type Cursor, cursorIn, pagesOf } from './listPages';
import type { ListSource } from './pages';

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export interface SearchedList {
	/** The list in pages, or a function that gets all its records if the API has no pages. */
	source: ListSource | ((send: Send) => Promise<IDataObject[]>);
	label: (record: IDataObject) => string;
	keywords?: (record: IDataObject) => unknown[];
	value?: (record: IDataObject) => string | number | undefined;
	url?: (record: IDataObject) => string | undefined;
	/** What some services search the list by; the others ignore it, and each page that is read is searched here. */
	searchQuery?: (filter: string) => IDataObject;
}

const PAGES_PER_SEARCH = 10;
const FULL = 50;

export function listSearchFor(service: Service, list: SearchedList): ListSearch {
	return async function (this, entered = '', paginationToken) {
		try {
			const connection = await connect(this, service);
			const send = createSend(connection, interactiveOptions(connection));
			return await new Search(list, send, entered.trim()).from(paginationToken);
		} catch (error) {
			throw nodeError(this.getNode(), toFailure(error));
		}
	};
}

interface Found {
	results: INodeListSearchItems[];
	/** Whether the list had any record, also one that does not fit. */
	isAny: boolean;
	/** Where to read on when the user scrolls. */
	next?: Cursor | undefined;
}

class Search {
	constructor(
		private readonly list: SearchedList,
		private readonly send: Send,
		private readonly filter: string,
	) {}

	/** @param token that the last call gave */
	async from(token = ''): Promise<INodeListSearchResult> {
		const { source, searchQuery } = this.list;
		if (typeof source === 'function') return { results: this.entriesOf(await source(this.send)) };
		const { isPlain, ...cursor } = mapIn(jsonParse<unknown>(token, { fallbackValue: {} }));
		const from = cursorIn(cursor);
		if (this.filter === '') return shown(await this.read(source, 1, from));
		if (searchQuery && isPlain !== true) {
			const query = { ...source.query, ...searchQuery(this.filter) };
			const found = await this.read({ ...source, query }, PAGES_PER_SEARCH, from);
			if (token !== '' || found.isAny) return shown(found);
		}
		// What a record shows may not be what the service searches.
		return shown(await this.read(source, PAGES_PER_SEARCH, from), { isPlain: true });
	}

	/** The entries of so many pages, or until the dropdown is full. What was found before the time is up is shown. */
	private async read(source: ListSource, most: number, from: Cursor): Promise<Found> {
		const results: INodeListSearchItems[] = [];
		let next: Cursor | undefined;
		let pages = 0;
		let isAny = false;
		try {
			for await (const page of pagesOf(source, this.send, from)) {
				isAny ||= page.records.length > 0;
				results.push(...this.entriesOf(page.records));
				({ next } = page);
				pages += 1;
				if (pages === most || results.length >= FULL) break;
			}
		} catch (error) {
			if (!next || !isOutOfTime(error)) throw toFailure(error);
		}
		return { results, isAny, next };
	}

	private entriesOf(records: IDataObject[]): INodeListSearchItems[] {
		const wanted = lowerCase(this.filter);
		const { label, keywords, value: valueOf = ({ id }) => idIn(id), url: urlOf } = this.list;
		return records.flatMap((record) => {
			const texts = [label(record), record.id, ...(keywords?.(record) ?? [])];
			const value = valueOf(record);
			if (value === undefined || !texts.some((text) => hasText(text, wanted))) return [];
			const url = webAddressIn(urlOf?.(record));
			return [{ name: label(record), value, ...(url !== undefined && { url }) }];
		});
	}
}

const shown = ({ results, next }: Found, more: IDataObject = {}): INodeListSearchResult =>
	next ? { results, paginationToken: JSON.stringify({ ...next, ...more }) } : { results };
