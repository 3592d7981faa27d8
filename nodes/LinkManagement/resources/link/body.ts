// Writes the body of a request about a link: parameters, pixels, and the domain of a whole short URL.

import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../shared/operations/operation';
import { fieldFailure, inputFailure, quoted } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import {
	aliasIn,
	bareAddress,
	hostIn,
	isShortUrl,
	isShortUrlOf,
	shortUrlOf,
} from '../../values/shortUrl';
import { withTags } from './utm';

/** The body of a link: with its alias alone, its domain, and its tags. */
export const linkBody = (entered: IDataObject, row: Row): IDataObject =>
	withTags(withAddress(entered, row));

/** The body of a new link. @throws Failure if it leads to its own alias */
export function newLinkBody(entered: IDataObject, row: Row): IDataObject {
	const body = withAddress(entered, row);
	const base = textIn(body.domain) ?? row.shortBase;
	requireOtherAddress(body, { shorturl: `${base}/`, alias: body.custom });
	return withTags(body);
}

/** @throws Failure if a link would lead to itself: an export may have the short URL in the column of the long one */
export function requireOtherAddress(
	{ url }: IDataObject,
	{ shorturl, alias: known }: IDataObject,
): void {
	const address = textIn(url);
	const alias = textIn(known) ?? aliasIn(shorturl);
	if (address === undefined || alias === undefined) return;
	if (!isShortUrlOf(address, hostIn(shorturl) ?? '', alias)) return;
	throw inputFailure(
		`The link would lead to itself: its long URL is ${quoted(address)}`,
		'Enter the address that visitors are to see',
	);
}

/**
 * The body with its alias alone. A whole short URL says the domain, too, if the row does not: as alias, or in the column `shorturl`, as
 * *Get Many* outputs it. @throws Failure if alias and domain say different domains
 */
function withAddress(body: IDataObject, { columns, json, shortBase }: Row): IDataObject {
	const { custom, ...others } = body;
	const alias = textIn(custom);
	const whole = [alias, textIn(columns && json.shorturl)].find(
		(text) => text !== undefined && isShortUrl(text),
	);
	if (whole === undefined) return body;
	const host = hostIn(whole);
	const stated =
		host === hostIn(shortBase) ? undefined : new URL(shortUrlOf(whole, shortBase)).origin;
	const domain = others.domain ?? stated;
	const named = domain === undefined ? {} : { domain };
	if (alias !== whole) return { ...body, ...named };
	if (hostIn(domain ?? shortBase) !== host)
		throw fieldFailure(
			'Custom Alias',
			`is on another domain than ${quoted(domain)}: ${quoted(alias)}`,
		);
	return { ...others, ...named, custom: pathOf(whole, shortBase) };
}

/** The alias in a short URL: what follows the host, and the folder of the service. */
function pathOf(shortUrl: string, base: string): string {
	const address = bareAddress(shortUrl);
	const start = bareAddress(base);
	return address.startsWith(`${start}/`)
		? address.slice(start.length + 1)
		: address.slice(address.indexOf('/') + 1);
}
