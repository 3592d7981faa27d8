/**
 * Runs the tests of the engine with the oldest n8n that the nodes support. That is installed first, unless it is there.
 *
 *     node test/n8n-host/older/run.ts [options of Jest]
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { npmCommand, projectRoot, userFolder } from '../project.ts';

const FILES = ['package.json', 'package-lock.json', '.npmrc'];
const source = join(projectRoot(), 'test', 'n8n-host', 'older');

/** The folder of the older n8n. Its name is given in one rename at the end, so whatever carries it is whole. */
async function ensureOlderN8n(): Promise<string> {
	const lockFile = await readFile(join(source, 'package-lock.json'));
	const hash = createHash('sha256').update(lockFile).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `n8n-older-${hash}`);
	if (existsSync(folder)) return folder;
	console.error(`Installing an older n8n's engine into ${folder}, once; half a minute, 0.3 GB ...`);
	const partial = `${folder}.partial-${randomUUID().slice(0, 8)}`;
	try {
		await mkdir(partial, { recursive: true });
		for (const name of FILES) await copyFile(join(source, name), join(partial, name));
		const { command, args } = npmCommand();
		run(command, [...args, 'install', '--no-audit', '--no-fund', '--loglevel=error'], partial);
		await rename(partial, folder);
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): void {
	const { status } = spawnSync(command, args, {
		cwd,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

try {
	const folder = await ensureOlderN8n();
	const jest = join(projectRoot(), 'node_modules', 'jest', 'bin', 'jest.js');
	const config = join(source, 'jest.config.cjs');
	run(
		process.execPath,
		[jest, '--config', config, ...process.argv.slice(2)],
		projectRoot(),
		// What it depends on are ES modules in part, which Jest loads with that flag only.
		{ LINKSTORE_OLDER_N8N: folder, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
	);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
