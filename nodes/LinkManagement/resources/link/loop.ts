// Refuses a link that would lead to itself: visitors would never arrive.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput } from '../../../shared/operations/operation';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { recordsIn, textIn, textsIn } from '../../../shared/values/json';
import { hostIn, isLoop, linkKey, shortUrlsOf } from '../../values/shortUrl';
import { withTags } from './body';
import { ownAddresses, type LinkRow } from './linkRun';

/** The body of a new link with its tags. @throws Failure if it leads to its own alias */
export function newLinkBody(entered: IDataObject, { baseUrl }: RowInput): IDataObject {
	const body = withTags(entered);
	const alias = textIn(body.custom);
	const shortUrls = alias === undefined ? [] : shortUrlsOf(alias, textIn(body.domain) ?? baseUrl);
	requireNoWayBack(addressesIn(body), shortUrls);
	return body;
}

/**
 * Notes where the link leads, for the rows after it.
 * @param known the link, if it exists
 * @throws Failure if one of its addresses leads back to the link, also by way of links of this run
 */
export function requireNoLoop(body: IDataObject, row: LinkRow, known: IDataObject = {}): void {
	const alias = textIn(body.custom) ?? textIn(known.alias);
	const bases = textsIn(body.domain, hostIn(known.shorturl));
	const likely = bases.length > 0 ? bases : ownAddresses(row);
	const own = alias === undefined ? [] : likely.flatMap((base) => shortUrlsOf(alias, base));
	const shortUrls = [...own, ...textsIn(known.shorturl)];
	const { targets } = row.run;
	const [longUrl = '', ...others] = addressesIn({ ...body, url: body.url ?? known.longurl });
	requireNoWayBack([longUrl, ...others], shortUrls, targets);
	for (const shortUrl of shortUrls) targets.set(linkKey(shortUrl), linkKey(longUrl));
}

/** The long URL, and where visitors of some countries, devices or languages get. */
function addressesIn({ url, geotarget, devicetarget, languagetarget }: IDataObject): string[] {
	const targets = [geotarget, devicetarget, languagetarget].flatMap(recordsIn);
	return textsIn(url, ...targets.map(({ link }) => link));
}

function requireNoWayBack(
	addresses: readonly string[],
	shortUrls: readonly string[],
	targets?: ReadonlyMap<string, string>,
): void {
	const back = addresses.find((address) => isLoop(address, shortUrls, targets));
	if (back === undefined) return;
	throw inputFailure(
		`The link would lead to itself: its long URL is ${quoted(back)}`,
		'Enter the address that visitors are to see. An export may have the short URL in the column of the long one',
	);
}
