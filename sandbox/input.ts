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
export const EMAIL = { ...TEXT, format: 'an email address' };
export const SLUG = { ...TEXT, format: '1 to 64 letters, digits, - or _' };
export const FLAG = { type: 'boolean' };
/** A field that an update must not have. */
export const REFUSED = false;
export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
export const listOf = (properties: Record<string, Schema>, ...required: string[]) => ({
	type: 'array',
	items: { type: 'object', properties, required },
});

/** By what a message calls a format. A blank text is none. */
const FORMATS = {
	'an email address': /^\s*$|^\s*[^\s@]+@[^\s@]+\s*$/,
	'1 to 64 letters, digits, - or _': /^[A-Za-z0-9_-]{0,64}$/,
};

/** As tolerant as a PHP service: 5 for "5", null for an empty text, and fields that it does not know are ignored. */
export const VALIDATION = {
	coerceTypes: true,
	allowUnionTypes: true,
	removeAdditional: 'all',
	formats: FORMATS,
} as const;

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
