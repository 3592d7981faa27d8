// Sees whether a list is sorted by count, so that a poll need not read what is below the lowest count that matters.

import type { IDataObject } from 'n8n-workflow';

import { idIn } from '../../shared/values/json';
import type { CountedList } from './countEvents';

/** A few clicks on the newest links look sorted in any order. */
const FEWEST_DIFFERENT = 3;

/** Whether every later record has a count below the lowest that matters. @param records from page 1 on, or a later one */
export function isBelowLowest(records: IDataObject[], watch: CountedList): boolean {
	const { lowest, isByCount } = watch;
	if (isByCount !== true || lowest === undefined) return false;
	const counts = records.map((record) => watch.countOf(record) ?? Infinity);
	const isBelow = (counts.at(-1) ?? Infinity) < lowest;
	return (
		isBelow &&
		isSortedByCount(
			counts,
			records.map(({ id }) => idIn(id) ?? 0),
		)
	);
}

/** Not a list by date, which counts may follow by chance: its IDs follow, too. */
const isSortedByCount = (counts: number[], ids: number[]): boolean =>
	isFalling(counts) &&
	new Set(counts).size >= FEWEST_DIFFERENT &&
	!isFalling(ids) &&
	!isFalling(ids.toReversed());

const isFalling = (numbers: readonly number[]): boolean =>
	numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? number));
