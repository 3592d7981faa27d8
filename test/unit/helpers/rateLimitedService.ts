import { rateLimiter } from '../../../sandbox/rateLimit.ts';
import { rateInfoIn, serverTime } from '../../../dist/nodes/shared/http/rateHeaders.js';
import { RateLimiter } from '../../../dist/nodes/shared/http/rateLimiter.js';
import { VirtualTime } from './virtualTime.ts';

export const DOCUMENTED = {
	limit: 30,
	windowSeconds: 60,
	/** Milliseconds that its clock is ahead. */
	skewMs: 0,
	/** Whether it states its limit. */
	hasHeaders: true,
	/** Whether it also says when its window ends; else, only a refusal does. */
	hasReset: true,
	/** What a refusal asks to wait, in seconds; 0 for nothing. */
	retryAfter: 0,
	/** The usual time from a request to its response. */
	roundTripMs: 20,
};

/** The sandbox's windows in virtual time, and processes of n8n that use them. */
export class RateLimitedService {
	readonly time = new VirtualTime(Date.UTC(2030, 0, 1) + 321);
	readonly arrivals: Array<{ at: number; isRefused: boolean }> = [];
	settings: typeof DOCUMENTED;
	private readonly limiters = new Map<string, { limiter: RateLimiter; closedUntil: number }>();
	private readonly start = this.time.now();
	private take: ReturnType<typeof rateLimiter>;

	constructor(settings: Partial<typeof DOCUMENTED> = {}) {
		this.settings = { ...DOCUMENTED, ...settings };
		this.take = this.newWindows();
	}

	/** Milliseconds since the start. */
	get elapsed(): number {
		return this.time.now() - this.start;
	}

	get refused(): number {
		return this.arrivals.filter(({ isRefused }) => isRefused).length;
	}

	/** It is started again, with other settings. */
	change(settings: Partial<typeof DOCUMENTED>): void {
		Object.assign(this.settings, settings);
		this.take = this.newWindows();
	}

	/** Takes all requests of the window, as a program that does not care for the limit would. */
	useUp(): void {
		this.take('key', this.now, true);
	}

	/** Sends until the service takes it. */
	async send({
		process = 'n8n',
		requestsPerMinute = 120,
		isDefault = false,
		urgent = false,
	} = {}): Promise<void> {
		const known = this.limiters.get(process);
		const entry = known ?? { limiter: new RateLimiter(this.time), closedUntil: 0 };
		this.limiters.set(process, entry);
		const request = { pace: { requestsPerMinute, isDefault }, urgent, until: Infinity };
		for (;;) {
			const release = await entry.limiter.acquire(request);
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

	private get now(): number {
		return this.time.now() + this.settings.skewMs;
	}

	private newWindows(): ReturnType<typeof rateLimiter> {
		const { limit: requests, windowSeconds } = this.settings;
		return rateLimiter({ requests, windowSeconds });
	}

	private respond() {
		const { hasHeaders, hasReset, retryAfter } = this.settings;
		const verdict = this.take('key', this.now, false);
		const isRefused = verdict?.allowed === false;
		this.arrivals.push({ at: this.elapsed, isRefused });
		const headers = {
			date: new Date(this.now).toUTCString(),
			...(hasHeaders && {
				'x-ratelimit-limit': String(verdict?.limit),
				'x-ratelimit-remaining': verdict?.remaining,
				...(hasReset && { 'x-ratelimit-reset': Math.ceil((verdict?.endsAt ?? 0) / 1000) }),
			}),
			...(isRefused && retryAfter > 0 && { 'retry-after': retryAfter }),
		};
		return { headers, isRefused };
	}

	/** From half of the usual one to one and a half. */
	private halfTrip(): number {
		const share = 0.5 + ((this.arrivals.length * 7) % 11) / 10;
		return Math.ceil((this.settings.roundTripMs * share) / 2);
	}
}
