import fc from 'fast-check';

import { readRateInfo } from '../../dist/nodes/shared/http/rateHeaders.js';
import { RateLimiters } from '../../dist/nodes/shared/http/rateLimiter.js';
import type { Settings } from './rateLimitedService.ts';
import { DOCUMENTED, RateLimitedService, RESETS } from './rateLimitedService.ts';
import { VirtualTime } from './virtualTime.ts';

/** One property for each sentence of the documents, against a service in virtual time; then what a property cannot say. */

const HOUR_MS = 3_600_000;
const { 'an hour ahead': _, ...EXACT } = RESETS;

/** Any service that states its limit, and how far away it is. */
const services = fc.record({
	limit: fc.integer({ min: 5, max: 60 }),
	windowMs: fc.constantFrom(4000, 10_000, 60_000, 300_000),
	skewMs: fc.constantFrom(0, -2 * HOUR_MS, -900, 95_000),
	reset: fc.constantFrom(...(Object.keys(EXACT) as Array<keyof typeof EXACT>)),
	roundTripMs: fc.constantFrom<Array<[number, number]>>([1, 2], [10, 100], [50, 200]),
});
const seeds = fc.integer({ min: 1, max: 1e6 });
/** How many requests each of the runs of a process sends, which n8n starts at once. */
const loads = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0);

type Scenario = [settings: Partial<Settings>, counts: number[], seed: number];

async function holds(property: (...scenario: Scenario) => Promise<void>, numRuns = 40) {
	await fc.assert(fc.asyncProperty(services, loads, seeds, property), { numRuns });
}

const runAll = async (service: RateLimitedService, counts: number[], requestsPerMinute = 120) =>
	await Promise.all(counts.map(async (count) => await service.run(count, { requestsPerMinute })));

/** The longest that so many requests may take; a window in whole seconds may begin a second late. */
function mostMs({ settings }: RateLimitedService, counts: number[], moreWindows = 0): number {
	const windows = Math.ceil(sum(counts) / settings.limit) + moreWindows;
	return windows * (settings.windowMs + 1000) + Math.max(...counts) * settings.roundTripMs[1];
}

test('one process is never refused, and uses the whole limit', async () => {
	await holds(async (settings, counts, seed) => {
		const service = new RateLimitedService(settings, seed);
		await service.time.run(runAll(service, counts));
		expect(service.refused).toBe(0);
		expect(service.arrivals).toHaveLength(sum(counts));
		expect(service.elapsed).toBeLessThan(mostMs(service, counts));
	}, 80);
});

test('2 to 5 processes use at least 88 % of the limit, at most 3 % is refused, and nothing is lost', async () => {
	const processes = fc.array(
		fc.record({
			runs: fc.integer({ min: 1, max: 10 }),
			startMs: fc.integer({ max: 120_000, min: 0 }),
		}),
		{ minLength: 2, maxLength: 5 },
	);
	const trips = fc.constantFrom<Array<[number, number]>>([5, 15], [50, 150], [100, 400]);
	const property = async (
		started: Array<{ runs: number; startMs: number }>,
		roundTripMs: [number, number],
		seed: number,
	) => {
		const service = new RateLimitedService({ roundTripMs }, seed);
		const each = Math.ceil(1000 / started.length);
		const work = started.map(async ({ runs, startMs }, index) => {
			await service.time.sleep(startMs);
			const options = { process: `worker ${index}`, requestsPerMinute: 30 };
			const counts = Array.from({ length: runs }, (_run, run) => Math.floor((each + run) / runs));
			await Promise.all(counts.map(async (count) => await service.run(count, options)));
		});
		await service.time.run(Promise.all(work));
		const { arrivals, refused } = service;
		const accepted = arrivals.filter(({ isRefused }) => !isRefused);
		expect(accepted).toHaveLength(each * started.length);
		expect(refused / arrivals.length).toBeLessThanOrEqual(0.03);
		const took = (accepted.at(-1)?.at ?? 0) - (accepted[0]?.at ?? 0) + DOCUMENTED.windowMs;
		expect(accepted.length / (took / DOCUMENTED.windowMs) / DOCUMENTED.limit).toBeGreaterThan(0.88);
	};
	// All of them, however slow the machine is.
	const options = { numRuns: 25, interruptAfterTimeLimit: 60_000 };
	await fc.assert(fc.asyncProperty(processes, trips, seeds, property), options);
}, 60_000);

