// Refuses a link that would lead to itself: visitors would never arrive.

import type { IDataObject } from 'n8n-workflow';

import type { RowContext } from '../../../shared/operations/operation';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { textIn, textsIn } from '../../../shared/values/json';
import { hostIn, isLoop, shortUrlsOf } from '../../values/shortUrl';
import { linkRunOf, ownAddresses } from './linkRun';

/** @param known the link, if it exists @throws Failure if the long URL leads back to the link, also by way of links of this run */
export function requireNoLoop(
	{ url, custom, domain }: IDataObject,
	row: RowContext,
	known: IDataObject = {},
): void {
	const longUrl = textIn(url) ?? textIn(known.longurl);
	if (longUrl === undefined) return;
	const alias = textIn(custom) ?? textIn(known.alias);
	const bases = textsIn(domain, hostIn(known.shorturl));
	const likely = bases.length > 0 ? bases : ownAddresses(row);
	const own = alias === undefined ? [] : likely.flatMap((base) => shortUrlsOf(alias, base));
	const shortUrls = [...own, ...textsIn(known.shorturl)];
	if (!isLoop(longUrl, shortUrls, linkRunOf(row).targets)) return;
	throw inputFailure(
		`The link would lead to itself: its long URL is ${quoted(longUrl)}`,
		'Enter the address that visitors are to see. An export may have the short URL in the column of the long one',
	);
}
