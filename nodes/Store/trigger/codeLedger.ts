import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';
import { MOST_CODES } from './purchaseCodes';

/** What is known of a code: `WAITING`, `OPEN`, or what was told of it last, so that it is not told again. */
export type Known = string;

/** It was there when the workflow was activated, and has not been checked yet. */
export const WAITING: Known = '?';

/** It was checked, and there was nothing to tell. */
export const OPEN: Known = '';

/** A code, and the key under which the ledger has it. */
export interface Watched {
	code: string;
	/** A few characters of its hash: ten thousand codes have to fit in a workflow's static data. */
	key: string;
}

/** Characters of a code's hash, 48 bits: among 10,000 codes two alike have odds of one to five million. */
export const KEY_LENGTH = 8;

/**
 * What the trigger knows of the codes, the longest unchecked first. It keeps codes that are not watched at the moment,
 * because a list that comes from an expression may be empty for once; the eldest of them go when there are too many.
 */
export class CodeLedger {
	private constructor(
		private readonly entries: Map<string, Known>,
		/** When the workflow was activated, by the store's clock; epoch milliseconds. */
		readonly since: number,
	) {}

	/** The ledger of a trigger that begins: these codes are there already. */
	static begin(existing: Watched[], since: number): CodeLedger {
		return new CodeLedger(new Map(existing.map(({ key }) => [key, WAITING])), since);
	}

	/** The ledger in a stored state; undefined if there is none. */
	static read(state: IDataObject | undefined): CodeLedger | undefined {
		const since = integerIn(state?.since);
		if (since === undefined) return undefined;
		const words = textIn(state?.codes)?.split(' ') ?? [];
		return new CodeLedger(new Map(words.map(readEntry)), since);
	}

	/** As it is stored: at most 10,000 codes of up to 17 characters. */
	state(): IDataObject {
		const words = [...this.entries].map(([key, known]) => `${key}${known}`);
		return { since: this.since, codes: words.join(' ') };
	}

	/**
	 * The codes to check next: those that never were, in the order of the list, then the others in turn.
	 * @param isDone of what is known of a code: whether it need not be checked again
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

	/** What is known of a code; undefined if it is new to the list. */
	known({ key }: Watched): Known | undefined {
		return this.entries.get(key);
	}

	/** Notes that a code was checked. */
	note({ key }: Watched, known: Known): void {
		// Behind all others: the order of the entries is the order of the checks.
		this.entries.delete(key);
		this.entries.set(key, known);
	}

	/** Forgets the eldest of those that are not watched any more, if there are too many. */
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
