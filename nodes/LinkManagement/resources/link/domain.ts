// The domain of a link as the account's list spells it: some services compare texts.

import type { IDataObject } from 'n8n-workflow';

import { toFailure } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import { urlIn } from '../../../shared/values/webAddress';
import { domainsByHost } from '../../serviceLists';
import { hostIn } from '../../values/shortUrl';
import type { LinkRow } from './linkRow';

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
	if (body.domain === undefined) return body;
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
