import { type Dialect, extraMembers } from '../dialects.ts';
import type { Fields } from '../input.ts';
import type { Verdict } from '../rateLimit.ts';
import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';

/** The shapes of "Response envelope", and of a refusal for the rate limit, in each dialect. */

export const OVERLAY_PATH = '/api/overlay';

export function successBody(body: Fields, { errorMember }: Dialect): Fields {
	return { error: errorMember === 'boolean' ? false : 0, ...body };
}

/** List endpoints return the string "0", and the overlay list no `error` at all. */
export function listBody(path: string, page: Fields, dialect: Dialect): Fields {
	const data = { ...page, ...extraMembers(dialect) };
	if (dialect.errorMember === 'boolean') return { error: false, data };
	return path === OVERLAY_PATH ? { data } : { error: '0', data };
}

export function failureBody({ message }: Failure, dialect: Dialect): Fields {
	const error = dialect.errorMember === 'boolean' ? true : 1;
	return { error, message, ...extraMembers(dialect) };
}

/** A map, with an empty one written as the dialect does. */
export function mapOf(map: Fields, dialect: Dialect): Fields | [] {
	return dialect.emptyMaps === 'array' && Object.keys(map).length === 0 ? [] : map;
}

/** The three headers of "Limits". @param skew by how many ms the clock that the client reads is ahead */
export function rateLimitHeaders(
	verdict: Verdict,
	skew: number,
	dialect: Dialect,
): Record<string, string> {
	return {
		'X-RateLimit-Limit': String(verdict.limit),
		'X-RateLimit-Remaining': String(verdict.remaining),
		'X-RateLimit-Reset': reset(verdict.endsAt, skew, dialect),
	};
}

/** Rounded up to the second, so that a client that waits until then has waited long enough. */
function reset(endsAt: number, skew: number, { resetFormat }: Dialect): string {
	const seconds = Math.ceil((endsAt + skew) / 1000);
	return resetFormat === 'datetime' ? datetime(seconds * 1000) : String(seconds);
}

const secondsUntil = (endsAt: number, now: number): number =>
	Math.max(1, Math.ceil((endsAt - now) / 1000));

export interface LimitAnswer {
	status: number;
	headers: Record<string, string>;
	body: Fields | string;
}

/** The response to a request over the limit at `now`. */
export function limitAnswer({ endsAt }: Verdict, now: number, dialect: Dialect): LimitAnswer {
	const seconds = secondsUntil(endsAt, now);
	const failure = failureBody(new Failure(429, 'Rate limit exceeded'), dialect);
	const withSeconds = { error: 429, message: 'Too many requests', 'Retry-After': seconds };
	switch (dialect.rateLimited) {
		case 'retry-after':
			return { status: 429, headers: { 'Retry-After': String(seconds) }, body: failure };
		case 'body':
			return { status: 429, headers: {}, body: withSeconds };
		case 'body-200':
			return { status: 200, headers: {}, body: withSeconds };
		case 'failure':
			return { status: 429, headers: {}, body: failure };
		case 'text':
			return { status: 429, headers: {}, body: 'Too Many Requests' };
		case 'http200':
			return { status: 200, headers: {}, body: failure };
	}
}
