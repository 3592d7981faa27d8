import type { IDataObject } from 'n8n-workflow';

import { integerIn, textIn } from '../../shared/values/json';
import { MAX_CODES } from './purchaseCodes';

/** What is known of a code: `WAITING`, `OPEN`, or what an event notes so that it does not start the workflow twice. */
export type CodeState = string;

/** The code was watched when the workflow was activated, and has not been checked yet. */
export const WAITING: CodeState = '?';

/** The code was checked, and did not start the workflow. */
export const OPEN: CodeState = '';

/** A code, and the key under which it is known. */
export interface Watched {
	code: string;
	/** The first characters of its hash, because 10,000 codes have to fit into a workflow's static data. */
	key: string;
}

/** Which codes are checked, and which of them first, by what is known of them. */
export interface Turns {
	/** Whether a code need not be checked again. */
	isDone: (state: CodeState) => boolean;
	/** Whether a code is checked before the others. */
	isUrgent: (state: CodeState) => boolean;
}

/** Characters of a key. They hold 48 bits: the chance that two of 10,000 codes have the same key is one in five million. */
export const KEY_LENGTH = 8;

/**
 * What the trigger knows of the codes, in the order of their last check. It also keeps codes that are not watched now,
 * because a list from an expression may be empty for a while; the oldest of them are dropped if there are too many.
 */
export class CodeStates {
	private constructor(
		private readonly entries: Map<string, CodeState>,
		/** When the workflow was activated, by the store's clock; epoch milliseconds. */
		readonly since: number,
	) {}

	/** At the activation. @param existing codes whose purchases so far do not start the workflow */
	static begin(existing: Watched[], since: number): CodeStates {
		return new CodeStates(new Map(existing.map(({ key }) => [key, WAITING])), since);
	}

	/** From a stored state; undefined if there is none. */
	static parse(stored: IDataObject | undefined): CodeStates | undefined {
		const since = integerIn(stored?.since);
		if (since === undefined) return undefined;
		const words = textIn(stored?.codes)?.split(' ') ?? [];
		const entries = words.map(
			(word) => [word.slice(0, KEY_LENGTH), word.slice(KEY_LENGTH)] as const,
		);
		return new CodeStates(new Map(entries), since);
	}

	/** As they are stored: at most 10,000 codes of up to 17 characters. */
	stored(): IDataObject {
		const words = [...this.entries].map(([key, state]) => `${key}${state}`);
		return { since: this.since, codes: words.join(' ') };
	}

	/** The codes that need a check: urgent ones, new ones in the order of the list, then the others in turn. */
	next(watched: Watched[], { isDone, isUrgent }: Turns): Watched[] {
		const added = watched.filter(({ key }) => !this.entries.has(key));
		const byKey = new Map(watched.map((entry) => [entry.key, entry]));
		const codesWith = (isWanted: (state: CodeState) => boolean): Watched[] =>
			[...this.entries].flatMap(([key, state]) => (isWanted(state) ? (byKey.get(key) ?? []) : []));
		const inTurn = codesWith((state) => !isDone(state) && !isUrgent(state));
		return [...codesWith(isUrgent), ...added, ...inTurn];
	}

	get({ key }: Watched): CodeState | undefined {
		return this.entries.get(key);
	}

	set({ key }: Watched, state: CodeState): void {
		// Deleted first, so that it becomes the last entry: codes are checked in the order of the entries.
		this.entries.delete(key);
		this.entries.set(key, state);
	}

	/** Notes codes of which nothing is known. They are checked before those that are known. */
	note(watched: Watched[], state: CodeState): void {
		const unknown = watched.filter(({ key }) => !this.entries.has(key));
		const known = [...this.entries];
		this.entries.clear();
		for (const { key } of unknown) this.entries.set(key, state);
		for (const [key, found] of known) this.entries.set(key, found);
	}

	/** Drops the oldest codes that are not watched now, if there are too many. */
	trim(watched: Watched[]): void {
		const present = new Set(watched.map(({ key }) => key));
		const absent = [...this.entries.keys()].filter((key) => !present.has(key));
		const excess = Math.max(0, absent.length + present.size - MAX_CODES);
		for (const key of absent.slice(0, excess)) this.entries.delete(key);
	}
}
