import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { extract } from 'tar';

import type { NodeTypeSummary } from './client.ts';
import type { JsonRecord } from './json.ts';
import { list, optionalText, record, text, texts } from './json.ts';
import { PACKAGE_NAME, npmCommand, projectRoot } from './project.ts';

const execFileAsync = promisify(execFile);

/** Opening the list of community packages asks npm for updates; offline that should fail at once. */
const NPMRC = 'fetch-retries=0\nfetch-timeout=5000\n';

/** A moment as n8n writes it in SQLite. */
const NOW = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

/** Runs a script of this package's package.json. @throws Error with the script's output when it fails */
export async function runScript(name: string, signal?: AbortSignal): Promise<void> {
	await npm(['run', name], signal);
}

/**
 * Makes the tarball that would be published from the built package.
 *
 * @param folder where to put it
 * @returns the tarball's path
 */
export async function packPackage(folder: string, signal?: AbortSignal): Promise<string> {
	await mkdir(folder, { recursive: true });
	const output = await npm(
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		signal,
	);
	const packed: unknown = JSON.parse(output);
	const [tarball] = list(packed).map((entry) => text(record(entry).filename, 'filename'));
	if (tarball === undefined) throw new Error(`npm pack named no tarball: ${output}`);
	return join(folder, tarball);
}

async function npm(args: string[], signal: AbortSignal | undefined): Promise<string> {
	const { command, args: first } = npmCommand();
	try {
		const { stdout } = await execFileAsync(command, [...first, ...args], {
			cwd: projectRoot(),
			maxBuffer: 64 * 1024 * 1024,
			...(signal === undefined ? {} : { signal }),
		});
		return stdout;
	} catch (error) {
		signal?.throwIfAborted();
		throw new Error(`npm ${args.join(' ')} failed:\n${outputOf(error)}`, { cause: error });
	}
}

/** What a failed child process has said. */
function outputOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const said = ['stdout' in error ? error.stdout : '', 'stderr' in error ? error.stderr : ''];
	return said.map(optionalText).join('\n').trim() || error.message;
}

/**
 * Puts a packed package where n8n keeps its community packages, in the way n8n itself does it after a download:
 * unpacked into `node_modules`, without development and peer dependencies, and entered in the folder's package.json.
 * n8n must not be running.
 */
export async function installCommunityPackage(
	userFolder: string,
	tarball: string,
): Promise<Record<'name' | 'version', string>> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const target = join(nodesFolder, 'node_modules', PACKAGE_NAME);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	await writeFile(join(nodesFolder, '.npmrc'), NPMRC);
	await extract({ file: tarball, cwd: target, strip: 1 });

	const file = join(target, 'package.json');
	const { devDependencies: _ours, peerDependencies: _its, ...manifest } = await readJson(file);
	await writeFile(file, JSON.stringify(manifest));
	const { name, version } = texts(manifest, 'name', 'version');
	// n8n's own record of what it keeps in the folder.
	const ledgerFile = join(nodesFolder, 'package.json');
	const ledger: JsonRecord = {
		...{ name: 'installed-nodes', private: true },
		...(await readJson(ledgerFile)),
	};
	const dependencies = { ...record(ledger.dependencies), [name]: version };
	await writeFile(ledgerFile, JSON.stringify({ ...ledger, dependencies }));
	return { name, version };
}

/** What is in that file; an empty record where there is none. */
async function readJson(file: string): Promise<JsonRecord> {
	return record(JSON.parse(existsSync(file) ? await readFile(file, 'utf8') : '{}'));
}

/**
 * Lists the package under *Settings > Community nodes*. n8n loads whatever stands in its folder, but it lists only what
 * its database says was installed through the editor, which needs a registry. This writes what that would have.
 * n8n must have started once, so that its tables exist; it may be running.
 *
 * @param nodes the package's node types as n8n has loaded them
 */
export function listCommunityPackage(
	userFolder: string,
	{ name, version, nodes }: { name: string; version: string; nodes: NodeTypeSummary[] },
): void {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		timeout: 10_000,
	});
	try {
		database.exec('BEGIN IMMEDIATE');
		database.prepare('DELETE FROM installed_nodes WHERE package = ?').run(name);
		database
			.prepare(
				`INSERT INTO installed_packages ("packageName", "installedVersion", "createdAt", "updatedAt")
				VALUES (:name, :version, ${NOW}, ${NOW})
				ON CONFLICT ("packageName") DO UPDATE
				SET "installedVersion" = excluded."installedVersion", "updatedAt" = excluded."updatedAt"`,
			)
			.run({ name, version });
		const insertNode = database.prepare(
			'INSERT INTO installed_nodes (name, type, "latestVersion", package) VALUES (?, ?, ?, ?)',
		);
		for (const node of nodes) insertNode.run(node.displayName, node.name, node.version, name);
		database.exec('COMMIT');
	} finally {
		database.close();
	}
}

/** A folder for one run, under the system's temporary folder. The caller removes it. */
export async function temporaryFolder(purpose: string): Promise<string> {
	return await mkdtemp(join(tmpdir(), `n8n-nodes-linkstore-${purpose}-`));
}
