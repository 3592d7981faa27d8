import fc from 'fast-check';

import type { RateInfo } from '../../../../dist/nodes/shared/http/rateHeaders.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { seeded } from '../../../seeds.ts';
import { RateLimitedService, RESETS } from '../../helpers/rateLimitedService.ts';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What the documents say about the rate limit, against a service in virtual time. */

const HOUR_MS = 3_600_000;

/** Any service that states its limit, however its clock runs. */
const services = fc.record({
	limit: fc.integer({ min: 5, max: 60 }),
	windowMs: fc.constantFrom(10_000, 60_000, 300_000),
	skewMs: fc.constantFrom(0, -2 * HOUR_MS, -900, 95_000),
	reset: fc.constantFrom(...(Object.keys(RESETS) as Array<keyof typeof RESETS>)),
	roundTripMs: fc.constantFrom<Array<[number, number]>>([1, 2], [10, 100], [50, 200]),
});
/** How many requests each of the runs of a process sends, which begin at once. */
const loads = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const seeds = fc.integer({ min: 1, max: 1e6 });

const runAll = async (service: RateLimitedService, counts: number[], requestsPerMinute = 120) =>
	await Promise.all(counts.map(async (count) => await service.run(count, { requestsPerMinute })));

test('one process is never refused, and uses the limit but for a tenth', async () => {
	const property = fc.asyncProperty(services, loads, seeds, async (settings, counts, seed) => {
		const service = new RateLimitedService(settings, seed);
		await service.time.run(runAll(service, counts));
		expect(service.refused).toBe(0);
		const { limit, windowMs, roundTripMs } = service.settings;
		// Some of it is left to people.
		const perWindow = limit - Math.floor(limit / 10);
		const windows = Math.ceil(counts.reduce((total, each) => total + each, 0) / perWindow);
		// Windows end at whole seconds.
		const most = windows * (windowMs + 1000) + Math.max(...counts) * roundTripMs[1];
		expect(service.elapsed).toBeLessThan(most);
	});
	await fc.assert(property, seeded(25));
});

test('two processes lose less than 3 % of their requests, and use 80 % of the limit', async () => {
	const service = new RateLimitedService({ roundTripMs: [50, 150] });
	const runs = ['one', 'other'].map(async (process) => {
		await service.run(300, { process, requestsPerMinute: 30 });
	});
	await service.time.run(Promise.all(runs));
	expect(service.refused / service.arrivals.length).toBeLessThan(0.03);
	expect(service.elapsed).toBeLessThan((600 / 30 / 0.8) * 60_000);
});

test.each<[event: string, happens: (service: RateLimitedService) => unknown]>([
	['the clock here goes back', ({ time }) => (time.wallClockError = -24 * HOUR_MS)],
	['the clock here goes forward', ({ time }) => (time.wallClockError = 24 * HOUR_MS)],
	['the clock there goes back', ({ settings }) => (settings.skewMs -= 2 * HOUR_MS)],
	['another program uses up the limit', (service) => service.useUp(1000)],
	['the limit is lowered', ({ settings }) => (settings.limit = 15)],
])('%s, which is noticed with the next response', async (_event, happens) => {
	const service = new RateLimitedService();
	await service.time.run(runAll(service, [10], 30));
	happens(service);
	await service.time.run(runAll(service, [20, 20], 30));
	// Those in flight when it happens may be refused.
	expect(service.refused).toBeLessThanOrEqual(3);
	expect(service.elapsed).toBeLessThan(300_000);
});

test.each([
	['the service states no limit', { hasHeaders: false, limit: 1000 }],
	['its limit is higher', { limit: 1000 }],
])('Requests per Minute decides if %s', async (_what, settings) => {
	const service = new RateLimitedService(settings);
	await service.time.run(service.run(60, { requestsPerMinute: 20 }));
	expect(service.elapsed).toBeGreaterThan(2 * 60_000);
	expect(service.elapsed).toBeLessThan(4 * 60_000);
});

test('a higher limit of the service counts if nobody changed Requests per Minute', async () => {
	const service = new RateLimitedService({ limit: 60 });
	const run = service.run(54, { requestsPerMinute: 30, isDefault: true });
	await service.time.run(run);
	expect(service.elapsed).toBeLessThan(60_000);
	expect(service.refused).toBe(0);
});

