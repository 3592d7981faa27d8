// Reads records with their counts: those of a list, or the picked ones by a request each.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { pagesOf } from '../../shared/lists/pages';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Pick } from '../../shared/operations/picks';
import type { Poll } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn, requireIds } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountWatch } from './countEvents';
import type { CountState } from './countState';

/** A reading of a list, or of picked records. */
export interface CountReading {
	records: IDataObject[];
	/** Where the next poll goes on: a page, or a place among the picked records; undefined: at the beginning. */
	next: number | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

export async function readCounts(
	poll: Poll,
	watch: CountWatch,
	{ next: from = 1 }: CountState,
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
		return { records, next: walk.place?.page, isWhole: false };
	}
	return { records, next: undefined, isWhole: from === 1 && records.length > 0 };
}

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

/**
 * Reads the picked records one by one, from the place where the last poll ran out of time.
 * @throws Failure that names the record if one cannot be read
 */
export async function readPicked(
	poll: Poll,
	details: Details,
	ids: number[],
	from: number,
): Promise<CountReading> {
	const reading: CountReading = { records: [], next: undefined, isWhole: false };
	for (const [at, id] of ids.entries()) {
		if (at < from) continue;
		try {
			const { body } = await poll.send({ method: 'GET', path: details.path(id) });
			reading.records.push({ ...details.recordIn(body), id });
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) return { ...reading, next: at };
			throw failure.with({ message: `ID ${id}: ${failure.message}` });
		}
	}
	return reading;
}
