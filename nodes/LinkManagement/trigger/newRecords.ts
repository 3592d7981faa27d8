// Finds the records of a list that are newer than a state.

import type { IDataObject } from 'n8n-workflow';

import { isLastPage, type Page, type RequestPage } from '../../shared/lists/pages';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { countIn, idIn, recordsIn, requireIds } from '../../shared/values/json';

/** How far a list has been read. IDs grow, so a record with an ID above `id` that is not in `seen` is new. */
export interface ListState {
	/** Every record up to this ID has been read. */
	id: number;
	/** The IDs above it that have been read, the lowest first. */
	seen: number[];
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
	/** If the last poll did not get to the end of its reading: the page that comes next. */
	page: number | undefined;
	/** The highest ID that was read before that reading. */
	top: number | undefined;
}

export function listStateIn(stored: IDataObject): ListState {
	const { id, seen, isFirst, page, top } = stored;
	return {
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		isFirst: isFirst === true,
		page: idIn(page),
		top: countIn(top),
	};
}

interface News {
	/** The new records, the oldest first. */
	fresh: IDataObject[];
	/** The newest record that was read. */
	newest: IDataObject | undefined;
	/** The state after them. */
	next: ListState;
}

const idsOf = ({ records }: Page): number[] => records.flatMap(({ id }) => idIn(id) ?? []);

const highestOn = (page: Page): number => idsOf(page).reduce((most, id) => Math.max(most, id), 0);

/** The number of the last page, as far as the numbers beside a page tell; 0 if they do not. */
const lastPageBy = ({ records, result = 0, maxPage = 0 }: Page): number =>
	result > records.length ? Math.ceil(result / records.length) : maxPage;

/**
 * Reads a list from the end where new records appear back to records that are known. If at least half of a page is known, nothing
 * new is behind it. A list that is not sorted by creation is read whole.
 * @param complete gets what is to be output of a new record
 * @throws Failure if a page cannot be read; `outOfTime` only if none was
 */
export async function readNew(
	requestPage: RequestPage,
	isSorted: boolean,
	state: ListState,
	complete: (record: IDataObject) => Promise<IDataObject>,
): Promise<News> {
	const { isFirst } = state;
	const seen = new Set(state.seen);
	const listed = new Map<number, IDataObject>();
	const isNew = (id: number): boolean => !isFirst && id > state.id && !seen.has(id);
	const isKnown = (page: Page): boolean => {
		const ids = idsOf(page);
		const known = ids.filter((id) => isFirst || id <= state.id).length;
		return known > 0 && known * 2 >= ids.length;
	};
	/** The page that is read. */
	let at = 1;
	let resume = state.page ?? 0;
	const read = async (number: number): Promise<Page> => {
		at = number;
		const page = await requestPage(number);
		for (const record of requireIds(page.records)) {
			const id = idIn(record.id);
			if (id === undefined || listed.has(id)) continue;
			listed.set(id, isNew(id) ? await complete(record) : record);
		}
		return page;
	};
	/** Reads the page after one, in either direction; where nothing is new, the one at which the last poll stopped. */
	const readNext = async (page: Page, step: 1 | -1): Promise<Page> => {
		const place = resume - step;
		const isLeap = resume > 0 && (place - at) * step > 1 && !idsOf(page).some(isNew);
		if (isLeap) resume = 0;
		return await read(isLeap ? place : at + step);
	};
	/**
	 * From page 1 on. New records push others to pages that are read later, but a deletion may move one to a page before.
	 * @returns whether none can have been missed
	 */
	const readForward = async (first: Page, isWhole: boolean): Promise<boolean> => {
		at = 1;
		let [page, longest, before] = [first, 0, 0];
		for (;;) {
			// The numbers beside the records may be old, so they hide no news.
			const shown = idsOf(page).some(isNew) ? { ...page, result: undefined } : page;
			const isLast = isLastPage(shown, at, [before, listed.size], longest);
			if (isLast || (!isWhole && isKnown(page))) return at === 1;
			longest = Math.max(longest, page.records.length);
			before = listed.size;
			page = await readNext(page, 1);
		}
	};
	/** From the last page back; a deletion moves records to pages that are read later. @returns undefined if it shows older ones */
	const readBackward = async (first: Page, last: number): Promise<boolean | undefined> => {
		/** Behind the end of a list, a service shows nothing, or page 1. */
		const isBehind = (page: Page): boolean =>
			at > 1 && (page.records.length === 0 || idsOf(page)[0] === idsOf(first)[0]);
		let page = await read(last);
		while (isBehind(page)) page = await read(at - 1);
		if (highestOn(page) < highestOn(first)) return undefined;
		// Behind a full page there may be another one.
		const isSure = page.records.length < first.records.length;
		while (at > 1 && !isKnown(page)) page = await readNext(page, -1);
		return isSure;
	};

	/** Undefined if the poll ends before the reading. */
	let isSure: boolean | undefined;
	try {
		const first = await read(1);
		const [begin = 0, end = 0] = [idsOf(first).at(0), idsOf(first).at(-1)];
		const isRising = isSorted && begin < end;
		const last = lastPageBy(first);
		isSure = isRising && last > 1 ? await readBackward(first, last) : undefined;
		isSure ??= await readForward(first, !isSorted || (isRising && last === 0));
	} catch (error) {
		if (!isOutOfTime(error) || listed.size === 0) throw toFailure(error);
	}

	const isComplete = isSure !== undefined;
	const ids = [...listed.keys()].toSorted((a, b) => a - b);
	const fresh = ids.filter(isNew);
	const [newest = 0] = ids.slice(-1);
	// Pages may shift while they are read. So if a record may have been missed, the cursor stays, and the next reading, which finds it,
	// moves the cursor up to what was known before.
	const top = state.top ?? state.seen.at(-1) ?? state.id;
	const sureId = isFirst || isSure === true ? newest : isComplete ? top : 0;
	const id = Math.max(state.id, sureId);
	const known = [...state.seen, ...fresh].toSorted((a, b) => a - b);
	return {
		fresh: recordsIn(fresh.map((each) => listed.get(each))),
		newest: listed.get(newest),
		next: {
			id,
			seen: known.filter((each) => each > id),
			isFirst: isFirst && !isComplete,
			page: isComplete ? undefined : at,
			top: isComplete ? undefined : top,
		},
	};
}
