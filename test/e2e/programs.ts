import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

interface Program {
	/** Where it may stand, the best first */
	places: () => Array<string | undefined>;
	/** Debian's packages that bring it */
	packages: string;
}

const inPath = (...names: string[]) => names.map((name) => `/usr/bin/${name}`);

export type ProgramName = 'chromium' | 'redis' | 'postgres';

const PROGRAMS: Record<ProgramName, Program> = {
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
};

const find = ({ places }: Program) =>
	places().find((path) => path !== undefined && existsSync(path));

/** @throws Error saying how to install a program that is missing */
export function pathOf(name: ProgramName): string {
	const path = find(PROGRAMS[name]);
	if (path !== undefined) return path;
	const { packages } = PROGRAMS[name];
	throw new Error(`${name} is missing. On Debian: sudo apt-get install ${packages}`);
}

/** Installs those of the programs that are missing, as root on Debian; elsewhere, what needs one fails. */
export function installPrograms(...names: ProgramName[]): void {
	const missing = names
		.map((name) => PROGRAMS[name])
		.filter((program) => find(program) === undefined);
	if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	const packages = missing.map((program) => program.packages).join(' ');
	console.error(`Installing ${packages} with apt-get; this takes a minute or two ...`);
	for (const words of ['update', `install --yes --no-install-recommends ${packages}`]) {
		// In this runlevel Debian's packages do not start the services that they bring.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		execFileSync('apt-get', ['--quiet', ...words.split(' ')], { env, stdio: 'pipe' });
	}
}
