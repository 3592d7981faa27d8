import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record, text } from '../n8n-host/json.ts';

/** The tarballs that `.ci/pack` makes to be published. Lint checks what package.json says. */

const SCRIPT = '.ci/pack';
const REPOSITORY = 'https://github.com/somebody/some-repository';
const GITHUB = {
	GITHUB_SERVER_URL: 'https://github.com',
	GITHUB_REPOSITORY: 'somebody/some-repository',
};
/** What whoever publishes enters in each package.json. */
const publisherOf = (folder: string) => ({
	author: { name: 'Somebody', email: 'somebody@some-company.org' },
	repository: {
		type: 'git',
		url: `git+${REPOSITORY}${folder === '.' ? '' : `-${basename(folder)}`}.git`,
	},
});

interface Package {
	/** Where its package.json is */
	folder: string;
	name: string;
	/** Files of the service that it does not have */
	others?: RegExp;
}

const PACKAGES: Package[] = [
	{ folder: '.', name: 'n8n-nodes-linkstore' },
	{
		folder: 'packages/links',
		name: 'n8n-nodes-linkstore-links',
		others: /\bStore|\bstore\./,
	},
	{
		folder: 'packages/store',
		name: 'n8n-nodes-linkstore-store',
		others: /\blinkManagement|\bLinkManagement/,
	},
];

const root = process.cwd();
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

/** What `.ci/mirror` reads, beside what `.ci/pack` does. */
const MIRRORED = [
	'.ci/mirror',
	'.gitignore',
	'.npmrc',
	'credentials',
	'examples',
	'icons',
	'nodes',
	'packages/links/eslint.config.mjs',
	'packages/publish.yml',
	'packages/store/eslint.config.mjs',
	'tsconfig.json',
];

let workspace: string;
/** Where the three packages were packed */
let checkout: string;
/** Each package unpacked, by its name */
const unpacked = (name: string) => join(workspace, 'unpacked', name);

async function copyInto(folder: string, ...files: string[]): Promise<void> {
	for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
}

/** A checkout, as whoever publishes it has it: with an author and a repository of their own. */
async function newCheckout(name: string, ...files: string[]): Promise<string> {
	const checkout = join(workspace, name);
	await copyInto(checkout, SCRIPT, ...PACKAGES.map(({ folder }) => join(folder, 'package.json')));
	await copyInto(checkout, ...files);
	for (const { folder } of PACKAGES) enter(join(checkout, folder), publisherOf(folder));
	return checkout;
}

function enter(folder: string, members: JsonRecord): void {
	const changed = { ...manifestIn(folder), ...members };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(changed, null, '\t'));
}

const tarballsIn = async (checkout: string) =>
	(await readdir(checkout)).filter((name) => name.endsWith('.tgz'));

beforeAll(async () => {
	workspace = await temporaryFolder('package');
	const readmes = PACKAGES.map(({ folder }) => join(folder, 'README.md'));
	const files = ['LICENSE.md', 'dist', 'gulpfile.js', ...MIRRORED];
	checkout = await newCheckout('checkout', ...readmes, ...files);
	await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
	const gulp = 'node_modules/gulp/bin/gulp.js';
	const commands = ['links', 'store'].map((service) =>
		run(process.execPath, [gulp, 'package', '--service', service], checkout),
	);
	const failed = [...commands, pack(checkout, `v${version}`)].find(({ status }) => status !== 0);
	if (failed) throw new Error(failed.stderr);
	expect(await tarballsIn(checkout)).toEqual(
		PACKAGES.map(({ name }) => `${name}-${version}.tgz`).sort(),
	);
	for (const { name } of PACKAGES) {
		await mkdir(unpacked(name), { recursive: true });
		const tarball = join(checkout, `${name}-${version}.tgz`);
		// A tarball of npm has everything in one folder.
		run('tar', ['-xzf', tarball, '--strip-components=1'], unpacked(name));
	}
}, 180_000);

afterAll(async () => await removeFolder(workspace));

function filesOf(below: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: below, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(below.length + 1))
		.sort();
}

const DISTS = PACKAGES.map(({ folder }) => join(folder, 'dist'));
const HERE = manifestIn('packages/store');

test.each([
	{ what: 'under the tag of another version', tag: 'v0.0.1', words: 'The tag is v0.0.1, but' },
	{ what: 'before a package was filled', built: DISTS.slice(0, 2), words: 'packages/store/dist' },
	{ what: 'with the author as here', store: { author: HERE.author }, words: 'is a placeholder' },
	{
		what: 'with the repository as here',
		store: { repository: HERE.repository },
		words: 'but https://github.com/somebody/some-repository-store publishes it',
	},
])('nothing is packed $what', async ({ what, tag = `v${version}`, words, ...set }) => {
	const { built = DISTS, store = {} } = set;
	const checkout = await newCheckout(what);
	for (const dist of built) mkdirSync(join(checkout, dist));
	enter(join(checkout, 'packages/store'), store);
	const stderr: unknown = expect.stringContaining(words);
	expect(pack(checkout, tag)).toMatchObject({ status: 1, stderr });
	expect(await tarballsIn(checkout)).toEqual([]);
});

