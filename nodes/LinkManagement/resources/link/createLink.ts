// Creates a link, with its campaign and channel where the service reads them.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { textIn } from '../../../shared/values/json';
import { withDomain } from './domain';
import { readNewest, type LinkRow, write } from './linkRow';
import { type FoundPlace, idsOf } from './places';
import { showsPlaces } from './linkDetails';
import { createdLink } from './writtenLink';

/**
 * Creates the link of a row. A service that keeps one link for each URL gives an older link again.
 * @param host where the link has to be; undefined if it may be anywhere
 * @returns it with its `outcome`; `isInPlaces` if the create has put it into its campaign and channel
 */
export async function createLink(
	request: RowRequest,
	places: readonly FoundPlace[],
	host: string | undefined,
	row: LinkRow,
): Promise<IDataObject> {
	const entered = await withDomain(request.body, row);
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (places.length > 0 || entered.custom === undefined) await readNewest(row);
	const areShown = showsPlaces(row) === true;
	const sent = areShown ? idsOf(places) : {};
	const body = { ...entered, ...sent };
	const { url: longurl, custom: alias = null } = entered;
	// The next rows of a dry run find it.
	const instead = { outcome: 'created', id: null, shorturl: null, longurl, alias };
	const link = await write(row, { name: 'create', note: '', instead }, async () =>
		createdLink((await row.send({ ...request, body })).body, body, host, row),
	);
	const isInPlaces = areShown && link.outcome === 'created' && !row.isDryRun;
	const shorturl = link.shorturl ?? (host && `https://${host}/${textIn(alias) ?? ''}`);
	row.index.put({ ...link, shorturl, ...(isInPlaces ? sent : {}) });
	return { ...link, isInPlaces };
}
