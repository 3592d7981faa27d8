import { format, resolveConfig } from 'prettier';

/** What is measured, and how BENCHMARKS.md shows it. */

export interface Figure {
	what: string;
	/** What our node came to, and n8n's HTTP Request node */
	ours: string;
	theirs: string;
	/** What ours ought to be, in words */
	wanted: string;
	holds: boolean;
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const near = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]].map(Number);
	return near.reduce((sum, value) => sum + value, 0) / near.length;
}

/** The median with the least and the greatest: `2.16 (1.98 to 2.18)`. */
export function withSpread(values: number[]): string {
	const figures = [median(values), Math.min(...values), Math.max(...values)];
	const [middle = '', least = '', most = ''] = figures.map((value) => value.toFixed(2));
	return `${middle} (${least} to ${most})`;
}

/** `100,000` */
export const counted = (count: number): string => count.toLocaleString('en');

export function tableOf(figures: readonly Figure[]): string {
	const rows = figures.map(({ what, ours, theirs, wanted, holds }) => [
		what,
		ours,
		theirs,
		holds ? wanted : `${wanted}: missed`,
	]);
	const head = ['What', 'Ours', 'HTTP Request', 'Wanted'];
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** The document with this table in place of its own, and this description of the machine in place of the last one. */
export async function withTable(document: string, table: string, machine: string): Promise<string> {
	const text = document
		.replace(/(?:^\|.*\n)+/m, `${table}\n`)
		.replace(/^Measured [^]*?\n\n/m, `${machine}\n\n`);
	return await format(text, { ...(await resolveConfig('BENCHMARKS.md')), parser: 'markdown' });
}
