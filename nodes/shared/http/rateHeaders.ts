import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn } from '../values/json';
import type { RateInfo } from './rateWindow';
import type { HttpResponse } from './response';

/** A time further away than an hour was misread, for instance because it is in an unknown time zone. */
const LONGEST_WAIT_MS = 3_600_000;

/** So was a time in the past. But a response takes a while to arrive, and its times are cut to whole seconds. */
const TOLERANCE_MS = 5000;

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
	{ headers, body }: HttpResponse,
	isRefusal: boolean,
	epoch: number,
): RateInfo {
	const now = serverTime(headers) ?? epoch;
	const limit = integerIn(headers['x-ratelimit-limit']) ?? 0;
	const remaining = integerIn(headers['x-ratelimit-remaining']);
	const resetInMs = waitFor(headers['x-ratelimit-reset'], now);
	const inBody = Object.entries(mapIn(body)).find(([name]) => /^retry.?after$/i.test(name))?.[1];
	return {
		report: limit > 0 && remaining !== undefined ? { limit, remaining, resetInMs } : undefined,
		isRefusal,
		waitMs: waitFor(headers['retry-after'], now) ?? waitFor(inBody, now),
	};
}

/** Whether the response says that more requests may follow. Then it is no refusal because of the rate limit. */
export function hasRequestsLeft(headers: IDataObject): boolean {
	return (integerIn(headers['x-ratelimit-remaining']) ?? 0) > 0;
}

/** When the service answered, by its own clock: the `Date` header, exact to the second, in epoch milliseconds. */
export function serverTime(headers: IDataObject): number | undefined {
	const moment = dateIn(headers.date);
	return Number.isNaN(moment) ? undefined : moment;
}

/** Milliseconds until a moment that the service named; undefined if there is none, or if it cannot be right. */
function waitFor(told: unknown, now: number): number | undefined {
	const wait = momentIn(told, now) - now;
	const isCredible = wait >= -TOLERANCE_MS && wait <= LONGEST_WAIT_MS + TOLERANCE_MS;
	return isCredible ? Math.min(Math.max(0, wait), LONGEST_WAIT_MS) : undefined;
}

/**
 * Epoch milliseconds of a moment in any of the forms that the documents leave open: seconds from now, an epoch in seconds
 * or milliseconds, an HTTP date, ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC. NaN if it is none.
 */
function momentIn(value: unknown, now: number): number {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText ? Number(value) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) return dateIn(value);
	if (number < SMALLEST_EPOCH_SECONDS) return now + Math.max(0, number) * 1000;
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
