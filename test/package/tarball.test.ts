import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../n8n-host/install.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record, text } from '../n8n-host/json.ts';

/** The tarball that `.ci/pack` makes to be published. Lint checks what package.json says. */

const SCRIPT = '.ci/pack';
const REPOSITORY = 'https://github.com/somebody/some-repository';
const GITHUB = {
	GITHUB_SERVER_URL: 'https://github.com',
	GITHUB_REPOSITORY: 'somebody/some-repository',
};
/** What whoever publishes enters in package.json. */
const PUBLISHER = {
	author: { name: 'Somebody', email: 'somebody@some-company.org' },
	repository: { type: 'git', url: `git+${REPOSITORY}.git` },
};

const root = process.cwd();
const manifest = record(JSON.parse(readFileSync('package.json', 'utf8')));
const version = text(manifest.version, 'version');
const tarball = `n8n-nodes-linkstore-${version}.tgz`;

/** Runs a program to its end, with no more of the environment than programs need. */
function run(command: string, args: string[], cwd: string, more: Record<string, string> = {}) {
	// Jest's NODE_ENV, for one, switches a plugin of the scan into a mode for its own tests.
	const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...more };
	const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd, env });
	return { status, stdout, stderr };
}

const pack = (checkout: string, tag: string) =>
	run('bash', [SCRIPT], checkout, { GITHUB_REF_NAME: tag, ...GITHUB });

const stack = new AsyncDisposableStack();
let workspace: string;
let unpacked: string;

/** A checkout, as whoever publishes it has it: with an author and a repository of their own. */
async function newCheckout(name: string, own: JsonRecord = {}): Promise<string> {
	const checkout = join(workspace, name);
	await cp(SCRIPT, join(checkout, SCRIPT));
	for (const file of ['README.md', 'LICENSE.md']) await cp(file, join(checkout, file));
	const entered = { ...manifest, ...PUBLISHER, ...own };
	writeFileSync(join(checkout, 'package.json'), JSON.stringify(entered, null, '\t'));
	return checkout;
}

beforeAll(async () => {
	workspace = await temporaryFolder(stack, 'package');
	unpacked = join(workspace, 'unpacked');
	const checkout = await newCheckout('checkout');
	await cp('dist', join(checkout, 'dist'), { recursive: true });
	expect(pack(checkout, `v${version}`)).toMatchObject({ status: 0 });
	mkdirSync(unpacked);
	// A tarball of npm has everything in one folder.
	run('tar', ['-xzf', join(checkout, tarball), '--strip-components=1'], unpacked);
}, 60_000);

afterAll(async () => await stack.disposeAsync());

function filesOf(below: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: below, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(below.length + 1))
		.sort();
}

test.each([
	{ what: 'under the tag of another version', tag: 'v0.0.1', words: 'The tag is v0.0.1, but' },
	{ what: 'before it was built', words: 'There is no dist' },
	{
		what: 'with the author as here',
		own: { author: manifest.author },
		words: 'is a placeholder',
	},
	{
		what: 'with the repository as here',
		own: { repository: manifest.repository },
		words: 'but https://github.com/somebody/some-repository publishes it',
	},
])('nothing is packed $what', async ({ what, tag = `v${version}`, words, own }) => {
	const checkout = await newCheckout(what, own);
	const stderr: unknown = expect.stringContaining(words);
	expect(pack(checkout, tag)).toMatchObject({ status: 1, stderr });
	const files = await readdir(checkout);
	expect(files.filter((name) => name.endsWith('.tgz'))).toEqual([]);
});

test('the links and pictures of the readme lead to the repository', () => {
	const LINK = /(!?)\[[^\]]*\]\(([^)]*)\)/g;
	const addressOf = ([, image = '', target = '']: RegExpExecArray): string => {
		if (/^(?:#|\w+:)/.test(target)) return target;
		if (target === '.') return REPOSITORY;
		return `${REPOSITORY}/${image === '' ? 'blob' : 'raw'}/v${version}/${target}`;
	};
	const packed = readFileSync(join(unpacked, 'README.md'), 'utf8');
	const targets = [...packed.matchAll(LINK)].map(([, , target]) => target);
	expect(targets).toEqual([...readFileSync('README.md', 'utf8').matchAll(LINK)].map(addressOf));
	expect(targets.length).toBeGreaterThan(5);
});

test('it holds the readme, the license, package.json, and of dist the code of its source files and what n8n reads', () => {
	const sources = filesOf(root, '{nodes,credentials}/**/*.ts');
	const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
	const built = [...sources.map((file) => file.replace(/\.ts$/, '.js')), ...assets];
	const dist = built.map((file) => `dist/${file}`);
	expect(filesOf(unpacked)).toEqual(['LICENSE.md', 'README.md', 'package.json', ...dist].sort());
});

// The rules for its source are part of lint.
test("it passes n8n's package scan", () => {
	const scan = join(root, 'test/package/scan.mjs');
	const { status, stderr } = run(process.execPath, [scan, unpacked], root);
	expect([stderr, status]).toEqual(['', 0]);
}, 60_000);

test("literal copies of all descriptions pass n8n's lint", () => {
	const { status, stdout, stderr } = run(process.execPath, ['test/package/literals.mjs'], root);
	expect([stdout, stderr, status]).toEqual(['', '', 0]);
}, 60_000);
