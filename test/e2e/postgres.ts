import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { freePort } from '../n8n-host/ports.ts';
import { until } from '../n8n-host/until.ts';
import { pathOf } from './programs.ts';

const execFileAsync = promisify(execFile);

const USER = 'n8n';
/** The one that every new cluster has. */
const DATABASE = 'postgres';
const MAX_DUMP = 500 * 1024 * 1024;

/** A PostgreSQL with a cluster of its own, which nothing but these tests knows. */
export interface Postgres {
	/** For n8n */
	env: Record<string, string>;
	/** All that is stored, as text. */
	dump: () => Promise<Buffer>;
}

/** @param stack ends it */
export async function startPostgres(stack: AsyncDisposableStack): Promise<Postgres> {
	const server = pathOf('postgres');
	const program = (name: string) => join(dirname(server), name);
	const account = serverAccount();
	const folder = stack.adopt(await temporaryFolder('postgres'), removeFolder);
	await chown(folder, account.uid, account.gid);
	const options = { ...account, cwd: folder, stdio: 'ignore' } as const;

	const words = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
	const made = spawn(program('initdb'), [...words, `--username=${USER}`, folder], options);
	const [code] = (await once(made, 'exit')) as [number | null];
	if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);

	const port = String(await freePort());
	// No sockets in folders that others use, and no care for the data beyond this run.
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
	const flags = ['-D', folder, '-p', port, ...settings.flatMap((setting) => ['-c', setting])];
	const running = spawn(server, flags, options);
	const ended = once(running, 'exit');
	stack.defer(async () => {
		// Its "fast shutdown", which does not wait for clients.
		running.kill('SIGINT');
		await ended;
	});

	const place = ['--host=127.0.0.1', `--port=${port}`, `--username=${USER}`];
	const run = async (name: string) => {
		const told = { encoding: 'buffer', maxBuffer: MAX_DUMP } as const;
		return (await execFileAsync(program(name), [...place, `--dbname=${DATABASE}`], told)).stdout;
	};
	await until(async () => await run('pg_isready').catch(() => false as const), 'PostgreSQL');
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: DATABASE,
		},
		dump: async () => await run('pg_dump'),
	};
}

/** Whom the server runs as: it refuses to run as root. Debian's package brings the user `postgres`. */
function serverAccount(): Record<'uid' | 'gid', number> {
	const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
	const idOf = (flag: string) =>
		Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : { uid, gid };
}
