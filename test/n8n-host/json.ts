/** Small guards to read JSON that came from outside, so that nothing needs to be cast. */

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a record; an empty one for anything else. */
export function record(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

/** The value as a list; an empty one for anything else. */
export function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** @throws Error naming `what` when the value is not a string */
export function text(value: unknown, what: string): string {
	if (typeof value !== 'string') throw new Error(`${what} should be a string, is ${typeof value}`);
	return value;
}

/** Those members of a record, which are texts. @throws Error naming the first that is none */
export function texts<Name extends string>(value: unknown, ...names: Name[]): Record<Name, string> {
	const members = record(value);
	const pairs = names.map((name) => [name, text(members[name], name)]);
	return Object.fromEntries(pairs) as Record<Name, string>;
}