test('what others use, and any change of a clock or of the limit, is noticed with the next response', async () => {
	const events: Record<string, (service: RateLimitedService) => void> = {
		'the clock here goes back': ({ time }) => (time.wallClockError = -24 * HOUR_MS),
		'the clock here goes back a bit': ({ time }) => (time.wallClockError = -3000),
		'the clock here goes forward': ({ time }) => (time.wallClockError = 24 * HOUR_MS),
		'the clock there goes back': ({ settings }) => (settings.skewMs -= 2 * HOUR_MS),
		'the clock there goes forward': ({ settings }) => (settings.skewMs += 5000),
		'another program uses up the limit': (service) => service.useUp(1000),
		'the limit is raised': ({ settings }) => (settings.limit += 40),
		'the limit is lowered': ({ settings }) => (settings.limit = Math.ceil(settings.limit / 2)),
		'the service states no limit any more': ({ settings }) => (settings.hasHeaders = false),
	};
	await holds(async (settings, counts, seed) => {
		const service = new RateLimitedService({ ...settings, windowMs: 60_000 }, seed);
		const { limit } = service.settings;
		const name = Object.keys(events)[seed % Object.keys(events).length] ?? '';
		await service.time.run(runAll(service, [10], limit));
		events[name]?.(service);
		await service.time.run(runAll(service, counts, limit));
		service.settings.limit = Math.min(limit, service.settings.limit);
		const isQuick = service.elapsed < mostMs(service, [10, ...counts], 2);
		// Those in flight when it happens may be refused.
		const isExact = service.refused <= counts.length + 1;
		expect({ name, isExact, isQuick }).toEqual({ name, isExact: true, isQuick: true });
	}, 90);
});

test('a reset that is stated a time zone away delays nothing', async () => {
	await holds(async (settings, counts, seed) => {
		const zoned = { ...settings, reset: 'an hour ahead', windowMs: 60_000 } as const;
		const service = new RateLimitedService(zoned, seed);
		await service.time.run(runAll(service, counts));
		expect(service.elapsed).toBeLessThan(mostMs(service, counts) + 60_000);
	});
});

test('Requests per Minute holds in any 60 seconds where the service states no limit, or a higher one', async () => {
	await holds(async (settings, counts, seed) => {
		const hasHeaders = seed % 2 === 0;
		const service = new RateLimitedService({ ...settings, hasHeaders, limit: 1000 }, seed);
		const requestsPerMinute = 1 + (seed % 60);
		await service.time.run(service.run(1, { requestsPerMinute }));
		await service.time.run(service.time.sleep(seed % 60_000));
		await service.time.run(runAll(service, counts, requestsPerMinute));
		expect(service.mostInAMinute).toBeLessThanOrEqual(requestsPerMinute);
		const minutes = Math.ceil((sum(counts) + 1) / requestsPerMinute);
		const [, tripMs] = service.settings.roundTripMs;
		expect(service.elapsed).toBeLessThan(
			minutes * (60_000 + tripMs) + Math.max(...counts) * tripMs,
		);
	});
});

test('0 turns pacing off, and every refusal is waited out as long as the service says', async () => {
	await holds(async (settings, counts, seed) => {
		// The service throws if anything comes earlier.
		const service = new RateLimitedService({ ...settings, retryAfter: 1 + (seed % 100) }, seed);
		await service.time.run(runAll(service, counts, 0));
		const taken = service.arrivals.length - service.refused;
		expect(taken).toBe(sum(counts));
		const inFirstSecond = service.arrivals.filter(({ at }) => at < 200).length;
		expect(inFirstSecond).toBeGreaterThanOrEqual(Math.min(counts.length, 5));
	});
});

test('people go first, but of three requests that wait one is not theirs', async () => {
	await holds(async (settings, _counts, seed) => {
		const service = new RateLimitedService({ ...settings, limit: 20 + (seed % 40) }, seed);
		const people = Array.from({ length: 40 }, async () => await service.send({ urgent: true }));
		const others = Array<number>(20).fill(1);
		await service.time.run(Promise.all([...people, runAll(service, others)]));
		expect(service.refused).toBe(0);
		expect(service.arrivals).toHaveLength(60);
		const order = service.arrivals.map(({ isUrgent }) => isUrgent);
		const lastOfPeople = order.lastIndexOf(true);
		const before = order.slice(0, lastOfPeople).filter((isUrgent) => !isUrgent).length;
		// A few of each window are for people alone, and requests in flight overtake each other.
		expect(before).toBeGreaterThanOrEqual(10);
		expect(order.slice(0, 10).filter((isUrgent) => isUrgent).length).toBeGreaterThanOrEqual(5);
	});
});

