import type { ListOrder, PageAddress } from './pollingPage';

/** What is to be on a page. */
export interface Window {
	order: ListOrder;
	/** A place in the list, see `Slice`. */
	place: number;
	/** Places on the older side of it that are to be on the page, too. */
	margin: number;
	/** Places on the newer side of it that are to be on the page; the outermost ones may not count, see `sliceOf`. */
	newer: number;
	/** The most records that a page holds. */
	size: number;
	/** Whether the service gives pages of that size only, whatever it is asked for. */
	isFixed: boolean;
}

/**
 * The page that shows a place and as much as possible of what is newer. Pages of one size lie side by side; by choosing
 * the size, one is found that overlaps with the page before, and the overlap proves that nothing slipped through
 * between the two.
 */
export function pageAround(window: Window): PageAddress {
	const { order, place, margin, newer, size, isFixed } = window;
	const isNewestFirst = order === 'newestFirst';
	// Where pages cannot overlap, asking for an older place would only miss the one that is wanted.
	if (isFixed) return pageShowing(place, size, isNewestFirst);
	const wanted = isNewestFirst ? Math.min(place + newer, 0) : place + newer;
	let best: PageAddress | undefined;
	for (const older of marginsFrom(margin, size)) {
		const page = furthest(window, place - older);
		if (newestPlace(page, isNewestFirst) >= wanted) return page;
		best = further(page, best, isNewestFirst);
	}
	// At some places every page of every size that shows an older one ends.
	return best && newestPlace(best, isNewestFirst) > place ? best : furthest(window, place);
}

/** The margin wanted, then others near it, with which the pages lie differently; none only where none is wanted. */
function* marginsFrom(margin: number, size: number): Generator<number> {
	yield margin;
	if (margin === 0) return;
	for (let distance = 1; distance < size / 2; distance += 1) {
		if (margin - distance > 0) yield margin - distance;
		if (margin + distance <= size / 2) yield margin + distance;
	}
}

/** Of the pages of all sizes that show a place, the one that reaches furthest to newer ones. */
function furthest({ order, size }: Window, oldest: number): PageAddress {
	const isNewestFirst = order === 'newestFirst';
	let best = pageShowing(oldest, size, isNewestFirst);
	for (let limit = size - 1; limit >= size / 2; limit -= 1) {
		best = further(pageShowing(oldest, limit, isNewestFirst), best, isNewestFirst);
	}
	return best;
}

/** The one of two pages that reaches further to newer places; the second, if they reach equally far. */
function further(
	page: PageAddress,
	best: PageAddress | undefined,
	isNewestFirst: boolean,
): PageAddress {
	if (!best) return page;
	return newestPlace(page, isNewestFirst) > newestPlace(best, isNewestFirst) ? page : best;
}

function pageShowing(place: number, limit: number, isNewestFirst: boolean): PageAddress {
	const offset = Math.max(0, isNewestFirst ? -place : place);
	return { limit, page: Math.floor(offset / limit) + 1 };
}

function newestPlace({ limit, page }: PageAddress, isNewestFirst: boolean): number {
	return isNewestFirst ? -(page - 1) * limit : page * limit - 1;
}
