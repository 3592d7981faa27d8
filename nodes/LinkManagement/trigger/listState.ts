// What a trigger stores of a list between two polls, and which records are new by it: records and state in, new records and next
// state out.

import type { IDataObject } from 'n8n-workflow';

import { countIn, idIn } from '../../shared/values/json';

/** IDs grow, so a record with an ID above `mark` that is not in `seen` is new. */
export interface ListState {
	/** Every record up to this ID has been read. */
	mark: number;
	/** The IDs above it that have been read. */
	seen: ReadonlySet<number>;
	/** Whether the list is read for the first time, so that no record is new. */
	isBaseline: boolean;
	/** If the last scan was interrupted: the highest ID that was known when it began. */
	signpost: number | undefined;
	/** Where it was interrupted; else, in a list with the oldest first, where the next scan begins. */
	page: number | undefined;
}

export function listStateIn(stored: IDataObject): ListState {
	const { mark, seen, isBaseline, signpost, page } = stored;
	return {
		mark: countIn(mark) ?? 0,
		seen: new Set(Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : []),
		isBaseline: isBaseline === true,
		signpost: countIn(signpost),
		page: idIn(page),
	};
}

export function newIdsIn(ids: readonly number[], { mark, seen, isBaseline }: ListState): number[] {
	return isBaseline ? [] : ids.filter((id) => id > mark && !seen.has(id));
}

/** Whether nothing new is behind a page: at least half of it is known. A few old records may stand among new ones. */
export function isKnownPage(ids: readonly number[], { mark, isBaseline }: ListState): boolean {
	const known = ids.filter((id) => isBaseline || id <= mark);
	return known.length > 0 && known.length * 2 >= ids.length;
}

export interface ScanEnd {
	isInterrupted: boolean;
	/** How many pages were compared. Pages shift, so only one alone hides nothing. */
	pages: number;
	page: number | undefined;
}

/** After several pages, only what was known before is safe: if the next scan finds nothing new, it makes the rest safe. */
export function stateAfter(ids: readonly number[], state: ListState, end: ScanEnd): IDataObject {
	const { isInterrupted, pages, page } = end;
	const newest = Math.max(0, ...ids);
	const signpost = state.signpost ?? Math.max(state.mark, ...state.seen);
	const isAlone = pages === 1 && state.signpost === undefined;
	const isSafe = isAlone || state.isBaseline;
	const readUpTo = isInterrupted && !state.isBaseline ? state.mark : isSafe ? newest : signpost;
	const mark = Math.max(state.mark, readUpTo);
	return {
		mark,
		seen: [...state.seen, ...newIdsIn(ids, state)].filter((id) => id > mark),
		isBaseline: state.isBaseline && isInterrupted,
		signpost: isInterrupted ? signpost : undefined,
		page,
	};
}
