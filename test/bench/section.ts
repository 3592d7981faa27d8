import type { Bench } from './bench.ts';
import { differing, median, percent, withSpread } from './figures.ts';

/** One subject of the measurements. */
export interface Section {
	title: string;
	run(bench: Bench): Promise<Findings>;
}

/** What a section has measured. */
export interface Findings {
	/** How it was measured and what to know of it, a paragraph of Markdown each */
	notes: string[];
	tables: Table[];
	/** What ought to hold, and whether it does */
	targets: Target[];
	/** Whatever was lost, repeated or failed although it should not have been */
	wrong: string[];
}

export interface Target {
	/** What is measured */
	of: string;
	/** In words: `at most 1.05` */
	wanted: string;
	measured: string;
	holds: boolean;
	/** Why it does not hold, and what the limit is */
	why?: string;
}

export interface Table {
	head: string[];
	rows: Array<Array<string | number>>;
}

/** The median of what was measured ought not to be greater than that. */
export function atMost(of: string, most: number, measured: number[], digits = 2): Target {
	const wanted = `at most ${most.toFixed(Number.isInteger(most) ? 1 : 2)}`;
	return { of, wanted, measured: withSpread(measured, digits), holds: median(measured) <= most };
}

/** It ought to have been that every time. */
export function always(
	of: string,
	value: number,
	measured: number[],
	wanted = differing([value]),
): Target {
	const holds = measured.length > 0 && measured.every((found) => found === value);
	return { of, wanted, measured: differing(measured), holds };
}

/** A share ought not to be smaller than that. */
export function atLeast(of: string, least: number, share: number): Target {
	return {
		of,
		wanted: `at least ${percent(least)}`,
		measured: percent(share),
		holds: share >= least,
	};
}

/** Compares counts with what they ought to be, and keeps those that are wrong. */
export class Tally {
	readonly wrong: string[] = [];

	expect(what: string, found: number, wanted = 0): void {
		if (found !== wanted) this.wrong.push(`${what}: ${found} instead of ${wanted}`);
	}
}
