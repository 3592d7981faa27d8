// Reads addresses: of the web (`webAddressIn`) or of any scheme (`urlIn`). `addressWithoutSecrets` makes one fit for messages.

import { textIn } from './json';

/** The http(s) address in a value; undefined for any other, such as `javascript:`, which a program may run. */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	const url = text === undefined ? undefined : urlIn(text, base);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** A host has at most 253 characters, or 63 in other scripts. To read hosts of thousands of those could take minutes. */
const LONG_HOST =
	/^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]+)(?:[^/\\?#]{256}|(?:[^/\\?#\P{ASCII}]*\P{ASCII}){64})/u;

/** An address of any scheme; undefined if the text is none, or too long. */
export function urlIn(text: string, base?: string): URL | undefined {
	if (text.length > 10_000) return undefined;
	const asRead = text.replace(/^[\p{Cc}\s]+|[\t\n\r]/gu, '').toLowerCase();
	if (LONG_HOST.test(asRead)) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Without query, fragment, user name and password. */
export function addressWithoutSecrets(address: string): string {
	const url = urlIn(address);
	if (url) return `${url.protocol}//${url.host}${url.pathname}`;
	const [path = ''] = address.split(/[?#]/, 1);
	return path.slice(path.lastIndexOf('@') + 1);
}

/** In linear time, unlike a regular expression. */
export function withoutTrailingSlashes(address: string): string {
	let end = address.length;
	while (address.charAt(end - 1) === '/') end -= 1;
	return address.slice(0, end);
}
