import type { IDataObject } from 'n8n-workflow';

import { integerIn, isRecord } from '../values/json';
import type { RateAnswer, RemoteMoment } from './rateWindow';

/** A number below this is a count of seconds; above it, an epoch: it would be three years of seconds. */
const SMALLEST_EPOCH_SECONDS = 1e8;

/** An epoch from here on counts milliseconds: in seconds it would be in the year 5138. */
const SMALLEST_EPOCH_MS = 1e11;

/** What an answer says of the rate limit, for the limiter, which knows nothing of HTTP. */
export function readRateHeaders(headers: IDataObject): RateAnswer {
	const limit = integerIn(headers['x-ratelimit-limit']);
	const remaining = integerIn(headers['x-ratelimit-remaining']);
	const report =
		limit === undefined || limit < 1 || remaining === undefined
			? undefined
			: { limit, remaining, reset: readMoment(headers['x-ratelimit-reset']) };
	return { remoteTime: serverTime(headers), report };
}

/** Whether an answer says that more requests may follow, so that it cannot be a refusal for the rate limit. */
export function hasRequestsLeft(headers: IDataObject): boolean {
	return (integerIn(headers['x-ratelimit-remaining']) ?? 0) > 0;
}

/** How long a refusal asks to wait: `Retry-After` as header, or as a member of the body, which the documents leave open. */
export function readRetryAfter(headers: IDataObject, body: unknown): RemoteMoment | undefined {
	const members = isRecord(body) ? Object.entries(body) : [];
	const inBody = members.find(([name]) => /^retry.?after$/i.test(name))?.[1];
	return readMoment(headers['retry-after']) ?? readMoment(inBody);
}

/** When the service answered by its own clock, from the `Date` header; epoch milliseconds. */
export function serverTime(headers: IDataObject): number | undefined {
	return parsedDate(headers.date);
}

/**
 * A moment in any of the forms that the documents leave open: seconds from now, an epoch in seconds or milliseconds,
 * an HTTP date, ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC.
 */
function readMoment(value: unknown): RemoteMoment | undefined {
	const isNumber = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value);
	const number = isNumber ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number)) {
		if (number < SMALLEST_EPOCH_SECONDS) return { inMs: Math.max(0, number) * 1000 };
		return { at: number < SMALLEST_EPOCH_MS ? number * 1000 : number };
	}
	const at = parsedDate(value);
	return at === undefined ? undefined : { at };
}

/** Only forms that are known: `Date.parse` takes nearly any text with a number in it for a date. */
function parsedDate(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const isIso = /^\d{4}-\d{2}-\d{2}/.test(text);
	if (!isIso && !/^[A-Z][a-z]{2,8}, .* GMT$/.test(text)) return undefined;
	const hasZone = /(Z|GMT|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
	const moment = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
	return Number.isNaN(moment) ? undefined : moment;
}
