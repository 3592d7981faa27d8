// Reads a list that is in the order of creation from the end where new records appear.

import type { ListPage, ListPages } from './listPages';
import type { NewEnd, OpenReading } from './listState';
import { highest, isDisordered, isRising, median } from './numbered';
import { inTime } from './pollPages';

export interface EndReading {
	/** The highest ID at the new end; 0 if there is none. */
	newest: number;
	/** Undefined if it is not certain. */
	end: NewEnd | undefined;
	/** What the next poll goes on with; undefined if the reading got to records that are known. */
	open: OpenReading | undefined;
	/** Every record up to this ID has been read; undefined if one may be missing. */
	sureId: number | undefined;
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
	// Pages had more records than were asked for.
	pages.isFixed = size > pages.accepted.limit;
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
	pages.add(first);
	const open = openWith(pages, false);
	let { hasGap } = open;
	/** How many places the last poll read; 0 once they are behind. */
	let leap = open.place;
	let last = first;
	let place = pages.endOf(first);
	let repeats = 0;
	const isComplete = await inTime(async () => {
		while (!isDisordered(last.numbered, true)) {
			if (pages.isGrounded(last) || pages.seemsLast(last)) return;
			// Before the last page all are full.
			hasGap ||= pages.isShort(last);
			const isLeap = leap > place && pages.newsOn(last) === 0;
			const from = isLeap ? leap - Math.floor(pages.size / 4) : place;
			const next = await pageAfter(pages, first, from);
			if (isLeap) leap = 0;
			// The list may have become shorter than what was read of it.
			if (isLeap && !next) continue;
			if (!next) return;
			// Behind the end of a list, a service may repeat a page. Many new records can look like that, but not twice.
			repeats = pages.add(next) ? 0 : repeats + 1;
			if (repeats === 2) return;
			// Only what this reading has read: an earlier one may have left records between this place and its own.
			const isJoined = isLeap ? (next.numbered[0]?.id ?? 0) >= open.lastId : next.overlaps;
			hasGap ||= !isJoined || repeats > 0;
			last = next;
			place = pages.endOf(next);
		}
	});
	if (isDisordered(last.numbered, true)) return undefined;
	const lastId = last.numbered.at(-1)?.id ?? Infinity;
	const isSure = !hasGap && (pages.isGrounded(last) || pages.isEnd(last));
	return {
		...endAt(pages, first, isCertain),
		open: isComplete ? undefined : { ...open, place, lastId, hasGap, isFixed: pages.isFixed },
		sureId: isComplete && isSure ? highest(first.numbered) : undefined,
	};
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
		const next = await pages.later(reach / limit, limit);
		// If the service ignores `limit`, which the page may show, it begins elsewhere.
		if (!next || pages.endOf(next) - next.records.length <= place) return next;
	}
	// Pages with this `limit` do not overlap.
	return await pages.later(Math.floor(place / pages.size) + 1, first.limit);
}

/**
 * Reads from the last page back. New records come behind it, and a deletion moves records to pages that are read later.
 * @param from a page from which the last one is searched
 */
async function readOldestFirst(pages: ListPages, from: ListPage): Promise<EndReading | undefined> {
	const last = await lastPage(pages, from);
	if (!last) return undefined;
	const open = openWith(pages, true);
	// If another page shows newer records, or the service counts more, pages have changed their size meanwhile.
	const isAmid =
		highest(last.numbered) < pages.highestMedian || pages.countBy(last) > pages.endOf(last);
	let hasGap = isAmid || open.hasGap;
	/** How many places the last poll did not get to; 0 once they are reached. */
	let unread = open.place;
	let { number } = last;
	let isOdd = isDisordered(from.numbered, false);
	/** Whether a page repeats others, so the last one may be behind the end. */
	let isRepeated = false;
	const isComplete = await inTime(async () => {
		for (let shown: ListPage | undefined = last; ;) {
			if (shown && !pages.add(shown)) isRepeated = true;
			isOdd ||= shown !== undefined && isDisordered(shown.numbered, false);
			// Before the last page all are full.
			hasGap ||= !shown || (shown !== last && pages.isShort(shown));
			if (isOdd || number === 1 || (shown && pages.isGrounded(shown))) return;
			number -= 1;
			const unreadPage = Math.ceil(unread / pages.size);
			if (unread > 0 && unreadPage < number && shown && pages.newsOn(shown) === 0) {
				number = unreadPage;
				unread = 0;
			}
			shown = await pages.later(number, last.limit);
		}
	});
	if (isOdd) return undefined;
	const { isFixed, size } = pages;
	return {
		...endAt(pages, last, last.number > 1 && !isAmid && !isRepeated),
		open: isComplete ? undefined : { ...open, place: number * size, hasGap, isFixed },
		sureId: isComplete && !hasGap ? pages.idBefore(last) : undefined,
	};
}

/** What a reading in this direction goes on with. */
function openWith({ state: { open } }: ListPages, isOldestFirst: boolean): OpenReading {
	const isSame = open?.isOldestFirst === isOldestFirst;
	return isSame
		? open
		: { isOldestFirst, place: 0, lastId: Infinity, hasGap: false, isFixed: false };
}

/** What is stored of the page that shows the newest records. */
function endAt(
	pages: ListPages,
	page: ListPage,
	isCertain: boolean,
): Pick<EndReading, 'newest' | 'end'> {
	const newest = highest(page.numbered);
	const end = { page: page.number, newest, size: pages.size, count: pages.countBy(page) };
	return { newest, end: isCertain ? end : undefined };
}

/**
 * The last page of a list, searched from another one. The numbers beside the records only say where to look.
 * @returns undefined if the list does not begin with the oldest record
 */
async function lastPage(pages: ListPages, from: ListPage): Promise<ListPage | undefined> {
	let last = from;
	let behindEnd = Infinity;
	for (let step = 1; ; step *= 2) {
		const { number, limit } = last;
		// Many records of one second can rise at the beginning of a list with the newest second first.
		if (pages.hasOlderPage) return undefined;
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
