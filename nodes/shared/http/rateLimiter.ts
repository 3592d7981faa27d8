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
/** Long runs spread the second half of a window over its rest: people, short runs and other processes find some of it. */
const SPREAD_SHARE = 1 / 2;
/** A lower limit is not spread: a request would wait for most of the window. */
const SMALLEST_SPREAD_LIMIT = 10;
const MAX_LEFT_TO_OTHERS = 4;

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
	/** How many more requests its run or poll sends, as far as is known. Below 0, so many were unexpected; as many more may follow. */
	budget: { expected: number };
	signal?: AbortSignal | undefined;
	until: number;
}

export type Release = (info?: RateInfo) => void;

interface QueuedRequest extends PermitRequest {
	resolve(permit: Release | undefined): void;
	reject(error: Error): void;
}

class RateWindow {
	/** By the service, and how many of them are of this process. */
	counted = 0;
	countedHere = 0;
	inFlight = 0;

	constructor(
		readonly limit: number,
		public resetAt: number,
		readonly isKnown = true,
	) {}

	count(counted = this.counted + 1): void {
		this.countedHere += 1;
		this.counted = Math.max(this.counted, counted);
	}

	/** How many more may be sent now. Other processes get some, except from people: as many as they sent so far for each of ours. */
	remaining(urgent: boolean): number {
		const ofOthers = Math.round((this.counted - this.countedHere) / Math.max(1, this.countedHere));
		const toOthers = urgent ? 0 : Math.max(0, Math.min(MAX_LEFT_TO_OTHERS, ofOthers));
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
	earliestSendAt(now: number, { pace, urgent, budget }: Omit<PermitRequest, 'until'>): number {
		const window = this.windowAt(now, pace);
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

	private permit(now: number, { budget, pace }: PermitRequest): Release {
		const window = this.windowAt(now, pace);
		window.inFlight += 1;
		this.lastSentAt = now;
		budget.expected -= 1;
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
