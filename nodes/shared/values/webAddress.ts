import { textIn } from './json';

/**
 * A web address that a service gives, made absolute; undefined if it is not one. Other addresses are not output: a program
 * that shows them may run `javascript:` without asking. Without a base, only absolute addresses are accepted.
 */
export function webAddressIn(value: unknown, base?: string): string | undefined {
	const text = textIn(value);
	if (text === undefined || !URL.canParse(text, base)) return undefined;
	const { href, protocol } = new URL(text, base);
	return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** An address for a message: without its query, user name and password, which may be secret. */
export function addressWithoutSecrets(address: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	if (!URL.canParse(address)) return path.slice(path.lastIndexOf('@') + 1);
	const { protocol, host, pathname } = new URL(address);
	return `${protocol}//${host}${pathname}`;
}
