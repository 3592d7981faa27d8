import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { step } from './step.ts';
import type { Engine } from './versions.ts';
import { PINNED } from './versions.ts';

const execFileAsync = promisify(execFile);

/** A compiler says much. */
const MAX_OUTPUT = 100 * 1024 * 1024;

/** Where one whole, working n8n stands. */
export interface N8nInstall {
	folder: string;
	/** The Node.js that n8n needs */
	node: string;
	/** n8n's own entry script, to be run with `node` */
	script: string;
}

const INSTALL = ['install', '--ignore-scripts'];
const REBUILD = ['rebuild', '--ignore-scripts=false'];

/** Modules that may have to be compiled for this machine. */
const NATIVE = ['sqlite3', 'isolated-vm'];

/** The pinned n8n with its editor, installed into the user's cache folder unless it is there. */
export async function ensureN8n(): Promise<N8nInstall> {
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

/** What npm reads, by file name. */
type Files = Record<string, string>;

/** The files of that name beside this one. */
async function ownFiles(...names: string[]): Promise<Files> {
	const read = async (name: string) =>
		[name, await readFile(`test/n8n-host/${name}`, 'utf8')] as const;
	return Object.fromEntries(await Promise.all(names.map(read)));
}

/**
 * Installs what these files ask for into a folder of the user's cache folder, unless it is there. The folder gets its name in
 * one rename at the very end, so a folder of that name is whole.
 *
 * @param name the folder's name begins with it
 */
async function ensureInstalled(
	name: string,
	files: Files,
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
