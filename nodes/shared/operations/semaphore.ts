// Limits how many pieces of work run at a time.

/** Runs so many pieces of work at a time, first come, first served. */
export class Semaphore {
	private free: number;
	private readonly waiting = new Set<() => void>();
	private readonly yielded: Array<() => void> = [];

	constructor(private readonly permits: number) {
		this.free = permits;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((start) => this.waiting.add(start));
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	/** Gives the permit of the running work to others, and gets one back when nobody else has or wants one. */
	async yield(): Promise<void> {
		const idle = new Promise<void>((resume) => this.yielded.push(resume));
		this.release();
		await idle;
		this.free -= 1;
	}

	private release(): void {
		const [next] = this.waiting;
		if (next) {
			this.waiting.delete(next);
			next();
			return;
		}
		this.free += 1;
		if (this.free < this.permits) return;
		for (const resume of this.yielded.splice(0)) resume();
	}
}
