// Refuses a link that would lead to itself: visitors would never arrive.

import type { IDataObject } from 'n8n-workflow';

import { type Failure, inputFailure, quoted } from '../../../shared/values/failure';
import { recordsIn, textIn, textsIn } from '../../../shared/values/json';
import { addressBack, hostIn, linkKey, shortUrlsAt } from '../../values/shortUrl';
import { type LinkRow, ownAddresses } from './linkRun';

/** @throws Failure if a new link leads to its own alias, as far as its row shows */
export function requireOtherAddress(body: IDataObject, baseUrl: string): void {
	const addresses = addressesIn(body);
	const shortUrls = shortUrlsAt(textIn(body.custom), [textIn(body.domain) ?? baseUrl]);
	const back = addressBack(addresses, shortUrls);
	if (back !== undefined) throw loopFailure(back);
}

/**
 * Notes where the link leads, for the rows after it.
 * @param known the link, if it exists
 * @throws Failure if one of its addresses leads back to the link, also by way of links of this run
 */
export function requireNoLoop(body: IDataObject, row: LinkRow, known: IDataObject = {}): void {
	const { targets } = row.run;
	// *Keep It*: a link that exists leads where it does now, whatever the row says.
	const isKept = 'id' in known && row.input.parameters.ifExists === 'keep';
	const said = isKept ? {} : body;
	const addresses = addressesIn({ ...said, url: said.url ?? known.longurl });
	const present = textsIn(known.shorturl);
	const stated = textsIn(said.domain, ...present.map(hostIn));
	const likely = stated.length > 0 ? stated : ownAddresses(row);
	const own = shortUrlsAt(textIn(said.custom) ?? textIn(known.alias), likely);
	const shortUrls = [...own, ...present];
	const back = addressBack(addresses, shortUrls, targets);
	if (back !== undefined && !isKept) throw loopFailure(back);
	const [longUrl = ''] = addresses;
	for (const shortUrl of shortUrls) targets.set(linkKey(shortUrl), linkKey(longUrl));
}

/** The long URL, and where visitors of some countries, devices or languages get. */
function addressesIn({ url, geotarget, devicetarget, languagetarget }: IDataObject): string[] {
	const targets = [geotarget, devicetarget, languagetarget].flatMap(recordsIn);
	return textsIn(url, ...targets.map(({ link }) => link));
}

const loopFailure = (address: string): Failure =>
	inputFailure(
		`The link would lead to itself: its long URL is ${quoted(address)}`,
		'Enter the address that visitors are to see. An export may have the short URL in the column of the long one',
	);
