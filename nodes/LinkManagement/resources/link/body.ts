// Writes the body of a request about a link: its alias alone, its domain as the account spells it, and its tags.

import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../shared/operations/operation';
import { fieldFailure, inputFailure, quoted, toFailure } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import { urlIn } from '../../../shared/values/webAddress';
import { domainsByHost } from '../../serviceLists';
import {
	aliasIn,
	hostIn,
	isShortUrl,
	isShortUrlOf,
	pathOf,
	shortUrlOf,
} from '../../values/shortUrl';
import type { LinkRow } from './linkRow';
import { withTags } from './utm';

export const linkBody = (entered: IDataObject, row: Row): IDataObject =>
	withTags(withAddress(entered, row));

/** The body of a new link. @throws Failure if it leads to its own alias */
export function newLinkBody(entered: IDataObject, row: Row): IDataObject {
	const body = withAddress(entered, row);
	const base = textIn(body.domain) ?? row.shortBase;
	requireOtherAddress(body.url, base, body.custom);
	return withTags(body);
}

/** @throws Failure if a link would lead to itself: an export may have the short URL in the column of the long one */
export function requireOtherAddress(url: unknown, shorturl: unknown, custom: unknown): void {
	const address = textIn(url);
	const alias = textIn(custom) ?? aliasIn(shorturl);
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
	const alias = textIn(body.custom);
	const whole = [alias, textIn(columns && json.shorturl)].find(
		(text) => text !== undefined && isShortUrl(text),
	);
	if (whole === undefined) return body;
	const host = hostIn(whole);
	const stated =
		host === hostIn(shortBase) ? {} : { domain: new URL(shortUrlOf(whole, shortBase)).origin };
	const named: IDataObject = { ...stated, ...body };
	if (alias !== whole) return named;
	if (hostIn(named.domain ?? shortBase) !== host)
		throw fieldFailure(
			'Custom Alias',
			`is on another domain than ${quoted(named.domain)}: ${quoted(alias)}`,
		);
	return { ...named, custom: pathOf(whole, shortBase) };
}

/** As the list spells it; undefined if the list leaves it out, or is refused: a plan may have no domains. */
async function listedDomain(host: string, row: LinkRow): Promise<string | undefined> {
	try {
		const [listed] = await row.list(domainsByHost).all(host, 'first');
		return textIn(listed?.domain);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.mayBeRefusal) return undefined;
		throw failure;
	}
}

/** The body with its domain as the list spells it, or else as it was entered. */
export async function withDomain(body: IDataObject, row: LinkRow): Promise<IDataObject> {
	const host = hostIn(body.domain);
	if (host === undefined || host === hostIn(row.shortBase)) return body;
	const domain = await listedDomain(host, row);
	if (domain === undefined) row.notes.push(`The account's list of domains does not have ${host}`);
	return domain === undefined ? body : { ...body, domain };
}

/** The domain that a link has, as it is sent; undefined for a link without one. */
export async function domainOf(
	{ shorturl }: IDataObject,
	row: LinkRow,
): Promise<string | undefined> {
	const host = hostIn(shorturl);
	if (host === undefined || host === hostIn(row.shortBase)) return undefined;
	return (await listedDomain(host, row)) ?? urlIn(textIn(shorturl) ?? '')?.origin;
}
