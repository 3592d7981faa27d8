// *Dry Run* of *Create or Update*: says what would be done, and writes nothing.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { textIn } from '../../../shared/values/json';
import { rewrittenAlias } from '../../values/shortUrl';
import { type Claim, claim } from './claims';
import { unusedColumns } from './columns';
import type { LinkRow } from './linkRun';
import { findLink } from './findLink';
import { isUpToDate, showsPlaces, withPlaces } from './knownLink';
import { requireNoLoop } from './loop';
import { checkPlaces, missingPlaces, type PickedPlace } from './places';
import { unchanged } from './upsertLink';
import { listedLink } from './writtenLink';

/** What would become of a row. @param earlier row that says the same @returns its link, if there is one, with a note on what a person may not expect */
export async function dryRun(
	request: RowRequest,
	row: LinkRow,
	picked: readonly PickedPlace[],
	earlier: Claim | undefined,
): Promise<IDataObject> {
	const places = await checkPlaces(picked, row);
	const found = await findLink(request.body, row, false);
	requireNoLoop(request.body, row, typeof found === 'string' ? {} : found);
	const link =
		typeof found === 'string'
			? wouldCreate(request, row, earlier)
			: await wouldUpdate(found, places, request, row);
	const unused =
		row.input.columns === undefined ? {} : { unused_columns: unusedColumns(row.input) };
	return { ...link, ...unused };
}

function wouldCreate({ body }: RowRequest, row: LinkRow, earlier: Claim | undefined): IDataObject {
	const { url, custom } = body;
	return {
		outcome: earlier ? 'unchanged' : 'would be created',
		id: null,
		shorturl: null,
		longurl: url,
		alias: textIn(custom) ?? null,
		note: earlier ? `Same as ${earlier.label}` : noteOn(body, row),
	};
}

async function wouldUpdate(
	found: IDataObject,
	places: Awaited<ReturnType<typeof checkPlaces>>,
	request: RowRequest,
	row: LinkRow,
): Promise<IDataObject> {
	const same = claim(found, request, row);
	if (same) return { ...unchanged(found), note: `Same as ${same.label}` };
	if (row.input.parameters.ifExists === 'keep') return unchanged(found);
	const link = places.length > 0 ? await withPlaces(found, row) : found;
	const areShown = showsPlaces(row) === true;
	const isInPlaces = !areShown || missingPlaces(link, places, areShown).length === 0;
	if (isInPlaces && (await isUpToDate(link, request.body, row))) return unchanged(link);
	return { outcome: 'would be updated', ...listedLink(link), note: noteOn(request.body, row) };
}

/** What becomes of an alias and of tags that the URL has already. */
function noteOn({ url, custom }: IDataObject, { input }: LinkRow): string | null {
	const alias = textIn(custom) ?? '';
	const written = rewrittenAlias(alias);
	const entered = input.columns?.get('url')?.value ?? input.parameters.url;
	const replaced = replacedTags(textIn(entered) ?? '', textIn(url) ?? '');
	const notes = [
		written === alias.toLowerCase() ? '' : `The service may write the alias as "${written}"`,
		replaced.length === 0 ? '' : `The row replaces ${replaced.join(', ')} of the URL`,
	];
	return notes.filter(Boolean).join('. ') || null;
}

function replacedTags(entered: string, sent: string): string[] {
	const [before, after] = [entered, sent].map(
		(url) => new URLSearchParams(url.replace(/^[^?]*/, '')),
	);
	const names = [...(before?.keys() ?? [])].filter((name) => name.startsWith('utm_'));
	return names.filter((name) => before?.get(name) !== after?.get(name));
}
