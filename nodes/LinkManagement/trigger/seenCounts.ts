import { integerIn, textIn } from '../../shared/values/json';

interface Entry {
	/** Undefined if it could not be read yet. */
	count: number | undefined;
	/** How many readings of the whole list in a row did not show the record. */
	missed: number;
}

/** A record that is missing in this many readings in a row is gone; one reading can miss it, because pages shift. */
const READINGS_TO_FORGET = 3;

/** Identifies a record. @param type if ids are unique within their type only */
export const countKey = (id: number, type = ''): string =>
	`${type.replace(/\W/g, '')}${type && ':'}${id.toString(36)}`;

/**
 * The counts that a trigger has seen, by record. They are stored as one text of `key.count.missed`, in base 36: about nine
 * characters per record, because n8n stores them with the workflow.
 */
export class SeenCounts {
	private readonly entries: Map<string, Entry>;

	constructor(stored: unknown) {
		this.entries = new Map(textIn(stored)?.split(' ').map(entryIn));
	}

	get(key: string): number | undefined {
		return this.entries.get(key)?.count;
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	set(key: string, count: number | undefined): void {
		this.entries.set(key, { count, missed: -1 });
	}

	/** To be called after each reading of the whole list. Forgets the records that are gone. @returns the highest ID of these */
	endReading(): number {
		const gone: string[] = [];
		for (const [key, entry] of this.entries) {
			entry.missed += 1;
			if (entry.missed >= READINGS_TO_FORGET) gone.push(key);
		}
		for (const key of gone) this.entries.delete(key);
		return highestIn(gone);
	}

	highestId(): number {
		return highestIn([...this.entries.keys()]);
	}

	toString(): string {
		return [...this.entries].map(wordOf).join(' ');
	}
}

/** The highest ID in the keys of records without a type; 0 if there are none. */
const highestIn = (keys: string[]): number =>
	keys.reduce((highest, key) => Math.max(highest, Number.parseInt(key, 36)), 0);

function wordOf([key, { count, missed }]: [string, Entry]): string {
	const numbers = missed > 0 ? [count, missed] : [count];
	return [key, ...numbers.map((number) => number?.toString(36) ?? '')].join('.');
}

function entryIn(word: string): [string, Entry] {
	const [key = '', ...texts] = word.split('.');
	const [count, missed = 0] = texts.map((text) => integerIn(Number.parseInt(text, 36)));
	return [key, { count, missed }];
}
