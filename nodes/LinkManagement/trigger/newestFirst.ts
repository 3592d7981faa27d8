// Reads new records of a list that begins with the newest one.

import { isOutOfTime } from '../../shared/triggers/runPoll';
import { toFailure } from '../../shared/values/failure';
import { JoinedWalk } from './joinedWalk';
import { highest, isDisordered, isRising, median } from './numbered';
import { readOldestFirst } from './oldestFirst';
import {
	type EndReading,
	FROM_BEGINNING,
	type OpenReading,
	type Shown,
	type ShownPages,
} from './shownPages';

/**
 * Reads from page 1 towards older records, until a page shows enough that are known. If one may be missing, the next poll begins
 * at page 1 again.
 * @returns undefined if the list is not in the order of creation
 */
export async function readNewestFirst(
	pages: ShownPages,
	first: Shown,
): Promise<EndReading | undefined> {
	const newest = highest(first.numbered);
	/** Whether the list begins with the newest record, as the last poll found it, or another page shows it. */
	let isRight = isStillRight(pages, first);
	const walk = new JoinedWalk(pages, first);
	const found = (isSure: boolean, reading?: OpenReading) => {
		const end = isRight ? { newest, count: pages.total, tail: undefined } : undefined;
		return pages.reading({ newest, end, isSure, reading });
	};
	try {
		for (;;) {
			const { last } = walk;
			if (isDisordered(last.numbered, true)) return undefined;
			const isKnown = pages.isGrounded(last);
			if (isKnown && !isRight && last === first) {
				const end = await pages.countedLast(first);
				if (end && median(end.numbered) > median(first.numbered)) {
					return await readOldestFirst(pages, end, first);
				}
				isRight = end !== undefined;
			}
			if (isKnown && (isRight || pages.isCounted(last))) break;
			const next = await walk.next(isKnown);
			if (!next) break;
			const isNewer = median(next.numbered) > median(first.numbered);
			// If it falls, it only shows what was created since page 1 was read.
			if (!isRight && isNewer && isRising(next.numbered)) {
				return await readOldestFirst(pages, next, first);
			}
			isRight ||= !isNewer;
		}
	} catch (error) {
		if (!isOutOfTime(error)) throw toFailure(error);
		return found(false, walk.reading);
	}
	return found(!walk.hasGap, walk.hasGap ? FROM_BEGINNING : undefined);
}

/** Whether the newest records are still on page 1: the list has not grown by more than it shows. */
function isStillRight(pages: ShownPages, first: Shown): boolean {
	const { end } = pages.known;
	if (!end || end.tail || highest(first.numbered) < end.newest) return false;
	const { total = 0 } = pages;
	return total - (end.count ?? total) <= pages.newsOn(first);
}
