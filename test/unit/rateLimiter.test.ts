import { RateLimiter } from '../../dist/nodes/shared/http/rateLimiter.js';
import { VirtualTime } from './virtualTime.ts';

interface ServerOptions {
	time: VirtualTime;
	limit?: number;
	windowMs?: number;
	/** Milliseconds that its clock is ahead. */
	skewMs?: number;
	reset?: (endsAt: number, now: number) => string | number;
	hasHeaders?: boolean;
}

/** A server with a fixed window, as the link service's document describes it; the time is the test's. */
function server({
	time,
	limit = 30,
	windowMs = 60_000,
	skewMs = 0,
	reset = (endsAt) => Math.ceil(endsAt / 1000),
	hasHeaders = true,
}: ServerOptions) {
	let endsAt = 0;
	let used = 0;
	const arrivals: number[] = [];
	let refused = 0;
	return {
		arrivals,
		refusals: () => refused,
		/** Uses up slots, as another program with the same key would. */
		useUp: (count: number) => (used += count),
		async answer() {
			await time.sleep(5);
			const now = time.now() + skewMs;
			if (now >= endsAt) {
				endsAt = Math.floor(now / 1000) * 1000 + windowMs;
				used = 0;
			}
			arrivals.push(time.now());
			const isRefused = used >= limit;
			if (isRefused) refused += 1;
			else used += 1;
			await time.sleep(5);
			const headers = hasHeaders
				? {
						date: new Date(now).toUTCString(),
						'x-ratelimit-limit': String(limit),
						'x-ratelimit-remaining': String(Math.max(0, limit - used)),
						'x-ratelimit-reset': String(reset(endsAt, now)),
					}
				: {};
			return { headers, isRefused };
		},
	};
}