test('two runs share a window fairly', async () => {
	await holds(async (settings, _counts, seed) => {
		const service = new RateLimitedService({ ...settings, roundTripMs: [10, 10] }, seed);
		const run = async () => {
			await service.run(40);
			return service.elapsed;
		};
		const [first, second] = await service.time.run(Promise.all([run(), run()]));
		expect(Math.abs(first - second)).toBeLessThan(service.settings.windowMs + 2000);
	}, 10);
});

describe('a person, for whose dropdown a request is sent during a bulk run,', () => {
	const person = { urgent: true, requestsPerMinute: 30 };
	const asked = async (service: RateLimitedService, afterMs: number): Promise<number> => {
		await service.time.sleep(afterMs);
		const from = service.elapsed;
		await service.send(person);
		return service.elapsed - from;
	};

	test('goes before the run in the next window, if nobody was about', async () => {
		const service = new RateLimitedService();
		const bulk = service.run(60);
		expect(await service.time.run(asked(service, 5000))).toBeLessThan(55_100);
		await service.time.run(bulk);
		expect(service.refused).toBe(0);
	});

	test('does not wait, if somebody was about in the last minutes', async () => {
		const service = new RateLimitedService();
		await service.time.run(service.run(1, person));
		const bulk = service.run(200);
		for (const minute of [1, 2, 3, 4]) {
			const waited = await service.time.run(asked(service, 61_000));
			expect({ minute, waited }).toEqual({ minute, waited: 10 });
		}
		await service.time.run(bulk);
		expect(service.refused).toBe(0);
	});

	test('is told at once when the wait would be longer than a window, also behind others', async () => {
		const service = new RateLimitedService({ windowMs: 1_800_000 });
		await service.time.run(service.run(30));
		const from = service.elapsed;
		const bulk = service.run(1);
		for (const urgent of [true, false]) {
			const until = service.time.now() + 60_000;
			await expect(service.time.run(service.send({ urgent, until }))).rejects.toThrow('Time is up');
		}
		expect(service.elapsed).toBeLessThan(from + 1001);
		await service.time.run(bulk);
	});

	test('is told as soon as the wait gets longer than that', async () => {
		const service = new RateLimitedService({ limit: 1, retryAfter: 1800 });
		await service.time.run(service.run(1));
		const bulk = service.run(1);
		const waiting = service.send({ ...person, until: service.time.now() + 61_000 });
		service.settings.limit = 0;
		await expect(service.time.run(waiting)).rejects.toThrow('Time is up');
		expect(service.elapsed).toBeLessThan(61_000);
		service.settings.limit = 1;
		await service.time.run(bulk);
	});
});

test('those who wait cost a timer each second, and a run that nobody watches uses the whole limit', async () => {
	const service = new RateLimitedService();
	await service.time.run(service.run(1, { urgent: true }));
	await service.time.run(service.time.sleep(11 * 60_000));
	const { sleeps } = service.time;
	await service.time.run(runAll(service, Array<number>(5).fill(60)));
	expect(service.elapsed).toBeLessThan(20 * 60_000 + 31_000);
	expect(service.time.sleeps - sleeps).toBeLessThan(2 * 300 + 10 * 62);
});

test('a stopped execution waits no longer, sends nothing, and leaves the queue in order', async () => {
	const service = new RateLimitedService({ limit: 2 });
	await service.time.run(service.run(2));
	const stop = new AbortController();
	const stopped = service.send({ signal: stop.signal });
	const next = service.send();
	stop.abort();
	await expect(stopped).rejects.toThrow('The execution was canceled');
	await expect(service.send({ signal: stop.signal })).rejects.toThrow('The execution was canceled');
	await service.time.run(next);
	expect(service.arrivals).toHaveLength(3);
});

describe('the limiters of a process', () => {
	const request = { requestsPerMinute: 1, urgent: false, signal: undefined, until: Infinity };

	test('are one for each service and key, and are dropped when nothing used them for an hour', async () => {
		const time = new VirtualTime();
		const limiters = new RateLimiters(time);
		const first = limiters.for('a');
		expect(limiters.for('a')).toBe(first);
		await time.run(time.sleep(HOUR_MS - 1));
		expect(limiters.for('b')).not.toBe(first);
		await time.run(time.sleep(1));
		expect(limiters.for('a')).toBe(first);
		limiters.for('c');
		expect(limiters.for('a')).not.toBe(first);
	});

	test('stay while somebody waits', async () => {
		const time = new VirtualTime();
		const limiters = new RateLimiters(time);
		const busy = limiters.for('a');
		const report = { limit: 1, remaining: 0, resetInMs: HOUR_MS };
		(await busy.acquire(request))?.release({ report, isRefusal: false, waitMs: undefined });
		const waiting = busy.acquire(request);
		await time.run(time.sleep(HOUR_MS));
		limiters.for('b');
		expect(limiters.for('a')).toBe(busy);
		await time.run(waiting);
	});
});

