import type { Bench } from './bench.ts';
import { median } from './compare.ts';
import { differing, withSpread } from './format.ts';

/** One subject of the measurements. */
export interface Section<Name extends string = string> {
	title: string;
	/** What ought to hold, by a name of its own */
	targets: Record<Name, Target>;
	run(bench: Bench): Promise<Findings<Name>>;
}

export interface Target {
	/** What is measured */
	of: string;
	/** In words: `at most 1.05` */
	wanted: string;
}

/** What a section has measured. */
export interface Findings<Name extends string = string> {
	/** How it was measured and what to know of it, a paragraph of Markdown each */
	notes: string[];
	tables: Table[];
	outcomes: Record<Name, Outcome>;
	/** Whatever was lost, repeated or failed although it should not have been */
	wrong: string[];
}

export interface Outcome {
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
export function atMost(most: number, measured: number[], digits?: number): Outcome {
	return { measured: withSpread(measured, digits), holds: median(measured) <= most };
}

/** It ought to have been that every time. */
export function always(wanted: number, measured: number[]): Outcome {
	return {
		measured: differing(measured),
		holds: measured.length > 0 && measured.every((value) => value === wanted),
	};
}

/** Compares counts with what they ought to be, and keeps those that are wrong. */
export class Tally {
	readonly wrong: string[] = [];

	expect(what: string, found: number, wanted = 0): void {
		if (found !== wanted) this.wrong.push(`${what}: ${found} instead of ${wanted}`);
	}
}
