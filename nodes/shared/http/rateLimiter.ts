// The queue of requests to one service with one key, and what is left of its rate limit. It knows nothing of HTTP: each
// response updates it. See docs/decisions/4-sharing-a-rate-limit.md.

import { cancelledFailure } from '../values/failure';
import type { Clock } from './clock';
import type { RateInfo } from './rateHeaders';

const MINUTE_MS = 60_000;
/** A request without a response for this long holds back no other. */
const OVERDUE_MS = 10_000;
/** Services state times in whole seconds. */
const RESOLUTION_MS = 1000;
/** Longer than any run or poll goes without a request. */
const FORGOTTEN_MS = 24 * 60 * MINUTE_MS;
/** What runs leave of each window to people, who would else wait for the next one. */
const SHARE_OF_PEOPLE = 0.1;

export interface Pace {
	/** With 0, requests wait only after a refusal. */
	requestsPerMinute: number;
	/** Whether nobody changed it: then a service may allow more. */
	isDefault: boolean;
}

export interface PermitRequest {
	pace: Pace;
	/** Whether a person waits for it: then it goes first. */
	urgent: boolean;
	signal?: AbortSignal | undefined;
	until: number;
}

export type Release = (info?: RateInfo) => void;

interface QueuedRequest extends PermitRequest {
	resolve(permit: Release | undefined): void;
	reject(error: Error): void;
}

class RateWindow {
	/** By the service, which may count requests of other programs. */
	counted = 0;
	inFlight = 0;

	constructor(
		readonly limit: number,
		public resetAt: number,
		readonly isKnown = true,
	) {}

	count(counted = this.counted + 1): void {
		this.counted = Math.max(this.counted, counted);
	}

	isUsedUp(urgent: boolean): boolean {
		if (this.limit === Infinity) return false;
		const forPeople = urgent ? 0 : Math.floor(this.limit * SHARE_OF_PEOPLE);
		return this.counted + this.inFlight >= this.limit - forPeople;
	}
}

export class RateLimiter {
	private readonly waiting = new Set<QueuedRequest>();
	private window: RateWindow;
	private wakeAt = Infinity;

	constructor(private readonly clock: Clock) {
		this.window = new RateWindow(0, clock.now());
	}

	/** Waits for a permit. @returns undefined as soon as it is known that it would come after `until` */
	async acquire(request: PermitRequest): Promise<Release | undefined> {
		const { signal } = request;
		const onAbort = (): void => this.grantPermits();
		signal?.addEventListener('abort', onAbort);
		const permit = new Promise<Release | undefined>((resolve, reject) => {
			this.waiting.add({ ...request, resolve, reject });
			onAbort();
		});
		return await permit.finally(() => signal?.removeEventListener('abort', onAbort));
	}

	/** Whether nobody has used it for so long that nobody holds it. */
	get isForgotten(): boolean {
		const { inFlight, resetAt } = this.window;
		const isIdle = this.waiting.size === 0 && inFlight === 0;
		return isIdle && this.clock.now() >= resetAt + FORGOTTEN_MS;
	}

	/** The earliest time at which a request may be sent, in ms, as far as is known now. */
	earliestSendAt(now: number, { pace, urgent }: PermitRequest): number {
		const window = this.windowAt(now, pace);
		return window.isUsedUp(urgent) ? window.resetAt : now;
	}

	/** First come, first served; but people go first. */
	private grantPermits(): void {
		const now = this.clock.now();
		let next = Infinity;
		for (const queued of [...this.waiting].sort((a, b) => Number(b.urgent) - Number(a.urgent))) {
			const at = this.earliestSendAt(now, queued);
			if (queued.signal?.aborted) queued.reject(cancelledFailure());
			else if (at > queued.until) queued.resolve(undefined);
			else if (at === now) queued.resolve(this.permit(now, queued));
			else {
				next = Math.min(next, at);
				continue;
			}
			this.waiting.delete(queued);
		}
		if (next < Infinity) this.wake(now, next);
	}

	private permit(now: number, { pace }: PermitRequest): Release {
		const window = this.windowAt(now, pace);
		window.inFlight += 1;
		return (info) => {
			window.inFlight -= 1;
			if (info) this.update(info, pace);
			else window.count();
			this.grantPermits();
		};
	}

	/** The first request of a window goes alone: its response shows the window. */
	private windowAt(now: number, { requestsPerMinute }: Pace): RateWindow {
		if (now >= this.window.resetAt)
			this.window = new RateWindow(requestsPerMinute === 0 ? Infinity : 1, now + OVERDUE_MS, false);
		return this.window;
	}

	private update(info: RateInfo, pace: Pace): void {
		const { limit, resetInMs = MINUTE_MS, isRefused } = info;
		const { requestsPerMinute, isDefault } = pace;
		const now = this.clock.now();
		const open = this.windowAt(now, pace);
		const mayExceed = isDefault && requestsPerMinute > 0;
		if (isRefused) this.window = new RateWindow(0, now + Math.max(resetInMs, RESOLUTION_MS));
		else if (limit !== undefined && (mayExceed || limit <= requestsPerMinute))
			this.follow(open, info, limit);
		else {
			// *Requests per Minute* decides, in a window of its own.
			if (!open.isKnown)
				this.window = new RateWindow(requestsPerMinute || Infinity, now + MINUTE_MS);
			this.window.count();
		}
	}

	/** Follows the numbers of the service. If it does not say when its window ends, a falling count shows the next one. */
	private follow(open: RateWindow, { remaining = 0, resetInMs }: RateInfo, limit: number): void {
		const counted = limit - remaining;
		const resetAt = this.clock.now() + (resetInMs ?? MINUTE_MS);
		const isSameEnd =
			resetInMs === undefined
				? counted >= open.counted - open.inFlight
				: Math.abs(open.resetAt - resetAt) < 2 * RESOLUTION_MS;
		if (open.limit === limit && isSameEnd) open.resetAt = Math.min(open.resetAt, resetAt);
		else this.window = new RateWindow(limit, resetAt);
		this.window.count(counted);
	}

	private wake(now: number, at: number): void {
		// A cancelled execution leaves no long timer behind.
		const wakeAt = Math.min(at, now + 1000);
		if (this.wakeAt <= wakeAt) return;
		this.wakeAt = wakeAt;
		void this.clock.sleep(Math.ceil(wakeAt - now)).then(() => {
			if (this.wakeAt !== wakeAt) return;
			this.wakeAt = Infinity;
			this.grantPermits();
		});
	}
}
