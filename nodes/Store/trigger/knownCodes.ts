import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';
import { MOST_CODES } from './purchaseCodes';

/** What is known of a code: `WAITING`, `OPEN`, or what an event notes so that it does not start the workflow twice. */
export type Known = string;

/** The code was watched when the workflow was activated, and has not been checked yet. */
export const WAITING: Known = '?';

/** The code was checked, and did not start the workflow. */
export const OPEN: Known = '';

/** A code, and the key under which it is known. */
export interface Watched {
	code: string;
	/** The first characters of its hash, because 10,000 codes have to fit into a workflow's static data. */
	key: string;
}

/** Characters of a key. They hold 48 bits: the chance that two of 10,000 codes have the same key is one in five million. */
export const KEY_LENGTH = 8;

/**
 * What the trigger knows of the codes, in the order of their last check. It also keeps codes that are not watched now,
 * because a list from an expression may be empty for a while; the oldest of them are dropped if there are too many.
 */
export class KnownCodes {
	private constructor(
		private readonly entries: Map<string, Known>,
		/** When the workflow was activated, by the store's clock; epoch milliseconds. */
		readonly since: number,
	) {}

	/** At the activation. @param existing codes whose purchases so far do not start the workflow */
	static begin(existing: Watched[], since: number): KnownCodes {
		return new KnownCodes(new Map(existing.map(({ key }) => [key, WAITING])), since);
	}

	/** From a stored state; undefined if there is none. */
	static read(state: IDataObject | undefined): KnownCodes | undefined {
		const since = integerIn(state?.since);
		if (since === undefined) return undefined;
		const words = textIn(state?.codes)?.split(' ') ?? [];
		return new KnownCodes(new Map(words.map(readEntry)), since);
	}

	/** As it is stored: at most 10,000 codes of up to 17 characters. */
	state(): IDataObject {
		const words = [...this.entries].map(([key, known]) => `${key}${known}`);
		return { since: this.since, codes: words.join(' ') };
	}

	/**
	 * The codes to check next: those that were never checked, in the order of the list, then the others in turn.
	 * @param count how many at most
	 * @param isDone see `CodeEvent.isDone`
	 */
	next(watched: Watched[], count: number, isDone: (known: Known) => boolean): Watched[] {
		const byKey = new Map(watched.map((entry) => [entry.key, entry]));
		const unchecked = watched.filter(({ key }) => this.isUnchecked(this.entries.get(key)));
		const inTurn = [...this.entries].flatMap(([key, known]) => {
			const entry = byKey.get(key);
			return entry && !this.isUnchecked(known) && !isDone(known) ? [entry] : [];
		});
		return [...unchecked, ...inTurn].slice(0, count);
	}

	/** What is known of a code; undefined if it is new. */
	known({ key }: Watched): Known | undefined {
		return this.entries.get(key);
	}

	note({ key }: Watched, known: Known): void {
		// Deleted first, so that it becomes the last entry: codes are checked in the order of the entries.
		this.entries.delete(key);
		this.entries.set(key, known);
	}

	/** Drops the oldest codes that are not watched now, if there are too many. */
	trim(watched: Watched[]): void {
		const present = new Set(watched.map(({ key }) => key));
		const absent = [...this.entries.keys()].filter((key) => !present.has(key));
		const excess = Math.max(0, absent.length + present.size - MOST_CODES);
		for (const key of absent.slice(0, excess)) this.entries.delete(key);
	}

	private isUnchecked(known: Known | undefined): boolean {
		return known === undefined || known === WAITING;
	}
}

function readEntry(word: string): [string, Known] {
	return [word.slice(0, KEY_LENGTH), word.slice(KEY_LENGTH)];
}
