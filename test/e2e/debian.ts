import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

export interface WantedProgram {
	/** For people: `Chromium` */
	name: string;
	/** What needs it: `the browser tests` */
	purpose: string;
	/** Where it may stand, the best first; undefined ones are skipped */
	candidates: () => Array<string | undefined>;
	/** Debian's packages that bring it */
	packages: string[];
}

/**
 * A program of the machine, or, as root on Debian, one that is installed now.
 *
 * @returns its path
 * @throws Error saying how to install it, where this may not do it
 */
export function ensureProgram(
	{ name, purpose, candidates, packages }: WantedProgram,
	report: (line: string) => void = console.error,
): string {
	const found = candidates().find(isProgram);
	if (found !== undefined) return found;
	const wanted = packages.join(' ');
	const isRoot = process.getuid?.() === 0;
	if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
		const verb = purpose.endsWith('s') ? 'need' : 'needs';
		throw new Error(
			`${sentence(purpose)} ${verb} ${name}. On Debian: sudo apt-get install ${wanted}`,
		);
	}
	report(`Installing ${name} with apt-get, for ${purpose}; this takes a minute or two ...`);
	aptGet(['update']);
	aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
	const installed = candidates().find(isProgram);
	if (installed === undefined) throw new Error(`apt-get installed ${wanted}, but not ${name}`);
	return installed;
}

function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function isProgram(path: string | undefined): path is string {
	if (path === undefined) return false;
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function aptGet(args: string[]): void {
	const { status, stdout, stderr } = spawnSync('apt-get', ['--quiet', ...args], {
		encoding: 'utf8',
		// In this runlevel Debian's packages do not start the services that they bring.
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
	});
	if (status === 0) return;
	const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-15).join('\n');
	throw new Error(`apt-get ${args.join(' ')} failed:\n${end}`);
}
