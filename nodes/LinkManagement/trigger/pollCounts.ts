import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../shared/lists/pages';
import { LARGEST_PAGE, mayGoOn } from '../../shared/lists/pages';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { isTimeUp, REQUESTS_PER_POLL } from '../../shared/triggers/poll';
import type { Failure } from '../../shared/values/failure';
import { failureOf } from '../../shared/values/failure';
import { idIn, integerIn, mapIn } from '../../shared/values/json';
import type { CountWatch } from './countEvents';
import { keyIn } from './countEvents';
import type { Key } from './knownCounts';
import { KnownCounts } from './knownCounts';
import { askPages, isOfOneRecord, outOfTime } from './pollPages';

/** How far a reading of the whole list has got; it may take several polls. */
interface Progress {
	/** The number of the page to read next; or of the record, if records are read one by one. */
	page: number;
	/** Whether the pages are read from the last one to the first, because the list has the lowest counts first. */
	isBackwards: boolean;
	/** Whether all pages are read, because the counts are in no order. */
	isWhole: boolean;
	/** How many records fit on the first page; all pages are requested with it, or a page number would mean other records. */
	pageSize?: number | undefined;
}

const BEGINNING: Progress = { page: 1, isBackwards: false, isWhole: false };

/** How often a list is read again, at most, to note what was missed. */
const MOST_CHECKS = 3;

interface Seen {
	key: Key;
	record: IDataObject;
}

interface Reading {
	/** The records that were read, by type and id. */
	seen: Map<string, Seen>;
	/** Where to go on; undefined if the reading got to the end of the list. */
	next: Progress | undefined;
	/** How many pages were read, and whether all of the list is read. */
	pages: number;
	isWhole: boolean;
	/** Whether the last page was empty, as if records before it had been deleted. */
	isShrunk: boolean;
	/** The page to read besides in the next poll; 0 if that one shall read all pages. */
	probe: number;
	/** Of records that could not be read, by id. */
	failures: Map<number, Failure>;
}

export interface CountResult extends PollResult {
	/** Why picked records could not be read, by id. */
	failures: Map<number, Failure>;
}

/**
 * Compares the counts of records with those of the last reading. The first reading only notes them. Pages may shift while
 * they are read, so a reading may miss a record; the next one sees all that its count has grown since.
 */
export async function pollCounts(poll: Poll, watch: CountWatch): Promise<CountResult> {
	const state = poll.state ?? {};
	const isFirst = state.known === undefined;
	const emitsExisting = mapIn(poll.read('options')).emitExisting === true;
	const isNoting = isFirst ? !emitsExisting : state.isNoting === true;
	const read = watch.ids.length > 0 ? readOneByOne : readList;
	const reading = await read(poll, watch, isFirst ? BEGINNING : progressIn(state));
	const { seen, next, failures } = reading;
	if (poll.isTest) return { records: sample(seen, watch), state: undefined, failures };
	if (!poll.state && seen.size === 0 && next) throw outOfTime();

	const known = new KnownCounts(mapIn(state.known));
	let newest = integerIn(state.newest) ?? 0;
	let checks = integerIn(state.checks) ?? 0;
	let isNew = state.isNew === true;
	const isById = watch.isNewById || reading.isWhole;
	const records = [...seen.values()].flatMap(({ key, record }) => {
		const before = known.get(key);
		const count = watch.countOf(record);
		known.set(key, watch.kept(before ?? 0, count));
		if (isNoting) newest = Math.max(newest, key.id);
		isNew ||= before === undefined;
		// A record that existed at the first reading, which missed it, is only noted, too.
		const isMissed = before === undefined && (checks > 0 || (isById && key.id <= newest));
		const told = isNoting || isMissed ? undefined : watch.tell(record, before);
		return told ? [told] : [];
	});
	for (const id of failures.keys()) known.keep({ type: '', id });
	if (!next) {
		checks = isNew ? Math.max(0, checks - 1) : 0;
		const isPaged = !isFirst || reading.pages > 1;
		const mayMiss = isNoting && isPaged && (!isById || reading.isShrunk);
		const isSure = mayMiss && isFirst && (await noteMissed(poll, watch, reading, known));
		// Of a sorted list, the next polls read only a part.
		if (mayMiss && !isSure && watch.lowest === undefined) checks = MOST_CHECKS;
		if (watch.lowest === undefined || reading.isWhole) known.endReading();
	}
	return {
		records,
		state: {
			known: known.state,
			...(next ?? { ...BEGINNING, isWhole: reading.probe === 0 }),
			probe: reading.probe,
			isNoting: isNoting && next !== undefined,
			newest,
			checks,
			isNew: isNew && next !== undefined,
		},
		failures,
	};
}

