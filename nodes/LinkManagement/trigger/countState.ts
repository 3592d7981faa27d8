// What a trigger for counts stores between two polls: the last count of each record.

import type { IDataObject } from 'n8n-workflow';

import { countIn, idIn, mapIn } from '../../shared/values/json';
import type { CountReading } from './countReading';

export interface CountState {
	/** By what identifies a record, its last count, or its highest. */
	counts: Map<string, number>;
	/** The records that the last whole reading missed. */
	gone: Set<string>;
	/** Where the last poll stopped in its reading. */
	next: number | undefined;
	/** Whether no reading has come to its end yet. */
	isFirst: boolean;
}

export function countStateIn(stored: IDataObject = {}): CountState {
	const counts = new Map<string, number>();
	for (const [key, count] of Object.entries(mapIn(stored.counts))) {
		counts.set(key, countIn(count) ?? 0);
	}
	return {
		counts,
		gone: new Set(Array.isArray(stored.gone) ? stored.gone.map(String) : []),
		next: idIn(stored.next),
		isFirst: stored.isFirst !== false,
	};
}

/** The state to store. Because pages shift, a reading may miss a record; one that the next reading misses, too, is forgotten. */
export function countStateAfter(
	state: CountState,
	{ next, isWhole }: CountReading,
	counts: ReadonlyMap<string, number>,
): IDataObject {
	const missing = [...state.counts].filter(([key]) => !counts.has(key));
	const kept = missing.filter(([key]) => !(isWhole && state.gone.has(key)));
	return {
		counts: Object.fromEntries([...kept, ...counts]),
		gone: isWhole ? kept.map(([key]) => key) : [...state.gone],
		next,
		isFirst: state.isFirst && next !== undefined,
	};
}
