// What a field or a cell holds, by its kind: line, line that may be a number, text, secret; count, flag, JSON, ID. An address, a color,
// a date or a phone is read from its line. Errors name the field by its label.

import { type IDataObject, jsonParse } from 'n8n-workflow';

import { type Failure, fieldFailure, quoted } from './failure';
import {
	AS_TEXT,
	EMPTY_WORDS,
	type Fault,
	FAULTS_OF_LINE,
	FAULTS_OF_NUMERIC_LINE,
	FAULTS_OF_TEXT,
} from './faults';
import { booleanIn, countIn, idIn, isRecord } from './json';
import { visibleText } from './text';

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

/** Whether a value is a word that programs write for none: blank in a column and in the call of an agent, refused in a field. */
export const isNothing = (value: unknown): boolean =>
	typeof value === 'string' && EMPTY_WORDS.has(visibleText(value));

const isDate = (value: object): boolean => value instanceof Date || 'isLuxonDateTime' in value;

/** What an AI model gives, without the words for nothing in it. */
export function withoutNothing(value: unknown): unknown {
	if (isNothing(value)) return '';
	if (Array.isArray(value)) return value.map(withoutNothing);
	if (!isRecord(value) || isDate(value)) return value;
	const members = Object.entries(value).map(
		([name, member]) => [name, withoutNothing(member)] as const,
	);
	return Object.fromEntries(members);
}

/** The one value in a cell of Airtable or Baserow, such as `["Spring"]`, `{id, value}` or `[{name}]`. */
export function cellValue(cell: unknown): unknown {
	if (Array.isArray(cell) && cell.length < 2) return cellValue(cell[0]);
	if (!isRecord(cell) || isDate(cell)) return cell;
	const [member, ...more] = ['value', 'name', 'text'].filter((name) => name in cell);
	return member === undefined || more.length > 0 ? cell : cell[member];
}

/** Sheets and AI models may give a number or a boolean. @throws Failure for anything else, without the value, which may be secret */
function textOf(label: string, entered: unknown): string {
	const value = cellValue(entered);
	if (Array.isArray(value)) throw fieldFailure(label, `has ${value.length} values instead of one`);
	if (typeof value === 'number' && Math.abs(value) >= 1e15)
		throw fieldFailure(label, 'is a number of more than 15 digits', AS_TEXT);
	if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
		return String(value);
	throw fieldFailure(label, 'must be text', 'Check the expression that gives it');
}

const withoutFaults =
	(faults: readonly Fault[], read = (text: string): string => text): ParseValue<string> =>
	(label, value) => {
		const text = read(textOf(label, value));
		const fault = faults.find(({ isIn }) => isIn(text));
		if (fault) throw fieldFailure(label, `${fault.what}: ${quoted(text)}`, fault.advice);
		return text;
	};

/** An address, name, email or the like, without invisible characters and the spaces around it. */
export const parseLine = withoutFaults(FAULTS_OF_LINE, visibleText);

/** A line that may be a number: an alias, a tag, a phone, a postal code. */
export const parseNumericLine = withoutFaults(FAULTS_OF_NUMERIC_LINE, visibleText);

/** A title, description or message, as it was entered. */
export const parseText = withoutFaults(FAULTS_OF_TEXT);

/** A password, exactly as it was entered. */
export const parseSecret: ParseValue<string> = textOf;

export const requiredValue =
	<T>(parse: ParseValue<T>): ParseValue<T> =>
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
