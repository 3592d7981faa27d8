/** What was measured in turns, round by round. */
export interface Comparison {
	/** Of each round, ours ÷ theirs */
	ratios: number[];
	/** Medians of the rounds */
	ours: number;
	theirs: number;
}

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

export function compare(ours: number[] = [], theirs: number[] = []): Comparison {
	return {
		ratios: ours.map((value, round) => value / Number(theirs[round])),
		ours: median(ours),
		theirs: median(theirs),
	};
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const near = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]].map(Number);
	return near.reduce((sum, value) => sum + value, 0) / near.length;
}
