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
import { pathOf } from './programs.ts';

const execFileAsync = promisify(execFile);

/**
 * A PostgreSQL and a Redis of our own, on loopback. Each is ended by the stack, writes what it says into a log and leaves what it
 * has stored beside it, and gives the environment with which n8n uses it.
 */
type Environment = Record<string, string>;

const USER = 'n8n';

export async function startRedis(stack: AsyncDisposableStack, log: string): Promise<Environment> {
	const program = pathOf('redis');
	const cwd = dirname(log);
	const [port = 0] = await freePorts(1);
	// A journal, which holds what was deleted since, too.
	const set = { port, bind: '127.0.0.1', dir: cwd, appendonly: 'yes' };
	const args = Object.entries(set).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const cli = join(dirname(program), 'redis-cli');
	const ping = async () => await execFileAsync(cli, ['-p', String(port), 'ping']);
	await run(stack, program, args, { cwd }, log, 'SIGTERM', ping);
	return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) };
}

export async function startPostgres(
	stack: AsyncDisposableStack,
	log: string,
): Promise<Environment> {
	const program = pathOf('postgres');
	const bin = dirname(program);
	const cwd = stack.adopt(await temporaryFolder('postgres'), removeFolder);
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
	const isReady = async () => await execFileAsync(join(bin, 'pg_isready'), address);
	// What PostgreSQL calls a fast shutdown: it does not wait for its clients.
	await run(stack, program, args, options, log, 'SIGINT', isReady);
	const dump = [...address, '--file', join(dirname(log), 'postgres.sql')];
	stack.defer(async () => {
		await execFileAsync(join(bin, 'pg_dump'), dump);
	});
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: USER,
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

/** Starts a program, which the stack ends, and waits until it works. */
async function run(
	stack: AsyncDisposableStack,
	program: string,
	args: string[],
	options: SpawnOptions,
	log: string,
	endWith: NodeJS.Signals,
	tryIt: () => Promise<unknown>,
): Promise<void> {
	await mkdir(dirname(log), { recursive: true });
	const output = await open(log, 'a');
	const child = spawn(program, args, { ...options, stdio: ['ignore', output.fd, output.fd] });
	const ended = once(child, 'exit');
	await output.close();
	const end = () => child.kill(endWith);
	// Should this process end before the stack, the server must not outlive it.
	process.once('exit', end);
	stack.defer(async () => {
		end();
		await ended;
		process.removeListener('exit', end);
	});
	await until(async () => await tryIt().then(Boolean, () => false), program);
}
