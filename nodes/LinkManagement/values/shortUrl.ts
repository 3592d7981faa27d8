// Short URLs and their aliases: how people write them, how services rewrite them, and whether a long URL leads back to one.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseName, parseNumericLine } from '../../shared/values/input';
import { textIn, textsIn } from '../../shared/values/json';
import { decoded, lowerCase, normalized } from '../../shared/values/text';
import { urlIn, withoutTrailingSlashes } from '../../shared/values/webAddress';
import { canonicalUrl } from './longUrl';

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
	return url ? `${hostIn(address)}${decoded(url.pathname)}`.replace(/\/$/, '') : address;
}

/** A short URL has a host, which has a dot or a port; an alias may have slashes, too. */
export const isShortUrl = (text: string): boolean => {
	const [host = '', ...path] = text.split('/');
	return path.length > 0 && /[.:]/.test(host);
};

/**
 * An alias, also of a whole short URL.
 * @param base the domain that the link is to have, or the service's own address
 * @throws Failure if the short URL is on another one
 */
export function parseAlias(label: string, value: unknown, base: string): string {
	const entered = decoded(parseNumericLine(label, parseName(label, value)));
	const url = entered.replaceAll('\\', '/').replace(/^(?:https?:?)?\/\//i, 'https://');
	const address = bareAddress(url);
	const places = [bareAddress(base), hostIn(base) ?? ''];
	const place = places.find((each) => `${address}/`.startsWith(`${each}/`));
	if (place === undefined && isShortUrl(url))
		throw fieldFailure(
			label,
			`is a short URL on another domain than ${bareAddress(base)}: ${quoted(entered)}`,
			'Enter only its last part, or set the domain of the link, too',
		);
	const alias = place === undefined ? entered : address.slice(place.length + 1);
	if (rewrittenAlias(alias) !== '') return alias;
	const what = `has no alias with a letter or digit: ${quoted(entered)}`;
	throw fieldFailure(label, what, 'Enter another alias');
}

/** The short URLs that a link with an alias may get. @param base as of `parseAlias` */
export const shortUrlsOf = (alias: string, base: string): string[] =>
	[alias, rewrittenAlias(alias)].map((each) => `${bareAddress(base)}/${encodeURIComponent(each)}`);

/** A short URL with its scheme. An alias alone is one of the service's own host. */
export function shortUrlOf(name: string, baseUrl: string): string {
	if (/^https?:\/\//i.test(name)) return name;
	if (!isShortUrl(name)) return `${baseUrl}/${encodeURIComponent(name)}`;
	const isOwn = hostIn(name) === hostIn(baseUrl);
	return isOwn ? `${new URL(baseUrl).protocol}//${name}` : `https://${name}`;
}

/** The short URLs by which a link is looked up: with its alias as most services rewrite it, then as it was entered. */
export function lookUpUrls(alias: string, host: string, baseUrl: string): string[] {
	const shortUrls = shortUrlsOf(alias, host).map((each) => shortUrlOf(each, baseUrl));
	return [...new Set(shortUrls.toReversed())];
}

/** The same on several domains. */
export const shortUrlsAt = (alias: string | undefined, bases: readonly string[]): string[] =>
	alias === undefined ? [] : bases.flatMap((base) => shortUrlsOf(alias, base));

/** The alias of a record, as a list. */
const aliasesOf = ({ alias, shorturl }: IDataObject): string[] =>
	textsIn(alias ?? aliasIn(shorturl)).map(decoded);

/** An alias as most services rewrite it. */
export const hyphenated = (alias: string): string =>
	decoded(alias)
		.replace(/[\s!"#$%&'()*+,\-./_|]+/g, '-')
		.replace(/^-|-$/g, '');

/** The same for comparison: services ignore case. */
export const rewrittenAlias = (alias: string): string => hyphenated(alias).toLowerCase();

/** An alias, or a bare short URL, as a service may have rewritten it. */
export function rewrittenForms(name: string): string[] {
	const [start = '', alias = ''] = /^(.*\/)?([^/]*)$/.exec(name)?.slice(1) ?? [];
	const written = rewrittenAlias(isShortUrl(name) ? alias : name);
	const form = isShortUrl(name) ? `${start}${written}` : written;
	return form === name.toLowerCase() ? [] : [form];
}

/** Whether a service may have written an alias in this way; some leave out the marks of letters. */
export const isWrittenAs = (alias: string, written: string): boolean =>
	withoutMarks(rewrittenAlias(alias)) === withoutMarks(rewrittenAlias(written));

const withoutMarks = (text: string): string => normalized(text, 'NFD').replace(/\p{M}/gu, '');

/** An alias on a domain; without a domain, on any. */
const aliasName = (alias: string, domain?: string): string =>
	domain === undefined ? decoded(alias) : `//${hostIn(domain) ?? ''}/${decoded(alias)}`;

/** An alias as it was entered, and as services rewrite it; on a domain, or on any. */
export const aliasNames = (alias: string, domain?: string): string[] =>
	[alias, rewrittenAlias(alias)].map((each) => aliasName(each, domain));

/** A link is named by its short URL, which no other has, by the alias, alone or on its domain, and by its long URL. */
export const linkNames = (link: IDataObject): string[] => [
	...aliasesOf(link).flatMap((alias) => [
		alias,
		...textsIn(hostIn(link.shorturl)).map((host) => aliasName(alias, host)),
	]),
	...textsIn(link.shorturl).map(bareAddress),
	...textsIn(link.longurl).map(canonicalUrl),
];

/** A name that was entered, in the form that `linkNames` gives. */
export const linkName = (text: string): string =>
	isShortUrl(text) ? bareAddress(text) : decoded(text);

/** The name of a page as a short URL has it: host and path, in one case, because services ignore it. */
export const linkKey = (address: string): string =>
	withoutTrailingSlashes(lowerCase(bareAddress(address)));

/**
 * The first of the addresses of a link from which visitors would come back to it, also by way of other links.
 * @param shortUrls of the link, in all forms that it may get
 * @param targets of other links: by `linkKey` of a short URL, that of its long URL
 */
export const addressBack = (
	addresses: readonly string[],
	shortUrls: readonly string[],
	targets: ReadonlyMap<string, string> = new Map(),
): string | undefined => addresses.find((address) => isLoop(address, shortUrls, targets));

function isLoop(
	longUrl: string,
	shortUrls: readonly string[],
	targets: ReadonlyMap<string, string>,
): boolean {
	const visited = new Set<string>();
	let next: string | undefined = linkKey(longUrl);
	while (next !== undefined && !visited.has(next)) {
		visited.add(next);
		next = targets.get(next);
	}
	return shortUrls.some((shortUrl) => visited.has(linkKey(shortUrl)));
}
