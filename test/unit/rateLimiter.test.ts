import type { PermitRequest } from '../../dist/nodes/shared/http/rateLimiter.js';
import { RateLimiter, RateLimiters } from '../../dist/nodes/shared/http/rateLimiter.js';
import { readRateInfo } from '../../dist/nodes/shared/http/rateHeaders.js';
import { VirtualTime } from './virtualTime.ts';

type Headers = Record<string, string | number>;

interface Server {
	limit: number;
	windowMs: number;
	/** Milliseconds that its clock is ahead. */
	skewMs: number;
	hasHeaders: boolean;
	hasDate: boolean;
	reset: (endsAt: number, now: number) => string | number;
	/** What a refusal asks to wait, in seconds. */
	retryAfter: number | undefined;
}

/** A server with a fixed window, as the link service's document describes it. */
const SERVER: Server = {
	limit: 30,
	windowMs: 60_000,
	skewMs: 0,
	hasHeaders: true,
	hasDate: true,
	reset: (endsAt) => Math.ceil(endsAt / 1000),
	retryAfter: undefined,
};

/** How long a request is under way to the server, and its answer back, in milliseconds. */
const TRANSIT_MS = 5;

const requestOf = (
	requestsPerMinute: number,
	request: Partial<PermitRequest> = {},
): PermitRequest => ({
	requestsPerMinute,
	urgent: false,
	signal: undefined,
	until: Infinity,
	...request,
});

/** A server, and a limiter before it. */
class Stage {
	readonly time = new VirtualTime(Date.UTC(2030, 0, 1) + 321);
	readonly limiter = new RateLimiter(this.time);
	readonly start = this.time.now();
	/** Milliseconds from the start. */
	readonly arrivals: number[] = [];
	refusals = 0;
	/** May change at any time. */
	readonly server: Server;
	private endsAt = 0;
	private used = 0;

	constructor(server: Partial<Server> = {}) {
		this.server = { ...SERVER, ...server };
	}

	/** Milliseconds since the start. */
	get elapsed(): number {
		return this.time.now() - this.start;
	}

	/** Takes requests of the window, as another program with the same key would. */
	useUp(count: number): void {
		this.renew();
		this.used += count;
	}

	private renew(): number {
		const { windowMs, skewMs } = this.server;
		const now = this.time.now() + skewMs;
		if (now >= this.endsAt || this.endsAt - now > windowMs) {
			this.endsAt = Math.floor(now / 1000) * 1000 + windowMs;
			this.used = 0;
		}
		return now;
	}

	private async answer(): Promise<{ headers: Headers; isRefused: boolean }> {
		await this.time.sleep(TRANSIT_MS);
		const { limit, hasHeaders, hasDate, reset, retryAfter } = this.server;
		const now = this.renew();
		this.arrivals.push(this.elapsed);
		const isRefused = this.used >= limit;
		if (isRefused) this.refusals += 1;
		else this.used += 1;
		const headers = {
			...(hasDate && { date: new Date(now).toUTCString() }),
			...(hasHeaders && {
				'x-ratelimit-limit': String(limit),
				'x-ratelimit-remaining': String(Math.max(0, limit - this.used)),
				'x-ratelimit-reset': reset(this.endsAt, now),
			}),
			...(isRefused && retryAfter && { 'retry-after': retryAfter }),
		};
		await this.time.sleep(TRANSIT_MS);
		return { headers, isRefused };
	}

	/** Sends until the server takes it. */
	async send(requestsPerMinute: number, request: Partial<PermitRequest> = {}): Promise<void> {
		for (;;) {
			const permit = await this.limiter.acquire(requestOf(requestsPerMinute, request));
			if (!permit) throw new Error('Out of patience');
			const { headers, isRefused } = await this.answer();
			const answer = { statusCode: 0, headers, body: undefined };
			permit.release(readRateInfo(answer, isRefused, this.time.epoch()));
			if (!isRefused) return;
		}
	}

	/** Sends one after the other, as the writes of a node do. */
	async sendInTurn(count: number, ...request: Parameters<Stage['send']>): Promise<void> {
		for (let index = 0; index < count; index += 1) await this.send(...request);
	}

	/** Sends them in turn; gives how long that took, in milliseconds. */
	async took(count: number, ...request: Parameters<Stage['send']>): Promise<number> {
		const from = this.elapsed;
		await this.time.run(this.sendInTurn(count, ...request));
		return this.elapsed - from;
	}

	/** The most arrivals in any 60 seconds. */
	get mostInAMinute(): number {
		const within = (from: number) =>
			this.arrivals.filter((at) => at >= from && at < from + 60_000).length;
		return Math.max(...this.arrivals.map(within));
	}
}

const person = { urgent: true };

const RESETS: Record<string, Server['reset']> = {
	'epoch seconds': (endsAt) => Math.ceil(endsAt / 1000),
	'epoch milliseconds': (endsAt) => endsAt,
	'seconds from now': (endsAt, now) => Math.ceil((endsAt - now) / 1000),
	'ISO 8601': (endsAt) => new Date(endsAt).toISOString(),
	'YYYY-MM-DD HH:MM:SS': (endsAt) => new Date(endsAt).toISOString().slice(0, 19).replace('T', ' '),
	'an HTTP date': (endsAt) => new Date(endsAt).toUTCString(),
};

