import type { IDataObject } from 'n8n-workflow';

import { placeIn } from '../../shared/lists/listWalk';
import { emitsExisting } from '../../shared/triggers/fields';
import { type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure } from '../../shared/values/failure';
import { countIn, idIn } from '../../shared/values/json';
import type { CountWatch } from './countEvents';
import { learnedIn } from './listState';
import { countKey, SeenCounts } from './seenCounts';
import { pageRequester, readPages } from './pollPages';

/** So many readings of a list whose IDs do not tell which records are new only note what they show. */
const FIRST_READINGS = 3;

/** A reading of a list, or of picked records. */
export interface CountReading {
	records: IDataObject[];
	/** Whether it got to its end. */
	isComplete: boolean;
	/** What the next reading begins with, as it is stored. */
	next: IDataObject;
	/** Whether it showed every record that exists. */
	isWhole: boolean;
	/** Whether it may have missed records, because pages shift. */
	isPaged: boolean;
}

/**
 * Compares the counts of records with those of the last reading. Pages may shift while they are read, so a reading may miss
 * a record; the next one sees all that its count has grown since. What the first reading missed is known by its ID, which is
 * not above the highest one that was read. A record whose count cannot be read is left as it was; one that existed before is
 * noted when its count can be read.
 */
export async function pollCounts(
	poll: Poll,
	watch: CountWatch,
	read: (from: IDataObject, isFirst: boolean) => Promise<CountReading>,
): Promise<PollResult> {
	const state = poll.state ?? {};
	const seen = new SeenCounts(state.seen);
	let firstReadings =
		countIn(state.firstReadings) ?? (emitsExisting(poll.parameter) ? 0 : FIRST_READINGS);
	const isFirst = firstReadings > 0;
	/** A record with an ID up to this one is not new. */
	let oldId = countIn(state.oldId) ?? 0;
	const reading = await read(state, isFirst);
	if (poll.isTest) return { records: sample(reading.records, watch), state: undefined };
	const records: IDataObject[] = [];
	for (const record of reading.records) {
		const id = idIn(record.id);
		if (id === undefined) continue;
		const key = countKey(id, watch.typeOf?.(record));
		const [count, before] = [watch.countOf(record), seen.get(key)];
		const isOld = isFirst || seen.has(key) || (!watch.typeOf && id <= oldId);
		if (count === undefined) {
			if (isOld) seen.set(key, before);
			continue;
		}
		seen.set(key, watch.kept(before ?? 0, count));
		const isFirstCount = before === undefined && isOld;
		const changed = isFirstCount ? undefined : watch.changed(record, count, before);
		if (changed) records.push(changed);
	}
	if (reading.isComplete) {
		const isEnough = !watch.typeOf || !reading.isPaged;
		firstReadings = isEnough ? 0 : Math.max(0, firstReadings - 1);
		// An empty list may be an accident of the service.
		const isWhole = reading.isWhole && reading.records.length > 0;
		const forgotten = isWhole ? seen.endReading() : 0;
		if (isFirst) oldId = seen.highestId();
		// A record that was forgotten is not new, but a garbled ID counts no longer than its record does.
		else if (forgotten > 0) oldId = Math.min(Math.max(oldId, forgotten), seen.highestId());
	}
	return { records, state: { ...reading.next, seen: seen.toString(), oldId, firstReadings } };
}

/** Reads the list to its end; if it is sorted by counts, down to the lowest count that matters. */
export async function readList(
	poll: Poll,
	watch: CountWatch,
	from: IDataObject,
	isFirst: boolean,
): Promise<CountReading> {
	const { lowest } = watch;
	const requestsBefore = poll.requests();
	const place = placeIn(from.place);
	let isWhole = true;
	const isEnough = (entries: IDataObject[]): boolean => {
		const records = entries.map((entry) => watch.recordOf(entry));
		const last = records.map((record) => watch.countOf(record)).at(-1);
		if (poll.isTest) return true;
		if (isFirst || lowest === undefined || last === undefined || last >= lowest) return false;
		isWhole = !isSortedByCount(records, watch);
		return !isWhole;
	};
	const mayRequest = () => poll.requests() < REQUESTS_PER_POLL;
	const requestPage = pageRequester(poll, watch.source, mayRequest);
	const now = poll.connection.clock.epoch();
	const { limit, since = now } = learnedIn(from, now);
	const accepted = { limit };
	const pages = await readPages(requestPage, place, accepted, isEnough);
	const records = pages.records.map((entry) => watch.recordOf(entry));
	if (records.length > 0 && records.every((record) => watch.countOf(record) === undefined))
		throw noCount();
	return {
		records,
		isComplete: pages.isComplete,
		next: { ...accepted, since, ...(pages.next ? { place: { ...pages.next } } : {}) },
		isWhole,
		isPaged: place !== undefined || poll.requests() - requestsBefore > 1,
	};
}

export const noCount = (): Failure =>
	new Failure({
		kind: 'unreadable',
		message: 'The response has no readable count',
		advice: 'A count must be a whole number',
	});

/**
 * Whether records are sorted by their counts, the highest first. A service may ignore `order`, and list by
 * creation records that happen to have falling counts.
 */
function isSortedByCount(records: IDataObject[], watch: CountWatch): boolean {
	const counts = records.flatMap((record) => watch.countOf(record) ?? []);
	const ids = records.map(({ id }) => idIn(id) ?? 0);
	const isByCreation = neverRises(ids) || neverRises(ids.toReversed());
	return neverRises(counts) && counts[0] !== counts.at(-1) && !isByCreation;
}

const neverRises = (numbers: number[]): boolean =>
	numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? 0));

/** What a test shows: a record that would start the workflow if nothing were known of it; otherwise the first one. */
function sample(records: IDataObject[], watch: CountWatch): IDataObject[] {
	const readable = records.flatMap((record) => {
		const count = watch.countOf(record);
		return count === undefined
			? []
			: [{ record, changed: watch.changed(record, count, undefined) }];
	});
	const changed = readable.find((each) => each.changed)?.changed;
	if (changed) return [changed];
	return readable.slice(0, 1).map(({ record }) => ({ ...watch.example(record), is_sample: true }));
}
