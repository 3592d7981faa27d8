// Reads new records of a list that begins with the newest one.

import { isOutOfTime } from '../../shared/triggers/runPoll';
import { toFailure } from '../../shared/values/failure';
import { highest, isDisordered, isRising, median } from './numbered';
import { readOldestFirst } from './oldestFirst';
import {
	type EndReading,
	FROM_BEGINNING,
	isSame,
	type OpenReading,
	type Shown,
	type ShownPages,
} from './shownPages';

/**
 * Reads from page 1 towards older records, until a page shows enough that are known.
 *
 * A new record moves others to pages that are read later. A deletion moves them to pages that were read before, so pages
 * overlap: a page shows records of the page before. If the service ignores `limit`, so that they cannot, the number of records
 * must not fall; or the page before is still the same, and page 1, too. Otherwise the next poll reads again from page 1.
 * @returns undefined if the list is not in the order of creation
 */
export async function readNewestFirst(
	pages: ShownPages,
	first: Shown,
): Promise<EndReading | undefined> {
	const { end: before, reading: begun = FROM_BEGINNING } = pages.known;
	const newest = highest(first.numbered);
	/** Whether the list begins with the newest record, as the last poll found it, or the second page shows it. */
	let isRight = before !== undefined && !before.tail && newest >= before.newest;
	let { hasGap, place: leap } = begun;
	let place = pages.endOf(first);
	let last = first;
	const found = (isSure: boolean, reading?: OpenReading) => {
		const end = isRight ? { newest, tail: undefined } : undefined;
		return pages.reading({ newest, end, isSure, reading });
	};
	try {
		for (;;) {
			if (isDisordered(last.numbered, true)) return undefined;
			const isKnown = pages.isGrounded(last);
			if (pages.isShort(last) || (isKnown && (isRight || pages.isCounted(last)))) break;
			// What the last poll read is not read again.
			const isLeap = leap > place && !pages.hasNews(last);
			const from = isLeap ? leap - Math.floor(pages.size / 4) : place;
			if (isLeap) leap = 0;
			const totalBefore = pages.total;
			const next = await readAfter(pages, from);
			if (!next || isSame(next, last)) {
				isRight = true;
				hasGap ||= isLeap || !(isKnown || (await isSteady(pages, first, last)));
				break;
			}
			const isNewer = median(next.numbered) > median(first.numbered);
			// If it falls, it only shows what was created since page 1 was read.
			if (!isRight && isNewer && isRising(next.numbered)) {
				return await readOldestFirst(pages, next, first);
			}
			isRight ||= !isNewer;
			// Only this page may show that the service ignores `limit`, so that it does not begin there.
			if (pages.endOf(next) - next.records.length > from) continue;
			hasGap ||= !(isLeap
				? pages.continues(next)
				: next.overlaps || (await touches(pages, first, last, totalBefore)));
			place = pages.endOf(next);
			last = next;
		}
	} catch (error) {
		if (!isOutOfTime(error)) throw toFailure(error);
		const lowest = Math.min(...last.numbered.map(({ id }) => id));
		return found(false, { place, lowest, hasGap, isFixed: pages.isFixed });
	}
	return found(!hasGap, hasGap ? FROM_BEGINNING : undefined);
}

/** Whether no record is missing before a page that does not overlap with the last one. */
async function touches(
	pages: ShownPages,
	first: Shown,
	last: Shown,
	totalBefore: number | undefined,
): Promise<boolean> {
	if (pages.isFixed && totalBefore !== undefined) return (pages.total ?? 0) >= totalBefore;
	const isTouching = await isSteady(pages, first, last);
	// If the service obeyed `limit`, the pages would overlap.
	pages.isFixed ||= isTouching;
	return isTouching;
}

/** Whether nothing was added, and nothing before the end of a page was deleted. */
const isSteady = async (pages: ShownPages, first: Shown, last: Shown): Promise<boolean> =>
	(await pages.isUnchanged(last)) && (last === first || (await pages.isUnchanged(first)));

/** The page that begins a little before a place of the list, and of all sizes (`limit`) reaches furthest behind it. */
async function readAfter(pages: ShownPages, place: number): Promise<Shown | undefined> {
	const { size, isFixed, accepted } = pages;
	if (isFixed) return await pages.later(Math.floor(place / size) + 1, accepted.limit);
	const offset = Math.max(0, place - Math.max(1, Math.floor(size / 32)));
	let [best, reach] = [size, 0];
	for (let limit = size; limit > size / 2; limit -= 1) {
		const end = (Math.floor(offset / limit) + 1) * limit;
		if (end > reach) [best, reach] = [limit, end];
	}
	return await pages.later(reach / best, best);
}
