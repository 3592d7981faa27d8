import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import { idIn } from '../../shared/values/json';
import type { ListPage } from './listPage';

/** How a service pages a list, learned from its pages. */
export interface Paging {
	/** Undefined until a page was seen that is nearly full. */
	newestFirst: boolean | undefined;
	/** The most records that the service puts on a page. */
	pageSize: number;
	/** The most records that a page has shown. */
	longest: number;
	/** Whether the service ignores `limit`. */
	isFixed: boolean;
}

/** What is assumed of a service before the first page. */
export const USUAL_PAGING: Paging = {
	newestFirst: undefined,
	pageSize: LARGEST_PAGE,
	longest: 0,
	isFixed: false,
};

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

/**
 * Consecutive records of a list, the oldest first, from one page or from several joined. A newer record has a greater place:
 * 0, 1, 2 … in a list that begins with the oldest record, 0, -1, -2 … in one that begins with the newest.
 */
export interface PageView {
	records: Numbered[];
	/** The place of the last record. */
	newest: number;
	/** The distance from the list's first record to its last; Infinity if unknown. */
	extent: number;
	reachesOldEnd: boolean;
	reachesNewEnd: boolean;
	/** How many records the list has, if the service says so. */
	total: number | undefined;
}

/** A page to request; the first is 1. */
export interface PageRequest {
	limit: number;
	page: number;
	/** The newest place on it, if it is full. */
	newest: number;
}

export function viewOf(page: ListPage, { newestFirst, isFixed }: Paging): PageView {
	const { number, size, pages = Infinity, total } = page;
	const offset = (number - 1) * size;
	const end = offset + page.records.length;
	// A full page ends a list only if the service ignores `limit`: then no other page size can show what follows.
	const isLast = page.isLast === true || (isFixed && total === end);
	const listed = numbered(page.records);
	return {
		records: newestFirst ? listed.toReversed() : listed,
		newest: newestFirst ? -offset : end - 1,
		reachesOldEnd: newestFirst ? isLast : number === 1,
		reachesNewEnd: newestFirst ? number === 1 : isLast,
		extent: Math.min(isLast ? end - 1 : Infinity, pages * size - 1),
		total,
	};
}

/** The records with an id, each once. */
export function numbered(records: IDataObject[]): Numbered[] {
	const byId = new Map<number, Numbered>();
	for (const record of records) {
		const id = idIn(record.id);
		if (id !== undefined) byId.set(id, { id, record });
	}
	return [...byId.values()];
}

/** Two views as one, if they overlap or are known to touch; else undefined. */
export function join(older: PageView, newer: PageView, touches = false): PageView | undefined {
	const known = new Set(older.records.map(({ id }) => id));
	const fresh = newer.records.filter(({ id }) => !known.has(id));
	const isApart = fresh.length === newer.records.length && known.size + fresh.length > 0;
	if (isApart && !touches) return undefined;
	const records = [...older.records, ...fresh];
	const last = records.findIndex(({ id }) => id === newer.records.at(-1)?.id);
	const newest = newer.newest + (last < 0 ? 0 : records.length - 1 - last);
	const reachesNewEnd = older.reachesNewEnd || newer.reachesNewEnd;
	return { ...newer, records, newest, reachesNewEnd };
}

/** How many places, at most, a record of a page is away from where its id belongs. */
export function disorder(ids: number[], newestFirst: boolean): number {
	const inOrder = ids.toSorted((a, b) => (newestFirst ? b - a : a - b));
	const places = new Map(inOrder.map((id, place) => [id, place]));
	return ids.reduce((most, id, at) => Math.max(most, Math.abs(at - (places.get(id) ?? at))), 0);
}

const MIN_TO_JUDGE = 10;

/** Whether a page is not in the order of creation: a record is more than a third of the page away from its place. */
export function isDisordered(ids: number[]): boolean {
	const least = Math.min(disorder(ids, true), disorder(ids, false));
	return ids.length >= MIN_TO_JUDGE && least * 3 > ids.length;
}

/**
 * The page, of any size, that shows a place with up to `before` older records, and reaches furthest towards the new end.
 * No page is smaller than half of what the service allows: too much of it would be edge.
 */
export function pageFrom(
	place: number,
	before: number,
	paging: Paging,
	maxLimit = paging.pageSize,
): PageRequest {
	const { newestFirst, pageSize, isFixed } = paging;
	const minLimit = isFixed ? pageSize : Math.floor(pageSize / 2);
	// Nothing follows the newest record of a list that begins with it.
	for (let back = newestFirst && place >= 0 ? 0 : before; ; back -= 1) {
		const offset = Math.max(0, newestFirst ? back - place : place - back);
		let best = { limit: pageSize, page: 1, newest: -Infinity };
		for (let limit = isFixed ? pageSize : maxLimit; limit >= minLimit; limit -= 1) {
			const page = Math.floor(offset / limit) + 1;
			const newest = newestFirst ? -(page - 1) * limit : page * limit - 1;
			if (newest > best.newest) best = { limit, page, newest };
		}
		if (best.newest > place || back <= 0) return best;
	}
}

export function sorted(records: Numbered[]): Numbered[] {
	return records.toSorted((a, b) => a.id - b.id);
}
