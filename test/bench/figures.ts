/** What many measurements come to, and how BENCHMARKS.md writes it. */

/**
 * Measures several ways of doing the same in turns, every other round the other way round (ours, theirs, theirs, ours, …),
 * so that whatever slows the machine down for a while, or is left behind by the one before, befalls all of them. A first
 * round, in which everything is loaded, does not count.
 *
 * @returns what each way gave, round by round
 */
export async function inTurns<Result>(
	rounds: number,
	ways: Array<() => Promise<Result>>,
): Promise<Result[][]> {
	const results = ways.map(() => new Array<Result>());
	for (let round = 0; round <= rounds; round += 1) {
		const order = [...ways.entries()];
		if (round % 2 === 1) order.reverse();
		for (const [index, way] of order) {
			const result = await way();
			if (round > 0) results[index]?.push(result);
		}
	}
	return results;
}

/** Of each round, ours ÷ theirs. */
export function ratios(ours: number[] = [], theirs: number[] = []): number[] {
	return ours.map((value, round) => value / Number(theirs[round]));
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const near = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]].map(Number);
	return near.reduce((sum, value) => sum + value, 0) / near.length;
}

/** The median with the least and the greatest: `2.16 (1.98 to 2.18)`. */
export function withSpread(values: number[], digits = 2): string {
	const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(
		(value) => value.toFixed(digits),
	);
	return `${String(middle)} (${String(least)} to ${String(most)})`;
}

/** What the same count was in several rounds: `100`, or `30 to 64` where it differed. */
export function differing(counts: number[]): string {
	const [least, most] = [Math.min(...counts), Math.max(...counts)];
	return least === most ? counted(least) : `${counted(least)} to ${counted(most)}`;
}

/** `100,000` */
export function counted(count: number): string {
	return count.toLocaleString('en');
}

/** `92 %` */
export function percent(share: number): string {
	return `${(share * 100).toFixed(0)} %`;
}
