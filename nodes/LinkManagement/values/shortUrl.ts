// Short URLs and their aliases, and the one form in which links are compared: host and alias, or host and long URL.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, quoted } from '../../shared/values/failure';
import { type ParseValue, parseNumericLine } from '../../shared/values/input';
import { textIn, textsIn } from '../../shared/values/json';
import { decoded } from '../../shared/values/text';
import {
	hasHttp,
	urlIn,
	withoutHttp,
	withoutTrailingSlashes,
} from '../../shared/values/webAddress';
import { canonicalUrl } from './longUrl';

/** The host of an address that may have no scheme, with its port unless that is the default one. */
export function hostIn(address: unknown): string | undefined {
	const url = urlIn(`http://${withoutHttp(textIn(address) ?? '')}`);
	return url?.host.replace(/:443$/, '').replace(/\.$/, '');
}

/** An address without scheme and query, as people write it: `go.example.com/spring`. */
export function bareAddress(address: string): string {
	const url = urlIn(hasHttp(address) ? address : `http://${address}`);
	return url ? `${hostIn(address)}${decoded(url.pathname)}`.replace(/\/$/, '') : address;
}

/** A short URL has a host, which has a dot or a port, and an alias, which may have slashes. */
export const isShortUrl = (text: string): boolean => {
	const [host = '', ...path] = withoutHttp(text).split('/');
	return path.length > 0 && /[.:]/.test(host) && !/\s/.test(text);
};

/**
 * What may be the alias in a short URL: its path, and the end of it behind each slash, because a service may be in a folder. The last
 * part comes first.
 */
function aliasesIn(shortUrl: unknown): string[] {
	const [, ...parts] = bareAddress(textIn(shortUrl) ?? '').split('/');
	return parts.map((_part, at) => parts.slice(at).join('/')).toReversed();
}

/** The short URLs by which a link is looked up: with its alias as it was entered, then as most services write it. */
export function lookUpUrls(name: string, base: string): string[] {
	const [address = ''] = shortUrlOf(name, base).split(/[?#]/, 1);
	const shortUrl = withoutTrailingSlashes(address);
	const [alias = ''] = aliasesIn(shortUrl);
	const start = shortUrl.slice(0, shortUrl.lastIndexOf('/') + 1);
	return [...new Set([shortUrl, `${start}${encodeURIComponent(aliasKey(alias))}`])];
}

/** The alias in a short URL. @param expected an alias with slashes is known only to those who chose it */
export function aliasIn(shortUrl: unknown, expected = ''): string | undefined {
	const [last, ...longer] = aliasesIn(shortUrl);
	return longer.find((alias) => aliasKey(alias) === aliasKey(expected)) ?? last;
}

/** The alias in a short URL: what follows the host, and the folder of the service. */
export function pathOf(shortUrl: string, base: string): string {
	const address = bareAddress(shortUrl);
	const start = bareAddress(base);
	return address.startsWith(`${start}/`)
		? address.slice(start.length + 1)
		: address.slice(address.indexOf('/') + 1);
}

/** The form in which aliases are compared: services ignore case, and write separators as `-`. */
export const aliasKey = (alias: string): string =>
	decoded(alias)
		.toLowerCase()
		.replace(/[\s!"#$%&'()*+,\-./_|]+/g, '-')
		.replace(/^-|-$/g, '');

/** An alias that was entered, also in a whole short URL. @throws Failure if services would replace it by a random one */
export const parseAlias: ParseValue<string> = (label, value) => {
	const entered = decoded(parseNumericLine(label, value));
	if (aliasKey(entered) !== '') return entered;
	throw fieldFailure(label, `has no letter or digit: ${quoted(entered)}`);
};

/** Identifies a link by its alias. */
export const shortKey = (host: string, alias: string): string => `${host}/${aliasKey(alias)}`;

/** Identifies a link by where it leads. */
export const longKey = (host: string, longUrl: string): string =>
	`${host} ${canonicalUrl(longUrl)}`;

/** Whether an address is this short URL: visitors would never arrive. */
export const isShortUrlOf = (address: string, host: string, alias: string): boolean =>
	hostIn(address) === host &&
	aliasesIn(address).some((each) => shortKey(host, each) === shortKey(host, alias));

/** A short URL with its scheme. An alias alone is one of links without a domain. @param base the address of these */
export function shortUrlOf(name: string, base: string): string {
	if (hasHttp(name)) return name;
	if (!isShortUrl(name)) return `${base}/${encodeURIComponent(name)}`;
	return hostIn(name) === hostIn(base) ? `${new URL(base).protocol}//${name}` : `https://${name}`;
}

/** The short URL of an alias on a host. @param base the address of links without a domain, which may have a folder */
export function shortUrlAt(host: string, alias: string, base: string): string {
	const name = encodeURIComponent(decoded(alias));
	return host === hostIn(base) ? `${base}/${name}` : shortUrlOf(`${host}/${name}`, base);
}

/** What identifies a link of the service: its alias, alone and on its host, and its long URL on its host. */
export function linkNames(link: IDataObject): string[] {
	const { alias, shorturl, longurl } = link;
	const host = hostIn(shorturl);
	const keys = [...new Set([...textsIn(alias), ...aliasesIn(shorturl)].map(aliasKey))];
	if (host === undefined) return keys;
	return [
		...keys,
		...keys.map((key) => `${host}/${key}`),
		...textsIn(longurl).map((each) => longKey(host, each)),
	];
}

/** A short URL or an alias that was entered, in the form that `linkNames` gives. */
export function linkName(text: string): string {
	const host = isShortUrl(text) ? hostIn(text) : undefined;
	return host === undefined ? aliasKey(text) : shortKey(host, aliasesIn(text).at(-1) ?? '');
}
