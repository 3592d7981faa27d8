import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { list, record, text } from './json.ts';

const execFileAsync = promisify(execFile);

/** Where n8n keeps its community packages. */
const packagesFolder = (userFolder: string): string => join(userFolder, '.n8n', 'nodes');

/** Where this package is, once it is installed. */
export const installedPackage = (userFolder: string): string =>
	join(packagesFolder(userFolder), 'node_modules', 'n8n-nodes-linkstore');

/** Puts the tarball that would be published where n8n keeps its community packages. n8n must not be running. */
export async function installPackage(userFolder: string): Promise<void> {
	const folder = packagesFolder(userFolder);
	await mkdir(folder, { recursive: true });
	const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', userFolder];
	const [packed] = list(JSON.parse((await execFileAsync('npm', packing)).stdout));
	const tarball = join(userFolder, text(record(packed).filename, 'the name of the tarball'));
	// As n8n does it, without n8n itself, which is a peer dependency.
	const options = ['--offline', '--legacy-peer-deps', '--no-package-lock', '--no-audit'];
	await execFileAsync('npm', ['install', tarball, '--prefix', folder, ...options]);
}

/** A folder for one run, under the system's temporary folder. The caller removes it. */
export async function temporaryFolder(purpose: string): Promise<string> {
	return await mkdtemp(join(tmpdir(), `n8n-nodes-linkstore-${purpose}-`));
}

/** Removes a folder with all in it, also when a process that is just ending still writes into it. */
export async function removeFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
