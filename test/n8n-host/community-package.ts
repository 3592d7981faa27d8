import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import type { JsonRecord } from './json.ts';
import { list, record, text, texts } from './json.ts';
import { npmCommand, projectRoot } from './project.ts';

const execFileAsync = promisify(execFile);

/** Opening the list of community packages asks npm for updates; offline that should fail at once. */
const NPMRC = 'fetch-retries=0\nfetch-timeout=5000\n';

/** The folders below `packages`: each has the package.json of a package with one of the services. */
export type ServicePackage = 'links' | 'store';

/** Makes the tarball that would be published. @param service default: both @returns its path */
export async function packPackage(folder: string, service?: ServicePackage): Promise<string> {
	const root = projectRoot();
	if (service !== undefined) {
		const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
		const fill = [gulp, 'package', '--silent', '--service', service];
		await execFileAsync(process.execPath, fill, { cwd: root });
	}
	const cwd = service === undefined ? root : join(root, 'packages', service);
	const { command, args } = npmCommand();
	const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await execFileAsync(command, [...args, ...words], { cwd });
	const [packed] = list(JSON.parse(stdout));
	return join(folder, text(record(packed).filename, 'the name of the tarball'));
}

/** Unpacks a tarball of npm, which has everything in one folder, into that folder. */
export async function unpack(tarball: string, folder: string): Promise<void> {
	await execFileAsync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/**
 * Puts a packed package where n8n keeps its community packages, in the way n8n itself does it after a download:
 * unpacked into `node_modules`, without development and peer dependencies, and entered in the folder's package.json.
 * n8n must not be running.
 *
 * @returns its name
 */
export async function installCommunityPackage(
	userFolder: string,
	tarball: string,
): Promise<string> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const packageName = basename(tarball).replace(/-\d.*$/, '');
	const target = join(nodesFolder, 'node_modules', packageName);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	await writeFile(join(nodesFolder, '.npmrc'), NPMRC);
	await unpack(tarball, target);

	const file = join(target, 'package.json');
	const { devDependencies: _ours, peerDependencies: _its, ...manifest } = await readJson(file);
	await writeFile(file, JSON.stringify(manifest));
	const { name, version } = texts(manifest, 'name', 'version');
	// n8n's own record of what it keeps in the folder.
	const installedFile = join(nodesFolder, 'package.json');
	const installed: JsonRecord = {
		name: 'installed-nodes',
		private: true,
		...(await readJson(installedFile)),
	};
	const dependencies = { ...record(installed.dependencies), [name]: version };
	await writeFile(installedFile, JSON.stringify({ ...installed, dependencies }));
	return name;
}

/** What is in that file; an empty record where there is none. */
async function readJson(file: string): Promise<JsonRecord> {
	return record(JSON.parse(existsSync(file) ? await readFile(file, 'utf8') : '{}'));
}

/** A folder for one run, under the system's temporary folder. The caller removes it. */
export async function temporaryFolder(purpose: string): Promise<string> {
	return await mkdtemp(join(tmpdir(), `n8n-nodes-linkstore-${purpose}-`));
}

/** Removes a folder with all in it, also when a process that is just ending still writes into it. */
export async function removeFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
