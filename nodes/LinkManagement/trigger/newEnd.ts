// Reads a list that is in the order of creation from the end where new records appear.

import { isOutOfTime } from '../../shared/triggers/runPoll';
import { toFailure } from '../../shared/values/failure';
import type { ListPage, ListPages } from './listPages';
import type { NewEnd, OpenReading } from './listState';
import { highest, isDisordered, isRising, median } from './numbered';

export interface EndReading {
	/** The highest ID at the new end; 0 if there is none. */
	newest: number;
	/** Undefined if it is not certain. */
	end: NewEnd | undefined;
	/** What the next poll goes on with; undefined if the reading got to records that are known. */
	open: OpenReading | undefined;
	/** Whether no record can be missing. */
	isSure: boolean;
}

/**
 * Reads back from the newest record, until a page shows enough records up to the cursor. The list may change between any two
 * requests. It assumes that a later record has a greater ID and is listed less than a third of a page away from where its ID
 * belongs, and that pages do not change their size while they are read.
 * @returns undefined if the list is not in the order of creation
 * @throws Failure if a page cannot be read
 */
export async function readNewEnd(pages: ListPages): Promise<EndReading | undefined> {
	const { end } = pages.state;
	const shown = end && (await endAsBefore(pages, end));
	if (shown && end.page > 1) return await readOldestFirst(pages, shown);
	if (shown) return await readNewestFirst(pages, shown, true);
	const first = await pages.first();
	const isOnly = pages.seemsLast(first);
	const otherPage = Math.max(2, pages.countedPages(first));
	const other = isOnly ? undefined : await pages.later(otherPage, first.limit);
	// Behind the end of a list, a service may repeat page 1.
	const from = other && median(other.numbered) !== median(first.numbered) ? other : first;
	const isOldestFirst =
		from === first ? isRising(first.numbered) : median(from.numbered) > median(first.numbered);
	if (isDisordered(first.numbered, !isOldestFirst)) return undefined;
	return isOldestFirst
		? await readOldestFirst(pages, from)
		: await readNewestFirst(pages, first, !isOnly);
}

/** The page that showed the newest records, if it still does: the list has not grown at another place. */
async function endAsBefore(pages: ListPages, end: NewEnd): Promise<ListPage | undefined> {
	const { page, newest, size, count } = end;
	pages.size = size;
	const shown = page > 1 ? await pages.later(page, pages.accepted.limit) : await pages.first();
	if (!shown || highest(shown.numbered) < newest) return undefined;
	return pages.countBy(shown) - count > pages.newsOn(shown) ? undefined : shown;
}

/**
 * Reads from page 1 on. A new record moves others to pages that are read later; a deletion moves them to pages that were read
 * before, so each page overlaps with the one before it.
 * @param isCertain whether the list is known to begin with the newest record
 */
async function readNewestFirst(
	pages: ListPages,
	first: ListPage,
	isCertain: boolean,
): Promise<EndReading | undefined> {
	pages.keepOnly(first);
	const open = pages.state.open?.isOldestFirst === false ? pages.state.open : undefined;
	const newest = highest(first.numbered);
	const end = isCertain
		? { page: 1, newest, size: pages.size, count: pages.countBy(first) }
		: undefined;
	const seen = new Set(pages.state.seen);
	let hasGap = open?.hasGap === true;
	/** How many places the last poll read; 0 once they are behind. */
	let leap = open?.place ?? 0;
	let last = first;
	let place = pages.endOf(first);
	try {
		for (;;) {
			if (isDisordered(last.numbered, true)) return undefined;
			if (pages.isGrounded(last) || pages.seemsLast(last)) break;
			const isLeap = leap > place && pages.newsOn(last) === 0;
			const next = await pageAfter(
				pages,
				first,
				isLeap ? leap - Math.floor(pages.size / 4) : place,
			);
			if (!next) break;
			const isJoined = isLeap ? seen.has(next.numbered[0]?.id ?? 0) : next.overlaps;
			hasGap ||= !isJoined;
			if (isLeap) leap = 0;
			last = next;
			place = pages.endOf(next);
		}
	} catch (error) {
		if (!isOutOfTime(error)) throw toFailure(error);
		const { isFixed } = pages;
		return { newest, end, open: { isOldestFirst: false, place, hasGap, isFixed }, isSure: false };
	}
	const isSure = !hasGap && (pages.isGrounded(last) || pages.isEnd(last));
	return { newest, end, open: undefined, isSure };
}

