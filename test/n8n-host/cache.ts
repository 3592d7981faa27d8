import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import {
	mkdir,
	open,
	readFile,
	readdir,
	rename,
	rm,
	stat,
	statfs,
	unlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { npmCommand, userFolder } from './project.ts';

export interface InstallOptions {
	/** Told what happens, one line at a time; prints to stderr by default */
	report?: (line: string) => void;
	/** Ends a running installation */
	signal?: AbortSignal;
}

/** What npm installs into a folder of its own. */
export interface Package {
	/** The folder's name begins with it */
	name: string;
	/** As people call it */
	what: string;
	/** What npm reads, by file name: `package.json`, `.npmrc`, perhaps `package-lock.json` */
	files: Record<string, string>;
	/** Disk space needed, npm's own cache included */
	gigabytes: number;
	/** How long it usually takes, in words */
	duration: string;
	steps: Step[];
}

export interface Step {
	what: string;
	command: 'npm' | 'node';
	args: string[];
}

const BYTES_PER_GB = 1e9;
const QUIET = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=warn'];
const HEARTBEAT_MS = 15_000;
const LOG_LINES_SHOWN = 25;
/** What an installing process owns it touches this often, ... */
const TOUCH_MS = 5000;
/** ... and what was not touched for this long belongs to nobody. */
const ABANDONED_MS = 60_000;

/**
 * The folder into which the package is installed, in the user's cache folder. It is installed unless it is there.
 *
 * The folder gets its name in one rename at the very end, so whatever carries the name is whole; and only one
 * process at a time installs, others wait for it.
 *
 * @throws Error with the end of npm's log when the installation fails
 */
export async function ensureInstalled(
	wanted: Package,
	{ report = (line) => process.stderr.write(`${line}\n`), signal }: InstallOptions = {},
): Promise<string> {
	const exact = wanted.files['package-lock.json'] ?? wanted.files['package.json'] ?? '';
	const hash = createHash('sha256').update(exact).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `${wanted.name}-${hash}`);
	if (existsSync(folder)) return folder;

	await mkdir(dirname(folder), { recursive: true });
	const release = await takeTurn(folder, report, signal);
	try {
		if (!existsSync(folder)) await installInto(folder, wanted, report, signal);
	} finally {
		await release();
	}
	return folder;
}

async function installInto(
	folder: string,
	wanted: Package,
	report: (line: string) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	await assertDiskSpace(dirname(folder), wanted);
	await removeLeftovers(folder);
	const partial = `${folder}.partial-${randomUUID().slice(0, 8)}`;
	const logFile = `${folder}.log`;
	report(`Installing ${wanted.what} into ${folder}, once.`);
	report(`This usually takes ${wanted.duration}; later starts use what is there.`);
	const started = Date.now();
	const timer = setInterval(() => void touch(partial), TOUCH_MS);
	try {
		await mkdir(partial);
		for (const [name, content] of Object.entries(wanted.files)) {
			await writeFile(join(partial, name), content);
		}
		await rm(logFile, { force: true });
		for (const step of wanted.steps) {
			await withHeartbeat(step.what, partial, report, async () => {
				await run(step, { folder: partial, logFile, signal });
			});
		}
		await rename(partial, folder);
		await rm(logFile, { force: true });
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		if (signal?.aborted) await rm(logFile, { force: true });
		// Another machine sharing this cache folder may have been faster.
		if (existsSync(folder)) return;
		throw error;
	} finally {
		clearInterval(timer);
	}
	report(`${wanted.what} is installed, after ${seconds(started)} s.`);
}

async function assertDiskSpace(folder: string, { what, gigabytes }: Package): Promise<void> {
	const free = (await freeBytes(folder)) / BYTES_PER_GB;
	if (free >= gigabytes) return;
	throw new Error(
		`${what} needs about ${gigabytes} GB of disk space, and ${folder} has ` +
			`${free.toFixed(1)} GB free. ` +
			'Free some, or set XDG_CACHE_HOME to a folder on another disk.',
	);
}

/** Half installs of processes that were killed. Called only while holding the turn. */
async function removeLeftovers(folder: string): Promise<void> {
	const parent = dirname(folder);
	for (const name of await readdir(parent)) {
		const path = join(parent, name);
		if (name.startsWith(`${basename(folder)}.partial-`) && (await isAbandoned(path))) {
			await rm(path, { recursive: true, force: true });
		}
	}
}