test('a service that says only with a refusal when its window ends is not refused', async () => {
	const service = new RateLimitedService({ limit: 60, reset: 'none', retryAfter: 60 });
	await service.time.run(service.run(180, { requestsPerMinute: 60 }));
	expect(service.refused).toBe(0);
	expect(service.elapsed).toBeLessThan(190_000);
});

test('0 turns pacing off, and every refusal is waited out as long as the service says', async () => {
	for (const retryAfter of [1, 40, 100]) {
		// The service throws if anything comes earlier.
		const service = new RateLimitedService({ retryAfter });
		await service.time.run(runAll(service, [20, 20], 0));
		expect(service.arrivals.length - service.refused).toBe(40);
		expect(service.arrivals.filter(({ at }) => at < 400).length).toBeGreaterThanOrEqual(30);
	}
});

describe('at 30 requests a minute', () => {
	const paced = { requestsPerMinute: 30 };
	const person = { ...paced, urgent: true };

	test.each([true, false])('300 links take twelve windows, headers: %j', async (hasHeaders) => {
		const service = new RateLimitedService({ hasHeaders });
		await service.time.run(service.run(300, paced));
		expect(service.refused).toBe(0);
		expect(service.elapsed).toBeLessThan(720_000);
	});

	test('what fits into the rest of a window does not wait', async () => {
		const service = new RateLimitedService();
		await service.time.run(service.run(12, paced));
		await service.time.run(service.run(15, paced));
		expect(service.elapsed).toBeLessThan(3000);
	});

	test('a person beside a run of 300 rows waits at most six seconds', async () => {
		const service = new RateLimitedService();
		const bulk = service.run(300, paced);
		const waits: number[] = [];
		for (let times = 0; times < 40; times += 1) {
			await service.time.run(service.time.sleep(13_700));
			const from = service.elapsed;
			await service.time.run(service.send(person));
			waits.push(service.elapsed - from);
		}
		expect(Math.max(...waits)).toBeLessThanOrEqual(6000);
		await service.time.run(bulk);
		expect(service.refused).toBe(0);
	});

	test('a person goes before all who wait for the next window', async () => {
		const service = new RateLimitedService();
		await service.time.run(service.run(27, paced));
		const served: string[] = [];
		const others = Array.from({ length: 40 }, async () => {
			await service.send(paced);
			served.push('run');
		});
		const asked = service.send(person).then(() => served.push('person'));
		await service.time.run(Promise.all([...others, asked]));
		expect(served.indexOf('person')).toBe(0);
	});

	test('a short run beside a long one waits at most a window', async () => {
		const service = new RateLimitedService();
		const bulk = service.run(300, paced);
		await service.time.run(service.time.sleep(70_000));
		const from = service.elapsed;
		await service.time.run(service.run(3, paced));
		expect(service.elapsed - from).toBeLessThan(61_000);
		await service.time.run(bulk);
	});
});

const COUNTED = { limit: 2, remaining: 1, resetInMs: 40_000, isRefused: false };
const REFUSED = { resetInMs: 0, isRefused: true };

test.each<[after: string, ms: number, responses: Array<RateInfo | undefined>]>([
	['a request without a response holds back others', 10_000, []],
	['a request without a response may have been counted', 40_000, [COUNTED, undefined]],
	['a refusal that asks for no wait is waited out', 1000, [REFUSED]],
])('%s: the next request waits for %i ms', async (_after, ms, responses) => {
	const time = new VirtualTime();
	const limiter = new RateLimiter(time);
	const start = time.now();
	const pace = { requestsPerMinute: 30, isDefault: true };
	const request = { pace, urgent: false, until: Infinity };
	if (responses.length === 0) await limiter.acquire(request);
	for (const info of responses) (await limiter.acquire(request))?.(info);
	await time.run(limiter.acquire(request));
	expect(time.now() - start).toBe(ms);
});

test('a stopped execution waits no longer, and leaves the queue in order', async () => {
	const service = new RateLimitedService({ limit: 2 });
	await service.time.run(service.run(2));
	const stop = new AbortController();
	const stopped = service.send({ signal: stop.signal });
	const next = service.send();
	stop.abort();
	await expect(stopped).rejects.toThrow('The execution was canceled');
	await service.time.run(next);
	expect(service.arrivals).toHaveLength(3);
});
