export interface RateLimit {
	/** Requests allowed per window; 0 = no limit. */
	requests: number;
	windowSeconds: number;
}

/**
 * Fixed windows, one per caller. A window starts with the second in which the caller's first request comes, as in services
 * that count in epoch seconds, so X-RateLimit-Reset is exact. A refused request does not count.
 */
export function rateLimiter({ requests: limit, windowSeconds }: RateLimit) {
	const windows = new Map<string, { endsAt: number; used: number }>();

	/**
	 * @param now epoch milliseconds, as `endsAt` of the window @param isUsedUp whether another client has used up the window
	 * @returns undefined: no limit
	 */
	return (caller: string, now: number, isUsedUp: boolean) => {
		if (limit === 0) return undefined;
		const startsAt = Math.floor(now / 1000) * 1000;
		const known = windows.get(caller);
		const window =
			known && now < known.endsAt ? known : { endsAt: startsAt + windowSeconds * 1000, used: 0 };
		windows.set(caller, window);
		if (isUsedUp) window.used = limit;
		const allowed = window.used < limit;
		if (allowed) window.used += 1;
		return { allowed, limit, remaining: limit - window.used, endsAt: window.endsAt };
	};
}
