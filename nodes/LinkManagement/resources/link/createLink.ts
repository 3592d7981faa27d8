// Creates a link, with its campaign and channel where the service reads them.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { withDomain } from './body';
import { showsPlaces } from './knownLink';
import { readNewest, type LinkRow } from './linkRun';
import { type FoundPlace, idsOf } from './places';
import { createdLink } from './writtenLink';

/**
 * Creates the link of a row. A service that keeps one link for each URL gives an older link again.
 * @returns it with its `outcome`; `isInPlaces` if the create has put it into its campaign and channel
 */
export async function createLink(
	request: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (places.length > 0 || request.body.custom === undefined) await readNewest(row);
	const areShown = showsPlaces(row) === true;
	const sent = areShown ? idsOf(places) : {};
	const body = { ...(await withDomain(request.body, row)), ...sent };
	const link = createdLink((await row.send({ ...request, body })).body, body, row);
	const isInPlaces = areShown && link.outcome === 'created';
	row.index.put({ ...link, ...(isInPlaces ? sent : {}) });
	return { ...link, isInPlaces };
}
