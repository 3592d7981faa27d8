// The purchase codes that a trigger watches, and what it stores of each between two polls.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import { Failure, inputFailure, together, toFailure } from '../../shared/values/failure';
import { isRecord, recordsIn, textIn } from '../../shared/values/json';
import { codeKey, isUsual, noCode, parsePurchaseCode, usualCodesIn } from '../purchaseCode';
import type { CodeState, KnownCode } from './codeEvents';

/** The most codes that one trigger watches, because n8n stores them with the workflow. */
const MAX_CODES = 1000;

const LABEL = 'Purchase Codes';

/** The end of a line in any system, unless the line ends amid a code. */
const LINE_END = /(?<!\p{Pd}[ \r]{0,2})[\n\r\v\f\u0085\u2028\u2029]/u;

/** In a line without a code of the usual form. */
const SEPARATOR = /[\p{Cc},;]/u;

/** What is known of each code, by `codeKey`. The code that was checked last is the last. */
export type KnownCodes = Map<string, KnownCode>;

interface WatchedCodes {
	/** By `codeKey`, as they are entered. */
	codes: ReadonlyMap<string, string>;
	/** Why lines are no codes. */
	failure: Failure | undefined;
}

/** The codes on lines, separated by commas, or in an array from an expression; without empty ones. */
export function codesIn(value: unknown): WatchedCodes {
	const lines = [value]
		.flat()
		.flatMap((text: unknown) => (typeof text === 'string' ? text.split(LINE_END) : [text]));
	const found = lines
		.flatMap(partsOf)
		.map(codeOrFailure)
		.filter((each) => each !== '');
	const codes = found.filter((each) => typeof each === 'string');
	// Where all codes have another form, nobody can tell.
	const hasUsual = codes.some(isUsual);
	const isKnown = (code: string): boolean => isUsual(code) || !hasUsual;
	const failures = found.filter((each) => each instanceof Failure);
	const others = codes.filter((code) => !isKnown(code)).map((code) => noCode(LABEL, code));
	return {
		codes: new Map(codes.filter(isKnown).map((code) => [codeKey(code), code])),
		failure: together([...failures, ...others]),
	};
}

function codeOrFailure(part: unknown): string | Failure {
	try {
		return parsePurchaseCode(LABEL, part);
	} catch (error) {
		return toFailure(error);
	}
}

/** What is around codes of the usual form is no code. */
function partsOf(line: unknown): unknown[] {
	if (typeof line !== 'string') return [line];
	const codes = usualCodesIn(line);
	return codes.length > 0 ? codes : line.split(SEPARATOR);
}

/** @throws Failure if there are too many, or while a person watches, if there are none or a line is no code */
export function watchedCodes({ parameters, state }: Poll): WatchedCodes {
	const watched = codesIn(parameters.purchaseCodes);
	const { codes, failure } = watched;
	if (failure && !state) throw failure;
	if (codes.size === 0 && !state)
		throw inputFailure('There are no purchase codes to watch', "Enter them under 'Purchase Codes'");
	if (codes.size <= MAX_CODES) return watched;
	throw inputFailure(
		`A trigger watches at most ${MAX_CODES} purchase codes, but there are ${codes.size}`,
		'Use several triggers',
	);
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
export function storedCodes(known: KnownCodes, watched: WatchedCodes['codes']): IDataObject {
	for (const code of known.keys()) {
		if (known.size > MAX_CODES && !watched.has(code)) known.delete(code);
	}
	return { codes: [...known].map(([code, what]) => ({ code, ...what })) };
}
