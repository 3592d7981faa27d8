import type { IDataObject } from 'n8n-workflow';

import { type Place, placeIn } from '../../shared/lists/listWalk';
import {
	type AcceptedLimit,
	LARGEST_PAGE,
	type Page,
	type RequestPage,
} from '../../shared/lists/pages';
import { REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import { countIn, idIn, integerIn, isRecord, mapIn } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';
import { type Cursor, EVERYTHING_READ, ListReader, MAX_SEARCHES, NOTHING_READ } from './listReader';
import { type Numbered, numbered, type Paging, sorted } from './pageView';
import { outOfTime, pageFetcher, readPages } from './pollPages';

/** How far a list has been read, as it is stored. */
export interface ListState extends Cursor {
	/** The largest `limit` that the service has not refused; 0 if it refused every one. */
	limit: number;
	/** When `limit` and `paging` were last learned from scratch, in epoch milliseconds. */
	since: number;
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

const NOTHING_KNOWN: ListState = {
	...NOTHING_READ,
	limit: LARGEST_PAGE,
	since: 0,
	whole: undefined,
};

/** How to read a list. */
interface ListAccess {
	/** @throws Failure `outOfTime` if the poll has no request left */
	requestPage: RequestPage;
	/** Whether the service lists the records in the order of creation, as far as is known. */
	isSorted: boolean;
	/** How many more requests may be sent, if so many new records were found. */
	left: (found: number) => number;
}

interface Found {
	/** The oldest first. */
	records: Numbered[];
	/** The state after them. */
	state: ListState;
}

/** If there are more IDs, the lowest are dropped, and `id` moves up to them. */
const MAX_SEEN_IDS = 1000;

/** A list whose first page is as before is read whole in one of so many polls. */
const POLLS_PER_WHOLE_READING = 10;

/** So many readings without news miss no record, also if the service counts other records than it shows. */
const QUIET_READINGS = 3;

/** While a list is read whole, a page in the order of creation has to show the place at once. */
const SEARCHES_WHILE_WHOLE = 2;

/** The newest record of a list, if it has any. @throws Failure if it was not found */
export async function newestRecord(list: ListAccess, now: number): Promise<Found> {
	const begun = { ...NOTHING_KNOWN, since: now };
	if (list.isSorted) {
		const accepted = { limit: begun.limit };
		const fetchPage = pageFetcher(list.requestPage, accepted);
		const reader = new ListReader(fetchPage, EVERYTHING_READ, list.left);
		const { end, cursor, disordered } = await reader.read(REQUESTS_PER_POLL);
		if (!end && !disordered) throw outOfTime();
		const records = end?.slice(-1) ?? [];
		if (!disordered)
			return { records, state: { ...begun, ...cursor, ...accepted, id: records[0]?.id ?? 0 } };
		begun.paging = cursor.paging;
	}
	const { records, state } = await readWhole(list, begun, { ...FIRST_PAGE, isFirst: true });
	return { records: records.slice(-1), state };
}

/** The records that are newer than a state. */
export async function newRecords(list: ListAccess, state: ListState): Promise<Found> {
	const { whole } = state;
	if (!list.isSorted || whole?.isFirst === true) {
		const found = await readWhole(list, state, whole ?? FIRST_PAGE);
		return whole?.isFirst === true ? { ...found, records: [] } : found;
	}
	const accepted = { limit: state.limit };
	const fetchPage = pageFetcher(list.requestPage, accepted, state.paging?.longest);
	const reader = new ListReader(fetchPage, state, list.left, !whole);
	const reading = await reader.read(whole ? SEARCHES_WHILE_WHOLE : MAX_SEARCHES);
	const { disordered, isLost, isFound, records, cursor } = reading;
	const { paging } = disordered ? cursor : state;
	const next = { ...state, ...accepted, paging };
	if (!disordered && !isLost && (isFound || !whole)) {
		return { records, state: { ...state, ...cursor, ...accepted, whole: undefined } };
	}
	if (disordered && whole && isAsBefore(disordered, state, whole)) {
		return { records: [], state: { ...next, whole: skippedOnce(whole) } };
	}
	const begun = isLost ? { ...next, paging: undefined } : next;
	return await readWhole(list, begun, whole ?? FIRST_PAGE);
}

/** Whether a page shows nothing new, and the service counts as many records as in the last whole reading. */
function isAsBefore(page: Page, { id, seen }: Cursor, whole: WholeReading): boolean {
	const { place, result, skipped } = whole;
	const isDue = skipped === undefined || skipped + 1 >= POLLS_PER_WHOLE_READING;
	const isSame = result !== undefined && page.result === result && result > page.records.length;
	if (isDue || place || !isSame) return false;
	const known = new Set(seen);
	return numbered(page.records).every((record) => record.id <= id || known.has(record.id));
}

const skippedOnce = (whole: WholeReading): WholeReading => ({
	...whole,
	skipped: (whole.skipped ?? 0) + 1,
});

/** Reads on in a list. @throws Failure `outOfTime` if no page could be read */
async function readWhole(list: ListAccess, before: ListState, begun: WholeReading): Promise<Found> {
	const read: Page[] = [];
	const requestPage: RequestPage = async (...request) => {
		const page = await list.requestPage(...request);
		read.push(page);
		return page;
	};
	const isSkipped = (): boolean => {
		const [first] = read;
		return read.length === 1 && first !== undefined && isAsBefore(first, before, begun);
	};
	const accepted: AcceptedLimit = { limit: before.limit };
	const pages = await readPages(requestPage, begun.place, accepted, isSkipped);
	const after = { ...before, ...accepted };
	if (isSkipped()) return { records: [], state: { ...after, whole: skippedOnce(begun) } };
	const seenBefore = new Set(before.seen);
	const records = sorted(numbered(pages.records)).filter(
		({ id }) => id > before.id && !seenBefore.has(id),
	);
	const seen = [...before.seen, ...records.map(({ id }) => id)].toSorted((a, b) => a - b);
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
	// In the ordinary way, the list is read from its newest record on.
	const position = before.paging?.newestFirst === false ? Math.max(0, count - 1) : 0;
	const next = { ...after, id, seen: seen.slice(passed.length), whole };
	return { records, state: pages.next ? next : { ...next, position } };
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
	return { ...state, id, seen, position: state.position - after.length };
}

/** The state of a list as it was stored. @param now in epoch milliseconds */
export function listStateIn(stored: IDataObject | undefined, now: number): ListState {
	const { id, seen, position, positionId, paging, limit, since, whole } = mapIn(stored);
	const age = now - (integerIn(since) ?? -Infinity);
	// What was learned of the paging counts for a day; the clock may have been set back.
	const isRecent = age >= 0 && age < DAY_MS;
	return {
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		position: integerIn(position) ?? 0,
		positionId: countIn(positionId) ?? 0,
		paging: isRecent ? pagingIn(paging) : undefined,
		limit: (isRecent ? countIn(limit) : undefined) ?? LARGEST_PAGE,
		since: isRecent ? now - age : now,
		whole: isRecord(whole) ? wholeIn(whole) : undefined,
	};
}

function pagingIn(stored: unknown): Paging | undefined {
	const { newestFirst, pageSize, longest, isFixed } = mapIn(stored);
	const size = idIn(pageSize);
	if (size === undefined) return undefined;
	return {
		newestFirst: typeof newestFirst === 'boolean' ? newestFirst : undefined,
		pageSize: size,
		longest: countIn(longest) ?? 0,
		isFixed: isFixed === true,
	};
}

const wholeIn = (stored: IDataObject): WholeReading => ({
	place: placeIn(stored.place),
	isFirst: stored.isFirst === true,
	result: countIn(stored.result),
	quiet: integerIn(stored.quiet) ?? 0,
	skipped: countIn(stored.skipped),
});
