// Requests pages of a list: the first one with the largest limit that the service accepts. A later page that is refused may be
// behind the end; it counts as empty then. Also says which page is the last one, and what identifies a record.

import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest, Send } from '../http/connection';
import { Failure, toFailure } from '../values/failure';
import { idIn, integerIn, isRecord, recordsIn, requireList, textIn } from '../values/json';

/** Where a list of the service is: its path, the name of its array, and what else is in the query. */
export interface ListSource {
	path: string;
	listName: string;
	query?: IDataObject;
}

/** One page of a list: its records, and the numbers beside them. Each number may be missing, old or wrong. */
export interface Page {
	records: IDataObject[];
	/** How many records the list has: `result`. */
	result: number | undefined;
	/** The number of the last page: `maxpage`. */
	maxPage: number | undefined;
	/** The `limit` that was sent; 0 if the service decides. */
	limit: number;
}

/** Requests a page; the first one is 1. @throws Failure if it cannot be read */
export type RequestPage = (page: number) => Promise<Page>;

/** The largest `limit` that is sent, and what is tried in turn if it fails; 0 = without `limit`. */
export const LARGEST_PAGE = 100;
const SMALLER_PAGES = [50, 25, 10, 0];

/** No service caps its pages below this, so a page with fewer records is the last one. */
export const SMALLEST_CAP = 10;

/** @param accepted the `limit` to begin with; it becomes the one that works */
export function pagesOf(
	source: ListSource,
	send: Send,
	accepted = { limit: LARGEST_PAGE },
): RequestPage {
	/** The last page that had records. */
	let known: Page | undefined;
	return async (number) => {
		let failure: Failure | undefined;
		const smaller = SMALLER_PAGES.filter((size) => number === 1 && size < accepted.limit);
		for (const limit of [accepted.limit, ...smaller]) {
			try {
				// One that failed for a minute is not tried for another one.
				const page = await requestPage(source, send, {
					number,
					limit,
					noRetry: failure !== undefined,
					remainingPages: known && pagesAfter(number, known),
				});
				if (page.records.length > 0) known = page;
				accepted.limit = limit;
				return page;
			} catch (error) {
				const next = toFailure(error);
				failure ??= next;
				if (!next.consequences.retryWithSmallerLimit) break;
			}
		}
		if (!failure || !isBehindEnd(failure, number, known)) throw toFailure(failure);
		return { records: [], result: undefined, maxPage: undefined, limit: accepted.limit };
	};
}

async function requestPage(
	{ path, listName, query }: ListSource,
	send: Send,
	{
		number,
		limit,
		...how
	}: Pick<ApiRequest, 'noRetry' | 'remainingPages'> & { number: number; limit: number },
): Promise<Page> {
	const paging = limit === 0 ? { page: number } : { limit, page: number };
	const { body } = await send({ method: 'GET', path, query: { ...query, ...paging }, ...how });
	const page = { ...pageIn(body, listName), limit };
	if (number === 1) requireRecords(page);
	return page;
}

/** How many pages follow one, as far as another one says how long the list is. */
function pagesAfter(number: number, { records, result = 0, maxPage }: Page): number {
	const last = maxPage ?? Math.ceil(result / records.length);
	return Math.max(0, last - number);
}

/** Whether a page failed because the list has no such page: the service refuses it, or fails behind the last one. */
function isBehindEnd(failure: Failure, number: number, known: Page | undefined): boolean {
	const { records = [], result = 0, maxPage = Infinity } = known ?? {};
	// A web server's own page of status 404 says the same as the service.
	const isRefused = failure.consequences.isRefusal ?? failure.httpCode === 404;
	const isFailed = ['serverError', 'unreadable'].includes(failure.kind) && number > maxPage;
	return number > 1 && (isFailed || (isRefused && result <= (number - 1) * records.length));
}

/** The page in a list response (link service, `Pagination envelope`). The overlay list may have the envelope at the top. */
export function pageIn(body: IDataObject, listName: string): Omit<Page, 'limit'> {
	const envelope = isRecord(body.data) ? body.data : body;
	const result = integerIn(envelope.result);
	// An empty list may come as an empty array in place of the envelope, or without its array, if the service counts no records.
	const isEnvelopeEmpty = Array.isArray(body.data) && body.data.length === 0;
	const isEmpty = isEnvelopeEmpty || (result === 0 && !Array.isArray(envelope[listName]));
	const records = isEmpty ? [] : recordsIn(requireList(envelope, listName));
	return { records, result, maxPage: integerIn(envelope.maxpage) };
}

/** @throws Failure if the first page is empty, but the list is not: what is not seen would count as new, or be created again */
function requireRecords({ records, result = 0 }: Page): void {
	if (records.length > 0 || result <= 0) return;
	throw new Failure({
		kind: 'unreadable',
		message: `The list is empty, although the service says that it has ${result} records`,
		advice: 'Try again later: the service may be overloaded',
	});
}

interface PageContext {
	number: number;
	/** How many records the pages before it have. */
	before: number;
	/** How many they have with this one. */
	count: number;
	/** The most records on a page before it. */
	longest: number;
}

/**
 * A last page has fewer records than another one, or than any full one. The numbers beside them may be wrong, so only both
 * together end a list. Behind its end, a service may repeat a page; before it, records that were added meanwhile repeat one.
 */
export function isLastPage(
	{ records, limit, maxPage = 0, result }: Page,
	{ number, before, count, longest }: PageContext,
): boolean {
	const smallest = limit > 0 ? Math.min(limit, SMALLEST_CAP) : SMALLEST_CAP;
	const isShort = records.length < Math.max(smallest, longest);
	const isCounted = maxPage === number && result === count;
	const isRepeated = count === before && maxPage <= number;
	return isShort || isCounted || isRepeated;
}

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
export function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
