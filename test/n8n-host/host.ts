import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import type { N8nInstall } from './install.ts';
import { ensureN8n } from './install.ts';
import { until } from './until.ts';

export interface N8nHostOptions {
	/** n8n keeps its database, its encryption key and its community packages in `.n8n` in here */
	userFolder: string;
	/** What to run: the editor with everything behind it, or a worker of a queue. Default: `start` */
	command?: 'start' | 'worker';
	/** Port of the editor and the REST API, on loopback; of a worker, that of its health check */
	port: number;
	/** Port on which n8n and its own task runner meet, on loopback */
	brokerPort: number;
	/** Added to n8n's environment, over everything set here */
	env?: Record<string, string>;
	/** File that n8n's output is added to; `n8n.log` in the user folder by default */
	log?: string;
	/** Default: what the environment says in LINKSTORE_N8N, else the pinned one */
	install?: N8nInstall;
	signal?: AbortSignal;
}

export interface N8nHost {
	url: string;
	userFolder: string;
	logFile: string;
	/** Settles when the process is gone, for whatever reason. */
	exited: Promise<void>;
	/** Asks n8n to end, as a service manager would, and insists after a while. */
	stop: () => Promise<void>;
	/** Ends n8n and its task runner at once, as a crash would. */
	kill: () => Promise<void>;
}

const READY_TIMEOUT_MS = 180_000;
const LOG_LINES_SHOWN = 25;
/** What answers when all of n8n is ready: the readiness endpoint does so before all of the REST API does. */
const READY_PATHS = {
	start: ['/healthz/readiness', '/rest/settings'],
	worker: ['/healthz/readiness'],
} as const;
/** n8n gives running executions this long when it is asked to end. */
const SHUTDOWN_SECONDS = 10;
const STOP_TIMEOUT_MS = (SHUTDOWN_SECONDS + 5) * 1000;

/**
 * Starts n8n and waits until it answers.
 *
 * @throws Error with the end of n8n's log when it does not get ready, for example because a port is taken
 */
export async function startN8n(options: N8nHostOptions): Promise<N8nHost> {
	const { userFolder, port, signal } = options;
	const install = options.install ?? (await ensureN8n({ signal }));
	const logFile = options.log ?? join(userFolder, 'n8n.log');
	mkdirSync(userFolder, { recursive: true });
	mkdirSync(dirname(logFile), { recursive: true });

	signal?.throwIfAborted();
	const child = spawnN8n(install, options, logFile);
	const host = hostOf(child, { url: `http://127.0.0.1:${port}`, userFolder, logFile });
	try {
		await untilReady(host, READY_PATHS[options.command ?? 'start'], signal);
	} catch (error) {
		await host.kill();
		throw error;
	}
	return host;
}

function spawnN8n(install: N8nInstall, options: N8nHostOptions, logFile: string): ChildProcess {
	const log = openSync(logFile, 'a');
	try {
		return spawn(install.node, [install.script, options.command ?? 'start'], {
			cwd: options.userFolder,
			stdio: ['ignore', log, log],
			// A group of its own: Ctrl-C in a terminal then reaches only us, who end n8n in order, and the task
			// runner that n8n starts can be ended together with it.
			detached: true,
			env: { ...inheritedEnv(), ...n8nEnv(install, options), ...options.env },
		});
	} finally {
		closeSync(log);
	}
}

/** What n8n may see of our environment: nothing that npm or another n8n has left in it. */
function inheritedEnv(): Record<string, string> {
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(process.env)) {
		const foreign = /^(n8n|npm|db|node|executions|queue|jest)_/i.test(name);
		if (value !== undefined && !foreign) env[name] = value;
	}
	return env;
}

function n8nEnv(install: N8nInstall, options: N8nHostOptions): Record<string, string> {
	return {
		// n8n starts its task runner as `node`, and lists updates of community packages with `npm`.
		PATH: `${dirname(install.node)}${delimiter}${process.env.PATH ?? ''}`,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		...(options.command === 'worker' ? workerEnv(options) : {}),
		// Later versions know no other way to run code.
		N8N_RUNNERS_ENABLED: 'true',
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(SHUTDOWN_SECONDS),
		GENERIC_TIMEZONE: 'UTC',
		// Nothing here needs the internet, and nothing should be told to it.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	};
}

/** A worker serves nothing but its health check. */
function workerEnv({ port }: N8nHostOptions): Record<string, string> {
	return {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
}

function hostOf(
	child: ChildProcess,
	about: { url: string; userFolder: string; logFile: string },
): N8nHost {
	const exited = new Promise<void>((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
	const killGroup = () => {
		if (child.pid === undefined) return;
		try {
			process.kill(-child.pid, 'SIGKILL');
		} catch {
			// Nobody of the group is left, which is what was wanted.
		}
	};
	// Should this process end without stopping n8n, n8n must not outlive it.
	process.once('exit', killGroup);
	const kill = async () => {
		killGroup();
		await exited;
		process.removeListener('exit', killGroup);
	};
	const stop = async () => {
		child.kill('SIGTERM');
		await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
		// n8n ends its task runner itself; whatever is left of the group now has no master.
		await kill();
	};
	return { ...about, exited, stop, kill };
}

async function untilReady(
	{ url, logFile, exited }: N8nHost,
	paths: readonly string[],
	signal: AbortSignal | undefined,
): Promise<void> {
	let isGone = false;
	void exited.then(() => (isGone = true));
	const look = async () => {
		signal?.throwIfAborted();
		if (isGone) throw new Error('n8n ended while it was starting');
		return (await Promise.all(paths.map(async (path) => await isReady(url + path)))).every(Boolean);
	};
	await until(look, 'n8n to get ready', READY_TIMEOUT_MS).catch(async (error: unknown) => {
		signal?.throwIfAborted();
		const log = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
		throw new Error(`${String(error)}. The end of ${logFile}:\n  ${log.join('\n  ')}`);
	});
}

async function isReady(url: string): Promise<boolean> {
	const { status, data } = await axios
		.get<unknown>(url, { timeout: 5000, validateStatus: () => true, proxy: false })
		.catch(() => ({ status: 0, data: undefined }));
	return status === 200 && typeof data === 'object';
}