describe.each(Object.entries(RESETS))('with X-RateLimit-Reset as %s', (_name, reset) => {
	test.each([0, -7_200_000, -900, 95_000])(
		'and a server clock that is %i ms ahead, 100 requests take 100, none refused, in four windows',
		async (skewMs) => {
			const stage = new Stage({ reset, skewMs });
			expect(await stage.took(100, 30)).toBeLessThan(3 * 60_000 * 1.05);
			expect(stage.refusals).toBe(0);
			expect(stage.arrivals).toHaveLength(100);
		},
	);
});

test('several requests at once keep to the limit as well', async () => {
	const stage = new Stage();
	const runs = Array.from({ length: 5 }, async () => await stage.sendInTurn(20, 30));
	await stage.time.run(Promise.all(runs));
	expect(stage.refusals).toBe(0);
	expect(stage.arrivals).toHaveLength(100);
	// Two a request, and one a second for all who wait.
	expect(stage.time.sleeps).toBeLessThan(2 * 100 + 3 * 62);
});

describe('a moment that a service tells', () => {
	const NOW = Date.UTC(2030, 0, 1);
	const HOUR_MS = 3_600_000;
	const answer = (headers: Headers, body?: unknown) => ({ statusCode: 429, headers, body });
	const LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': 0 };

	test.each<[string | number, number | undefined]>([
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
		// An hour at most, but answers take some seconds.
		[3600, HOUR_MS],
		[3605, HOUR_MS],
		[3606, undefined],
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
	])('as %j is %j ms away', (told, waitMs) => {
		for (const rows of [answer({ 'retry-after': told }), answer({}, { Retry_after: told })]) {
			expect(readRateInfo(rows, true, NOW)).toEqual({
				report: undefined,
				isRefusal: true,
				waitMs,
			});
		}
		const reset = answer({ ...LIMIT, 'x-ratelimit-reset': told });
		const report = { limit: 30, remaining: 0, resetInMs: waitMs };
		expect(readRateInfo(reset, false, NOW)).toEqual({ report, isRefusal: false });
	});

	test('counts from when the service answered, by its own clock, if that can be read', () => {
		const date = 'Tue, 01 Jan 2030 00:00:10 GMT';
		const waitMs = (headers: Headers) =>
			readRateInfo(answer({ 'retry-after': NOW / 1000 + 47, ...headers }), true, NOW).waitMs;
		expect([waitMs({ date }), waitMs({ date: 'today' }), waitMs({})]).toEqual([
			...[37_000, 47_000, 47_000],
		]);
	});

	test('is that of the header, if the body has one, too; other members are none', () => {
		const both = answer({ 'retry-after': 1 }, { retryAfter: 2 });
		expect(readRateInfo(both, true, NOW).waitMs).toBe(1000);
		const other = answer({}, { retryAfterwards: 2, noRetryAfter: 3 });
		expect(readRateInfo(other, true, NOW).waitMs).toBeUndefined();
	});

	test.each<[Headers]>([
		[{ ...LIMIT, 'x-ratelimit-limit': 0 }],
		[{ ...LIMIT, 'x-ratelimit-limit': 'many' }],
		[{ ...LIMIT, 'x-ratelimit-remaining': 'some' }],
		[{ 'x-ratelimit-limit': 30 }],
	])('with %j tells no limit', (headers) => {
		expect(readRateInfo(answer(headers), false, NOW).report).toBeUndefined();
	});
});

describe('in the middle of a run', () => {
	const DAY_MS = 86_400_000;

	test.each<[string, (stage: Stage) => void, number, number]>([
		['the clock here is set back', ({ time }) => (time.wallClockError = -DAY_MS), 3, 0],
		['the clock here is set back a bit', ({ time }) => (time.wallClockError = -3000), 3, 0],
		['the clock here is set forward', ({ time }) => (time.wallClockError = DAY_MS), 3, 0],
		['the clock there is set back', ({ server }) => (server.skewMs = -7_200_000), 4, 1],
		['the clock there is set forward', ({ server }) => (server.skewMs = 5000), 4, 0],
		['another program uses up the limit', (stage) => stage.useUp(20), 4, 1],
		['the limit is lowered', ({ server }) => (server.limit = 8), 13, 1],
		['the limit is raised above ours', ({ server }) => (server.limit = 100), 4, 0],
		['the service stops telling its limit', ({ server }) => (server.hasHeaders = false), 3, 0],
	])('%s, which is noticed with the next answer', async (_, happen, windows, refusals) => {
		const stage = new Stage();
		await stage.took(10, 30);
		happen(stage);
		expect(await stage.took(90, 30)).toBeLessThan(windows * 61_000);
		expect(stage.refusals).toBeLessThanOrEqual(refusals);
		expect(stage.arrivals).toHaveLength(100 + stage.refusals);
	});
});

