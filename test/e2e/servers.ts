import { execFile, spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, open, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { temporaryFolder } from '../n8n-host/community-package.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { ensureProgram } from './debian.ts';

const execFileAsync = promisify(execFile);

/** A PostgreSQL or Redis of our own, on loopback, with its data in a temporary folder. */
export interface Server {
	port: number;
	/** Environment with which n8n uses it */
	n8nEnv: Record<string, string>;
	/** Writes everything that it holds into a file. */
	dump: (file: string) => Promise<void>;
	stop: () => Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const POSTGRES_FOLDER = '/usr/lib/postgresql';
const DATABASE = 'postgres';
const USER = 'n8n';

export function ensureRedis(): string {
	return ensureProgram({
		name: 'Redis',
		purpose: 'the test of queue mode',
		candidates: () => ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
		packages: ['redis-server'],
	});
}

export function ensurePostgres(): string {
	return ensureProgram({
		name: 'PostgreSQL',
		purpose: 'the test of queue mode',
		candidates: postgresPrograms,
		packages: ['postgresql'],
	});
}

/** @param log file for what it says */
export async function startRedis(log: string): Promise<Server> {
	const program = ensureRedis();
	const folder = await temporaryFolder('redis');
	const port = await freePort();
	const set = { port, bind: '127.0.0.1', dir: folder, rdbcompression: 'no', appendonly: 'no' };
	const args = Object.entries(set).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const cli = async (...words: string[]) =>
		await execFileAsync(join(dirname(program), 'redis-cli'), ['-p', String(port), ...words]);
	const stop = await run(program, args, { cwd: folder }, { log, folder, endWith: 'SIGTERM' });
	await untilItWorks(stop, async () => {
		const { stdout } = await cli('ping');
		if (!stdout.startsWith('PONG')) throw new Error(`Redis says ${stdout}`);
	});
	return {
		port,
		n8nEnv: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
		dump: async (file) => void (await cli('--rdb', file)),
		stop,
	};
}

/** @param log file for what it says */
export async function startPostgres(log: string): Promise<Server> {
	const postgres = ensurePostgres();
	const bin = dirname(postgres);
	const folder = await temporaryFolder('postgres');
	const identity = await unprivileged(folder);
	const data = join(folder, 'data');
	await execFileAsync(
		join(bin, 'initdb'),
		['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
		{ cwd: folder, ...identity },
	);
	const port = await freePort();
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		// The data ends with the test, so it need not survive a power cut.
		fsync: 'off',
		full_page_writes: 'off',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const stop = await run(
		postgres,
		['-D', data, ...args],
		{ cwd: folder, ...identity },
		// What PostgreSQL calls a fast shutdown: it does not wait for its clients.
		{ log, folder, endWith: 'SIGINT' },
	);
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', DATABASE];
	await untilItWorks(
		stop,
		async () => void (await execFileAsync(join(bin, 'pg_isready'), address)),
	);
	return {
		port,
		n8nEnv: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: DATABASE,
			DB_POSTGRESDB_USER: USER,
		},
		dump: async (file) =>
			void (await execFileAsync(join(bin, 'pg_dump'), [...address, '--inserts', '-f', file])),
		stop,
	};
}

/** Debian keeps each version in a folder of its own, and off the PATH. */
function postgresPrograms(): string[] {
	if (!existsSync(POSTGRES_FOLDER)) return [];
	const versions = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a));
	return versions.map((version) => join(POSTGRES_FOLDER, version, 'bin', 'postgres'));
}

/** PostgreSQL refuses to run as root, so then it runs as the user that its package made, to whom the folder is given. */
async function unprivileged(folder: string): Promise<Pick<SpawnOptions, 'uid' | 'gid'>> {
	if (userInfo().uid !== 0) return {};
	const idOf = async (flag: string) =>
		Number((await execFileAsync('id', [flag, 'postgres'])).stdout);
	const identity = { uid: await idOf('-u'), gid: await idOf('-g') };
	await chown(folder, identity.uid, identity.gid);
	return identity;
}

async function freePort(): Promise<number> {
	const [port] = await freePorts(1);
	if (port === undefined) throw new Error('No free port');
	return port;
}

/** Starts a program; the returned function ends it and removes its folder. */
async function run(
	program: string,
	args: string[],
	options: SpawnOptions,
	{ log, folder, endWith }: { log: string; folder: string; endWith: NodeJS.Signals },
): Promise<() => Promise<void>> {
	await mkdir(dirname(log), { recursive: true });
	const output = await open(log, 'a');
	const child = spawn(program, args, { ...options, stdio: ['ignore', output.fd, output.fd] });
	const ended = new Promise<void>((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
	await output.close();
	const end = () => child.kill(endWith);
	// Should this process end before it has stopped the server, the server must not outlive it.
	process.once('exit', end);
	return async () => {
		end();
		await ended;
		process.removeListener('exit', end);
		await rm(folder, { recursive: true, force: true });
	};
}

async function untilItWorks(
	stop: () => Promise<void>,
	attempt: () => Promise<void>,
): Promise<void> {
	const deadline = Date.now() + READY_TIMEOUT_MS;
	for (;;) {
		try {
			await attempt();
			return;
		} catch (error) {
			if (Date.now() > deadline) {
				await stop();
				throw error;
			}
			await sleep(POLL_MS);
		}
	}
}
