import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../shared/lists/pages';
import { idIn } from '../../shared/values/json';

/** How a service pages a list, as far as its pages have shown. */
export interface Paging {
	/** Unknown until a page was seen that is nearly full. */
	newestFirst: boolean | undefined;
	/** The most records that the service puts on a page, and whether it does so whatever `limit` says. */
	pageSize: number;
	isFixed: boolean;
}

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

/**
 * What one page shows of a list, or several that touch: a stretch without a gap, the older end first. Places are counted
 * so that newer is greater: 0, 1, 2 … in a list that begins with the oldest record, 0, -1, -2 … in one that begins with
 * the newest.
 */
export interface Stretch {
	records: Numbered[];
	/** The place of the last record, and how far the list's last one is from its start, if the page tells. */
	newest: number;
	extent: number;
	reachesOldEnd: boolean;
	reachesNewEnd: boolean;
	/** Records in the list, as far as the page tells. */
	total: number | undefined;
}

/** A page to ask for; the first is 1. Without a limit (0), the service decides how many records it has. */
export interface PageRequest {
	limit: number;
	page: number;
	/** The newest place on it, if it is full. */
	newest: number;
}

/**
 * What a page shows, by whatever the service says of where it is: `maxpage` may be missing or too high, and a page behind
 * the last one may show the last one again.
 */
export function stretchOf(
	page: Page,
	request: PageRequest,
	{ newestFirst, pageSize }: Paging,
): Stretch {
	const { maxPage = Infinity, nextPage = Infinity, total = 0 } = page;
	const count = page.records.length;
	const perPage = Math.max(page.perPage, count) || pageSize;
	// A total that is no greater than a page may be meant of the page.
	const whole = total > perPage ? total : Infinity;
	const last = Math.min(maxPage, Math.ceil(whole / perPage));
	const shown = Math.min(request.page, page.currentPage ?? Infinity, last);
	const number = count === 0 ? request.page : shown;
	const offset = (number - 1) * perPage;
	const end = offset + count;
	const isWhole = total === end && (page.maxPage === undefined || page.nextPage === undefined);
	const isShort = count < Math.min(pageSize, request.limit || pageSize);
	const isBehind = number < request.page || number >= last;
	const isLast = isShort || isBehind || isWhole || nextPage <= number;
	const byId = new Map<number, Numbered>();
	for (const record of page.records) {
		const id = idIn(record.id);
		if (id !== undefined) byId.set(id, { id, record });
	}
	const listed = [...byId.values()];
	return {
		records: newestFirst ? listed.toReversed() : listed,
		newest: newestFirst ? -offset : end - 1,
		reachesOldEnd: newestFirst ? isLast : request.page === 1,
		reachesNewEnd: newestFirst ? request.page === 1 : isLast,
		extent: Math.min(isLast ? end - 1 : Infinity, last * perPage - 1),
		total: page.total,
	};
}

/** A stretch with a page that overlaps with it, or is known to touch its newer end; undefined if it does neither. */
export function join(stretch: Stretch, view: Stretch, touches = false): Stretch | undefined {
	const known = new Set(stretch.records.map(({ id }) => id));
	const fresh = view.records.filter(({ id }) => !known.has(id));
	const isApart = fresh.length === view.records.length && known.size + fresh.length > 0;
	if (isApart && !touches) return undefined;
	const records = [...stretch.records, ...fresh];
	const last = records.findIndex(({ id }) => id === view.records.at(-1)?.id);
	const newest = view.newest + (last < 0 ? 0 : records.length - 1 - last);
	const reachesNewEnd = stretch.reachesNewEnd || view.reachesNewEnd;
	return { ...view, records, newest, reachesNewEnd };
}

/**
 * How many records at an edge of a page prove nothing, because others that belong between them may be on the next page.
 * How far records stand from where their ids belong is seen on the page; twice that, because some were deleted.
 * @param known the most that any page showed before
 */
export function untrustedEdge(ids: number[], newestFirst: boolean, known: number): number {
	const sorted = ids.toSorted((a, b) => (newestFirst ? b - a : a - b));
	const places = new Map(sorted.map((id, place) => [id, place]));
	return ids.reduce(
		(most, id, at) => Math.max(most, 1 + 2 * Math.abs(at - (places.get(id) ?? at))),
		known,
	);
}

/**
 * The page that shows a place, goes on behind it, and shows as many places before it as can be, up to a number. Of such
 * pages of all sizes, the one that reaches furthest towards the new end; if none goes on, one that shows the place. None
 * is smaller than half of what the service allows: of a small page, too much is edge.
 */
export function pageFrom(
	place: number,
	before: number,
	paging: Paging,
	most = paging.pageSize,
): PageRequest {
	const { newestFirst, pageSize, isFixed } = paging;
	const least = isFixed ? pageSize : Math.floor(pageSize / 2);
	for (let back = before; ; back -= 1) {
		const offset = Math.max(0, newestFirst ? back - place : place - back);
		let best = { limit: 0, page: 1, newest: -Infinity };
		for (let limit = isFixed ? pageSize : most; limit >= least; limit -= 1) {
			const page = Math.floor(offset / limit) + 1;
			const newest = newestFirst ? -(page - 1) * limit : page * limit - 1;
			if (newest > best.newest) best = { limit: isFixed ? 0 : limit, page, newest };
		}
		if (best.newest > place || back <= 0) return best;
	}
}

/** By id, which is the order in which records were made. */
export function sorted(records: Numbered[]): Numbered[] {
	return records.toSorted((a, b) => a.id - b.id);
}
