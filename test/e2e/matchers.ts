/** Jest's matchers as values of a known type: its own are `any`. */

export const A_NUMBER: unknown = expect.any(Number);
export const A_STRING: unknown = expect.any(String);
export const A_RECORD: unknown = expect.any(Object);

export function like(pattern: RegExp): unknown {
	return expect.stringMatching(pattern);
}

export function including(fields: Record<string, unknown>): unknown {
	return expect.objectContaining(fields);
}

export function listWith(element: unknown): unknown {
	return expect.arrayContaining([element]);
}
