import { textIn } from './json';

/**
 * A web address that a service gives, in full; undefined if it is none. No other address leaves the package: whoever shows
 * it may open `javascript:` without asking. Without a base it has to be absolute.
 */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	if (text === undefined || !URL.canParse(text, base)) return undefined;
	const { href, protocol } = new URL(text, base);
	return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** An address for a message: without its query, user name and password, which may be secret. */
export function shownAddress(address: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	if (!URL.canParse(address)) return path.slice(path.lastIndexOf('@') + 1);
	const { protocol, host, pathname } = new URL(address);
	return `${protocol}//${host}${pathname}`;
}
