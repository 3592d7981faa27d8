import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

import { npmCommand, userFolder } from './project.ts';

/** What npm installs into a folder of its own. */
export interface Package {
	/** The folder's name begins with it */
	name: string;
	/** As people call it */
	what: string;
	/** What npm reads, by file name: `package.json`, `.npmrc`, perhaps `package-lock.json` */
	files: Record<string, string>;
	/** How much time and disk space it usually takes, in words */
	cost: string;
	/** Words of the commands, one after another */
	steps: Step[];
}

export type Step = readonly [command: 'npm' | 'node', ...args: string[]];

const QUIET = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=warn'];
/** No installation takes so long, so what is older was left by a process that was killed. */
const ABANDONED_MS = 3_600_000;

/**
 * The folder into which the package is installed, in the user's cache folder. It is installed unless it is there.
 *
 * The folder gets its name in one rename at the very end, so whatever carries the name is whole. Of two processes that
 * install at the same time, the faster one's folder stays.
 *
 * @param signal ends a running installation
 * @throws Error when the installation fails; npm has then said why on stderr
 */
export async function ensureInstalled(wanted: Package, signal?: AbortSignal): Promise<string> {
	const exact = wanted.files['package-lock.json'] ?? wanted.files['package.json'] ?? '';
	const hash = createHash('sha256').update(exact).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `${wanted.name}-${hash}`);
	if (existsSync(folder)) return folder;

	await mkdir(dirname(folder), { recursive: true });
	await removeAbandoned(folder);
	process.stderr.write(
		`Installing ${wanted.what} into ${folder}, once. This usually takes ${wanted.cost}.\n`,
	);
	const partial = await mkdtemp(`${folder}.partial-`);
	try {
		for (const [name, content] of Object.entries(wanted.files)) {
			await writeFile(join(partial, name), content);
		}
		for (const step of wanted.steps) await run(step, partial, signal);
		await rename(partial, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
	return folder;
}

async function removeAbandoned(folder: string): Promise<void> {
	for (const name of await readdir(dirname(folder))) {
		if (!name.startsWith(`${basename(folder)}.partial-`)) continue;
		const path = join(dirname(folder), name);
		const { birthtimeMs } = await stat(path);
		if (Date.now() - birthtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
	}
}

/** Runs a step to its end; what it says goes to stderr. */
async function run([command, ...args]: Step, cwd: string, signal?: AbortSignal): Promise<void> {
	const npm = npmCommand();
	const [program, all] =
		command === 'npm' ? [npm.command, [...npm.args, ...args, ...QUIET]] : [command, args];
	// A Node.js among what is installed comes first.
	const path = [join(cwd, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
	const child = spawn(program, all, {
		cwd,
		stdio: ['ignore', process.stderr, process.stderr],
		env: { ...process.env, PATH: path },
		signal,
	});
	await once(child, 'close');
	if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`);
}
