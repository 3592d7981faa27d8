import type { Clock } from '../../../dist/nodes/shared/http/clock.js';

/** A clock that jumps to the next moment somebody waits for, so that minutes pass in no time. */
export class VirtualTime implements Clock {
	/** What the wall clock is set off by, in milliseconds. */
	wallClockError = 0;
	private current: number;
	private readonly sleepers: Array<{ until: number; wake: () => void }> = [];

	constructor(start = Date.UTC(2030, 0, 1)) {
		this.current = start;
	}

	now = (): number => this.current;

	epoch = (): number => Math.floor(this.current + this.wallClockError);

	async sleep(milliseconds: number): Promise<void> {
		const until = this.current + milliseconds;
		await new Promise<void>((wake) => this.sleepers.push({ until, wake }));
	}

	/** Lets time pass until the work is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		const running = new Set([work]);
		const done = work.finally(() => running.delete(work));
		done.catch(() => undefined);
		for (;;) {
			// Everything that can happen without time passing happens first.
			await new Promise((resolve) => setImmediate(resolve));
			if (running.size === 0) return await done;
			this.sleepers.sort((a, b) => a.until - b.until);
			const next = this.sleepers.shift();
			this.current = Math.max(this.current, next?.until ?? 0);
			next?.wake();
		}
	}
}
