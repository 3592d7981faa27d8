/** 96 bits of a hash, because n8n stores it and shows it to users. */
export async function digest(value: unknown): Promise<string> {
	const text = new TextEncoder().encode(JSON.stringify(value));
	const hash = await crypto.subtle.digest('SHA-256', text);
	return Buffer.from(hash).toString('base64url').slice(0, 16);
}
