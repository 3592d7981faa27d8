import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';

/** A record by its id and its type, where ids are unique within a type only; the type is empty otherwise. */
export interface Key {
	type: string;
	id: number;
}

interface Entry {
	count: number;
	/** Readings of the whole list since it was seen last. */
	missed: number;
}

/** A record that was not seen in so many readings of the whole list is gone: pages that shift can hide one for once. */
const READINGS_TO_FORGET = 3;

/**
 * What a trigger knows of many records: a count of each. The state takes about six characters per record, so 60 kB for
 * 10,000: by type, the distances of the ids in order, each with its count and the readings that missed it, in base 36.
 */
export class Ledger {
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

	count({ type, id }: Key): number | undefined {
		return this.types.get(type)?.get(id)?.count;
	}

	note({ type, id }: Key, count: number): void {
		const entries = this.types.get(type) ?? new Map<number, Entry>();
		this.types.set(type, entries.set(id, { count, missed: -1 }));
	}

	/** Forgets what the last readings of the whole list did not show. */
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
			const numbers = [id - last, count, missed];
			last = id;
			return numbers
				.map((number) => number.toString(36))
				.join('.')
				.replace(/(\.0)+$/, '');
		})
		.join(' ');
}

const fromBase36 = (text: string): number => integerIn(Number.parseInt(text, 36)) ?? 0;
