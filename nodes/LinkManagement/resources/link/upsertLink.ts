// *Create or Update*: finds the link of a row, then creates it, updates it or leaves it alone.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { toFailure } from '../../../shared/values/failure';
import { without } from '../../../shared/values/json';
import { requireOtherAddress } from './body';
import { claimLink } from './claims';
import { createLink } from './create';
import { findAmongNewest, findInList, findQuickly, withPlaces } from './findLink';
import { linkLabel } from './linkFields';
import type { WantedRow } from './linkRow';
import { changedMembers } from './members';
import { addToPlaces, findPlaces, missingPlaces } from './places';
import { updateLink } from './update';
import { listedLink, mayBeTaken } from './writtenLink';

/** What is done for a row. @returns its link with its `outcome` */
export async function upsertLink(request: RowRequest, row: WantedRow): Promise<IDataObject> {
	// What an earlier try has made only has to be put into its places.
	if (await row.writes.hasDone('create')) return await create(request, row);
	const isTried = row.writes.hasTried('create');
	const known = await findQuickly(row);
	const mayCreateFirst = row.wanted.alias !== undefined && !isTried && !row.isDryRun;
	const isListLong = row.index.pagesLeft > row.rowsLeft;
	const found = known ?? (mayCreateFirst && isListLong ? undefined : await findInList(row));
	if (found) return await updateFound(found, request, row, isTried);
	return await createFirst(request, row);
}

/**
 * Creates a link that was not found, or not looked for, because the list takes more requests than the rows. If the alias is refused, the
 * rest of the list may have it, or another program has made it since.
 */
async function createFirst(request: RowRequest, row: WantedRow): Promise<IDataObject> {
	try {
		return await create(request, row);
	} catch (error) {
		const failure = toFailure(error);
		if (row.wanted.alias === undefined || !mayBeTaken(failure)) throw failure;
		const isRead = row.index.pagesLeft === 0;
		const taken = isRead ? await findAmongNewest(row) : await findInList(row);
		if (!taken) throw row.session.refusedCreate(failure);
		return await updateFound(taken, request, row, false);
	}
}

async function create(request: RowRequest, row: WantedRow): Promise<IDataObject> {
	const link = await createLink(request, row);
	return { clicks: link.outcome === 'created' ? 0 : null, ...link };
}

/**
 * The link of a row that exists.
 * @param isMade whether an earlier try may have made it, although no response said so
 * @throws Failure if an earlier row says something else of it
 */
async function updateFound(
	found: IDataObject,
	request: RowRequest,
	row: WantedRow,
	isMade: boolean,
): Promise<IDataObject> {
	// An earlier row of a dry run would make it, and says the same.
	if (row.isDryRun && found.id === null) return unchanged(found);
	const same = claimLink(found, row);
	if (same !== undefined) row.notes.push(`Same as ${same}`);
	if (same !== undefined || row.parameters.ifExists === 'keep') return unchanged(found);
	return await bringUpToDate(found, request, row, isMade);
}

async function bringUpToDate(
	found: IDataObject,
	{ body }: RowRequest,
	row: WantedRow,
	isMade: boolean,
): Promise<IDataObject> {
	// The link has its alias and its domain; matched by its long URL, it keeps its alias.
	const said = without(body, 'custom', 'domain');
	requireOtherAddress(said.url, found.shorturl, found.alias);
	const places = await findPlaces(row);
	const link = places.length > 0 ? await withPlaces(found, row) : found;
	const changed = await changedMembers(link, said, row);
	const isWritten = changed.length > 0;
	const isTried = isMade || row.writes.hasTried('update');
	const missing = missingPlaces(link, places, isWritten || isTried, row);
	if (!isWritten && !isTried && missing.length === 0) return unchanged(link);
	if (isWritten) row.notes.push(`The row sets ${changed.map(linkLabel).join(', ')}`);
	const written = isWritten ? await updateLink(link, said, places, row) : listedLink(link);
	const updated = { outcome: isMade ? 'created' : 'updated', ...written };
	await addToPlaces(missing, updated, row);
	return updated;
}

const unchanged = (link: IDataObject): IDataObject => ({
	outcome: 'unchanged',
	...listedLink(link),
});
