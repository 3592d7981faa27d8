/** What a request or a record holds, and the JSON schemas by which Fastify checks it. */

export type ServiceName = 'link' | 'store';
export type Fields = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>> | false;

export const isRecord = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** No body, an empty array (PHP's empty object) and no object are no fields. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** A text without the blanks around it; undefined if it was not sent. */
export function textIn(fields: Fields, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}

/** A body of these fields; some must be there. */
export const bodyOf = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
	type: 'object',
	properties,
	required,
});

export const TEXT = { type: 'string', maxLength: 65_535 };
export const FLAG = { type: 'boolean' };
/** A field that an update must not have. */
export const REFUSED = false;
export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
export const listOf = (properties: Record<string, Schema>, ...required: string[]) => ({
	type: 'array',
	items: bodyOf(properties, ...required),
});
