// Compares the counts of records, such as their clicks, with those of the last reading.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { LARGEST_PAGE, pagesOf } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/fields';
import type { Poll, PollResult } from '../../shared/triggers/runPoll';
import { endsPoll, type Failure, isOutOfTime, toFailure } from '../../shared/values/failure';
import { countIn, idIn, mapIn, missingMember, requireIds } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountEvent, CountWatch } from './countEvents';
import { readDetails } from './pollList';

/** A reading of a list, or of picked records. */
interface Reading {
	records: IDataObject[];
	/** Where the next poll goes on: a page, or a place among the picked records; undefined: at the beginning. */
	next: number | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

/**
 * What the first reading missed, because pages shift, is known by its ID, which is not above `top`. A record without a readable
 * count stays as it was.
 */
export async function pollCounts(poll: Poll, event: CountEvent): Promise<PollResult> {
	const { state } = poll;
	const ids = event.picked(poll.parameter);
	const watch = event.watch(poll.parameter, ids);
	const details = ids.length > 0 ? watch.details : undefined;
	const from = idIn(state?.next) ?? 0;
	const isFirst = state?.isFirst !== false;
	const isNoted = isFirst && !emitsExisting(poll.parameter);
	const accepted = { limit: countIn(state?.limit) ?? LARGEST_PAGE };
	const { records, next, isWhole } = details
		? await readPicked(poll, details, ids, from)
		: await readList(poll, watch, from || 1, isFirst, accepted);
	if (records.length > 0 && records.every((record) => watch.countOf(record) === undefined))
		throw missingMember('clicks or scans');
	if (poll.isTest) return { records: sample(records, watch), state: undefined };
	const known = new Map(Object.entries(mapIn(state?.counts)));
	const counts = new Map(isWhole ? [] : known);
	const top = countIn(state?.top) ?? 0;
	const news: IDataObject[] = [];
	for (const record of records) {
		const id = idIn(record.id) ?? 0;
		const key = watch.keyOf?.(record) ?? String(id);
		const before = countIn(known.get(key));
		const count = watch.countOf(record) ?? before;
		if (count === undefined) continue;
		counts.set(key, watch.isHighest === true ? Math.max(before ?? 0, count) : count);
		const isMissed = before === undefined && !watch.keyOf && (details !== undefined || id <= top);
		const isOld = isFirst ? isNoted : isMissed;
		const changed = isOld ? undefined : watch.changed(record, count, before);
		if (changed) news.push(changed);
	}
	// A reading may miss a record, but not the next one, too.
	const gone = new Set(Array.isArray(state?.gone) ? state.gone.map(String) : []);
	const missing = [...known.keys()].filter((key) => !counts.has(key));
	const missed = missing.filter((key) => !gone.has(key));
	for (const key of missed) counts.set(key, known.get(key));
	const old = isFirst ? [...counts.keys()] : missing.filter((key) => gone.has(key));
	return {
		records: news,
		state: {
			counts: Object.fromEntries(counts),
			gone: isWhole ? missed : [...gone],
			top: old.reduce((most, key) => Math.max(most, idIn(key) ?? 0), top),
			next,
			isFirst: isFirst && next !== undefined,
			// A smaller limit is tried anew after news, because it may come from an accident of the service.
			limit: next === undefined && news.length > 0 ? LARGEST_PAGE : accepted.limit,
		},
	};
}

/** Reads the list to its end; if it is sorted by counts, down to the lowest count that matters. */
async function readList(
	poll: Poll,
	watch: CountWatch,
	from: number,
	isFirst: boolean,
	accepted: { limit: number },
): Promise<Reading> {
	const { lowest = 1, isSorted = false } = watch;
	const walk = new ListWalk(pagesOf(watch.source, poll.send, accepted), { page: from, count: 0 });
	const records: IDataObject[] = [];
	try {
		for await (const entries of walk.pages()) {
			records.push(...requireIds(entries).map((entry) => watch.recordOf(entry)));
			const [last] = records.slice(-1).map((record) => watch.countOf(record));
			const isBelow = !isFirst && isSorted && last !== undefined && last < lowest;
			if (poll.isTest || (isBelow && isSortedByCount(records, watch)))
				return { records, next: undefined, isWhole: false };
		}
	} catch (error) {
		if (!isOutOfTime(error) || records.length === 0) throw toFailure(error);
		return { records, next: walk.place?.page, isWhole: false };
	}
	return { records, next: undefined, isWhole: from === 1 && records.length > 0 };
}

/** Whether the highest count comes first. A service may ignore `order`, and counts fall by chance: then ids fall or rise, too. */
function isSortedByCount(records: IDataObject[], watch: CountWatch): boolean {
	const counts = records.flatMap((record) => watch.countOf(record) ?? []);
	const ids = records.map(({ id }) => idIn(id) ?? 0);
	const isByCreation = neverRises(ids) || neverRises(ids.toReversed());
	return neverRises(counts) && counts[0] !== counts.at(-1) && !isByCreation;
}

const neverRises = (numbers: number[]): boolean =>
	numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? 0));

/** Reads the picked records with a request each, from where the last poll ran out of time. One that fails stops no other. */
async function readPicked(
	poll: Poll,
	details: Details,
	ids: number[],
	from: number,
): Promise<Reading> {
	const records: IDataObject[] = [];
	const failures: Failure[] = [];
	for (const [at, id] of ids.entries()) {
		if (at < from) continue;
		try {
			records.push(await readDetails(poll, id, details));
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) return { records, next: at, isWhole: false };
			if (endsPoll(failure)) throw failure;
			failures.push(failure.with({ message: `ID ${id}: ${failure.message}` }));
		}
	}
	const [failure] = failures;
	if (failure && records.length === 0) throw failure;
	for (const each of failures) poll.warn(each);
	return { records, next: undefined, isWhole: false };
}

/** What a test shows: a record that would start the workflow if nothing were known of it; else how the first one would look. */
function sample(records: IDataObject[], watch: CountWatch): IDataObject[] {
	for (const record of records) {
		const changed = watch.changed(record, watch.countOf(record) ?? 0, undefined);
		if (changed) return [changed];
	}
	const [first] = records.map((record) => watch.changed(record, watch.lowest ?? 1, undefined));
	return first ? [{ ...first, is_sample: true }] : [];
}
