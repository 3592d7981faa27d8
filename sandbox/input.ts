import { Failure } from './failure.ts';
import { isDatetime } from './clock.ts';

/**
 * Reads the fields of a request body: as tolerant as a PHP service where a wrong type is
 * harmless (`"1"` for 1, 5 for "5"), else a failure that names the field.
 *
 * Every reader gives `undefined` for a field that was not sent, and the empty value for `null`.
 */
export type Fields = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 65_535;

export const isRecord = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body as fields. No body and an empty array (PHP's empty object) are no fields. */
export function fieldsOf(body: unknown): Fields {
	if (body === undefined || body === null || body === '') return {};
	if (Array.isArray(body) && body.length === 0) return {};
	if (!isRecord(body)) throw new Failure(400, 'The body must be a JSON object.');
	return body;
}

const given = (fields: Fields, name: string): unknown =>
	Object.hasOwn(fields, name) ? fields[name] : undefined;

function textOf(value: unknown, name: string): string {
	if (value === null) return '';
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') throw new Failure(422, `${name} must be a text.`);
	if (value.length > LONGEST_TEXT) {
		throw new Failure(422, `${name} must not be longer than ${LONGEST_TEXT} characters.`);
	}
	return value;
}

export function readText(fields: Fields, name: string): string | undefined {
	const value = given(fields, name);
	return value === undefined ? undefined : textOf(value, name);
}

export function readRequiredText(fields: Fields, name: string): string {
	const value = readText(fields, name);
	if (value === undefined || value.trim() === '') throw new Failure(422, `${name} is required.`);
	return value;
}

export function readFlag(fields: Fields, name: string): boolean | undefined {
	const value = given(fields, name);
	if (value === undefined) return undefined;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 1 || word === '1' || word === 'true') return true;
	if (!word || word === '0' || word === 'false') return false;
	throw new Failure(422, `${name} must be true or false.`);
}

export function readInteger(fields: Fields, name: string): number | undefined {
	const value = readText(fields, name)?.trim();
	if (value === undefined || value === '') return undefined;
	if (!/^-?\d{1,12}$/.test(value)) throw new Failure(422, `${name} must be a whole number.`);
	return Number(value);
}

/** A text; undefined for an empty one. */
export const nonEmpty = (value: string | undefined): string | undefined =>
	value === '' ? undefined : value;

/** An http or https URL, or '' when empty. */
export function readUrl(fields: Fields, name: string): string | undefined {
	const value = readText(fields, name)?.trim();
	if (value) checkUrl(value, name);
	return value;
}

export function readRequiredUrl(fields: Fields, name: string): string {
	const value = readRequiredText(fields, name).trim();
	checkUrl(value, name);
	return value;
}

/** The address that a link leads to: any absolute one, also of an app, but none that runs code. Only placeholders have blanks. */
export function readTarget(fields: Fields, name: string): string {
	const value = readRequiredText(fields, name).trim();
	const hasBlank = /\s/.test(value.replace(/<%.*?%>|\{.*?\}|\[.*?\]/g, ''));
	const url = URL.canParse(value) && !hasBlank ? new URL(value) : undefined;
	if (url && !/^(?:javascript|data|vbscript|file|blob):/.test(url.protocol)) return value;
	throw new Failure(422, `${name} must be an absolute URL.`);
}

function checkUrl(value: string, name: string): void {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol) || /\s/.test(value)) {
		throw new Failure(422, `${name} must be an http or https URL.`);
	}
}

/** A datetime `YYYY-MM-DD HH:MM:SS`, or '' when empty. */
export function readDatetime(fields: Fields, name: string): string | undefined {
	const value = readText(fields, name)?.trim();
	if (value && !isDatetime(value)) {
		throw new Failure(422, `${name} must be a datetime written YYYY-MM-DD HH:MM:SS.`);
	}
	return value;
}

/** An array of objects; none for null. */
export function readRecords(fields: Fields, name: string): Fields[] | undefined {
	const value = given(fields, name);
	if (value === undefined) return undefined;
	if (value === null || value === '') return [];
	if (!Array.isArray(value)) throw new Failure(422, `${name} must be an array of objects.`);
	return value.map((entry: unknown) => {
		if (!isRecord(entry)) throw new Failure(422, `${name} must be an array of objects.`);
		return entry;
	});
}

/** One of the allowed words. */
export function readWord<Word extends string>(
	fields: Fields,
	name: string,
	allowed: readonly Word[],
): Word {
	const value = readRequiredText(fields, name);
	const word = allowed.find((candidate) => candidate === value);
	if (!word) throw new Failure(422, `${name} must be one of: ${allowed.join(', ')}.`);
	return word;
}

/** A field that an update must not have. */
export function refuseField(fields: Fields, name: string): void {
	if (Object.hasOwn(fields, name)) throw new Failure(422, `${name} cannot be changed.`);
}
