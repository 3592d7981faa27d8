import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const CANDIDATES = [
	process.env.CHROMIUM_PATH,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
];

/** Without these a container cannot run a browser, or the browser asks the internet for things. */
export const CHROMIUM_FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * A Chromium for the browser tests: the one of the machine, or, as root on Debian, its package, installed now.
 *
 * @returns the path of the program
 * @throws Error saying how to install one, where this may not do it
 */
export function ensureChromium(report: (line: string) => void = console.error): string {
	const found = CANDIDATES.find(isProgram);
	if (found !== undefined) return found;
	const isRoot = process.getuid?.() === 0;
	if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
		throw new Error(
			'The browser tests need Chromium. Install it (Debian: sudo apt-get install chromium), ' +
				'or name the program in CHROMIUM_PATH.',
		);
	}
	report('Installing Chromium with apt-get, for the browser tests; this takes a minute or two ...');
	aptGet(['update']);
	aptGet(['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation']);
	const installed = CANDIDATES.find(isProgram);
	if (installed === undefined) throw new Error('apt-get installed Chromium, but it is not there');
	return installed;
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
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
	if (status === 0) return;
	const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-15).join('\n');
	throw new Error(`apt-get ${args.join(' ')} failed:\n${end}`);
}
