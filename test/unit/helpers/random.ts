/** Numbers that look random and are the same for the same seed. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed;
	}

	/** From 0 up to 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	integer(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	pick<T>(values: readonly T[]): T {
		return values[this.integer(0, values.length - 1)] as T;
	}

	is(share: number): boolean {
		return this.next() < share;
	}
}
