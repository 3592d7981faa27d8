// Short hashes of texts.

/** The first characters of a text's SHA-256 hash in base64url, of 6 bits each. */
export async function digest(text: string, length: number): Promise<string> {
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(hash).toString('base64url').slice(0, length);
}