describe('a time that a service states', () => {
	const NOW = Date.UTC(2030, 0, 1);
	const response = (headers: Record<string, string | number>, body?: unknown) => ({
		headers,
		body,
	});
	const LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': 0 };

	test.each<[string | number, number | undefined, (number | undefined)?]>([
		['0', 0],
		[-6, 0],
		['0.5', 500],
		[' 47 ', 47_000],
		[NOW / 1000 + 47, 47_000],
		[String(NOW + 47_000), 47_000],
		['Tue, 01 Jan 2030 00:00:47 GMT', 47_000],
		['Tuesday, 01-Jan-30 00:00:47 GMT', 47_000],
		['2030-01-01T00:00:47Z', 47_000],
		['2030-01-01T00:00:47.5z', 47_500],
		['2030-01-01 00:00:47', 47_000],
		['2030-01-01T01:00:47+01:00', 47_000],
		['2029-12-31T19:00:47-0500', 47_000],
		[' 2030-01-01 00:00:47 ', 47_000],
		// An hour at most; a time that far away may be in another time zone.
		[3595, 3_595_000],
		[3596, 3_596_000, undefined],
		[3600, HOUR_MS, undefined],
		[3601, undefined],
		[NOW / 1000 + 3595, 3_595_000],
		[NOW / 1000 + 3596, undefined],
		['2030-01-01 01:00:00', undefined],
		['Tue, 01 Jan 2030 01:00:00 GMT', undefined],
		[NOW / 1000 - 5, 0],
		[NOW / 1000 - 6, undefined],
		[NOW + 7 * 24 * HOUR_MS, undefined],
		[1e8, undefined],
		['1e400', undefined],
		['', undefined],
		[' ', undefined],
		['in 1 minute', undefined],
		['x2030-01-01 00:00:47', undefined],
		['at Tue, 01 Jan 2030 00:00:47 GMT', undefined],
		['Tue, 01 Jan 2030 00:00:47 GMT+1', undefined],
		['2030-13-01', undefined],
		['2030-01-1 00:00:47Z', undefined],
	])('as %j is %j ms away', (stated, waitMs, ...asReset) => {
		for (const refusal of [
			response({ 'retry-after': stated }),
			response({}, { Retry_after: stated }),
		]) {
			expect(readRateInfo(refusal, true, NOW)).toEqual({ isRefusal: true, waitMs });
		}
		const reset = response({ ...LIMIT, 'x-ratelimit-reset': stated });
		const resetInMs = asReset.length > 0 ? asReset[0] : waitMs;
		const report = { limit: 30, remaining: 0, resetInMs };
		expect(readRateInfo(reset, false, NOW)).toEqual({ report, isRefusal: false });
	});

	test('counts from when the service answered, by its own clock, if that can be read', () => {
		const date = 'Tue, 01 Jan 2030 00:00:10 GMT';
		const waitMs = (headers: Record<string, string>) =>
			readRateInfo(response({ 'retry-after': NOW / 1000 + 47, ...headers }), true, NOW).waitMs;
		expect([waitMs({ date }), waitMs({ date: 'today' }), waitMs({})]).toEqual([
			...[37_000, 47_000, 47_000],
		]);
	});

	test('is that of the header, if the body has one, too; other members are none', () => {
		const both = response({ 'retry-after': 1 }, { retryAfter: 2 });
		expect(readRateInfo(both, true, NOW).waitMs).toBe(1000);
		const other = response({}, { retryAfterwards: 2, noRetryAfter: 3 });
		expect(readRateInfo(other, true, NOW).waitMs).toBeUndefined();
	});

	test.each<[Record<string, string | number>]>([
		[{ ...LIMIT, 'x-ratelimit-limit': 0 }],
		[{ ...LIMIT, 'x-ratelimit-limit': 'many' }],
		[{ ...LIMIT, 'x-ratelimit-remaining': 'some' }],
		[{ 'x-ratelimit-limit': 30 }],
	])('with %j states no limit', (headers) => {
		expect(readRateInfo(response(headers), false, NOW).report).toBeUndefined();
	});
});