async function send(
	pacer: RateLimiter,
	service: ReturnType<typeof server>,
	{ urgent = false, signal }: { urgent?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
	for (;;) {
		const slot = await pacer.acquire({ urgent, signal });
		const { headers, isRefused } = await service.answer();
		slot.release(headers, isRefused ? { waitMs: undefined } : undefined);
		if (!isRefused) return;
	}
}

/** Sends one after the other, as the writes of a node do. */
async function sendInTurn(count: number, ...on: Parameters<typeof send>): Promise<void> {
	for (let index = 0; index < count; index += 1) await send(...on);
}

const RESETS: Record<string, (endsAt: number, now: number) => string | number> = {
	'epoch seconds': (endsAt) => Math.ceil(endsAt / 1000),
	'epoch milliseconds': (endsAt) => endsAt,
	'seconds from now': (endsAt, now) => Math.ceil((endsAt - now) / 1000),
	'ISO 8601': (endsAt) => new Date(endsAt).toISOString(),
	'YYYY-MM-DD HH:MM:SS': (endsAt) => new Date(endsAt).toISOString().slice(0, 19).replace('T', ' '),
};

describe.each(Object.entries(RESETS))('with X-RateLimit-Reset as %s', (_name, reset) => {
	test('100 requests take 100 requests, none refused, in the fourth window', async () => {
		const time = new VirtualTime();
		const service = server({ time, reset });
		const start = time.now();
		await time.run(sendInTurn(100, new RateLimiter(30, time), service));
		expect(service.refusals()).toBe(0);
		expect(service.arrivals).toHaveLength(100);
		expect(time.now() - start).toBeLessThan(3 * 60_000 * 1.05);
	});

	test.each([-7_200_000, -1500, 900, 95_000, 7_200_000])(
		'a server clock that is %i ms ahead changes nothing',
		async (skewMs) => {
			const time = new VirtualTime(Date.UTC(2030, 0, 1) + 321);
			const service = server({ time, reset, skewMs });
			const start = time.now();
			await time.run(sendInTurn(100, new RateLimiter(30, time), service));
			expect(service.refusals()).toBe(0);
			expect(time.now() - start).toBeLessThan(3 * 60_000 * 1.05);
		},
	);
});

test('several requests at once keep to the limit as well', async () => {
	const time = new VirtualTime();
	const service = server({ time });
	const pacer = new RateLimiter(30, time);
	await time.run(
		Promise.all(Array.from({ length: 5 }, async () => await sendInTurn(20, pacer, service))),
	);
	expect(service.refusals()).toBe(0);
	expect(service.arrivals).toHaveLength(100);
});

test('the first request of an unknown window goes alone', async () => {
	const time = new VirtualTime();
	const pacer = new RateLimiter(30, time);
	const first = await pacer.acquire({ urgent: false, signal: undefined });
	let isSecondIn = false;
	const second = pacer.acquire({ urgent: false, signal: undefined }).then((slot) => {
		isSecondIn = true;
		return slot;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(isSecondIn).toBe(false);
	first.release({});
	await second;
	expect(isSecondIn).toBe(true);
});

test('a server without rate limit headers is paced by the requests per minute of the credential', async () => {
	const time = new VirtualTime();
	const service = server({ time, hasHeaders: false, limit: 30 });
	const start = time.now();
	await time.run(sendInTurn(61, new RateLimiter(30, time), service));
	expect(service.refusals()).toBe(0);
	expect(time.now() - start).toBeGreaterThan(2 * 60_000);
});

test('0 requests per minute means no pacing', async () => {
	const time = new VirtualTime();
	const service = server({ time, hasHeaders: false, limit: 1000 });
	const start = time.now();
	await time.run(sendInTurn(500, new RateLimiter(0, time), service));
	expect(time.now() - start).toBe(500 * 10);
});

test('a limit below the one of the service is kept', async () => {
	const time = new VirtualTime();
	const service = server({ time, limit: 30 });
	await time.run(sendInTurn(12, new RateLimiter(4, time), service));
	const [first = 0] = service.arrivals;
	expect(service.arrivals.filter((at) => at < first + 59_000)).toHaveLength(4);
});

describe('a person, for whose dropdown a request is sent during a bulk run,', () => {
	test('goes before the run in the next window, if nobody was about', async () => {
		const time = new VirtualTime();
		const service = server({ time });
		const pacer = new RateLimiter(30, time);
		const start = time.now();
		const bulk = sendInTurn(60, pacer, service);
		const person = (async () => {
			await time.sleep(5000);
			await send(pacer, service, { urgent: true });
			return time.now() - start;
		})();
		expect(await time.run(person)).toBeLessThan(60_100);
		await time.run(bulk);
		expect(service.refusals()).toBe(0);
	});

	test('does not wait, if somebody was about in the last minutes', async () => {
		const time = new VirtualTime();
		const service = server({ time });
		const pacer = new RateLimiter(30, time);
		await time.run(send(pacer, service, { urgent: true }));
		const bulk = sendInTurn(200, pacer, service);
		for (const minute of [1, 2, 3, 4]) {
			const waited = (async () => {
				await time.sleep(61_000);
				const asked = time.now();
				await send(pacer, service, { urgent: true });
				return time.now() - asked;
			})();
			expect({ minute, waited: await time.run(waited) }).toEqual({ minute, waited: 10 });
		}
		await time.run(bulk);
		expect(service.refusals()).toBe(0);
	});
});

test('a run that nobody watches uses the whole limit', async () => {
	const time = new VirtualTime();
	const service = server({ time });
	const pacer = new RateLimiter(30, time);
	await time.run(send(pacer, service, { urgent: true }));
	await time.run(time.sleep(11 * 60_000));
	const start = time.now();
	await time.run(sendInTurn(300, pacer, service));
	expect(service.refusals()).toBe(0);
	expect(time.now() - start).toBeLessThan(9 * 60_000 * 1.05);
});

test('two runs share a window fairly', async () => {
	const time = new VirtualTime();
	const service = server({ time });
	const pacer = new RateLimiter(30, time);
	const finished: string[] = [];
	const run = async (name: string) => {
		await sendInTurn(40, pacer, service);
		finished.push(name);
		return time.now();
	};
	const [first, second] = await time.run(Promise.all([run('a'), run('b')]));
	expect(finished).toHaveLength(2);
	expect(Math.abs(first - second)).toBeLessThan(1000);
});

test('a limit that another program uses up is waited out', async () => {
	const time = new VirtualTime();
	const service = server({ time });
	const pacer = new RateLimiter(30, time);
	await time.run(sendInTurn(10, pacer, service));
	service.useUp(20);
	await time.run(sendInTurn(30, pacer, service));
	expect(service.arrivals).toHaveLength(40 + service.refusals());
	expect(service.refusals()).toBeLessThanOrEqual(1);
});

test('a refusal that is read just after its window has ended costs no further window', async () => {
	const time = new VirtualTime();
	const pacer = new RateLimiter(30, time);
	const headers = (remaining: number) => ({
		'x-ratelimit-limit': '30',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': '60',
	});
	(await pacer.acquire({ urgent: false, signal: undefined })).release(headers(29));
	const late = await pacer.acquire({ urgent: false, signal: undefined });
	await time.run(time.sleep(60_100));
	late.release(undefined, { waitMs: undefined });
	const start = time.now();
	await time.run(pacer.acquire({ urgent: false, signal: undefined }));
	expect(time.now() - start).toBeLessThan(1000);
});

test('a Retry-After in whole seconds is cut to the end of the window, where that is known', async () => {
	const time = new VirtualTime();
	const pacer = new RateLimiter(30, time);
	const start = time.now();
	const headers = {
		'x-ratelimit-limit': '30',
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': String(start + 1500),
	};
	const slot = await pacer.acquire({ urgent: false, signal: undefined });
	slot.release(headers, { waitMs: 2000 });
	await time.run(pacer.acquire({ urgent: false, signal: undefined }));
	expect(time.now() - start).toBeLessThan(1600);
	expect(time.now() - start).toBeGreaterThanOrEqual(1500);
});

test('a wait ends when the execution is stopped, and leaves the queue in order', async () => {
	const time = new VirtualTime();
	const service = server({ time, limit: 2 });
	const pacer = new RateLimiter(2, time);
	await time.run(sendInTurn(2, pacer, service));
	const stop = new AbortController();
	const stopped = send(pacer, service, { signal: stop.signal });
	const next = send(pacer, service);
	stop.abort();
	await expect(stopped).rejects.toThrow('The execution was canceled');
	await time.run(next);
	expect(service.arrivals).toHaveLength(3);
});

test('a request of an execution that is already stopped is not sent', async () => {
	const time = new VirtualTime();
	const slot = new RateLimiter(30, time).acquire({ urgent: false, signal: AbortSignal.abort() });
	await expect(slot).rejects.toThrow('The execution was canceled');
});
