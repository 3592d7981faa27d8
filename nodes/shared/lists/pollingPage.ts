import type { IDataObject } from 'n8n-workflow';

import { idIn, textIn } from '../values/json';
import type { Page } from './pages';
import { hasMore } from './pages';

/** Which way a list runs. The documents leave it open, so it is read from what comes. */
export type ListOrder = 'newestFirst' | 'oldestFirst';

/** Which page of a list to ask for. */
export interface PageAddress {
	/** Records per page; decides what the number means. */
	limit: number;
	/** The first is 1. */
	page: number;
}

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

/**
 * What one page shows of a list. A page is one answer, so it is a stretch of the list without a hole, whatever happens
 * to the list before and after it: that is all that the triggers rely on.
 *
 * Places in a list are numbered so that newer records have the greater number: from 0 up in a list that begins with the
 * oldest record, from 0 down in one that begins with the newest.
 */
export interface Slice {
	order: ListOrder;
	/** The oldest first. */
	records: Numbered[];
	/** Every record whose id is from `from` to `to` is on the page. */
	from: number;
	to: number;
	/** The place of the oldest record. */
	place: number;
	/** Whether the list ends with this page, at its new end. */
	isNewest: boolean;
}

/** A page below this size is too small to leave anything of it out. */
const SMALLEST_TRIMMED_PAGE = 5;

/**
 * Reads a page as a stretch of its list.
 * @param known the order seen before; used where the page itself does not show one
 */
export function sliceOf(page: Page, asked: PageAddress, known: ListOrder | undefined): Slice {
	const listed = page.records.flatMap((record) => {
		const id = idIn(record.id);
		return id === undefined ? [] : [{ id, record }];
	});
	const order = orderOf(listed, known);
	const isFirst = asked.page === 1;
	const isLast = !hasMore(page, asked.page);
	const isNewestFirst = order === 'newestFirst';
	const records = isNewestFirst ? listed.reverse() : listed;
	const isOldest = isNewestFirst ? isLast : isFirst;
	const isNewest = isNewestFirst ? isFirst : isLast;
	const start = offsetOf(page, asked, isLast);
	return {
		order,
		records,
		from: isOldest ? 0 : least(records.slice(doubtful(records, page.perPage, 1))),
		to: greatest(
			isNewest
				? records
				: records.slice(0, records.length - doubtful(records.toReversed(), page.perPage, -1)),
		),
		place: isNewestFirst ? -(start + Math.max(0, records.length - 1)) : start,
		isNewest,
	};
}

/**
 * The records directly above a mark, as far as the page shows that none is missing between them; the oldest first.
 * @param mark the highest id that is done
 */
export function select({ from, to, records }: Slice, mark: number): Numbered[] {
	if (from > mark + 1) return [];
	return sorted(records.filter(({ id }) => id > mark && id <= to));
}

/** By id, which is the order in which records were made. */
export function sorted(records: Numbered[]): Numbered[] {
	return records.toSorted((a, b) => a.id - b.id);
}

/**
 * How many records at one end of a page cannot be relied on: those of one second may stand in any order, so one of them
 * may be on the neighbouring page although its id is between two of this page. Several that stand in the order of
 * their ids show that the service keeps to it. If they fill half of the page, the ids are taken to be in order, too, or
 * nothing would be left of it.
 * @param inward the records from that end on
 * @param way the way their ids run in the list: 1 up, -1 down
 */
function doubtful(inward: Numbered[], perPage: number, way: 1 | -1): number {
	const date = dateOf(inward[0]);
	if (date === undefined || perPage < SMALLEST_TRIMMED_PAGE) return 0;
	const end = inward.findIndex((record) => dateOf(record) !== date);
	const ids = inward.slice(0, end < 0 ? undefined : end).map(({ id }) => id);
	if (ids.length * 2 >= perPage) return 0;
	const isInOrder = ids.every(
		(id, index) => index === 0 || (id - (ids[index - 1] ?? id)) * way > 0,
	);
	return ids.length > 1 && isInOrder ? 0 : ids.length;
}

/** Judged by the dates, where they differ: the ids of records of one second may run the other way. */
function orderOf(listed: Numbered[], known: ListOrder | undefined): ListOrder {
	const first = listed.at(0);
	const last = listed.at(-1);
	const dates = [dateOf(first), dateOf(last)];
	const [firstDate, lastDate] = dates;
	if (firstDate !== undefined && lastDate !== undefined && firstDate !== lastDate) {
		return firstDate > lastDate ? 'newestFirst' : 'oldestFirst';
	}
	const isTelling = known === undefined || firstDate === undefined;
	if (!first || !last || first.id === last.id || !isTelling) return known ?? 'newestFirst';
	return first.id > last.id ? 'newestFirst' : 'oldestFirst';
}

function dateOf(entry: Numbered | undefined): string | undefined {
	return textIn(entry?.record.date);
}

/** Places before the page. Asked for a page behind the last one, some services answer with the last one. */
function offsetOf({ perPage, maxPage }: Page, asked: PageAddress, isLast: boolean): number {
	const page = isLast ? Math.min(asked.page, maxPage ?? asked.page) : asked.page;
	return page <= 1 ? 0 : (page - 1) * perPage;
}

const least = (records: Numbered[]): number =>
	records.reduce((id, next) => Math.min(id, next.id), Infinity);
const greatest = (records: Numbered[]): number =>
	records.reduce((id, next) => Math.max(id, next.id), 0);
