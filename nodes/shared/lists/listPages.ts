// Reads a list page by page and gives each record once. Also says which page is the last one, and what identifies a record.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { type Failure, toFailure } from '../values/failure';
import { countIn, idIn, textIn } from '../values/json';
import { LARGEST_PAGE, type ListSource, type Page, requestPage, SMALLEST_CAP } from './pages';

/** Where to read on. */
export interface Cursor {
	page: number;
	/** How many records were read. */
	count: number;
	/** The `limit` of the pages; 0 if the service decides. */
	pageSize: number;
}

export const LIST_START: Cursor = { page: 1, count: 0, pageSize: LARGEST_PAGE };

export const cursorIn = ({ page, count, pageSize }: IDataObject): Cursor => ({
	page: idIn(page) ?? LIST_START.page,
	count: countIn(count) ?? LIST_START.count,
	pageSize: countIn(pageSize) ?? LIST_START.pageSize,
});

export interface ListPage {
	page: Page;
	/** Those that were on no earlier page: what is added meanwhile pushes others to the next one. */
	records: IDataObject[];
	/** Undefined after the end of the list. */
	next: Cursor | undefined;
}

/** How many pages follow one, as far as the service says. */
export function pagesBehind({ page, next }: ListPage): number {
	if (!next) return 0;
	const count = page.maxPage ?? (page.result ?? Infinity) / Math.max(1, page.records.length);
	return Math.max(1, Math.ceil(count) - next.page + 1);
}

/** The pages of a list, to its last one, or to two without a new record. @param first page 1, if it is known @throws Failure */
export async function* pagesOf(
	source: ListSource,
	send: Send,
	from = LIST_START,
	first?: Page,
): AsyncGenerator<ListPage, void> {
	const seen = new Set<string>();
	let [last, longest] = [NONE, 0];
	let { page: number, count, pageSize } = from;
	let withoutNew = 0;
	let isLast = false;
	const pageOrEnd = (error: unknown): Page => {
		const failure = toFailure(error);
		if (number > 1 && isEndOfList(failure, number, last, longest)) return NONE;
		throw failure;
	};
	while (!isLast) {
		const page =
			number === 1 && first
				? first
				: await requestPage(source, send, number, pageSize).catch(pageOrEnd);
		const records = page.records.filter((record) => isUnseen(recordKey(record), seen));
		const before = count;
		count += records.length;
		withoutNew = records.length > 0 ? 0 : withoutNew + 1;
		isLast = isLastPage(page, { number, before, count, longest }) || withoutNew === 2;
		[last, longest] = [page, Math.max(longest, page.records.length)];
		({ pageSize } = page);
		number += 1;
		yield { page, records, next: isLast ? undefined : { page: number, count, pageSize } };
	}
}

function isUnseen(key: string, seen: Set<string>): boolean {
	const isNew = !seen.has(key);
	seen.add(key);
	return isNew;
}

const NONE: Page = { records: [], pageSize: 0 };

/**
 * Whether a later page failed because the list has no such page: the service refuses it, or fails behind the last one.
 * @param longest the most records on a page
 */
function isEndOfList(failure: Failure, number: number, last: Page, longest: number): boolean {
	const promised = last.maxPage ?? (last.result === undefined ? undefined : last.result / longest);
	const isBehind = promised !== undefined && number - 1 >= promised;
	if (['serverError', 'unreadable'].includes(failure.kind)) return isBehind;
	const isShort = last.records.length < Math.max(SMALLEST_CAP, longest);
	// A web server's own page of status 404 says the same as the service.
	const isRefused = failure.consequences.isRefusal ?? failure.httpCode === 404;
	return isRefused && (isBehind || isShort || promised === undefined);
}

interface PageContext {
	number: number;
	before: number;
	count: number;
	/** The most records on a page before it. */
	longest: number;
	/** Whether the numbers may be from before its records, so that they end nothing. */
	isNewer?: boolean;
}

/**
 * A last page has fewer records than another one, or than any full one, and no number that promises more. The numbers may be wrong,
 * so only both together end a list alone. Behind its end, a service may repeat a page; before it, new records push old ones there.
 */
export function isLastPage(page: Page, context: PageContext): boolean {
	const { records, maxPage = 0, result = Infinity } = page;
	const { number, before, count, isNewer } = context;
	const isRepeated = count === before && maxPage <= number;
	if (records.length === 0 || isRepeated) return true;
	if (maxPage === number && result <= count && isNewer !== true) return true;
	return isShort(page, context) && !isMorePromised(page, context);
}

const isMorePromised = (
	{ maxPage = 0, result = 0 }: Page,
	{ number, count }: PageContext,
): boolean => maxPage > number || result > count;

function isShort({ records, pageSize }: Page, { longest }: PageContext): boolean {
	const smallest = pageSize === 0 ? SMALLEST_CAP : Math.min(pageSize, SMALLEST_CAP);
	return records.length < Math.max(smallest, longest);
}

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
export function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
