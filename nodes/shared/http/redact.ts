// Hides secrets in what a service returns and in messages.

import { isRecord } from '../values/json';

/** Replaces secrets in a text with asterisks; made by `redactorFor`. */
export type Redactor = (text: string) => string;

/** Also as a URL holds them. Shorter ones would be found in any text. */
export function redactorFor(secrets: readonly string[]): Redactor {
	const long = secrets.filter(({ length }) => length >= 8);
	const forms = long.flatMap((secret) => [secret, encodeURIComponent(secret)]);
	return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

export function redactDeep(value: unknown, redact: Redactor): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((member: unknown) => redactDeep(member, redact));
	if (!isRecord(value)) return value;
	const members = Object.entries(value);
	return Object.fromEntries(members.map(([name, member]) => [name, redactDeep(member, redact)]));
}
