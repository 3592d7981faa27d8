// Aliases of links: as people enter them, as services rewrite them, and the names by which links are found.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseName, parseNumericLine } from '../../shared/values/input';
import { textsIn } from '../../shared/values/json';
import { normalized } from '../../shared/values/text';
import { aliasIn, bareAddress, decoded, hostIn, isShortUrl } from './shortUrl';

/**
 * An alias, also of a whole short URL.
 * @param base the domain that the link is to have, or the service's own address
 * @throws Failure if the short URL is on another one
 */
export function parseAlias(label: string, value: unknown, base: string): string {
	const entered = parseNumericLine(label, parseName(label, value));
	if (!/^https?:\/\//i.test(entered) && !isShortUrl(entered)) return entered;
	const address = bareAddress(entered);
	const starts = [bareAddress(base), hostIn(base) ?? ''].map((start) => `${start}/`);
	const start = starts.find((each) => address.startsWith(each));
	if (start !== undefined) return address.slice(start.length);
	throw fieldFailure(
		label,
		`is a short URL on another domain than ${bareAddress(base)}: ${quoted(entered)}`,
		'Enter only its last part, or set the domain of the link, too',
	);
}

/** The short URLs that a link with an alias may get. @param base as of `parseAlias` */
export const shortUrlsOf = (alias: string, base: string): string[] =>
	[alias, rewrittenAlias(alias)].map((each) => `${bareAddress(base)}/${encodeURIComponent(each)}`);

/** The alias of a record, as a list. */
export const aliasesOf = ({ alias, shorturl }: IDataObject): string[] =>
	textsIn(alias ?? aliasIn(shorturl)).map(decoded);

/** An alias as services rewrite it, for comparison: they ignore case. */
export const rewrittenAlias = (alias: string): string =>
	decoded(alias)
		.toLowerCase()
		.replace(/[\s!"#$%&'()*+,\-./_|]+/g, '-')
		.replace(/^-|-$/g, '');

/** Whether a service may have written an alias in this way; some leave out the marks of letters. */
export const isWrittenAs = (alias: string, written: string): boolean =>
	withoutMarks(rewrittenAlias(alias)) === withoutMarks(rewrittenAlias(written));

const withoutMarks = (text: string): string => normalized(text, 'NFD').replace(/\p{M}/gu, '');

/** An alias on a domain; without a domain, on any. */
export const aliasName = (alias: string, domain?: string): string =>
	domain === undefined ? decoded(alias) : `//${hostIn(domain) ?? domain}/${decoded(alias)}`;
