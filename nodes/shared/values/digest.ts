/** The first characters of a text's SHA-256 in base64url; each holds 6 bits. */
export async function digest(text: string, length: number): Promise<string> {
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(hash).toString('base64url').slice(0, length);
}
