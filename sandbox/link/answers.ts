import { datetime } from '../clock.ts';
import { type Dialect, extraMembers } from '../dialects.ts';
import { Failure } from '../failure.ts';
import type { OrderedResponse } from '../faults.ts';
import type { Fields } from '../fields.ts';
import type { Verdict } from '../rateLimit.ts';

/** The shapes of "Response envelope", and of a refusal for the rate limit, in each dialect. */

/** List endpoints return the string "0", and the overlay list no `error` at all. */
export function listBody(list: string, page: Fields, dialect: Dialect): Fields {
	const data = { ...page, ...extraMembers(dialect) };
	return list === 'cta' ? { data } : { error: '0', data };
}

export const failureBody = ({ message }: Failure, dialect: Dialect): Fields => ({
	error: 1,
	message,
	...extraMembers(dialect),
});

/** A map, with an empty one written as the dialect does. */
export const mapOf = (map: Fields, { shapes }: Dialect): Fields | [] =>
	shapes === 'documented' || Object.keys(map).length > 0 ? map : [];

/** What `location` of link details is. */
export function locationOf(map: Fields, { shapes, locationTargets }: Dialect): Fields | null {
	const entries = Object.entries(map);
	if (entries.length === 0 && shapes === 'installed') return null;
	return locationTargets === 'address'
		? map
		: Object.fromEntries(entries.map(([country, all]) => [country, { all }]));
}

const HOUR_SECONDS = 3600;

/** The three headers of "Limits". @param clockSkew by how many seconds the clock that the client reads is ahead */
export const rateLimitHeaders = (
	{ limit, remaining, endsAt }: Verdict,
	{ clockSkew, resetHeader }: Dialect,
): Record<string, string> => {
	// Rounded up, so that a client that waits until then has waited long enough
	const seconds = Math.ceil(endsAt / 1000) + clockSkew;
	return {
		'X-RateLimit-Limit': String(limit),
		'X-RateLimit-Remaining': String(remaining),
		'X-RateLimit-Reset':
			resetHeader === 'epoch' ? String(seconds) : datetime((seconds + HOUR_SECONDS) * 1000),
	};
};

/** The response to a request over the limit, of which so many seconds are left. */
export function limitAnswer(seconds: number, dialect: Dialect): OrderedResponse {
	const failure = failureBody(new Failure(429, 'Rate limit exceeded'), dialect);
	const withSeconds = { error: 429, message: 'Too many requests', 'Retry-After': seconds };
	const answers: Record<Dialect['rateLimited'], OrderedResponse> = {
		'retry-after': { status: 429, headers: { 'Retry-After': String(seconds) }, body: failure },
		body: { status: 429, body: withSeconds },
		'body-200': { status: 200, body: withSeconds },
	};
	return answers[dialect.rateLimited];
}
