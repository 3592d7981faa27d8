import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import {
	copyFile,
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
} from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { npmCommand, projectRoot, userFolder } from './project.ts';

/** Where one whole, working n8n stands. */
export interface N8nInstall {
	folder: string;
	/** The Node.js that n8n needs */
	node: string;
	/** n8n's own entry script, to be run with `node` */
	script: string;
}

export interface InstallOptions {
	/** Told what happens, one line at a time; prints to stderr by default */
	report?: (line: string) => void;
	/** Ends a running installation */
	signal?: AbortSignal;
}

const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];
const BYTES_PER_GB = 1e9;
/** The installation is 2.4 GB, and npm's own cache grows beside it. */
const NEEDED_BYTES = 4 * BYTES_PER_GB;
const HEARTBEAT_MS = 15_000;
const LOG_LINES_SHOWN = 25;
/** What an installing process owns it touches this often, ... */
const TOUCH_MS = 5000;
/** ... and what was not touched for this long belongs to nobody. */
const ABANDONED_MS = 60_000;

/**
 * The pinned n8n, installed into the user's cache folder unless it is already there.
 *
 * The folder gets its name in one rename at the very end, so whatever carries the name is whole; and only one
 * process at a time installs, others wait for it.
 *
 * @throws Error with the end of npm's log when the installation fails
 */
export async function ensureN8n(options: InstallOptions = {}): Promise<N8nInstall> {
	const report = options.report ?? ((line: string) => process.stderr.write(`${line}\n`));
	const source = join(projectRoot(), 'test', 'n8n-host');
	const lockFile = await readFile(join(source, 'package-lock.json'));
	const hash = createHash('sha256').update(lockFile).digest('hex').slice(0, 12);
	const folder = join(userFolder('XDG_CACHE_HOME', '.cache'), `n8n-${hash}`);
	const install = installIn(folder);
	if (existsSync(folder)) return install;

	await mkdir(dirname(folder), { recursive: true });
	const release = await takeTurn(folder, report, options.signal);
	try {
		if (!existsSync(folder)) {
			await installInto(folder, source, report, options.signal);
		}
	} finally {
		await release();
	}
	return install;
}

function installIn(folder: string): N8nInstall {
	return {
		folder,
		node: join(folder, 'node_modules', 'node', 'bin', 'node'),
		script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

async function installInto(
	folder: string,
	source: string,
	report: (line: string) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	await assertDiskSpace(dirname(folder));
	await removeLeftovers(folder);
	const partial = `${folder}.partial-${randomUUID().slice(0, 8)}`;
	const logFile = `${folder}.log`;
	report(`Installing n8n into ${folder}, once.`);
	report('This usually takes 3 to 6 minutes and 2.4 GB; later starts use what is there.');
	const started = Date.now();
	const timer = setInterval(() => void touch(partial), TOUCH_MS);
	try {
		await mkdir(partial);
		for (const name of MANIFESTS) await copyFile(join(source, name), join(partial, name));
		await rm(logFile, { force: true });
		const steps: Array<{ what: string; args: string[] }> = [
			{ what: 'downloading n8n and its dependencies', args: ['install', '--ignore-scripts'] },
			// First its Node.js, so that the native modules are then built with and for that one.
			{ what: 'setting up its Node.js', args: ['rebuild', '--ignore-scripts=false', 'node'] },
			{
				what: 'building its native modules',
				args: ['rebuild', '--ignore-scripts=false', 'sqlite3', 'isolated-vm'],
			},
		];
		for (const { what, args } of steps) {
			await withHeartbeat(what, partial, report, async () => {
				await npm(args, { folder: partial, logFile, signal });
			});
		}
		await assertWorks(partial, logFile, signal);
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
	report(`n8n is installed, after ${seconds(started)} s.`);
}

async function assertDiskSpace(folder: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	if (bavail * bsize >= NEEDED_BYTES) return;
	throw new Error(
		`n8n needs about ${NEEDED_BYTES / BYTES_PER_GB} GB of disk space, and ${folder} has ` +
			`${((bavail * bsize) / BYTES_PER_GB).toFixed(1)} GB free. ` +
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

/** Runs npm with its output in the log file. */
async function npm(
	args: string[],
	{ folder, logFile, signal }: { folder: string; logFile: string; signal: AbortSignal | undefined },
): Promise<void> {
	const { command, args: first } = npmCommand();
	const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=warn'];
	const bin = join(folder, 'node_modules', '.bin');
	await run(command, [...first, ...args, ...quiet], {
		folder,
		logFile,
		signal,
		what: `npm ${args.join(' ')}`,
		env: { PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
	});
}

/** Loads the native modules with the installed Node.js: what cannot run must not be taken for an installation. */
async function assertWorks(
	folder: string,
	logFile: string,
	signal: AbortSignal | undefined,
): Promise<void> {
	const { node } = installIn(folder);
	await run(
		node,
		['-e', "require('sqlite3'); require('isolated-vm'); require.resolve('n8n/bin/n8n')"],
		{
			folder,
			logFile,
			signal,
			what: 'a first look at the installed n8n',
		},
	);
}

interface RunOptions {
	folder: string;
	logFile: string;
	signal: AbortSignal | undefined;
	what: string;
	env?: Record<string, string>;
}

/** Runs a command to its end, in a process group of its own, so that ending it ends its children. */
async function run(command: string, args: string[], options: RunOptions): Promise<void> {
	const { folder, logFile, signal, what } = options;
	signal?.throwIfAborted();
	const log = openSync(logFile, 'a');
	try {
		const child = spawn(command, args, {
			cwd: folder,
			stdio: ['ignore', log, log],
			detached: true,
			env: { ...process.env, ...options.env },
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
					`Installing n8n failed in ${what} (exit code ${code}). The end of ${logFile}:\n` +
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
			report(`Another process is installing n8n; waiting for it, ${seconds(waitingSince)} s.`);
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
