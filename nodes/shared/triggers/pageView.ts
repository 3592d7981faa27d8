import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../lists/pages';
import { idIn } from '../values/json';

/** How a list is laid out in pages. */
export interface Layout {
	newestFirst: boolean;
	/** The most records that the service puts on a page. */
	pageSize: number;
	/** Whether it puts that many on a page whatever `limit` says. */
	isFixed: boolean;
}

/** A page to ask for; the first is 1. Without a limit (0), the service decides how many records it has. */
export interface PageRequest {
	limit: number;
	page: number;
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
export interface PageView {
	records: Numbered[];
	/** The places of the first and the last record. */
	oldest: number;
	newest: number;
	reachesOldEnd: boolean;
	reachesNewEnd: boolean;
	/** The distance of the list's last record from its start, as far as the page tells. */
	extent: number;
	/** Records in the list, as far as the page tells. */
	total: number | undefined;
	request: PageRequest;
}

/**
 * What a page shows, by whatever the service says of where it is: `maxpage` may be missing or too high, and a page behind
 * the last one may show the last one again.
 */
export function viewOf(page: Page, request: PageRequest, layout: Layout): PageView {
	const { maxPage = Infinity, nextPage = Infinity, total = 0 } = page;
	const { newestFirst, pageSize } = layout;
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
	const isBehind = number < request.page || number >= last || whole === end;
	const isLast = isShort || isBehind || isWhole || nextPage <= number;
	const listed = page.records.flatMap((record) => {
		const id = idIn(record.id);
		return id === undefined ? [] : [{ id, record }];
	});
	return {
		records: newestFirst ? listed.reverse() : listed,
		oldest: newestFirst ? -Math.max(offset, end - 1) : offset,
		newest: newestFirst ? -offset : end - 1,
		reachesOldEnd: newestFirst ? isLast : request.page === 1,
		reachesNewEnd: newestFirst ? request.page === 1 : isLast,
		extent: Math.min(isLast ? end - 1 : Infinity, last * perPage - 1, whole - 1),
		total: page.total,
		request,
	};
}

/** A stretch with a page that overlaps with it, or is known to touch its newer end; undefined if it does neither. */
export function join(stretch: PageView, view: PageView, touches = false): PageView | undefined {
	const ids = stretch.records.map(({ id }) => id);
	const places = view.records.map(({ id }) => ids.indexOf(id));
	const first = places.find((place) => place >= 0);
	if (first === undefined && !touches) return undefined;
	const last = places.at(-1) ?? -1;
	const newer = last < 0 ? [] : stretch.records.slice(last + 1);
	const records = [...stretch.records.slice(0, first), ...view.records, ...newer];
	const newest = view.newest + newer.length;
	const reachesNewEnd = stretch.reachesNewEnd || view.reachesNewEnd;
	return { ...view, records, newest, oldest: newest - records.length + 1, reachesNewEnd };
}

/**
 * How many records at an edge of a page prove nothing, because others that belong between them may be on the next page.
 * How far records stand from where their ids belong is seen on the page; twice that, because some were deleted.
 */
export function untrustedEdge(records: Numbered[], { pageSize }: Layout): number {
	const places = new Map(sorted(records).map(({ id }, place) => [id, place]));
	const shifts = records.map(({ id }, place) => Math.abs(place - (places.get(id) ?? place)));
	return Math.min(1 + 2 * Math.max(0, ...shifts), Math.max(1, Math.floor(pageSize / 3)));
}

/** Of the pages of at most that size that show a place, the one that reaches furthest towards the new end. */
export function pageShowing(place: number, layout: Layout, most = layout.pageSize): PageRequest {
	const offset = Math.max(0, layout.newestFirst ? -place : place);
	const pageOf = (limit: number): PageRequest => ({ limit, page: Math.floor(offset / limit) + 1 });
	if (layout.isFixed) return { ...pageOf(layout.pageSize), limit: 0 };
	let best = pageOf(Math.max(1, most));
	for (let limit = most - 1; limit >= layout.pageSize / 2; limit -= 1) {
		if (newestPlace(pageOf(limit), layout) > newestPlace(best, layout)) best = pageOf(limit);
	}
	return best;
}

/** A page that shows a place and goes on behind it, and with it as many places before it as can be, up to a number. */
export function pageOverlapping(
	place: number,
	overlap: number,
	layout: Layout,
): PageRequest | undefined {
	if (layout.newestFirst && place >= 0) return undefined;
	for (let before = Math.floor(overlap); before >= 0; before -= 1) {
		const page = pageShowing(place - before, layout);
		if (newestPlace(page, layout) > place) return page;
	}
	return undefined;
}

/** The newest place that a page shows. */
export function newestPlace({ limit, page }: PageRequest, layout: Layout): number {
	const size = limit || layout.pageSize;
	return layout.newestFirst ? -(page - 1) * size : page * size - 1;
}

/** By id, which is the order in which records were made. */
export function sorted(records: Numbered[]): Numbered[] {
	return records.toSorted((a, b) => a.id - b.id);
}
