import { type Dialect, extraMembers } from '../dialects.ts';
import { type Fields, isRecord } from '../input.ts';
import type { Verdict } from '../rateLimit.ts';
import { datetime } from '../clock.ts';
import { Failure, KeyRefused } from '../failure.ts';

/** The shapes of "Response envelope", in each dialect. */

export const OVERLAY_PATH = '/api/overlay';

export function successBody(body: Fields, dialect: Dialect): Fields {
	return spelt({ ...errorMember('0', 0, dialect), ...body }, dialect);
}

/** List endpoints return the string "0", and the overlay list no `error` at all. */
export function listBody(path: string, data: Fields, dialect: Dialect): Fields {
	const asDocumented = dialect.errorMember === 'as-documented';
	const error = path === OVERLAY_PATH && asDocumented ? {} : errorMember('0', '0', dialect);
	return { ...error, data: { ...spelt(data, dialect), ...extraMembers(dialect) } };
}

export function failureBody(failure: Failure, dialect: Dialect): Fields {
	const message = messageIn(dialect, failure);
	if (dialect.invalidInput === 'laravel' && failure.status === 422) {
		const [member = ''] = message.split(' ');
		return { message, errors: { [member]: [message] }, ...extraMembers(dialect) };
	}
	return { error: 1, ...errorMember('1', 1, dialect), message, ...extraMembers(dialect) };
}

/** The body of a failure in a dialect. */
export function messageIn({ keyWords, messages }: Dialect, failure: Failure): string {
	const isKey = failure instanceof KeyRefused;
	if (isKey && keyWords === 'seen') return 'A valid API key is required to use this service.';
	if (isKey && keyWords === 'vague') return 'Access denied.';
	const isPlain = messages === 'plain' || isKey || failure.status === 429;
	return isPlain ? failure.message : `Unauthorized? Too many requests? ${failure.message}`;
}

function errorMember(text: string, documented: string | number, dialect: Dialect): Fields {
	switch (dialect.errorMember) {
		case 'as-documented':
			return { error: documented };
		case 'number':
			return { error: Number(text) };
		case 'string':
			return { error: text };
		case 'boolean':
			return { error: text !== '0' };
		case 'absent':
			return {};
	}
}

/** A map, with an empty one written as the dialect does. */
export function mapOf(map: Fields, dialect: Dialect): Fields | [] {
	return dialect.emptyMaps === 'array' && Object.keys(map).length === 0 ? [] : map;
}

function spelt(body: Fields, dialect: Dialect): Fields {
	if (dialect.integers === 'number') return body;
	const { error, ...rest } = body;
	const members: Fields = Object.fromEntries(
		Object.entries(rest).map(([name, value]) => [name, integersAsText(value)]),
	);
	return 'error' in body ? { error, ...members } : members;
}

function integersAsText(value: unknown): unknown {
	if (Number.isInteger(value)) return String(value);
	if (Array.isArray(value)) return value.map(integersAsText);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, integersAsText(member)]),
	);
}

/** The three headers of "Limits". `now` and `skew` in milliseconds: the clock the client reads is ahead by `skew`. */
export function rateLimitHeaders(
	verdict: Verdict,
	now: number,
	skew: number,
	dialect: Dialect,
): Record<string, string> {
	return {
		'X-RateLimit-Limit': String(verdict.limit),
		'X-RateLimit-Remaining': String(verdict.remaining),
		'X-RateLimit-Reset': reset(verdict.endsAt, now, skew, dialect),
	};
}

/** Rounded up to the second, so that a client that waits until then has waited long enough. */
function reset(endsAt: number, now: number, skew: number, dialect: Dialect): string {
	const atSecond = Math.ceil((endsAt + skew) / 1000);
	switch (dialect.resetFormat) {
		case 'epoch-seconds':
			return String(atSecond);
		case 'seconds-left':
			return String(Math.ceil((endsAt - now) / 1000));
		case 'iso':
			return new Date(atSecond * 1000).toISOString();
		case 'datetime':
			return datetime(atSecond * 1000);
		case 'epoch-milliseconds':
			return String(endsAt + skew);
	}
}

export interface LimitAnswer {
	status: number;
	headers: Record<string, string>;
	body: Fields | string;
}

/** The response to a request over the limit; `now` and `skew` as in `rateLimitHeaders`. */
export function limitAnswer(
	verdict: Verdict,
	now: number,
	skew: number,
	dialect: Dialect,
): LimitAnswer {
	const seconds = Math.max(1, Math.ceil((verdict.endsAt - now) / 1000));
	const failure = failureBody(new Failure(429, 'Rate limit exceeded'), dialect);
	switch (dialect.rateLimited) {
		case 'retry-after':
			return { status: 429, headers: { 'Retry-After': String(seconds) }, body: failure };
		case 'body':
		case 'body-200':
			return {
				status: dialect.rateLimited === 'body' ? 429 : 200,
				headers: {},
				body: { error: 429, message: 'Too many requests', 'Retry-After': seconds },
			};
		case 'failure':
			return { status: 429, headers: {}, body: failure };
		case 'text':
			return { status: 429, headers: {}, body: 'Too Many Requests' };
		case 'http200':
			return { status: 200, headers: {}, body: failure };
		case 'epoch':
			return {
				status: 429,
				headers: { 'Retry-After': String(Math.ceil((verdict.endsAt + skew) / 1000)) },
				body: failure,
			};
		case 'absurd':
			return {
				status: 200,
				headers: {},
				body: { error: '429', message: 'Slow down', 'Retry-After': '999999999999' },
			};
	}
}
