import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { Item } from '../../../shared/operations/item';
import { textIn } from '../../../shared/values/json';
import { aliasName, domainsByHost, rewrittenAlias } from '../../lists';
import { aliasIn, hostIn } from '../../records';
import { addressesOf, leadsTo } from './result';

/** How *Create or Update* finds the link of a row. */

/** The link with the alias of a row. @throws Failure if there are several */
export async function findByAlias(
	{ custom, domain }: IDataObject,
	index: RecordIndex,
	item: Item,
): Promise<IDataObject | undefined> {
	const alias = textIn(custom) ?? '';
	const entered = textIn(domain);
	const found: IDataObject[] = [];
	for (const link of await index.all(aliasName(alias, entered), entered === undefined)) {
		if (await isOnDomain(link, entered, item)) found.push(link);
	}
	return index.singleRecord(alias, found);
}

/** A service may have the parameters of a link in its long URL. */
export async function findByLongUrl(
	body: IDataObject,
	index: RecordIndex,
	item: Item,
): Promise<IDataObject | undefined> {
	for (const name of addressesOf(body)) {
		for (const link of await index.all(name, true)) {
			if (await isOnDomain(link, textIn(body.domain), item)) return link;
		}
	}
	return undefined;
}

/**
 * Whether a link is on the domain of a row; without one, on the service's own domain. The branded domains are read only for
 * a link that is not on the base URL's host.
 */
async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	{ shared, connection }: Item,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	if (host === hostIn(domain ?? connection.baseUrl)) return true;
	return (
		domain === undefined && (await shared.indexOf(domainsByHost).all(host, false)).length === 0
	);
}

/**
 * The link that a service made of a row and gave another spelling of its alias. Others with such an alias, which lead
 * elsewhere, are `similar`.
 */
export async function findRewritten(
	body: IDataObject,
	index: RecordIndex,
	item: Item,
): Promise<{ found: IDataObject | undefined; similar: IDataObject | undefined }> {
	const alias = textIn(body.custom) ?? '';
	const domain = textIn(body.domain);
	const similar: IDataObject[] = [];
	for (const link of index.near(aliasName(alias, domain))) {
		const present = textIn(link.alias) ?? aliasIn(link.shorturl) ?? '';
		const isSimilar = rewrittenAlias(present) === rewrittenAlias(alias);
		if (isSimilar && (await isOnDomain(link, domain, item))) similar.push(link);
	}
	const same = similar.filter(({ longurl }) => leadsTo(longurl, body));
	return { found: same.length === 1 ? same[0] : undefined, similar: similar[0] };
}
