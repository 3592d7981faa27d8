import { LARGEST_PAGE } from '../lists/pages';
import { integerIn, isRecord } from '../values/json';
import type { Layout } from './pageView';

/** How far a list has been read. `id` alone decides what is new; the rest says where to look first, and may be wrong. */
export interface Cursor extends Layout {
	/** Every record up to this id is done, and none above it. */
	id: number;
	/** A place in the list, see `PageView`. */
	position: number;
	/** The highest id that was seen at the list's new end: unlike `id`, not of a record that is known to be gone. */
	last: number;
	/** How many records at the edge of a page prove nothing: the most that any page showed, see `untrustedEdge`. */
	edge: number;
}

export const NOTHING_READ: Cursor = {
	id: 0,
	position: 0,
	last: 0,
	edge: 1,
	newestFirst: true,
	pageSize: LARGEST_PAGE,
	isFixed: false,
};

/** A cursor with which everything that exists is done, to find the newest record; where that is, is not known. */
export const EVERYTHING_READ: Cursor = {
	...NOTHING_READ,
	id: Number.MAX_SAFE_INTEGER,
	position: Infinity,
};

/** The cursor in a stored state, also in that of version 1.0.0; undefined if there is none. */
export function cursorIn(value: unknown): Cursor | undefined {
	if (!isRecord(value)) return undefined;
	const id = integerIn(value.id);
	if (id === undefined) return undefined;
	return {
		id,
		position: integerIn(value.position ?? value.at) ?? 0,
		last: integerIn(value.last) ?? id,
		edge: Math.max(1, integerIn(value.edge) ?? 1),
		newestFirst: value.newestFirst !== false && value.order !== 'oldestFirst',
		pageSize: Math.max(1, integerIn(value.pageSize ?? value.size) ?? LARGEST_PAGE),
		isFixed: value.isFixed === true,
	};
}
