import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { extract } from 'tar';

import { packPackage } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { PACKAGE_NAME, projectRoot } from '../n8n-host/project.ts';

export interface Unpacked {
	tarball: string;
	/** The package's folder. Among all modules, only n8n-workflow can be found from there. */
	folder: string;
}

/** Packs the built package, and unpacks it as npm installs it. */
export async function packAndUnpack(into: string): Promise<Unpacked> {
	const tarball = await packPackage(into);
	const modules = join(into, 'node_modules');
	const folder = join(modules, PACKAGE_NAME);
	await unpack(tarball, folder);
	const peer = 'n8n-workflow';
	await symlink(join(projectRoot(), 'node_modules', peer), join(modules, peer));
	return { tarball, folder };
}

export async function unpack(tarball: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
}

/** The package.json in that folder. */
export async function readManifest(folder: string): Promise<JsonRecord> {
	return record(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}
