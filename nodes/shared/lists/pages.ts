import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { RateLimiter } from '../http/rateLimiter';
import type { Send } from '../http/request';
import { Failure, failureIn } from '../values/failure';
import { idIn, integerIn, isRecord, recordsIn, requireList, textIn } from '../values/json';

/** One page of a list. */
export interface Page {
	records: IDataObject[];
	/** How many records fit on a page; the service may lower the `limit` that was sent. */
	perPage: number;
	maxPage: number | undefined;
	nextPage: number | undefined;
	/** The number of this page, and how many records the whole list has, if the service says so. */
	currentPage?: number | undefined;
	total?: number | undefined;
}

/** A list of a service: its path as the API document prints it, and the name of its array. */
export interface ListSource {
	path: string;
	listName: string;
	/** Sent besides page and limit. */
	query?: IDataObject;
}

/** Requests a page of a list; the first is 1. A `limit` of 0 lets the service decide. */
export type RequestPage = (page: number, limit: number) => Promise<Page>;

/** The `limit` that is sent if all records are wanted. */
export const LARGEST_PAGE = 100;

/** What is tried in turn if the service refuses a greater `limit`; after these the request has none. */
const SMALLER_PAGES = [50, 25, 10];

/** The greatest `limit` that a service accepts, by path; 0 = none at all. Freed with its rate limiter. */
const acceptedLimits = new WeakMap<RateLimiter, Map<string, number>>();

/**
 * Requests pages of a list. The documents do not say how great `limit` may be: if the service refuses one on the first page,
 * smaller ones are tried, and the one that it accepts is remembered for that list.
 */
export function pagesOf(
	{ limiter }: Pick<Connection, 'limiter'>,
	{ path, listName, query }: ListSource,
	send: Send,
): RequestPage {
	const accepted = acceptedLimits.get(limiter) ?? new Map<string, number>();
	acceptedLimits.set(limiter, accepted);

	const request = async (page: number, limit: number): Promise<Page> => {
		const paging = limit === 0 ? { page } : { limit, page };
		const { body } = await send({ method: 'GET', path, query: { ...query, ...paging } });
		return readPage(body, listName, limit);
	};
	/** The page with the largest smaller limit that the service accepts; undefined if it accepts none. */
	const requestSmaller = async (page: number, refused: number): Promise<Page | undefined> => {
		for (const limit of [...SMALLER_PAGES, 0].filter((size) => size < refused)) {
			const answer = await request(page, limit).catch(unlessAboutLimit);
			if (!answer) continue;
			accepted.set(path, limit);
			return answer;
		}
		return undefined;
	};
	return async (page, wanted) => {
		const limit = Math.min(wanted, accepted.get(path) ?? wanted);
		return await request(page, limit).catch(async (error: unknown) => {
			unlessAboutLimit(error);
			const answer = page === 1 ? await requestSmaller(page, limit) : undefined;
			if (answer) return answer;
			throw error;
		});
	};
}

/** Rethrows a failure, unless it is a refusal that may be about `limit`, because its status says nothing else. */
function unlessAboutLimit(error: unknown): undefined {
	const { kind, httpCode = 0 } = failureIn(error) ?? {};
	if (kind === 'refused' && httpCode < 500 && httpCode !== 404) return undefined;
	throw error;
}

/**
 * A page from a list response (link service, `Pagination envelope`). The envelope is under `data`; the overlay list may
 * have it at the top.
 * @param limit that was sent; 0 = none
 * @throws Failure if the response has no such list
 */
export function readPage(body: IDataObject, listName: string, limit: number): Page {
	const envelope = isRecord(body.data) ? body.data : body;
	const records = recordsIn(requireList(envelope, listName));
	return {
		records,
		perPage: integerIn(envelope.perpage) ?? (limit === 0 ? records.length : limit),
		maxPage: integerIn(envelope.maxpage),
		nextPage: integerIn(envelope.nextpage),
		currentPage: integerIn(envelope.currentpage),
		total: integerIn(envelope.result),
	};
}

/**
 * The records of a list, page by page, each once: if records are added meanwhile, the pages shift, and a record comes again
 * on the next one. Ends with the list; see `hasMore`.
 * @param limit of every page: with another one, a page number would mean other records
 * @param first the page to begin with; after the first one, it may not exist any more
 * @throws Failure if the service goes on repeating pages
 */
export async function* walkPages(
	requestPage: RequestPage,
	limit: number,
	first = 1,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<string>();
	let isExpected = first === 1;
	let pagesWithNews = 0;
	let pagesWithoutNews = 0;
	for (let number = first; ; number += 1) {
		const page = await requestOrEnd(requestPage, number, limit, !isExpected);
		if (page === undefined) return;
		const fresh = page.records.filter((record) => !seen.has(recordKey(record)));
		for (const record of fresh) seen.add(recordKey(record));
		if (fresh.length > 0) {
			yield fresh;
			pagesWithNews += 1;
			pagesWithoutNews = 0;
		} else pagesWithoutNews += 1;
		isExpected = number < (page.maxPage ?? 0);
		if (!hasMore(page, number) || (pagesWithoutNews > 0 && !isExpected)) return;
		// One page without anything new may come of shifted records. After a second one the service repeats itself: after its
		// last page, which is the end; or it ignores the page number, if only the first page brought anything.
		if (pagesWithoutNews < 2) continue;
		if (pagesWithNews > 1 || page.records.length < page.perPage) return;
		throw new Failure({
			kind: 'unreadable',
			message: `The list cannot be read to its end: page ${number} holds nothing that was not on the pages before`,
			advice:
				'The service seems to ignore the page it is asked for. Set a Limit that one page can hold',
		});
	}
}

/** Only `maxpage` makes sure that a page exists. For any other page, the service's refusal is the end of the list. */
async function requestOrEnd(
	requestPage: RequestPage,
	number: number,
	limit: number,
	mayBeMissing: boolean,
): Promise<Page | undefined> {
	if (!mayBeMissing) return await requestPage(number, limit);
	return await requestPage(number, limit).catch((error: unknown) => {
		if (failureIn(error)?.kind === 'refused') return undefined;
		throw error;
	});
}

/**
 * Whether a page follows. If `maxpage` says so, it does. Otherwise it does after a full page whose `nextpage` is a later one,
 * or that has neither: the documents do not say what `nextpage` holds on the last page.
 */
export function hasMore({ records, perPage, maxPage, nextPage }: Page, number: number): boolean {
	if (records.length === 0) return false;
	if (number < (maxPage ?? 0)) return true;
	const isFull = records.length >= perPage;
	if (maxPage === undefined && nextPage === undefined) return isFull;
	return isFull && number < (nextPage ?? 0);
}

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
