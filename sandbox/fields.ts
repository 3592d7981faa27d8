/** What a request or a record holds, dates among it, and the JSON schemas by which Fastify checks it. */

export type ServiceName = 'link' | 'store';
export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** No body, an empty array (PHP's empty object) and no object are no fields. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** A text without the blanks around it; undefined if it was not sent. */
export function textIn(fields: Fields, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}

/** Returns epoch milliseconds. It is an argument wherever time matters, so that tests can set it. */
export type Clock = () => number;

export const DAY_MS = 24 * 3600 * 1000;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the time zone of the link service. */
export const datetime = (ms: number): string =>
	new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** ISO 8601 in UTC to the second, as the store writes timestamps. */
export const isoTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A body of these fields; some must be there. False: a field that it must not have. */
export const bodyOf = (properties: Record<string, object | false>, ...required: string[]) => ({
	type: 'object',
	properties,
	required,
});

export const TEXT = { type: 'string', maxLength: 65_535 };
export const FLAG = { type: 'boolean' };
export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
