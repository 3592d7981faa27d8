import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { list, record } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { N8N_VERSIONS, PINNED, releaseOf } from '../n8n-host/versions.ts';

/** What names a version of n8n names one of the list, and all that the list says of it. */

const read = (file: string): string => readFileSync(join(projectRoot(), file), 'utf8');
const json = (file: string) => record(JSON.parse(read(file)));
const yaml = (file: string) => record(parse(read(file)));

const manifest = json('package.json');
const oldest = N8N_VERSIONS[0]?.n8n ?? '';

test('the list begins with the oldest, and has each release once', () => {
	const releases = N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n).split('.').map(Number));
	const inOrder = releases.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
	expect(releases).toEqual(inOrder);
	expect(new Set(releases.map(String)).size).toBe(releases.length);
});

test('the package asks for the oldest or a later one', () => {
	expect(record(manifest.engines).n8n).toBe(`>=${releaseOf(oldest)}.0`);
});

test('what is developed with, and what npm start starts, is the pinned one', () => {
	const { n8n, engine, host } = PINNED;
	expect(manifest.devDependencies).toMatchObject({ ...engine, node: host?.node });
	expect(json('test/n8n-host/package.json')).toMatchObject({
		dependencies: { n8n, node: host?.node },
		overrides: host?.overrides,
	});
});

test('the workflow runs on all of them', () => {
	const { listed } = record(yaml('.github/workflows/versions.yml').jobs);
	const { matrix } = record(record(listed).strategy);
	expect(record(matrix).n8n).toEqual(N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n)));
});

test('dependabot proposes no other version of what is pinned', () => {
	const [root] = list(yaml('.github/dependabot.yml').updates).map(record);
	const ignored = list(root?.ignore).map((rule) => record(rule)['dependency-name']);
	expect(ignored).toEqual(expect.arrayContaining([...Object.keys(PINNED.engine), 'node']));
});

test('the README tells what was tested, and when', () => {
	const [, section = ''] = read('README.md').split('\n## Versions\n');
	const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
	const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
	expect(rows.slice(2, -1)).toEqual(
		N8N_VERSIONS.toReversed().map(({ n8n, tested, on }) => ['', n8n, tested, on, '']),
	);
});
