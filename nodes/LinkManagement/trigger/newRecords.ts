// Finds the records of a list that are newer than a state.

import { type AcceptedLimit, type Page, type RequestPage } from '../../shared/lists/pages';
import { ListPages } from './listPages';
import { type ListState, newTo, NOTHING_KNOWN, type WholeReading } from './listState';
import { readNewEnd } from './newEnd';
import { highest, isDisordered, type Numbered, numbered, sorted } from './numbered';
import { outOfTime, readPages } from './pollPages';

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

/** A list whose first page is as before is read whole in one of so many polls. */
const POLLS_PER_WHOLE_READING = 10;

const FIRST_PAGE: WholeReading = {
	place: undefined,
	isFirst: false,
	result: undefined,
	skipped: 0,
};

/** With this, no record is new; a reading shows the newest one. */
const ALL_KNOWN: ListState = { ...NOTHING_KNOWN, id: Number.MAX_SAFE_INTEGER };

/** The newest record of a list, if it has any. @throws Failure if it was not found */
export async function newestRecord(list: ListAccess): Promise<Found> {
	if (list.isSorted) {
		const pages = new ListPages(list.requestPage, { limit: NOTHING_KNOWN.limit }, ALL_KNOWN);
		const reading = await readNewEnd(pages);
		if (reading) {
			const { end, open } = reading;
			if (open) throw outOfTime();
			// Records of one second may be listed in any order, so the newest one may be on the page before.
			const isBefore = end && end.page > 1;
			const page = isBefore && (await pages.later(end.page - 1, pages.accepted.limit));
			if (page) pages.add(page);
			const records = sorted([...pages.listed.values()]).slice(-1);
			const id = highest(records);
			return { records, state: { ...NOTHING_KNOWN, ...pages.accepted, id, end } };
		}
	}
	const whole = { ...FIRST_PAGE, isFirst: true };
	const { records, state } = await readWhole(list, { ...NOTHING_KNOWN, whole }, whole);
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
	const pages = new ListPages(list.requestPage, accepted, state);
	if (whole) {
		const first = await pages.first();
		const isOdd = isDisordered(first.numbered, true);
		if (isOdd && isAsBefore(first, state, whole)) return skipped(state, whole);
	}
	const reading = await readNewEnd(pages);
	const before = { ...state, ...accepted };
	if (!reading) {
		const next = { ...before, end: undefined, open: undefined };
		return await readWhole(list, next, whole ?? FIRST_PAGE, await pages.first());
	}
	const { newest, end, open, sureId } = reading;
	const listed = [...pages.listed.values()];
	// An empty list may be an accident of the service.
	if (listed.length === 0) return { records: [], state: { ...before, end } };
	const found = commit({ ...before, end, open, whole: undefined }, listed, sureId, !open);
	return sureId === undefined ? found : corrected(found, newest);
}

/** Once a day the list decides: an ID that was much too high would hide all records that follow. @param newest in the list */
function corrected({ records, state }: Found, newest: number): Found {
	const isTooHigh = state.since === undefined && newest > 0 && newest < state.id;
	return { records, state: isTooHigh ? { ...state, id: newest, checked: newest } : state };
}

/** The records that are new, the oldest first. */
const newOnes = (records: Numbered[], state: ListState): Numbered[] =>
	sorted(records).filter(newTo(state));

/**
 * The new records, and the state after them. Pages may shift while they are read, so if a record may be missing, the cursor
 * stays, and the next polls read the same pages again. It moves up to what two more readings found nothing below.
 * @param sureId up to which nothing is missing; undefined if something may be
 * @param isComplete whether the reading got to its end
 */
function commit(
	state: ListState,
	listed: Numbered[],
	sureId: number | undefined,
	isComplete: boolean,
): Found {
	const records = newOnes(listed, state);
	const ids = records.map(({ id }) => id);
	const begun = state.begun ?? { top: state.seen.at(-1) ?? state.id, lowest: Infinity };
	const lowest = Math.min(begun.lowest, ...ids.slice(0, 1));
	let { id, checked } = state;
	if (isComplete) {
		if (lowest > checked) id = Math.max(id, checked);
		checked = lowest > begun.top ? begun.top : id;
	}
	id = Math.max(id, sureId ?? 0);
	const seen = [...state.seen, ...ids].filter((each) => each > id).toSorted((a, b) => a - b);
	const next = { ...state, id, checked, seen };
	return { records, state: { ...next, begun: isComplete ? undefined : { ...begun, lowest } } };
}

/** Whether a page shows nothing new, and the service counts as many records as in the last whole reading. */
function isAsBefore(page: Page, state: ListState, whole: WholeReading): boolean {
	const { place, result } = whole;
	const isDayOver = state.since === undefined;
	const isDue = isDayOver || state.seen.length > 0 || whole.skipped + 1 >= POLLS_PER_WHOLE_READING;
	const isSame = result !== undefined && page.result === result && result > page.records.length;
	return !isDue && !place && isSame && newOnes(numbered(page.records), state).length === 0;
}

const skipped = (state: ListState, whole: WholeReading): Found => ({
	records: [],
	state: { ...state, whole: { ...whole, skipped: whole.skipped + 1 } },
});

/**
 * Reads on in a whole list.
 * @param first page 1, if this poll has read it
 * @throws Failure `outOfTime` if no page could be read
 */
async function readWhole(
	list: ListAccess,
	before: ListState,
	begun: WholeReading,
	first?: Page & { limit: number },
): Promise<Found> {
	const read: Page[] = [];
	const requestPage: RequestPage = async (page, limit, once) => {
		const isFirst = read.length === 0 && page === 1 && limit === first?.limit;
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
	const state = { ...before, ...accepted };
	if (isSkipped()) return skipped(state, begun);
	const { isComplete, next: place } = pages;
	const whole: WholeReading = {
		place,
		isFirst: begun.isFirst && !isComplete,
		result: begun.place ? begun.result : read[0]?.result,
		skipped: 0,
	};
	const listed = numbered(pages.records);
	// What is read for the first time is not new.
	const isNoted = begun.isFirst && isComplete;
	const sureId = isNoted ? Math.max(before.seen.at(-1) ?? 0, highest(listed)) : undefined;
	const found = commit({ ...state, whole }, listed, sureId, isComplete);
	// A deletion meanwhile may hide the newest record.
	const isStill = read[0]?.result === read.at(-1)?.result;
	const isSure = isComplete && begun.place === undefined && isStill;
	return isSure ? corrected(found, highest(listed)) : found;
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
	const later = [...new Set(read)].filter((each) => each > id);
	const seen = later.filter((each) => !waiting.has(each));
	// The next poll must not go on behind the records that wait.
	const checked = Math.min(state.checked, id);
	return { ...state, id, checked, seen, open: undefined, begun: undefined };
}
