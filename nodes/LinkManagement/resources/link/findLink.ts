// How *Create or Update* finds the link of a row, with as few requests as it takes.

import type { IDataObject } from 'n8n-workflow';

import { mapIn, textIn } from '../../../shared/values/json';
import { decoded } from '../../../shared/values/text';
import { isBlank } from '../../../shared/values/input';
import { isReadUntil } from '../../records';
import { parseDatetime } from '../../values/dateTime';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import {
	aliasIn,
	aliasNames,
	bareAddress,
	hostIn,
	hyphenated,
	shortUrlOf,
} from '../../values/shortUrl';
import { isOnDomain, mainHost, type LinkRow, readNewest } from './linkRun';

/** The link of a row. `unknown`: a create tells with fewer requests than the list takes. */
export type Found = IDataObject | 'notFound' | 'unknown';

/** @param createsFirst whether the row may be created without knowing that it does not exist */
export async function findLink(
	body: IDataObject,
	row: LinkRow,
	createsFirst: boolean,
): Promise<Found> {
	const alias = row.input.parameters.matchBy === 'longUrl' ? undefined : textIn(body.custom);
	if (alias === undefined) return (await findByLongUrl(body, row)) ?? 'notFound';
	return await findByAlias(alias, textIn(body.domain), row, createsFirst);
}

/** In what is known of the list, by a look-up, or by reading on. @throws Failure if there are several */
export async function findByAlias(
	alias: string,
	domain: string | undefined,
	row: LinkRow,
	createsFirst = false,
): Promise<Found> {
	const { index, rowsLeft } = row;
	const names = aliasNames(alias, domain);
	const accepts = async (link: IDataObject) => await isOnDomain(link, domain, row);
	const isExact = (link: IDataObject) => isAlias(link, alias);
	const findKnown = async () => {
		const known = await index.searchKnown(names, accepts);
		return index.singleRecord(alias, known.filter(isExact));
	};
	const lookUp = async () => {
		const link = await index.lookUpFirst(lookUpUrls(alias, domain, row), rowsLeft);
		return link && (await accepts(link)) ? link : undefined;
	};
	// A look-up that the service ignores shows page 1.
	const found = (await findKnown()) ?? (await lookUp()) ?? (await findKnown());
	if (found) return found;
	if (createsFirst && index.pagesLeft > rowsLeft) return 'unknown';
	await readNewest(row);
	if (index.pagesLeft > rowsLeft && (await index.findsAll())) return 'notFound';
	// The alias as a service rewrites it counts only if no link has it as it was entered.
	const records = await index.search(names, accepts, isExact);
	return index.singleRecord(alias, records) ?? 'notFound';
}

/** As it was entered, and as most services rewrite it. */
function lookUpUrls(alias: string, domain: string | undefined, row: LinkRow): string[] {
	const { baseUrl } = row.session.connection;
	const host = mainHost(row);
	const start = bareAddress(domain ?? (host === hostIn(baseUrl) ? baseUrl : (host ?? baseUrl)));
	const forms = new Set([decoded(alias), hyphenated(alias)]);
	return [...forms].map((form) => shortUrlOf(`${start}/${encodeURIComponent(form)}`, baseUrl));
}

const isAlias = ({ alias, shorturl }: IDataObject, entered: string): boolean =>
	decoded(textIn(alias) ?? aliasIn(shorturl, entered) ?? '').toLowerCase() ===
	decoded(entered).toLowerCase();

/** The oldest one. A service may have the parameters of a link in its long URL. */
async function findByLongUrl(body: IDataObject, row: LinkRow): Promise<IDataObject | undefined> {
	await readSince(row);
	const domain = textIn(body.domain);
	for (const address of addressesOf(body)) {
		for (const link of row.index.withName(canonicalUrl(address))) {
			if (await isOnDomain(link, domain, row)) return link;
		}
	}
	return undefined;
}

/** Reads the list to its end, or, if it has the newest first, to the links created before *Created After*. */
async function readSince({ index, input }: LinkRow): Promise<void> {
	const { matchCreatedAfter: entered } = mapIn(input.parameters.options);
	const since = isBlank(entered) ? undefined : parseDatetime('Created After', entered, input.zones);
	while (since === undefined || !isReadUntil(index.lastRecords, since)) {
		if (!(await index.readNextPage())) return;
	}
}
