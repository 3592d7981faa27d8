// Reads times that a service writes, and names of time zones.

import { fieldFailure, quoted } from './failure';
import { textIn } from './json';

export const DAY_MS = 86_400_000;

/** A number larger than this counts milliseconds, not seconds. */
const SMALLEST_EPOCH_MS = 1e11;

/** Epoch milliseconds of an epoch in seconds or milliseconds. */
export const epochMs = (epoch: number): number =>
	epoch < SMALLEST_EPOCH_MS ? epoch * 1000 : epoch;

/** Epoch milliseconds of an HTTP date, ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC. `Date.parse` alone accepts too much. */
export function momentIn(value: unknown): number | undefined {
	const text = textIn(value) ?? '';
	const isHttpDate = /^[A-Z][a-z]{2,8}, .* GMT/.test(text);
	if (!isHttpDate && !/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
	const hasZone = isHttpDate || /Z|[+-]\d{2}:?\d{2}/i.test(text);
	const moment = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
	return Number.isNaN(moment) ? undefined : moment;
}

/** The IANA name of a time zone. It is typed by hand, so it may be wrong. Not checked for each request: that is slow. */
export function checkedTimeZone(name: string): string {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return name;
	} catch {
		throw fieldFailure(
			'Service Time Zone',
			`must be a time zone, but is ${quoted(name)}`,
			'Enter its IANA name in the credential, as in Europe/Berlin',
		);
	}
}
