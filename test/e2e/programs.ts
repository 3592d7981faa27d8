import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

interface Program {
	/** Where it may stand, the best first */
	places: () => Array<string | undefined>;
	/** Debian's packages that bring it */
	packages: string;
}

const inPath = (...names: string[]) => names.map((name) => `/usr/bin/${name}`);

const PROGRAMS = {
	chromium: {
		places: () => [
			process.env.CHROMIUM_PATH,
			...inPath('chromium', 'chromium-browser', 'google-chrome'),
		],
		packages: 'chromium fonts-liberation',
	},
	redis: {
		places: () => [...inPath('redis-server'), '/usr/local/bin/redis-server'],
		packages: 'redis-server',
	},
	postgres: {
		// Debian keeps each version in a folder of its own, and off the PATH.
		places: () => globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse(),
		packages: 'postgresql',
	},
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES: ProgramName[] = ['chromium', 'redis', 'postgres'];

/**
 * A program of the machine, or, as root on Debian, one that is installed now.
 *
 * @returns its path
 * @throws Error saying how to install it, where this may not do it
 */
export function ensureProgram(name: ProgramName): string {
	const { places, packages } = PROGRAMS[name];
	const find = () => places().find((path) => path !== undefined && existsSync(path));
	const found = find();
	if (found !== undefined) return found;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`${name} is missing. On Debian: sudo apt-get install ${packages}`);
	}
	console.error(`Installing ${name} with apt-get; this takes a minute or two ...`);
	for (const words of ['update', `install --yes --no-install-recommends ${packages}`]) {
		// In this runlevel Debian's packages do not start the services that they bring.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		execFileSync('apt-get', ['--quiet', ...words.split(' ')], { env, stdio: 'pipe' });
	}
	const installed = find();
	if (installed === undefined) throw new Error(`apt-get installed ${packages}, but not ${name}`);
	return installed;
}
