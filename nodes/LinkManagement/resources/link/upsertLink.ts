// *Create or Update*: finds the link of a row, then creates it, updates it or leaves it alone.

import type { IDataObject } from 'n8n-workflow';

import { USED_UP } from '../../../shared/http/response';
import type { RowRequest } from '../../../shared/operations/operation';
import { toFailure } from '../../../shared/values/failure';
import { textIn, without } from '../../../shared/values/json';
import { claim, type WantedRow } from './claims';
import { createLink } from './createLink';
import type { LinkRow } from './linkRun';
import { findByAlias, findLink } from './findLink';
import { isUpToDate, showsPlaces, withDetails, withPlaces } from './knownLink';
import { requireNoLoop } from './loop';
import {
	addToPlaces,
	type CheckedPlace,
	checkPlaces,
	findPlaces,
	type FoundPlace,
	idsOf,
	missingPlaces,
} from './places';
import { updateLink } from './updateLink';
import { checkDomain, listedLink, mayBeTaken, requireDomain } from './writtenLink';

/** A row, with its campaign and channel. */
interface RowLink {
	request: RowRequest;
	places: readonly FoundPlace[];
}

/** What is done for a row. @returns its link with its `outcome` */
export async function upsertLink(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	checkDomain(request.body, row);
	// What an earlier try has written may still have to be put into its places.
	const isRetried = row.writes.hasTried('create');
	const found = await findLink(request.body, row, !isRetried);
	requireNoLoop(request.body, row, typeof found === 'string' ? {} : found);
	if (typeof found !== 'string' && !isRetried)
		return await updateFound(found, request, row, wanted);
	await requireDomain(request.body, undefined, row);
	const places = await findPlaces(wanted.places, row);
	const link = await row.writes.once(
		'create',
		async () => await createOrFind(found, { request, places }, row),
	);
	if (link.outcome === 'found') return await updateFound(link, request, row, wanted);
	claim(link, wanted, row);
	await addNew(places, link, row);
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
	const same = claim(found, wanted, row);
	if (same || row.input.parameters.ifExists === 'keep') return unchanged(found);
	const { link, isSame, isInPlaces } = await compared(found, request, row, wanted);
	const isSameLink = isSame && !row.writes.hasTried('update');
	if (isSameLink && isInPlaces) return unchanged(link);
	const places = await findPlaces(wanted.places, row);
	const areShown = showsPlaces(row) === true;
	const missing = missingPlaces(link, places, areShown);
	const output = isSameLink
		? { outcome: 'updated', ...listedLink(link) }
		: await row.writes.once('update', async () => await update(link, { request, places }, row));
	await addToPlaces(missing, output, row, areShown);
	row.index.put({ id: link.id, ...idsOf(missing) });
	return output;
}

interface Comparison {
	link: IDataObject;
	isSame: boolean;
	isInPlaces: boolean;
	/** The campaign and channel in which the link is not, or may not be. */
	missing: readonly CheckedPlace[];
}

/** Whether a link that exists is as the row says, as far as responses show it. @throws Failure if a campaign or channel is missing */
export async function compared(
	found: IDataObject,
	{ body }: RowRequest,
	row: LinkRow,
	{ places }: WantedRow,
): Promise<Comparison> {
	const checked = await checkPlaces(places, row);
	const link = checked.length > 0 ? await withPlaces(found, row) : found;
	const areShown = showsPlaces(row) === true;
	const missing = missingPlaces(link, checked, areShown);
	const isInPlaces = !areShown || missing.length === 0;
	return { link, isSame: await isUpToDate(link, body, row), isInPlaces, missing };
}

export const unchanged = (link: IDataObject): IDataObject => ({
	outcome: 'unchanged',
	...listedLink(link),
});

async function update(
	found: IDataObject,
	{ request, places }: RowLink,
	row: LinkRow,
): Promise<IDataObject> {
	const details = await withDetails(await withPlaces(found, row), row);
	const link = await updateLink(details, request.body, places, row);
	return { outcome: 'updated', ...listedLink(details), ...link };
}

const RUN_AGAIN =
	'Run the workflow again: a link that was created is found, not created twice. If the row has a campaign or channel, add it there';

/** Creates the link of a row. If the alias is refused, and the list was not read before, it may be there. */
async function createOrFind(
	found: Awaited<ReturnType<typeof findLink>>,
	link: RowLink,
	row: LinkRow,
): Promise<IDataObject> {
	try {
		// A create without a response may have made the link: the next try finds it.
		if (typeof found !== 'string')
			return { ...(await update(found, link, row)), outcome: 'created' };
		return await createLink(link.request, link.places, row);
	} catch (error) {
		const failure = toFailure(error);
		const { custom, domain } = link.request.body;
		const alias = textIn(custom);
		if (found === 'unknown' && alias !== undefined && mayBeTaken(failure)) {
			const existing = await findByAlias(alias, textIn(domain), row);
			if (existing) return { ...existing, outcome: 'found' };
		}
		if (!failure.outcomeUnknown) throw failure;
		// The service refuses a second link with the alias, should the first one come late.
		const advice = failure.kind === 'serverError' ? `${RUN_AGAIN}. ${USED_UP}` : RUN_AGAIN;
		throw failure.with({ mayRetry: alias !== undefined, advice });
	}
}

/** A create that answered with an older link put it into no place, and one that did not read places neither. */
async function addNew(
	places: readonly FoundPlace[],
	link: IDataObject,
	row: LinkRow,
): Promise<void> {
	if (places.length === 0 || link.isInPlaces === true) return;
	await addToPlaces(places, link, row, showsPlaces(row) === true);
}
