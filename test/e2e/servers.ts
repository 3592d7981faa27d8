import { execFile, spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { until } from '../n8n-host/until.ts';
import { ensureProgram } from './programs.ts';

const execFileAsync = promisify(execFile);

/** A PostgreSQL or Redis of our own, on loopback, with its data in a temporary folder. */
export interface Server {
	/** Environment with which n8n uses it */
	n8nEnv: Record<string, string>;
	/** Writes everything that it holds into a file. */
	dump: (file: string) => Promise<unknown>;
	stop: () => Promise<void>;
}

const USER = 'n8n';

/** @param log file for what it says */
export async function startRedis(log: string): Promise<Server> {
	const program = ensureProgram('redis');
	const cwd = await temporaryFolder('redis');
	const [port = 0] = await freePorts(1);
	const set = { port, bind: '127.0.0.1', dir: cwd, rdbcompression: 'no', appendonly: 'no' };
	const args = Object.entries(set).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const cli = async (...words: string[]) =>
		await execFileAsync(join(dirname(program), 'redis-cli'), ['-p', String(port), ...words]);
	return {
		n8nEnv: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
		dump: async (file) => await cli('--rdb', file),
		stop: await run(program, args, { cwd }, log, 'SIGTERM', async () => await cli('ping')),
	};
}

/** @param log file for what it says */
export async function startPostgres(log: string): Promise<Server> {
	const program = ensureProgram('postgres');
	const bin = dirname(program);
	const cwd = await temporaryFolder('postgres');
	const options = { cwd, ...(await unprivileged(cwd)) };
	const data = join(cwd, 'data');
	const init = ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C'];
	await execFileAsync(join(bin, 'initdb'), [...init, '--no-sync'], options);
	const [port = 0] = await freePorts(1);
	const at = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
	// The data ends with the test, so it need not survive a power cut.
	const settings = Object.entries({ ...at, fsync: 'off', full_page_writes: 'off' });
	const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', 'postgres'];
	const tryIt = async () => await execFileAsync(join(bin, 'pg_isready'), address);
	return {
		n8nEnv: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: USER,
		},
		dump: async (file) =>
			await execFileAsync(join(bin, 'pg_dump'), [...address, '--inserts', '-f', file]),
		// What PostgreSQL calls a fast shutdown: it does not wait for its clients.
		stop: await run(program, args, options, log, 'SIGINT', tryIt),
	};
}

/** PostgreSQL refuses to run as root, so then it runs as the user that its package made, to whom the folder is given. */
async function unprivileged(folder: string): Promise<Pick<SpawnOptions, 'uid' | 'gid'>> {
	if (userInfo().uid !== 0) return {};
	const idOf = async (flag: string) =>
		Number((await execFileAsync('id', [flag, 'postgres'])).stdout);
	const [uid, gid] = [await idOf('-u'), await idOf('-g')];
	await chown(folder, uid, gid);
	return { uid, gid };
}

/** Starts a program and waits until it works; the returned function ends it and removes its folder. */
async function run(
	program: string,
	args: string[],
	options: SpawnOptions & { cwd: string },
	log: string,
	endWith: NodeJS.Signals,
	tryIt: () => Promise<unknown>,
): Promise<() => Promise<void>> {
	await mkdir(dirname(log), { recursive: true });
	const output = await open(log, 'a');
	const child = spawn(program, args, { ...options, stdio: ['ignore', output.fd, output.fd] });
	const ended = once(child, 'exit');
	await output.close();
	const end = () => child.kill(endWith);
	// Should this process end before it has stopped the server, the server must not outlive it.
	process.once('exit', end);
	const stop = async () => {
		end();
		await ended;
		process.removeListener('exit', end);
		await removeFolder(options.cwd);
	};
	const works = async () => await tryIt().then(Boolean, () => false);
	await until(works, program).catch(async (error: unknown) => {
		await stop();
		throw error;
	});
	return stop;
}
