// The way of a poll for counts: read the records with their counts, compare each with the last one, keep the counts.

import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/fields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { countIn, idIn, missingMember } from '../../shared/values/json';
import type { CountEvent, CountWatch } from './countEvents';
import { type CountReading, pickedIds, readCounts, readPicked } from './countReading';
import { type CountState, countStateAfter, countStateIn } from './countState';

export async function pollCounts(poll: Poll, event: CountEvent): Promise<PollResult> {
	const state = countStateIn(poll.state);
	const isNoted = !emitsExisting(poll.parameter) && state.isFirst;
	const ids = await pickedIds(poll, event.picks(poll.parameter));
	const watch = event.watch(poll.parameter, ids);
	const accepted = { limit: countIn(poll.state?.limit) ?? LARGEST_PAGE };
	const details = ids.length > 0 ? watch.details : undefined;
	const reading = details
		? await readPicked(poll, details, ids, state.next ?? 0)
		: await readCounts(poll, watch, state, accepted);
	requireCounts(reading, watch);
	if (poll.isTest) return { records: sample(reading, watch), state: undefined };

	const { news, counts } = compare(reading, watch, state, isNoted);
	const isDone = reading.next === undefined;
	return {
		records: news,
		state: {
			...countStateAfter(state, reading, counts),
			ids: ids.length > 0 ? ids : undefined,
			// A smaller limit is tried anew after news, because it may come from an accident of the service.
			limit: isDone && news.length > 0 ? LARGEST_PAGE : accepted.limit,
		},
	};
}

/** @throws Failure if no count can be read */
function requireCounts({ records }: CountReading, watch: CountWatch): void {
	const isReadable = records.some((record) => watch.countOf(record) !== undefined);
	if (records.length > 0 && !isReadable) throw missingMember('clicks or scans');
}

/** What a test shows: a record that would start the workflow if nothing were known of it; else how the first one would look. */
function sample({ records }: CountReading, watch: CountWatch): IDataObject[] {
	for (const record of records) {
		const changed = watch.changed(record, watch.countOf(record) ?? 0, undefined);
		if (changed) return [changed];
	}
	const [first] = records.map((record) => watch.changed(record, watch.lowest ?? 1, undefined));
	return first ? [{ ...first, is_sample: true }] : [];
}

const keyOf = (record: IDataObject, watch: CountWatch): string =>
	watch.keyOf?.(record) ?? String(idIn(record.id) ?? 0);

/**
 * Compares the records that were read with their last counts. One without a readable count stays as it was.
 * @param isNoted whether no record starts the workflow, whatever its count
 */
function compare(
	{ records }: CountReading,
	watch: CountWatch,
	state: CountState,
	isNoted: boolean,
): { news: IDataObject[]; counts: Map<string, number> } {
	const counts = new Map<string, number>();
	const news: IDataObject[] = [];
	for (const record of records) {
		const key = keyOf(record, watch);
		const before = state.counts.get(key);
		const count = watch.countOf(record) ?? before;
		if (count === undefined) continue;
		counts.set(key, watch.isHighest === true ? Math.max(before ?? 0, count) : count);
		const changed = isNoted ? undefined : watch.changed(record, count, before);
		if (changed) news.push(changed);
	}
	return { news, counts };
}
