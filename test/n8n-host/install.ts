import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { list, record, text } from './json.ts';
import type { Engine } from './versions.ts';
import { PINNED } from './versions.ts';

const execFileAsync = promisify(execFile);

/** A compiler says much. */
const MAX_OUTPUT = 100 * 1024 * 1024;

const INSTALL = ['install', '--ignore-scripts'];
const REBUILD = ['rebuild', '--ignore-scripts=false'];

/** Modules that may have to be compiled for this machine. */
const NATIVE = ['sqlite3', 'isolated-vm'];

/**
 * The pinned n8n with its editor, installed into the user's cache folder unless it is there.
 *
 * @returns its folder, the Node.js that it needs, and its own entry script
 */
export async function ensureN8n() {
	const files = await ownFiles('package.json', 'package-lock.json', '.npmrc');
	const folder = await ensureInstalled('n8n', files, async (partial) => {
		await step(
			`Installing n8n ${PINNED.n8n}, once: 2.4 GB in ${dirname(partial)}`,
			async () => await npm(INSTALL, partial),
			'5 to 15 minutes with the next two steps',
		);
		// With this Node.js the others are then compiled.
		await step('Installing its Node.js', async () => await npm([...REBUILD, 'node'], partial));
		const compile = async () => await npm([...REBUILD, ...NATIVE], partial);
		await step('Compiling what this machine needs', compile, 'up to 4 minutes');
	});
	const modules = join(folder, 'node_modules');
	return { folder, node: join(modules, 'node/bin/node'), script: join(modules, 'n8n/bin/n8n') };
}

/** The engine of an n8n alone, n8n-core and n8n-workflow. @returns the folder whose `node_modules` has it */
export async function ensureEngine({ n8n, engine }: Engine): Promise<string> {
	const manifest = JSON.stringify({ private: true, dependencies: engine }, null, 2);
	const files = { 'package.json': manifest, ...(await ownFiles('.npmrc')) };
	return await ensureInstalled('engine', files, async (partial) => {
		await step(
			`Installing the engine of n8n ${n8n}, once: 0.3 GB in ${dirname(partial)}`,
			async () => await npm(INSTALL, partial),
			'half a minute to 2 minutes',
		);
	});
}

/** The files of that name beside this one. */
async function ownFiles(...names: string[]): Promise<Record<string, string>> {
	const read = async (name: string) =>
		[name, await readFile(`test/n8n-host/${name}`, 'utf8')] as const;
	return Object.fromEntries(await Promise.all(names.map(read)));
}

/**
 * Installs what these files ask for into a folder of the user's cache folder, unless it is there. The folder gets its name in
 * one rename at the very end, so a folder of that name is whole.
 *
 * @param name the folder's name begins with it
 * @param files what npm reads, by file name
 */
async function ensureInstalled(
	name: string,
	files: Record<string, string>,
	install: (folder: string) => Promise<void>,
): Promise<string> {
	const exact = files['package-lock.json'] ?? files['package.json'] ?? '';
	const hash = createHash('sha256').update(exact).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `${name}-${hash}`);
	if (existsSync(folder)) return folder;

	const partial = `${folder}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial, { recursive: true });
	for (const [file, content] of Object.entries(files)) {
		await writeFile(join(partial, file), content);
	}
	await install(partial);
	await rename(partial, folder);
	return folder;
}

/** @throws Error with all that npm said if it fails */
async function npm(words: string[], cwd: string): Promise<void> {
	// A Node.js among what is installed comes first.
	const PATH = [join(cwd, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
	const env = { ...process.env, PATH };
	const args = [...words, '--no-progress', '--loglevel=error'];
	await execFileAsync('npm', args, { cwd, env, maxBuffer: MAX_OUTPUT });
}

/** This project's folder among a user's files, where the XDG base directory specification puts it. */
export function userFolder(variable: 'XDG_CACHE_HOME' | 'XDG_DATA_HOME', preset: string): string {
	return join(process.env[variable] ?? join(homedir(), preset), 'n8n-nodes-linkstore');
}

/** Puts the tarball that would be published where n8n keeps its community packages. n8n must not be running. @returns where it is */
export async function installPackage(home: string): Promise<string> {
	const folder = join(home, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', home];
	const [packed] = list(JSON.parse((await execFileAsync('npm', packing)).stdout));
	const tarball = join(home, text(record(packed).filename, 'the name of the tarball'));
	// As n8n does it, without n8n itself, which is a peer dependency.
	const options = ['--offline', '--legacy-peer-deps', '--no-package-lock', '--no-audit'];
	await execFileAsync('npm', ['install', tarball, '--prefix', folder, ...options]);
	return join(folder, 'node_modules', 'n8n-nodes-linkstore');
}

/** A folder under the system's temporary folder, which the stack removes. */
export async function temporaryFolder(
	stack: AsyncDisposableStack,
	purpose: string,
): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `n8n-nodes-linkstore-${purpose}-`));
	// A process that is just ending may still write into it.
	const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
	return stack.adopt(folder, async () => await rm(folder, options));
}

/**
 * Does one thing that a person waits for, and says what it is and how long it took.
 *
 * @param usually `2 minutes`; absent for what takes a few seconds
 */
export async function step<Result>(
	title: string,
	run: () => Promise<Result>,
	usually?: string,
): Promise<Result> {
	const started = Date.now();
	console.log(`${title}: ${usually === undefined ? '...' : `usually ${usually} ...`}`);
	const result = await run();
	console.log(`${title}: done after ${Math.round((Date.now() - started) / 1000)} s`);
	return result;
}
