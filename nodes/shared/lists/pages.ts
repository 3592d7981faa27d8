// Requests a page of a list: the first one with the largest limit that the service accepts.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { Failure, toFailure } from '../values/failure';
import { integerIn, isRecord, missingMember, recordsIn } from '../values/json';

/** What the array of a list is called; services that follow the document differ in some. */
export interface ListNames {
	listName: string;
	otherListName?: string;
}

export interface ListSource extends ListNames {
	path: string;
	query?: IDataObject;
}

/** One page of a list. The numbers beside its records may be missing, old or wrong. */
export interface Page {
	records: IDataObject[];
	/** How many records the list has. */
	result?: number | undefined;
	maxPage?: number | undefined;
	/** The `limit` that was sent; 0 if the service decides. */
	pageSize: number;
}

/** The `limit` that is sent; if the service refuses it, the first page is asked for without one, if it fails, with a smaller one. */
export const LARGEST_PAGE = 100;
const SMALLER_PAGE = 50;

/** Few services cap their pages below this, so a page with fewer records is probably the last one. */
export const SMALLEST_CAP = 10;

/** The first page is 1. @param pageSize of the pages that were read, or the largest to try @throws Failure if it cannot be read */
export async function requestPage(
	source: ListSource,
	send: Send,
	number: number,
	pageSize = LARGEST_PAGE,
): Promise<Page> {
	const request = async (limit: number, noRetry = false): Promise<Page> => {
		const paging = limit === 0 ? { page: number } : { limit, page: number };
		const query = { ...source.query, ...paging };
		const { body } = await send({ method: 'GET', path: source.path, query, noRetry });
		const page = pageIn(body, source, limit);
		if (number === 1) requireRecords(page);
		return page;
	};
	return await request(pageSize).catch(async (error: unknown) => {
		const failure = toFailure(error);
		const { isRefusal, retryWithSmallerLimit } = failure.consequences;
		// Pages of two sizes would overlap or leave a gap.
		const mayBeLimit = number === 1 && pageSize > 0;
		if (!mayBeLimit || !retryWithSmallerLimit) throw failure;
		const smaller = isRefusal || pageSize <= SMALLER_PAGE ? 0 : SMALLER_PAGE;
		return await request(smaller, true).catch(() => Promise.reject(failure));
	});
}

/** The page in a list response (link service, `Pagination envelope`). The overlay list may have the envelope at the top. */
export function pageIn(
	body: IDataObject,
	{ listName, otherListName }: ListNames,
	pageSize = 0,
): Page {
	const envelope = isRecord(body.data) ? body.data : body;
	const result = integerIn(envelope.result);
	const list = listIn(envelope[listName]) ?? listIn(envelope[otherListName ?? listName]);
	// An empty list may come as an empty array in place of the envelope, or without its array, if the service counts no records.
	const isEnvelopeEmpty = Array.isArray(body.data) && body.data.length === 0;
	const isEmpty = isEnvelopeEmpty || (result === 0 && !list);
	if (!list && !isEmpty) throw missingMember(listName);
	return { records: recordsIn(list), result, maxPage: integerIn(envelope.maxpage), pageSize };
}

/** A list. PHP writes one from which records were taken out as a map whose names are numbers. */
function listIn(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return Array.from<unknown>(value);
	if (!isRecord(value)) return undefined;
	const isNumbered = Object.keys(value).every((name) => /^\d+$/.test(name));
	return isNumbered ? Object.values(value) : undefined;
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
