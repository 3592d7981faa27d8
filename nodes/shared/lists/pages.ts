// Requests a page of a list: the first one with the largest limit that the service accepts. A later page that is refused may be
// past the end; it counts as empty then. Also says what identifies a record.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/connection';
import { type Failure, type FailureKind, isRefusal, toFailure } from '../values/failure';
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
	/** How many records fit on a page: `perpage`. */
	perPage: number | undefined;
	/** The number of this page: `currentpage`. */
	currentPage: number | undefined;
	/** The number of the last page: `maxpage`. */
	maxPage: number | undefined;
}

/**
 * Requests one page of a list. The first page is 1; a `limit` of 0 lets the service decide.
 * @param once not to repeat the request if it fails
 * @throws Failure if the page cannot be read
 */
export type RequestPage = (page: number, limit: number, once?: boolean) => Promise<Page>;

export const pagesOf =
	({ path, listName, query }: ListSource, send: Send): RequestPage =>
	async (page, limit, once = false) => {
		const paging = limit === 0 ? { page } : { limit, page };
		const { body } = await send({ method: 'GET', path, query: { ...query, ...paging }, once });
		return pageIn(body, listName);
	};

export const EMPTY_PAGE: Page = {
	records: [],
	result: undefined,
	perPage: undefined,
	currentPage: undefined,
	maxPage: undefined,
};

/** The page in a list response (link service, `Pagination envelope`). The overlay list may have the envelope at the top. */
export function pageIn(body: IDataObject, listName: string): Page {
	const envelope = isRecord(body.data) ? body.data : body;
	// An empty list may come as an empty array in place of the envelope, or without its array, if the service counts no records.
	if (Array.isArray(body.data) && body.data.length === 0) return EMPTY_PAGE;
	const isEmpty = integerIn(envelope.result) === 0 && !Array.isArray(envelope[listName]);
	if (isEmpty) return { ...EMPTY_PAGE, result: 0 };
	return {
		records: recordsIn(requireList(envelope, listName)),
		result: integerIn(envelope.result),
		perPage: integerIn(envelope.perpage),
		currentPage: integerIn(envelope.currentpage),
		maxPage: integerIn(envelope.maxpage),
	};
}

/** The `limit` that is sent if all records are wanted, and what is tried in turn if it fails; 0 = without `limit`. */
export const LARGEST_PAGE = 100;
const SMALLER_PAGES = [50, 25, 10, 0];

/** No service caps its pages below this, so a page with fewer records is a short one. */
export const SMALLEST_CAP = 10;

/** The largest `limit` for a list that the service has not refused. A run keeps one, so that each limit is refused once. */
export interface AcceptedLimit {
	limit: number;
}

/** The first page of a list, with the largest `limit` that works. Only a refusal lowers `accepted`: an outage teaches nothing. */
export async function requestFirstPage(
	requestPage: RequestPage,
	wanted: number,
	accepted: AcceptedLimit = { limit: wanted },
): Promise<{ page: Page; limit: number }> {
	const largest = Math.min(wanted, accepted.limit);
	const failures: Failure[] = [];
	for (const limit of [largest, ...SMALLER_PAGES.filter((size) => size < largest)]) {
		try {
			const page = await requestPage(1, limit, failures.length > 0);
			const isRefused = failures.every(isRefusal);
			if (failures.length > 0 && isRefused) accepted.limit = limit;
			return { page, limit };
		} catch (error) {
			const failure = toFailure(error);
			failures.push(failure);
			if (!failure.consequences.mayBeLimit) break;
		}
	}
	const [first] = failures;
	const last = failures.at(-1);
	const isOtherFailure = last && last.kind !== 'outOfTime' && !last.consequences.mayBeLimit;
	throw toFailure(isOtherFailure ? last : first);
}

/** What the service's numbers say about a page after the first. */
export interface PageStanding {
	/** Whether it has records, as far as the service counts them. */
	isPromised: boolean;
	/** Whether it is behind the last one. */
	isBehindEnd?: boolean;
}

/** Requests a page that may be behind the end of the list. There, services refuse it, or fail on it: then it is empty. */
export async function requestOrEmpty(
	requestPage: RequestPage,
	page: number,
	limit: number,
	{ isPromised, isBehindEnd = false }: PageStanding,
): Promise<Page> {
	try {
		return await requestPage(page, limit);
	} catch (error) {
		const failure = toFailure(error);
		// A web server's own page of status 404 says the same as the service.
		const isRefused = isRefusal(failure) || failure.httpCode === 404;
		const isEnd = isRefused && page > 1 && !isPromised;
		if (isEnd || (isBehindEnd && FAILED.includes(failure.kind))) return EMPTY_PAGE;
		throw failure;
	}
}

/** How services fail on a page that they do not have. */
const FAILED: readonly FailureKind[] = ['serverError', 'unreadable'];

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
export function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
