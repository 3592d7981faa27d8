import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

const PROGRAMS = {
	chromium: {
		/** Where it may stand, the best first */
		places: [
			process.env.CHROMIUM_PATH ?? '',
			'/usr/bin/chromium',
			'/usr/bin/chromium-browser',
			'/usr/bin/google-chrome',
		],
		/** Debian's packages that bring it */
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

export type ProgramName = keyof typeof PROGRAMS;

/** @throws Error saying how to install a program that is missing */
export function pathOf(name: ProgramName): string {
	const { places, packages } = PROGRAMS[name];
	const path = places.find((place) => existsSync(place));
	if (path !== undefined) return path;
	throw new Error(`${name} is missing. On Debian: sudo apt-get install ${packages}`);
}

/** Installs those of the programs that are missing, as root on Debian; elsewhere, what needs one fails. */
export function installPrograms(...names: ProgramName[]): void {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	for (const name of names) {
		const { places, packages } = PROGRAMS[name];
		if (places.some((place) => existsSync(place))) continue;
		console.error(`Installing ${packages} with apt-get; this takes a minute or two ...`);
		for (const words of ['update', `install --yes --no-install-recommends ${packages}`]) {
			// In this runlevel Debian's packages do not start the services that they bring.
			const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
			execFileSync('apt-get', ['--quiet', ...words.split(' ')], { env, stdio: 'pipe' });
		}
	}
}
