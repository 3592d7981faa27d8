import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { extract } from 'tar';

import { temporaryFolder } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record, text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';

/** The tarball that `.ci/pack` makes to be published, and what users and n8n's reviewers find in it. */

const MAX_BYTES = 150_000;
const SCRIPT = '.ci/pack';
const GITHUB = {
	GITHUB_SERVER_URL: 'https://github.com',
	GITHUB_REPOSITORY: 'somebody/some-repository',
};

/** What n8n's scan looks at in a published package, and in the source that it was built from. */
const SCANNED = {
	package: ['**/*.js', 'package.json'],
	source: ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'],
};

const root = projectRoot();
const manifestIn = (folder: string): JsonRecord =>
	record(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
const manifest = manifestIn(root);
const version = text(manifest.version, 'version');

/** Runs a program to its end, with no more of the environment than programs need. */
function run(command: string, args: string[], cwd: string, more: Record<string, string> = {}) {
	// Jest's NODE_ENV, for one, switches a plugin of the scan into a mode for its own tests.
	const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...more };
	const ended = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26, cwd, env });
	const { status, stdout, stderr } = ended;
	return { status, stdout, stderr };
}

const pack = (checkout: string, tag: string) =>
	run('bash', [SCRIPT], checkout, { GITHUB_REF_NAME: tag, ...GITHUB });

let workspace: string;
let tarball: string;
let folder: string;

/** A copy of what is needed to pack. */
async function newCheckout(name: string): Promise<string> {
	const checkout = join(workspace, name);
	for (const file of ['package.json', 'README.md', 'LICENSE.md', 'dist', SCRIPT]) {
		await cp(join(root, file), join(checkout, file), { recursive: true });
	}
	return checkout;
}

const tarballsIn = async (checkout: string) =>
	(await readdir(checkout)).filter((name) => name.endsWith('.tgz'));

beforeAll(async () => {
	workspace = await temporaryFolder('package');
	const checkout = await newCheckout('checkout');
	const { status, stderr } = pack(checkout, `v${version}`);
	if (status !== 0) throw new Error(stderr);
	expect(await tarballsIn(checkout)).toEqual([`n8n-nodes-linkstore-${version}.tgz`]);
	tarball = join(checkout, `n8n-nodes-linkstore-${version}.tgz`);
	folder = join(workspace, 'unpacked');
	await mkdir(folder);
	await extract({ file: tarball, cwd: folder, strip: 1 });
});

afterAll(async () => {
	await rm(workspace, { recursive: true, force: true });
});

function filesOf(below: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: below, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(below.length + 1))
		.sort();
}

test.each([
	{ what: 'under the tag of another version', tag: 'v0.0.1', says: 'The tag is v0.0.1, but' },
	{ what: 'under a tag that is no version', tag: 'main', says: 'The tag is main, but' },
	{ what: 'before it was built', tag: `v${version}`, says: 'npm run build', unbuilt: true },
])('nothing is packed $what', async ({ what, tag, says, unbuilt = false }) => {
	const checkout = await newCheckout(what);
	if (unbuilt) await rm(join(checkout, 'dist'), { recursive: true });
	expect(pack(checkout, tag)).toMatchObject({
		status: 1,
		stderr: expect.stringContaining(says) as unknown,
	});
	expect(await tarballsIn(checkout)).toEqual([]);
	expect(manifestIn(checkout)).toEqual(manifest);
});

describe('the tarball', () => {
	test('names the repository that publishes it, and is otherwise as it is here', () => {
		const address = 'https://github.com/somebody/some-repository';
		expect(manifestIn(folder)).toEqual({
			...manifest,
			repository: { type: 'git', url: `git+${address}.git` },
			bugs: { url: `${address}/issues` },
			homepage: `${address}#readme`,
		});
	});

	test('has what npm and n8n show of a package', () => {
		const shown = ['name', 'description', 'version', 'license', 'homepage', 'keywords'];
		const { author, repository, bugs, engines, ...others } = manifestIn(folder);
		for (const field of shown) expect([field, others[field]]).toEqual([field, expect.anything()]);
		expect(Object.keys(record(author))).toEqual(['name', 'email']);
		expect([repository, bugs, engines].every(Boolean)).toBe(true);
	});

	test('holds the readme, the license, package.json, and of dist the code of every source file and what n8n reads', () => {
		const sources = filesOf(root, '{nodes,credentials}/**/*.ts');
		const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
		const dist = [...sources.map((file) => file.replace(/\.ts$/, '.js')), ...assets];
		expect(filesOf(folder)).toEqual(
			['LICENSE.md', 'README.md', 'package.json', ...dist.map((file) => `dist/${file}`)].sort(),
		);
	});

	test(`is smaller than ${MAX_BYTES / 1000} kB`, async () => {
		expect((await stat(tarball)).size).toBeLessThan(MAX_BYTES);
	});

	test('asks for no module but its own and the one that n8n grants', () => {
		const code = filesOf(folder, 'dist/**/*.js').map((file) => readFileSync(join(folder, file)));
		const asked = [...code.join('\n').matchAll(/(?:require|import)\(\s*(.*?)\s*\)/g)];
		const others = asked
			.map(([, module = '']) => module)
			.filter((module) => !module.startsWith('".'));
		expect(new Set(others)).toEqual(new Set(['"n8n-workflow"']));
	});

	test('runs nothing when it is installed, and brings nothing along', () => {
		const published = manifestIn(folder);
		const atInstallation = /^(preinstall|install|postinstall|prepare|preprepare)$/;
		const scripts = Object.keys(record(published.scripts));
		expect(scripts.filter((name) => atInstallation.test(name))).toEqual([]);
		for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
			expect(published).not.toHaveProperty(kind);
		}
		expect(published.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});
});

describe("n8n's own package scan", () => {
	const scan = (below: string, patterns: string[]) =>
		run(process.execPath, [join(root, 'test/package/scan.mjs'), below, ...patterns], root);

	test('finds nothing in the tarball, and nothing in the source', () => {
		const nothing = { status: 0, stdout: '', stderr: '' };
		expect(scan(folder, SCANNED.package)).toEqual(nothing);
		expect(scan(root, SCANNED.source)).toEqual(nothing);
	});

	test('would find what n8n does not accept', async () => {
		const faulty = join(workspace, 'faulty');
		await cp(folder, faulty, { recursive: true });
		const code = join(faulty, 'dist/nodes/shared/values/json.js');
		await appendFile(code, '\nconsole.log(process.env);\n');
		const changed = { ...manifestIn(faulty), dependencies: { axios: '1' } };
		await writeFile(join(faulty, 'package.json'), JSON.stringify(changed));
		const { status, stderr } = scan(faulty, SCANNED.package);
		expect(status).toBe(1);
		for (const rule of ['no-console', 'no-restricted-globals', 'no-runtime-dependencies']) {
			expect(stderr).toContain(rule);
		}
	});
});
