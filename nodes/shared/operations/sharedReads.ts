// Sends reads that several rows wait for. Each row gives up at its own time limit; while no row waits, the reads pause.

import type { Send, SendWithin } from '../http/connection';
import { type Failure, toFailure } from '../values/failure';

interface Waiting {
	/** On the connection's clock. */
	until: number;
	giveUp: (failure: Failure) => void;
}

/**
 * Reads that rows of a run share: the pages of a list, or the proof of the key. Each row waits until its own limit, see
 * `maxWaitOption`. When no row waits any more, the reads pause until the next one does: the limit of a row ends no other's wait.
 */
export class SharedReads {
	private readonly waiting = new Set<Waiting>();
	private isLimited = false;
	private paused: Array<() => void> = [];

	constructor(private readonly sendWithin: SendWithin) {}

	/** The result of work that sends shared reads. @throws Failure `outOfTime` if they take longer than that */
	async within<T>(until: number, work: () => Promise<T>): Promise<T> {
		this.isLimited ||= until < Infinity;
		let stopWaiting = (): void => undefined;
		const givenUp = new Promise<never>((_resolve, reject) => {
			const row: Waiting = { until, giveUp: reject };
			this.waiting.add(row);
			stopWaiting = () => this.waiting.delete(row);
		});
		for (const resume of this.paused.splice(0)) resume();
		try {
			return await Promise.race([work(), givenUp]);
		} finally {
			stopWaiting();
		}
	}

	/** Sends a shared read, for as long as any row waits. */
	readonly send: Send = async (request) => {
		for (;;) {
			if (this.isLimited && this.waiting.size === 0)
				await new Promise<void>((resume) => this.paused.push(resume));
			const until = Math.min(...Array.from(this.waiting, (row) => row.until));
			try {
				return await this.sendWithin(request, { until });
			} catch (error) {
				const failure = toFailure(error);
				if (failure.kind !== 'outOfTime') throw failure;
				this.endWaits(until, failure);
			}
		}
	};

	private endWaits(until: number, failure: Failure): void {
		for (const row of this.waiting) {
			if (row.until > until) continue;
			this.waiting.delete(row);
			row.giveUp(failure);
		}
	}
}
