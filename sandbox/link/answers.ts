import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { extraMembers } from '../dialects.ts';
import { Failure } from '../failure.ts';
import type { OrderedResponse } from '../faults.ts';
import { type Fields, oneOf, TEXT } from '../fields.ts';
import type { Verdict } from '../rateLimit.ts';
import type { Call, ListRoute, Query } from './routes.ts';

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

const DEFAULT_LIMIT = 15;

/** JSON schema of the query of a list. */
export const querySchema = ({ orders }: ListRoute): unknown => ({
	type: 'object',
	properties: {
		limit: { type: 'integer', minimum: 1, maximum: 1_000_000 },
		page: { type: 'integer', minimum: 1 },
		...(orders ? { order: oneOf(Object.keys(orders)), q: TEXT, short: TEXT } : {}),
	},
});

/** One page in the pagination envelope, under `data`. */
export function pageOf(route: ListRoute, call: Call, dialect: Dialect): Fields {
	const { limit = DEFAULT_LIMIT, page: requested = 1, order = 'date' }: Query = call.query;
	const perPage = perPageOf(limit, dialect);
	const total = route.count(call);
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const current = requested > lastPage ? beyond(requested, lastPage, dialect) : requested;
	const isByName = dialect.listOrder === 'name' && !route.orders;
	const records = route.page(call, {
		order: isByName ? BY_NAME : (route.orders?.[order] ?? ['id']),
		descending: isNewestFirst(route, dialect),
		limit: perPage,
		offset: (current - 1) * perPage,
	});
	const all = { result: total, perpage: perPage, currentpage: current, maxpage: lastPage };
	const isLast = current >= lastPage;
	const next = current + 1;
	const numbers: Record<Dialect['pageNumbers'], Fields> = {
		documented: { ...all, nextpage: isLast ? current : next },
		'last-null': { ...all, nextpage: isLast ? null : next },
		'beyond-next': {
			...all,
			nextpage: total === 0 || current === lastPage ? null : next,
			maxpage: total === 0 ? 0 : lastPage,
		},
		echoed: { ...all, perpage: limit, nextpage: next },
		few: { currentpage: current, maxpage: lastPage },
		'of-page': { result: records.length, currentpage: current },
	};
	return { ...numbers[dialect.pageNumbers], [route.list]: records };
}

const BY_NAME = ["coalesce(record ->> 'name', record ->> 'domain') COLLATE NOCASE", 'id'];

/** Links are the list that can be ordered. */
function isNewestFirst({ orders }: ListRoute, { listOrder }: Dialect): boolean {
	const isOfLinks = orders !== undefined;
	return listOrder === 'desc' || (isOfLinks && listOrder !== 'asc');
}

function beyond(requested: number, lastPage: number, { pageBeyond }: Dialect): number {
	if (pageBeyond === 'error') {
		throw new Failure(404, `There is no page ${requested}: the last page is ${lastPage}.`);
	}
	return pageBeyond === 'first' ? 1 : requested;
}

function perPageOf(limit: number, { maxLimit }: Dialect): number {
	if (maxLimit === 'ignored') return DEFAULT_LIMIT;
	if (maxLimit === 'refused-above-50' && limit > 50) {
		throw new Failure(422, 'limit must not be greater than 50.');
	}
	return Math.min(limit, Number(maxLimit) || limit);
}
