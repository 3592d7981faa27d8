// What a trigger for new records stores between two polls: how far its list has been read. `newsOf` makes it of a reading, with the
// records that are new.

import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import { countIn, idIn, recordsIn } from '../../shared/values/json';
import type { ListReading } from './listReading';

/** IDs grow, so a record with an ID above `id` that is not in `seen` is new. */
export interface ListState {
	/** Every record up to this ID has been read. */
	id: number;
	/** The IDs above it that have been read, the lowest first. */
	seen: number[];
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
	/** If the last poll ended before its reading: the page that comes next. */
	page: number | undefined;
	/** The `limit` of the pages. */
	limit: number;
	/** The highest ID that was read before that reading. */
	top: number | undefined;
}

export function listStateIn(stored: IDataObject): ListState {
	const { id, seen, isFirst, page, limit, top } = stored;
	return {
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		isFirst: isFirst === true,
		page: idIn(page),
		limit: countIn(limit) ?? LARGEST_PAGE,
		top: countIn(top),
	};
}

/** How a reading ended: nothing was missed; pages that shifted may have hidden a record; or the poll ended before it. */
export type Outcome = 'sure' | 'unsure' | 'unfinished';

interface News {
	/** The new records, the oldest first. */
	records: IDataObject[];
	newest: IDataObject | undefined;
	state: ListState;
}

/** If a record may have been missed, `id` moves only up to what was known before; the next reading, which finds it, moves it on. */
export function newsOf(reading: ListReading, outcome: Outcome, limit: number): News {
	const { state, records, page } = reading;
	const { isFirst } = state;
	const ids = [...records.keys()].toSorted(ascending);
	const newest = ids.at(-1) ?? 0;
	const fresh = ids.filter((id) => reading.isNew(id));
	const top = state.top ?? state.seen.at(-1) ?? state.id;
	const readUpTo = { sure: newest, unsure: top, unfinished: state.id };
	const id = Math.max(state.id, isFirst ? newest : readUpTo[outcome]);
	const isUnfinished = outcome === 'unfinished';
	return {
		records: recordsIn(fresh.map((each) => records.get(each))),
		newest: records.get(newest),
		state: {
			id,
			seen: [...state.seen, ...fresh].toSorted(ascending).filter((each) => each > id),
			isFirst: isFirst && isUnfinished,
			page: isUnfinished ? page : undefined,
			// A smaller limit is tried anew after news, because it may come from an accident of the service.
			limit: isUnfinished || fresh.length === 0 ? limit : LARGEST_PAGE,
			top: isUnfinished ? top : undefined,
		},
	};
}

const ascending = (a: number, b: number): number => a - b;
