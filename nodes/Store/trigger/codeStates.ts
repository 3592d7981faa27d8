// The purchase codes that a trigger watches, and what it stores of each between two polls.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import { digest } from '../../shared/values/digest';
import { inputFailure } from '../../shared/values/failure';
import { textIn } from '../../shared/values/json';
import { MAX_CODES, purchaseCodes } from './purchaseCodes';

/** Characters of a code's hash. The chance that two of 10,000 codes have the same is one in five million. */
const KEY_LENGTH = 8;

/** Codes by their keys. */
export type Codes = ReadonlyMap<string, string>;

/** What is known of each code, by its key; see `CodeEvent`. The code that was checked last is the last. */
export type CodeStates = Map<string, string>;

/** The codes by their keys, because 10,000 codes have to fit into a workflow's static data. */
export async function watchedCodes(poll: Poll): Promise<Codes> {
	const codes = purchaseCodes(poll.parameter('purchaseCodes'));
	if (codes.length === 0 && !poll.state)
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	const keys = await Promise.all(codes.map(async (code) => await digest(code, KEY_LENGTH)));
	return new Map(keys.map((key, at) => [key, codes[at] ?? '']));
}

export function codeStatesIn(stored: IDataObject | undefined): CodeStates {
	const words = textIn(stored?.codes)?.split(' ') ?? [];
	return new Map(words.map((word) => [word.slice(0, KEY_LENGTH), word.slice(KEY_LENGTH)]));
}

/** A list from an expression may be empty for a while, so codes that are not watched now stay, unless there are too many. */
export function storedCodes(states: CodeStates, watched: Codes): IDataObject {
	for (const key of states.keys()) {
		if (states.size > MAX_CODES && !watched.has(key)) states.delete(key);
	}
	return { codes: [...states].map((entry) => entry.join('')).join(' ') };
}
