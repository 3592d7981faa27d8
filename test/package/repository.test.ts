import { globSync, readFileSync } from 'node:fs';

import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { N8N_VERSIONS, PINNED, newestRunnable, releaseOf } from '../n8n-host/versions.ts';

/** What several files say of versions, against each other. */

const read = (file: string): string => readFileSync(file, 'utf8');
const json = (file: string): JsonRecord => record(JSON.parse(read(file)));
const manifest = json('package.json');
const { version } = manifest;

test('every package.json, the lock file and the changelog tell the same version', () => {
	const lock = json('package-lock.json');
	const others = globSync('packages/*/package.json').map(json);
	expect([lock.version, ...others.map((each) => each.version)]).toEqual(Array(3).fill(version));
	expect(record(record(lock.packages)['']).version).toBe(version);
	const titles = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
	expect(titles.find((title) => title !== '[Unreleased]')).toMatch(
		new RegExp(`^\\[${String(version)}\\] - \\d{4}-\\d{2}-\\d{2}$`),
	);
});

test('docs/installation.md installs this version', () => {
	const named = [...read('docs/installation.md').matchAll(/"version":"([^"]*)"/g)];
	expect(new Set(named.map(([, each]) => each))).toEqual(new Set([version]));
});

test('the lock files leave it to each machine from which registry it installs', () => {
	for (const file of ['package-lock.json', 'test/n8n-host/package-lock.json']) {
		const packages = Object.entries(record(json(file).packages));
		const bound = packages.filter(([, entry]) => record(entry).resolved !== undefined);
		expect([file, bound.map(([name]) => name)]).toEqual([file, []]);
	}
});

test('every action of a workflow is pinned to a commit, with its version beside it', () => {
	const pins = globSync('.github/workflows/*.yml').flatMap((file) =>
		[...read(file).matchAll(/^[\s-]*uses: *(.*)$/gm)].map(([, pin = '']) => pin),
	);
	const others = pins.filter((pin) => !pin.startsWith('./'));
	expect(others.length).toBeGreaterThan(10);
	for (const pin of others) {
		expect(pin).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d|^docker:[\w./:-]+@sha256:[0-9a-f]{64}$/);
	}
});

describe('the versions of n8n', () => {
	test('the package asks for the oldest of them or a later one', () => {
		expect(record(manifest.engines).n8n).toBe(`>=${releaseOf(N8N_VERSIONS[0].n8n)}.0`);
	});

	test('the newest of them is the pinned one: npm test and npm start run on it', () => {
		const { n8n, engine, host } = PINNED;
		expect(N8N_VERSIONS.at(-1)).toBe(PINNED);
		expect(manifest.devDependencies).toMatchObject({ ...engine, node: host?.node });
		expect(json('test/n8n-host/package.json')).toMatchObject({
			dependencies: { n8n, node: host?.node },
			overrides: host?.overrides,
		});
	});

	test('the weekly workflow runs on all of them, and on the newest', () => {
		const [, listed = ''] = /n8n: \[(.*)\]/.exec(read('.github/workflows/weekly.yml')) ?? [];
		const named = [...listed.matchAll(/'([^']*)'/g)].map(([, each]) => each);
		expect(named).toEqual([...N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n)), 'latest']);
	});

	const engine = { 'n8n-core': '2.60.1', 'n8n-workflow': '2.60.2' };
	const time = { '2.60.0': '2026-11-02T00:00:00Z', '3.0.0': '2027-01-01T00:00:00Z' };
	const NOW = new Date('2026-12-01');

	test('the newest n8n on npm can run', () => {
		const told = { version: '2.60.0', dependencies: engine, time };
		expect(newestRunnable(told, NOW)).toEqual({ n8n: '2.60.0', engine });
	});

	test.each([
		['without an engine', { version: '3.0.0', time }, NOW],
		['two months old', { version: '2.60.0', dependencies: engine, time }, new Date('2027-01-02')],
	])('the newest n8n on npm is none that can run if it is %s', (_what, told, now) => {
		expect(newestRunnable(told, now)).toBeUndefined();
	});
});
