import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { extract } from 'tar';

import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record, text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';

/** The tarball that `.ci/pack` makes to be published. Lint checks what package.json says. */

const MAX_BYTES = 150_000;
const SCRIPT = '.ci/pack';
const GITHUB = {
	GITHUB_SERVER_URL: 'https://github.com',
	GITHUB_REPOSITORY: 'somebody/some-repository',
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
	const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd, env });
	return { status, stdout, stderr };
}

const pack = (checkout: string, tag: string) =>
	run('bash', [SCRIPT], checkout, { GITHUB_REF_NAME: tag, ...GITHUB });

let workspace: string;
let tarball: string;
let folder: string;

async function newCheckout(name: string, ...files: string[]): Promise<string> {
	const checkout = join(workspace, name);
	for (const file of ['package.json', SCRIPT, ...files]) {
		await cp(join(root, file), join(checkout, file), { recursive: true });
	}
	return checkout;
}

const tarballsIn = async (checkout: string) =>
	(await readdir(checkout)).filter((name) => name.endsWith('.tgz'));

beforeAll(async () => {
	workspace = await temporaryFolder('package');
	const checkout = await newCheckout('checkout', 'README.md', 'LICENSE.md', 'dist');
	const { status, stderr } = pack(checkout, `v${version}`);
	if (status !== 0) throw new Error(stderr);
	expect(await tarballsIn(checkout)).toEqual([`n8n-nodes-linkstore-${version}.tgz`]);
	tarball = join(checkout, `n8n-nodes-linkstore-${version}.tgz`);
	folder = join(workspace, 'unpacked');
	await mkdir(folder);
	await extract({ file: tarball, cwd: folder, strip: 1 });
});

afterAll(async () => await removeFolder(workspace));

function filesOf(below: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: below, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(below.length + 1))
		.sort();
}

test.each([
	['under the tag of another version', 'v0.0.1', 'The tag is v0.0.1, but', true],
	['under a tag that is no version', 'main', 'The tag is main, but', true],
	['before it was built', `v${version}`, 'npm run build', false],
])('nothing is packed %s', async (what, tag, words, isBuilt) => {
	const checkout = await newCheckout(what);
	if (isBuilt) mkdirSync(join(checkout, 'dist'));
	const stderr: unknown = expect.stringContaining(words);
	expect(pack(checkout, tag)).toMatchObject({ status: 1, stderr });
	expect(await tarballsIn(checkout)).toEqual([]);
	expect(manifestIn(checkout)).toEqual(manifest);
});

test('the tarball names the repository that publishes it, and is otherwise as it is here', () => {
	const address = 'https://github.com/somebody/some-repository';
	expect(manifestIn(folder)).toEqual({
		...manifest,
		repository: { type: 'git', url: `git+${address}.git` },
		bugs: { url: `${address}/issues` },
		homepage: `${address}#readme`,
	});
});

test('it holds the readme, the license, package.json, and of dist the code of every source file and what n8n reads', () => {
	const sources = filesOf(root, '{nodes,credentials}/**/*.ts');
	const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
	const dist = [...sources.map((file) => file.replace(/\.ts$/, '.js')), ...assets];
	expect(filesOf(folder)).toEqual(
		['LICENSE.md', 'README.md', 'package.json', ...dist.map((file) => `dist/${file}`)].sort(),
	);
});

test(`it is smaller than ${MAX_BYTES / 1000} kB`, async () => {
	expect((await stat(tarball)).size).toBeLessThan(MAX_BYTES);
});

test('it asks for no module but its own and the one that n8n grants', () => {
	const code = filesOf(folder, 'dist/**/*.js').map((file) => readFileSync(join(folder, file)));
	const asked = [...code.join('\n').matchAll(/(?:require|import)\(\s*(.*?)\s*\)/g)];
	const modules = asked.map(([, module = '']) => module);
	expect(new Set(modules.filter((module) => !module.startsWith('".')))).toEqual(
		new Set(['"n8n-workflow"']),
	);
});

// The rules for its source are part of lint.
test("n8n's package scan finds in it what n8n does not accept, and nothing else", async () => {
	await appendFile(
		join(folder, 'dist/nodes/shared/values/json.js'),
		'\nconsole.log(process.env);\n',
	);
	const changed = { ...manifestIn(folder), dependencies: { axios: '1' } };
	await writeFile(join(folder, 'package.json'), JSON.stringify(changed));
	const scan = [join(root, 'test/package/scan.mjs'), folder, '**/*.js', 'package.json'];
	const { status, stderr } = run(process.execPath, scan, root);
	expect(status).toBe(1);
	expect(stderr.match(/(?<= {2})\S+$/gm)).toEqual([
		'no-console',
		'@n8n/community-nodes/no-restricted-globals',
		'@n8n/community-nodes/no-runtime-dependencies',
	]);
});
