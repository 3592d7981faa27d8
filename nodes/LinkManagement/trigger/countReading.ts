// Reads a list whose records each have a count: to its end, or down to the lowest count that matters.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { pagesOf } from '../../shared/lists/pages';
import type { Poll } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn, requireIds } from '../../shared/values/json';
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
	{ next: from = 1, isFirst }: CountState,
	accepted: { limit: number },
): Promise<CountReading> {
	const walk = new ListWalk(pagesOf(watch.source, poll.send, accepted), { page: from, count: 0 });
	const records: IDataObject[] = [];
	try {
		for await (const entries of walk.pages()) {
			records.push(...requireIds(entries).map((entry) => watch.recordOf(entry)));
			const isEnough = poll.isTest || (!isFirst && isBelowLowest(records, watch));
			if (isEnough) return { records, next: undefined, isWhole: false };
		}
	} catch (error) {
		if (!isOutOfTime(error) || records.length === 0) throw toFailure(error);
		return { records, next: walk.place?.page, isWhole: false };
	}
	return { records, next: undefined, isWhole: from === 1 && records.length > 0 };
}

/** Whether no later record has a count that matters. */
function isBelowLowest(records: IDataObject[], watch: CountWatch): boolean {
	const { lowest = 1, isSorted = false } = watch;
	const [last = lowest] = records.slice(-1).map((record) => watch.countOf(record));
	return isSorted && last < lowest && isSortedByCount(records, watch);
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
