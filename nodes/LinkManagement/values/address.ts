import { inputFailure, quoted } from '../../shared/values/failure';
import { lines, type ReadValue, text } from '../../shared/values/input';
import { urlIn } from '../../shared/values/webAddress';
import { encodedAddress } from './encodedAddress';

/** Addresses that run code, show files or start programs where they are opened, also behind the scheme of another one. */
const DANGEROUS =
	/^(?:(?:(?:[^:/?#@]*[:.])?url:)?(?:\/\\|\\\/)|(?:[^:/?#@]*:)*(?:\\\\|(?:about|afp|blob|chrome|cifs|content|data|devtools|edge|feed|file|filesystem|firefoxurl[a-z0-9-]*|hcp|intent|its|jar|jnlps?|mhtml|microsoft-edge[a-z-]*|(?:chrome|msedge)htm[a-z0-9.-]*|mk|mocha|ms-[a-z0-9+.-]*|netdoc|nfs|onenote[a-z-]*|pcast|res|resource|search|search-ms|shell|smb|view-source|wyciwyg|vnd\.libreoffice\.command|(?:apple|j|java|live|vb)script(?:\.encode)?|(?:chrome|moz)-[a-z-]*|(?:web)?davs?|[a-z](?=:[\\/])):))/i;

/** As browsers read it: without spaces and control characters. Formats of QR codes escape with a backslash, as in `URL:x\:y`. */
function isDangerous(entered: string): boolean {
	const bare = entered.replace(/[\p{Cc}\s]/gu, '');
	return DANGEROUS.test(bare) || DANGEROUS.test(bare.replaceAll('\\', ''));
}

/** A scheme. What is before the colon of `example.com:80` or `localhost:80` is a host; a single letter is a drive. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]+:\/\/|(?!https?:|localhost:)[a-z][a-z0-9+-]+:)/i;

/**
 * An absolute address that a link may lead to, also `mailto:` or `myapp://`. An empty value is kept: it clears the field.
 * @throws Failure if it is not an address, or its scheme is dangerous
 */
export const address: ReadValue<string> = (label, value) => {
	if (typeof value === 'string') refuseDangerous(label, value);
	return read(ABSOLUTE, label, value);
};

function refuseDangerous(label: string, value: string): void {
	if (!isDangerous(value)) return;
	const scheme = value.trim().split(':', 1).join();
	throw inputFailure(
		`${label} must not be the address ${quoted(value)}`,
		`Addresses with ${scheme}: are refused, because they could harm whoever opens them`,
	);
}

/** Words before a colon and a space, as in `Data: 7`. Scripts, `data:` with a type and files open despite the space. */
const LABELS = /^ *(?:(?!\w*script:|mocha:|data: *[a-z-]+\/|file: *\/)[a-z]+: +)+/i;

/** A parameter before a value, as in `URL;TYPE=WORK:…` or `URL;text/html:…` of a vCard. */
const PARAMETER = /^[\w-]+[=/][^:]*:/;

/**
 * Checks the texts of a QR code.
 * @throws Failure if one of them is a dangerous address, or has a character that no address can hold
 */
export function refuseHarmful(label: string, value: unknown): void {
	if (typeof value === 'object' && value !== null) {
		for (const part of Object.entries(value).flat()) refuseHarmful(label, part);
	}
	if (typeof value !== 'string') return;
	const entered = lines(label, value);
	// Lines of a vCard may be folded and escaped. Formats such as `MEBKM:TITLE:x;URL:https://…` hold several values in a line.
	const unfolded = entered.replace(/\r?\n[ \t]/g, '');
	for (const each of [entered, unfolded.replace(/\\n/gi, '')]) {
		const inLines = each.split(/[\r\n\u2028\u2029]/).flatMap(partsOf);
		for (const part of [...each.split(';'), ...inLines]) {
			// Browsers drop tabs and line breaks.
			const bare = part.replace(/[\t\r\n]/g, '');
			for (const form of [bare, bare.replace(PARAMETER, '')])
				refuseDangerous(label, form.replace(LABELS, ''));
		}
	}
}

/** The parts of a line. Before a value there may be a parameter, as in `URL;TYPE=WORK:…` or `URL;X-A="a/b":…` of a vCard. */
const partsOf = (line: string): string[] =>
	line.split(/[;"]/).flatMap((part, at) => {
		if (at === 0) return [part];
		const end = part.lastIndexOf(':');
		const joined = `${part.slice(0, end).replace(/[/?#@]/g, '')}${part.slice(end)}`;
		return [part, joined, part.replace(/^(?!https?:)[^:]*:/i, '')];
	});

/** An http or https address. An empty value is kept: it clears the field. @throws Failure if it is not one */
export const webAddress: ReadValue<string> = (label, value) => read(/^https?:\/\//i, label, value);

function read(form: RegExp, label: string, value: unknown): string {
	const entered = typeof value === 'string' ? text(label, value) : undefined;
	if (entered === '' || (entered && form.test(entered) && urlIn(entered)))
		return encodedAddress(entered);
	throw inputFailure(
		`${label} must be a web address, but is ${quoted(value)}`,
		'Start it with http:// or https://',
	);
}
