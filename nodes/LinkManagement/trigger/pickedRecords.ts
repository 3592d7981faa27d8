// The records that a trigger watches one by one: their IDs, and their counts by a request each.

import { pagesOf } from '../../shared/lists/pages';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Pick } from '../../shared/operations/picks';
import type { Poll } from '../../shared/triggers/poll';
import { endsPoll, type Failure, isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountReading } from './countReading';

/** The IDs of the picked records, each once. A name is looked up in the first poll. */
export async function pickedIds(poll: Poll, picks: Pick[]): Promise<number[]> {
	const stored = poll.state?.ids;
	if (Array.isArray(stored)) return stored.flatMap((id) => idIn(id) ?? []);
	/** All picks of an event are in one list. */
	let index: RecordIndex | undefined;
	const ids = new Set<number>();
	for (const pick of picks) {
		if (typeof pick === 'number') {
			ids.add(pick);
			continue;
		}
		index ??= new RecordIndex(pick.list, pagesOf(pick.list.source, poll.send));
		ids.add(await index.idOf(pick.name, false));
	}
	return [...ids];
}

/** Reads the records from the place where the last poll ran out of time. One that fails stops no other. */
export async function readPicked(
	poll: Poll,
	details: Details,
	ids: number[],
	from: number,
): Promise<CountReading> {
	const reading: CountReading = { records: [], next: undefined, isWhole: false };
	const failures: Failure[] = [];
	for (const [at, id] of ids.entries()) {
		if (at < from) continue;
		try {
			const { body } = await poll.send({ method: 'GET', path: details.path(id) });
			reading.records.push({ ...details.recordIn(body), id });
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) return { ...reading, next: at };
			if (endsPoll(failure)) throw failure;
			failures.push(failure.with({ message: `ID ${id}: ${failure.message}` }));
		}
	}
	const [failure] = failures;
	if (failure && reading.records.length === 0) throw failure;
	for (const each of failures) poll.warn(each);
	return reading;
}
