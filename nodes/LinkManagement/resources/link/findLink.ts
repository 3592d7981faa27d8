// How *Create or Update* finds the link of a row.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { RowContext } from '../../../shared/operations/operation';
import { textIn } from '../../../shared/values/json';
import { domainsByHost } from '../../serviceLists';
import { hostIn } from '../../values/shortUrl';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasName } from '../../values/alias';

/** The link of a row in a list of `linksByAliasOrUrl`: by its alias, or by its long URL. */
export async function findLink(
	body: IDataObject,
	index: RecordIndex,
	row: RowContext,
): Promise<IDataObject | undefined> {
	const alias = row.input.parameter('matchBy') === 'longUrl' ? undefined : textIn(body.custom);
	return alias === undefined
		? await findByLongUrl(body, index, row)
		: await findByAlias(alias, textIn(body.domain), index, row);
}

/** @throws Failure if there are several */
async function findByAlias(
	alias: string,
	domain: string | undefined,
	index: RecordIndex,
	row: RowContext,
): Promise<IDataObject | undefined> {
	const found: IDataObject[] = [];
	const scan = domain === undefined ? 'all' : 'first';
	for (const link of await index.all(aliasName(alias, domain), scan)) {
		if (await isOnDomain(link, domain, row)) found.push(link);
	}
	return index.singleRecord(alias, found);
}

/** The oldest one. A service may have the parameters of a link in its long URL. */
async function findByLongUrl(
	body: IDataObject,
	index: RecordIndex,
	row: RowContext,
): Promise<IDataObject | undefined> {
	for (const address of addressesOf(body)) {
		for (const link of await index.all(canonicalUrl(address), 'all')) {
			if (await isOnDomain(link, textIn(body.domain), row)) return link;
		}
	}
	return undefined;
}

/** Whether a link is on the domain of a row; without one, on a host that is none of the account's branded domains. */
async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	{ list, session: { connection } }: RowContext,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	if (host === hostIn(domain ?? connection.baseUrl)) return true;
	return domain === undefined && (await list(domainsByHost).all(host, 'first')).length === 0;
}
