// What a response says about the rate limit, in headers or body. The API document shows no form of a time.

import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn, textIn } from '../values/json';
import { epochMs, momentIn } from '../values/moment';

export interface RateInfo {
	limit?: number | undefined;
	remaining?: number | undefined;
	/** When the window ends, or how long to wait after a refusal. */
	resetInMs?: number | undefined;
	isRefused: boolean;
}

/** Any other wait was misread: a date without a time zone may be an hour ahead, less what is left of the window. */
const LONGEST_WAIT_MS = 55 * 60_000;

/** A smaller number means seconds from now: nobody waits three years. */
const SMALLEST_EPOCH = 1e8;

export function rateInfoIn(
	{ headers, body }: { headers: IDataObject; body: unknown },
	isRefused: boolean,
	now: number,
): RateInfo {
	const limit = integerIn(headers['x-ratelimit-limit']);
	const remaining = integerIn(headers['x-ratelimit-remaining']);
	const retryAfter = headers['retry-after'] ?? mapIn(body)['Retry-After'];
	const wait = isRefused ? waitFor(retryAfter, now) : undefined;
	const reset = headers['x-ratelimit-reset'];
	// A reset of 0 says nothing.
	const resetInMs = wait ?? (Number(reset) === 0 ? undefined : waitFor(reset, now));
	return limit && remaining !== undefined
		? { limit, remaining, resetInMs, isRefused }
		: { resetInMs, isRefused };
}

/** When the service responded, by its own clock. @param epoch the time, if no `Date` header says it */
export const serverTime = ({ date }: IDataObject, epoch: number): number => momentIn(date) ?? epoch;

/** Milliseconds to wait, from a number of seconds, an epoch in seconds or milliseconds, or a date. */
function waitFor(value: unknown, now: number): number | undefined {
	const text = typeof value === 'number' ? String(value) : textIn(value);
	const number = Number(text);
	const moment = momentIn(text) ?? epochMs(number);
	const wait = number < SMALLEST_EPOCH ? number * 1000 : moment - now;
	const isCredible = wait >= -5000 && wait <= LONGEST_WAIT_MS;
	return isCredible ? Math.max(0, wait) : undefined;
}
