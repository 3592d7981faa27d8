// The queue of requests to one service with one key, and what is left of its rate limit. It knows nothing of HTTP: each
// response updates it. See docs/decisions/4-sharing-a-rate-limit.md.

import { cancelledFailure } from '../values/failure';
import type { Clock } from './clock';
import type { RateInfo } from './rateHeaders';

/** How long a window lasts if the service does not say so. */
const MINUTE_MS = 60_000;
/** A request without a response for this long holds back no other. */
const OVERDUE_MS = 10_000;
/** Services state times in whole seconds. */
const RESOLUTION_MS = 1000;
/** Long runs spread the second half of a window over its rest: people, short runs and other processes find some of it. */
const SPREAD_SHARE = 1 / 2;
/** A lower limit is not spread: a request would wait for most of the window. */
const SMALLEST_SPREAD_LIMIT = 10;
const MAX_LEFT_TO_OTHERS = 4;

/** A run of a node, or a poll. */
export class RequestBudget {
	/** @param expected how many requests, as far as is known; below 0 after more, and then as many again */
	constructor(public expected = 1) {}
}

interface PermitRequest {
	/** With 0, requests wait only after a refusal. */
	requestsPerMinute: number;
	/** Whether a person waits for it: then it goes first. */
	urgent: boolean;
	budget: RequestBudget;
	signal?: AbortSignal | undefined;
	until: number;
}

/** Gives a permit back, with what the response says about the limit, if one came. */
export type Release = (info?: RateInfo) => void;

interface QueuedRequest extends PermitRequest {
	resolve(permit: Release | undefined): void;
	reject(error: Error): void;
}

class RateWindow {
	/** How many requests the service has counted, and how many of them are of this process. */
	counted = 0;
	countedHere = 0;
	inFlight = 0;

	/** @param isKnown whether a response has shown it */
	constructor(
		readonly limit: number,
		public resetAt: number,
		readonly isKnown = true,
	) {}

	count(counted = this.counted + 1): void {
		this.countedHere += 1;
		this.counted = Math.max(this.counted, counted);
	}

	/** Meanwhile other processes send as many as they did for each request of this one. People may use that, too. */
	remaining(urgent: boolean): number {
		const others = Math.round((this.counted - this.countedHere) / Math.max(1, this.countedHere));
		const toOthers = urgent ? 0 : Math.max(0, Math.min(MAX_LEFT_TO_OTHERS, others));
		return this.limit - this.counted - this.inFlight - toOthers;
	}
}

export class RateLimiter {
	private readonly waiting = new Set<QueuedRequest>();
	private window = new RateWindow(0, -Infinity);
	private lastSentAt = 0;
	private wakeAt = Infinity;

	constructor(private readonly clock: Clock) {}

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

	/** The earliest time at which a request may be sent, in ms, as far as is known now. */
	earliestSendAt(
		now: number,
		{ requestsPerMinute, urgent, budget }: Omit<PermitRequest, 'until'>,
	): number {
		const window = this.windowAt(now, requestsPerMinute);
		const left = window.remaining(urgent);
		if (left < 1) return window.resetAt;
		const isPlenty = Math.abs(budget.expected) <= left || left > window.limit * SPREAD_SHARE;
		if (urgent || isPlenty || window.limit < SMALLEST_SPREAD_LIMIT) return now;
		return this.lastSentAt + (window.resetAt - this.lastSentAt) / (left + 1);
	}

	/** First come, first served; but people go first, and whoever has to wait lets others pass. */
	private grantPermits(): void {
		const now = this.clock.now();
		let next = Infinity;
		for (const queued of [...this.waiting].sort((a, b) => Number(b.urgent) - Number(a.urgent))) {
			const at = Math.max(now, this.earliestSendAt(now, queued));
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

	private permit(now: number, { budget, requestsPerMinute }: PermitRequest): Release {
		const window = this.windowAt(now, requestsPerMinute);
		window.inFlight += 1;
		this.lastSentAt = now;
		budget.expected -= 1;
		return (info) => {
			window.inFlight -= 1;
			if (info) this.update(info, requestsPerMinute);
			else window.count();
			this.grantPermits();
		};
	}

	/** The first request of a window goes alone: its response shows the window. */
	private windowAt(now: number, pace: number): RateWindow {
		if (now >= this.window.resetAt)
			this.window = new RateWindow(pace === 0 ? Infinity : 1, now + OVERDUE_MS, false);
		return this.window;
	}

	private update(info: RateInfo, pace: number): void {
		const { limit = Infinity, remaining = 0, resetInMs = MINUTE_MS, isRefused } = info;
		const now = this.clock.now();
		const open = this.windowAt(now, pace);
		const resetAt = now + resetInMs;
		if (isRefused) this.window = new RateWindow(0, Math.max(resetAt, now + RESOLUTION_MS));
		else if (limit > pace) {
			// *Requests per Minute* decides, in a window of its own.
			if (!open.isKnown) this.window = new RateWindow(pace || Infinity, now + MINUTE_MS);
			this.window.count();
		} else {
			const isSame = open.limit === limit && Math.abs(open.resetAt - resetAt) < 2 * RESOLUTION_MS;
			if (isSame) open.resetAt = Math.min(open.resetAt, resetAt);
			else this.window = new RateWindow(limit, resetAt);
			this.window.count(limit - remaining);
		}
	}

	/** In steps of a second, so that a cancelled execution leaves no long timer behind. */
	private wake(now: number, at: number): void {
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
