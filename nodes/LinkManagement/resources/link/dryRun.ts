// *Dry Run* of *Create or Update*: says what would be done, and writes nothing.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { textIn } from '../../../shared/values/json';
import { hostIn, hyphenated, rewrittenAlias } from '../../values/shortUrl';
import { claim, claimNew, type WantedRow } from './claims';
import { unusedColumns } from './columns';
import type { LinkRow } from './linkRun';
import { findLink } from './findLink';
import { changedMembers, isShown } from './knownLink';
import { LINK_LABELS } from './linkFields';
import { isQrCodeWanted } from './ownQrCode';
import { requireNoLoop } from './loop';
import { type CheckedPlace, checkPlaces } from './places';
import { compared, unchanged } from './upsertLink';
import { listedLink, requireDomain } from './writtenLink';

/** What would become of a row. @returns its link, if there is one, with a note on what a person may not expect */
export async function dryRun(
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const found = await findLink(request.body, row, false);
	requireNoLoop(request.body, row, typeof found === 'string' ? {} : found);
	const link =
		typeof found === 'string'
			? await wouldCreate(request, row, wanted)
			: await wouldUpdate(found, request, row, wanted);
	const unused =
		row.input.columns === undefined ? {} : { unused_columns: unusedColumns(row.input) };
	return { ...link, ...unused };
}

async function wouldCreate(
	{ body }: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	await requireDomain(body, undefined, row);
	const places = await checkPlaces(wanted.places, row);
	const { url, custom } = body;
	const earlier = wanted.earlier ?? claimNew(body, wanted, row);
	const link = {
		outcome: earlier ? 'unchanged' : 'would be created',
		id: null,
		shorturl: null,
		longurl: url,
		alias: textIn(custom) ?? null,
	};
	if (earlier) return { ...link, note: `Same as ${earlier.label}` };
	const notes = [sameAliasNote(body, row), noteOn(body, places, row)];
	return withQrCode({ ...link, note: joined(notes) || null }, row);
}

/** A row before it may get the same alias, which only the service can tell. */
function sameAliasNote({ custom, domain }: IDataObject, { run, label }: LinkRow): string {
	const alias = textIn(custom);
	if (alias === undefined) return '';
	const key = JSON.stringify([rewrittenAlias(alias), hostIn(domain)]);
	const first = run.aliases.get(key);
	run.aliases.set(key, first ?? label);
	return first === undefined ? '' : `The service may write the alias as that of ${first}`;
}

async function wouldUpdate(
	found: IDataObject,
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow,
): Promise<IDataObject> {
	const same = claim(found, wanted, row);
	if (same) return { ...unchanged(found), note: `Same as ${same.label}` };
	if (row.input.parameters.ifExists === 'keep') return withQrCode(unchanged(found), row);
	const { link, isSame, isInPlaces, missing } = await compared(found, request, row, wanted);
	if (isSame && isInPlaces) return withQrCode(unchanged(link), row);
	const { body } = request;
	const changed = await changedMembers(link, body, row);
	const notes = [changesNote(changed), placesNote(missing), noteOn(body, missing, row)];
	const updated = {
		outcome: 'would be updated',
		...listedLink(link),
		...(changed.includes('url') ? { longurl: body.url } : {}),
		note: joined(notes),
	};
	return withQrCode(updated, row);
}

function withQrCode(link: IDataObject, { input }: LinkRow): IDataObject {
	if (!isQrCodeWanted(link, input)) return link;
	return { ...link, note: joined([textIn(link.note), 'A QR code would be created']) };
}

/** What an update would change, and what it would send although no response shows whether it is a change. */
function changesNote(changed: readonly string[]): string {
	const labelled = (names: readonly string[]): string =>
		names.map((name) => LINK_LABELS[name] ?? name).join(', ');
	const seen = labelled(changed.filter(isShown));
	const unseen = labelled(changed.filter((name) => !isShown(name)));
	return joined([
		seen && `The row changes ${seen}`,
		unseen && `The service does not show whether the link has this already: ${unseen}`,
	]);
}

const placesNote = (missing: readonly CheckedPlace[]): string =>
	missing
		.filter(({ id }) => id !== undefined)
		.map(({ what, ref }) => `The link would be added to the ${what} ${placeName(ref)}`)
		.join('. ');

/** What becomes of an alias and of tags that the URL has already, and what else the row would make. */
function noteOn(
	{ url, custom }: IDataObject,
	places: readonly CheckedPlace[],
	{ input }: LinkRow,
): string | null {
	const alias = textIn(custom) ?? '';
	const written = hyphenated(alias);
	const entered = input.columns?.get('url')?.value ?? input.parameters.url;
	const replaced = replacedTags(textIn(entered) ?? '', textIn(url) ?? '');
	const notes = [
		written === alias ? '' : `The service may write the alias as "${written}"`,
		replaced.length === 0 ? '' : `The row replaces ${replaced.join(', ')} of the URL`,
		...places
			.filter(({ id }) => id === undefined)
			.map(({ what, ref }) => `The ${what} ${placeName(ref)} would be created`),
	];
	return joined(notes) || null;
}

const joined = (notes: ReadonlyArray<string | null | undefined>): string =>
	notes.filter(Boolean).join('. ');

const placeName = (ref: CheckedPlace['ref']): string =>
	typeof ref === 'number' ? `with ID ${ref}` : `"${ref.name}"`;

function replacedTags(entered: string, sent: string): string[] {
	const [before, after] = [entered, sent].map(
		(url) => new URLSearchParams(url.replace(/^[^?]*/, '')),
	);
	const names = new Set([...(before?.keys() ?? [])].filter((name) => name.startsWith('utm_')));
	return [...names].filter((name) => before?.get(name) !== after?.get(name));
}
