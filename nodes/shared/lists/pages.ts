import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { RateLimiter } from '../http/rateLimiter';
import type { Send } from '../http/request';
import { Failure, findFailure, toFailure, isRefusal } from '../values/failure';
import { idIn, integerIn, isRecord, recordsIn, requireList, textIn } from '../values/json';

/** A page as `pagesOf` requests it and `readPage` understands it: the service's own numbers may be missing or wrong. */
export interface Page {
	records: IDataObject[];
	number: number;
	/** How many records fit on a page; `isCapped` if that is fewer than the service says. */
	size: number;
	isCapped: boolean;
	total: number | undefined;
	pages: number | undefined;
	/** Whether the list seems to end here; undefined if only the next page can tell. */
	isLast: boolean | undefined;
}

export interface ListSource {
	path: string;
	listName: string;
	query?: IDataObject;
}

/** The first page is 1. A `limit` of 0 lets the service decide. */
export type RequestPage = (page: number, limit: number) => Promise<Page>;

/** The `limit` that is sent if all records are wanted, and what is tried in turn if it fails; 0 = without `limit`. */
export const LARGEST_PAGE = 100;
const SMALLER_PAGES = [50, 25, 10, 0];

/** All values of `limit` share one time budget: half is for the first, the rest for the others. */
const FIRST_SHARE = 0.5;
const SMALLER_SHARE = (1 - FIRST_SHARE) / SMALLER_PAGES.length;

/** No service caps its pages below this, so a shorter page is a list's last one. */
const SMALLEST_CAP = 10;

/** A longer list is an error: a service whose list never ends would fill the memory. */
const MAX_PAGES = 20_000;
const MAX_RECORDS = 1_000_000;

/** What is known about a list from the pages that were read. */
interface PageLimits {
	/** The greatest `limit` that works; 0 = the list works only without one. */
	limit: number;
	mostRecords: number;
	/** The key of the first record on page 1, if it was read. */
	first?: string | undefined;
}

/** By path; freed with the rate limiter of the credential. */
const pageLimits = new WeakMap<RateLimiter, Map<string, PageLimits>>();

/** Requests pages of a list. If the first one fails with its `limit`, smaller ones are tried, and the working one is remembered. */
export function pagesOf(
	{ limiter }: Pick<Connection, 'limiter'>,
	{ path, listName, query }: ListSource,
	send: Send,
): RequestPage {
	const lists = pageLimits.get(limiter) ?? new Map<string, PageLimits>();
	const known = lists.get(path) ?? { limit: Infinity, mostRecords: 0 };
	pageLimits.set(limiter, lists.set(path, known));

	const request = async (page: number, limit: number, timeShare: number): Promise<Page> => {
		const paging = limit === 0 ? { page } : { limit, page };
		const { body } = await send({ method: 'GET', path, query: { ...query, ...paging }, timeShare });
		const read = readPage(body, listName, { page, limit }, known);
		known.mostRecords = Math.max(known.mostRecords, read.records.length);
		if (page === 1) known.first = firstKey(read.records);
		// With the cap as limit, the service's numbers are right.
		if (page === 1 && read.isCapped && read.isLast === false) known.limit = read.size;
		return read;
	};
	return async (page, wanted) => {
		const limit = Math.min(wanted, known.limit);
		const smaller = page === 1 ? SMALLER_PAGES.filter((size) => size < limit) : [];
		const firstShare = smaller.length > 0 ? FIRST_SHARE : 1;
		let failure: unknown;
		for (const size of [limit, ...smaller]) {
			try {
				const found = await request(page, size, size === limit ? firstShare : SMALLER_SHARE);
				if (size < limit) known.limit = size;
				return found;
			} catch (error) {
				const latest = toFailure(error);
				failure ??= latest;
				if (latest.kind === 'outOfTime') break;
				if (!latest.consequences.mayBeLimit) throw latest;
				// With another limit, pages may have another size.
				known.mostRecords = 0;
			}
		}
		throw failure;
	};
}

/**
 * A page from a list response (link service, `Pagination envelope`). The overlay list may have the envelope at the top.
 * Nothing else reads `result`, `perpage`, `currentpage`, `nextpage` and `maxpage`, because each may be missing or wrong:
 * - `perpage` may repeat the `limit` that was sent, or count the records of a last page. If more records follow a shorter
 *   page, its length is the real size.
 * - A page after the end may show another page, as `currentpage` says. It counts as empty.
 * - `result` may count the records of the page. It is used only if the list can have so many. If it says more than a short
 *   page shows, the next page is read.
 * - Only a page that is not full ends the list, because all numbers may be from a cache.
 */
