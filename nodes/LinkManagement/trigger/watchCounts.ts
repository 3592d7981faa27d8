import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../shared/lists/pages';
import { hasMore, LARGEST_PAGE } from '../../shared/lists/pages';
import type { Key } from './ledger';
import { Ledger } from './ledger';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { REQUESTS_PER_POLL, tooLittleTime } from '../../shared/triggers/poll';
import { askPages } from './pollPages';
import { idIn, integerIn, mapIn } from '../../shared/values/json';
import type { CountWatch } from './counts';
import { keyIn } from './counts';

/** A record of this poll. */
interface Seen {
	key: Key;
	record: IDataObject;
}

/** How far a reading of the whole list has got; it may take several polls. */
interface Progress {
	/** The number of the page to read next; or of the record, if records are read one by one. */
	page: number;
	/** Whether the pages are read from the last one to the first, because the list has the lowest counts first. */
	isBackwards: boolean;
	/** How many records fit on the first page; all pages are requested with it, or a page number would mean other records. */
	pageSize?: number | undefined;
}

const BEGINNING: Progress = { page: 1, isBackwards: false };

/**
 * Compares the counts of records with those of the last reading. The first reading of the list only notes them. Pages may
 * shift while they are read, so a reading may miss a record; the next one sees all that its count has grown since.
 */
export async function pollCounts(poll: Poll, watch: CountWatch): Promise<PollResult> {
	const state = poll.state ?? {};
	const isFirst = state.known === undefined;
	const emitsExisting = mapIn(poll.read('options')).emitExisting === true;
	const isNoting = isFirst ? !emitsExisting : state.isNoting === true;
	const from = isFirst ? BEGINNING : progressIn(state);
	const read = watch.ids.length > 0 ? readOneByOne : readList;
	const { seen, next } = await read(poll, watch, from);
	if (poll.isTest) return { records: sample(seen, watch), state: undefined };
	if (!poll.state && seen.size === 0 && next) throw tooLittleTime();

	const ledger = new Ledger(mapIn(state.known));
	let newest = integerIn(state.newest) ?? 0;
	const records = [...seen.values()].flatMap(({ key, record }) => {
		const before = ledger.count(key);
		const count = watch.countOf(record);
		ledger.note(key, watch.kept(before ?? 0, count));
		if (isNoting) newest = Math.max(newest, key.id);
		// A record that existed at the first reading, which missed it, is only noted, too.
		const isMissed = watch.startsAtZero && before === undefined && key.id <= newest;
		const told = isNoting || isMissed ? undefined : watch.tell(record, before);
		return told ? [told] : [];
	});
	if (!next) ledger.endReading();
	return {
		records,
		state: {
			known: ledger.state,
			...(next ?? BEGINNING),
			isNoting: isNoting && next !== undefined,
			newest,
		},
	};
}

function progressIn(state: IDataObject): Progress {
	return {
		page: integerIn(state.page) ?? 1,
		isBackwards: state.isBackwards === true,
		pageSize: idIn(state.pageSize),
	};
}

interface Counted {
	/** The records that were read, by type and id. */
	seen: Map<string, Seen>;
	/** Where to go on; undefined if the reading got to the end of the list. */
	next: Progress | undefined;
}

async function readList(poll: Poll, watch: CountWatch, from: Progress): Promise<Counted> {
	const ask = askPages(poll, watch.source);
	const seen = new Map<string, Seen>();
	let next: Progress | undefined = from;
	while (next && poll.requests() < (poll.isTest ? 1 : REQUESTS_PER_POLL)) {
		const { pageSize = LARGEST_PAGE }: Progress = next;
		const page: Page | undefined = await ask({ limit: pageSize, page: next.page });
		if (!page) break;
		const records = page.records.map((entry) => watch.read(entry));
		for (const record of records) add(seen, watch, record);
		const counts = records.map((record) => watch.countOf(record));
		const then = following(page, next, counts, watch.lowest);
		next = then && { ...then, pageSize: next.pageSize ?? idIn(page.perPage) };
	}
	return { seen, next };
}

function add(seen: Map<string, Seen>, watch: CountWatch, record: IDataObject): void {
	const key = keyIn(watch, record);
	if (key) seen.set(`${key.type} ${key.id}`, { key, record });
}

/**
 * The page to read next; undefined if the list ends, or if all that follows is below `lowest`. If the first page shows that
 * the lowest counts come first, or has the same low count throughout, the reading goes on from the last page backwards.
 */
function following(
	page: Page,
	{ page: number, isBackwards }: Progress,
	counts: number[],
	lowest = -Infinity,
): Progress | undefined {
	const [first = 0, last = 0] = [counts.at(0), counts.at(-1)];
	if (isBackwards) {
		const isLow = counts.length > 0 && first < lowest;
		return isLow || number <= 2 ? undefined : { page: number - 1, isBackwards };
	}
	if (!hasMore(page, number)) return undefined;
	const isUpwards =
		lowest > 0 && number === 1 && (first < last || (first === last && last < lowest));
	if (isUpwards && page.maxPage !== undefined) return { page: page.maxPage, isBackwards: true };
	const isBelow = last < lowest && (first > last || number > 1);
	return isBelow ? undefined : { page: number + 1, isBackwards };
}

/** Reads the picked records with a request each. If the poll's time is up, the next poll goes on with the rest. */
async function readOneByOne(poll: Poll, watch: CountWatch, from: Progress): Promise<Counted> {
	const seen = new Map<string, Seen>();
	for (const [at, id] of watch.ids.entries()) {
		if (at + 1 < from.page) continue;
		const response = await poll.send({ method: 'GET', path: watch.path(id) });
		if (!response) return { seen, next: { ...from, page: at + 1 } };
		add(seen, watch, watch.readOne(response.body));
		if (poll.isTest) break;
	}
	return { seen, next: undefined };
}

/** What a test shows: a record that would start the workflow if nothing were known of it; otherwise the first one. */
function sample(seen: Map<string, Seen>, watch: CountWatch): IDataObject[] {
	const records = [...seen.values()].map(({ record }) => record);
	const told = records.map((record) => watch.tell(record, undefined)).find(Boolean);
	return told ? [told] : records.slice(0, 1).map((record) => watch.example(record));
}
