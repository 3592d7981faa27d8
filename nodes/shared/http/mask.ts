import { isRecord } from '../values/json';

/** Replaces secrets in a text, also encoded or escaped ones, with asterisks; made by `maskFor`. */
export type Mask = (text: string) => string;

/** The last masks, kept because compiling one is slow; few, because each takes 300 kB of the code memory of Node.js. */
const recent = new Map<string, Mask>();
const MAX_MASKS = 20;

export function maskFor(secrets: readonly string[]): Mask {
	if (recent.size > MAX_MASKS) recent.clear();
	const key = secrets.join('\n');
	const mask = recent.get(key) ?? maskOf(secrets);
	recent.set(key, mask);
	return mask;
}

/** Masks a value of JSON, also the names of its members, and numbers. */
export function withoutSecrets(value: unknown, mask: Mask): unknown {
	if (typeof value === 'string') return mask(value);
	if (typeof value === 'number') return mask(String(value)) === String(value) ? value : '***';
	if (Array.isArray(value)) return value.map((member: unknown) => withoutSecrets(member, mask));
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [
		mask(name),
		withoutSecrets(member, mask),
	]);
	return Object.fromEntries(members);
}

/** Shorter secrets would be found in any text. */
const SHORTEST = 8;

/** Finds secrets as they are, percent-encoded, escaped for HTML or JSON, and in Base64, also as part of a longer text. */
export function maskOf(secrets: readonly string[]): Mask {
	// One expression for each secret: a single one for all would be too long for Node.js.
	const expressions = secrets
		.filter(({ length }) => length >= SHORTEST)
		// A longer secret may contain a shorter one.
		.toSorted((a, b) => b.length - a.length)
		.map((secret) => [secret.split('').map(anyForm).join(''), ...inBase64(secret)])
		.map((forms) => new RegExp(forms.join('|'), 'g'));
	return (text) => expressions.reduce((rest, secret) => rest.replace(secret, '***'), text);
}

const HTML_NAMES: Readonly<Record<string, string>> = {
	...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' },
};

const END = '(?:;|(?!;))';

function anyForm(character: string): string {
	const code = character.charCodeAt(0);
	const digits = code.toString(16);
	const anyCase = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const name = HTML_NAMES[character];
	const backslashes = /\w/.test(character) ? '' : '\\\\{0,8}';
	// The longest first, because they may begin with the shortest. A semicolon always belongs to the form before it: if it
	// could also be a character of the secret, a long row of them could be read in too many ways.
	const forms = [
		`%(?:25)*${anyCase}`,
		`\\\\{1,8}u00${anyCase}`,
		`&#(?:0*${code}|[xX]0*${anyCase})${END}`,
		...(name === undefined ? [] : [`&${name}${END}`]),
		...(character === ' ' ? ['\\+'] : []),
		`${backslashes}\\x${digits}`,
	];
	return `(?:${forms.join('|')})`;
}

/** The Base64 characters that only the secret decides, for each place in a group of three bytes where it may begin. */
const inBase64 = (secret: string): string[] =>
	[0, 1, 2].map((offset) => {
		const bytes = Buffer.from(`${' '.repeat(offset)}${secret}`);
		const whole = Math.floor((bytes.length * 8) / 6);
		return bytes
			.toString('base64')
			.slice(Math.ceil((offset * 8) / 6), whole)
			.replaceAll('+', '(?:[+-]|%2[bB])')
			.replaceAll('/', '(?:\\\\?\\/|_|%2[fF])');
	});
