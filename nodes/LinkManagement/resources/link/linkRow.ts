// A row that writes a link: what its run remembers, and how it writes, or in a dry run says so.

import type { IDataObject } from 'n8n-workflow';

import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { WriteLog } from '../../../shared/operations/batch';
import type { Row } from '../../../shared/operations/operation';
import { keptBy } from '../../../shared/operations/session';
import { toFailure } from '../../../shared/values/failure';
import { idIn, mapIn } from '../../../shared/values/json';
import { links } from '../../serviceLists';
import type { PickedPlace } from './places';

/** The first row about a link, how messages name it, and what it says, by member. */
export interface Claim {
	row: WriteLog;
	label: string;
	said: Readonly<Record<string, string>>;
}

class LinkRun {
	/** By what identifies the link. */
	readonly claims = new Map<string, Claim>();
	/** The campaigns and channels that this run created: they have no links yet. */
	readonly newPlaces = new Set<string>();
	/** The columns of QR codes that this run created, by short URL. */
	readonly qrCodes = new Map<unknown, IDataObject>();
	/** The highest id in the list before the run created its first link; 0 if it is not known. */
	newestIdBefore: number | undefined;
}

const linkRunOf = keptBy((_run: object) => new LinkRun());

/** What a row of *Create or Update* wants, before anything is sent. */
export interface Wanted {
	host: string;
	/** Undefined if the link is found by its long URL. */
	alias: string | undefined;
	shortUrl: string;
	/** What identifies the link; several, because services may have parameters in the long URL. */
	keys: readonly string[];
	said: Claim['said'];
}

export interface LinkRow extends Row {
	readonly run: LinkRun;
	readonly index: RecordIndex;
	readonly isDryRun: boolean;
	readonly places: readonly PickedPlace[];
	/** What a dry run says of the row. */
	readonly notes: string[];
	readonly wanted?: Wanted;
}

export type WantedRow = LinkRow & { readonly wanted: Wanted };

export const linkRowOf = (row: Row, places: readonly PickedPlace[]): LinkRow => ({
	...row,
	places,
	run: linkRunOf(row.session.run),
	index: row.list(links),
	isDryRun: mapIn(row.parameters.options).dryRun === true,
	notes: [],
});

/** Sends a write, once in all tries of the run. @param instead what a dry run goes on with */
export const write = async (
	{ isDryRun, writes }: LinkRow,
	name: string,
	instead: IDataObject,
	send: () => Promise<IDataObject>,
): Promise<IDataObject> => (isDryRun ? instead : await writes.once(name, send));

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