/**
 * Notes what the first reading missed, because a deletion moved it to a page that had been read: reads the pages again until
 * they show nothing unknown.
 * @returns whether there were enough requests for that
 */
async function noteMissed(
	poll: Poll,
	watch: CountWatch,
	{ pages }: Reading,
	known: KnownCounts,
): Promise<boolean> {
	let isNew = true;
	while (isNew && poll.requests() + pages <= REQUESTS_PER_POLL) {
		const { seen } = await readList(poll, watch, BEGINNING);
		isNew = false;
		for (const { key, record } of seen.values()) {
			isNew ||= known.get(key) === undefined;
			known.set(key, watch.kept(known.get(key) ?? 0, watch.countOf(record)));
		}
	}
	return !isNew;
}

function progressIn(state: IDataObject): Progress {
	return {
		page: integerIn(state.page) ?? 1,
		isBackwards: state.isBackwards === true,
		isWhole: state.isWhole === true,
		pageSize: idIn(state.pageSize),
	};
}

async function readList(poll: Poll, watch: CountWatch, from: Progress): Promise<Reading> {
	const { lowest } = watch;
	const ask = askPages(poll, watch.source);
	const seen = new Map<string, Seen>();
	let pages = 0;
	let isWhole = false;
	let isShrunk = false;
	let isHigh = false;
	let first: Page | undefined;
	// The page before may show records that deletions have moved on to it since.
	let next: Progress | undefined = { ...from, page: Math.max(1, from.page - 1) };
	while (next && poll.requests() < (poll.isTest ? 1 : REQUESTS_PER_POLL)) {
		const { pageSize = LARGEST_PAGE }: Progress = next;
		const page: Page | undefined = await ask({ limit: pageSize, page: next.page });
		if (!page) break;
		pages += 1;
		const records = page.records.map((entry) => watch.read(entry));
		const known = seen.size;
		for (const record of records) add(seen, watch, record);
		const counts = records.map((record) => watch.countOf(record));
		// A page that brings nothing is after the end, and repeats another one.
		const isLast = !mayGoOn(page) || (page.isLast === undefined && seen.size === known);
		isHigh ||= lowest === undefined || counts.some((count) => count >= lowest);
		if (next.page === 1) first = page;
		// What existed before is noted on all pages, whether the service obeys `order` or not.
		if (poll.state?.known === undefined && next.page === 1 && !isHigh) next.isWhole = true;
		const then = following({ ...page, isLast }, next, counts, lowest);
		isWhole ||= then?.isWhole === true || next.isWhole;
		isShrunk = records.length === 0;
		next = then && { ...then, pageSize: next.pageSize ?? idIn(page.size) };
	}
	const isLow = !next && !isWhole && !isHigh && first !== undefined;
	const probe = isLow && first ? await probeAfter(poll, watch, first) : probeIn(poll);
	return { seen, next, pages, isWhole, isShrunk, probe, failures: new Map() };
}

const probeIn = ({ state }: Poll): number => integerIn(state?.probe) ?? 2;

/**
 * If the first and the last page have low counts only, reads another one, with each poll the next: a service that ignores
 * `order` may have high counts there. @returns the page for the next poll; 0 if all pages have to be read from now on
 */
