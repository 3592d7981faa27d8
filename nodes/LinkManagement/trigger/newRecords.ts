import type { IDataObject } from 'n8n-workflow';

import { REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import {
	type Cursor,
	cursorIn,
	EVERYTHING_READ,
	type FetchPage,
	ListReader,
	MAX_SEARCHES,
	NOTHING_READ,
} from './listReader';
import { type Numbered, numbered, sorted } from './pageView';
import { BEGINNING, outOfTime, type Progress, readPages } from './pollPages';

/**
 * What is known of a list that is read whole in each poll, because it may not be in the order of creation. While pages
 * shift, a reading can miss a record that a later one shows, so the mark stays below it, and the ids above it are kept.
 */
interface WholeState extends Progress {
	/** Records up to this id are not new. */
	id: number;
	/** The ids above it that are not new. */
	seen: number[];
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
}

/** How far a list has been read, as it is stored. */
export type ListState = Cursor | WholeState;

/** How to read a list. */
interface ListAccess {
	fetchPage: FetchPage;
	/** Whether the service lists the records in the order of creation, as far as is known. */
	isSorted: boolean;
	/** How many more requests may be sent, if so many new records were found. */
	left: (found: number) => number;
}

/** If there are more ids, the lowest are dropped, and the mark moves up to them. */
const MAX_SEEN_IDS = 1000;

const NOTHING_SEEN: WholeState = { ...BEGINNING, id: 0, seen: [], isFirst: false };

interface Found {
	/** The oldest first. */
	records: Numbered[];
	/** The state after them. */
	state: ListState;
}

/** The newest record of a list, if it has any. @throws Failure if it was not found */
export async function newestRecord(list: ListAccess): Promise<Found> {
	if (list.isSorted) {
		const reader = new ListReader(list.fetchPage, EVERYTHING_READ, list.left);
		const { end, cursor, isUnsorted } = await reader.read(REQUESTS_PER_POLL);
		if (!end && !isUnsorted) throw outOfTime();
		const records = end?.slice(-1) ?? [];
		if (!isUnsorted) return { records, state: { ...cursor, id: records[0]?.id ?? 0 } };
	}
	const { records, state } = await readWhole(list, { ...NOTHING_SEEN, isFirst: true });
	return { records: records.slice(-1), state };
}

/** The records that are newer than a state. @param stored undefined: all are newer */
export async function newRecords(
	list: ListAccess,
	stored: IDataObject | undefined,
): Promise<Found> {
	const whole = wholeStateIn(stored);
	if (whole) {
		const { records, state } = await readWhole(list, whole);
		return { records: whole.isFirst ? [] : records, state };
	}
	const cursor = cursorIn(stored) ?? NOTHING_READ;
	if (!list.isSorted) return await readWhole(list, NOTHING_SEEN);
	const requests = list.left(0);
	const reading = await new ListReader(list.fetchPage, cursor, list.left).read();
	const unsorted = { ...NOTHING_SEEN, id: cursor.id };
	if (reading.isUnsorted) return await readWhole(list, unsorted);
	const { records, end, cursor: state } = reading;
	const isAsBefore = !end && state.id === cursor.id && state.position === cursor.position;
	// From the same place, the next poll would search in vain, too.
	const isLost = isAsBefore && requests - list.left(0) >= MAX_SEARCHES;
	return { records, state: isLost ? unsorted : state };
}

/** The state with which these records, the last ones of a poll, are found again. */
export function stateBefore(waiting: Numbered[], state: ListState): ListState {
	const [first] = waiting;
	if (!first) return state;
	const id = Math.min(state.id, first.id - 1);
	if (!('seen' in state)) return { ...state, id, position: state.position - waiting.length };
	const again = new Set(waiting.map((record) => record.id));
	return { ...state, id, seen: state.seen.filter((each) => !again.has(each)) };
}

const wholeStateIn = (stored: IDataObject = {}): WholeState | undefined =>
	Array.isArray(stored.seen) ? { ...NOTHING_SEEN, ...stored } : undefined;

/** Reads on in a list. @throws Failure if there was no request left */
async function readWhole({ fetchPage, left }: ListAccess, before: WholeState): Promise<Found> {
	const pages = await readPages(fetchPage, before, () => left(0) > 0);
	if (pages.count === 0) throw outOfTime();
	const seenBefore = new Set(before.seen);
	const records = sorted(numbered(pages.records)).filter(
		({ id }) => id > before.id && !seenBefore.has(id),
	);
	const all = [...before.seen, ...records.map(({ id }) => id)].toSorted((a, b) => a - b);
	// The mark may pass a record only when the list has been read to its end.
	const max = pages.next ? all.length : MAX_SEEN_IDS;
	const seen = before.isFirst ? [] : all.slice(-max);
	const id = all.at(-seen.length - 1) ?? before.id;
	const isFirst = before.isFirst && pages.next !== undefined;
	return { records, state: { ...(pages.next ?? BEGINNING), id, seen, isFirst } };
}
