// The way of a poll for new records: page 1 shows how the list is sorted. With the newest first, pages are read from page 1 on;
// with the oldest first, from the last page back; both up to a page that is known. A list in another order is read whole.

import { isLastPage, type Page, SMALLEST_CAP } from '../../shared/lists/pages';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import type { ListReading, Outcome, ReadPage } from './listReading';

/** @param isSorted by creation @throws Failure if a page cannot be read; `outOfTime` only if none was */
export async function readNew(reading: ListReading, isSorted: boolean): Promise<Outcome> {
	try {
		const first = await reading.read(1);
		const last = lastPageBy(first);
		const isOldestFirst = isSorted && (first.ids.at(0) ?? 0) < (first.ids.at(-1) ?? 0);
		const outcome =
			isOldestFirst && last > 1 ? await readBackward(reading, first, last) : undefined;
		if (outcome) return outcome;
		// With the oldest first, nothing but its end shows what is new.
		const isWhole = !isSorted || (isOldestFirst && last === 0);
		return await readForward(reading, first, isWhole);
	} catch (error) {
		if (!isOutOfTime(error) || !reading.hasBegun) throw toFailure(error);
		return 'unfinished';
	}
}

/** From page 1 on. New records push others to pages that are read later, but a deletion may move one to a page before. */
async function readForward(
	reading: ListReading,
	first: ReadPage,
	isWhole: boolean,
): Promise<Outcome> {
	let page = first;
	let before = 0;
	let longest = 0;
	for (;;) {
		// The numbers beside the records may be old, so they end no list that shows news.
		const shown = reading.hasNews(page) ? { ...page, result: undefined } : page;
		const count = reading.records.size;
		const isEnd = isLastPage(shown, { number: page.number, before, count, longest });
		if (isEnd || (!isWhole && reading.isKnown(page))) break;
		before = count;
		longest = Math.max(longest, page.records.length);
		page = await reading.readNext(page, 1);
	}
	return page.number === 1 ? 'sure' : 'unsure';
}

/** From the last page back. @returns undefined if the last page shows older records than the first */
async function readBackward(
	reading: ListReading,
	first: ReadPage,
	last: number,
): Promise<Outcome | undefined> {
	let page = await reading.read(last);
	while (isBehindEnd(page, first)) page = await reading.read(page.number - 1);
	if (Math.max(...page.ids) < Math.max(...first.ids)) return undefined;
	// Behind a full page there may be another one.
	const outcome = page.records.length < first.records.length ? 'sure' : 'unsure';
	while (page.number > 1 && !reading.isKnown(page)) page = await reading.readNext(page, -1);
	return outcome;
}

/** Behind the end of a list, a service shows nothing, or page 1. */
const isBehindEnd = ({ number, ids }: ReadPage, first: ReadPage): boolean =>
	number > 1 && (ids.length === 0 || ids[0] === first.ids[0]);

/** The number of the last page, as far as page 1 tells; 0 if it does not. Either number beside its records may be too high. */
function lastPageBy({ records, result = 0, maxPage = 0 }: Page): number {
	if (records.length < SMALLEST_CAP) return 1;
	const byResult = result > records.length ? Math.ceil(result / records.length) : 0;
	const told = [byResult, maxPage].filter((last) => last > 0);
	return told.length === 0 ? 0 : Math.min(...told);
}
