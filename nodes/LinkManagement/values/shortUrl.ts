// Short URLs and their aliases: how people write them, and how services rewrite them.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseNumericLine } from '../../shared/values/input';
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
	const entered = decoded(parseNumericLine(label, value));
	const own = bareAddress(base);
	const isOwn = `${bareAddress(entered)}/`.startsWith(`${own}/`);
	if (!isOwn && isShortUrl(entered))
		throw fieldFailure(
			label,
			`is a short URL on another domain than ${own}: ${quoted(entered)}`,
			'Enter only its last part, or set the domain of the link, too',
		);
	const alias = isOwn ? bareAddress(entered).slice(own.length + 1) : entered;
	if (rewrittenAlias(alias) !== '') return alias;
	const what = `has no alias with a letter or digit: ${quoted(entered)}`;
	throw fieldFailure(label, what, 'Enter another alias');
}

/** A short URL with its scheme. An alias alone is one of the service's own host. */
export function shortUrlOf(name: string, baseUrl: string): string {
	if (/^https?:\/\//i.test(name)) return name;
	if (!isShortUrl(name)) return `${baseUrl}/${encodeURIComponent(name)}`;
	const isOwn = hostIn(name) === hostIn(baseUrl);
	return isOwn ? `${new URL(baseUrl).protocol}//${name}` : `https://${name}`;
}

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
	const form = isShortUrl(name) ? `${start}${rewrittenAlias(alias)}` : rewrittenAlias(name);
	return form === name.toLowerCase() ? [] : [form];
}

/** Whether a service may have written an alias in this way; some leave out the marks of letters. */
export const isWrittenAs = (alias: string, written: string): boolean =>
	withoutMarks(rewrittenAlias(alias)) === withoutMarks(rewrittenAlias(written));

const withoutMarks = (text: string): string => normalized(text, 'NFD').replace(/\p{M}/gu, '');

/** What the list may call a link with an alias: as it was entered, then as services rewrite it; on a domain, or on any. */
export const aliasNames = (alias: string, domain?: string): string[] =>
	[decoded(alias), rewrittenAlias(alias)].map((each) =>
		domain === undefined ? each : `${hostIn(domain) ?? ''}/${each}`,
	);

/** A link is named by its short URL, which no other has, by the alias, alone or on its host, and by its long URL. */
export const linkNames = (link: IDataObject): string[] => {
	const { alias = aliasIn(link.shorturl) } = link;
	const aliases = textsIn(alias).map(decoded);
	const host = hostIn(link.shorturl);
	return [
		...aliases,
		...aliases.flatMap((each) => (host === undefined ? [] : [`${host}/${each}`])),
		...textsIn(link.shorturl).map(bareAddress),
		...textsIn(link.longurl).map(canonicalUrl),
	];
};

/** A name that was entered, in the form that `linkNames` gives. */
export const linkName = (text: string): string =>
	isShortUrl(text) ? bareAddress(text) : decoded(text);

/** A short URL for comparison: host and path, in one case, because services ignore it. */
export const linkKey = (address: string): string =>
	withoutTrailingSlashes(lowerCase(bareAddress(address)));
