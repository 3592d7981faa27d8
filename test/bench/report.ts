import { format, resolveConfig } from 'prettier';

import type { Bench } from './bench.ts';

/** What is measured, what it comes to, and how BENCHMARKS.md writes it. */

/** One subject of the measurements. */
export interface Section {
	title: string;
	run(bench: Bench): Promise<Findings>;
}

export interface Findings {
	/** How it was measured and what to know of it, a paragraph of Markdown each */
	notes: string[];
	tables: Table[];
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
	/** Why it does not hold, and what the limit is */
	why?: string;
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

/** `92 %`, or `—` if there is nothing to divide */
export const percent = (share: number): string =>
	Number.isFinite(share) ? `${(share * 100).toFixed(0)} %` : '—';

/** Every target with what was measured. */
export const targetsOf = (measured: Findings[]): Table => ({
	head: ['What', 'Target', 'Measured', 'Holds'],
	rows: measured
		.flatMap(({ targets }) => targets)
		.map((target) => [target.of, target.wanted, target.measured, target.holds ? 'yes' : 'no']),
});

/** All of BENCHMARKS.md. */
export async function document(
	setting: Table,
	measured: Array<Findings & Pick<Section, 'title'>>,
): Promise<string> {
	const parts = [
		'# Benchmarks',
		"The nodes compared with n8n's own HTTP Request node and the same credential. `npm run bench` writes this file. It runs the " +
			'packed package in a real n8n, both nodes in turns (ours, theirs, theirs, ours, …). A ratio is the median over all ' +
			'rounds, with minimum and maximum in parentheses; below 1, ours is faster. n8n measures the times of nodes. A wrong count ' +
			'fails the run, a slow time does not.',
		markdownOf(setting),
		'## Targets',
		markdownOf(targetsOf(measured)),
		...measured
			.flatMap(({ targets }) => targets)
			.filter(({ holds }) => !holds)
			.map(({ of, why = '' }) => `**${of}** misses its target. ${why}`),
		...measured.flatMap(({ title, notes, tables }) => [
			`## ${title}`,
			...notes,
			...tables.map(markdownOf),
		]),
	];
	return await formatted(parts.join('\n\n'));
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
	const config = await resolveConfig('BENCHMARKS.md');
	return await format(markdown, {
		...config,
		parser: 'markdown',
		proseWrap: 'always',
		printWidth: 120,
	});
}
