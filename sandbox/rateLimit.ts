export interface RateLimit {
	/** Requests allowed per window; 0 = no limit. */
	requests: number;
	windowSeconds: number;
}

/** What the limiter decides about a request. `endsAt` is the end of the window in epoch milliseconds. */
export interface Verdict {
	allowed: boolean;
	limit: number;
	remaining: number;
	endsAt: number;
}

interface Window {
	endsAt: number;
	used: number;
	limit: number;
}

/**
 * Fixed windows, one per caller. A window starts with the second in which the caller's first request comes, as in services
 * that count in epoch seconds, so X-RateLimit-Reset is exact. A refused request does not count.
 */
export class RateLimiter {
	readonly #limit: RateLimit;
	readonly #windows = new Map<string, Window>();

	constructor(limit: RateLimit) {
		this.#limit = limit;
	}

	/** Counts one request at `now` (epoch milliseconds). Undefined when there is no limit. */
	take(caller: string, now: number): Verdict | undefined {
		if (this.#limit.requests === 0) return undefined;
		const window = this.#window(caller, now);
		const { limit, endsAt } = window;
		const allowed = window.used < limit;
		if (allowed) window.used += 1;
		return { allowed, limit, remaining: limit - window.used, endsAt };
	}

	/** Uses up the rest of a caller's window, as another client with the same key would. */
	exhaust(caller: string, now: number): void {
		const window = this.#window(caller, now);
		window.used = window.limit;
	}

	#window(caller: string, now: number): Window {
		const known = this.#windows.get(caller);
		if (known && now < known.endsAt) return known;
		const startsAt = Math.floor(now / 1000) * 1000;
		const { requests, windowSeconds } = this.#limit;
		const window = { endsAt: startsAt + windowSeconds * 1000, used: 0, limit: requests };
		this.#windows.set(caller, window);
		return window;
	}
}
