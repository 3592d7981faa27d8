import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { RateWindow } from './rateWindow';

/** The clock and the sleep, so that tests can be quick and exact. */
export interface Time {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves after at least that many milliseconds. */
	sleep(milliseconds: number): Promise<void>;
}

export interface PermitRequest {
	/** Whether a person waits for it: it goes before the others, and may use the reserve. */
	urgent: boolean;
	/** Ends the wait. */
	signal: AbortSignal | undefined;
}

/** The right to send one request. */
export interface Permit {
	/**
	 * Gives the slot back.
	 * @param headers those of the answer; undefined if none came
	 * @param refusal given if the service refused the request because of its limit; `waitMs` is what it asked to wait
	 */
	release(headers: IDataObject | undefined, refusal?: { waitMs: number | undefined }): void;
}

interface Waiter {
	urgent: boolean;
	admitted(slot: Permit): void;
}

/** Nobody sleeps longer than this at a stretch, so that a cancelled execution leaves no long timer behind. */
const LONGEST_SLEEP_MS = 1000;

/**
 * The queue before one credential's service: first in, first out, people before bulk runs, as fast as the service's
 * rate limit allows. All operations, dropdowns, credential tests and triggers of one process share it.
 */
export class RateLimiter {
	private readonly window: RateWindow;
	private readonly waiting: Waiter[] = [];
	private wakeAt: number | undefined;

	constructor(
		requestsPerMinute: number,
		private readonly time: Time,
	) {
		this.window = new RateWindow(requestsPerMinute);
	}

	set requestsPerMinute(value: number) {
		this.window.requestsPerMinute = value;
	}

	/** Waits for the right to send one request. Failure: cancelled. */
	async acquire({ urgent, signal }: PermitRequest): Promise<Permit> {
		return await new Promise<Permit>((resolve, reject) => {
			const cancel = (): void => {
				this.waiting.splice(this.waiting.indexOf(waiter), 1);
				reject(cancelled());
			};
			const waiter: Waiter = {
				urgent,
				admitted: (slot) => {
					signal?.removeEventListener('abort', cancel);
					resolve(slot);
				},
			};
			if (signal?.aborted) {
				reject(cancelled());
				return;
			}
			signal?.addEventListener('abort', cancel);
			this.waiting.push(waiter);
			this.admit();
		});
	}

	/** Lets in whoever may go now, and sees to it that the next one is asked for in time. */
	private admit(): void {
		for (let next = this.next(); next !== undefined; next = this.next()) {
			const admission = this.window.admit(this.time.now(), next.urgent);
			if ('afterAnswer' in admission) return;
			if ('at' in admission) {
				this.wake(admission.at);
				return;
			}
			this.waiting.splice(this.waiting.indexOf(next), 1);
			next.admitted(this.openSlot());
		}
	}

	private next(): Waiter | undefined {
		return this.waiting.find((waiter) => waiter.urgent) ?? this.waiting[0];
	}

	private openSlot(): Permit {
		const sentAt = this.time.now();
		this.window.sent(sentAt);
		return {
			release: (headers, refusal) => {
				const now = this.time.now();
				this.window.answered(now, sentAt, headers);
				if (refusal) this.window.exhausted(now, refusal.waitMs);
				this.admit();
			},
		};
	}

	private wake(at: number): void {
		if (this.wakeAt !== undefined && this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.sleepUntil(at).then(() => {
			if (this.wakeAt !== at) return;
			this.wakeAt = undefined;
			this.admit();
		});
	}

	private async sleepUntil(at: number): Promise<void> {
		await sleepWhile(() => this.wakeAt === at && this.waiting.length > 0, at, this.time);
	}
}

/** Sleeps until a moment, in epoch milliseconds, or until there is no reason to go on. */
async function sleepWhile(goesOn: () => boolean, until: number, time: Time): Promise<void> {
	for (let left = until - time.now(); left > 0 && goesOn(); left = until - time.now()) {
		await time.sleep(Math.ceil(Math.min(LONGEST_SLEEP_MS, left)));
	}
}

/** Sleeps, unless the execution is stopped. Failure: cancelled. */
export async function pause(
	milliseconds: number,
	time: Time,
	signal: AbortSignal | undefined,
): Promise<void> {
	await sleepWhile(() => signal?.aborted !== true, time.now() + milliseconds, time);
	if (signal?.aborted) throw cancelled();
}

/** n8n knows a canceled execution by that word. */
export function cancelled(): Failure {
	return new Failure({ kind: 'cancelled', message: 'The execution was canceled' });
}

/** The pacers of this process, one for each service and key. */
export class RateLimiters {
	private readonly pacers = new Map<string, RateLimiter>();

	constructor(private readonly time: Time) {}

	/** The pacer that everything shares which uses one key at one address: see `Connection.connectionKey`. */
	for(connectionKey: string, requestsPerMinute: number): RateLimiter {
		const pacer = this.pacers.get(connectionKey) ?? new RateLimiter(requestsPerMinute, this.time);
		pacer.requestsPerMinute = requestsPerMinute;
		this.pacers.set(connectionKey, pacer);
		return pacer;
	}
}
