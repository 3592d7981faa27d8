import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { extract } from 'tar';

import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';

export async function unpack(tarball: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
}

/** The package.json in that folder. */
export async function readManifest(folder: string): Promise<JsonRecord> {
	return record(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}

export interface Ended {
	status: number | null;
	stdout: string;
	stderr: string;
}

/** Runs a program to its end, with no more of the environment than programs need. */
export function run(
	command: string,
	args: string[],
	{ cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Ended {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
		cwd,
		// Jest's NODE_ENV, for one, switches a plugin of the scan into a mode for its own tests.
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
	});
	if (error !== undefined) throw error;
	return { status, stdout, stderr };
}
