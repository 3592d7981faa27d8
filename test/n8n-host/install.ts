import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Step } from './cache.ts';
import { ensureInstalled } from './cache.ts';
import { projectRoot } from './project.ts';
import type { N8nVersion } from './versions.ts';
import { PINNED, findVersion } from './versions.ts';

/** Where one whole, working n8n stands. */
export interface N8nInstall {
	folder: string;
	/** The Node.js that n8n needs */
	node: string;
	/** n8n's own entry script, to be run with `node` */
	script: string;
}

/** Names the n8n to install and start, `1.123`, where nothing else says it. */
export const N8N_VARIABLE = 'LINKSTORE_N8N';

/** Loads the native modules: what cannot run must not be taken for an installation. */
const LOAD_NATIVE = "require('sqlite3'); require('isolated-vm'); require.resolve('n8n/bin/n8n')";

const HOST_STEPS: Step[] = [
	['npm', 'install', '--ignore-scripts'],
	// First its Node.js, so that the native modules are then built with and for that one.
	['npm', 'rebuild', '--ignore-scripts=false', 'node'],
	['npm', 'rebuild', '--ignore-scripts=false', 'sqlite3', 'isolated-vm'],
	['node', '-e', LOAD_NATIVE],
];

/**
 * An n8n with its editor, installed into the user's cache folder unless it is already there.
 *
 * @param options.version `1.123`, or in full; default: what the environment says in LINKSTORE_N8N, else the pinned one
 * @param options.signal ends a running installation
 * @throws Error when this version is not one of those that are installed whole, or cannot be installed
 */
export async function ensureN8n({
	version = process.env[N8N_VARIABLE] ?? PINNED.n8n,
	signal,
}: { version?: string; signal?: AbortSignal | undefined } = {}): Promise<N8nInstall> {
	const wanted = findVersion(version);
	const files = await hostFiles(wanted);
	const what = `n8n ${wanted.n8n}`;
	const cost = '3 to 6 minutes and 2.4 GB, and for a while 4 GB';
	const folder = await ensureInstalled(
		{ name: 'n8n', what, files, cost, steps: HOST_STEPS },
		signal,
	);
	return {
		folder,
		node: join(folder, 'node_modules', 'node', 'bin', 'node'),
		script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

async function hostFiles(wanted: N8nVersion): Promise<Record<string, string>> {
	const { n8n, host } = wanted;
	if (host === undefined) throw new Error(`Of n8n ${n8n}, only the engine is tested`);
	const { node, overrides } = host;
	return wanted === PINNED
		? await ownFiles(['package.json', 'package-lock.json', '.npmrc'])
		: { ...manifest({ n8n, node }, overrides), ...(await ownFiles(['.npmrc'])) };
}

/** The files of that name beside this one. */
async function ownFiles(names: string[]): Promise<Record<string, string>> {
	const source = join(projectRoot(), 'test', 'n8n-host');
	const read = async (name: string) => [name, await readFile(join(source, name), 'utf8')] as const;
	return Object.fromEntries(await Promise.all(names.map(read)));
}

/**
 * The engine of an n8n alone, n8n-core and n8n-workflow, installed into the user's cache folder unless it is already there.
 *
 * @returns the folder whose `node_modules` has it
 * @throws Error when it cannot be installed
 */
export async function ensureEngine({
	n8n,
	engine,
}: Pick<N8nVersion, 'n8n' | 'engine'>): Promise<string> {
	return await ensureInstalled({
		name: 'engine',
		what: `the engine of n8n ${n8n}`,
		files: { ...manifest(engine), ...(await ownFiles(['.npmrc'])) },
		cost: 'half a minute and 0.3 GB',
		steps: [['npm', 'install']],
	});
}

function manifest(
	dependencies: Record<string, string>,
	overrides: Record<string, string> = {},
): Record<'package.json', string> {
	const content = { private: true, dependencies, overrides };
	return { 'package.json': JSON.stringify(content, null, 2) };
}
