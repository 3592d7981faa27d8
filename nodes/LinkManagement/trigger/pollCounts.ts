// The way of a poll for counts: read the records with their counts, compare each with the last one, keep the counts.

import type { IDataObject } from 'n8n-workflow';

import { type Cursor, cursorIn, pagesOf } from '../../shared/lists/listPages';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { RecordRef } from '../../shared/operations/parameters';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { countIn, idIn, mapIn, missingMember, requireIds } from '../../shared/values/json';
import type { Details } from '../serviceLists';
import { type CountEvent, type CountedList, isBelowLowest } from './countEvents';

/** What a trigger stores between two polls, besides where the last one stopped. */
interface CountState {
	/** By what identifies a record, its last count, or its highest. */
	counts: ReadonlyMap<string, number>;
	/** The records that the last whole reading missed. */
	gone: ReadonlySet<string>;
	/** Whether no reading has come to its end yet. */
	isBaseline: boolean;
}

interface CountReading {
	records: IDataObject[];
	/** Where the next poll goes on; undefined: at the beginning. */
	next: Cursor | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

export async function pollCounts(poll: Poll, event: CountEvent): Promise<PollResult> {
	const { state: stored = {}, parameters } = poll;
	const state = countStateIn(stored);
	const isBaseline = !poll.emitsExisting && state.isBaseline;
	const picked = await pickedId(poll, event.pick(parameters));
	const watch = event.watch(parameters, picked);
	const reading =
		picked !== undefined && watch.details
			? await readPicked(poll, watch.details, picked)
			: await readCounts(poll, watch, cursorIn(mapIn(stored.next)));
	const { records, next } = reading;
	requireCounts(records, watch);
	if (poll.isTest) return { records: sample(records, watch), state: undefined };

	const { changed, counts } = compare(records, watch, state.counts, isBaseline);
	return {
		records: changed,
		state: {
			...countStateAfter(state, reading, counts),
			picked,
			next: next && { ...next },
		},
	};
}

async function readCounts(poll: Poll, watch: CountedList, from: Cursor): Promise<CountReading> {
	const records: IDataObject[] = [];
	let next: Cursor | undefined = from;
	try {
		for await (const page of pagesOf(watch.source, poll.send, from)) {
			({ next } = page);
			// Those that every account shares have no ID.
			const own = requireIds(page.records.filter(({ id }) => id !== null));
			records.push(...own.map((entry) => watch.recordOf(entry)));
			if (poll.isTest || isBelowLowest(records, watch)) break;
		}
	} catch (error) {
		if (!isOutOfTime(error) || records.length === 0) throw toFailure(error);
		return { records, next, isWhole: false };
	}
	const isWhole = from.page === 1 && records.length > 0 && !next;
	return { records, next: undefined, isWhole };
}

/** The ID of the picked record. A name is looked up in the first poll. */
async function pickedId(poll: Poll, pick?: RecordRef): Promise<number | undefined> {
	if (pick === undefined || typeof pick === 'number') return pick;
	const index = new RecordIndex(pick.list, poll.send, poll.connection.baseUrl);
	return idIn(poll.state?.picked) ?? (await index.idOf(pick.name, 'first'));
}

async function readPicked(poll: Poll, details: Details, id: number): Promise<CountReading> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	const records = [{ ...details.recordIn(body, id), id }];
	return { records, next: undefined, isWhole: false };
}

function countStateIn({ counts, gone, isBaseline }: IDataObject): CountState {
	const known = Object.entries(mapIn(counts));
	return {
		counts: new Map(known.map(([key, count]) => [key, countIn(count) ?? 0])),
		gone: new Set(Array.isArray(gone) ? gone.map(String) : []),
		isBaseline: isBaseline !== false,
	};
}

/** Because pages shift, a reading may miss a record; one that the next reading misses, too, is forgotten. */
function countStateAfter(
	state: CountState,
	{ next, isWhole }: CountReading,
	counts: ReadonlyMap<string, number>,
): IDataObject {
	const missing = [...state.counts].filter(([key]) => !counts.has(key));
	const kept = missing.filter(([key]) => !(isWhole && state.gone.has(key)));
	return {
		counts: Object.fromEntries([...kept, ...counts]),
		gone: isWhole ? kept.map(([key]) => key) : [...state.gone],
		isBaseline: state.isBaseline && next !== undefined,
	};
}

function requireCounts(records: IDataObject[], watch: CountedList): void {
	const isReadable = records.some((record) => watch.countOf(record) !== undefined);
	if (records.length > 0 && !isReadable) throw missingMember('clicks or scans');
}

/** What a test shows: a record that would start the workflow if nothing were known of it; else how the first one would look. */
function sample(records: IDataObject[], watch: CountedList): IDataObject[] {
	for (const record of records.toSorted(byId).toReversed()) {
		const changed = watch.changed(record, watch.countOf(record) ?? 0, undefined);
		if (changed) return [changed];
	}
	const [first] = records.map((record) => watch.changed(record, watch.lowest ?? 1, undefined));
	return first ? [{ ...first, is_sample: true }] : [];
}

/** The oldest first. */
const byId = (a: IDataObject, b: IDataObject): number => Number(a.id) - Number(b.id);

const keyOf = (record: IDataObject, watch: CountedList): string =>
	watch.keyOf?.(record) ?? String(idIn(record.id) ?? 0);

/** A record without a readable count stays as it was. @param isBaseline whether no record starts the workflow */
function compare(
	records: IDataObject[],
	watch: CountedList,
	known: ReadonlyMap<string, number>,
	isBaseline: boolean,
): { changed: IDataObject[]; counts: Map<string, number> } {
	const counts = new Map<string, number>();
	const changed: IDataObject[] = [];
	for (const record of records) {
		const key = keyOf(record, watch);
		const before = known.get(key);
		const count = watch.countOf(record) ?? before;
		if (count === undefined) continue;
		counts.set(key, watch.lowest === undefined ? count : Math.max(before ?? 0, count));
		const output = isBaseline ? undefined : watch.changed(record, count, before);
		if (output) changed.push(output);
	}
	return { changed: changed.toSorted(byId), counts };
}
