// How far a list has been read, as a trigger stores it.

import type { IDataObject } from 'n8n-workflow';

import { type Place, placeIn } from '../../shared/lists/listWalk';
import { LARGEST_PAGE } from '../../shared/lists/pages';
import { countIn, idIn, integerIn, isRecord, mapIn } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';
import type { Numbered } from './numbered';

/** The cursor is `id`. What else is stored costs or saves requests, but decides about no record. */
export interface ListState {
	/** Every record up to this ID has been read. */
	id: number;
	/** The IDs above it that were read, the lowest first. */
	seen: number[];
	/** Up to this ID, a second reading found nothing that the first one had missed. */
	checked: number;
	/** The reading that the next poll goes on with, for `checked`; undefined if it is complete. */
	begun: BegunReading | undefined;
	/** Where a reading from the new end goes on; undefined if it is complete. */
	open: OpenReading | undefined;
	/** Undefined if it has to be found. */
	end: NewEnd | undefined;
	/** The largest `limit` that the service has not refused; 0 if it refused every one. */
	limit: number;
	/** When `end` and `limit` were last learned from scratch, in epoch milliseconds; undefined: in this poll. */
	since: number | undefined;
	/** If the list is read whole, because it may not be in the order of creation. */
	whole: WholeReading | undefined;
}

interface BegunReading {
	/** The highest ID that was read before it. */
	top: number;
	/** The lowest ID that is new in it; infinite if there is none. */
	lowest: number;
}

/** The page that shows the newest records: page 1, or the last one of a list that begins with the oldest record. */
export interface NewEnd {
	page: number;
	/** The highest ID there. */
	newest: number;
	/** How many records are on a full page. */
	size: number;
	/** How many records the list has, as far as the page tells. */
	count: number;
}

/** A reading from the new end that the next poll goes on with. */
export interface OpenReading {
	/** Whether the list begins with the oldest record. */
	isOldestFirst: boolean;
	/** How many places of the list were read; of a list that begins with the oldest record, how many were not. */
	place: number;
	/** The ID of the last record that was read, of a list that begins with the newest record; infinite if there is none. */
	lastId: number;
	/** Whether a record may be missing between two pages. */
	hasGap: boolean;
	/** Whether the service ignores `limit`. */
	isFixed: boolean;
}

/** A reading of a whole list. */
export interface WholeReading {
	/** Where the next poll reads on; undefined: at the beginning. */
	place: Place | undefined;
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
	/** How many records the service said that there are, when the reading began. */
	result: number | undefined;
	/** How many polls since the last reading found the first page as before. */
	skipped: number;
}

export const NOTHING_KNOWN: ListState = {
	id: 0,
	seen: [],
	checked: 0,
	begun: undefined,
	open: undefined,
	end: undefined,
	limit: LARGEST_PAGE,
	since: undefined,
	whole: undefined,
};

/** Tells whether a record is new. */
export function newTo({ id: last, seen }: ListState): (record: Numbered) => boolean {
	const seenBefore = new Set(seen);
	return ({ id }) => id > last && !seenBefore.has(id);
}

/** What was learned of the service, as it was stored. It counts for a day. @param now in epoch milliseconds */
export function learnedIn(
	{ limit, since }: IDataObject,
	now: number,
): Pick<ListState, 'limit' | 'since'> {
	const age = now - (integerIn(since) ?? -Infinity);
	// The clock may have been set back.
	const isRecent = age >= 0 && age < DAY_MS;
	if (!isRecent) return { limit: LARGEST_PAGE, since: undefined };
	return { limit: countIn(limit) ?? LARGEST_PAGE, since: now - age };
}

/** The state of a list as it was stored. @param now in epoch milliseconds */
export function listStateIn(stored: IDataObject | undefined, now: number): ListState {
	const { id, seen, checked, begun, open, end, whole } = mapIn(stored);
	const learned = learnedIn(mapIn(stored), now);
	return {
		...learned,
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		checked: countIn(checked) ?? 0,
		begun: isRecord(begun) ? begunReadingIn(begun) : undefined,
		open: isRecord(open) ? openReadingIn(open) : undefined,
		end: learned.since !== undefined && isRecord(end) ? newEndIn(end) : undefined,
		whole: isRecord(whole) ? wholeReadingIn(whole) : undefined,
	};
}

const begunReadingIn = (stored: IDataObject): BegunReading => ({
	top: countIn(stored.top) ?? 0,
	lowest: idIn(stored.lowest) ?? Infinity,
});

const openReadingIn = (stored: IDataObject): OpenReading => ({
	isOldestFirst: stored.isOldestFirst === true,
	place: countIn(stored.place) ?? 0,
	lastId: idIn(stored.lastId) ?? Infinity,
	hasGap: stored.hasGap === true,
	isFixed: stored.isFixed === true,
});

const newEndIn = (stored: IDataObject): NewEnd => ({
	page: idIn(stored.page) ?? 1,
	newest: countIn(stored.newest) ?? 0,
	size: countIn(stored.size) ?? 0,
	count: countIn(stored.count) ?? 0,
});

const wholeReadingIn = (stored: IDataObject): WholeReading => ({
	place: placeIn(stored.place),
	isFirst: stored.isFirst === true,
	result: countIn(stored.result),
	skipped: countIn(stored.skipped) ?? 0,
});
