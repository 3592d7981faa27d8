import type { IDataObject } from 'n8n-workflow';

import { type Page, recordKey, SMALLEST_CAP } from '../../shared/lists/pages';

/** A page as a trigger understands it: the service's own numbers may be missing or wrong. */
export interface ListPage {
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

/** What is known about a list from the pages of one poll. */
export interface KnownPages {
	mostRecords: number;
	/** The key of the first record on page 1, if it was read. */
	first?: string | undefined;
}

export const firstKey = ([record]: IDataObject[]): string | undefined =>
	record && recordKey(record);

/**
 * What a page shows. Nothing else here reads the numbers beside the records, because each may be missing or wrong:
 * - `perpage` may repeat the `limit` that was sent, or count the records of a last page. If more records follow a shorter
 *   page, its length is the real size.
 * - A page after the end may show another page, as `currentpage` says. It counts as empty.
 * - `result` may count the records of the page. It is used only if the list can have so many. If it says more than a short
 *   page shows, the next page is read.
 * - Only a page that is not full ends the list, because all numbers may be from a cache.
 */
export function listPage(
	shown: Page,
	{ page, limit }: { page: number; limit: number },
	{ mostRecords, first }: KnownPages = { mostRecords: 0 },
): ListPage {
	const { records: list } = shown;
	const result = shown.result ?? 0;
	const isRepeated =
		first === undefined ? page > (shown.maxPage ?? page) : firstKey(list) === first;
	const isOther = shown.currentPage === undefined ? isRepeated : page > shown.currentPage;
	const isAfterEnd = page > Math.max(1, shown.maxPage ?? 0) && isOther;
	const records = isAfterEnd ? [] : list;
	const count = records.length;
	const number = isAfterEnd ? page : Math.max(1, Math.min(page, shown.currentPage ?? page));

	const isOutdated = shown.result !== undefined && shown.result < list.length;
	const saysLast = !isOutdated && (shown.maxPage ?? Infinity) <= number;
	const most = Math.min(limit || mostRecords, mostRecords);
	const isAtEnd = saysLast || result === (number - 1) * most + count;
	const isOwnCount =
		isAtEnd && Number(shown.perPage) <= count && count < (page > 1 ? most : SMALLEST_CAP);
	const perPage = isOwnCount || shown.perPage === 0 ? undefined : shown.perPage;
	const claimed = Math.max(count, perPage ?? (limit || mostRecords));
	const isTotal = result > list.length || shown.maxPage === 1;
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

	const hasMore = number < (shown.maxPage ?? 0) || (total ?? 0) > end;
	const isEmpty = count === 0 && page > 1;
	const maxPages = isEmpty || number < page ? page - 1 : Infinity;
	const pageCount = Math.min(
		shown.maxPage ?? Infinity,
		maxPages,
		Math.ceil((total ?? Infinity) / size),
	);
	const pages = Number.isFinite(pageCount) ? pageCount : undefined;
	const isShort = count < size && !((total ?? 0) > end && count >= SMALLEST_CAP);
	const isPromised = hasMore && count >= size;
	const isLast = count === 0 || isShort || number === maxPages || (isPromised ? false : undefined);
	return { records, number, size, isCapped, total, pages, isLast };
}
