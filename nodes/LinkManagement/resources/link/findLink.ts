// How *Create or Update* finds the link of a row, with as few requests as it takes.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import { mapIn, textIn } from '../../../shared/values/json';
import { decoded } from '../../../shared/values/text';
import { isBlank } from '../../../shared/values/input';
import { isReadUntil } from '../../records';
import { parseDatetime } from '../../values/dateTime';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasIn, aliasNames, lookUpUrls, rewrittenAlias } from '../../values/shortUrl';
import { isOnDomain, mainHost, type LinkRow, readFirstPage } from './linkRun';

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
	const domain = textIn(body.domain);
	const found = await findWithoutReading(wantedLink(alias, domain, row), createsFirst, row);
	if (found) return found;
	if (createsFirst && row.index.pagesLeft > row.rowsLeft) return 'unknown';
	return (await findByAlias(alias, domain, row)) ?? 'notFound';
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

/** In what is known of the list, or by a look-up. @param asksOnce whether only the usual form of the alias is looked up */
async function findWithoutReading(
	wanted: WantedLink,
	asksOnce: boolean,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const known = await findKnown(wanted, row);
	if (known) return known;
	const { shortUrls } = wanted;
	const asked = asksOnce ? shortUrls.slice(0, 1) : shortUrls;
	const found = await lookUp(asked, wanted, row);
	if (found) return (await isOnDomain(found, wanted.domain, row)) ? found : undefined;
	// A look-up that the service ignores shows page 1.
	return await findKnown(wanted, row);
}

/** @returns undefined also if a later page may have the alias as it was entered */
async function findKnown(
	{ alias, domain, names }: WantedLink,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const accepts = async (link: IDataObject) => await isOnDomain(link, domain, row);
	const records = await row.index.searchKnown(names, accepts);
	const found = row.index.singleRecord(alias, records);
	return found && isFinal(found, alias, row) ? found : undefined;
}

/** Where one look-up finds the alias in another form, another one asks for it as it was entered: that link may exist, too. */
async function lookUp(
	asked: readonly string[],
	{ alias, shortUrls }: WantedLink,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const { index, run, rowsLeft } = row;
	const found = await index.lookUpFirst(asked, rowsLeft);
	if (!found || isAlias(found, alias) || run.rewritesAliases) return found;
	const exact = await index.lookUpFirst(shortUrls.slice(1), rowsLeft);
	run.rewritesAliases = exact === undefined || exact.id === found.id;
	return exact ?? found;
}

/** With page 1, which shows where new links are, and, if no look-up can tell, with the whole list. @throws Failure if there are several */
export async function findByAlias(
	alias: string,
	domain: string | undefined,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	await readFirstPage(row);
	const { index } = row;
	const wanted = wantedLink(alias, domain, row);
	const found = await lookUp(wanted.shortUrls, wanted, row);
	const accepts = async (link: IDataObject) => await isOnDomain(link, domain, row);
	if (found && (await accepts(found))) return found;
	if (!found && index.pagesLeft > row.rowsLeft && (await index.findsAll())) return undefined;
	const ends = (link: IDataObject) => isFinal(link, alias, row);
	return index.singleRecord(alias, await index.search(wanted.names, accepts, ends));
}

const isAlias = ({ alias, shorturl }: IDataObject, entered: string): boolean =>
	decoded(textIn(alias) ?? aliasIn(shorturl, entered) ?? '').toLowerCase() ===
	decoded(entered).toLowerCase();

/** Whether no better link may follow: it has the alias as it was entered, or the service rewrites all, as far as the list shows. */
const isFinal = (link: IDataObject, entered: string, { index }: LinkRow): boolean =>
	isAlias(link, entered) ||
	index.known.every(({ alias }) => {
		const text = decoded(textIn(alias) ?? '').toLowerCase();
		return text === rewrittenAlias(text);
	});

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
	while (since === undefined || !isReadUntil(index.lastRecords, since)) {
		if (!(await index.readNextPage())) return;
	}
}
