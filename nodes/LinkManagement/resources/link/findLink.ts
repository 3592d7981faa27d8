// How *Create or Update* finds the link of a row, with as few requests as it takes.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import { mapIn, textIn } from '../../../shared/values/json';
import { isBlank } from '../../../shared/values/input';
import { parseDatetime } from '../../values/dateTime';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasNames, lookUpUrls } from '../../values/shortUrl';
import { isOnDomain, mainHost, type LinkRow } from './linkRun';

/** The link of a row. `notFound`: the list has none. `unknown`: a create tells with fewer requests than the list takes. */
export type Found = IDataObject | 'notFound' | 'unknown';

/** @param createsFirst whether the row may be created without knowing that it does not exist */
export async function findLink(
	body: IDataObject,
	row: LinkRow,
	createsFirst: boolean,
): Promise<Found> {
	const alias = row.input.parameters.matchBy === 'longUrl' ? undefined : textIn(body.custom);
	if (alias === undefined) return (await findByLongUrl(body, row)) ?? 'notFound';
	const wanted = wantedLink(alias, textIn(body.domain), row);
	const { shortUrls } = wanted;
	const found = await findWithoutReading(
		{ ...wanted, shortUrls: createsFirst ? shortUrls.slice(0, 1) : shortUrls },
		row,
	);
	if (found) return found;
	const isCheaper = row.index.pagesLeft > row.rowsLeft + 1;
	if (createsFirst && isCheaper) return 'unknown';
	return (await searchAlias(wanted, row, 'all')) ?? 'notFound';
}

/** A link by its alias. */
interface WantedLink {
	alias: string;
	domain: string | undefined;
	/** What the list may call it. */
	names: readonly string[];
	/** By what it may be looked up: as most services with a look-up rewrite the alias, then as it was entered. */
	shortUrls: readonly string[];
}

function wantedLink(alias: string, domain: string | undefined, row: LinkRow): WantedLink {
	const { baseUrl } = row.session.connection;
	const [created] = row.run.createdHosts;
	const host = domain ?? created ?? mainHost(row) ?? baseUrl;
	const shortUrls = lookUpUrls(alias, host, baseUrl);
	return { alias, domain, names: aliasNames(alias, domain), shortUrls };
}

/** In what is known of the list, or by a look-up. */
async function findWithoutReading(
	wanted: WantedLink,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const known = await searchAlias(wanted, row, 'known');
	if (known) return known;
	const found = await row.index.lookUpFirst(wanted.shortUrls, row.rowsLeft + 1);
	// A look-up that the service ignores shows page 1.
	return found ?? (await searchAlias(wanted, row, 'known'));
}

/** The link whose alias a create was refused for. @throws Failure if there are several */
export async function findTaken(
	alias: string,
	domain: string | undefined,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const wanted = wantedLink(alias, domain, row);
	const [, ...asEntered] = wanted.shortUrls;
	const found = await row.index.lookUpFirst(asEntered, row.rowsLeft + 1);
	return found ?? (await searchAlias(wanted, row, 'all'));
}

/** @throws Failure if there are several */
async function searchAlias(
	{ alias, domain, names }: WantedLink,
	row: LinkRow,
	scan: 'known' | 'all',
): Promise<IDataObject | undefined> {
	const { index } = row;
	const accepts = async (link: IDataObject) => await isOnDomain(link, domain, row);
	return index.singleRecord(alias, await index.search(names, accepts, scan));
}

/** The oldest one. A service may have the parameters of a link in its long URL. */
async function findByLongUrl(body: IDataObject, row: LinkRow): Promise<IDataObject | undefined> {
	const { index } = row;
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
async function readSince(index: RecordIndex, { input }: LinkRow): Promise<void> {
	const { matchCreatedAfter: entered } = mapIn(input.parameters.options);
	const since = isBlank(entered) ? undefined : parseDatetime('Created After', entered, input.zones);
	while (since === undefined || !index.isReadUntil(since)) {
		if (!(await index.readNextPage())) return;
	}
}
