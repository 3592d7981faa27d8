import fc from 'fast-check';

import type { RateInfo } from '../../../../dist/nodes/shared/http/rateHeaders.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { seeded } from '../../../seeds.ts';
import { RateLimitedService } from '../../helpers/rateLimitedService.ts';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What the documents say about the rate limit, against a service in virtual time. */

const HOUR_MS = 3_600_000;

/** Any service that states its limit, however its clock runs. */
const services = fc.record({
	limit: fc.integer({ min: 5, max: 60 }),
	windowSeconds: fc.constantFrom(10, 60, 300),
	skewMs: fc.constantFrom(0, -2 * HOUR_MS, -900, 95_000),
	roundTripMs: fc.constantFrom(2, 50, 130),
});
/** How many requests each of the runs of a process sends, which begin at once. */
const loads = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });

const runAll = async (service: RateLimitedService, counts: number[], requestsPerMinute = 120) =>
	await Promise.all(counts.map(async (count) => await service.run(count, { requestsPerMinute })));

test('one process is never refused, and uses the limit but for a tenth', async () => {
	const property = fc.asyncProperty(services, loads, async (settings, counts) => {
		const service = new RateLimitedService(settings);
		await service.time.run(runAll(service, counts));
		expect(service.refused).toBe(0);
		const { limit, windowSeconds, roundTripMs } = settings;
		// Some of it is left to people.
		const perWindow = limit - Math.floor(limit / 10);
		const windows = Math.ceil(counts.reduce((total, each) => total + each, 0) / perWindow);
		// Windows end at whole seconds.
		const most = windows * (windowSeconds + 1) * 1000 + Math.max(...counts) * 2 * roundTripMs;
		expect(service.elapsed).toBeLessThan(most);
	});
	await fc.assert(property, seeded(25));
});

test('two processes lose less than 3 % of their requests, and use 80 % of the limit', async () => {
	const service = new RateLimitedService({ roundTripMs: 100 });
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
	['the clock there goes back', (service) => service.change({ skewMs: -2 * HOUR_MS })],
	['another program uses up the limit', (service) => service.useUp()],
	['the limit is lowered', (service) => service.change({ limit: 15 })],
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
	['states no limit', { hasHeaders: false, limit: 1000 }, 3],
	['states a higher one', { limit: 1000 }, 3],
	['says only with a refusal when its window ends', { hasReset: false, limit: 20 }, 4],
])('Requests per Minute decides if the service %s', async (_what, settings, minutes) => {
	const service = new RateLimitedService({ retryAfter: 60, ...settings });
	await service.time.run(service.run(60, { requestsPerMinute: 20 }));
	expect(service.refused).toBe(0);
	expect(service.elapsed).toBeGreaterThan(2 * 60_000);
	expect(service.elapsed).toBeLessThan((minutes + 1) * 60_000);
});

test('0 turns pacing off, and every refusal is waited out as long as the service says', async () => {
	for (const retryAfter of [1, 40, 100]) {
		// The service throws if anything comes earlier.
		const service = new RateLimitedService({ retryAfter });
		await service.time.run(runAll(service, [20, 20], 0));
		expect(service.arrivals.length - service.refused).toBe(40);
		expect(service.arrivals.filter(({ at }) => at < 900).length).toBeGreaterThanOrEqual(30);
	}
});

describe('beside a run of 300 rows', () => {
	const paced = { requestsPerMinute: 30 };

	test('a person waits at most six seconds', async () => {
		const service = new RateLimitedService();
		const bulk = service.time.run(service.run(300, paced));
		for (let times = 0; times < 30; times += 1) {
			await service.time.sleep(13_700);
			const from = service.elapsed;
			await service.send({ ...paced, urgent: true });
			expect(service.elapsed - from).toBeLessThanOrEqual(6000);
		}
		await bulk;
		expect(service.refused).toBe(0);
	});

	test('a person goes before all who wait for the next window', async () => {
		const service = new RateLimitedService();
		await service.time.run(service.run(27, paced));
		await service.time.run(service.run(3, { ...paced, urgent: true }));
		const served: string[] = [];
		const others = Array.from({ length: 40 }, async () => {
			await service.send(paced);
			served.push('run');
		});
		const asked = service.send({ ...paced, urgent: true }).then(() => served.push('person'));
		await service.time.run(Promise.all([...others, asked]));
		expect(served[0]).toBe('person');
	});

	test('a short run waits at most a window', async () => {
		const service = new RateLimitedService();
		const bulk = service.time.run(service.run(300, paced));
		await service.time.sleep(70_000);
		const from = service.elapsed;
		await service.run(3, paced);
		expect(service.elapsed - from).toBeLessThan(61_000);
		await bulk;
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
