import { execFile } from 'node:child_process';
import { readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import { create } from 'tar';

import { isRecord, list, record, text } from '../n8n-host/json.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { N8nInstall } from '../n8n-host/install.ts';

const execFileAsync = promisify(execFile);

/** Some nodes with their credentials. */
export interface NodeFiles {
	name: string;
	operations: number;
	folder: string;
	/** All that is published of them, below the folder */
	files: string[];
	/** Those of the files that hold the classes of nodes and credentials */
	classes: string[];
}

/** A package that was unpacked into a folder. */
export async function packageIn(folder: string, operations: number): Promise<NodeFiles> {
	const manifest = record(await readJson(join(folder, 'package.json')));
	const { nodes, credentials } = record(manifest.n8n);
	return {
		name: text(manifest.name, 'name'),
		operations,
		folder,
		files: await filesBelow(folder, folder),
		classes: [...list(nodes), ...list(credentials)].map(String),
	};
}

/**
 * The nodes of n8n's own package whose number of operations is nearest to that, each with its trigger and credentials and
 * without source maps, of which ours has none. Nodes that keep older versions of themselves are left out.
 */
export async function nearestNodes(
	{ folder: n8nFolder }: N8nInstall,
	operations: number,
	count: number,
): Promise<NodeFiles[]> {
	const folder = join(n8nFolder, 'node_modules', 'n8n-nodes-base');
	const types = list(await readJson(join(folder, 'dist', 'types', 'nodes.json'))).map(record);
	const nodes = record(await readJson(join(folder, 'dist', 'known', 'nodes.json')));
	const credentials = record(await readJson(join(folder, 'dist', 'known', 'credentials.json')));

	const hasOneVersion = ({ name }: JsonRecord) =>
		types.filter((type) => type.name === name).length === 1;
	const distance = (type: JsonRecord) => Math.abs(operationsOf(type) - operations);
	const byDistance = (a: JsonRecord, b: JsonRecord) =>
		distance(a) - distance(b) || String(a.name).localeCompare(String(b.name));
	const nearest = types.filter(hasOneVersion).sort(byDistance).slice(0, count);
	return await Promise.all(
		nearest.map(async (type) => {
			const own = dirname(sourceOf(nodes, String(type.name)));
			const inFolder = Object.keys(nodes).map((name) => sourceOf(nodes, name));
			const needed = list(type.credentials).map((entry) =>
				sourceOf(credentials, String(record(entry).name)),
			);
			const files = await filesBelow(folder, join(folder, own));
			return {
				name: String(type.displayName),
				operations: operationsOf(type),
				folder,
				files: [...files.filter((file) => !file.endsWith('.map')), ...needed],
				classes: [...inFolder.filter((file) => dirname(file) === own), ...needed],
			};
		}),
	);
}

/** Bytes of the files, unpacked and packed as npm packs them. */
export async function sizesOf(
	{ folder, files }: NodeFiles,
	scratch: string,
): Promise<{ bytes: number; packedBytes: number }> {
	const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
	const tarball = join(scratch, 'packed.tgz');
	await create({ gzip: true, portable: true, cwd: folder, file: tarball }, files);
	return {
		bytes: sizes.reduce((sum, size) => sum + size, 0),
		packedBytes: (await stat(tarball)).size,
	};
}

/** Loads the classes, and makes one of each, as n8n does when it starts. What n8n itself needs is there already. */
const LOAD = `
	require('n8n-workflow');
	require('n8n-core');
	const started = performance.now();
	for (const file of process.argv.slice(1)) {
		for (const exported of Object.values(require(file))) {
			if (/^class\\b/.test(String(exported))) new exported();
		}
	}
	console.log(performance.now() - started);
`;

/** Milliseconds that a new process takes to load the classes. */
export async function loadTime(
	{ node, folder: n8nFolder }: N8nInstall,
	{ folder, classes }: NodeFiles,
): Promise<number> {
	const files = classes.map((file) => join(folder, file));
	const { stdout } = await execFileAsync(node, ['-e', LOAD, ...files], {
		cwd: n8nFolder,
		// So that ours, which stands elsewhere, finds n8n's packages, too.
		env: { NODE_PATH: join(n8nFolder, 'node_modules') },
	});
	return Number(stdout);
}

/** The choices of all its operation dropdowns, but for the one that n8n adds itself. */
function operationsOf({ properties }: JsonRecord): number {
	return list(properties)
		.map(record)
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => list(options).filter(isRecord))
		.filter(({ value }) => value !== '__CUSTOM_API_CALL__').length;
}

function sourceOf(known: JsonRecord, name: string): string {
	return text(record(known[name]).sourcePath, `source of ${name}`);
}

async function filesBelow(folder: string, start: string): Promise<string[]> {
	const entries = await readdir(start, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function readJson(file: string): Promise<unknown> {
	return JSON.parse(await readFile(file, 'utf8'));
}
