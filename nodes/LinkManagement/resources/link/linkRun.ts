// What the rows of a run learn about the service, for those after them.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { RowContext } from '../../../shared/operations/operation';
import { perSession } from '../../../shared/operations/session';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { DAY_MS } from '../../../shared/values/moment';
import { domainsByHost, links } from '../../serviceLists';
import { inZone } from '../../values/dateTime';
import { hostIn } from '../../values/shortUrl';

/** A row, as messages name it, and what it says of its link, by member, in one spelling. */
export interface Claim {
	label: string;
	said: ReadonlyMap<string, string>;
}

class LinkRun {
	/** The first rows about links, by what identifies the link. */
	readonly claims = new Map<string, Claim>();
	/** In a dry run, the first rows that would create a link, by its alias as most services rewrite it, and its domain. */
	readonly aliases = new Map<string, string>();
	/** In a dry run, the first rows that would create a link, by its long URL and domain. */
	readonly newLinks = new Map<string, Claim>();
	/** The hosts of links that this run created without a domain. */
	readonly createdHosts = new Set<string>();
	/** The hosts that the service ignored: it put the link on another one. */
	readonly ignoredHosts = new Set<string>();
	/** Why a campaign or channel could not be created, by its name. */
	readonly refusedPlaces = new Map<string, Failure>();
	/** By `linkKey` of a short URL of this run, that of its long URL. */
	readonly targets = new Map<string, string>();
	/** The columns of QR codes that this run created, by the short URL of the link. */
	readonly qrCodes = new Map<string, IDataObject>();
	/** The highest id in the list before the run created its first link; 0 if it is not known. */
	newestIdBefore: number | undefined;
	/** Whether page 1 was read once more, because the list was empty. */
	isReadAgain = false;
	/** Whether the service was seen to write an alias in another form than the entered one. */
	rewritesAliases = false;
	/** Whether a search of the list did not find a link that exists. */
	isSearchIgnored = false;
}

export const linkRunOf = perSession(() => new LinkRun());

/** A row that writes a link. */
export interface LinkRow extends RowContext {
	readonly run: LinkRun;
	/** The list of links. */
	index: RecordIndex;
}

export const linkRowOf = (row: RowContext): LinkRow =>
	Object.assign(row, { run: linkRunOf(row.session), index: row.list(links) });

/** Reads page 1 of the list, if nothing of it was read yet. A write may do without. @throws Failure if it ends the run */
export async function readFirstPage({ index }: LinkRow): Promise<void> {
	if (!index.isUnread) return;
	await index.readNextPage().catch((error: unknown) => {
		const failure = toFailure(error);
		if (failure.consequences.endsRun) throw failure;
	});
}

/** Reads page 1 of the list once, to know which links are older than the run. */
export async function readNewest(row: LinkRow): Promise<void> {
	await readFirstPage(row);
	row.run.newestIdBefore ??= Math.max(0, ...row.index.known.map(({ id }) => idIn(id) ?? 0));
}

/** In an empty account, the first link of the run shows which members the records of the list have. */
export async function readAgainIfEmpty(row: LinkRow): Promise<void> {
	const { run } = row;
	if (run.isReadAgain || run.newestIdBefore !== 0 || row.index.known.length === 0) return;
	run.isReadAgain = true;
	row.session.forget(links);
	row.index = row.list(links);
	await readFirstPage(row);
}

/** Whether a link was there before the run. */
export const isOlder = (id: unknown, row: LinkRow): boolean =>
	(idIn(id) ?? Infinity) <= (row.run.newestIdBefore ?? 0);

/** Whether the list shows that a link which the service answered with was not made now: by its date, or by newer links. */
export async function isListedAsOlder(id: unknown, row: LinkRow): Promise<boolean> {
	await readFirstPage(row);
	const { index } = row;
	// The clock of the service may differ by hours.
	const yesterday = inZone(Date.now() - DAY_MS, row.input.zones.to);
	if ((textIn(index.get(id)?.date) ?? yesterday) < yesterday) return true;
	return index.known.some((link) => (idIn(link.id) ?? 0) > (idIn(id) ?? Infinity));
}

/** Whether a link is on the domain of a row; without one, where the service puts links without a domain. */
export async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	row: LinkRow,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	return domain === undefined ? await isOwnHost(host, row) : host === hostIn(domain);
}

async function isOwnHost(host: string, row: LinkRow): Promise<boolean> {
	const ownHost = hostIn(row.session.connection.baseUrl);
	if (host === ownHost || row.run.createdHosts.has(host)) return true;
	// A branded domain is the main one only if no link at all is on the service's own host.
	if (host === mainHost(row) && row.index.pagesLeft === 0) return true;
	return (await brandedDomain(host, row)) === undefined;
}

/**
 * The domain of the account with this host, as its list spells it; undefined if it has none. A plan may have no domains.
 * @param unlisted what to return if the list is refused
 */
export async function brandedDomain(
	host: string,
	row: RowContext,
	unlisted?: string,
): Promise<string | undefined> {
	try {
		const [listed] = await row.list(domainsByHost).all(host, 'first');
		return textIn(listed?.domain);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.mayBeRefusal) return unlisted;
		throw failure;
	}
}

/** A record of the list counts clicks; the details do it elsewhere. */
export const isListed = (link: IDataObject): boolean => 'clicks' in link;

/** The addresses under which a link without a domain may be. */
export function ownAddresses(row: LinkRow): string[] {
	const main = mainHost(row);
	const hosts = [...row.run.createdHosts, ...(main === undefined ? [] : [main])];
	return [row.session.connection.baseUrl, ...hosts];
}

/** Where the service probably puts new links, if its list has none on its own host: the host of the newest one. */
export function mainHost(row: LinkRow): string | undefined {
	// What a search found says nothing of the others.
	if (row.index.isUnread) return undefined;
	const listed = row.index.known.filter(isListed);
	const ownHost = hostIn(row.session.connection.baseUrl);
	if (listed.some(({ shorturl }) => hostIn(shorturl) === ownHost)) return undefined;
	const [newest] = listed.toSorted((a, b) => Number(b.id) - Number(a.id));
	return hostIn(newest?.shorturl);
}
