// Parsers of what users enter: text, count, flag, JSON, ID. Errors name the field by its label.

import { type IDataObject, jsonParse } from 'n8n-workflow';

import { type Failure, inputFailure, quoted } from './failure';
import { countIn, idIn } from './json';

/** Gets a parameter; null or undefined if there is none. The parsers below check it: text, count, flag, JSON, ID. */
export type GetParameter = (name: string) => unknown;

/** Parses what was entered in a field. @throws Failure that names the field by its label, if the value cannot be sent */
export type ParseValue<T = IDataObject[string]> = (label: string, value: unknown) => T;

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** A text exactly as it was entered. Sheets and AI models may give a number or a boolean. */
export const verbatim: ParseValue<string> = (label, value) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean' || Number.isFinite(value)) return String(value);
	throw inputFailure(
		`${label} must be text, but is ${quoted(value)}`,
		'Check the expression that gives it',
	);
};

/** A text without the blanks around it, and without those of no width, which come with a text copied from a web page. */
export const trimmed = (value: string): string => value.replace(/[\u200b\u2060]/g, '').trim();

/** Whether a value is blank, or a text of nothing but blanks, as in a cell that looks empty. */
export const looksBlank = (value: unknown): boolean =>
	isBlank(typeof value === 'string' ? trimmed(value) : value);

/** A text without the blanks around it: for names, aliases and tags. */
export const text: ParseValue<string> = (label, value) => trimmed(verbatim(label, value));

export const required =
	(parse: ParseValue<string>): ParseValue<string> =>
	(label, value) => {
		const found = isBlank(value) ? '' : parse(label, value);
		if (found.trim() !== '') return found;
		throw emptyFailure(label);
	};

export const emptyFailure = (label: string): Failure =>
	inputFailure(`${label} is empty`, 'Enter a value, or check the expression that gives it');

export const requiredText = required(text);

export const count: ParseValue<number> = (label, value) => {
	const number = countIn(value);
	if (number !== undefined) return number;
	throw inputFailure(`${label} must be a whole number of 0 or more, but is ${quoted(value)}`);
};

export const flag: ParseValue<boolean> = (label, value) => {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true' || word === 1 || word === '1') return true;
	if (word === false || word === 'false' || word === 0 || word === '0') return false;
	throw inputFailure(
		`${label} must be true or false, but is ${quoted(value)}`,
		'For another word, use an expression that compares it, such as {{ $json.qr === "WAHR" }}',
	);
};

/** What a JSON field says; an expression may have parsed it already. */
export function parsedJson(label: string, value: unknown): unknown {
	let found = value;
	try {
		if (typeof value === 'string') found = jsonParse<unknown>(value);
	} catch {
		throw inputFailure(
			`${label} is not valid JSON`,
			'Put texts in double quotes, and check for a missing comma or bracket',
		);
	}
	// A String, a Date or a Luxon DateTime from an expression is something else in JSON.
	return isBlank(found) ? found : jsonParse<unknown>(JSON.stringify(found));
}

export const PICK_OR_ENTER = 'Pick one from the list, or enter its ID';

export function parseId(name: string, value: unknown, advice = PICK_OR_ENTER): number {
	const id = idIn(value);
	if (id !== undefined) return id;
	throw inputFailure(
		`${labelOf(name)} must be a positive whole number, but is ${quoted(value)}`,
		advice,
	);
}

/** The label of a parameter: `QR Code ID` for `qrCodeId`. */
export const labelOf = (name: string): string =>
	name
		.replace(/([A-Z])/g, ' $1')
		.replace(/./, (letter) => letter.toUpperCase())
		.replace(/\b(Cta|Id|Qr|Url)\b/g, (acronym) => acronym.toUpperCase());
