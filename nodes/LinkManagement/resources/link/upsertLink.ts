// *Create or Update*: finds the link of a row, then creates it, updates it or leaves it alone.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { toFailure } from '../../../shared/values/failure';
import { without } from '../../../shared/values/json';
import { requireOtherAddress } from './body';
import { claimLink, type WantedRow } from './claims';
import { createLink } from './createLink';
import { findAmongNewest, findInList, findQuickly } from './findLink';
import { withDetails, withPlaces } from './linkDetails';
import type { LinkRow } from './linkRow';
import { changedMembers } from './members';
import { addToPlaces, findPlaces, type FoundPlace, idsOf, missingPlaces } from './places';
import { updateLink } from './updateLink';
import { listedLink, mayBeTaken } from './writtenLink';

/** What is done for a row. @returns its link with its `outcome` */
export async function upsertLink(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const isTried = row.writes.hasTried('create');
	const known = await findQuickly(wanted, row);
	const createsFirst = wanted.alias !== undefined && !isTried && !row.isDryRun;
	const isLong = row.index.pagesLeft > row.rowsLeft;
	if (!known && createsFirst && isLong) return await createFirst(request, row, wanted);
	const found = known ?? (await findInList(wanted, row));
	// What an earlier try may have made still has to be put into its places.
	if (found && !isTried) return await updateFound(found, request, row, wanted);
	return await createFirst(request, row, wanted, found);
}

/**
 * Creates a link without looking for it in a list that takes more requests than the rows. If the alias is refused, it is there: also if
 * another program has made it since.
 */
async function createFirst(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
	found?: IDataObject,
): Promise<IDataObject> {
	try {
		return await create(request, row, wanted, found);
	} catch (error) {
		const failure = toFailure(error);
		if (found || wanted.alias === undefined || !mayBeTaken(failure)) throw failure;
		const isRead = row.index.pagesLeft === 0;
		const taken = isRead ? await findAmongNewest(wanted, row) : await findInList(wanted, row);
		if (!taken) throw failure;
		return await updateFound(taken, request, row, wanted);
	}
}

/** @param found the link, if an earlier try has made it */
async function create(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
	found: IDataObject | undefined,
): Promise<IDataObject> {
	const places = await findPlaces(wanted.places, row);
	const link = found
		? await finishCreate(found, request, places, row)
		: await createLink(request, places, row, wanted);
	if (link.shorturl !== null) claimLink(link, wanted, row);
	if (link.isInPlaces !== true) await addToPlaces(places, link, row);
	const made = without(link, 'isInPlaces');
	// A column of the row with this name is its own in the next run, too.
	return link.outcome === 'created' ? { ...made, clicks: made.clicks ?? 0 } : made;
}

/** A link that an earlier try has made, although no response said so. */
async function finishCreate(
	found: IDataObject,
	{ body }: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const written = await updateLink(found, without(body, 'custom', 'domain'), places, row);
	return { ...written, outcome: 'created' };
}

/** The link of a row that exists. @throws Failure if an earlier row says something else of it */
async function updateFound(
	found: IDataObject,
	{ body }: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const same = claimLink(found, wanted, row);
	if (same !== undefined) row.notes.push(`Same as ${same}`);
	if (same !== undefined || row.input.parameters.ifExists === 'keep') return unchanged(found);
	// The link has its alias and its domain; matched by its long URL, it keeps its alias.
	const said = without(body, 'custom', 'domain');
	requireOtherAddress(said, found);
	const places = await findPlaces(wanted.places, row);
	const link = places.length > 0 ? await withPlaces(found, row) : found;
	const changed = await changedMembers(link, said, async () => await withDetails(link, row));
	const isWritten = changed.length > 0 || row.writes.hasTried('update');
	const missing = missingPlaces(link, places, isWritten, row);
	if (!isWritten && missing.length === 0) return unchanged(link);
	const written = isWritten ? await updateLink(link, said, places, row, changed) : listedLink(link);
	const updated = { outcome: 'updated', ...written };
	await addToPlaces(missing, updated, row);
	row.index.put({ id: link.id, ...idsOf(missing) });
	return updated;
}

const unchanged = (link: IDataObject): IDataObject => ({
	outcome: 'unchanged',
	...listedLink(link),
});
