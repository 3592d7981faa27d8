// Reads what is in a cell or a field, by its kind: line, text or secret; count, flag, JSON or ID. Errors name the field by its label.

import { type IDataObject, jsonParse } from 'n8n-workflow';

import { type Failure, fieldFailure, quoted } from './failure';
import { booleanIn, countIn, idIn, isRecord } from './json';
import { unquoted, visibleText } from './text';

/** The parameters of a node by their names, evaluated. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** Parses what was entered in a field. @throws Failure that names the field by its label, if the value cannot be sent */
export type ParseValue<T = IDataObject[string]> = (label: string, value: unknown) => T;

/** Whether there is nothing in a field or a cell. Blank changes nothing: it is not sent. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && visibleText(value) === '') ||
	(Array.isArray(value) && value.length === 0);

/** What programs, people and models write for no value. */
const NOTHING = /^(?:null|none|undefined|nan|n\/a|[-–—]|\[object \w+\])$/i;

/** Whether a value is a word for no value: blank in a column and in the call of an agent, refused in a field. */
export const isNothing = (value: unknown): boolean =>
	typeof value === 'string' && NOTHING.test(visibleText(value));

/** What an AI model gives, without the words for nothing in it. */
export function withoutNothing(value: unknown): unknown {
	if (isNothing(value)) return '';
	if (Array.isArray(value)) return value.map(withoutNothing);
	if (!isRecord(value) || value instanceof Date || 'isLuxonDateTime' in value) return value;
	const members = Object.entries(value).map(
		([name, member]) => [name, withoutNothing(member)] as const,
	);
	return Object.fromEntries(members);
}

/** What no value can mean, and what to do about it. */
interface Fault {
	form: RegExp;
	what: string;
	advice: string;
}

const TEXT_FAULTS: readonly Fault[] = [
	{
		// What no letter was found for, and what Latin1 has no letters for.
		form: /[\ufffd\u0080-\u009f]/,
		what: 'was read in the wrong encoding',
		advice: "Save the file as CSV UTF-8, or set 'Encoding' in Extract from File",
	},
	{
		// As #REF! and #N/A, which is #NV in German.
		form: /^#(?:[\p{Lu}\d/]+[!?]|N\/A|NV)$/u,
		what: 'is the error of a formula',
		advice: 'Correct the formula in the sheet',
	},
];

const LINE_FAULTS: readonly Fault[] = [
	...TEXT_FAULTS,
	{
		form: /[\p{Cc}\p{Zl}\p{Zp}]/u,
		what: 'has a line break or another control character',
		advice: 'Remove it, or check the expression that gives the value',
	},
	{
		form: NOTHING,
		what: 'stands for no value',
		advice: 'Leave it empty, or check the expression that gives it',
	},
	{
		form: /^\{\{.*\}\}$/,
		what: 'is an expression that n8n did not evaluate',
		advice: "Switch the field from 'Fixed' to 'Expression'",
	},
];

const NUMERIC_FAULTS: readonly Fault[] = [
	...LINE_FAULTS,
	{
		// As 2024.0 and 4.91701E+11.
		form: /^[+-]?\d+(?:[.,]0+|e[+-]\d+|[.,]\d+e[+-]?\d+)$/i,
		what: 'is a number that a spreadsheet or a program has changed',
		advice: 'Format the column as text, and enter the value again',
	},
];

/** Sheets and AI models may give a number or a boolean. @throws Failure for anything else */
function textOf(label: string, value: unknown): string {
	if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
		return String(value);
	throw fieldFailure(label, 'must be text', 'Check the expression that gives it');
}

function faultless(label: string, text: string, faults: readonly Fault[]): string {
	const fault = faults.find(({ form }) => form.test(text));
	if (fault) throw fieldFailure(label, `${fault.what}: ${quoted(text)}`, fault.advice);
	return text;
}

const lineWithout =
	(faults: readonly Fault[]): ParseValue<string> =>
	(label, value) =>
		faultless(label, unquoted(textOf(label, value)), faults);

/** An address, name, email or the like: without invisible characters, and without the blanks and quotes around it. */
export const parseLine = lineWithout(LINE_FAULTS);

/** A line that may be a number: an alias, a tag, a phone, a postal code. */
export const parseNumericLine = lineWithout(NUMERIC_FAULTS);

/** A title, description or message, as it was entered. */
export const parseText: ParseValue<string> = (label, value) =>
	faultless(label, textOf(label, value), TEXT_FAULTS);

/** A password, exactly as it was entered. */
export const parseSecret: ParseValue<string> = textOf;

export const requiredValue =
	(parse: ParseValue<string>): ParseValue<string> =>
	(label, value) => {
		if (isBlank(value)) throw emptyFailure(label);
		return parse(label, value);
	};

export const emptyFailure = (label: string): Failure =>
	fieldFailure(label, 'is empty', 'Enter a value, or check the expression that gives it');

export const parseRequiredLine = requiredValue(parseLine);

export const parseCount: ParseValue<number> = (label, value) => {
	const number = countIn(value);
	if (number !== undefined) return number;
	throw fieldFailure(label, `must be a whole number of 0 or more, but is ${quoted(value)}`);
};

export const parseBoolean: ParseValue<boolean> = (label, value) => {
	const found = booleanIn(typeof value === 'string' ? visibleText(value).toLowerCase() : value);
	if (found !== undefined) return found;
	throw fieldFailure(label, `must be true or false, but is ${quoted(value)}`);
};

/** What a JSON field says; an expression may have parsed it already. */
export function parseJson(label: string, value: unknown): unknown {
	let found = value;
	try {
		if (typeof value === 'string') found = jsonParse<unknown>(value);
	} catch {
		const advice = 'Put texts in double quotes, and check for a missing comma or bracket';
		throw fieldFailure(label, 'is not valid JSON', advice);
	}
	// A String, a Date or a Luxon DateTime from an expression is something else in JSON.
	return isBlank(found) ? found : jsonParse<unknown>(JSON.stringify(found));
}

export const PICK_OR_ENTER_ID = 'Enter its ID, or pick one from the list';

export function parseId(label: string, value: unknown, advice = PICK_OR_ENTER_ID): number {
	const id = idIn(typeof value === 'string' ? visibleText(value) : value);
	if (id !== undefined) return id;
	throw fieldFailure(label, `must be a positive whole number, but is ${quoted(value)}`, advice);
}
