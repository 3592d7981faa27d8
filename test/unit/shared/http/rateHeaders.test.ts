import { rateInfoIn, serverTime } from '../../../../dist/nodes/shared/http/rateHeaders.js';

/** What a response says about the rate limit, in the many forms of a time. */

const NOW = Date.UTC(2030, 0, 1);

describe('a wait that a service states', () => {
	const LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': 0 };
	const infoOf = (headers: Record<string, string | number>, body?: unknown) =>
		rateInfoIn({ headers, body }, true, serverTime(headers, NOW));

	/** In milliseconds, and how it may be stated. What is longer than 55 minutes was misread. */
	test.each<[waitMs: number | undefined, ...stated: Array<string | number>]>([
		// The clocks differ a little.
		[0, -5, NOW / 1000 - 5],
		[undefined, -6, NOW / 1000 - 6],
		[47_000, ' 47 ', NOW / 1000 + 47, String(NOW + 47_000), '2030-01-01 00:00:47'],
		[47_000, 'Tue, 01 Jan 2030 00:00:47 GMT', '2030-01-01T01:00:47+01:00'],
		[55 * 60_000, 3300],
		[undefined, NOW / 1000 + 3301, 'Tue, 01 Jan 2030 02:00:00 GMT', 3301, '', 'in 1 minute'],
	])('is %j ms for %j %j %j %j', (resetInMs, ...stated) => {
		for (const value of stated) {
			expect(infoOf({ 'retry-after': value })).toEqual({ isRefused: true, resetInMs });
			expect(infoOf({}, { 'Retry-After': value })).toEqual({ isRefused: true, resetInMs });
			const limited = { limit: 30, remaining: 0, isRefused: true, resetInMs };
			expect(infoOf({ ...LIMIT, 'x-ratelimit-reset': value })).toEqual(limited);
		}
	});

	test('of 0 is none in a reset; after a refusal, it is', () => {
		expect(infoOf({ 'x-ratelimit-reset': '0' }).resetInMs).toBeUndefined();
		expect(infoOf({ 'retry-after': '0' }).resetInMs).toBe(0);
	});

	test('counts from when the service answered, by its own clock', () => {
		const date = 'Tue, 01 Jan 2030 00:00:10 GMT';
		expect(infoOf({ date, 'retry-after': NOW / 1000 + 47 }).resetInMs).toBe(37_000);
	});

	test('is that of Retry-After, if both are there; of a success, that of the reset', () => {
		const headers = { ...LIMIT, 'retry-after': '7', 'x-ratelimit-reset': '60' };
		expect(infoOf(headers).resetInMs).toBe(7000);
		expect(rateInfoIn({ headers, body: '' }, false, NOW).resetInMs).toBe(60_000);
	});
});

test.each([
	['30', '0', { limit: 30, remaining: 0 }],
	['0', '0', {}],
	['30', undefined, {}],
])('a limit of %j with %j left is known as %j', (limit, remaining, numbers) => {
	const headers = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining };
	const info = rateInfoIn({ headers, body: '' }, false, NOW);
	expect(info).toEqual({ ...numbers, resetInMs: undefined, isRefused: false });
});
