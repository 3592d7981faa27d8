import fc from 'fast-check';

import { rateInfoIn, serverTime } from '../../../../dist/nodes/shared/http/rateHeaders.js';
import { LimitedRun, RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { limiterFor } from '../../../../dist/nodes/shared/http/connection.js';
import type { RateInfo } from '../../../../dist/nodes/shared/http/rateWindow.js';
import { RateWindow } from '../../../../dist/nodes/shared/http/rateWindow.js';
import type { Settings } from '../../helpers/rateLimitedService.ts';
import { DOCUMENTED, RateLimitedService, RESETS } from '../../helpers/rateLimitedService.ts';
import { Random } from '../../helpers/random.ts';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** One property for each sentence of the documents, against a service in virtual time; then what a property cannot say. */

const HOUR_MS = 3_600_000;

/** Any service that states its limit, and how far away it is. */
const services = fc.record({
	limit: fc.integer({ min: 5, max: 60 }),
	windowMs: fc.constantFrom(4000, 10_000, 60_000, 300_000),
	skewMs: fc.constantFrom(0, -2 * HOUR_MS, -900, 95_000),
	reset: fc.constantFrom(...(Object.keys(RESETS) as Array<keyof typeof RESETS>)),
	roundTripMs: fc.constantFrom<Array<[number, number]>>([1, 2], [10, 100], [50, 200]),
});
const seeds = fc.integer({ min: 1, max: 1e6 });
/** How many requests each of the runs of a process sends, which n8n starts at once. */
const loads = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0);

type Scenario = [settings: Partial<Settings>, counts: number[], seed: number];

async function holds(property: (...scenario: Scenario) => Promise<void>, numRuns = 20) {
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
	}, 40);
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
	const options = { numRuns: 12, interruptAfterTimeLimit: 60_000 };
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
	}, 45);
});

