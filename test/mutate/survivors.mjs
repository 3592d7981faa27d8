/**
 * Writes `docs/mutation-survivors.md`: the changes of the last `npm run mutate` that no test noticed, room by room, each
 * under its reason. Rooms that the run left out keep their section. `node test/mutate/survivors.mjs`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { REASONS } from './reasons.mjs';

const DOCUMENT = 'docs/mutation-survivors.md';
const SECTION = /^## /m;
const UNNOTICED = new Set(['Survived', 'NoCoverage']);
const NOTICED = new Set(['Killed', 'Timeout']);

const { files } = JSON.parse(readFileSync('test-results/mutation.json', 'utf8'));

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

const rooms = groupedBy(Object.entries(files), ([file]) => dirname(file));

function sectionOf(room, entries) {
	const mutants = entries.flatMap(([file, { source, mutants: all }]) =>
		all.map((mutant) => ({ ...mutant, text: described(file, source, mutant) })),
	);
	const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
	const unnoticed = mutants.filter(({ status }) => UNNOTICED.has(status));
	const score = ((100 * noticed) / (noticed + unnoticed.length)).toFixed(1);
	const groups = groupedBy(
		unnoticed,
		({ text }) =>
			REASONS.find(({ changes }) => changes.test(text))?.reason ?? 'No reason is known.',
	);
	const paragraphs = [...groups].map(([reason, changes]) => {
		const texts = [...new Set(changes.map(({ text }) => text))].sort();
		return `${reason}\n\n${texts.map((text) => `- \`${text.replaceAll('`', "'")}\``).join('\n')}\n`;
	});
	const names = entries.map(([file]) => `\`${basename(file)}\``).sort();
	return [
		`${room}\n`,
		`${score} % noticed: ${noticed} of ${noticed + unnoticed.length} changes in ${names.join(', ')}.\n`,
		...paragraphs,
	].join('\n');
}

const [head, ...sections] = readFileSync(DOCUMENT, 'utf8').split(SECTION);
const byRoom = new Map(
	sections.map((section) => [section.split('\n')[0], section.trimEnd() + '\n']),
);
for (const [room, entries] of rooms) byRoom.set(room, sectionOf(room, entries));
writeFileSync(
	DOCUMENT,
	[head, ...byRoom.values()]
		.join('## ')
		.replace(/\n(?=## )/g, '\n\n')
		.replace(/\n{3,}/g, '\n\n'),
);