async function probeAfter(
	poll: Poll,
	watch: CountWatch,
	{ pages = 1, size }: Page,
): Promise<number> {
	if (pages <= 2 || poll.isTest || poll.requests() >= REQUESTS_PER_POLL) return probeIn(poll);
	const page = probeIn(poll) < pages ? probeIn(poll) : 2;
	const shown = await askPages(poll, watch.source)({ limit: size, page });
	if (!shown) return page;
	const counts = shown.records.map((entry) => watch.countOf(watch.read(entry)));
	return counts.some((count) => count >= (watch.lowest ?? 0)) ? 0 : page + 1;
}

function add(seen: Map<string, Seen>, watch: CountWatch, record: IDataObject): void {
	const key = keyIn(watch, record);
	if (key) seen.set(`${key.type} ${key.id}`, { key, record });
}

/**
 * The page to read next; undefined if the list ends, or if all that follows is below `lowest`. If the first page shows that
 * the lowest counts come first, or has the same low count throughout, the reading goes on from the last page backwards. If a
 * page shows that the counts are in no order, all pages are read.
 */
function following(
	{ pages, isLast }: Page,
	{ page, isBackwards, isWhole: wasWhole }: Progress,
	counts: number[],
	lowest: number | undefined,
): Progress | undefined {
	const isDown = isInOrder(counts, (a, b) => a >= b);
	const isUp = isInOrder(counts, (a, b) => a <= b);
	const isLow = lowest !== undefined && counts.every((count) => count < lowest);
	const isBelow = isLow || (lowest !== undefined && (counts.at(-1) ?? 0) < lowest);
	const isWhole = wasWhole || !(isDown || isUp);
	if (isBackwards) {
		const isEnd = page <= 2 || (isLow && !isWhole && counts.length > 0);
		return isEnd ? undefined : { page: page - 1, isBackwards, isWhole };
	}
	if (isLast === true) return undefined;
	const forwards = { page: page + 1, isBackwards };
	if (isWhole || lowest === undefined) return { ...forwards, isWhole };
	const isFlat = isDown && isUp;
	if (page === 1 && isUp && (!isFlat || isLow))
		return pages === undefined
			? { ...forwards, isWhole: true }
			: { page: pages, isBackwards: true, isWhole };
	if (!isDown) return { ...forwards, isWhole: true };
	return isBelow ? undefined : { ...forwards, isWhole };
}

const isInOrder = (counts: number[], fits: (a: number, b: number) => boolean): boolean =>
	counts.every((count, at) => at === 0 || fits(counts[at - 1] ?? 0, count));

/** Reads the picked records with a request each. If the poll's time is up, the next poll goes on with the rest. */
async function readOneByOne(poll: Poll, watch: CountWatch, from: Progress): Promise<Reading> {
	const seen = new Map<string, Seen>();
	const failures = new Map<number, Failure>();
	let next: Progress | undefined;
	for (const [at, id] of watch.ids.entries()) {
		if (at + 1 < from.page) continue;
		try {
			const { body } = await poll.send({ method: 'GET', path: watch.path(id) });
			add(seen, watch, watch.readOne(body));
		} catch (error) {
			if (isTimeUp(error)) {
				next = { ...BEGINNING, page: at + 1 };
				break;
			}
			const failure = failureOf(error);
			if (!isOfOneRecord(failure)) throw failure;
			failures.set(id, failure);
		}
		if (poll.isTest && seen.size > 0) break;
	}
	return { seen, next, pages: 1, isWhole: false, isShrunk: false, probe: 2, failures };
}

/** What a test shows: a record that would start the workflow if nothing were known of it; otherwise the first one. */
function sample(seen: Map<string, Seen>, watch: CountWatch): IDataObject[] {
	const records = [...seen.values()].map(({ record }) => record);
	const told = records.map((record) => watch.tell(record, undefined)).find(Boolean);
	if (told) return [told];
	return records.slice(0, 1).map((record) => ({ ...watch.example(record), is_sample: true }));
}
