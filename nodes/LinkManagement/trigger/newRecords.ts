import type { IDataObject } from 'n8n-workflow';

import { type Place, placeIn } from '../../shared/lists/listWalk';
import {
	type AcceptedLimit,
	LARGEST_PAGE,
	type Page,
	type RequestPage,
} from '../../shared/lists/pages';
import { countIn, idIn, integerIn, isRecord, mapIn } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';
import { readNewEnd } from './newEnd';
import { highest, isDisordered, type Numbered, numbered, sorted } from './numbered';
import { outOfTime, readPages } from './pollPages';
import {
	type Known,
	type NewEnd,
	newTo,
	type OpenReading,
	type Shown,
	ShownPages,
} from './shownPages';

/** How far a list has been read, as it is stored. */
export interface ListState extends Known {
	/** The largest `limit` that the service has not refused; 0 if it refused every one. */
	limit: number;
	/** When `limit` and `end` were last learned from scratch, in epoch milliseconds; undefined: in this poll. */
	since: number | undefined;
	/** If the list is read whole, because it may not be in the order of creation. */
	whole: WholeReading | undefined;
}

/**
 * A reading of a whole list. While pages shift, it can miss a record that a later one shows, so `id` stays below it, and the
 * IDs above are in `seen`. `id` moves up when nothing can be missing.
 */
interface WholeReading {
	/** Where the next poll reads on; undefined: at the beginning. */
	place: Place | undefined;
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
	/** How many records the service said that there are, when the reading began. */
	result: number | undefined;
	/** How many readings in a row showed nothing new; -1 in one that did. */
	quiet: number;
	/** How many polls since the last reading found the first page as before; undefined: the next poll reads the list. */
	skipped: number | undefined;
}

const FIRST_PAGE: WholeReading = {
	place: undefined,
	isFirst: false,
	result: undefined,
	quiet: 0,
	skipped: undefined,
};

export const NOTHING_KNOWN: ListState = {
	id: 0,
	seen: [],
	end: undefined,
	reading: undefined,
	limit: LARGEST_PAGE,
	since: undefined,
	whole: undefined,
};

/** With this, no record is new; a reading shows the newest one. */
const ALL_KNOWN: ListState = { ...NOTHING_KNOWN, id: Number.MAX_SAFE_INTEGER };

/** How to read a list. */
interface ListAccess {
	/** @throws Failure `outOfTime` if the poll has no request left */
	requestPage: RequestPage;
	/** Whether the service lists the records in the order of creation, as far as is known. */
	isSorted: boolean;
}

interface Found {
	/** The oldest first. */
	records: Numbered[];
	/** The state after them. */
	state: ListState;
}

/** If there are more IDs, the lowest are dropped, and `id` moves up to them. */
const MAX_SEEN_IDS = 10_000;

/** A list whose first page is as before is read whole in one of so many polls. */
const POLLS_PER_WHOLE_READING = 10;

/** So many readings without news miss no record, also if the service counts other records than it shows. */
const QUIET_READINGS = 3;

/** The newest record of a list, if it has any. @throws Failure if it was not found */
export async function newestRecord(list: ListAccess): Promise<Found> {
	const begun = NOTHING_KNOWN;
	if (list.isSorted) {
		const accepted = { limit: begun.limit };
		const found = await readNewEnd(new ShownPages(list.requestPage, accepted, ALL_KNOWN));
		if (found) {
			const { listed, end, reading } = found;
			if (reading) throw outOfTime();
			const records = sorted(listed).slice(-1);
			return { records, state: { ...begun, ...accepted, id: highest(records), end } };
		}
	}
	const { records, state } = await readWhole(list, begun, { ...FIRST_PAGE, isFirst: true });
	return { records: records.slice(-1), state };
}

/** The records that are newer than a state. */
export async function newRecords(list: ListAccess, state: ListState): Promise<Found> {
	const { whole } = state;
	if (!list.isSorted || whole?.place || whole?.isFirst === true) {
		const found = await readWhole(list, state, whole ?? FIRST_PAGE);
		return whole?.isFirst === true ? { ...found, records: [] } : found;
	}
	const accepted = { limit: state.limit };
	const pages = new ShownPages(list.requestPage, accepted, state);
	const first = whole && (await pages.first());
	const isOdd = first && isDisordered(first.numbered, true);
	if (isOdd && isAsBefore(first, state, whole)) {
		return { records: [], state: { ...state, whole: skippedOnce(whole) } };
	}
	const found = await readNewEnd(pages, first);
	const next = { ...state, ...accepted, end: undefined, reading: undefined };
	if (!found) return await readWhole(list, next, whole ?? FIRST_PAGE, pages.firstPage);
	const { listed, newest, end, isSure, reading } = found;
	const records = newOnes(listed, state);
	// Once a day the list decides: an ID that was much too high would hide all records that follow.
	const isTrusted = state.since !== undefined || newest === 0;
	const id = isSure ? Math.max(isTrusted ? state.id : 0, newest) : state.id;
	const seen = seenAfter(records, state).filter((each) => each > id);
	return {
		records,
		state: { ...next, id, seen, end, reading, whole: undefined },
	};
}

/** The records that are new, the oldest first. */
const newOnes = (records: Numbered[], known: Known): Numbered[] =>
	sorted(records).filter(newTo(known));

