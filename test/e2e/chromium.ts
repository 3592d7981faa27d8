import { ensureProgram } from './debian.ts';

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

/** The path of a Chromium; see `ensureProgram`. `CHROMIUM_PATH` names another than the machine's. */
export function ensureChromium(): string {
	return ensureProgram({
		name: 'Chromium',
		purpose: 'the browser tests',
		candidates: () => [
			process.env.CHROMIUM_PATH,
			'/usr/bin/chromium',
			'/usr/bin/chromium-browser',
			'/usr/bin/google-chrome',
		],
		packages: ['chromium', 'fonts-liberation'],
	});
}
