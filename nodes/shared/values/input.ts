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

/** Whether a value is a word that programs write for none. In small letters, `none` may be meant. */
export function isNothing(value: unknown): boolean {
	const text = typeof value === 'string' ? visibleText(value) : '';
	return (NOTHING.test(text) && !/^\W?none\W?$/.test(text)) || ['NaT', '<NA>'].includes(text);
}

/** Also in brackets or quotes. */
const NOTHING =
	/^["'(<[]?(?:null|none|nil|undefined|nan|\\n|invalid date(?:time)?|\[object \w+\])["')>\]]?$/i;

/** What people and models write for none. In small letters, `none` may be a tag. */
const NO_VALUE = /^(?:[-–—]+|n\/a|n\.a\.?)$/i;

const NONE = /^[(<[]?none[)>\]]?$/i;

/** Whether a value is no name and no code, but stands for none. */
export function standsForNone(value: unknown): boolean {
	const text = typeof value === 'string' ? unquoted(value) : '';
	return isNothing(text) || NO_VALUE.test(text) || NONE.test(text);
}

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

/** What no text can mean, and what to do about it. */
interface Fault {
	form: Pick<RegExp, 'test'>;
	what: string;
	advice: string;
}

const TEXT_FAULTS: readonly Fault[] = [
	{
		form: /\{\{\s*\$(?:json|node|input|item|now|today|fromAI|\()/,
		what: 'is an expression that n8n did not evaluate',
		advice: "Switch the field from 'Fixed' to 'Expression'",
	},
	{
		// UTF-8 that was read as Latin1 or by Excel: `Ã¼` for `ü`, `Ð¿` for `п`, `â€™` for `’`. `»`, `”` or a blank may follow a real letter.
		form: /[ÂÃÎÏÐÑ][\u0080-\u009f\u00a1-\u00ba\u00bc-\u00bf]|[ÂÃ][€‚ƒ„†‡ˆ‰Š‹ŒŽ–—˜™šœžŸ]|â[€\u0080]|â‚¬/,
		what: 'was read in the wrong encoding',
		advice: "Correct the letters in the sheet, or set 'Encoding' in Extract from File to UTF-8",
	},
	{
		// n8n reads files as UTF-8 or Latin1, and Excel writes others, in which `€` and `–` stand where Latin1 has no letters.
		form: /[\u0080-\u009f]/,
		what: 'was read in the wrong encoding',
		advice: 'Save the file as CSV UTF-8: Latin1 has no such signs',
	},
	{
		form: /\ufffd/,
		what: 'was read in the wrong encoding',
		advice: "Save the file as CSV UTF-8, or set 'Encoding' in Extract from File, often to Latin1",
	},
	{
		form: /\p{Surrogate}/u,
		what: 'has a broken character, such as half an emoji',
		advice: 'Check the expression that shortens or splits the text',
	},
	{
		// In capitals with `!` or `?` at the end, as #REF! and #¿NOMBRE?, or as #N/A, which is #NV in German.
		form: /^(?:#[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|#\p{Lu}\/\p{Lu}|#NV|#{4,}|Err:\d{3})$/u,
		what: 'is the error of a formula',
		advice: 'Correct the formula in the sheet',
	},
];

const NOTHING_FAULT: Fault = {
	form: { test: isNothing },
	what: 'is a word that programs write for no value',
	advice: 'Check the expression that gives it',
};

const AS_TEXT = 'Format the column as text, and enter the value again';

const LINE_FAULTS: readonly Fault[] = [
	...TEXT_FAULTS,
	{
		form: /[\p{Cc}\p{Zl}\p{Zp}]/u,
		what: 'has a line break or another control character',
		advice: 'Remove it, or check the expression that gives the value',
	},
	{
		form: /^[+-]?\d+(?:[.,]\d+e[+-]?|e[+-])\d+$/i,
		what: 'is a number that a spreadsheet has rounded',
		advice: AS_TEXT,
	},
	NOTHING_FAULT,
	{
		// Also where the host of an address should be.
		form: /\[object \w+\]|^https?:\/\/(?:null|undefined)(?![^/:?#])|^(?:null|undefined)(?:https?:|\/)/i,
		what: 'has a word that programs write for no value',
		advice: 'Check the expression that gives it',
	},
];

const noneFault = (what: string, advice: string): Fault => ({
	form: { test: standsForNone },
	what: `is no ${what}, but stands for none`,
	advice,
});

const NUMERIC_FAULTS: readonly Fault[] = [
	...LINE_FAULTS,
	{
		// As 2024.0 and 2024,00; as 1,701,234 with groups and maybe decimals in the way of some country.
		form: /^[+-]?\d[\d ]*[.,]0{1,2}$|^\d{1,3}(?:[,'’]\d{2,3})*[,'’]\d{3}(?:\.\d+)?$|^\d{1,3}(?:\.\d{3})+,\d+$/,
		what: 'is a number that a spreadsheet or a program has changed',
		advice: AS_TEXT,
	},
];

/** Sheets and AI models may give a number or a boolean. */
const textValue = (value: unknown): string | undefined =>
	typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
		? String(value)
		: undefined;

/** @param isSecret Errors do not repeat the value. */
function faultless(
	label: string,
	value: unknown,
	faults: readonly Fault[],
	isSecret = false,
): string {
	const found = textValue(value);
	const shown = (start: string) => (isSecret ? '' : `${start}${quoted(value)}`);
	if (found === undefined)
		throw fieldFailure(
			label,
			`must be text${shown(', but is ')}`,
			'Check the expression that gives it',
		);
	const visible = unquoted(found);
	const fault = faults.find(({ form }) => form.test(visible));
	if (fault) throw fieldFailure(label, `${fault.what}${shown(': ')}`, fault.advice);
	return found;
}

/** A number of more than 15 digits in the form that such a number has in a sheet, where the rest of its digits is lost. */
const inDigits = (value: unknown): unknown =>
	typeof value === 'number' && Math.abs(value) >= 1e15 ? value.toExponential() : value;

const lineWithout =
	(faults: readonly Fault[]): ParseValue<string> =>
	(label, value) =>
		unquoted(faultless(label, inDigits(value), faults));

/** An address, code, email or the like: without invisible characters, and without the blanks and quotes around it. */
export const parseLine = lineWithout(LINE_FAULTS);

/** A line that names a record, such as a campaign: one called `n/a` is not meant. */
export const parseName = lineWithout([
	...LINE_FAULTS,
	noneFault('name', 'Leave it empty, or enter a name'),
]);

/** A tag, which may be a number, or `none`. */
export const parseTag = lineWithout([
	...NUMERIC_FAULTS,
	{
		form: NO_VALUE,
		what: 'is no tag, but stands for none',
		advice: 'Leave it empty, or enter a tag',
	},
]);

/** A line that may be a number: an alias, a phone, a postal code. */
export const parseNumericLine = lineWithout(NUMERIC_FAULTS);

/** A title, description or message, as it was entered. */
export const parseText: ParseValue<string> = (label, value) => faultless(label, value, TEXT_FAULTS);

/** A password, exactly as it was entered. */
export const parseSecret: ParseValue<string> = (label, value) =>
	faultless(label, value, SECRET_FAULTS, true);

const SECRET_FAULTS: readonly Fault[] = [
	...TEXT_FAULTS,
	NOTHING_FAULT,
	noneFault('password', 'Leave it empty, or enter another one'),
];

export const requiredValue =
	(parse: ParseValue<string>): ParseValue<string> =>
	(label, value) => {
		if (isBlank(value)) throw emptyFailure(label);
		return parse(label, value);
	};

export const emptyFailure = (label: string): Failure =>
	fieldFailure(label, `is empty`, 'Enter a value, or check the expression that gives it');

export const parseRequiredLine = requiredValue(parseLine);

export const parseRequiredName = requiredValue(
	lineWithout([...LINE_FAULTS, noneFault('name', 'Enter a name')]),
);

export const parseCount: ParseValue<number> = (label, value) => {
	const number = countIn(value);
	if (number !== undefined) return number;
	throw fieldFailure(label, `must be a whole number of 0 or more, but is ${quoted(value)}`);
};

/** @param held what the field holds, if it is an expression */
export const parseBoolean = (label: string, value: unknown, held?: unknown): boolean => {
	const found = booleanIn(typeof value === 'string' ? visibleText(value).toLowerCase() : value);
	if (found !== undefined) return found;
	const isOfModel = String(held).includes('$fromAI');
	throw fieldFailure(
		label,
		`must be true or false, but is ${quoted(value)}`,
		isOfModel
			? 'Enter one of the two'
			: `Compare it in the field: {{ ${expressionIn(held)} === ${quoted(value)} }}`,
	);
};

const expressionIn = (held: unknown): string =>
	/^=\s*\{\{(.+)\}\}\s*$/s.exec(String(held))?.[1]?.trim() ?? '$json.column';

/** What a JSON field says; an expression may have parsed it already. */
export function parseJson(label: string, value: unknown): unknown {
	let found = value;
	try {
		if (typeof value === 'string') found = jsonParse<unknown>(value);
	} catch {
		throw fieldFailure(
			label,
			`is not valid JSON`,
			'Put texts in double quotes, and check for a missing comma or bracket',
		);
	}
	// A String, a Date or a Luxon DateTime from an expression is something else in JSON.
	return isBlank(found) ? found : jsonParse<unknown>(JSON.stringify(found));
}

export const PICK_OR_ENTER_ID = 'Enter its ID, or pick one from the list';

export function parseId(label: string, value: unknown, advice = PICK_OR_ENTER_ID): number {
	const id = idIn(typeof value === 'string' ? visibleText(value) : value);
	if (id !== undefined) return id;
	if (typeof value === 'string') parseNumericLine(label, value);
	throw fieldFailure(label, `must be a positive whole number, but is ${quoted(value)}`, advice);
}
