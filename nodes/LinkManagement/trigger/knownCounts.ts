import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';

/** Identifies a record. The type is empty if ids are unique in the whole list. */
export interface Key {
	type: string;
	id: number;
}

interface Entry {
	count: number;
	/** How many readings of the whole list did not show the record, since it was seen last. */
	missed: number;
}

/** A record that so many readings in a row did not show is gone; one reading can miss it, because pages shift. */
const READINGS_TO_FORGET = 3;

/**
 * The counts that a trigger knows of many records. Its state has a text for each type of record, about six characters per
 * record (60 kB for 10,000): in the order of the ids, `distance.count.missed` in base 36, where the distance is that to the
 * id before.
 */
export class KnownCounts {
	private readonly types = new Map<string, Map<number, Entry>>();

	constructor(state: IDataObject) {
		for (const [type, text] of Object.entries(state)) {
			let id = 0;
			const entries = new Map<number, Entry>();
			for (const word of textIn(text)?.split(' ') ?? []) {
				const [distance = 0, count = 0, missed = 0] = word.split('.').map(fromBase36);
				id += distance;
				entries.set(id, { count, missed });
			}
			this.types.set(type, entries);
		}
	}

	get({ type, id }: Key): number | undefined {
		return this.types.get(type)?.get(id)?.count;
	}

	set({ type, id }: Key, count: number): void {
		const entries = this.types.get(type) ?? new Map<number, Entry>();
		this.types.set(type, entries.set(id, { count, missed: -1 }));
	}

	/** Counts a record as seen, with the count that is known. */
	keep(key: Key): void {
		const count = this.get(key);
		if (count !== undefined) this.set(key, count);
	}

	/** Call it after each reading of the whole list: it forgets what the last `READINGS_TO_FORGET` did not show. */
	endReading(): void {
		for (const entries of this.types.values()) {
			for (const [id, entry] of entries) {
				entry.missed += 1;
				if (entry.missed >= READINGS_TO_FORGET) entries.delete(id);
			}
		}
	}

	get state(): IDataObject {
		return Object.fromEntries([...this.types].map(([type, entries]) => [type, wordsOf(entries)]));
	}
}

function wordsOf(entries: Map<number, Entry>): string {
	let last = 0;
	const inOrder = [...entries].toSorted(([a], [b]) => a - b);
	return inOrder
		.map(([id, { count, missed }]) => {
			const numbers = missed > 0 ? [id - last, count, missed] : [id - last, count];
			last = id;
			return (count > 0 || missed > 0 ? numbers : numbers.slice(0, 1))
				.map((number) => number.toString(36))
				.join('.');
		})
		.join(' ');
}

const fromBase36 = (text: string): number => integerIn(Number.parseInt(text, 36)) ?? 0;
