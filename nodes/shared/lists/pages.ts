import type { IDataObject } from 'n8n-workflow';

import { requireList } from '../http/response';
import { failureIn } from '../values/failure';
import { idIn, integerIn, isRecord, recordsIn, textIn } from '../values/json';

/** One page of a list, as far as the walk needs it. */
export interface Page {
	records: IDataObject[];
	/** Records a page holds; the service may cap what was asked. */
	perPage: number;
	maxPage: number | undefined;
	nextPage: number | undefined;
}

/** Asks the service for a page; the first is 1. */
export type AskPage = (page: number, perPage: number) => Promise<Page>;

/** Records asked for at once when all are wanted. */
export const LARGEST_PAGE = 100;

/**
 * A page from a list answer (link service, `Pagination envelope`). The envelope is under `data`; the overlay list may
 * have it at the top.
 * @throws Failure if the list is not there
 */
export function readPage(body: IDataObject, listName: string, asked: number): Page {
	const envelope = isRecord(body.data) ? body.data : body;
	return {
		records: recordsIn(requireList(envelope, listName)),
		perPage: integerIn(envelope.perpage) ?? asked,
		maxPage: integerIn(envelope.maxpage),
		nextPage: integerIn(envelope.nextpage),
	};
}

/**
 * The records of a list, page by page, each once: records added or removed meanwhile shift the pages, so a record may
 * come again on the next one. Ends when the caller stops taking, or when the list does; see `hasMore`.
 * @param perPage records to ask for at once; stays the same, because it decides what a page number means
 */
export async function* walkPages(
	ask: AskPage,
	perPage: number,
	firstPage = 1,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<string>();
	let isPromised = true;
	let pagesWithoutNews = 0;
	for (let number = firstPage; ; number += 1) {
		const page = await askOrEnd(ask, number, perPage, !isPromised);
		if (page === undefined) return;
		const fresh = page.records.filter((record) => isNew(record, seen));
		if (fresh.length > 0) yield fresh;
		pagesWithoutNews = fresh.length > 0 ? 0 : pagesWithoutNews + 1;
		isPromised = page.maxPage !== undefined && number < page.maxPage;
		// One page without news may be records shifted by new ones; after a second one the service repeats itself.
		if (!hasMore(page, number) || pagesWithoutNews === (isPromised ? 2 : 1)) return;
	}
}

/** A page that only `nextpage` promised may not be there; then the service's refusal is the end of the list. */
async function askOrEnd(
	ask: AskPage,
	number: number,
	perPage: number,
	mayBeMissing: boolean,
): Promise<Page | undefined> {
	if (!mayBeMissing) return await ask(number, perPage);
	return await ask(number, perPage).catch((error: unknown) => {
		if (failureIn(error)?.kind === 'refused') return undefined;
		throw error;
	});
}

/**
 * Whether a page follows. `maxpage` is believed when it says so; when it does not, a full page whose `nextpage` leads
 * on is: the documents leave open what `nextpage` holds on the last page.
 */
export function hasMore({ records, perPage, maxPage, nextPage }: Page, number: number): boolean {
	if (records.length === 0) return false;
	if (maxPage !== undefined && number < maxPage) return true;
	const isFull = records.length >= perPage;
	if (maxPage === undefined && nextPage === undefined) return isFull;
	return isFull && nextPage !== undefined && nextPage > number;
}

/** A connection holds links, bio pages and QR codes, whose ids are unique within their type only. */
function isNew(record: IDataObject, seen: Set<string>): boolean {
	const id = idIn(record.id);
	if (id === undefined) return true;
	const name = `${textIn(record.type) ?? ''} ${id}`;
	if (seen.has(name)) return false;
	seen.add(name);
	return true;
}
