import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn, textIn } from '../values/json';
import type { RateInfo } from './rateWindow';

/** How inexact a time in a response may be: the response takes a while to arrive, and seconds are rounded down. */
const TOLERANCE_MS = 5000;

/** A longer wait was misread. */
const LONGEST_WAIT_MS = 3_600_000;

/** A date that far ahead was misread, too: its zone may be an hour ahead. */
const LONGEST_RESET_MS = LONGEST_WAIT_MS - TOLERANCE_MS;

/** Smaller numbers are seconds from now, greater ones an epoch: nobody waits three years. */
const SMALLEST_EPOCH_SECONDS = 1e8;

/** As seconds, this epoch would be in the year 5138. */
const SMALLEST_EPOCH_MS = 1e11;

/**
 * What a response says about the rate limit, for the limiter, which knows nothing of HTTP.
 * @param epoch this machine's time in epoch milliseconds; counts if the response has no `Date` header
 */
export function readRateInfo(
	{ headers, body }: { headers: IDataObject; body: unknown },
	isRefusal: boolean,
	epoch: number,
): RateInfo {
	const now = serverTime(headers) ?? epoch;
	const limit = integerIn(headers['x-ratelimit-limit']) ?? 0;
	const remaining = integerIn(headers['x-ratelimit-remaining']);
	const resetInMs = waitFor(headers['x-ratelimit-reset'], now, LONGEST_RESET_MS);
	const inBody = Object.entries(mapIn(body)).find(([name]) => /^retry.?after$/i.test(name))?.[1];
	const report = limit > 0 && remaining !== undefined ? { limit, remaining, resetInMs } : undefined;
	return {
		report,
		isRefusal,
		waitMs: waitFor(headers['retry-after'], now) ?? waitFor(inBody, now),
	};
}

/** Whether more requests may follow, so that a refusal is not about the rate limit. */
export const hasRequestsLeft = (headers: IDataObject): boolean =>
	(integerIn(headers['x-ratelimit-remaining']) ?? 0) > 0;

/** When the service answered, by its own clock: the `Date` header, exact to the second, in epoch milliseconds. */
export function serverTime(headers: IDataObject): number | undefined {
	const moment = dateIn(headers.date);
	return Number.isNaN(moment) ? undefined : moment;
}

/**
 * How long a response asks to wait, in milliseconds: the only place that reads such a time, which may be a number of seconds,
 * an epoch in seconds or milliseconds, or a date. Undefined if it asks for none, or if it was misread.
 * @param longestDelayMs the most that a number of seconds from now can mean
 */
function waitFor(
	value: unknown,
	now: number,
	longestDelayMs = LONGEST_WAIT_MS,
): number | undefined {
	const text = typeof value === 'number' ? String(value) : textIn(value);
	const number = Number(text ?? Number.NaN);
	const isDelay = number < SMALLEST_EPOCH_SECONDS;
	const epoch = number < SMALLEST_EPOCH_MS ? number * 1000 : number;
	const moment = Number.isNaN(number) ? dateIn(text) : epoch;
	const wait = isDelay ? Math.max(0, number) * 1000 : moment - now;
	const isCredible = wait >= -TOLERANCE_MS && wait <= (isDelay ? longestDelayMs : LONGEST_RESET_MS);
	return isCredible ? Math.max(0, wait) : undefined;
}

/**
 * Epoch milliseconds of an HTTP date, ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC; NaN for anything else, because `Date.parse`
 * accepts too much.
 */
function dateIn(value: unknown): number {
	const text = textIn(value) ?? '';
	if (/^[A-Z][a-z]{2,8}, .* GMT/.test(text)) return Date.parse(text);
	if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return Number.NaN;
	const hasZone = /Z|[+-]\d{2}:?\d{2}/i.test(text);
	return Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
}
