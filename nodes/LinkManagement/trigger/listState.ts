// What a trigger stores of a list between two polls, and which records are new by it: records and state in, new records and next
// state out.

import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import { countIn, idIn, recordsIn } from '../../shared/values/json';

/** IDs grow, so a record with an ID above `safeId` that is not in `idsAbove` is new. */
export interface ListState {
	/** Every record up to this ID has been read. */
	safeId: number;
	/** The IDs above it that have been read, the lowest first. */
	idsAbove: number[];
	/** Whether the list is read for the first time, so that no record is new. */
	isBaseline: boolean;
	/** If the last scan was interrupted: the page at which the next one goes on. */
	page: number | undefined;
	pageSize: number;
	/** If the last scan was interrupted: the highest ID that was known when it began. */
	signpost: number | undefined;
}

export function listStateIn(stored: IDataObject): ListState {
	const { safeId, idsAbove, isBaseline, page, pageSize, signpost } = stored;
	return {
		safeId: countIn(safeId) ?? 0,
		idsAbove: Array.isArray(idsAbove) ? idsAbove.flatMap((each) => idIn(each) ?? []) : [],
		isBaseline: isBaseline === true,
		page: idIn(page),
		pageSize: countIn(pageSize) ?? LARGEST_PAGE,
		signpost: countIn(signpost),
	};
}

export interface ScanEnd {
	/** Nothing was missed; pages that shifted may have hidden a record; or the poll ended before the scan. */
	outcome: 'complete' | 'uncertain' | 'interrupted';
	page: number | undefined;
	pageSize: number;
}

export function newIdsIn(ids: readonly number[], state: ListState): number[] {
	const { safeId, idsAbove, isBaseline } = state;
	const known = new Set(idsAbove);
	return isBaseline ? [] : ids.filter((id) => id > safeId && !known.has(id));
}

/** Whether nothing new is behind a page: at least half of it is known. A few old records may stand among new ones. */
export function isKnownPage(ids: readonly number[], { isBaseline, safeId }: ListState): boolean {
	const known = ids.filter((id) => isBaseline || id <= safeId);
	return known.length > 0 && known.length * 2 >= ids.length;
}

/**
 * Only what a complete scan read is safe. After an uncertain one, only what was known before it is: if the next scan finds nothing
 * new, it makes the rest safe.
 */
export function selectNew(
	records: ReadonlyMap<number, IDataObject>,
	state: ListState,
	{ outcome, page, pageSize }: ScanEnd,
) {
	const ids = [...records.keys()].toSorted(ascending);
	const newest = ids.at(-1) ?? 0;
	const newIds = newIdsIn(ids, state);
	const signpost = state.signpost ?? state.idsAbove.at(-1) ?? state.safeId;
	const readUpTo = { complete: newest, uncertain: signpost, interrupted: state.safeId };
	const safeId = Math.max(state.safeId, state.isBaseline ? newest : readUpTo[outcome]);
	const isInterrupted = outcome === 'interrupted';
	const next: ListState = {
		safeId,
		idsAbove: [...state.idsAbove, ...newIds].toSorted(ascending).filter((id) => id > safeId),
		isBaseline: state.isBaseline && isInterrupted,
		page: isInterrupted ? page : undefined,
		// After new records the largest is tried again: a smaller one may come from an accident of the service.
		pageSize: isInterrupted || newIds.length === 0 ? pageSize : LARGEST_PAGE,
		signpost: isInterrupted ? signpost : undefined,
	};
	const newRecords = recordsIn(newIds.map((id) => records.get(id)));
	return { newRecords, newest: records.get(newest), state: next };
}

const ascending = (a: number, b: number): number => a - b;
