// The purchase codes that a trigger watches, and what it stores of each between two polls.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import { inputFailure } from '../../shared/values/failure';
import { isRecord, recordsIn, textIn } from '../../shared/values/json';
import { codeKey, parsePurchaseCode, usualCodesIn } from '../purchaseCode';
import type { CodeState, KnownCode } from './codeEvents';

/** The most codes that one trigger watches, because n8n stores them with the workflow. */
const MAX_CODES = 1000;

/** What is known of each code, by `codeKey`. The code that was checked last is the last. */
export type KnownCodes = Map<string, KnownCode>;

/**
 * The codes on lines, separated by commas, or in an array from an expression, by `codeKey`. @throws Failure if one cannot be a code, if
 * there are too many, or none when the user publishes or tests
 */
export function watchedCodes({ parameters, state }: Poll): Map<string, string> {
	const lines = [parameters.purchaseCodes]
		.flat()
		.flatMap((text: unknown) => (typeof text === 'string' ? text.split(/[\n\r]/) : [text]));
	const entered = lines.flatMap(partsOf).map((part) => parsePurchaseCode('Purchase Codes', part));
	const codes = new Map(entered.map((code) => [codeKey(code), code]));
	codes.delete('');
	if (codes.size === 0 && !state)
		throw inputFailure('There are no purchase codes to watch', "Enter them under 'Purchase Codes'");
	if (codes.size <= MAX_CODES) return codes;
	throw inputFailure(
		`A trigger watches at most ${MAX_CODES} purchase codes, but there are ${codes.size}`,
		'Use several triggers',
	);
}

/** What is around codes of the usual form is no code. */
function partsOf(line: unknown): unknown[] {
	if (typeof line !== 'string') return [line];
	const codes = usualCodesIn(line);
	return codes.length > 0 ? codes : line.split(/[\p{Cc},;]/u);
}

const STATES: readonly CodeState[] = ['new', 'open', 'valid', 'suspect'];

export const knownCodesIn = (stored: IDataObject = {}): KnownCodes =>
	new Map(
		recordsIn(stored.codes).map(({ code, state, notifiedUntil, before }) => [
			codeKey(textIn(code) ?? ''),
			{
				state: STATES.find((each) => each === state) ?? 'new',
				notifiedUntil: textIn(notifiedUntil),
				before: isRecord(before) ? before : undefined,
			},
		]),
	);

/** A list from an expression may be empty for a while, so codes that are not watched now stay, unless there are too many. */
export function storedCodes(known: KnownCodes, watched: ReadonlyMap<string, string>): IDataObject {
	for (const code of known.keys()) {
		if (known.size > MAX_CODES && !watched.has(code)) known.delete(code);
	}
	return { codes: [...known].map(([code, what]) => ({ code, ...what })) };
}
