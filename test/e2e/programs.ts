import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Program {
	/** What needs it: `The browser tests` */
	neededBy: string;
	/** Where it may stand, the best first; undefined ones are skipped */
	places: () => Array<string | undefined>;
	/** Debian's packages that bring it */
	packages: string;
}

/** Debian keeps each version in a folder of its own, and off the PATH. */
const POSTGRES_FOLDER = '/usr/lib/postgresql';

const PROGRAMS = {
	chromium: {
		neededBy: 'The browser tests',
		places: () => [
			process.env.CHROMIUM_PATH,
			'/usr/bin/chromium',
			'/usr/bin/chromium-browser',
			'/usr/bin/google-chrome',
		],
		packages: 'chromium fonts-liberation',
	},
	redis: {
		neededBy: 'The test of queue mode',
		places: () => ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
		packages: 'redis-server',
	},
	postgres: {
		neededBy: 'The test of queue mode',
		places: () =>
			(existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [])
				.sort((a, b) => Number(b) - Number(a))
				.map((version) => join(POSTGRES_FOLDER, version, 'bin', 'postgres')),
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
	const { neededBy, places, packages } = PROGRAMS[name];
	const found = places().find(isProgram);
	if (found !== undefined) return found;
	if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
		throw new Error(`${neededBy} needs ${name}. On Debian: sudo apt-get install ${packages}`);
	}
	console.error(`Installing ${name} with apt-get; this takes a minute or two ...`);
	aptGet('update');
	aptGet(`install --yes --no-install-recommends ${packages}`);
	const installed = places().find(isProgram);
	if (installed === undefined) throw new Error(`apt-get installed ${packages}, but not ${name}`);
	return installed;
}

function isProgram(path: string | undefined): path is string {
	try {
		accessSync(path ?? '', constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function aptGet(words: string): void {
	const { status, stdout, stderr } = spawnSync('apt-get', ['--quiet', ...words.split(' ')], {
		encoding: 'utf8',
		// In this runlevel Debian's packages do not start the services that they bring.
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
	});
	if (status === 0) return;
	const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-15).join('\n');
	throw new Error(`apt-get ${words} failed:\n${end}`);
}
