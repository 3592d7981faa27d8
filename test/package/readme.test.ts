import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { record } from '../n8n-host/json.ts';

/** What can be checked of the prose: where its links lead, which commands it names, and words that must not be there. */

const read = (file: string): string => readFileSync(file, 'utf8');

const DOCUMENTS = globSync([
	'*.md',
	'{docs,examples,packages,test}/**/*.md',
	'.github/**/*.{md,yml}',
]);

/** Without blocks of code, in which brackets mean something else. */
const prose = (file: string): string => read(file).replaceAll(/^```.*?^```$/gms, '');

/** Headings as GitHub and npm make anchors of them. */
const anchorsOf = (file: string): string[] =>
	[...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\w\s-]/g, '')
			.replaceAll(' ', '-'),
	);

test.each(DOCUMENTS)('every link of %s leads to a file and a heading', (file) => {
	for (const [, target = ''] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
		if (/^[a-z]+:/.test(target)) continue;
		const [path = '', anchor] = target.split('#');
		const leadsTo = path === '' ? file : join(dirname(file), path);
		expect([target, existsSync(leadsTo)]).toEqual([target, true]);
		if (anchor !== undefined) expect(anchorsOf(leadsTo)).toContain(anchor);
	}
});

test.each([...DOCUMENTS, '.ci/run', '.ci/pack'])(
	'every npm script that %s names exists',
	(file) => {
		const scripts = Object.keys(record(record(JSON.parse(read('package.json'))).scripts));
		const named = [...read(file).matchAll(/\bnpm (?:run (\w[\w:-]*\w)|(test|start)\b)/g)];
		const missing = named
			.map(([, run = '', short = '']) => run || short)
			.filter((script) => !scripts.includes(script));
		expect(missing).toEqual([]);
	},
);

/** Plans, the past, and the folders of one machine. The brackets keep this line from finding itself. */
const FORBIDDEN =
	/\bTO[D]O\b|\bFIX[M]E\b|\bformer[l]y\b|\/(?:ro[o]t|wo[r]k)\/\w+|\bregistry\.npm[j]s\.org/g;

test('no file speaks of plans, of the past or of one machine', () => {
	const files = globSync([
		'*.{md,js,mjs,json}',
		'{credentials,docs,examples,nodes,packages,sandbox,test}/**/*.{md,ts,js,cjs,mjs,json,yml}',
		'{.ci,.github}/**/*.*',
	]).filter((file) => !/package-lock\.json$|\bdist\//.test(file));
	expect(files.length).toBeGreaterThan(200);
	const found = files.map((file) => [file, read(file).match(FORBIDDEN)]);
	expect(found.filter(([, words]) => words !== null)).toEqual([]);
});
