// Names what is remembered of a credential, so that no memory keeps its text.

/** 64 bits, enough to tell the credentials of one process apart. */
export function digestOf(value: unknown): string {
	const text = JSON.stringify(value);
	let first = 0;
	let second = 0x9e3779b9;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		first = Math.imul(first ^ code, 0x85ebca6b);
		first ^= first >>> 13;
		second = Math.imul(second ^ code, 0xc2b2ae35);
		second ^= second >>> 16;
	}
	return `${first >>> 0}-${second >>> 0}`;
}
