// What the rows of a run learn about the service, for those after them.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { RowContext } from '../../../shared/operations/operation';
import { perSession } from '../../../shared/operations/session';
import { toFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { domainsByHost, links } from '../../serviceLists';
import { hostIn } from '../../values/shortUrl';

class LinkRun {
	/** The first rows about links, as messages name them, and what they say, by what identifies the link. */
	readonly claims = new Map<string, { label: string; said: string }>();
	/** The host of a link that this run created without a domain. */
	createdHost: string | undefined;
	/** The highest id in the list before the run created its first link; 0 if it is not known. */
	newestIdBefore: number | undefined;
}

export const linkRunOf = perSession(() => new LinkRun());

/** A row that writes a link. */
export interface LinkRow extends RowContext {
	readonly run: LinkRun;
	/** The list of links. */
	readonly index: RecordIndex;
}

export const linkRowOf = (row: RowContext): LinkRow =>
	Object.assign(row, { run: linkRunOf(row.session), index: row.list(links) });

/** Reads page 1 of the list once, to know which links are older than the run. @throws Failure if it ends the run */
export async function readNewest({ index, run }: LinkRow): Promise<void> {
	// A key may not read the list; a write does without.
	if (index.isUnread)
		await index.readNextPage().catch((error: unknown) => {
			const failure = toFailure(error);
			if (failure.consequences.endsRun) throw failure;
		});
	run.newestIdBefore ??= Math.max(0, ...index.known.map(({ id }) => idIn(id) ?? 0));
}

/** Whether a link was there before the run, or an earlier row of it has made it. */
export const isKnown = (id: unknown, { run, index }: LinkRow): boolean =>
	index.get(id) !== undefined || (idIn(id) ?? Infinity) <= (run.newestIdBefore ?? 0);

/** Whether a link is on the domain of a row; without one, where the service puts links without a domain. */
export async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	row: LinkRow,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	if (domain !== undefined) return host === hostIn(domain);
	if (host === hostIn(row.session.connection.baseUrl) || host === row.run.createdHost) return true;
	// A branded domain is the main one only if no link at all is on the service's own host.
	if (host === mainHost(row) && row.index.pagesLeft === 0) return true;
	return (await brandedDomain(host, row)) === undefined;
}

/** Where the service probably puts links without a domain: its own host, or that of the newest link if none is there. */
export function mainHost({ run, index, session }: LinkRow): string | undefined {
	const ownHost = hostIn(session.connection.baseUrl);
	const listed = index.isUnread ? [] : index.known.filter(isListed);
	const [newest] = listed.toSorted((a, b) => Number(b.id) - Number(a.id));
	const isOwn = !newest || listed.some(({ shorturl }) => hostIn(shorturl) === ownHost);
	return run.createdHost ?? (isOwn ? ownHost : hostIn(newest.shorturl));
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
