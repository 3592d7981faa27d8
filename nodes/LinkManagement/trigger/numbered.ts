// Records by their IDs, and how far a page is from the order of creation.

import type { IDataObject } from 'n8n-workflow';

import { idIn } from '../../shared/values/json';

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

/** The records with an id, each once. */
export function numbered(records: IDataObject[]): Numbered[] {
	const byId = new Map<number, Numbered>();
	for (const record of records) {
		const id = idIn(record.id);
		if (id !== undefined) byId.set(id, { id, record });
	}
	return [...byId.values()];
}

export const sorted = (records: Numbered[]): Numbered[] => records.toSorted((a, b) => a.id - b.id);

/** The highest ID; 0 if there is none. */
export const highest = (records: Numbered[]): number => sorted(records).at(-1)?.id ?? 0;

/** How many places, at most, a record of a page is away from where its id belongs. */
export function disorder(records: Numbered[], newestFirst: boolean): number {
	const rising = sorted(records);
	const inOrder = newestFirst ? rising.toReversed() : rising;
	const places = new Map(inOrder.map(({ id }, place) => [id, place]));
	return records.reduce(
		(most, { id }, at) => Math.max(most, Math.abs(at - (places.get(id) ?? at))),
		0,
	);
}

const MIN_TO_JUDGE = 10;

/** Whether a page is not in the order of creation: a record is more than a third of the page away from its place. */
export const isDisordered = (records: Numbered[], newestFirst: boolean): boolean =>
	records.length >= MIN_TO_JUDGE && disorder(records, newestFirst) * 3 > records.length;

/** The ID in the middle, by which two pages are compared. */
export const median = (records: Numbered[]): number =>
	sorted(records)[Math.floor(records.length / 2)]?.id ?? 0;

export const isRising = (records: Numbered[]): boolean =>
	(records[0]?.id ?? 0) < (records.at(-1)?.id ?? 0);
