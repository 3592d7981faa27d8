// Short URLs: their host, their alias, and how people write them.

import { textIn } from '../../shared/values/json';
import { normalized } from '../../shared/values/text';
import { urlIn } from '../../shared/values/webAddress';

/** Decodes percent-encoding, so that a name has one spelling: `größe` for `gr%C3%B6%C3%9Fe`. */
export const decoded = (text: string): string =>
	normalized(text.replace(/(?:%[\da-f]{2})+/gi, decodeIfPossible));

function decodeIfPossible(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** The host of an address that may have no scheme, with its port unless that is the default one. */
export function hostIn(address: unknown): string | undefined {
	const url = urlIn(`http://${textIn(address)?.replace(/^https?:\/\//i, '') ?? ''}`);
	return url?.host.replace(/:443$/, '').replace(/\.$/, '');
}

/** The last part of a short URL's path. @param expected an alias with slashes is known only to those who chose it */
export function aliasIn(shortUrl: unknown, expected?: string): string | undefined {
	const url = typeof shortUrl === 'string' ? urlIn(shortUrl) : undefined;
	if (!url) return undefined;
	const path = decoded(url.pathname);
	const alias = path.split('/').findLast((part) => part !== '');
	return expected !== undefined && path.endsWith(`/${decoded(expected)}`) ? expected : alias;
}

/** An address without scheme and query, as people write it: `go.example.com/spring`. */
export function bareAddress(address: string): string {
	const url = urlIn(/^https?:\/\//i.test(address) ? address : `http://${address}`);
	return url ? `${url.host}${decoded(url.pathname)}`.replace(/\/$/, '') : address;
}

/** A short URL has a host, which has a dot or a port; an alias may have slashes, too. */
export const isShortUrl = (text: string): boolean => {
	const [host = '', ...path] = text.split('/');
	return path.length > 0 && /[.:]/.test(host);
};
