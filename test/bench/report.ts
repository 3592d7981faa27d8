import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { projectRoot } from '../n8n-host/project.ts';
import type { Findings, Section, Table } from './section.ts';

/** A section that was run. */
export interface Measured {
	/** The name of its file */
	name: string;
	section: Section;
	findings: Findings;
}

const FILE = 'BENCHMARKS.md';
const LINE_LENGTH = 120;

/** Every target with what was measured, as one table. */
export async function summary(measured: Measured[]): Promise<string> {
	return await inOurStyle(markdownOf(targetsOf(measured)));
}

/** All of BENCHMARKS.md. */
export async function document(setting: Table, measured: Measured[]): Promise<string> {
	const parts = [
		'# Benchmarks',
		"What the nodes cost, beside what a user would take instead: n8n's own HTTP Request node with the same credential. " +
			'`npm run bench` writes this file. It measures the packed package in a real n8n, both nodes in the same run and in ' +
			'turns (ours, theirs, theirs, ours, …). A ratio is the median of the ratios of the rounds, with the least and the ' +
			"greatest behind it; below 1 ours is faster. Times of nodes are n8n's own count. No test asserts a time; a wrong count " +
			'fails the run.',
		markdownOf(setting),
		'## Targets',
		markdownOf(targetsOf(measured)),
		...measured.flatMap(({ findings }) =>
			findings.targets
				.filter(({ holds }) => !holds)
				.map(({ of, why = '' }) => `**${of}** does not hold. ${why}`),
		),
		...measured.flatMap(({ name, section, findings }) => [
			`## ${section.title}`,
			`Measured by ${linkTo(name)}.`,
			...findings.notes,
			...findings.tables.map(markdownOf),
			...findings.wrong.map((line) => `**Wrong:** ${line}`),
		]),
	];
	return await inOurStyle(parts.join('\n\n'));
}

function targetsOf(measured: Measured[]): Table {
	return {
		head: ['What', 'Target', 'Measured', 'Holds', 'Measured by'],
		rows: measured.flatMap(({ name, findings }) =>
			findings.targets.map(({ of, wanted, measured: found, holds }) => [
				of,
				wanted,
				found,
				holds ? 'yes' : 'no',
				linkTo(name),
			]),
		),
	};
}

/** @throws Error when the file was renamed and the section was not */
function linkTo(name: string): string {
	const file = `test/bench/sections/${name}.ts`;
	if (!existsSync(join(projectRoot(), file))) throw new Error(`There is no ${file}`);
	return `[${name}.ts](${file})`;
}

function markdownOf({ head, rows }: Table): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map(String).join(' | ')} |`)
		.join('\n');
}

async function inOurStyle(markdown: string): Promise<string> {
	const file = join(projectRoot(), FILE);
	const config = await resolveConfig(file);
	return await format(markdown, {
		...config,
		filepath: file,
		proseWrap: 'always',
		printWidth: LINE_LENGTH,
	});
}
