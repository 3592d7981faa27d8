import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../shared/lists/pages';
import { idIn } from '../../shared/values/json';

/** How a service pages a list, learned from its pages. */
export interface Paging {
	/** Undefined until a page was seen that is nearly full. */
	newestFirst: boolean | undefined;
	/** The most records that the service puts on a page, and whether it ignores `limit`. */
	pageSize: number;
	isFixed: boolean;
}

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

/**
 * A part of a list without a gap, the older end first: what one page shows, or several that overlap or touch. Places are
 * numbered so that a newer record has a greater one: 0, 1, 2 … in a list that begins with the oldest record, 0, -1, -2 … in
 * one that begins with the newest.
 */
export interface Stretch {
	records: Numbered[];
	/** The place of the last record, and the distance from the list's first record to its last; Infinity if unknown. */
	newest: number;
	extent: number;
	reachesOldEnd: boolean;
	reachesNewEnd: boolean;
	/** How many records the list has, if the page says so. */
	total: number | undefined;
}

/** A page to request; the first is 1. A limit of 0 lets the service decide. */
export interface PageRequest {
	limit: number;
	page: number;
	/** The newest place on it, if it is full. */
	newest: number;
}

/**
 * The stretch that a page shows. All that the service says decides where it is: `maxpage` may be missing or too high, and a
 * page after the last one may show the last one again.
 */
export function stretchOf(
	page: Page,
	request: PageRequest,
	{ newestFirst, pageSize }: Paging,
): Stretch {
	const { maxPage = Infinity, nextPage = Infinity, total = 0 } = page;
	const count = page.records.length;
	const perPage = Math.max(page.perPage, count) || pageSize;
	// A total that is no greater than a page may count the records of the page only.
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

/** The stretch together with a page that overlaps it, or that is known to touch its newer end; undefined if it does neither. */
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
 * How many records at the edge of a page must not be trusted, because records with ids between theirs may be on the next
 * page. It is twice as many places as any record of the page is away from where its id belongs, and one more; twice, because
 * records may have been deleted.
 * @param known the result for earlier pages; it never gets smaller
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
 * The page that shows a place and newer ones after it, with as many older ones before it as possible, at most `before`. Of
 * such pages of all sizes, it is the one that reaches furthest towards the new end; if none reaches further than the place,
 * it is one that shows the place. No page is smaller than half of what the service allows: too much of it would be edge.
 */
export function pageFrom(
	place: number,
	before: number,
	paging: Paging,
	most = paging.pageSize,
): PageRequest {
	const { newestFirst, pageSize, isFixed } = paging;
	const least = isFixed ? pageSize : Math.floor(pageSize / 2);
	// Nothing follows the newest record of a list that begins with it.
	for (let back = newestFirst && place >= 0 ? 0 : before; ; back -= 1) {
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
