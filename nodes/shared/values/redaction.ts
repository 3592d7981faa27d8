// Takes the secrets of a credential out of texts.

import { isRecord } from './json';

export type Redact = (text: string) => string;

/** Also as a URL holds them. Shorter ones would be found in any text. */
export function redactorFor(secrets: readonly string[]): Redact {
	const long = secrets.filter(({ length }) => length >= 8);
	const forms = long.flatMap((secret) => [secret, encodeURIComponent(secret)]);
	return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

export function redactDeep(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((member: unknown) => redactDeep(member, redact));
	if (!isRecord(value)) return value;
	const members = Object.entries(value);
	return Object.fromEntries(members.map(([name, member]) => [name, redactDeep(member, redact)]));
}
