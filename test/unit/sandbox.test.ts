import fc from 'fast-check';
import { datetime, isDatetime, isoTimestamp } from '../../sandbox/clock.ts';
import { RateLimiter } from '../../sandbox/rateLimit.ts';

describe('The rate limiter', () => {
	const windowSeconds = 2;

	test('never allows more than the limit in a window that begins with the second of its first request', () => {
		const gaps = fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 60 });
		fc.assert(
			fc.property(gaps, fc.integer({ min: 1, max: 6 }), (waits, requests) => {
				const limiter = new RateLimiter({ requests, windowSeconds });
				let now = 1_000_123;
				let startsAt = -Infinity;
				let allowed = 0;
				for (const wait of waits) {
					now += wait;
					if (now >= startsAt + windowSeconds * 1000) {
						startsAt = now - (now % 1000);
						allowed = 0;
					}
					const verdict = limiter.take('key', now);
					if (verdict?.allowed) allowed += 1;
					expect(verdict?.endsAt).toBe(startsAt + windowSeconds * 1000);
					expect(allowed).toBeLessThanOrEqual(requests);
					expect(verdict?.remaining).toBe(requests - allowed);
				}
			}),
		);
	});

	test('takes half as many requests in every other window, if it changes', () => {
		const limiter = new RateLimiter({ requests: 5, windowSeconds }, true);
		const limits = [0, 1, 2, 3].map((window) => limiter.take('key', window * 2000)?.limit);
		expect(limits).toEqual([5, 3, 5, 3]);
	});
});

describe('Datetimes', () => {
	test('are written in UTC', () => {
		const ms = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
		expect(datetime(ms)).toBe('2026-02-03 04:05:06');
		expect(isoTimestamp(ms)).toBe('2026-02-03T04:05:06Z');
	});

	test.each([
		['2026-02-28 23:59:59', true],
		['2024-02-29 00:00:00', true],
		['2026-02-29 00:00:00', false],
		['2026-13-01 00:00:00', false],
		['2026-01-01 24:00:00', false],
		['2026-01-01', false],
		['2026-01-01T00:00:00', false],
		['', false],
	])('%s is a day of the calendar: %s', (value, expected) => {
		expect(isDatetime(value)).toBe(expected);
	});
});
