import { inputFailure, quoted } from '../../shared/values/failure';
import { lines, type ParseValue, text } from '../../shared/values/input';
import { urlIn } from '../../shared/values/webAddress';
import { encodedAddress } from './encodedAddress';

const SCRIPTS = ['javascript', 'vbscript', 'jscript', 'livescript', 'mocha'];

/** Schemes of addresses that run code, show files or start programs where they are opened. */
const DANGEROUS_SCHEMES: readonly string[] = [
	...SCRIPTS,

	// Documents of somebody's own making, and wrappers around another address.
	'about',
	'blob',
	'chrome',
	'content',
	'data',
	'devtools',
	'edge',
	'feed',
	'filesystem',
	'intent',
	'jar',
	'mhtml',
	'pcast',
	'resource',
	'view-source',
	'wyciwyg',

	// Files, on this machine and on others.
	'afp',
	'cifs',
	'dav',
	'davs',
	'file',
	'netdoc',
	'nfs',
	'smb',
	'webdav',
	'webdavs',

	// What Windows or macOS starts.
	'applescript',
	'hcp',
	'its',
	'javascript.encode',
	'jnlp',
	'jnlps',
	'microsoft-edge',
	'mk',
	'res',
	'search',
	'search-ms',
	'shell',
	'vbscript.encode',
	'vnd.libreoffice.command',
];

/** How further ones begin, such as `ms-excel:`. */
const DANGEROUS_FAMILIES: readonly string[] = [
	'chrome-',
	'chromehtml',
	'firefoxurl',
	'moz-',
	'ms-',
	'msedgehtm',
	'onenote',
];

/** Windows takes these for files: a path on a drive, and on another machine. */
const WINDOWS_PATH = /^(?:[a-z]:[\\/]|\\[\\/]|\/\\)/i;

/** The scheme at the start of a text, in lower case, as browsers read it: without spaces and control characters. */
const schemeOf = (text: string): string =>
	/^([a-z][a-z0-9+.-]*):/i.exec(text.replace(/[\p{Cc}\s]/gu, ''))?.[1]?.toLowerCase() ?? '';

function isDangerous(text: string): boolean {
	const scheme = schemeOf(text);
	const isOfFamily = DANGEROUS_FAMILIES.some((start) => scheme.startsWith(start));
	return isOfFamily || DANGEROUS_SCHEMES.includes(scheme) || WINDOWS_PATH.test(text.trim());
}

/** A scheme. What is before the colon of `example.com:80` or `localhost:80` is a host; a single letter is a drive. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]+:\/\/|(?!https?:|localhost:)[a-z][a-z0-9+-]+:)/i;

/**
 * An absolute address that a link may lead to, also `mailto:` or `myapp://`. An empty value is kept: it clears the field.
 * @throws Failure if it is not an address, or its scheme is dangerous
 */
export const address: ParseValue<string> = (label, value) => {
	if (typeof value === 'string') refuseDangerous(label, value);
	return addressOf(ABSOLUTE, label, value);
};

function refuseDangerous(label: string, value: string): void {
	if (!isDangerous(value)) return;
	const scheme = value.trim().split(':', 1).join();
	throw inputFailure(
		`${label} must not be the address ${quoted(value)}`,
		`Addresses with ${scheme}: are refused, because they could harm whoever opens them`,
	);
}

/** A word before a colon and a space, as in `Data: 7`, begins a sentence. Only scripts run despite the space. */
const isLabel = (line: string): boolean =>
	/^\s*[a-z]+: /i.test(line) && !SCRIPTS.includes(schemeOf(line));

/**
 * Checks the texts of a QR code, each as a whole and line by line.
 * @throws Failure if one begins with a dangerous address, or has a character that no address can hold
 */
export function refuseHarmful(label: string, value: unknown): void {
	if (typeof value === 'object' && value !== null) {
		for (const part of Object.entries(value).flat()) refuseHarmful(label, part);
	}
	if (typeof value !== 'string') return;
	const entered = lines(label, value);
	for (const line of [entered, ...entered.split(/[\r\n\u2028\u2029]/)]) {
		if (!isLabel(line)) refuseDangerous(label, line);
	}
}

/** An http or https address. An empty value is kept: it clears the field. @throws Failure if it is not one */
export const webAddress: ParseValue<string> = (label, value) =>
	addressOf(/^https?:\/\//i, label, value);

function addressOf(form: RegExp, label: string, value: unknown): string {
	const entered = typeof value === 'string' ? text(label, value) : undefined;
	if (entered === '' || (entered && form.test(entered) && urlIn(entered)))
		return encodedAddress(entered);
	throw inputFailure(
		`${label} must be a web address, but is ${quoted(value)}`,
		'Start it with http:// or https://',
	);
}