interface RunOptions {
	folder: string;
	logFile: string;
	signal: AbortSignal | undefined;
}

/**
 * Runs a step to its end, with its output in the log file, and in a process group of its own, so that ending it ends its
 * children.
 */
async function run({ what, command, args }: Step, options: RunOptions): Promise<void> {
	const { folder, logFile, signal } = options;
	signal?.throwIfAborted();
	const npm = npmCommand();
	const [program, all] =
		command === 'npm' ? [npm.command, [...npm.args, ...args, ...QUIET]] : [command, args];
	// A Node.js among what is installed comes first.
	const path = [join(folder, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
	const log = openSync(logFile, 'a');
	try {
		const child = spawn(program, all, {
			cwd: folder,
			stdio: ['ignore', log, log],
			detached: true,
			env: { ...process.env, PATH: path },
		});
		const end = () => {
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		};
		signal?.addEventListener('abort', end, { once: true });
		try {
			const code = await new Promise<number | null>((resolve, reject) => {
				child.once('error', reject);
				child.once('close', resolve);
			});
			signal?.throwIfAborted();
			if (code !== 0) {
				throw new Error(
					`${what} failed (${command} ${args.join(' ')}, exit code ${code}). The end of ${logFile}:\n` +
						(await lastLines(logFile)),
				);
			}
		} finally {
			signal?.removeEventListener('abort', end);
		}
	} finally {
		closeSync(log);
	}
}

/** The end of a log file, indented; empty when there is none. */
export async function lastLines(file: string, count = LOG_LINES_SHOWN): Promise<string> {
	const content = await readFile(file, 'utf8').catch(() => '');
	return content
		.trimEnd()
		.split('\n')
		.slice(-count)
		.map((line) => `  ${line}`)
		.join('\n');
}

/** Says every few seconds that the work still goes on, and how much has been written so far. */
async function withHeartbeat(
	what: string,
	folder: string,
	report: (line: string) => void,
	work: () => Promise<void>,
): Promise<void> {
	const started = Date.now();
	report(`  ${what} ...`);
	const before = await freeBytes(folder);
	const timer = setInterval(() => {
		void freeBytes(folder).then((now) => {
			const megabytes = Math.max(0, Math.round((before - now) / 1e6));
			report(`  ${what}: ${seconds(started)} s, about ${megabytes} MB written`);
		});
	}, HEARTBEAT_MS);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	report(`  ${what}: done in ${seconds(started)} s`);
}

/** Measuring the folder itself would read 100,000 files every time; the disk's free space costs nothing. */
async function freeBytes(folder: string): Promise<number> {
	const { bavail, bsize } = await statfs(folder);
	return bavail * bsize;
}

function seconds(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}

/**
 * Waits until no other process installs into `folder`. The turn is a file that its holder keeps touching, so that
 * one left behind by a killed process, or by a container that is gone, soon counts for nothing.
 *
 * @returns a function that ends the turn
 */
async function takeTurn(
	folder: string,
	report: (line: string) => void,
	signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
	const turn = `${folder}.lock`;
	const waitingSince = Date.now();
	let lastReport = 0;
	for (;;) {
		signal?.throwIfAborted();
		if (await createdByUs(turn)) {
			const timer = setInterval(() => void touch(turn), TOUCH_MS);
			return async () => {
				clearInterval(timer);
				await unlink(turn).catch(() => undefined);
			};
		}
		if (await isAbandoned(turn)) {
			await unlink(turn).catch(() => undefined);
			continue;
		}
		if (Date.now() - lastReport > HEARTBEAT_MS) {
			lastReport = Date.now();
			report(`Another process is installing it; waiting for that one, ${seconds(waitingSince)} s.`);
		}
		await sleep(1000, undefined, signal === undefined ? {} : { signal });
	}
}

async function createdByUs(file: string): Promise<boolean> {
	try {
		await (await open(file, 'wx')).close();
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

async function touch(path: string): Promise<void> {
	const now = new Date();
	await utimes(path, now, now).catch(() => undefined);
}

/** Whether whoever made this no longer touches it. */
async function isAbandoned(path: string): Promise<boolean> {
	const age = await stat(path).then(
		({ mtimeMs }) => Date.now() - mtimeMs,
		() => 0,
	);
	return age > ABANDONED_MS;
}