const seenAfter = (records: Numbered[], { seen }: Known): number[] =>
	[...seen, ...records.map(({ id }) => id)].toSorted((a, b) => a - b);

/** Whether a page shows nothing new, and the service counts as many records as in the last whole reading. */
function isAsBefore(page: Page, known: Known, whole: WholeReading): boolean {
	const { place, result, skipped } = whole;
	const isDue = skipped === undefined || skipped + 1 >= POLLS_PER_WHOLE_READING;
	const isSame = result !== undefined && page.result === result && result > page.records.length;
	return !isDue && !place && isSame && newOnes(numbered(page.records), known).length === 0;
}

const skippedOnce = (whole: WholeReading): WholeReading => ({
	...whole,
	skipped: (whole.skipped ?? 0) + 1,
});

/**
 * Reads on in a list.
 * @param first page 1, if this poll has read it
 * @throws Failure `outOfTime` if no page could be read
 */
async function readWhole(
	list: ListAccess,
	before: ListState,
	begun: WholeReading,
	first?: Shown,
): Promise<Found> {
	const read: Page[] = [];
	const requestPage: RequestPage = async (page, limit, once) => {
		const isFirst = page === 1 && limit === first?.limit;
		const shown = isFirst ? first : await list.requestPage(page, limit, once);
		read.push(shown);
		return shown;
	};
	const isSkipped = (): boolean => {
		const [shown] = read;
		return read.length === 1 && shown !== undefined && isAsBefore(shown, before, begun);
	};
	const accepted: AcceptedLimit = { limit: before.limit };
	const pages = await readPages(requestPage, begun.place, accepted, isSkipped);
	const after = { ...before, ...accepted };
	if (isSkipped()) return { records: [], state: { ...after, whole: skippedOnce(begun) } };
	const records = newOnes(numbered(pages.records), before);
	const seen = seenAfter(records, before);
	const { count } = pages;
	const result = begun.place ? begun.result : read[0]?.result;
	const quiet = (records.length > 0 ? -1 : begun.quiet) + (pages.next ? 0 : 1);
	const isEnough = quiet > 0 && (count === result || quiet >= QUIET_READINGS);
	// One page is one response, so it misses nothing.
	const isOnePage = !begun.place && read.length === 1;
	const isSure = !pages.next && (begun.isFirst || isOnePage || isEnough);
	const whole: WholeReading = {
		place: pages.next,
		isFirst: begun.isFirst && pages.next !== undefined,
		result,
		quiet,
		skipped: isSure ? 0 : undefined,
	};
	// Only a list in the order of creation is read from `id` on again.
	const isPassed = begun.isFirst || (isSure && list.isSorted);
	const most = pages.next ? Infinity : MAX_SEEN_IDS;
	const passed = seen.slice(0, isPassed ? seen.length : Math.max(0, seen.length - most));
	const id = passed.at(-1) ?? before.id;
	return { records, state: { ...after, id, seen: seen.slice(passed.length), whole } };
}

/** The state with which some of the records that were found are found again. @param before the state before them */
export function stateWaiting(
	{ records, state }: Found,
	before: ListState,
	waiting: ReadonlySet<number>,
): ListState {
	const first = records.find(({ id }) => waiting.has(id));
	if (!first) return state;
	const id = Math.min(state.id, first.id - 1);
	const read = [...before.seen, ...state.seen, ...records.map((record) => record.id)];
	const after = [...new Set(read)].filter((each) => each > id);
	const seen = after.filter((each) => !waiting.has(each));
	// The next poll must not go on behind the records that wait.
	return { ...state, id, seen, reading: undefined };
}

/** The state of a list as it was stored. @param now in epoch milliseconds */
export function listStateIn(stored: IDataObject | undefined, now: number): ListState {
	const { id, seen, end, reading, limit, since, whole } = mapIn(stored);
	const age = now - (integerIn(since) ?? -Infinity);
	// What was learned of the service counts for a day; the clock may have been set back.
	const isRecent = age >= 0 && age < DAY_MS;
	return {
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		end: isRecent && isRecord(end) ? endIn(end) : undefined,
		reading: isRecord(reading) ? openReadingIn(reading) : undefined,
		limit: (isRecent ? countIn(limit) : undefined) ?? LARGEST_PAGE,
		since: isRecent ? now - age : undefined,
		whole: isRecord(whole) ? wholeIn(whole) : undefined,
	};
}

function endIn({ newest, count, tail }: IDataObject): NewEnd {
	const { size, isFixed } = mapIn(tail);
	const page = idIn(size);
	return {
		newest: countIn(newest) ?? 0,
		count: countIn(count),
		tail: page === undefined ? undefined : { size: page, isFixed: isFixed === true },
	};
}

const openReadingIn = (stored: IDataObject): OpenReading => ({
	place: countIn(stored.place) ?? 0,
	lastId: countIn(stored.lastId) ?? 0,
	hasGap: stored.hasGap === true,
	isFixed: stored.isFixed === true,
});

const wholeIn = (stored: IDataObject): WholeReading => ({
	place: placeIn(stored.place),
	isFirst: stored.isFirst === true,
	result: countIn(stored.result),
	quiet: integerIn(stored.quiet) ?? 0,
	skipped: countIn(stored.skipped),
});
