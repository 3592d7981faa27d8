// Reads new records of a list that begins with the oldest one.

import { isOutOfTime } from '../../shared/triggers/runPoll';
import { toFailure } from '../../shared/values/failure';
import { highest, isDisordered, median } from './numbered';
import { type EndReading, FROM_BEGINNING, isSame, type Shown, type ShownPages } from './shownPages';

/** The page that was the last one in the last poll, if it still shows the newest record. */
export async function readTail(pages: ShownPages): Promise<Shown | undefined> {
	const { newest, count = 0, tail } = pages.known.end ?? {};
	if (!tail) return undefined;
	const { size, isFixed } = tail;
	pages.size = size;
	pages.isFixed = isFixed;
	// A longer page than asked for shows that the service still ignores `limit`.
	const wanted = isFixed ? Math.max(1, (count - 1) % size) : limitFor(count, size);
	const limit = Math.min(wanted, pages.accepted.limit);
	const number = Math.ceil(count / pages.sizeWith(limit));
	const shown = number > 1 ? await pages.later(number, limit) : undefined;
	if (!shown?.numbered.some(({ id }) => id === newest)) return undefined;
	const isLonger = shown.records.length > limit;
	if (limit > 1 && isLonger !== isFixed) return undefined;
	// If the list has grown by more than it shows, the newest record may come first by now.
	const isMore = pages.isShort(shown) && (pages.total ?? 0) > pages.endOf(shown);
	return isMore || pages.endOf(shown) - count > pages.newsOn(shown) ? undefined : shown;
}

/** The `limit` with which the last page of a list shows at least a third of what fits on a page, but is not full. */
function limitFor(count: number, size: number): number {
	const limits = Array.from({ length: Math.ceil(size / 2) }, (_, less) => size - less);
	const best = limits.toSorted((a, b) => (count % b) - (count % a))[0];
	return limits.find((limit) => count % limit > size / 3) ?? best ?? size;
}

/**
 * Reads from the last page towards older records, until a page shows enough that are known. A deletion moves records to pages
 * that are read later, so none is missing.
 * @param from a page from which the last one is searched
 * @param first page 1, if it is not certain that the list begins with the oldest record
 * @returns undefined if the list is not in the order of creation
 */
export async function readOldestFirst(
	pages: ShownPages,
	from: Shown,
	first?: Shown,
): Promise<EndReading | undefined> {
	if (first && isDisordered(first.numbered, false)) return undefined;
	const last = await lastPage(pages, from);
	if (first && median(last.numbered) < median(first.numbered)) return undefined;
	const newest = highest(last.numbered);
	const count = pages.endOf(last);
	const tail = { size: pages.size, isFixed: isFixedAt(pages, last, first) };
	const end = last.number > 1 ? { newest, count, tail } : undefined;
	const size = pages.sizeWith(last.limit);
	const open = pages.known.reading ?? FROM_BEGINNING;
	// With an ID, the last poll read from the other end.
	let unread = open.lastId === 0 ? open.place : 0;
	// If another page shows newer records, the service began to make smaller pages meanwhile.
	let isMissing = newest < pages.highestMedian;
	let { number } = last;
	try {
		for (let shown: Shown | undefined = last; ; shown = await pages.later(number, last.limit)) {
			if (shown && isDisordered(shown.numbered, false)) return undefined;
			// Before the last page all are full, unless the service began to make smaller or larger ones.
			isMissing ||= !shown || (shown !== last && shown.records.length !== size);
			if (number === 1 || (shown && pages.isGrounded(shown))) break;
			number -= 1;
			// What the last poll read is not read again.
			if (unread > 0 && shown && !pages.hasNews(shown)) {
				number = Math.min(number, Math.ceil(unread / size));
				unread = 0;
			}
		}
		const isEnd = pages.isShort(last) || pages.isCounted(last) || (await isLast(pages, last));
		const isSure = isEnd && !isMissing;
		return pages.reading({ newest, end: isMissing ? undefined : end, isSure, reading: undefined });
	} catch (error) {
		if (!isOutOfTime(error)) throw toFailure(error);
		const reading = isMissing ? undefined : { ...FROM_BEGINNING, place: number * size };
		return pages.reading({ newest, end, isSure: false, reading });
	}
}

/** Whether nothing is behind a full page, and nothing was: the page is the same before and after that is seen. */
async function isLast(pages: ShownPages, last: Shown): Promise<boolean> {
	const next = await pages.probe(last.number + 1, last.limit);
	return (!next || isSame(next, last)) && (await pages.isUnchanged(last));
}

/** Whether a `limit` of another size leads past the last page. */
function isFixedAt(pages: ShownPages, last: Shown, first: Shown | undefined): boolean {
	const { end } = pages.known;
	const isSameEnd = end?.newest === highest(last.numbered) && end.count === pages.endOf(last);
	// If the hint is as before, but did not lead here, it was wrong about that.
	return first && isSameEnd && end.tail ? !end.tail.isFixed : pages.isFixed;
}

/** The last page of a list, searched from another one. The numbers beside the records only say where to look. */
async function lastPage(pages: ShownPages, from: Shown): Promise<Shown> {
	let last = from;
	let behindEnd = Infinity;
	for (let step = 1; ; step *= 2) {
		const { number, limit } = last;
		if (pages.isShort(last) || pages.isCounted(last) || behindEnd === number + 1) return last;
		const counted = pages.countedPages(last);
		const isBetween = counted > number && counted < behindEnd;
		const middle = Math.floor((number + Math.min(behindEnd, number + 2 * step)) / 2);
		const next = isBetween ? counted : middle;
		const shown = await pages.probe(next, limit);
		if (shown && !isSame(shown, last)) last = shown;
		else behindEnd = next;
	}
}
