import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn } from '../values/json';
import type { RateInfo } from './rateWindow';

/** A response takes a while to arrive, and its times are cut to whole seconds, so they are inexact by so much. */
const TOLERANCE_MS = 5000;

/** A longer delay was misread. */
const LONGEST_DELAY_MS = 3_600_000;

/** So was a time that far away: it may be given in a time zone an hour ahead. */
const LONGEST_RESET_MS = LONGEST_DELAY_MS - TOLERANCE_MS;

/** A smaller number counts seconds from now; a greater one, which would be three years of seconds, is an epoch. */
const SMALLEST_EPOCH_SECONDS = 1e8;

/** An epoch from here on is in milliseconds: in seconds it would be in the year 5138. */
const SMALLEST_EPOCH_MS = 1e11;

/**
 * What a response says about the rate limit, for the limiter, which knows nothing of HTTP.
 * @param isRefusal whether the service refused the request because of its limit
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
	return {
		report: limit > 0 && remaining !== undefined ? { limit, remaining, resetInMs } : undefined,
		isRefusal,
		waitMs:
			waitFor(headers['retry-after'], now, LONGEST_DELAY_MS) ??
			waitFor(inBody, now, LONGEST_DELAY_MS),
	};
}

/** Whether the response says that more requests may follow. Then the refusal is not about the rate limit. */
export function hasRequestsLeft(headers: IDataObject): boolean {
	return (integerIn(headers['x-ratelimit-remaining']) ?? 0) > 0;
}

/** When the service answered, by its own clock: the `Date` header, exact to the second, in epoch milliseconds. */
export function serverTime(headers: IDataObject): number | undefined {
	const moment = dateIn(headers.date);
	return Number.isNaN(moment) ? undefined : moment;
}

/**
 * How long a response asks to wait, in milliseconds. Every wait that a service asks for is read here, so none is longer than an
 * hour. Undefined if the service asks for none, or if it was misread.
 * @param longestDelayMs the most that a number of seconds from now can mean
 */
function waitFor(value: unknown, now: number, longestDelayMs: number): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isDelay = typeof number === 'number' && number < SMALLEST_EPOCH_SECONDS;
	const wait = isDelay ? Math.max(0, number) * 1000 : momentIn(number, value) - now;
	const isCredible = wait >= -TOLERANCE_MS && wait <= (isDelay ? longestDelayMs : LONGEST_RESET_MS);
	return isCredible ? Math.max(0, wait) : undefined;
}

/**
 * Epoch milliseconds of a time in any of the forms that the documents leave open: an epoch in seconds or milliseconds, an HTTP
 * date, ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC. NaN if it is none.
 */
function momentIn(number: unknown, value: unknown): number {
	if (typeof number !== 'number' || Number.isNaN(number)) return dateIn(value);
	return number < SMALLEST_EPOCH_MS ? number * 1000 : number;
}

/** Accepts known forms only: `Date.parse` takes nearly any text with a number in it for a date. */
function dateIn(value: unknown): number {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^[A-Z][a-z]{2,8}, .* GMT/.test(text)) return Date.parse(text);
	if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return Number.NaN;
	const hasZone = /Z|[+-]\d{2}:?\d{2}/i.test(text);
	return Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
}
