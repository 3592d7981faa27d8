import { median } from './compare.ts';

/** Figures as BENCHMARKS.md writes them. */

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
