import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';

/** Identifies a record. The type is empty if ids are unique in the whole list. */
export interface Key {
	type: string;
	id: number;
}

interface Entry {
	/** Undefined if it could not be read yet. */
	count: number | undefined;
	/** How many readings of the whole list in a row did not show the record. */
	missed: number;
}

/** A record that is missing in this many readings in a row is gone; one reading can miss it, because pages shift. */
const READINGS_TO_FORGET = 3;

/**
 * The counts that a trigger knows of many records. Its state is a text for each type of record: `id.count.missed` in base
 * 36, about nine characters per record, because n8n stores it with the workflow.
 */
export class KnownCounts {
	private readonly types = new Map<string, Map<number, Entry>>();

	constructor(state: IDataObject) {
		for (const [type, text] of Object.entries(state)) {
			const entries = textIn(text)?.split(' ').map(entryIn) ?? [];
			this.types.set(type, new Map(entries));
		}
	}

	get({ type, id }: Key): number | undefined {
		return this.types.get(type)?.get(id)?.count;
	}

	has({ type, id }: Key): boolean {
		return this.types.get(type)?.has(id) === true;
	}

	set({ type, id }: Key, count: number | undefined): void {
		const entries = this.types.get(type) ?? new Map<number, Entry>();
		this.types.set(type, entries.set(id, { count, missed: -1 }));
	}

	/** To be called after each reading of the whole list. Forgets the records that are gone. */
	endReading(): void {
		for (const entries of this.types.values()) {
			for (const [id, entry] of entries) {
				entry.missed += 1;
				if (entry.missed >= READINGS_TO_FORGET) entries.delete(id);
			}
		}
	}

	get state(): IDataObject {
		const state: IDataObject = {};
		for (const [type, entries] of this.types) state[type] = [...entries].map(wordOf).join(' ');
		return state;
	}
}

function wordOf([id, { count, missed }]: [number, Entry]): string {
	const numbers = missed > 0 ? [id, count, missed] : [id, count];
	return numbers.map((number) => number?.toString(36) ?? '').join('.');
}

function entryIn(word: string): [number, Entry] {
	const [id = 0, count, missed = 0] = word
		.split('.')
		.map((text) => integerIn(Number.parseInt(text, 36)));
	return [id, { count, missed }];
}