/** The page that begins a little before a place of the list, and of all sizes (`limit`) reaches furthest behind it. */
async function pageAfter(
	pages: ListPages,
	first: ListPage,
	place: number,
): Promise<ListPage | undefined> {
	const { size } = pages;
	const offset = Math.max(0, place - Math.max(1, Math.floor(size / 32)));
	let [limit, reach] = [size, 0];
	for (let each = size; each > size / 2; each -= 1) {
		const end = (Math.floor(offset / each) + 1) * each;
		if (end > reach) [limit, reach] = [each, end];
	}
	if (!pages.isFixed && reach > place) {
		const next = await pages.next(reach / limit, limit);
		// If the service ignores `limit`, which the page may show, it begins elsewhere.
		if (!next || pages.endOf(next) - next.records.length <= place) return next;
	}
	// Pages with this `limit` do not overlap.
	return await pages.next(Math.floor(place / size) + 1, first.limit);
}

/**
 * Reads from the last page back. New records come behind it, and a deletion moves records to pages that are read later.
 * @param from a page from which the last one is searched
 */
async function readOldestFirst(pages: ListPages, from: ListPage): Promise<EndReading | undefined> {
	const last = await lastPage(pages, from);
	if (isDisordered(from.numbered, false)) return undefined;
	const open = pages.state.open?.isOldestFirst === true ? pages.state.open : undefined;
	const newest = highest(last.numbered);
	const found = () => {
		const end = { page: last.number, newest, size: pages.size, count: pages.countBy(last) };
		return { newest, end: last.number > 1 && !isAmid ? end : undefined };
	};
	// If another page shows newer records, or the service counts more, pages have changed their size meanwhile.
	const isAmid = newest < pages.highestMedian || pages.countBy(last) > pages.endOf(last);
	let hasGap = isAmid || open?.hasGap === true;
	/** How many places the last poll did not get to; 0 once they are reached. */
	let unread = open?.place ?? 0;
	let { number } = last;
	let shown: ListPage | undefined = last;
	try {
		for (;;) {
			if (shown && isDisordered(shown.numbered, false)) return undefined;
			// Before the last page all are full.
			hasGap ||= !shown || (shown !== last && pages.isShort(shown));
			if (number === 1 || (shown && pages.isGrounded(shown))) break;
			number -= 1;
			const unreadPage = Math.ceil(unread / pages.size);
			if (unread > 0 && unreadPage < number && shown && pages.newsOn(shown) === 0) {
				number = unreadPage;
				unread = 0;
			}
			shown = await pages.later(number, last.limit);
		}
	} catch (error) {
		if (!isOutOfTime(error)) throw toFailure(error);
		const { isFixed, size } = pages;
		const place = number * size;
		return { ...found(), open: { isOldestFirst: true, place, hasGap, isFixed }, isSure: false };
	}
	return { ...found(), open: undefined, isSure: !hasGap && pages.isShort(last) };
}

/** The last page of a list, searched from another one. The numbers beside the records only say where to look. */
async function lastPage(pages: ListPages, from: ListPage): Promise<ListPage> {
	let last = from;
	let behindEnd = Infinity;
	for (let step = 1; ; step *= 2) {
		const { number, limit } = last;
		if (pages.seemsLast(last) || behindEnd === number + 1) return last;
		const counted = pages.countedPages(last);
		const isBetween = counted > number && counted < behindEnd;
		const middle = Math.floor((number + Math.min(behindEnd, number + 2 * step)) / 2);
		const next = isBetween ? counted : middle;
		const shown = await pages.later(next, limit);
		if (shown && median(shown.numbered) > median(last.numbered)) last = shown;
		else behindEnd = next;
	}
}
