/**
 * Lists the changes that no test noticed, file by file, each under its reason, and what share was noticed. Runs after
 * `npm run mutate`; several runs are joined with `node test/mutate/survivors.mjs <report>…`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { REASONS } from './reasons.mjs';

const DOCUMENT = 'test-results/mutation-survivors.md';
const LAST_RUN = 'test-results/mutation.json';

const INTRODUCTION = `# Changes that no test notices

File by file, each under the reason why it needs no test. A change under _No reason is known_ needs a test, or its code is
not needed.`;

const short = (text) =>
	text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^(.{69}).{2,}$/, '$1…');

/** What a change does, on one line: `a.ts: b < c → b <= c`. */
function described(file, source, { location: { start, end }, replacement }) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return `${basename(file)}: ${short(lines.join('\n'))} → ${short(replacement)}`;
}

function measured([file, { source, mutants }]) {
	const {
		Killed = [],
		Timeout = [],
		Survived = [],
		NoCoverage = [],
	} = Object.groupBy(mutants, ({ status }) => status);
	const unnoticed = [...Survived, ...NoCoverage].map((each) => described(file, source, each));
	return { file, noticed: Killed.length + Timeout.length, unnoticed };
}

function score(files) {
	const noticed = files.reduce((sum, file) => sum + file.noticed, 0);
	const all = files.reduce((sum, file) => sum + file.unnoticed.length, noticed);
	return `${((100 * noticed) / all).toFixed(1)} % of ${all} changes`;
}

function section(result) {
	const reasonOf = (change) => Object.keys(REASONS).find((reason) => REASONS[reason].test(change));
	const groups = Object.groupBy(
		[...new Set(result.unnoticed)].sort(),
		(change) => reasonOf(change) ?? 'No reason is known.',
	);
	const paragraphs = Object.entries(groups).map(([reason, changes]) => {
		const lines = changes.map((text) => text.replace(/^.*?: /, '').replaceAll('`', "'"));
		return `${reason}\n\n${lines.map((line) => `- \`${line}\``).join('\n')}`;
	});
	return [`## ${result.file}`, `${score([result])} noticed.`, ...paragraphs].join('\n\n');
}

const given = process.argv.slice(2);
const reports = (given.length > 0 ? given : [LAST_RUN]).map((report) =>
	JSON.parse(readFileSync(report, 'utf8')),
);
const files = Object.entries(Object.assign({}, ...reports.map((report) => report.files)))
	.map(measured)
	.filter(({ noticed, unnoticed }) => noticed + unnoticed.length > 0);
const folders = Object.groupBy(files, ({ file }) => dirname(file));
const summary = Object.entries(folders)
	.map(([folder, inFolder]) => `- \`${folder}\`: ${score(inFolder)} noticed`)
	.join('\n');
writeFileSync(DOCUMENT, `${[INTRODUCTION, summary, ...files.map(section)].join('\n\n')}\n`);
console.log(`${summary}\n\nWhat no test noticed, with the reasons, is in ${DOCUMENT}`);
