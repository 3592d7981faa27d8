import { textIn } from './json';

/** The http(s) address in a value, not `javascript:`, which a program may run. Below: to cut off secrets or slashes. */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	const url = text === undefined ? undefined : urlIn(text, base);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** Undefined if it is no address, or so long that to read its host could take seconds. */
export const urlIn = (text: string, base?: string): URL | undefined =>
	text.length <= 10_000 && URL.canParse(text, base) ? new URL(text, base) : undefined;

/** Without query, fragment, user name and password. */
export function addressWithoutSecrets(address: string): string {
	const url = urlIn(address);
	if (url) return `${url.protocol}//${url.host}${url.pathname}`;
	const [path = ''] = address.split(/[?#]/, 1);
	return path.slice(path.lastIndexOf('@') + 1);
}

export function withoutTrailingSlashes(address: string): string {
	let end = address.length;
	while (address.charAt(end - 1) === '/') end -= 1;
	return address.slice(0, end);
}
