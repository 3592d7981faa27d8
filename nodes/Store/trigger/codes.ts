// The purchase codes that a trigger watches, and what it stores of each between two polls.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import { inputFailure } from '../../shared/values/failure';
import { recordsIn, textIn } from '../../shared/values/json';
import { parsePurchaseCode } from '../purchaseCode';

/** The most codes that one trigger watches, because n8n stores them with the workflow. */
const MAX_CODES = 1000;

/** A comma, a semicolon, a tab, or the end of a line in any system, unless the line ends amid a code. */
const SEPARATOR = /(?<!\p{Pd}[ \r]{0,2})[\p{Cc}\u2028\u2029,;]/u;

/** What is known of each code; see `CodeEvent`. The code that was checked last is the last. */
export type CodeStates = Map<string, string>;

/** The codes on lines, separated by commas, or in an array from an expression; without empty ones. @throws Failure if one is none */
export function codesIn(value: unknown): Set<string> {
	const parts = [value]
		.flat()
		.flatMap((text: unknown) => (typeof text === 'string' ? text.split(SEPARATOR) : [text]));
	const codes = new Set(parts.map((part) => parsePurchaseCode('Purchase Codes', part)));
	codes.delete('');
	return codes;
}

/** @throws Failure if there are too many, or none in the first poll */
export function watchedCodes({ parameter, state }: Poll): ReadonlySet<string> {
	const codes = codesIn(parameter('purchaseCodes'));
	if (codes.size === 0 && !state)
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	if (codes.size <= MAX_CODES) return codes;
	throw inputFailure(
		`A trigger watches at most ${MAX_CODES} purchase codes, but there are ${codes.size}`,
		'Use several triggers',
	);
}

export const codeStatesIn = (stored: IDataObject = {}): CodeStates =>
	new Map(
		recordsIn(stored.codes).map(({ code, known }) => [textIn(code) ?? '', textIn(known) ?? '']),
	);

/** A list from an expression may be empty for a while, so codes that are not watched now stay, unless there are too many. */
export function storedCodes(states: CodeStates, watched: ReadonlySet<string>): IDataObject {
	for (const code of states.keys()) {
		if (states.size > MAX_CODES && !watched.has(code)) states.delete(code);
	}
	return { codes: [...states].map(([code, known]) => ({ code, known })) };
}
