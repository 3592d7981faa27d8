// *Dry Run* of *Create or Update*: says what would be done, and writes nothing.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { textIn } from '../../../shared/values/json';
import { withDomain } from './body';
import { claimLink, type WantedRow } from './claims';
import { unusedColumns } from './columns';
import type { LinkRow } from './linkRun';
import { findLink } from './findLink';
import { LINK_LABELS } from './linkFields';
import { type CheckedPlace, checkPlaces } from './places';
import { differences, unchanged } from './upsertLink';
import { listedLink } from './writtenLink';

/** What would become of a row. @returns its link, if there is one, with a note on what the row would change or make */
export async function dryRun(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const found = await findLink(request.body, row, false);
	const link =
		typeof found === 'string'
			? await wouldCreate(request, row, wanted)
			: await wouldUpdate(found, request, row, wanted);
	return row.input.columns ? { ...link, unused_columns: unusedColumns(row.input) } : link;
}

async function wouldCreate(
	{ body }: RowRequest,
	row: LinkRow,
	{ places, earlier }: WantedRow,
): Promise<IDataObject> {
	const { url, custom } = await withDomain(body, row);
	const checked = await checkPlaces(places, row);
	return {
		outcome: earlier === undefined ? 'would be created' : 'unchanged',
		id: null,
		shorturl: null,
		longurl: url,
		alias: textIn(custom) ?? null,
		note: earlier === undefined ? placesNote(checked) : `Same as ${earlier}`,
	};
}

async function wouldUpdate(
	found: IDataObject,
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const isSaid = claimLink(found, wanted, row);
	if (isSaid || row.input.parameters.ifExists === 'keep') return unchanged(found);
	const { link, changed, missing, isSame } = await differences(found, request, row, wanted);
	if (isSame) return unchanged(link);
	const names = changed.map((name) => LINK_LABELS[name] ?? name).join(', ');
	const notes = [names && `The row sets ${names}`, placesNote(missing)];
	return {
		outcome: 'would be updated',
		...listedLink(link),
		...(changed.includes('url') ? { longurl: request.body.url } : {}),
		note: notes.filter(Boolean).join('. '),
	};
}

const placesNote = (places: readonly CheckedPlace[]): string | null =>
	places
		.map(({ what, ref, id }) => {
			const name = typeof ref === 'number' ? `with ID ${ref}` : `"${ref.name}"`;
			return id === undefined
				? `The ${what} ${name} would be created`
				: `The link would be added to the ${what} ${name}`;
		})
		.join('. ') || null;
