import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { npmCommand, projectRoot, userFolder } from './project.ts';
import type { Engine } from './versions.ts';
import { PINNED, findVersion } from './versions.ts';

/** Where one whole, working n8n stands. */
export interface N8nInstall {
	folder: string;
	/** The Node.js that n8n needs */
	node: string;
	/** n8n's own entry script, to be run with `node` */
	script: string;
}

type Step = readonly [command: 'npm' | 'node', ...args: string[]];

const HOST_STEPS: Step[] = [
	// Not `npm ci`: it refuses a lock file that lacks optional packages of other platforms, as this one does.
	['npm', 'install', '--ignore-scripts'],
	// First its Node.js, so that the native modules are then built with and for that one.
	['npm', 'rebuild', '--ignore-scripts=false', 'node'],
	['npm', 'rebuild', '--ignore-scripts=false', 'sqlite3', 'isolated-vm'],
	// Loads the native modules: what cannot run must not be taken for an installation.
	['node', '-e', "require('sqlite3'); require('isolated-vm'); require.resolve('n8n/bin/n8n')"],
];

/** As in package.json beside this file; its README says why. */
const PEERS = { 'date-fns': '2.30.0' };

/** An n8n with its editor, installed into the user's cache folder unless it is there. @param version `1.123`, or in full */
export async function ensureN8n(
	version = process.env.LINKSTORE_N8N ?? PINNED.n8n,
): Promise<N8nInstall> {
	const wanted = findVersion(version);
	const { n8n, host } = wanted;
	if (host === undefined) throw new Error(`Of n8n ${n8n}, only the engine is tested`);
	const { node, overrides } = host;
	const files =
		wanted === PINNED
			? await ownFiles('package.json', 'package-lock.json', '.npmrc')
			: { ...manifest({ ...PEERS, n8n, node }, overrides), ...(await ownFiles('.npmrc')) };
	const what = `n8n ${n8n}`;
	const cost = '3 to 6 minutes and 2.4 GB, and for a while 4 GB';
	const folder = await ensureInstalled({ name: 'n8n', what, files, cost, steps: HOST_STEPS });
	const modules = join(folder, 'node_modules');
	return { folder, node: join(modules, 'node/bin/node'), script: join(modules, 'n8n/bin/n8n') };
}

/** The engine of an n8n alone, n8n-core and n8n-workflow. @returns the folder whose `node_modules` has it */
export async function ensureEngine({ n8n, engine }: Engine): Promise<string> {
	return await ensureInstalled({
		name: 'engine',
		what: `the engine of n8n ${n8n}`,
		files: { ...manifest(engine), ...(await ownFiles('.npmrc')) },
		cost: 'half a minute and 0.3 GB',
		steps: [['npm', 'install']],
	});
}

/** What npm reads, by file name. */
type Files = Record<string, string>;

function manifest(dependencies: Record<string, string>, overrides: object = {}): Files {
	return { 'package.json': JSON.stringify({ private: true, dependencies, overrides }, null, 2) };
}

/** The files of that name beside this one. */
async function ownFiles(...names: string[]): Promise<Files> {
	const source = join(projectRoot(), 'test', 'n8n-host');
	const read = async (name: string) => [name, await readFile(join(source, name), 'utf8')] as const;
	return Object.fromEntries(await Promise.all(names.map(read)));
}

/** What npm installs into a folder of its own. */
interface Package {
	/** The folder's name begins with it */
	name: string;
	/** As people call it */
	what: string;
	files: Files;
	/** How much time and disk space it usually takes, in words */
	cost: string;
	/** Words of the commands, one after another */
	steps: Step[];
}

const QUIET = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=warn'];

/** Its folder in the user's cache folder gets its name in one rename at the very end, so a folder of that name is whole. */
async function ensureInstalled({ name, what, files, cost, steps }: Package): Promise<string> {
	const exact = files['package-lock.json'] ?? files['package.json'] ?? '';
	const hash = createHash('sha256').update(exact).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `${name}-${hash}`);
	if (existsSync(folder)) return folder;

	process.stderr.write(`Installing ${what} into ${folder}, once. This usually takes ${cost}.\n`);
	const partial = `${folder}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial, { recursive: true });
	try {
		for (const [file, content] of Object.entries(files)) {
			await writeFile(join(partial, file), content);
		}
		for (const step of steps) await run(step, partial);
		await rename(partial, folder);
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
	return folder;
}

/** Runs a step to its end; what it says goes to stderr. */
async function run([command, ...args]: Step, cwd: string): Promise<void> {
	const npm = npmCommand();
	const [program, all] =
		command === 'npm' ? [npm.command, [...npm.args, ...args, ...QUIET]] : [command, args];
	// A Node.js among what is installed comes first.
	const PATH = [join(cwd, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
	const env = { ...process.env, PATH };
	const stdio = ['ignore' as const, process.stderr, process.stderr];
	const child = spawn(program, all, { cwd, stdio, env });
	await once(child, 'close');
	if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`);
}