describe('the requests per minute of the credential', () => {
	test('hold where the service tells no limit: never more in any 60 seconds', async () => {
		const stage = new Stage({ hasHeaders: false, limit: 1000 });
		await stage.took(1, 60);
		await stage.time.run(stage.time.sleep(58_000));
		const runs = Array.from({ length: 5 }, async () => await stage.sendInTurn(40, 60));
		await stage.time.run(Promise.all(runs));
		expect(stage.mostInAMinute).toBe(60);
		expect(stage.elapsed).toBeLessThan(58_000 + 3 * 60_000 + 1000);
	});

	test('of a credential test with unsaved values change nothing', async () => {
		const stage = new Stage({ hasHeaders: false, limit: 1000 });
		await stage.took(5, 60);
		await stage.took(1, 0, person);
		expect(await stage.took(50, 60)).toBeLessThan(1000);
	});
});

describe('a person, for whose dropdown a request is sent during a bulk run,', () => {
	const asked = async (stage: Stage, afterMs: number): Promise<number> => {
		await stage.time.sleep(afterMs);
		const from = stage.elapsed;
		await stage.send(30, person);
		return stage.elapsed - from;
	};

	test('goes before the run in the next window, if nobody was about', async () => {
		const stage = new Stage();
		const bulk = stage.sendInTurn(60, 30);
		expect(await stage.time.run(asked(stage, 5000))).toBeLessThan(55_100);
		await stage.time.run(bulk);
		expect(stage.refusals).toBe(0);
	});

	test('does not wait, if somebody was about in the last minutes', async () => {
		const stage = new Stage();
		await stage.took(1, 30, person);
		const bulk = stage.sendInTurn(200, 30);
		for (const minute of [1, 2, 3, 4]) {
			const waited = await stage.time.run(asked(stage, 61_000));
			expect({ minute, waited }).toEqual({ minute, waited: 2 * TRANSIT_MS });
		}
		await stage.time.run(bulk);
		expect(stage.refusals).toBe(0);
	});

	test('is told at once when the wait would be longer than a window', async () => {
		const stage = new Stage({ windowMs: 1_800_000 });
		await stage.took(30, 30);
		const from = stage.elapsed;
		const until = stage.time.now() + 60_000;
		const sent = stage.send(30, { ...person, until });
		await expect(stage.time.run(sent)).rejects.toThrow('Out of patience');
		expect(stage.elapsed).toBe(from);
	});

	test('is told as soon as the wait gets longer than that', async () => {
		const stage = new Stage({ limit: 1, retryAfter: 1800 });
		await stage.took(1, 30);
		const bulk = stage.send(30);
		const waiting = stage.send(30, { ...person, until: stage.time.now() + 61_000 });
		stage.server.limit = 0;
		await expect(stage.time.run(waiting)).rejects.toThrow('Out of patience');
		expect(stage.elapsed).toBeLessThan(61_000);
		stage.server.limit = 1;
		await stage.time.run(bulk);
	});
});

test('a run that nobody watches uses the whole limit', async () => {
	const stage = new Stage();
	await stage.took(1, 30, person);
	await stage.time.run(stage.time.sleep(11 * 60_000));
	expect(await stage.took(300, 30)).toBeLessThan(9 * 60_000 * 1.05);
	expect(stage.refusals).toBe(0);
});

test('two runs share a window fairly', async () => {
	const stage = new Stage();
	const run = async () => {
		await stage.sendInTurn(40, 30);
		return stage.elapsed;
	};
	const [first, second] = await stage.time.run(Promise.all([run(), run()]));
	expect(Math.abs(first - second)).toBeLessThan(1000);
});

describe('a stopped execution', () => {
	test('does not wait any more, and leaves the queue in order', async () => {
		const stage = new Stage({ limit: 2 });
		await stage.took(2, 30);
		const stop = new AbortController();
		const stopped = stage.send(30, { signal: stop.signal });
		const next = stage.send(30);
		stop.abort();
		await expect(stopped).rejects.toThrow('The execution was canceled');
		await stage.time.run(next);
		expect(stage.arrivals).toHaveLength(3);
	});

	test('sends nothing', async () => {
		const sent = new Stage().send(30, { signal: AbortSignal.abort() });
		await expect(sent).rejects.toThrow('The execution was canceled');
	});
});

describe('the limiters of a process', () => {
	test('are one for each service and key, and are dropped when nothing used them for an hour', async () => {
		const time = new VirtualTime();
		const limiters = new RateLimiters(time);
		const first = limiters.for('a');
		expect(limiters.for('a')).toBe(first);
		await time.run(time.sleep(3_599_999));
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
		const report = { limit: 1, remaining: 0, resetInMs: 3_600_000 };
		const permit = await busy.acquire(requestOf(1));
		permit?.release({ report, isRefusal: false, waitMs: undefined });
		const waiting = busy.acquire(requestOf(1));
		await time.run(time.sleep(3_600_000));
		limiters.for('b');
		expect(limiters.for('a')).toBe(busy);
		await time.run(waiting);
	});
});
