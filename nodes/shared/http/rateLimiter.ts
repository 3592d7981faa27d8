// The queue of requests to one service with one key: whose turn it is. rateWindow.ts decides when the next one may be sent.

import { cancelledFailure } from '../values/failure';
import type { Clock } from './clock';
import { LONGEST_WAIT_MS } from './rateHeaders';
import { type RateInfo, RateWindow } from './rateWindow';

/** A run of a node, or a poll, as the limiter knows it: its requests take turns with those of others. */
export class LimitedRun {
	private sent = 0;
	/** When it had its last turn, or came: numbers of a limiter, so the lowest is the next. */
	turn = 0;

	/** @param rows that take a request each, as far as is known */
	constructor(private readonly rows = 1) {}

	/** How many requests it still wants, the next one included. */
	get wanted(): number {
		if (this.sent === 0) return 1;
		// Rows may take several requests each, such as the pages of a list. Then it may want as many as it sent beyond its rows.
		return Math.max(1, Math.abs(this.rows - this.sent));
	}

	countSent(turn: number): void {
		this.sent += 1;
		this.turn = turn;
	}
}

interface PermitRequest {
	requestsPerMinute: number;
	/** Whether a person waits for it: then it goes first. */
	urgent: boolean;
	run: LimitedRun;
	signal?: AbortSignal | undefined;
	until: number;
}

/** Gives a permit back, with what the response says about the limit, if one came. */
export type Release = (info: RateInfo | undefined) => void;

interface Waiter extends PermitRequest {
	leave(permit: Release | undefined): void;
}

interface Candidate {
	waiter: Waiter;
	allowedAt: number;
}

const MAX_URGENT_IN_A_ROW = 2;

/** The queue of requests to one service with one key: runs take turns, and people go before them. */
export class RateLimiter {
	private readonly window = new RateWindow();
	private readonly waiting = new Set<Waiter>();
	private urgentInARow = 0;
	private turns = 0;
	private wakeAt = Infinity;
	private usedAt = 0;

	constructor(private readonly clock: Clock) {}

	noteUse(): void {
		this.usedAt = this.clock.now();
	}

	/** Whether nothing waits, and every window and every wait that a service may have stated is over. */
	get isForgotten(): boolean {
		return this.waiting.size === 0 && this.clock.now() - this.usedAt > 2 * LONGEST_WAIT_MS;
	}

	waitMs(request: Pick<PermitRequest, 'requestsPerMinute' | 'urgent' | 'run'>): number {
		const now = this.clock.now();
		return Math.max(0, this.allowedAt(now, request) - now);
	}

	/** Waits for a permit. @returns undefined as soon as it is known that it would come after `until` */
	async acquire(request: PermitRequest): Promise<Release | undefined> {
		const { signal, run } = request;
		if (signal?.aborted) throw cancelledFailure();
		if (this.clock.now() > request.until) return undefined;
		run.turn ||= this.nextTurn();
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
		while (this.waiting.size > 0) {
			const now = this.clock.now();
			const candidates = this.candidates(now);
			const ready = candidates.find(({ allowedAt }) => allowedAt <= now)?.waiter;
			if (!ready) {
				for (const { waiter, allowedAt } of candidates)
					if (allowedAt > waiter.until) waiter.leave(undefined);
				this.wake(now, Math.min(...candidates.map(({ allowedAt }) => allowedAt)));
				return;
			}
			this.urgentInARow = ready.urgent ? this.urgentInARow + 1 : 0;
			ready.run.countSent(this.nextTurn());
			ready.leave(this.permit(now));
		}
	}

	/** All that wait, with the time at which each may be sent; the next in turn comes first. */
	private candidates(now: number): Candidate[] {
		const isUrgentFirst = this.urgentInARow < MAX_URGENT_IN_A_ROW;
		const rank = ({ urgent }: Waiter): number => (urgent === isUrgentFirst ? 0 : 1);
		return [...this.waiting]
			.sort((a, b) => rank(a) - rank(b) || a.run.turn - b.run.turn)
			.map((waiter) => ({ waiter, allowedAt: this.allowedAt(now, waiter) }));
	}

	private allowedAt(
		now: number,
		{ requestsPerMinute, urgent, run }: Pick<PermitRequest, 'requestsPerMinute' | 'urgent' | 'run'>,
	): number {
		const wanted = urgent ? 1 : run.wanted;
		return this.window.allowedAt(now, { requestsPerMinute, urgent, wanted });
	}

	private nextTurn(): number {
		this.turns += 1;
		return this.turns;
	}

	private permit(now: number): Release {
		const finish = this.window.start(now);
		return (info) => {
			this.noteUse();
			finish(this.clock.now(), info);
			this.grantPermits();
		};
	}

	private wake(now: number, at: number): void {
		// In steps of a second, so that a cancelled execution leaves no long timer behind.
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