export function readPage(
	body: IDataObject,
	listName: string,
	{ page, limit }: { page: number; limit: number },
	{ mostRecords, first }: Pick<PageLimits, 'mostRecords' | 'first'> = { mostRecords: 0 },
): Page {
	const envelope = isRecord(body.data) ? body.data : body;
	const [stated, said, current, next, maxPage] = [
		...['result', 'perpage', 'currentpage', 'nextpage', 'maxpage'],
	].map((name) => integerIn(envelope[name]));
	const result = stated ?? 0;
	const list = recordsIn(requireList(envelope, listName));
	const isRepeated = first === undefined ? page > (maxPage ?? page) : firstKey(list) === first;
	const isOther = current === undefined ? isRepeated : page > current;
	const isAfterEnd = page > Math.max(1, maxPage ?? 0) && isOther;
	const records = isAfterEnd ? [] : list;
	const count = records.length;
	const number = isAfterEnd ? page : Math.max(1, Math.min(page, current ?? page));

	const isOutdated = stated !== undefined && stated < list.length;
	const saysLast = !isOutdated && (maxPage ?? next ?? Infinity) <= number;
	const most = Math.min(limit || mostRecords, mostRecords);
	const isAtEnd = saysLast || result === (number - 1) * most + count;
	const isOwnCount = isAtEnd && Number(said) <= count && count < (page > 1 ? most : SMALLEST_CAP);
	const perPage = isOwnCount || said === 0 ? undefined : said;
	const claimed = Math.max(count, perPage ?? (limit || mostRecords));
	const isTotal = result > list.length || maxPage === 1;
	const isEndAs = (size: number) => isTotal && result === (number - 1) * size + count;
	const mayBeCapped =
		claimed >= limit && count >= SMALLEST_CAP && mostRecords < claimed && count < claimed;
	const isCapped = mayBeCapped && !saysLast && !isEndAs(claimed);
	const endsHere = saysLast || (count < claimed && !isCapped);
	// The last page shows how many records are on each of the others, also if the service ignores `limit`.
	const isEcho = perPage === undefined || perPage === limit;
	const sizeOfOthers = endsHere && isTotal && isEcho ? (result - count) / (number - 1) : 0;
	const seen = isCapped ? Math.max(count, mostRecords) : claimed;
	const isPossible = Number.isInteger(sizeOfOthers) && (!first || sizeOfOthers <= mostRecords);
	const size = sizeOfOthers > seen && isPossible ? sizeOfOthers : seen;
	const end = (number - 1) * size + count;
	const total = isTotal && (count === 0 || result >= end) ? result : undefined;

	const hasMore = number < (maxPage ?? 0) || (total ?? 0) > end;
	const isEmpty = count === 0 && page > 1;
	const maxPages = isEmpty || number < page ? page - 1 : Infinity;
	const pageCount = Math.min(maxPage ?? Infinity, maxPages, Math.ceil((total ?? Infinity) / size));
	const pages = Number.isFinite(pageCount) ? pageCount : undefined;
	const isShort = count < size && !((total ?? 0) > end && count >= SMALLEST_CAP);
	const isPromised = hasMore && count >= size;
	const isLast = count === 0 || isShort || number === maxPages || (isPromised ? false : undefined);
	return { records, number, size, isCapped, total, pages, isLast };
}

/**
 * The records of a list, page by page, each once, although records that are added meanwhile push others to the next page.
 * @param first the page to begin with; if it is not 1, it may no longer exist
 * @throws Failure if the list ends before all its records came, repeats pages, or has no end
 */
export async function* walkPages(
	requestPage: RequestPage,
	limit: number,
	first = 1,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<string>();
	let isPromised = false;
	/** How many records the earlier pages hold, if all are full. */
	let before = first === 1 ? 0 : Infinity;
	/** How many the service says the list has. */
	let total = 0;
	let pagesWithNews = 0;
	let pagesWithoutNews = 0;
	for (let number = first; ; number += 1) {
		const page: Page = await (isPromised ? requestPage : orEmpty(requestPage))(number, limit);
		total = page.total ?? total;
		if (page.records.length === 0 && total > before) {
			throw unreadable(
				`The list ended after ${before} of ${total} records`,
				'Try again in a minute: the service may be busy, or its count outdated',
			);
		}
		const fresh = page.records.filter((record) => {
			const key = recordKey(record);
			const isNew = !seen.has(key);
			seen.add(key);
			return isNew;
		});
		if (number > MAX_PAGES || seen.size > MAX_RECORDS) {
			throw unreadable(
				`The list has more than ${MAX_PAGES} pages or ${MAX_RECORDS} records`,
				'Set a Limit, or pick records by their ID. If there are not that many, the service repeats them',
			);
		}
		if (fresh.length > 0) {
			yield fresh;
			pagesWithNews += 1;
			pagesWithoutNews = 0;
		} else pagesWithoutNews += 1;
		const isFull = page.records.length >= page.size;
		before = isFull ? number * page.size : Infinity;
		isPromised = page.isLast === false || (isPromised && page.number < number);
		if (!isPromised && (!mayGoOn(page) || pagesWithoutNews > 0)) return;
		// One page with nothing new may come from shifted records. After two, the service repeats itself: past the end of the
		// list, or, if only the first page brought anything, because it ignores the page number.
		if (pagesWithoutNews < 2) continue;
		if (pagesWithNews > 1 || !isFull) return;
		throw unreadable(
			`The list cannot be read to the end: page ${number} repeats the pages before it`,
			'The service seems to ignore the page number. Set a Limit that fits on one page',
		);
	}
}

/** Whether another page may follow: after a short page too, if the service says so. */
export const mayGoOn = ({ records, number, pages = 0, isLast }: Page): boolean =>
	records.length > 0 && (isLast !== true || number < pages);

const unreadable = (message: string, advice: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice });

/** The same pages, but one after the first that the service refuses is empty: it is after the end of the list. */
export function orEmpty(requestPage: RequestPage): RequestPage {
	return async (number, limit) =>
		await requestPage(number, limit).catch((error: unknown) => {
			if (number === 1 || !isRefusal(findFailure(error))) throw error;
			return {
				...{ records: [], number, size: limit, isLast: true },
				...{ isCapped: false, total: undefined, pages: undefined },
			};
		});
}

const firstKey = ([record]: IDataObject[]): string | undefined => record && recordKey(record);

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
export function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
