import { rateInfoIn, serverTime } from '../../../dist/nodes/shared/http/rateHeaders.js';
import { RateLimiter } from '../../../dist/nodes/shared/http/rateLimiter.js';
import { VirtualTime } from './virtualTime.ts';

/** How `X-RateLimit-Reset` may say when a window ends. */
export const RESETS = {
	'epoch seconds': (endsAt: number) => Math.ceil(endsAt / 1000),
	'seconds from now': (endsAt: number, now: number) => Math.ceil((endsAt - now) / 1000),
	'ISO 8601': (endsAt: number) => new Date(endsAt).toISOString(),
	'YYYY-MM-DD HH:MM:SS': (endsAt: number) =>
		new Date(endsAt).toISOString().slice(0, 19).replace('T', ' '),
} satisfies Record<string, (endsAt: number, now: number) => string | number>;

export interface Settings {
	limit: number;
	windowMs: number;
	/** Milliseconds that its clock is ahead. */
	skewMs: number;
	/** Whether it states its limit. */
	hasHeaders: boolean;
	/** `none`: only a refusal says when the window ends. */
	reset: keyof typeof RESETS | 'none';
	/** What a refusal asks to wait, in seconds; 0 for nothing. */
	retryAfter: number;
	/** The shortest and the longest time from a request to its response, in milliseconds. */
	roundTripMs: readonly [number, number];
}

export const DOCUMENTED: Settings = {
	limit: 30,
	windowMs: 60_000,
	skewMs: 0,
	hasHeaders: true,
	reset: 'epoch seconds',
	retryAfter: 0,
	roundTripMs: [10, 10],
};

interface Arrival {
	at: number;
	isRefused: boolean;
}

/** A service with a fixed window as its document describes it, in virtual time, and processes of n8n that use it. */
export class RateLimitedService {
	readonly time = new VirtualTime(Date.UTC(2030, 0, 1) + 321);
	readonly arrivals: Arrival[] = [];
	/** May change at any time. */
	readonly settings: Settings;
	private readonly limiters = new Map<string, { limiter: RateLimiter; closedUntil: number }>();
	private readonly start = this.time.now();
	private endsAt = 0;
	private used = 0;
	private state: number;

	/** @param seed of the round trips */
	constructor(settings: Partial<Settings> = {}, seed = 1) {
		this.settings = { ...DOCUMENTED, ...settings };
		this.state = seed;
	}

	/** Milliseconds since the start. */
	get elapsed(): number {
		return this.time.now() - this.start;
	}

	get refused(): number {
		return this.arrivals.filter(({ isRefused }) => isRefused).length;
	}

	/** Takes requests of the window, as a program that does not care for the limit would. */
	useUp(count: number): void {
		this.renew();
		this.used += count;
	}

	/** Sends until the service takes it. */
	async send({
		process = 'n8n',
		requestsPerMinute = 120,
		isDefault = false,
		urgent = false,
		signal = undefined as AbortSignal | undefined,
	} = {}): Promise<void> {
		const known = this.limiters.get(process);
		const entry = known ?? { limiter: new RateLimiter(this.time), closedUntil: 0 };
		this.limiters.set(process, entry);
		for (;;) {
			const release = await entry.limiter.acquire({
				pace: { requestsPerMinute, isDefault },
				urgent,
				signal,
				until: Infinity,
			});
			if (this.elapsed < entry.closedUntil) throw new Error('Sent during the wait of a refusal');
			await this.time.sleep(this.halfTrip());
			const { headers, isRefused } = this.respond();
			await this.time.sleep(this.halfTrip());
			const { retryAfter } = this.settings;
			if (isRefused) entry.closedUntil = this.elapsed + retryAfter * 1000;
			const now = serverTime(headers, this.time.epoch());
			release?.(rateInfoIn({ headers, body: undefined }, isRefused, now));
			if (!isRefused) return;
		}
	}

	/** Sends one after the other, as the writes of a run do. */
	async run(count: number, options: Parameters<RateLimitedService['send']>[0] = {}): Promise<void> {
		for (let index = 0; index < count; index += 1) await this.send(options);
	}

	private respond() {
		const now = this.renew();
		const { limit, hasHeaders, reset, retryAfter } = this.settings;
		const isRefused = this.used >= limit;
		if (!isRefused) this.used += 1;
		this.arrivals.push({ at: this.elapsed, isRefused });
		const headers = {
			date: new Date(now).toUTCString(),
			...(hasHeaders && {
				'x-ratelimit-limit': String(limit),
				'x-ratelimit-remaining': Math.max(0, limit - this.used),
				...(reset !== 'none' && { 'x-ratelimit-reset': RESETS[reset](this.endsAt, now) }),
			}),
			...(isRefused && retryAfter > 0 && { 'retry-after': retryAfter }),
		};
		return { headers, isRefused };
	}

	/** Begins a window if the last one is over; gives the service's time. */
	private renew(): number {
		const { windowMs, skewMs } = this.settings;
		const now = this.time.now() + skewMs;
		if (now >= this.endsAt || this.endsAt - now > windowMs) {
			this.endsAt = Math.floor(now / 1000) * 1000 + windowMs;
			this.used = 0;
		}
		return now;
	}

	private halfTrip(): number {
		const [shortest, longest] = this.settings.roundTripMs;
		// A linear congruential generator: the same seed gives the same run.
		this.state = (this.state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return Math.ceil((shortest + (this.state / 2 ** 32) * (longest - shortest)) / 2);
	}
}
