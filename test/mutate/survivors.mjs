/**
 * Lists the changes that no test noticed, file by file, each under its reason, and what share was noticed. Runs after
 * `npm run mutate`; several runs are joined with `node test/mutate/survivors.mjs <report>…`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { REASONS } from './reasons.mjs';

const DOCUMENT = 'test-results/mutation-survivors.md';
const LAST_RUN = 'test-results/mutation.json';
const COUNTS = /(\d+) of (\d+) changes/;
const UNNOTICED = new Set(['Survived', 'NoCoverage']);
const NOTICED = new Set(['Killed', 'Timeout']);

const INTRODUCTION = `# Changes that no test notices

File by file, each under the reason why it needs no test. A change under _No reason is known_ needs a test, or its code is
not needed.`;

/** What a change does, on one line: `a.ts: b < c → b <= c`. */
function described(file, source, { location: { start, end }, replacement }) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	const short = (text) => {
		const line = text.replace(/\s+/g, ' ').trim();
		return line.length > 70 ? `${line.slice(0, 69)}…` : line;
	};
	return `${file.replace(/^.*\//, '')}: ${short(lines.join('\n'))} → ${short(replacement)}`;
}

/** `Map.groupBy` is not in Node.js 20. */
function groupedBy(values, keyOf) {
	const groups = new Map();
	for (const value of values)
		groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
	return groups;
}

const percent = (noticed, all) => `${((100 * noticed) / all).toFixed(1)} %`;

function sectionOf(file, { source, mutants }) {
	const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
	const unnoticed = mutants
		.filter(({ status }) => UNNOTICED.has(status))
		.map((mutant) => described(file, source, mutant));
	const all = noticed + unnoticed.length;
	if (all === 0) return undefined;
	const groups = groupedBy(
		[...new Set(unnoticed)].sort(),
		(text) => REASONS.find(({ changes }) => changes.test(text))?.reason ?? 'No reason is known.',
	);
	const paragraphs = [...groups].map(([reason, texts]) => {
		const changes = texts.map((text) => text.replace(/^.*?: /, '').replaceAll('`', "'"));
		return `${reason}\n\n${changes.map((change) => `- \`${change}\``).join('\n')}`;
	});
	const score = `${percent(noticed, all)} noticed: ${noticed} of ${all} changes.`;
	return [file, score, ...paragraphs].join('\n\n');
}

/** What share was noticed, folder by folder. */
function summary(sections) {
	const folders = groupedBy(sections, ([file]) => dirname(file));
	const lines = [...folders].map(([folder, ofFolder]) => {
		const counts = ofFolder.map(([, section]) => COUNTS.exec(section).slice(1).map(Number));
		const [noticed, all] = [0, 1].map((at) => counts.reduce((sum, each) => sum + each[at], 0));
		return `- \`${folder}\`: ${percent(noticed, all)} of ${all} changes in ${ofFolder.length} files`;
	});
	return lines.join('\n');
}

const sections = new Map();
const reports = process.argv.slice(2);
for (const report of reports.length > 0 ? reports : [LAST_RUN]) {
	for (const [file, result] of Object.entries(JSON.parse(readFileSync(report, 'utf8')).files)) {
		const section = sectionOf(file, result);
		if (section) sections.set(file, section);
	}
}
const all = [...sections].sort();
const blocks = all.map(([, section]) => `## ${section}`);
writeFileSync(DOCUMENT, `${[INTRODUCTION, summary(all), ...blocks].join('\n\n')}\n`);
console.log(`${summary(all)}\n\nWhat no test noticed, with the reasons, is in ${DOCUMENT}`);
