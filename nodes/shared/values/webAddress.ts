// Reads addresses: of the web (`webAddressIn`) or of any scheme (`urlIn`). `addressWithoutSecrets` makes one fit for messages.

import { textIn } from './json';

/** The http(s) address in a value; undefined for any other, such as `javascript:`, which a program may run. */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	const url = text === undefined ? undefined : urlIn(text, base);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** An address of any scheme; undefined if the text is none, or has a line break or another control character. */
export const urlIn = (text: string, base?: string): URL | undefined =>
	!/\p{Cc}/u.test(text) && URL.canParse(text, base) ? new URL(text, base) : undefined;

const HTTP = /^https?:\/\//i;

export const hasHttp = (address: string): boolean => HTTP.test(address);

/** As people write it: `go.example.com/spring`. */
export const withoutHttp = (address: string): string => address.replace(HTTP, '');

/** Without query, fragment, user name and password. */
export function addressWithoutSecrets(address: string): string {
	const url = urlIn(address);
	if (url) return `${url.protocol}//${url.host}${url.pathname}`;
	const [path = ''] = address.split(/[?#]/, 1);
	return path.slice(path.lastIndexOf('@') + 1);
}

export const withoutTrailingSlashes = (address: string): string =>
	address.replace(/(?<!\/)\/+$/, '');
