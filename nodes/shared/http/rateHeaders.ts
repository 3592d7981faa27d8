import type { IDataObject } from 'n8n-workflow';

import { integerIn, mapIn } from '../values/json';
import type { RateAnswer } from './rateWindow';
import type { HttpResponse } from './response';

/** An end of a window or of a wait further away than an hour is a misread one, for instance a time in an unknown zone. */
const LONGEST_WAIT_MS = 3_600_000;

/** So is one in the past. Yet an answer takes some seconds, and the times in it are cut to whole ones. */
const TOLERANCE_MS = 5000;

/** A number below this is a count of seconds; above it, an epoch: it would be three years of seconds. */
const SMALLEST_EPOCH_SECONDS = 1e8;

/** An epoch from here on counts milliseconds: in seconds it would be in the year 5138. */
const SMALLEST_EPOCH_MS = 1e11;

/**
 * What an answer says to the limiter, which knows nothing of HTTP.
 * @param isRefusal whether it refuses the request because of the limit
 * @param epoch the wall clock's, in milliseconds, where the answer does not tell the service's own
 */
export function readRateAnswer(
	{ headers, body }: HttpResponse,
	isRefusal: boolean,
	epoch: number,
): RateAnswer {
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

/** Whether an answer says that more requests may follow, so that it cannot be a refusal for the rate limit. */
export function hasRequestsLeft(headers: IDataObject): boolean {
	return (integerIn(headers['x-ratelimit-remaining']) ?? 0) > 0;
}

/** When the service answered by its own clock, from the `Date` header, cut to the second; epoch milliseconds. */
export function serverTime(headers: IDataObject): number | undefined {
	const moment = dateIn(headers.date);
	return Number.isNaN(moment) ? undefined : moment;
}

/** Milliseconds until a moment that a service told; undefined if there is none, or none to be believed. */
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

/** Only forms that are known: `Date.parse` takes nearly any text with a number in it for a date. */
function dateIn(value: unknown): number {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^[A-Z][a-z]{2,8}, .* GMT/.test(text)) return Date.parse(text);
	if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return Number.NaN;
	const hasZone = /Z|[+-]\d{2}:?\d{2}/i.test(text);
	return Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
}
