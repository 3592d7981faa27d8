// Hides secrets in what a service returns and in messages, in every encoding in which they may appear.

import { isRecord } from '../values/json';

/** Replaces secrets in a text with asterisks; made by `maskOf`. */
export type Mask = (text: string) => string;

/** Shorter secrets would be found in any text. */
const SHORTEST_SECRET = 8;

/** The forms in which a service, or the network, may repeat a secret. */
function formsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const encoded = encodeURIComponent(secret);
	const everySign = Buffer.from(secret).toString('hex').replace(/../g, '%$&');
	return [
		secret,
		inJson,
		// As PHP writes JSON, and as Go does.
		inJson.replaceAll('/', '\\/'),
		inJson.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
		encoded,
		encoded.replace(/%../g, (code) => code.toLowerCase()),
		everySign,
		everySign.toUpperCase(),
		base64(secret, 'base64'),
		base64(secret, 'base64url'),
	];
}

/** The characters that the secret alone decides, whatever follows it. */
const base64 = (secret: string, alphabet: 'base64' | 'base64url'): string =>
	Buffer.from(secret)
		.toString(alphabet)
		.slice(0, Math.floor((secret.length * 8) / 6));

export function maskOf(secrets: readonly string[]): Mask {
	const forms = secrets
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.flatMap(formsOf)
		// A longer one may contain a shorter one.
		.toSorted((a, b) => b.length - a.length);
	const wanted = [...new Set(forms)];
	return (text) => wanted.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

/** Masks the strings in a value of JSON, also the names of members. */
export function withoutSecrets(value: unknown, mask: Mask): unknown {
	if (typeof value === 'string') return mask(value);
	if (Array.isArray(value)) return value.map((member: unknown) => withoutSecrets(member, mask));
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [
		mask(name),
		withoutSecrets(member, mask),
	]);
	return Object.fromEntries(members);
}
