import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../loopback.ts';
import { ensureN8n } from './install.ts';
import { until } from './until.ts';

export interface N8nHostOptions {
	/** n8n keeps its database, its encryption key and its community packages in `.n8n` in here */
	userFolder: string;
	/** What to run: the editor with everything behind it, or a worker of a queue. Default: `start` */
	command?: 'start' | 'worker';
	/** Port of the editor and the REST API, on loopback. Default: a free one */
	port?: number;
	/** Added to n8n's environment, over everything set here */
	env?: Record<string, string>;
	/** File that n8n's output is added to */
	log: string;
	signal?: AbortSignal;
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

/** What n8n runs first: should this process end without stopping n8n, n8n and its task runner must not outlive it. */
const END_WITH_US =
	'data:text/javascript,process.on("disconnect",()=>process.kill(-process.pid,"SIGKILL"))';

/** Starts n8n and waits until it answers. @throws Error with the end of n8n's log when it does not */
export async function startN8n(options: N8nHostOptions) {
	const { userFolder, command = 'start', log: logFile, signal } = options;
	const { folder, node, script } = await ensureN8n();
	mkdirSync(dirname(logFile), { recursive: true });
	const port = options.port ?? (await freePort());
	const brokerPort = await freePort();

	signal?.throwIfAborted();
	const log = openSync(logFile, 'a');
	const child = spawn(node, ['--import', END_WITH_US, script, command], {
		cwd: userFolder,
		stdio: ['ignore', log, log, 'ipc'],
		// A group of its own: Ctrl-C in a terminal then reaches only us, who end n8n in order, and the task
		// runner that n8n starts can be ended together with it.
		detached: true,
		env: {
			...inheritedEnv(),
			...n8nEnv(userFolder, dirname(node), port, brokerPort),
			// n8n loads thousands of files.
			NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
			...options.env,
		},
	});
	closeSync(log);

	let isGone = false;
	/** Settles when the process is gone, for whatever reason. */
	const exited = once(child, 'exit').catch(() => undefined);
	void exited.then(() => (isGone = true));
	/** As a crash would: n8n and its task runner. */
	const kill = async () => {
		try {
			process.kill(-Number(child.pid), 'SIGKILL');
		} catch {
			// Nobody of the group is left, which is what was wanted.
		}
		await exited;
	};
	/** As a service manager would, who insists after a while. */
	const stop = async () => {
		child.kill('SIGTERM');
		await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
		// n8n ends its task runner itself; whatever is left of the group now has no master.
		await kill();
	};

	const url = `http://127.0.0.1:${port}`;
	const isReady = async () => {
		signal?.throwIfAborted();
		if (isGone) throw new Error('n8n ended while it was starting');
		const looks = READY_PATHS[command].map(async (path) => await isAnswered(url + path));
		return (await Promise.all(looks)).every(Boolean);
	};
	await until(isReady, 'n8n to get ready', READY_TIMEOUT_MS).catch(async (error: unknown) => {
		await kill();
		signal?.throwIfAborted();
		const end = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
		throw new Error(`${String(error)}. The end of ${logFile}:\n  ${end.join('\n  ')}`);
	});
	return { url, logFile, exited, stop, kill };
}

/** What n8n may see of our environment: nothing that npm or another n8n has left in it. */
const inheritedEnv = () =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(n8n|npm|db|node|executions|queue|jest)_/i.test(name),
		),
	);

const n8nEnv = (userFolder: string, bin: string, port: number, brokerPort: number) => ({
	// n8n starts its task runner as `node`, and lists updates of community packages with `npm`.
	PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
	NODE_ENV: 'production',
	N8N_USER_FOLDER: userFolder,
	N8N_PORT: String(port),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// A worker serves nothing but its health check.
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	// Later versions know no other way to run code.
	N8N_RUNNERS_ENABLED: 'true',
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
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
});

/** With JSON, and well. */
async function isAnswered(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(5000);
	const answered = fetch(url, { signal }).then(async (answer) => {
		await answer.json();
		return answer.ok;
	});
	return await answered.catch(() => false);
}