test('Requests per Minute holds in any 60 seconds where the service states no limit, or a higher one', async () => {
	await holds(async (settings, counts, seed) => {
		const hasHeaders = seed % 2 === 0;
		const service = new RateLimitedService({ ...settings, hasHeaders, limit: 1000 }, seed);
		const requestsPerMinute = 1 + (seed % 60);
		await service.time.run(service.run(1, { requestsPerMinute }));
		await service.time.run(service.time.sleep(seed % 60_000));
		const from = service.elapsed;
		await service.time.run(runAll(service, counts, requestsPerMinute));
		expect(service.mostInAMinute).toBeLessThanOrEqual(requestsPerMinute);
		const minutes = Math.ceil((sum(counts) + 1) / requestsPerMinute);
		const [, tripMs] = service.settings.roundTripMs;
		expect(service.elapsed - from).toBeLessThan(
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
		const limit = 20 + (seed % 40);
		const service = new RateLimitedService({ ...settings, limit, roundTripMs: [10, 10] }, seed);
		const people = Array.from({ length: 40 }, async () => await service.send({ urgent: true }));
		const others = Array<number>(20).fill(1);
		await service.time.run(Promise.all([...people, runAll(service, others)]));
		expect(service.refused).toBe(0);
		expect(service.arrivals).toHaveLength(60);
		const order = service.arrivals.map(({ isUrgent }) => isUrgent);
		const lastOfPeople = order.lastIndexOf(true);
		const before = order.slice(0, lastOfPeople).filter((isUrgent) => !isUrgent).length;
		// A few of each window are for people alone.
		expect(before).toBeGreaterThanOrEqual(10);
		expect(order.slice(0, 10).filter((isUrgent) => isUrgent).length).toBeGreaterThanOrEqual(6);
	});
});

describe('runs take turns:', () => {
	test.each([1, 3])('%i links do not wait for an import of 3,000 rows', async (count) => {
		const service = new RateLimitedService();
		// Five rows of it wait at once, as reads do.
		const rows = new LimitedRun(3000);
		const stop = new AbortController();
		const imported = Array.from({ length: 5 }, async () => {
			for (;;) await service.send({ run: rows, signal: stop.signal });
		});
		const ended = Promise.allSettled(imported);
		for (const startMs of [7000, 60_000, 70_000, 61_000]) {
			await service.time.run(service.time.sleep(startMs));
			const from = service.elapsed;
			await service.time.run(service.run(count));
			expect(service.elapsed - from).toBeLessThan(count * 100);
		}
		stop.abort();
		await service.time.run(ended);
		expect(service.refused).toBe(0);
	});

	test('one that has more requests waiting gets no more of them', async () => {
		const time = new VirtualTime();
		const limiter = new RateLimiter(time);
		const options = { requestsPerMinute: 0, urgent: false, until: Infinity };
		const refused = await limiter.acquire({ ...options, run: new LimitedRun() });
		refused?.({ report: undefined, isRefused: true, waitMs: 3000 });
		const [a, b, c] = [new LimitedRun(9), new LimitedRun(9), new LimitedRun(9)];
		const names = new Map([
			[a, 'a'],
			[b, 'b'],
			[c, 'c'],
		]);
		const order: unknown[] = [];
		const wait = async (run: LimitedRun) => {
			await limiter.acquire({ ...options, run });
			order.push(names.get(run));
		};
		await time.run(Promise.all([a, a, a, a, b, c, c].map(wait)));
		expect(order.join('')).toBe('abcacaa');
	});

	test('300 links at 30 a minute take ten windows', async () => {
		for (const hasHeaders of [true, false]) {
			const service = new RateLimitedService({ hasHeaders });
			await service.time.run(service.run(300, { requestsPerMinute: 30 }));
			expect(service.elapsed).toBeLessThan(600_000);
		}
	});

	test('a run that fits into the rest of a window takes all of it', async () => {
		for (const hasHeaders of [true, false]) {
			const service = new RateLimitedService({ hasHeaders });
			await service.time.run(service.run(12, { requestsPerMinute: 30 }));
			await service.time.run(service.run(18, { requestsPerMinute: 30 }));
			expect(service.elapsed).toBeLessThan(3000);
		}
	});

	test('a long list, whose length nobody knows, leaves some of the window', async () => {
		const service = new RateLimitedService();
		const run = new LimitedRun();
		const pages = service.run(50, { run });
		await service.time.run(service.time.sleep(20_000));
		expect(service.arrivals).toHaveLength(27);
		await service.time.run(pages);
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
	const STATED: Array<[string, Partial<Settings>]> = [
		['states its limit', {}],
		['states none', { hasHeaders: false }],
	];

	test.each(STATED)(
		'waits only in the last tenth of a window, if the service %s',
		async (_, settings) => {
			const service = new RateLimitedService(settings);
			const bulk = service.run(200, { requestsPerMinute: 30 });
			const waits: number[] = [];
			for (let times = 0; times < 60; times += 1) {
				await service.time.run(service.time.sleep(5900));
				const from = service.elapsed;
				// Nobody opens dropdowns all the time.
				if (times % 3 === 0) await service.time.run(service.send(person));
				waits.push(service.elapsed - from);
			}
			expect(Math.max(...waits)).toBeLessThan(6500);
			// In a sliding minute, a run that uses all of the limit leaves none: people get the next that comes free.
			if (service.settings.hasHeaders)
				expect(waits.filter((wait) => wait > 10).length).toBeLessThanOrEqual(4);
			await service.time.run(bulk);
			expect(service.refused).toBe(0);
		},
	);

	test.each(STATED)(
		'does not wait after a run of 45 rows, if the service %s',
		async (_, settings) => {
			const service = new RateLimitedService(settings);
			const bulk = service.run(45, { requestsPerMinute: 30 });
			await service.time.run(service.time.sleep(12_000));
			const from = service.elapsed;
			await service.time.run(service.send(person));
			expect(service.elapsed - from).toBe(10);
			await service.time.run(bulk);
			expect(service.elapsed).toBeLessThan(2 * 60_000);
		},
	);

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

describe('a request may be sent', () => {
	type Step = (window: RateWindow, finish: Map<string, ReturnType<RateWindow['start']>>) => void;
	/** What a response says: the limit, how many are left, and the milliseconds to the end of the window. */
	const says = (limit: number, remaining: number, resetInMs?: number): RateInfo => ({
		report: { limit, remaining, resetInMs },
		isRefused: false,
		waitMs: undefined,
	});
	const refuses = (waitMs?: number): RateInfo => ({ report: undefined, isRefused: true, waitMs });
	const NOTHING: RateInfo = { report: undefined, isRefused: false, waitMs: undefined };

	const sent =
		(at: number, name = ''): Step =>
		(window, finish) =>
			finish.set(name, window.start(at));
	const finished =
		(name: string, at: number, info?: RateInfo): Step =>
		(_, finish) =>
			finish.get(name)?.(at, info);
	const exchanged =
		(sentAt: number, at: number, info?: RateInfo): Step =>
		(window) =>
			window.start(sentAt)(at, info);
	/** So many requests, one after the other, in a window that ends at 900,000 ms. */
	const used = (count: number, limit: number): Step[] =>
		Array.from({ length: count }, (_, at) =>
			exchanged(at + 1, at + 1, says(limit, limit - at - 1, 899_999 - at)),
		);
	const opens =
		(now: number, at: number, requestsPerMinute = 30, urgent = false, wanted = 1): Step =>
		(window) => {
			const allowedAt = window.allowedAt(now, { requestsPerMinute, urgent, wanted });
			expect({ now, at: Math.max(now, allowedAt) }).toEqual({ now, at });
		};
	const person = (now: number, at: number, pace = 30) => opens(now, at, pace, true);
	/** For a run that wants so many. */
	const opensFor = (wanted: number, now: number, at: number, pace = 30) =>
		opens(now, at, pace, false, wanted);

	test.each<[when: string, ...steps: Step[]]>([
		[
			'alone in an unknown window, then after the first response, or when that is overdue',
			...[opens(5, 5), sent(5), opens(6, 10_005), opens(10_005, 10_005)],
			...[finished('', 10_500, says(9, 29, 1000)), opens(10_500, 10_500)],
		],
		[
			'after the end of a window that is used up, which is a minute away if nothing says so',
			...[exchanged(0, 10, says(9, 0, 5000)), opens(11, 5010), opens(5009, 5010)],
			...[opens(5010, 5010), exchanged(5010, 5020, says(9, 0)), opens(5020, 65_020)],
		],
		[
			'if those in flight leave one; the first one of the next window goes alone',
			...[exchanged(0, 10, says(9, 2, 5000)), sent(11, 'a'), sent(12), opens(13, 5010)],
			...[finished('a', 14, says(9, 1, 4996)), opens(14, 5010), opens(5010, 10_012)],
		],
		[
			'no more often than the limit, whatever is left',
			...[exchanged(0, 10, says(1, 31, 5000)), opens(10, 10), sent(10), opens(10, 5010)],
		],
		[
			'as the later request says, if responses of one window overtake each other',
			...[sent(0, 'a'), exchanged(1, 10, says(9, 0, 5000))],
			...[finished('a', 20, says(9, 1, 5500)), opens(20, 5010)],
		],
		[
			'as the later request says, if it is of the next window',
			...[sent(2, 'a'), exchanged(3, 30, says(9, 0, 60_000))],
			...[finished('a', 40, says(9, 29, 20)), opens(40, 60_030)],
			...[exchanged(50, 60, says(9, 29, 90_000)), opens(60, 60)],
		],
		[
			'after the earliest end that a window was said to have',
			...[exchanged(0, 10, says(9, 29, 5000)), exchanged(20, 30, says(9, 0, 4500))],
			...[exchanged(40, 50, says(9, 0, 5200)), opens(60, 4530)],
		],
		[
			'as in one window, if two ends differ by no more than a second and the time of the request',
			...[exchanged(0, 10, says(9, 0, 5000)), exchanged(3900, 4000, says(9, 1, 2109))],
			...[opens(4000, 5010), exchanged(4000, 4010, says(9, 5, 2010)), opens(4010, 4010)],
		],
		[
			'as the later response says, after two requests of one millisecond',
			...[sent(0, 'a'), sent(0, 'b'), finished('a', 10, says(9, 0, 5000))],
			...[finished('b', 20, says(9, 8, 60_000)), opens(20, 20)],
		],
		[
			'as if a request without a response was counted',
			...[exchanged(0, 10, says(2, 1, 5000)), exchanged(20, 30), opens(30, 5010)],
		],
		[
			'as if a request that is overdue was counted',
			...[exchanged(0, 10, says(2, 1, 50_000)), sent(20), opens(10_020, 50_010)],
		],
		[
			'after a refusal as it says, also by a person',
			...[exchanged(0, 10, refuses(7000)), opens(10, 7010), person(20, 7010)],
		],
		['a second after a refusal that says less', exchanged(0, 10, refuses(1)), opens(10, 1010)],
		['a minute after a refusal that says nothing', exchanged(0, 10, refuses()), opens(10, 60_010)],
		[
			'at the end of the window after a refusal that says nothing',
			...[exchanged(0, 10, says(9, 29, 5000)), exchanged(11, 2000, refuses())],
			...[opens(2000, 5010), sent(5010), opens(5010, 15_010)],
		],
		[
			'a minute after a refusal that says nothing, if the window has ended',
			...[exchanged(0, 10, says(9, 29, 5000)), exchanged(11, 5010, refuses()), opens(5010, 65_010)],
		],
		[
			'a second later for each refusal in a row, not counting those in flight, up to a minute',
			...[sent(0, 'a'), exchanged(0, 0, refuses(0)), finished('a', 0, refuses(0)), opens(0, 1000)],
			...[exchanged(1000, 1000, refuses(0)), opens(1000, 3000), exchanged(3000, 3000, NOTHING)],
			...Array.from({ length: 99 }, (_, at) => exchanged(1e5 * at, 1e5 * at, refuses(0))),
			opens(98e5, 98e5 + 60_000),
		],
		[
			'after a refusal, even if the window was said to last longer',
			...[exchanged(0, 10, says(1, 0, 50_000)), exchanged(10, 20, refuses(1700))],
			opens(20, 1720, 1),
		],
		[
			'after the longest wait of several refusals',
			...[sent(0, 'a'), exchanged(0, 10, refuses(9000)), finished('a', 20, refuses(500))],
			opens(20, 9010),
		],
		[
			'as often as the credential allows in any minute, if the service states no limit',
			...[exchanged(0, 100, NOTHING), opens(150, 150, 2)],
			...[exchanged(150, 200, NOTHING), opens(200, 60_100, 2)],
			...[opens(60_099, 60_100, 2), sent(60_100, 'a')],
			...[opens(60_150, 60_200, 2), sent(60_200, 'b')],
			...[opens(60_300, 70_100, 2)],
			...[opens(70_100, 130_100, 2), finished('b', 70_150)],
			...[finished('a', 80_000), opens(80_000, 130_100, 2)],
		],
		[
			'as the credential allows with those in flight, until they are overdue',
			...[exchanged(0, 10, NOTHING), sent(100), opens(110, 110, 3)],
			...[sent(110), sent(120), opens(130, 10_100, 3)],
		],
		...[1, 2, 3].map((limit): [string, ...Step[]] => [
			`as the credential allows if the service allows more: ${limit}, not 2`,
			...[0, 10].map((at) => exchanged(at, at + 10, says(limit, limit - 1, 5000 - at))),
			exchanged(20, 30, says(limit, 0, 4980)),
			opens(5010, limit > 2 ? 60_020 : 5010, 2),
		]),
		[
			'at once with 0 requests per minute, except after a refusal',
			...[exchanged(0, 10, says(9, 0, 5000)), opens(10, 10, 0)],
			...[exchanged(10, 20, refuses(1700)), opens(20, 1720, 0)],
		],
		[
			'in the last tenth of the window, if a long run wants one of the three that are kept',
			...[...used(26, 30), opensFor(5, 1001, 1001), ...used(27, 30).slice(-1)],
			...[opensFor(4, 1001, 810_001), opensFor(4, 810_001, 810_001), opensFor(3, 1001, 1001)],
			...[opens(1001, 1001), person(1001, 1001)],
		],
		[
			'in the last tenth of the window, if a limit keeps one',
			...[...used(9, 10), opensFor(2, 1001, 810_001), opensFor(1, 1001, 1001)],
		],
		['whatever a small limit leaves', ...used(8, 9), opensFor(2, 10, 10)],
		[
			'54 seconds after the oldest of a minute, if a long run wants one of those that the credential keeps',
			...Array.from({ length: 27 }, (_, at) => exchanged(1000 * at, 1000 * at, NOTHING)),
			...[opensFor(3, 26_000, 26_000), opensFor(4, 26_000, 54_000), person(26_000, 26_000)],
			...[opensFor(4, 54_000, 54_000), sent(54_000), opensFor(3, 54_001, 54_001)],
			// The oldest leaves the minute before its last tenth begins for the next.
			...[finished('', 54_002), opensFor(9, 54_003, 54_003), exchanged(54_003, 54_003, NOTHING)],
			...[exchanged(54_004, 54_004, NOTHING), opensFor(9, 54_005, 60_000)],
			...[opensFor(9, 60_000, 60_000), exchanged(60_000, 60_000), opensFor(9, 60_001, 61_000)],
		],
		[
			'in the first second of a window if four are left, because the clocks of others are inexact',
			...[...used(25, 30), opens(26, 26), exchanged(26, 26, says(30, 4, 899_974))],
			...[opens(27, 1001), opens(1000, 1001), opens(1001, 1001), person(27, 27)],
		],
		[
			'in the next window, if this one ends within that second',
			...[exchanged(0, 0, says(10, 4, 500)), opens(0, 500)],
		],
		[
			'if three times as many are left as others sent for each of ours',
			...[...used(1, 40), exchanged(2000, 2000, says(40, 37, 898_000)), opens(2001, 2001)],
			...[exchanged(2001, 2001, says(40, 3, 897_999)), opens(2002, 900_000)],
			person(2002, 2002),
		],
		[
			'if those in flight leave as many, too',
			...[
				...used(1, 10),
				exchanged(2000, 2000, says(10, 7, 898_000)),
				sent(2001),
				opens(2001, 2001),
			],
			...[sent(2001), opens(2001, 12_001)],
		],
		[
			'in the next window as if others sent as many as in the last, and four for each of ours at most',
			...[...used(1, 30), exchanged(2000, 2000, says(30, 0, 1000))],
			...[exchanged(3000, 3000, says(30, 25, 60_000)), opens(4000, 4000)],
			...[exchanged(4000, 4000, says(30, 5, 59_000)), opens(4000, 4000)],
			...[exchanged(4001, 4001, says(30, 4, 58_999)), opens(4001, 63_000)],
			person(4001, 4001),
		],
	])('%s', (_when, ...steps) => {
		const window = new RateWindow();
		const finish = new Map<string, ReturnType<RateWindow['start']>>();
		for (const step of steps) step(window, finish);
	});
});

test('a process has one limiter for each service and key', () => {
	const time = new VirtualTime();
	const first = limiterFor('a', time);
	expect(limiterFor('b', time)).not.toBe(first);
	expect(limiterFor('a', time)).toBe(first);
});

test('a limiter is kept while it knows or holds anything, however many keys there are', async () => {
	const time = new VirtualTime();
	const [idle, used, waitedFor] = ['idle', 'used', 'waited for'].map((key) =>
		limiterFor(key, time),
	);
	const request = { requestsPerMinute: 0, urgent: false, run: new LimitedRun(), until: Infinity };
	const finish = await used?.acquire(request);
	await time.run(time.sleep(HOUR_MS));
	finish?.({ report: undefined, isRefused: true, waitMs: HOUR_MS });
	const finishOther = await waitedFor?.acquire(request);
	finishOther?.({ report: undefined, isRefused: true, waitMs: HOUR_MS });
	for (let number = 0; number < 2000; number += 1) limiterFor(`key ${number}`, time);
	const isKept = () => [
		limiterFor('idle', time) === idle,
		limiterFor('used', time) === used,
		limiterFor('waited for', time) === waitedFor,
	];
	expect(isKept()).toEqual([true, true, true]);
	await time.run(time.sleep(2 * HOUR_MS + 1));
	limiterFor('another', time);
	expect(isKept()).toEqual([false, false, false]);
});

test('no permit is given after its time', async () => {
	const time = new VirtualTime();
	const limiter = new RateLimiter(time);
	const request = { requestsPerMinute: 0, urgent: true, run: new LimitedRun(), until: time.now() };
	expect(await limiter.acquire(request)).toBeDefined();
	expect(await limiter.acquire({ ...request, until: time.now() - 1 })).toBeUndefined();
});

test('no timer is longer than a second, so a cancelled execution leaves none behind', async () => {
	const time = new VirtualTime();
	const sleep = jest.spyOn(time, 'sleep');
	const limiter = new RateLimiter(time);
	const request = { requestsPerMinute: 0, urgent: false, run: new LimitedRun(), until: Infinity };
	const refusal = { report: undefined, isRefused: true, waitMs: 3000 };
	(await limiter.acquire(request))?.(refusal);
	await time.run(limiter.acquire(request));
	expect(sleep.mock.calls).toEqual([[1000], [1000], [1000]]);
});

describe('a wait that a service states', () => {
	const NOW = Date.UTC(2030, 0, 1);
	const LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': 0 };
	const infoOf = (headers: Record<string, string | number>, body?: unknown) =>
		rateInfoIn({ headers, body }, true, serverTime(headers, NOW));

	/** In milliseconds, and how it may be stated. An hour at most; a date that far away may be in another time zone. */
	const WAITS: Array<[waitMs: number | undefined, ...stated: Array<string | number>]> = [
		[0, '0', -5, NOW / 1000 - 5],
		[500, '0.5'],
		[47_000, ' 47 ', NOW / 1000 + 47, String(NOW + 47_000), ' 2030-01-01 00:00:47 '],
		[47_000, 'Tue, 01 Jan 2030 00:00:47 GMT', 'Tuesday, 01-Jan-30 00:00:47 GMT'],
		[47_000, '2030-01-01T00:00:47Z', '2030-01-01 00:00:47', '2030-01-01T01:00:47+01:00'],
		[47_000, '2029-12-31T19:00:47-0500'],
		[47_500, '2030-01-01T00:00:47.5z'],
		[3_595_000, 3595, NOW / 1000 + 3595],
		[HOUR_MS, 3600],
		[undefined, NOW / 1000 + 3596, '2030-01-01 01:00:00', 'Tue, 01 Jan 2030 01:00:00 GMT'],
		[undefined, 3601, -6, NOW / 1000 - 6, NOW + 7 * 24 * HOUR_MS, 1e8, '1e400', '', ' '],
		[undefined, 'in 1 minute', 'x2030-01-01 00:00:47', 'at Tue, 01 Jan 2030 00:00:47 GMT'],
		[undefined, 'Tue, 01 Jan 2030 00:00:47 GMT+1', '2030-13-01', '2030-01-1 00:00:47Z'],
	];

	test.each(WAITS)('is %j ms for %j %j %j %j', (waitMs, ...stated) => {
		for (const value of stated) {
			expect(infoOf({ 'retry-after': value })).toEqual({ isRefused: true, waitMs });
			expect(infoOf({}, { Retry_after: value })).toEqual({ isRefused: true, waitMs });
			const { report } = infoOf({ ...LIMIT, 'x-ratelimit-reset': value });
			expect(report).toEqual({ limit: 30, remaining: 0, resetInMs: waitMs });
		}
	});

	test('counts from when the service answered, by its own clock, if that can be read', () => {
		const date = 'Tue, 01 Jan 2030 00:00:10 GMT';
		const waits = [{ date }, { date: 'today' }, {}].map(
			(headers) => infoOf({ 'retry-after': NOW / 1000 + 47, ...headers }).waitMs,
		);
		expect(waits).toEqual([37_000, 47_000, 47_000]);
	});

	test('is that of the header, if the body has one, too; other members are none', () => {
		expect(infoOf({ 'retry-after': 1 }, { retryAfter: 2 }).waitMs).toBe(1000);
		expect(infoOf({}, { retryAfterwards: 2, noRetryAfter: 3 }).waitMs).toBeUndefined();
	});

	test.each<Record<string, string | number>>([
		{ ...LIMIT, 'x-ratelimit-limit': 0 },
		{ ...LIMIT, 'x-ratelimit-limit': 'many' },
		{ ...LIMIT, 'x-ratelimit-remaining': 'some' },
		{ 'x-ratelimit-limit': 30 },
	])('with %j belongs to no limit', (headers) => {
		expect(infoOf(headers).report).toBeUndefined();
	});
});

const RESET_NAMES = Object.keys(RESETS) as Array<keyof typeof RESETS>;
const HISTORIES = Number(process.env.HISTORIES ?? 300);

test(`after any of ${HISTORIES} accidents and five quiet requests, a limiter is as fast as a new one`, async () => {
	for (let seed = 1; seed <= HISTORIES; seed += 1) {
		const random = new Random(seed);
		const usual = { retryAfter: 0, hasHeaders: random.is(0.8), reset: random.pick(RESET_NAMES) };
		const service = new RateLimitedService(usual, seed);
		const { settings, time } = service;
		const minutes = async (count: number) => await time.sleep(count * 60_000);
		const history = async (): Promise<void> => {
			for (let steps = random.integer(1, 6); steps > 0; steps -= 1) {
				settings.limit = random.pick([1, 5, 30, 30, 100]);
				settings.hasHeaders = random.is(0.5);
				settings.skewMs = random.pick([0, 0, -3_600_000, 3_600_000, 86_400_000]);
				settings.retryAfter = random.pick([0, 0, 5, 90, 3000]);
				if (random.is(0.5)) service.useUp(random.integer(1, 40));
				const runs = [service.run(random.integer(1, 12)), service.send({ urgent: true })];
				await Promise.all(runs);
				await minutes(random.integer(0, 2));
			}
			Object.assign(settings, { limit: 30, skewMs: 0, ...usual });
			for (let polls = 0; polls < 5; polls += 1) {
				await minutes(1);
				await service.send();
			}
			const durations: number[] = [];
			for (const process of ['n8n', 'new']) {
				await minutes(2);
				const before = time.now();
				await service.run(45, { process });
				durations.push(time.now() - before);
			}
			const [old = 0, fresh = 0] = durations;
			if (old > fresh + 1000) throw new Error(`seed ${seed}: ${old} instead of ${fresh} ms`);
		};
		await time.run(history());
	}
}, 60_000);
