export interface RateLimit {
	/** Requests allowed per window; 0 = no limit. */
	requests: number;
	windowSeconds: number;
}

/** What the limiter says of one request. `endsAt` is the end of the window in epoch milliseconds. */
export interface Verdict {
	allowed: boolean;
	limit: number;
	remaining: number;
	endsAt: number;
}

const SWEEP_ABOVE = 10_000;

/**
 * Fixed windows, one per caller: a window starts with the second in which the caller's first request
 * comes. Whole seconds, as services that count in epoch seconds do it, so that X-RateLimit-Reset is exact.
 * A refused request does not count.
 */
export class RateLimiter {
	readonly #limit: RateLimit;
	readonly #windows = new Map<string, { endsAt: number; used: number }>();

	constructor(limit: RateLimit) {
		this.#limit = limit;
	}

	/** Counts one request at `now` (epoch milliseconds). Undefined when there is no limit. */
	take(caller: string, now: number): Verdict | undefined {
		const { requests } = this.#limit;
		if (requests === 0) return undefined;
		const window = this.#window(caller, now);
		const allowed = window.used < requests;
		if (allowed) window.used += 1;
		return { allowed, limit: requests, remaining: requests - window.used, endsAt: window.endsAt };
	}

	/** Uses up the rest of a caller's window, as another client with the same key would. */
	exhaust(caller: string, now: number): void {
		this.#window(caller, now).used = this.#limit.requests;
	}

	#window(caller: string, now: number): { endsAt: number; used: number } {
		const known = this.#windows.get(caller);
		if (known && now < known.endsAt) return known;
		if (this.#windows.size > SWEEP_ABOVE) this.#sweep(now);
		const startsAt = Math.floor(now / 1000) * 1000;
		const window = { endsAt: startsAt + this.#limit.windowSeconds * 1000, used: 0 };
		this.#windows.set(caller, window);
		return window;
	}

	#sweep(now: number): void {
		for (const [caller, window] of this.#windows) {
			if (now >= window.endsAt) this.#windows.delete(caller);
		}
	}
}
