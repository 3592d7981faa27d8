/** Jest's matchers as values of a known type: its own are `any`. */

export function like(pattern: RegExp): unknown {
	return expect.stringMatching(pattern);
}

export function including(fields: Record<string, unknown>): unknown {
	return expect.objectContaining(fields);
}
