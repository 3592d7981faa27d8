import type { Time } from '../../dist/nodes/shared/pacer.js';

/** A clock that jumps to the next moment somebody waits for, so that minutes pass in no time. */
export class VirtualTime implements Time {
	private current: number;
	private readonly sleepers: Array<{ until: number; wake: () => void }> = [];

	constructor(start = Date.UTC(2030, 0, 1)) {
		this.current = start;
	}

	now(): number {
		return this.current;
	}

	async sleep(milliseconds: number): Promise<void> {
		const until = this.current + milliseconds;
		await new Promise<void>((wake) => this.sleepers.push({ until, wake }));
	}

	/** Lets time pass until the work is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const done = work.finally(() => {
			isDone = true;
		});
		done.catch(() => undefined);
		for (;;) {
			// Everything that can happen without time passing happens first.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await done;
			this.sleepers.sort((a, b) => a.until - b.until);
			const next = this.sleepers.shift();
			if (!next) continue;
			this.current = Math.max(this.current, next.until);
			next.wake();
		}
	}
}
