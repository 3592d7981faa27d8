import { isDatetime } from './clock.ts';
import { Failure } from './failure.ts';

/** What a request may hold: the JSON schemas of its fields, which Fastify checks, and what to say of a field that is wrong. */

export type Fields = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>> | false;

export const isRecord = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body of these fields; some must be there. */
export const bodyOf = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
	type: 'object',
	properties,
	required,
});

export const TEXT = { type: 'string', maxLength: 65_535 };
export const FILLED = { ...TEXT, pattern: '\\S' };
export const FLAG = { type: 'boolean' };
export const WHOLE = { type: 'integer' };
/** A field that an update must not have. */
export const REFUSED = false;
export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
export const listOf = (properties: Record<string, Schema>, ...required: string[]) => ({
	type: 'array',
	items: { type: 'object', properties, required },
});
/** A text of a format; blank is none. */
export const textOf = (format: keyof typeof FORMATS) => ({ ...TEXT, format });

const FORBIDDEN = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'];
const protocolOf = (text: string): string | undefined =>
	URL.canParse(text) && !/\s/.test(text) ? new URL(text).protocol : undefined;

const TESTS = {
	'an email address': (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
	'an http or https URL': (text: string) => ['http:', 'https:'].includes(protocolOf(text) ?? ''),
	// Only placeholders have blanks.
	'an absolute URL': (text: string) =>
		!FORBIDDEN.includes(protocolOf(text.replace(/<%.*?%>|\{.*?\}|\[.*?\]/g, 'x')) ?? 'data:'),
	'a datetime written YYYY-MM-DD HH:MM:SS': isDatetime,
	'1 to 64 letters, digits, - or _': (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text),
	'a HEX colour such as #ff8800': (text: string) => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
	'a colour written rgb(r,g,b), each from 0 to 255': (text: string) => {
		const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)?.slice(1);
		return parts?.every((part) => Number(part) <= 255) ?? false;
	},
	'a jpg or png image': (text: string) => /\.(jpe?g|png)$/i.test(text.replace(/[?#].*/, '')),
};

/** By what a message calls a format. */
const FORMATS = Object.fromEntries(
	Object.entries(TESTS).map(([name, test]) => [
		name,
		(given: string) => given.trim() === '' || test(given.trim()),
	]),
) as typeof TESTS;

/** As tolerant as a PHP service where a wrong type is harmless: 5 for "5", null for an empty text. */
export const VALIDATION = { coerceTypes: true, allowUnionTypes: true, formats: FORMATS } as const;

interface SchemaError {
	keyword: string;
	/** The place of the field, `/geotarget/0/link`. */
	instancePath: string;
	params: Record<string, unknown>;
}

/** The failure that names the field that is wrong, and says how. */
export function failureOfInput([error]: SchemaError[]): Failure {
	const { keyword = '', instancePath = '', params = {} } = error ?? {};
	const missing = params.missingProperty;
	const name = typeof missing === 'string' ? missing : instancePath.split('/').pop();
	const words: Record<string, string> = {
		required: 'is required',
		pattern: 'is required',
		'false schema': 'cannot be changed',
		maxLength: `must not be longer than ${String(params.limit)} characters`,
		format: `must be ${String(params.format)}`,
		enum: `must be one of: ${String(params.allowedValues)}`,
		type: `must be ${String(params.type)}`,
		minimum: `must be at least ${String(params.limit)}`,
		maximum: `must be at most ${String(params.limit)}`,
	};
	return new Failure(422, `${name ?? ''} ${words[keyword] ?? 'is wrong'}.`);
}

/** The body as fields. No body, an empty array (PHP's empty object) and no object are no fields. */
export const fieldsOf = (body: unknown): Fields => (isRecord(body) ? body : {});

/** A text without the blanks around it; undefined if it was not sent. */
export function textIn(fields: Fields, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}

/** The same; undefined for a blank text, too. */
export function filledIn(fields: Fields, name: string): string | undefined {
	const text = textIn(fields, name);
	return text === '' ? undefined : text;
}
