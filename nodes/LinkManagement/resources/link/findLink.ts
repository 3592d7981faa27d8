// How *Create or Update* finds the link of a row, with as few requests as it takes.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { RowContext } from '../../../shared/operations/operation';
import { mapIn, textIn } from '../../../shared/values/json';
import { isBlank } from '../../../shared/values/input';
import { shortUrlOf } from '../../lookUpLink';
import { links } from '../../serviceLists';
import { parseDatetime } from '../../values/dateTime';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasName, rewrittenAlias, shortUrlsOf } from '../../values/shortUrl';
import { isOnDomain, linkRunOf, mainHost } from './linkRun';

/** The link of a row. `notFound`: the list has none. `unknown`: a create tells with fewer requests than the list takes. */
export type Found = IDataObject | 'notFound' | 'unknown';

/** @param createsFirst whether the row may be created without knowing that it does not exist */
export async function findLink(
	body: IDataObject,
	row: RowContext,
	createsFirst: boolean,
): Promise<Found> {
	const alias = row.input.parameter('matchBy') === 'longUrl' ? undefined : textIn(body.custom);
	if (alias === undefined) return (await findByLongUrl(body, row)) ?? 'notFound';
	const domain = textIn(body.domain);
	const found = await findWithoutReading(alias, domain, row);
	if (found) return found;
	const isCheaper = row.list(links).pagesLeft > row.rowsLeft + 1;
	if (createsFirst && isCheaper) return 'unknown';
	return (await findInList(alias, domain, row)) ?? 'notFound';
}

/** In what is known of the list, or by a look-up of the short URL. */
async function findWithoutReading(
	alias: string,
	domain: string | undefined,
	row: RowContext,
): Promise<IDataObject | undefined> {
	const index = row.list(links);
	const known = await searchAlias(alias, domain, row, 'known');
	if (known) return known;
	const { baseUrl } = row.session.connection;
	const rows = row.rowsLeft + 1;
	const host = lookedUpHost(domain, row);
	const shortUrls = shortUrlsOf(alias, host).map((each) => shortUrlOf(each, baseUrl));
	const found = await index.lookUpFirst([...new Set(shortUrls)], rows);
	if (found) return found;
	return await searchAlias(alias, domain, row, 'known');
}

/** Where a link of the row may be. */
function lookedUpHost(domain: string | undefined, row: RowContext): string {
	const [created] = linkRunOf(row).createdHosts;
	return domain ?? created ?? mainHost(row) ?? row.session.connection.baseUrl;
}

/** @throws Failure if there are several */
export const findInList = async (
	alias: string,
	domain: string | undefined,
	row: RowContext,
): Promise<IDataObject | undefined> => await searchAlias(alias, domain, row, 'all');

async function searchAlias(
	alias: string,
	domain: string | undefined,
	row: RowContext,
	scan: 'known' | 'all',
): Promise<IDataObject | undefined> {
	const index = row.list(links);
	const names = [alias, rewrittenAlias(alias)].map((each) => aliasName(each, domain));
	const accepts = async (link: IDataObject) => await isOnDomain(link, domain, row);
	return index.singleRecord(alias, await index.search(names, accepts, scan));
}

/** The oldest one. A service may have the parameters of a link in its long URL. */
async function findByLongUrl(body: IDataObject, row: RowContext): Promise<IDataObject | undefined> {
	const index = row.list(links);
	await readSince(index, row);
	const domain = textIn(body.domain);
	for (const address of addressesOf(body)) {
		for (const link of index.withName(canonicalUrl(address))) {
			if (await isOnDomain(link, domain, row)) return link;
		}
	}
	return undefined;
}

/** Reads the list to its end, or, if it has the newest first, to the links created before *Created After*. */
async function readSince(index: RecordIndex, { input }: RowContext): Promise<void> {
	const { matchCreatedAfter: entered } = mapIn(input.parameter('options'));
	const since = isBlank(entered) ? undefined : parseDatetime('Created After', entered, input.zones);
	while (since === undefined || !index.isReadUntil(since)) {
		if (!(await index.readNextPage())) return;
	}
}
