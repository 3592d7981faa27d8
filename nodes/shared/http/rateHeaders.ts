// What a response says about the rate limit, in any of the forms that the API document leaves open. Also when the service
// answered, by its own clock.

import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn, textIn } from '../values/json';
import { epochMs, momentIn } from '../values/moment';
import type { RateInfo } from './rateWindow';

/** A time in a response may be off by this much. If it means a longer wait than an hour, it was misread. */
const TOLERANCE_MS = 5000;
export const LONGEST_WAIT_MS = 3_600_000;

/** A smaller number means seconds from now: nobody waits three years. */
const SMALLEST_EPOCH_SECONDS = 1e8;

/** What a response says about the rate limit, in headers or body. @param now when the service answered */
export function rateInfoIn(
	{ headers, body }: { headers: IDataObject; body: unknown },
	isRefused: boolean,
	now: number,
): RateInfo {
	const limit = integerIn(headers['x-ratelimit-limit']) ?? 0;
	const remaining = integerIn(headers['x-ratelimit-remaining']);
	const resetInMs = waitFor(headers['x-ratelimit-reset'], now);
	const inBody = Object.entries(mapIn(body)).find(([name]) => /^retry.?after$/i.test(name))?.[1];
	return {
		report: limit > 0 && remaining !== undefined ? { limit, remaining, resetInMs } : undefined,
		isRefused,
		waitMs: waitFor(headers['retry-after'], now) ?? waitFor(inBody, now),
	};
}

/** When the service answered, by its own clock. @param epoch the time, if no `Date` header says it */
export const serverTime = ({ date }: IDataObject, epoch: number): number => momentIn(date) ?? epoch;

/** Milliseconds to wait, from a number of seconds, an epoch in seconds or milliseconds, or a date. Undefined if misread. */
function waitFor(value: unknown, now: number): number | undefined {
	const text = typeof value === 'number' ? String(value) : textIn(value);
	if (text === undefined) return undefined;
	const number = Number(text);
	if (number < SMALLEST_EPOCH_SECONDS) return credibleWait(number * 1000, LONGEST_WAIT_MS);
	const epoch = epochMs(number);
	const moment = momentIn(text) ?? epoch;
	// The zone of a date may be an hour ahead.
	return credibleWait(moment - now, LONGEST_WAIT_MS - TOLERANCE_MS);
}

const credibleWait = (wait: number, longest: number): number | undefined =>
	wait >= -TOLERANCE_MS && wait <= longest ? Math.max(0, wait) : undefined;
