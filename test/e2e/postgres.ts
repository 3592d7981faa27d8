import { execFile, execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../loopback.ts';
import { temporaryFolder } from '../n8n-host/install.ts';
import { until } from '../n8n-host/until.ts';
import { pathOf, startServer } from './programs.ts';

const execFileAsync = promisify(execFile);

const USER = 'n8n';
/** The one that every new cluster has. */
const DATABASE = 'postgres';
const MAX_DUMP = 500 * 1024 * 1024;

/** A PostgreSQL with a cluster of its own, which nothing but these tests knows. @param stack ends it */
export async function startPostgres(stack: AsyncDisposableStack) {
	const program = (name: string) => join(dirname(pathOf('postgres')), name);
	const account = serverAccount();
	const folder = await temporaryFolder(stack, 'postgres');
	await chown(folder, account.uid, account.gid);
	const options = { ...account, cwd: folder };

	const words = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
	await execFileAsync(program('initdb'), [...words, `--username=${USER}`, folder], options);

	const port = String(await freePort());
	// No sockets in folders that others use, and no care for the data beyond this run.
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
	const flags = ['-D', folder, '-p', port, ...settings.flatMap((setting) => ['-c', setting])];
	startServer(stack, 'postgres', flags, options);

	const place = ['--host=127.0.0.1', `--port=${port}`, `--username=${USER}`];
	const run = async (name: string) => {
		const told = { encoding: 'buffer', maxBuffer: MAX_DUMP } as const;
		return (await execFileAsync(program(name), [...place, `--dbname=${DATABASE}`], told)).stdout;
	};
	await until(async () => await run('pg_isready').catch(() => false as const), 'PostgreSQL');
	return {
		/** For n8n */
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: DATABASE,
		},
		/** All that is stored, as text. */
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
