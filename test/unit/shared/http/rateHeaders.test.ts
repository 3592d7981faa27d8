import { rateInfoIn, serverTime } from '../../../../dist/nodes/shared/http/rateHeaders.js';

/** What a response says about the rate limit, in the many forms of a time. */

const NOW = Date.UTC(2030, 0, 1);
const LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': 0 };

const infoOf = (headers: Record<string, string | number>, body?: unknown, isRefused = true) =>
	rateInfoIn({ headers, body }, isRefused, serverTime(headers, NOW));

/** In milliseconds, and how it may be stated. What is longer than 55 minutes was misread. */
test.each<[waitMs: number | undefined, ...stated: Array<string | number>]>([
	// The clocks differ a little.
	[0, -5, NOW / 1000 - 5],
	[undefined, -6, NOW / 1000 - 6],
	[47_000, ' 47 ', NOW / 1000 + 47, String(NOW + 47_000), '2030-01-01 00:00:47'],
	[47_000, 'Tue, 01 Jan 2030 00:00:47 GMT', '2030-01-01T01:00:47+01:00'],
	[55 * 60_000, 3300],
	[undefined, NOW / 1000 + 3301, 'Tue, 01 Jan 2030 02:00:00 GMT', 3301, '', 'in 1 minute'],
])('a wait of %j ms is stated as %j %j %j %j', (resetInMs, ...stated) => {
	for (const value of stated) {
		expect(infoOf({ 'retry-after': value })).toEqual({ isRefused: true, resetInMs });
		expect(infoOf({}, { 'Retry-After': value })).toEqual({ isRefused: true, resetInMs });
		const limited = { limit: 30, remaining: 0, isRefused: true, resetInMs };
		expect(infoOf({ ...LIMIT, 'x-ratelimit-reset': value })).toEqual(limited);
	}
});

const BOTH = { ...LIMIT, 'retry-after': '7', 'x-ratelimit-reset': '60' };

test.each([
	['a reset of 0 is none', { 'x-ratelimit-reset': '0' }, true, undefined],
	['a wait of 0 after a refusal is one', { 'retry-after': '0' }, true, 0],
	['Retry-After comes before the reset', BOTH, true, 7000],
	['of a success, the reset counts', BOTH, false, 60_000],
	[
		'it counts from when the service answered, by its own clock',
		{ date: 'Tue, 01 Jan 2030 00:00:10 GMT', 'retry-after': NOW / 1000 + 47 },
		true,
		37_000,
	],
])('%s', (_what, headers, isRefused, resetInMs) => {
	expect(infoOf(headers, '', isRefused).resetInMs).toBe(resetInMs);
});

test.each([
	{ 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' },
	{ 'x-ratelimit-limit': 30 },
])('%j says nothing of a limit', (headers) => {
	expect(infoOf(headers)).toEqual({ resetInMs: undefined, isRefused: true });
});
