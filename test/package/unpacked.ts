import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { extract } from 'tar';

import { packPackage } from '../n8n-host/community-package.ts';
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
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
	const peer = 'n8n-workflow';
	await symlink(join(projectRoot(), 'node_modules', peer), join(modules, peer));
	return { tarball, folder };
}
