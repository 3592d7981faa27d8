import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parse } from 'yaml';

import type { JsonRecord } from '../n8n-host/json.ts';
import { isRecord, list, optionalText, record, text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { N8N_VERSIONS, PINNED, newestRunnable, releaseOf } from '../n8n-host/versions.ts';

/**
 * What the files that govern this repository say of each other. The workflows cannot run here; actionlint, which is part
 * of `npm run lint`, knows their language, and these tests what they may do.
 */

const root = projectRoot();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const yaml = (file: string): JsonRecord => record(parse(read(file)));
const json = (file: string): JsonRecord => record(JSON.parse(read(file)));
const manifest = json('package.json');

const FILES = globSync('.github/workflows/*.{yml,yaml}', { cwd: root }).sort();

interface Job {
	/** `publish.yml: publish` */
	name: string;
	job: JsonRecord;
	steps: JsonRecord[];
}

const JOBS: Job[] = FILES.flatMap((file) =>
	Object.entries(record(yaml(file).jobs)).map(([id, value]) => {
		const job = record(value);
		return { name: `${basename(file)}: ${id}`, job, steps: list(job.steps).map(record) };
	}),
);

/** The gate is called from publish.yml under this name, and calls the other. */
const GATE = './.github/workflows/ci.yml';
const VERSIONS = './.github/workflows/versions.yml';

function jobNamed(wanted: string): JsonRecord {
	const found = JOBS.find(({ name }) => name === wanted);
	if (found === undefined) throw new Error(`There is no job ${wanted}`);
	return found.job;
}

const granted = (permissions: unknown): string[] =>
	Object.entries(record(permissions)).flatMap(([scope, level]) => (level === 'write' ? scope : []));

test('every action is pinned to a commit, with its version beside it, and always to the same', () => {
	const pins = FILES.flatMap((file) =>
		read(file)
			.split('\n')
			.flatMap((line) => /^[\s-]*uses: *(\S.*)$/.exec(line)?.[1] ?? []),
	);
	const uses = JOBS.flatMap(({ job, steps }) => [job, ...steps]).flatMap((step) => step.uses ?? []);
	expect(pins).toHaveLength(uses.length);
	const actions = pins.filter((pin) => pin !== GATE && pin !== VERSIONS);
	for (const action of actions) {
		expect(action).toMatch(/^[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	}
	const used = actions.map((action) => action.split('@'));
	const repositories = new Set(used.map(([name]) => name?.split('/').slice(0, 2).join('/')));
	expect(new Set(used.map(([, commit]) => commit)).size).toBe(repositories.size);
});

test('no job may write, but for what publishing and CodeQL need', () => {
	for (const file of FILES) {
		const { permissions } = yaml(file);
		expect([file, isRecord(permissions), granted(permissions)]).toEqual([file, true, []]);
	}
	const writing = JOBS.map(({ name, job }) => [name, granted(job.permissions)] as const);
	expect(Object.fromEntries(writing.filter(([, scopes]) => scopes.length > 0))).toEqual({
		'codeql.yml: analyze': ['security-events'],
		'publish.yml: publish': ['id-token'],
	});
	expect(JOBS.filter(({ job }) => typeof job.permissions === 'string')).toEqual([]);
});

test('no step keeps a token that it does not need, and none runs what an event brings along', () => {
	for (const { name, steps } of JOBS) {
		for (const { uses, run, with: inputs } of steps) {
			if (optionalText(uses)?.startsWith('actions/checkout@') === true) {
				expect([name, inputs]).toEqual([name, { 'persist-credentials': false }]);
			}
			const expressions = optionalText(run)?.match(/\$\{\{.*?\}\}/g) ?? [];
			for (const expression of expressions) expect(expression).toMatch(/^\$\{\{ matrix\.\w+ \}\}$/);
		}
	}
});

test('nothing is published before the gate has passed', () => {
	const needs = (id: string): string[] => {
		const direct = [jobNamed(`publish.yml: ${id}`).needs ?? []].flat().map(String);
		return [...direct, ...direct.flatMap(needs)];
	};
	expect(needs('publish')).toContain('gate');
	expect(jobNamed('publish.yml: gate').uses).toBe(GATE);
	const publishing = JOBS.filter(({ steps }) =>
		steps.some(({ run }) => optionalText(run)?.includes('npm publish')),
	);
	expect(publishing.map(({ name }) => name)).toEqual(['publish.yml: publish']);
	const { matrix } = record(jobNamed('publish.yml: publish').strategy);
	const packages = ['package.json', 'packages/links/package.json', 'packages/store/package.json'];
	expect(record(matrix).package).toEqual(packages.map((file) => json(file).name));
	expect(yaml('.github/workflows/publish.yml').on).toEqual({ push: { tags: ['v*'] } });
});

describe('npm scripts', () => {
	const scripts = Object.keys(record(manifest.scripts));

	const named = (file: string): string[] =>
		[...read(file).matchAll(/\bnpm (?:run (\w[\w:-]*\w)|(test|start)\b)/g)].map(
			([, run, short]) => run ?? text(short, 'script'),
		);

	test('the gate in the cloud runs the same as .ci/run', () => {
		const { matrix } = record(jobNamed('ci.yml: gate').strategy);
		expect(jobNamed('ci.yml: versions').uses).toBe(VERSIONS);
		const commands = read('.ci/run')
			.split('\n')
			.flatMap((line) => /^npm (?:run )?([\w:-]+)/.exec(line)?.[1] ?? []);
		expect([...list(record(matrix).script), 'test:versions'].sort()).toEqual(commands.sort());
		expect(scripts).toEqual(expect.arrayContaining(commands));
	});

	test('every one that is named anywhere exists', () => {
		const files = globSync(
			['*.md', '{docs,examples,test}/**/*.md', '.ci/*', '.github/**/*.{yml,md}'],
			{ cwd: root },
		);
		expect(files).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', '.ci/run']));
		for (const file of files) {
			const missing = named(file).filter((script) => !scripts.includes(script));
			expect([file, missing]).toEqual([file, []]);
		}
	});
});

test('package.json, its lock file and the changelog tell the same version', () => {
	const { version } = manifest;
	const lock = json('package-lock.json');
	const others = globSync('packages/*/package.json', { cwd: root }).map(json);
	expect([lock.version, ...others.map((each) => each.version)]).toEqual(Array(3).fill(version));
	expect(record(record(lock.packages)['']).version).toBe(version);
	const titles = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
	expect(titles.find((title) => title !== '[Unreleased]')).toMatch(
		new RegExp(`^\\[${String(version)}\\] - \\d{4}-\\d{2}-\\d{2}$`),
	);
});

test('the compose files of docs/installation.md install this version, and keep it for all processes', () => {
	const { name, version } = manifest;
	const blocks = [...read('docs/installation.md').matchAll(/^```yaml\n(.*?)^```$/gms)];
	expect(blocks).toHaveLength(2);
	for (const [, block = ''] of blocks) {
		const services = Object.values(record(record(parse(block, { merge: true })).services));
		const n8ns = services.map(record).filter(({ image }) => String(image).endsWith('/n8n'));
		const environments = n8ns.map(({ environment }) => record(environment));
		const lists = environments.flatMap((each) => optionalText(each.N8N_COMMUNITY_PACKAGES) ?? []);
		expect(lists.map((each) => JSON.parse(each) as unknown)).toEqual([[{ name, version }]]);
		for (const { volumes } of n8ns) expect(volumes).toEqual(['n8n_data:/home/node/.n8n']);
		for (const each of environments) expect(each.N8N_UNVERIFIED_PACKAGES_ENABLED).toBe('true');
	}
});

test('the lock files leave it to each machine from which registry it installs', () => {
	const files = globSync(['package-lock.json', 'test/**/package-lock.json'], { cwd: root });
	expect(files).toHaveLength(2);
	for (const file of files) {
		const packages = Object.entries(record(json(file).packages));
		const bound = packages.filter(([, entry]) => record(entry).resolved !== undefined);
		expect([file, bound.map(([name]) => name)]).toEqual([file, []]);
	}
});

/** What names a version of n8n names one of the list, and all that the list says of it. */
describe('the versions of n8n', () => {
	const oldest = N8N_VERSIONS[0].n8n;

	test('the package asks for the oldest or a later one', () => {
		expect(record(manifest.engines).n8n).toBe(`>=${releaseOf(oldest)}.0`);
	});

	test('the newest is the pinned one: npm test and npm start run on it', () => {
		const { n8n, engine, host } = PINNED;
		expect(N8N_VERSIONS.at(-1)).toBe(PINNED);
		expect(manifest.devDependencies).toMatchObject({ ...engine, node: host?.node });
		expect(json('test/n8n-host/package.json')).toMatchObject({
			dependencies: { n8n, node: host?.node },
			overrides: host?.overrides,
		});
	});

	test.each([
		['without an engine', { version: '3.0.0', time: { '3.0.0': '2027-01-01T00:00:00Z' } }],
		[
			'that is two months old',
			{
				version: '2.60.0',
				dependencies: { 'n8n-core': '2.60.0', 'n8n-workflow': '2.60.0' },
				time: { '2.60.0': '2026-11-02T00:00:00Z' },
			},
		],
	])('the newest on npm is no n8n %s', (_what, told) => {
		const now = new Date('2027-01-02');
		expect(() => newestRunnable(told, now)).toThrow('npm has no newer n8n that can run');
		const engine = { 'n8n-core': '2.60.1', 'n8n-workflow': '2.60.2' };
		const newer = { version: '2.61.0', dependencies: engine, time: { '2.61.0': '2026-12-30' } };
		expect(newestRunnable(newer, now)).toEqual({ n8n: '2.61.0', engine });
	});

	test('the workflow runs on all of them', () => {
		const { listed } = record(yaml('.github/workflows/versions.yml').jobs);
		const { matrix } = record(record(listed).strategy);
		expect(record(matrix).n8n).toEqual(N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n)));
	});

	test('the README tells what was tested, and when', () => {
		const [, section = ''] = read('README.md').split('\n## Versions\n');
		const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
		const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
		expect(rows.slice(2, -1)).toEqual(
			N8N_VERSIONS.toReversed().map(({ n8n, tested, on }) => ['', n8n, tested, on, '']),
		);
	});
});
