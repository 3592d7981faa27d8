import type { SpawnOptions } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';

/** Where each may stand, the best first, and Debian's packages that bring it */
const PROGRAMS = {
	chromium: {
		places: [
			process.env.CHROMIUM_PATH ?? '',
			'/usr/bin/chromium',
			'/usr/bin/chromium-browser',
			'/usr/bin/google-chrome',
		],
		packages: 'chromium fonts-liberation',
	},
	postgres: {
		// Debian leaves all but the clients out of the PATH.
		places: [...globSync('/usr/lib/postgresql/*/bin/postgres'), '/usr/local/bin/postgres'],
		packages: 'postgresql',
	},
	redis: {
		places: ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
		packages: 'redis-server',
	},
};

type ProgramName = keyof typeof PROGRAMS;

const placeOf = (name: ProgramName) => PROGRAMS[name].places.find((place) => existsSync(place));

/** @throws Error saying how to install a program that is missing */
export function pathOf(name: ProgramName): string {
	const path = placeOf(name);
	if (path !== undefined) return path;
	const { packages } = PROGRAMS[name];
	throw new Error(`${name} is missing. On Debian: sudo apt-get install ${packages}`);
}

/** Starts a server, which the stack ends: of PostgreSQL it is the "fast shutdown", which does not wait for clients. */
export function startServer(
	stack: AsyncDisposableStack,
	name: ProgramName,
	args: string[],
	options: SpawnOptions,
): void {
	const server = spawn(pathOf(name), args, { ...options, stdio: 'ignore' });
	const ended = once(server, 'exit');
	stack.defer(async () => {
		server.kill('SIGINT');
		await ended;
	});
}

/** Installs those of the programs that are missing, as root on Debian; elsewhere, what needs one fails. */
export function installPrograms(...names: ProgramName[]): void {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	const missing = names.filter((name) => placeOf(name) === undefined);
	if (missing.length === 0) return;
	const packages = missing.map((name) => PROGRAMS[name].packages).join(' ');
	console.error(`Installing ${packages} with apt-get; this takes a minute or two ...`);
	for (const words of ['update', `install --yes --no-install-recommends ${packages}`]) {
		// In this runlevel Debian's packages do not start the services that they bring.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		execFileSync('apt-get', ['--quiet', ...words.split(' ')], { env, stdio: 'pipe' });
	}
}
