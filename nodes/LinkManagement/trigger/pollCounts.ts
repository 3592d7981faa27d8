// The way of a poll for counts: read the records with their counts, compare each with the last one, keep the counts.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { LARGEST_PAGE, pagesOf } from '../../shared/lists/pages';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { RecordRef } from '../../shared/operations/locatorValue';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { countIn, idIn, mapIn, missingMember, requireIds } from '../../shared/values/json';
import type { Details } from '../serviceLists';
import type { CountEvent, CountedList } from './countEvents';

/** What a trigger stores between two polls, besides where the last one stopped. */
interface CountState {
	/** By what identifies a record, its last count, or its highest. */
	counts: ReadonlyMap<string, number>;
	/** The records that the last whole reading missed. */
	gone: ReadonlySet<string>;
	/** Whether no reading has come to its end yet. */
	isFirst: boolean;
}

interface CountReading {
	records: IDataObject[];
	/** The page at which the next poll goes on; undefined: at the beginning. */
	next: number | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

export async function pollCounts(poll: Poll, event: CountEvent): Promise<PollResult> {
	const { state: stored = {}, parameter } = poll;
	const state = countStateIn(stored);
	const isNoted = !emitsExisting(parameter) && state.isFirst;
	const picked = await pickedId(poll, event.pick(parameter));
	const watch = event.watch(parameter, picked);
	const accepted = { limit: countIn(stored.limit) ?? LARGEST_PAGE };
	const reading =
		picked !== undefined && watch.details
			? await readPicked(poll, watch.details, picked)
			: await readCounts(poll, watch, idIn(stored.next) ?? 1, accepted);
	const { records, next } = reading;
	requireCounts(records, watch);
	if (poll.isTest) return { records: sample(records, watch), state: undefined };

	const { news, counts } = compare(records, watch, state.counts, isNoted);
	return {
		records: news,
		state: {
			...countStateAfter(state, reading, counts),
			picked,
			next,
			// A smaller limit is tried anew after news, because it may come from an accident of the service.
			limit: next === undefined && news.length > 0 ? LARGEST_PAGE : accepted.limit,
		},
	};
}

/** @param from the page to begin with @param accepted the `limit` of the pages */
async function readCounts(
	poll: Poll,
	watch: CountedList,
	from: number,
	accepted: { limit: number },
): Promise<CountReading> {
	const walk = new ListWalk(pagesOf(watch.source, poll.send, accepted), { page: from, count: 0 });
	const records: IDataObject[] = [];
	try {
		for await (const entries of walk.pages()) {
			records.push(...requireIds(entries).map((entry) => watch.recordOf(entry)));
			if (poll.isTest) break;
		}
	} catch (error) {
		if (!isOutOfTime(error) || records.length === 0) throw toFailure(error);
		return { records, next: walk.cursor?.page, isWhole: false };
	}
	return { records, next: undefined, isWhole: from === 1 && records.length > 0 };
}

/** The ID of the picked record. A name is looked up in the first poll. */
async function pickedId(poll: Poll, pick?: RecordRef): Promise<number | undefined> {
	if (pick === undefined || typeof pick === 'number') return pick;
	const index = new RecordIndex(pick.list, pagesOf(pick.list.source, poll.send));
	return (
		idIn(poll.state?.picked) ??
		(await index.idOf(pick.name, { scan: 'first', match: 'ignoreCase' }))
	);
}

async function readPicked(poll: Poll, details: Details, id: number): Promise<CountReading> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	return { records: [{ ...details.recordIn(body), id }], next: undefined, isWhole: false };
}

function countStateIn({ counts, gone, isFirst }: IDataObject): CountState {
	const known = Object.entries(mapIn(counts));
	return {
		counts: new Map(known.map(([key, count]) => [key, countIn(count) ?? 0])),
		gone: new Set(Array.isArray(gone) ? gone.map(String) : []),
		isFirst: isFirst !== false,
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
		isFirst: state.isFirst && next !== undefined,
	};
}

/** @throws Failure if no count can be read */
function requireCounts(records: IDataObject[], watch: CountedList): void {
	const isReadable = records.some((record) => watch.countOf(record) !== undefined);
	if (records.length > 0 && !isReadable) throw missingMember('clicks or scans');
}

/** What a test shows: a record that would start the workflow if nothing were known of it; else how the first one would look. */
function sample(records: IDataObject[], watch: CountedList): IDataObject[] {
	for (const record of records) {
		const changed = watch.changed(record, watch.countOf(record) ?? 0, undefined);
		if (changed) return [changed];
	}
	const [first] = records.map((record) => watch.changed(record, watch.lowest ?? 1, undefined));
	return first ? [{ ...first, is_sample: true }] : [];
}

const keyOf = (record: IDataObject, watch: CountedList): string =>
	watch.keyOf?.(record) ?? String(idIn(record.id) ?? 0);

/** A record without a readable count stays as it was. @param isNoted whether no record starts the workflow */
function compare(
	records: IDataObject[],
	watch: CountedList,
	known: ReadonlyMap<string, number>,
	isNoted: boolean,
): { news: IDataObject[]; counts: Map<string, number> } {
	const counts = new Map<string, number>();
	const news: IDataObject[] = [];
	for (const record of records) {
		const key = keyOf(record, watch);
		const before = known.get(key);
		const count = watch.countOf(record) ?? before;
		if (count === undefined) continue;
		counts.set(key, watch.isHighest === true ? Math.max(before ?? 0, count) : count);
		const changed = isNoted ? undefined : watch.changed(record, count, before);
		if (changed) news.push(changed);
	}
	return { news, counts };
}
