import { textIn } from './json';

/** The http(s) address in a value, not `javascript:`, which a program may run. Below: to cut off secrets or slashes. */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	if (text === undefined || !URL.canParse(text, base)) return undefined;
	const { href, protocol } = new URL(text, base);
	return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** Without query, fragment, user name and password. */
export function addressWithoutSecrets(address: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	if (!URL.canParse(address)) return path.slice(path.lastIndexOf('@') + 1);
	const { protocol, host, pathname } = new URL(address);
	return `${protocol}//${host}${pathname}`;
}

export function withoutTrailingSlashes(address: string): string {
	let end = address.length;
	while (address.charAt(end - 1) === '/') end -= 1;
	return address.slice(0, end);
}
