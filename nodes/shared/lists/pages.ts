import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { RateLimiter } from '../http/rateLimiter';
import type { Send } from '../http/request';
import { Failure, failureIn } from '../values/failure';
import { idIn, integerIn, isRecord, recordsIn, requireList, textIn } from '../values/json';

/** One page of a list. */
export interface Page {
	records: IDataObject[];
	/** Records a page holds; the service may cap what was asked. */
	perPage: number;
	maxPage: number | undefined;
	nextPage: number | undefined;
	/** The page that this is, and the records of the whole list, if the service says so. */
	currentPage?: number | undefined;
	total?: number | undefined;
}

/** A list of a service: its path as the API document prints it, and the name of its array. */
export interface ListSource {
	path: string;
	listName: string;
	/** What it is asked for besides the page. */
	query?: IDataObject;
}

/** Requests a page of a list; the first is 1. */
export type RequestPage = (page: number, limit: number) => Promise<Page>;

/** Records asked for at once when all are wanted. */
export const LARGEST_PAGE = 100;

/** What is asked for in turn where the service refuses more; then it is asked for no number of records at all. */
const SMALLER_PAGES = [50, 25, 10];

/** The largest `limit` that a service accepts, by path; 0 = none at all. Kept as long as its rate limiter. */
const acceptedLimits = new WeakMap<RateLimiter, Map<string, number>>();

/**
 * Requests pages of a list. The documents leave open the greatest `limit`: where a service refuses one, smaller ones are
 * tried, and what it accepts is remembered for that list.
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

/** Lets a refusal pass that may be about `limit`, because its status says nothing else. */
function unlessAboutLimit(error: unknown): undefined {
	const { kind, httpCode = 0 } = failureIn(error) ?? {};
	if (kind === 'refused' && httpCode < 500 && httpCode !== 404) return undefined;
	throw error;
}

/**
 * A page from a list response (link service, `Pagination envelope`). The envelope is under `data`; the overlay list may
 * have it at the top.
 * @param limit what was asked for; 0 = nothing
 * @throws Failure if the list is not there
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
 * The records of a list, page by page, each once: records added or removed meanwhile shift the pages, so a record may
 * come again on the next one. Ends when the caller stops taking, or when the list does; see `hasMore`.
 * @param limit records to ask for at once; stays the same, because it decides what a page number means
 * @param first the page to begin with; one that an earlier reading got to may be gone by now
 * @throws Failure if the list does not end although its pages bring nothing new
 */
export async function* walkPages(
	requestPage: RequestPage,
	limit: number,
	first = 1,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<string>();
	let isPromised = first === 1;
	let pagesWithNews = 0;
	let pagesWithoutNews = 0;
	for (let number = first; ; number += 1) {
		const page = await requestOrEnd(requestPage, number, limit, !isPromised);
		if (page === undefined) return;
		const fresh = page.records.filter((record) => !seen.has(recordKey(record)));
		for (const record of fresh) seen.add(recordKey(record));
		if (fresh.length > 0) {
			yield fresh;
			pagesWithNews += 1;
			pagesWithoutNews = 0;
		} else pagesWithoutNews += 1;
		isPromised = number < (page.maxPage ?? 0);
		if (!hasMore(page, number) || (pagesWithoutNews > 0 && !isPromised)) return;
		// One page without news may be records shifted by new ones; after a second one the service repeats itself: behind its
		// last page, or, where only the first page brought any, whatever page it is asked for.
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

/** A page that only `nextpage` promised may not be there; then the service's refusal is the end of the list. */
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
 * Whether a page follows. `maxpage` is believed when it says so; when it does not, a full page whose `nextpage` leads
 * on is: the documents leave open what `nextpage` holds on the last page.
 */
export function hasMore({ records, perPage, maxPage, nextPage }: Page, number: number): boolean {
	if (records.length === 0) return false;
	if (number < (maxPage ?? 0)) return true;
	const isFull = records.length >= perPage;
	if (maxPage === undefined && nextPage === undefined) return isFull;
	return isFull && number < (nextPage ?? 0);
}

/** A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
