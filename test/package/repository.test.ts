import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { N8N_VERSIONS, PINNED, releaseOf } from '../n8n-host/versions.ts';

/** What several files say of versions, against each other, and where the links of the documents lead. */

const read = (file: string): string => readFileSync(file, 'utf8');
const json = (file: string): JsonRecord => record(JSON.parse(read(file)));
const manifest = json('package.json');
const { version } = manifest;

test('package.json, the lock file, the changelog and docs/installation.md tell the same version', () => {
	const lock = json('package-lock.json');
	expect(lock.version).toBe(version);
	expect(record(record(lock.packages)['']).version).toBe(version);
	const titles = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
	expect(titles.find((title) => title !== '[Unreleased]')).toMatch(
		new RegExp(`^\\[${String(version)}\\] - \\d{4}-\\d{2}-\\d{2}$`),
	);
	const installed = [...read('docs/installation.md').matchAll(/"version":"([^"]*)"/g)];
	expect(new Set(installed.map(([, each]) => each))).toEqual(new Set([version]));
});

/** No container runs here: only what can be read. */
test('compose.yaml installs this version, and its ports and its folder are those of the sandbox', () => {
	const compose = read('compose.yaml');
	expect(compose).toContain(`"version":"${String(version)}"`);
	const [, linkPort, storePort] = /127\.0\.0\.1:(\d+) .*127\.0\.0\.1:(\d+) /s.exec(compose) ?? [];
	const defaults = [...read('sandbox/main.ts').matchAll(/default: '(\d+)'/g)];
	expect([linkPort, storePort]).toEqual(defaults.map(([, port]) => port));
	const [, script = ''] = /command: npm run (\S+)/.exec(compose) ?? [];
	expect(record(manifest.scripts)).toHaveProperty(script);
	const [, inside] = /- \.:(\S+)/.exec(compose) ?? [];
	expect(compose).toContain(`working_dir: ${inside}\n`);
	// As docs/installation.md has it.
	const settings = compose.match(/^ +N8N_.*$/gm) ?? [];
	expect(settings.filter((line) => !read('docs/installation.md').includes(line))).toEqual([]);
});

describe('the versions of n8n', () => {
	test('the package asks for the oldest of them or a later one', () => {
		expect(record(manifest.engines).n8n).toBe(`>=${releaseOf(N8N_VERSIONS[0].n8n)}.0`);
	});

	test('the newest of them is the pinned one: npm test and npm start run on it', () => {
		const { n8n, engine } = PINNED;
		const { node } = record(manifest.devDependencies);
		expect(N8N_VERSIONS.at(-1)).toBe(PINNED);
		expect(manifest.devDependencies).toMatchObject(engine);
		expect(json('test/n8n-host/package.json')).toMatchObject({ dependencies: { n8n, node } });
	});

	test('the weekly workflow runs on all of them, and on the newest', () => {
		const [, listed = ''] = /n8n: \[(.*)\]/.exec(read('.github/workflows/weekly.yml')) ?? [];
		const named = [...listed.matchAll(/'([^']*)'/g)].map(([, each]) => each);
		expect(named).toEqual([...N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n)), 'latest']);
	});
});

describe('the documents', () => {
	const DOCUMENTS = globSync(['*.md', '{docs,examples,test}/**/*.md', '.github/**/*.md']);

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
});