describe.each(PACKAGES)('$name', ({ folder, name, others }) => {
	test('has the readme of its folder, whose links and pictures lead to the repository', () => {
		const textIn = (place: string): string => readFileSync(join(place, 'README.md'), 'utf8');
		const addressOf = ([, image = '', target = '']: RegExpExecArray): string => {
			if (/^(?:#|\w+:)/.test(target)) return target;
			const path = relative(root, join(root, folder, target));
			const { href } = new URL(
				`${image === '' ? 'blob' : 'raw'}/v${version}/${path}`,
				`${REPOSITORY}/`,
			);
			return path === '' ? REPOSITORY : href;
		};
		const LINK = /(!?)\[[^\]]*\]\(([^)]*)\)/g;
		const targets = [...textIn(unpacked(name)).matchAll(LINK)].map(([, , target]) => target);
		expect(targets).toEqual([...textIn(join(root, folder)).matchAll(LINK)].map(addressOf));
		expect(targets.length).toBeGreaterThan(5);
	});

	test('holds the readme, the license, package.json, and of dist the code of its source files and what n8n reads', () => {
		const sources = filesOf(root, '{nodes,credentials}/**/*.ts');
		const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
		const dist = [...sources.map((file) => file.replace(/\.ts$/, '.js')), ...assets]
			.filter((file) => others?.test(file) !== true)
			.map((file) => `dist/${file}`);
		expect(filesOf(unpacked(name))).toEqual(
			['LICENSE.md', 'README.md', 'package.json', ...dist].sort(),
		);
	});

	test('names itself wherever its nodes name a package', () => {
		const content = filesOf(unpacked(name), 'dist/**/*').map((file) =>
			readFileSync(join(unpacked(name), file), 'utf8'),
		);
		expect(new Set(content.join('\n').match(/n8n-nodes-linkstore(?:-\w+)?/g))).toEqual(
			new Set([name]),
		);
	});

	test('asks for no module but its own and the one that n8n grants', () => {
		for (const file of filesOf(unpacked(name), 'dist/**/*.js')) {
			const path = join(unpacked(name), file);
			const asked = [...readFileSync(path, 'utf8').matchAll(/(?:require|import)\(\s*(.*?)\s*\)/g)];
			for (const [, quoted = ''] of asked) {
				if (quoted === '"n8n-workflow"') continue;
				const wanted = join(dirname(path), `${quoted.slice(1, -1)}.js`);
				const index = wanted.replace(/\.js$/, '/index.js');
				expect([file, quoted, existsSync(wanted) || existsSync(index)]).toEqual([
					...[file, expect.stringMatching(/^"\./) as unknown, true],
				]);
			}
		}
	});
});

// The rules for the source of the package with both services are part of lint.
test("all packages pass n8n's package scan", () => {
	const scan = join(root, 'test/package/scan.mjs');
	const folders = PACKAGES.map(({ name }) => unpacked(name));
	const { status, stderr } = run(process.execPath, [scan, ...folders], root);
	expect([stderr, status]).toEqual(['', 0]);
}, 60_000);

/** The repository of a package, generated. */
async function mirrorOf({ folder }: Package, place: string): Promise<string> {
	const mirror = join(workspace, place);
	const written = run('bash', ['.ci/mirror', basename(folder), mirror], checkout);
	if (written.status !== 0) throw new Error(written.stderr);
	await symlink(join(root, 'node_modules'), join(mirror, 'node_modules'));
	return mirror;
}

test.each(PACKAGES.slice(1))(
	'the repository of $name has one package.json, examples for it, and nothing of the other service',
	async (each) => {
		const { name, others } = each;
		const mirror = await mirrorOf(each, `mirror ${name}`);
		const files = filesOf(mirror, '{.github,credentials,examples,icons,nodes}/**/*');
		expect(files.filter((file) => others?.test(file))).toEqual([]);
		const examples = files.filter((file) => file.startsWith('examples/'));
		const types = examples.flatMap(
			(file) =>
				readFileSync(join(mirror, file), 'utf8').match(/(?<=")n8n-nodes-linkstore[^."]*/g) ?? [],
		);
		expect(new Set(types)).toEqual(new Set([name]));
		expect(files).toContain('.github/workflows/publish.yml');
		expect(filesOf(mirror, '{*,packages/**}/package.json')).toEqual([]);
	},
);

/** The other repository is made by the same script. */
test('a repository builds the tarball that is packed here, byte by byte, and n8n can verify it', async () => {
	const links = { folder: 'packages/links', name: 'n8n-nodes-linkstore-links' };
	const { name } = links;
	const mirror = await mirrorOf(links, 'built');
	const built = run('npm', ['run', 'build'], mirror);
	expect([built.stderr, built.status]).toEqual(['', 0]);
	run('npm', ['pack', '--ignore-scripts'], mirror);
	const tarball = `${name}-${version}.tgz`;
	const [own, here] = [mirror, checkout].map((place) => readFileSync(join(place, tarball)));
	expect(own).toEqual(here);
	const cli = join(root, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
	const support = run(process.execPath, [cli, 'cloud-support'], mirror).stdout;
	expect(stripVTControlCharacters(support)).toContain('Status: eligible');
	// The source passes the rules of n8n-node lint here.
	const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
	const { status, stdout } = run(process.execPath, [eslint, 'package.json'], mirror);
	expect([stdout, status]).toEqual(['', 0]);
}, 180_000);
