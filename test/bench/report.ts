import { format, resolveConfig } from 'prettier';

import type { Bench } from './bench.ts';

/** What is measured, what it comes to, and how BENCHMARKS.md shows it. */

/** One subject of the measurements. */
export interface Section {
	/** Its heading in BENCHMARKS.md, below which people have written how it is measured */
	title: string;
	run(bench: Bench): Promise<Findings>;
}

export interface Findings {
	table: Table;
	/** What ought to hold, and whether it does */
	targets: Target[];
}

export interface Table {
	head: string[];
	rows: Array<Array<string | number>>;
}

export interface Target {
	/** What is measured */
	of: string;
	/** In words: `at most 1.05` */
	wanted: string;
	measured: string;
	holds: boolean;
	/** Something was lost, repeated or failed, if it does not hold: no machine is too slow for it */
	isCount: boolean;
}

/** The median of what was measured ought not to be greater than that. */
export function atMost(of: string, most: number, measured: number[]): Target {
	const wanted = `at most ${most.toFixed(2)}`;
	const holds = median(measured) <= most;
	return { of, wanted, measured: withSpread(measured, 3), holds, isCount: false };
}

/** A share ought not to be smaller than that. */
export function atLeast(of: string, least: number, share: number): Target {
	const [wanted, measured] = [`at least ${percent(least)}`, percent(share)];
	return { of, wanted, measured, holds: share >= least, isCount: false };
}

/** It ought to have been that every time. */
export function always(of: string, value: number, measured: number[]): Target {
	const holds = measured.length > 0 && measured.every((found) => found === value);
	return { of, wanted: differing([value]), measured: differing(measured), holds, isCount: true };
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const near = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]].map(Number);
	return near.reduce((sum, value) => sum + value, 0) / near.length;
}

/** The median with the least and the greatest: `2.16 (1.98 to 2.18)`. */
export function withSpread(values: number[], digits = 2): string {
	const figures = [median(values), Math.min(...values), Math.max(...values)];
	const [middle = '', least = '', most = ''] = figures.map((value) => value.toFixed(digits));
	return `${middle} (${least} to ${most})`;
}

/** What the same count was in several rounds: `100`, or `30 to 64` where it differed. */
export function differing(counts: number[]): string {
	return [...new Set([Math.min(...counts), Math.max(...counts)])].map(counted).join(' to ');
}

/** `100,000` */
export const counted = (count: number): string => count.toLocaleString('en');

/** `92 %` */
export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** Every target with what was measured. */
export const targetsOf = (measured: Findings[]): Table => ({
	head: ['What', 'Target', 'Measured', 'Holds'],
	rows: measured
		.flatMap(({ targets }) => targets)
		.map((target) => [target.of, target.wanted, target.measured, target.holds ? 'yes' : 'no']),
});

/** The document with these tables in place of those below the same headings. */
export async function withTables(document: string, tables: Map<string, Table>): Promise<string> {
	let text = document;
	for (const [heading, table] of tables) {
		const present = new RegExp(`(^#+ ${heading}\n[^|]*)(?:^\\|.*\n)+`, 'm');
		if (!present.test(text)) throw new Error(`BENCHMARKS.md has no table below "${heading}"`);
		text = text.replace(present, (_, before: string) => `${before}${markdownOf(table)}\n`);
	}
	return await formatted(text);
}

export function markdownOf({ head, rows }: Table): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map(String).join(' | ')} |`)
		.join('\n');
}

/** @throws Error if a cell holds something that is no figure */
export async function formatted(markdown: string): Promise<string> {
	const [found] = /\| [^|\n]*\b(NaN|Infinity|undefined)\b[^|\n]*/.exec(markdown) ?? [];
	if (found !== undefined) throw new Error(`This is no figure: ${found}`);
	return await format(markdown, { ...(await resolveConfig('BENCHMARKS.md')), parser: 'markdown' });
}
