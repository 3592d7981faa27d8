// How *Create or Update* finds the link of a row.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { Row } from '../../../shared/operations/row';
import { textIn } from '../../../shared/values/json';
import { aliasName, domainsByHost } from '../../lists';
import { hostIn } from '../../records';
import { addressesOf } from './result';

/** The link with the alias of a row. @throws Failure if there are several */
export async function findByAlias(
	{ custom, domain }: IDataObject,
	index: RecordIndex,
	row: Row,
): Promise<IDataObject | undefined> {
	const alias = textIn(custom) ?? '';
	const entered = textIn(domain);
	const found: IDataObject[] = [];
	for (const link of await index.all(aliasName(alias, entered), entered === undefined)) {
		if (await isOnDomain(link, entered, row)) found.push(link);
	}
	return index.singleRecord(alias, found);
}

/** The oldest link to the long URL of a row. A service may have the parameters of a link in its long URL. */
export async function findByLongUrl(
	body: IDataObject,
	index: RecordIndex,
	row: Row,
): Promise<IDataObject | undefined> {
	for (const name of addressesOf(body)) {
		for (const link of await index.all(name, true)) {
			if (await isOnDomain(link, textIn(body.domain), row)) return link;
		}
	}
	return undefined;
}

/** Whether a link is on the domain of a row; without one, on a host that is none of the account's branded domains. */
async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	{ list, connection }: Row,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	if (host === hostIn(domain ?? connection.baseUrl)) return true;
	return domain === undefined && (await list(domainsByHost).all(host, false)).length === 0;
}
