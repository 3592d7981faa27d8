import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE, mayGoOn } from '../../shared/lists/pages';
import { REQUESTS_PER_POLL } from '../../shared/triggers/poll';
import { Failure } from '../../shared/values/failure';
import { integerIn, mapIn } from '../../shared/values/json';
import type { AskPage, Cursor } from './listReader';
import { cursorIn, EVERYTHING_READ, ListReader, NOTHING_READ } from './listReader';
import type { Numbered } from './pageView';
import { isDisordered, numbered, sorted } from './pageView';
import { outOfTime } from './pollPages';

/**
 * What is known of a list that is read whole, because it may not be in the order of creation. While pages shift, a reading
 * can miss a record that a later one shows, so the mark stays below it, and the ids above the mark are kept.
 */
interface WholeState {
	/** Records up to this id are not new. */
	id: number;
	/** The ids above it that are not new. */
	given: number[];
}

/** How far a list has been read, as it is stored. */
export type ListState = Cursor | WholeState;

/** How to read a list. */
export interface ListAccess {
	ask: AskPage;
	/** Whether the service lists the records in the order of creation, as far as is known. */
	isSorted: boolean;
	/** How many more requests may be sent, if so many new records were found. */
	left: (found: number) => number;
}

/** A longer list is not read whole: half of a poll's requests. */
const MOST_PAGES = 10;

/** Of more ids the lowest are dropped, and the mark moves up to them. */
const MOST_GIVEN = 1000;

/**
 * The newest record of a list, and the state with which none of its records is new.
 * @throws Failure if it was not found
 */
export async function newestRecord(
	list: ListAccess,
): Promise<{ newest: Numbered | undefined; state: ListState }> {
	const whole = list.isSorted ? undefined : await readWhole(list);
	if (!whole) {
		const reader = new ListReader(list.ask, EVERYTHING_READ, list.left);
		const { end, cursor, isUnsorted } = await reader.read(REQUESTS_PER_POLL);
		if (isUnsorted && !list.isSorted) throw unsorted();
		if (isUnsorted) return await newestRecord({ ...list, isSorted: false });
		if (!end) throw outOfTime();
		const newest = end.at(-1);
		return { newest, state: { ...cursor, id: newest?.id ?? 0 } };
	}
	if (!whole.isComplete) throw outOfTime();
	const newest = whole.records.at(-1);
	return { newest, state: { id: newest?.id ?? 0, given: [] } };
}

/**
 * The records that are newer than a state, the oldest first, and the state after them.
 * @param stored undefined: all are newer
 * @throws Failure if the list is neither sorted nor short
 */
export async function newRecords(
	list: ListAccess,
	stored: IDataObject | undefined,
): Promise<{ records: Numbered[]; state: ListState }> {
	const state = stateIn(stored);
	const before = 'given' in state ? state : { id: state.id, given: [] };
	const isWhole = !list.isSorted || 'given' in state;
	const whole = isWhole ? await readWhole(list) : undefined;
	if (whole) return newIn(whole, before);
	const cursor =
		'given' in state ? { ...NOTHING_READ, id: Math.max(state.id, ...state.given) } : state;
	const reading = await new ListReader(list.ask, cursor, list.left).read();
	if (!reading.isUnsorted) return { records: reading.records, state: reading.cursor };
	const short = isWhole ? undefined : await readWhole(list);
	if (!short) throw unsorted();
	return newIn(short, before);
}

/** The state moved back to before a record, so the next poll finds it and the later ones again. */
export function stateBefore({ id }: Numbered, waiting: number, state: ListState): ListState {
	const mark = Math.min(state.id, id - 1);
	return 'given' in state
		? { id: mark, given: state.given.filter((given) => given < id) }
		: { ...state, id: mark, position: state.position - waiting };
}

function stateIn(stored: IDataObject | undefined): ListState {
	const { id, given } = mapIn(stored);
	if (!Array.isArray(given)) return cursorIn(stored) ?? NOTHING_READ;
	return { id: integerIn(id) ?? 0, given: given.flatMap((entry) => integerIn(entry) ?? []) };
}

interface Whole {
	records: Numbered[];
	/** Whether one response showed all of it, so nothing can be missing. */
	isOnePage: boolean;
	isComplete: boolean;
}

/** All records of a list, by id; undefined if it is too long. */
async function readWhole({ ask }: ListAccess): Promise<Whole | undefined> {
	const records = new Map<number, Numbered>();
	let page = 1;
	let isMixed = false;
	for (let isLast = false; !isLast; page += 1) {
		const shown = page > MOST_PAGES ? undefined : await ask({ limit: LARGEST_PAGE, page });
		const entries = numbered(shown?.records ?? []);
		isMixed ||= isDisordered(entries.map(({ id }) => id));
		if (page > MOST_PAGES || (shown?.pages ?? 0) > MOST_PAGES) {
			if (isMixed || isDisordered([...records.keys()])) throw unsorted();
			return undefined;
		}
		if (!shown) return { records: byId(records), isOnePage: false, isComplete: false };
		const known = records.size;
		for (const entry of entries) records.set(entry.id, entry);
		// A page that brings nothing is after the end, and repeats another one.
		isLast = !mayGoOn(shown) || (shown.isLast === undefined && records.size === known);
	}
	return { records: byId(records), isOnePage: page === 2, isComplete: true };
}

const byId = (records: Map<number, Numbered>): Numbered[] => sorted([...records.values()]);

function newIn(
	{ records, isOnePage }: Whole,
	state: WholeState,
): { records: Numbered[]; state: ListState } {
	const known = new Set(state.given);
	const fresh = records.filter(({ id }) => id > state.id && !known.has(id));
	const all = [...state.given, ...fresh.map(({ id }) => id)].toSorted((a, b) => a - b);
	const given = isOnePage ? [] : all.slice(-MOST_GIVEN);
	return { records: fresh, state: { id: all.at(-given.length - 1) ?? state.id, given } };
}

const unsorted = (): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The list has more than ${MOST_PAGES} pages and is not sorted by creation, so a new record could be missed`,
		advice: 'Sort the list by date or ID in the service, or delete records',
	});
