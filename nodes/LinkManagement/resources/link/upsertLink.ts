// *Create or Update*: finds the link of a row, then creates it, updates it or leaves it alone.

import type { IDataObject } from 'n8n-workflow';

import { USED_UP } from '../../../shared/http/response';
import type { RowRequest } from '../../../shared/operations/operation';
import { toFailure } from '../../../shared/values/failure';
import { textIn, without } from '../../../shared/values/json';
import { requireOtherAddress } from './body';
import { claimLink, type WantedRow } from './claims';
import { createLink } from './createLink';
import type { LinkRow } from './linkRun';
import { findByAlias, findLink, type Found } from './findLink';
import { changedMembers, showsPlaces, withDetails, withPlaces } from './knownLink';
import {
	addToPlaces,
	checkPlaces,
	findPlaces,
	type FoundPlace,
	idsOf,
	missingPlaces,
} from './places';
import { updateLink } from './updateLink';
import { listedLink, mayBeTaken } from './writtenLink';

/** What is done for a row. @returns its link with its `outcome` */
export async function upsertLink(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	// What an earlier try has written may still have to be put into its places.
	const isRetried = row.writes.hasTried('create');
	const found = await findLink(request.body, row, !isRetried);
	if (typeof found !== 'string' && !isRetried)
		return await updateFound(found, request, row, wanted);
	const places = await findPlaces(wanted.places, row);
	const link = await row.writes.once(
		'create',
		async () => await createOrFind(found, request, places, row),
	);
	if (link.outcome === 'found') return await updateFound(link, request, row, wanted);
	claimLink(link, wanted, row);
	if (link.isInPlaces !== true) await addToPlaces(places, link, row);
	const made = without(link, 'isInPlaces');
	// A column of the row with this name is its own in the next run, too.
	return link.outcome === 'created' ? { ...made, clicks: made.clicks ?? 0 } : made;
}

/** The link of a row that exists. @throws Failure if an earlier row says something else of it */
async function updateFound(
	found: IDataObject,
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const isSaid = claimLink(found, wanted, row);
	if (isSaid || row.input.parameters.ifExists === 'keep') return unchanged(found);
	const { link, changed, isSame } = await differences(found, request, row, wanted);
	const isTried = row.writes.hasTried('update');
	if (isSame && !isTried) return unchanged(link);
	const isWritten = changed.length > 0 || isTried;
	const places = await findPlaces(wanted.places, row);
	const output = isWritten
		? await row.writes.once('update', async () => await update(link, request, places, row))
		: listedLink(link);
	const missing = missingPlaces(link, places, row);
	const updated = { outcome: 'updated', ...output };
	await addToPlaces(missing, updated, row);
	row.index.put({ id: link.id, ...idsOf(missing) });
	return updated;
}

/** What of a row a link that exists does not have, as far as responses show it. @throws Failure if a campaign or channel is missing */
export async function differences(
	found: IDataObject,
	{ body }: RowRequest,
	row: LinkRow,
	{ places }: WantedRow,
) {
	requireOtherAddress(body, textIn(found.shorturl));
	const checked = await checkPlaces(places, row);
	const link = checked.length > 0 ? await withPlaces(found, row) : found;
	const changed = await changedMembers(link, body, row);
	const missing = missingPlaces(link, checked, row);
	// Where the list shows no places, a link that is as the row says is in them, too.
	const isInPlaces = missing.length === 0 || showsPlaces(row) !== true;
	return { link, changed, missing, isSame: changed.length === 0 && isInPlaces };
}

export const unchanged = (link: IDataObject): IDataObject => ({
	outcome: 'unchanged',
	...listedLink(link),
});

async function update(
	found: IDataObject,
	{ body }: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const details = await withDetails(await withPlaces(found, row), row);
	return { ...listedLink(details), ...(await updateLink(details, body, places, row)) };
}

const RUN_AGAIN =
	'Run the workflow again: a link that was created is found, not created twice. If the row has a campaign or channel, add it there';

/** Creates the link of a row. If the alias is refused, and the list was not read before, it may be there. */
async function createOrFind(
	found: Found,
	request: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	try {
		// A create without a response may have made the link: the next try finds it.
		if (typeof found !== 'string')
			return { ...(await update(found, request, places, row)), outcome: 'created' };
		return await createLink(request, places, row);
	} catch (error) {
		const failure = toFailure(error);
		const { custom, domain } = request.body;
		const alias = textIn(custom);
		if (found === 'unknown' && alias !== undefined && mayBeTaken(failure)) {
			const existing = await findByAlias(alias, textIn(domain), row);
			if (typeof existing !== 'string') return { ...existing, outcome: 'found' };
		}
		if (!failure.outcomeUnknown) throw failure;
		// The service refuses a second link with the alias, should the first one come late.
		const advice = failure.kind === 'serverError' ? `${RUN_AGAIN}. ${USED_UP}` : RUN_AGAIN;
		throw failure.with({ mayRetry: alias !== undefined, advice });
	}
}
