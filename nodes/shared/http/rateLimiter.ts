import { cancelledFailure } from '../values/failure';
import type { Clock } from './clock';
import { type PacedRequest, type RateInfo, RateWindow } from './rateWindow';

interface PermitRequest extends PacedRequest {
	signal?: AbortSignal | undefined;
	until: number;
}

/** Gives a permit back, with what the response says about the limit, if one came. */
export type Release = (info: RateInfo | undefined) => void;

interface Waiter extends PermitRequest {
	leave(permit: Release | undefined): void;
}

const MAX_URGENT_IN_A_ROW = 2;

/** The queue of requests to one service with one key: first in, first out, but people go before bulk runs. */
export class RateLimiter {
	private readonly window = new RateWindow();
	private readonly waiting = new Set<Waiter>();
	private urgentInARow = 0;
	private wakeAt = Infinity;

	constructor(private readonly clock: Clock) {}

	waitMs(request: PacedRequest): number {
		const now = this.clock.now();
		return Math.max(0, this.window.allowedAt(now, request) - now);
	}

	/** Waits for a permit. @returns undefined as soon as it is known that it would come after `until` */
	async acquire(request: PermitRequest): Promise<Release | undefined> {
		const { signal } = request;
		if (signal?.aborted) throw cancelledFailure();
		if (this.clock.now() > request.until) return undefined;
		return await new Promise<Release | undefined>((resolve, reject) => {
			const leave = (permit: Release | undefined): void => {
				signal?.removeEventListener('abort', cancel);
				this.waiting.delete(waiter);
				resolve(permit);
			};
			const cancel = (): void => {
				reject(cancelledFailure());
				leave(undefined);
			};
			const waiter: Waiter = { ...request, leave };
			signal?.addEventListener('abort', cancel);
			this.waiting.add(waiter);
			this.grantPermits();
		});
	}

	private grantPermits(): void {
		for (;;) {
			const now = this.clock.now();
			const queues = this.queues(now);
			const ready = queues.find(({ allowedAt }) => allowedAt <= now)?.waiters[0];
			if (!ready) {
				for (const { waiters, allowedAt } of queues)
					for (const waiter of waiters) if (allowedAt > waiter.until) waiter.leave(undefined);
				this.wake(now, Math.min(...queues.map(({ allowedAt }) => allowedAt)));
				return;
			}
			this.urgentInARow = ready.urgent ? this.urgentInARow + 1 : 0;
			ready.leave(this.permit(now));
		}
	}

	/** The urgent requests and the others, with the time at which the first of each may be sent. The queue to serve comes first. */
	private queues(now: number): Array<{ waiters: Waiter[]; allowedAt: number }> {
		const isUrgentFirst = this.urgentInARow < MAX_URGENT_IN_A_ROW;
		return [isUrgentFirst, !isUrgentFirst].map((urgent) => {
			const waiters = [...this.waiting].filter((waiter) => waiter.urgent === urgent);
			const [first] = waiters;
			return { waiters, allowedAt: first ? this.window.allowedAt(now, first) : Infinity };
		});
	}

	private permit(now: number): Release {
		const finish = this.window.start(now);
		return (info) => {
			finish(this.clock.now(), info);
			this.grantPermits();
		};
	}

	private wake(now: number, at: number): void {
		// In steps of a second, so that a cancelled execution leaves no long timer behind.
		const wakeAt = Math.min(at, now + 1000);
		if (at === Infinity || this.wakeAt <= wakeAt) return;
		this.wakeAt = wakeAt;
		void this.clock.sleep(Math.ceil(wakeAt - now)).then(() => {
			if (this.wakeAt !== wakeAt) return;
			this.wakeAt = Infinity;
			this.grantPermits();
		});
	}
}
