// Reads times that a service writes.

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
