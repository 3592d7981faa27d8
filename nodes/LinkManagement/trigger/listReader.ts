import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../shared/lists/pages';
import { LARGEST_PAGE } from '../../shared/lists/pages';
import { idIn, integerIn, isRecord } from '../../shared/values/json';

/** How far a list has been read. `id` alone decides what is new; the rest says where to look first, and may be wrong. */
export interface Cursor {
	/** Every record up to this id is done, and none above it. */
	id: number;
	/** A place, see `View`. */
	position: number;
	/** Unknown until a page was seen that is nearly full. */
	newestFirst: boolean | undefined;
	/** The most records that the service puts on a page, and whether it does so whatever `limit` says. */
	pageSize: number;
	isFixed: boolean;
	/** How many records at the edge of a page prove nothing: the most that any page showed, see `untrustedEdge`. */
	edge: number;
}

export const NOTHING_READ: Cursor = {
	id: 0,
	position: 0,
	newestFirst: undefined,
	pageSize: LARGEST_PAGE,
	isFixed: false,
	edge: 1,
};

/** A cursor with which everything that exists is done, to find the newest record. */
export const EVERYTHING_READ: Cursor = { ...NOTHING_READ, id: Number.MAX_SAFE_INTEGER };

/** The cursor in a stored state, also in that of version 1.0.0; undefined if there is none. */
export function cursorIn(value: unknown): Cursor | undefined {
	const state = isRecord(value) ? value : {};
	const id = integerIn(state.id);
	if (id === undefined) return undefined;
	return {
		id,
		position: integerIn(state.position ?? state.at) ?? 0,
		newestFirst: typeof state.newestFirst === 'boolean' ? state.newestFirst : undefined,
		pageSize: Math.max(1, integerIn(state.pageSize ?? state.size) ?? LARGEST_PAGE),
		isFixed: state.isFixed === true,
		edge: Math.max(1, integerIn(state.edge) ?? 1),
	};
}

/** A page to ask for; the first is 1. Without a limit (0), the service decides how many records it has. */
interface PageRequest {
	limit: number;
	page: number;
	/** The newest place on it, if it is full. */
	newest: number;
}

/** Asks for a page; behind the end of the list, an empty one. Undefined if the poll's time is up. */
export type AskPage = (request: { limit: number; page: number }) => Promise<Page | undefined>;

/** A record with its id as a number. */
export interface Numbered {
	id: number;
	record: IDataObject;
}

export interface Reading {
	/** New records, the oldest first. */
	records: Numbered[];
	/** Where the next reading goes on. */
	cursor: Cursor;
	/** What was read at the new end of the list, by id; undefined if the reading did not get there. */
	end: Numbered[] | undefined;
}

/**
 * What one page shows of a list, or several that touch: a stretch without a gap, the older end first. Places are counted
 * so that newer is greater: 0, 1, 2 … in a list that begins with the oldest record, 0, -1, -2 … in one that begins with
 * the newest.
 */
interface View {
	records: Numbered[];
	/** The places of the first and the last record, and how far the list's last one is from its start, if the page tells. */
	oldest: number;
	newest: number;
	extent: number;
	reachesOldEnd: boolean;
	reachesNewEnd: boolean;
	/** Records in the list, as far as the page tells. */
	total: number | undefined;
}

const ANYWHERE = { old: -Infinity, new: Infinity };

/** Requests in a row that may bring a reading no further: half of a poll's. */
const MOST_SEARCHING = 10;

/**
 * Finds the records of a list that are newer than a cursor, although the list may change between any two requests.
 * A page is one answer, so it shows a stretch of the list without a gap. A reading begins with a page that shows records
 * that are done, and goes on to newer ones. A page is added to the stretch if nothing can be between the two:
 * - It shows a record of the stretch again. Two records never change places, so what is newer than that record, and not
 *   newer than the page, is on the page. With pages of several sizes (`limit`), one overlaps at nearly every place.
 * - Where none does, the pages that follow are read, the newest first, and then the last page of the stretch once more.
 *   Records that move meanwhile move towards the old end, on to a page that is read later. In an oldest-first list they
 *   never move another way. In a newest-first one, new records move them there, and deletions back; if as many records
 *   are in the list each time, then as many came as went, and none moved back.
 * What is above the cursor on the stretch is new, and nothing between is missing. The stretch ends with the list, or its
 * newest records wait for the next reading. If a page does not fit, the search begins again at what is done by then.
 *
 * This takes for granted:
 * - A later record has a greater id.
 * - A record stands less than a third of a page from where its id belongs. Lists by date have records of one second, or
 *   of an hour that a clock went through twice, in disorder; a page shows how much, and as many records at its edge
 *   prove nothing. A record that is put deeper among old ones cannot be found with one request: it is not on the page.
 * - The service tells somehow where the list ends: `maxpage`, `result`, `nextpage`, or a page that is not full.
 */
export class ListReader {
	private readonly records: Numbered[] = [];
	/** What was read without a gap, from records that are done on. */
	private stretch: View | undefined;
	/** Requests in a row that brought the reading no further. */
	private searching = 0;
	/** Where the search looks next, and the places between which it has to look. */
	private place: number;
	private bounds = ANYWHERE;

	/** @param left how many more requests may be made, after so many new records were found */
	constructor(
		private readonly ask: AskPage,
		private cursor: Cursor,
		private readonly left: (found: number) => number,
	) {
		this.place = cursor.position;
	}

	async read(mostSearching = MOST_SEARCHING): Promise<Reading> {
		while (!this.stretch?.reachesNewEnd && this.searching < mostSearching) {
			if (!(await this.goOn())) break;
		}
		const end = this.stretch?.reachesNewEnd ? sorted(this.stretch.records) : undefined;
		this.settle();
		return { records: this.records, cursor: { ...this.cursor, position: this.place }, end };
	}

	/** @returns whether there was time */
	private async goOn(): Promise<boolean> {
		const { stretch } = this;
		const requests = stretch ? this.pagesAfter(stretch) : [this.pageSought()];
		if (this.requestsLeft() < requests.length) return false;
		const views: View[] = [];
		for (const request of requests) {
			const view = await this.look(request);
			if (!view) return false;
			views.unshift(view);
		}
		const [known, ...newer] = views;
		const isSteady = newer.every(({ total }) => total === known?.total);
		const fits = known && (isSteady || !this.cursor.newestFirst);
		let joined = this.stretch && fits ? join(this.stretch, known) : undefined;
		for (const view of newer) {
			if (joined && !joined.reachesNewEnd) joined = join(joined, view, true);
		}
		const isLonger = stretch && joined && joined.records.length > stretch.records.length;
		this.searching = isLonger ? 0 : this.searching + 1;
		if (!joined) this.settle();
		// What came behind the first of these pages while they were read is not on them.
		if (joined) this.stretch = { ...joined, reachesNewEnd: joined.reachesNewEnd && isSteady };
		else if (known) this.begin(known);
		return true;
	}

	/** The new records of the stretch, but for those at its newer edge, between which others may belong. */
	private found(): Numbered[] {
		const { records = [], reachesNewEnd } = this.stretch ?? {};
		const count = records.length - (reachesNewEnd ? 0 : this.cursor.edge);
		const trusted = sorted(records).slice(0, Math.max(0, count));
		return trusted.filter(({ id }) => id > this.cursor.id);
	}

	/** Ends the stretch: its new records are done. */
	private settle(): void {
		const { stretch } = this;
		this.records.push(...this.found());
		const id = this.records.at(-1)?.id ?? this.cursor.id;
		this.cursor = { ...this.cursor, id };
		if (!stretch) return;
		const index = stretch.reachesNewEnd
			? -1
			: stretch.records.findIndex((entry) => entry.id === id);
		this.place = index < 0 ? stretch.newest : stretch.oldest + index;
		this.stretch = undefined;
		this.bounds = ANYWHERE;
	}

	private requestsLeft(): number {
		return this.left(this.records.length + this.found().length);
	}

	/** Asks for a page, and learns from it how the service pages. */
	private async look(request: PageRequest): Promise<View | undefined> {
		const page = this.requestsLeft() > 0 ? await this.ask(request) : undefined;
		if (!page) return undefined;
		const ids = page.records.map((record) => idIn(record.id) ?? 0);
		const size = Math.max(page.perPage, ids.length);
		let { pageSize, isFixed, newestFirst } = this.cursor;
		if (size > 0 && size !== request.limit) {
			pageSize = size;
			isFixed ||= request.limit > 0 && size > request.limit;
		}
		const isReversed = (ids.at(0) ?? 0) > (ids.at(-1) ?? 0);
		if (isReversed !== newestFirst && ids.length * 4 >= pageSize * 3) {
			newestFirst = isReversed;
			this.stretch = undefined;
			this.bounds = ANYWHERE;
		}
		const cursor = { ...this.cursor, pageSize, isFixed, newestFirst };
		this.cursor = { ...cursor, edge: Math.max(cursor.edge, untrustedEdge(ids, cursor)) };
		return viewOf(page, request, this.cursor);
	}

	private pageSought(): PageRequest {
		const { pageSize, isFixed, edge, newestFirst } = this.cursor;
		const before = isFixed ? 0 : Math.max(Math.floor(pageSize / 4), edge + 1);
		// Other sizes tell whether the service listens to `limit`, and where a list ends that fills its pages.
		const most = Math.floor(Math.max(pageSize / 2, pageSize - this.searching));
		return pageFrom(newestFirst === undefined ? 0 : this.place, before, this.cursor, most);
	}

	/** A page that overlaps with the stretch; or the two pages behind it, the newer one first, and its last one again. */
	private pagesAfter({ newest, extent }: View): PageRequest[] {
		const { cursor } = this;
		const shown = pageFrom(newest, Math.floor(cursor.pageSize / 32), cursor);
		if (shown.newest > newest) return [shown];
		const near = pageFrom(newest + 1, 0, cursor);
		const isMore = near.newest < (cursor.newestFirst ? 0 : extent) && this.found().length > 0;
		const far =
			isMore && cursor.isFixed && this.requestsLeft() > 2
				? [pageFrom(near.newest + 1, 0, cursor)]
				: [];
		return [...far, near, shown];
	}

	/** Begins the stretch with a page that shows enough of what is done, or says where to look for one. */
	private begin(view: View): void {
		const { oldest, newest, extent, reachesOldEnd, reachesNewEnd } = view;
		const { id, pageSize, isFixed, edge, position, newestFirst } = this.cursor;
		const ids = sorted(view.records).map((entry) => entry.id);
		const done = ids.filter((known) => known <= id).length;
		const isAllDone = done === ids.length;
		const isIdle = isAllDone && reachesNewEnd && done > 0 && newest === position;
		const isGrounded = reachesOldEnd || isIdle || (ids[edge] ?? Infinity) <= id + 1;
		const gap = isAllDone ? id - (ids.at(-1) ?? -Infinity) : (ids[0] ?? id) - id;
		const isFar = Math.min(this.bounds.new - newest, gap) > pageSize || (done === 0 && !isFixed);
		const isTooOld = isAllDone && !reachesNewEnd && isFar;
		if (isGrounded && !isTooOld) {
			this.stretch = view;
			return;
		}
		const bounds = { ...this.bounds, ...(isTooOld ? { old: newest } : { new: oldest + done }) };
		this.bounds = bounds.old < bounds.new ? bounds : ANYWHERE;
		// Ids rise by one at least, so the way is no longer than their difference.
		const way = Math.min(gap, pageSize * 4 ** this.searching);
		let place = isTooOld ? newest + way : oldest - way;
		if (!(place > bounds.old && place < bounds.new))
			place = Math.round((bounds.old + bounds.new) / 2);
		if (!isTooOld && done > 0) place = oldest + done - 2 - edge;
		const distance = Math.min(extent, Math.max(0, newestFirst ? -place : place));
		this.place = newestFirst ? -distance : distance;
	}
}

/**
 * What a page shows, by whatever the service says of where it is: `maxpage` may be missing or too high, and a page behind
 * the last one may show the last one again.
 */
function viewOf(page: Page, request: PageRequest, { newestFirst, pageSize }: Cursor): View {
	const { maxPage = Infinity, nextPage = Infinity, total = 0 } = page;
	const count = page.records.length;
	const perPage = Math.max(page.perPage, count) || pageSize;
	// A total that is no greater than a page may be meant of the page.
	const whole = total > perPage ? total : Infinity;
	const last = Math.min(maxPage, Math.ceil(whole / perPage));
	const shown = Math.min(request.page, page.currentPage ?? Infinity, last);
	const number = count === 0 ? request.page : shown;
	const offset = (number - 1) * perPage;
	const end = offset + count;
	const isWhole = total === end && (page.maxPage === undefined || page.nextPage === undefined);
	const isShort = count < Math.min(pageSize, request.limit || pageSize);
	const isBehind = number < request.page || number >= last;
	const isLast = isShort || isBehind || isWhole || nextPage <= number;
	const listed = page.records.flatMap((record) => {
		const id = idIn(record.id);
		return id === undefined ? [] : [{ id, record }];
	});
	return {
		records: newestFirst ? listed.toReversed() : listed,
		oldest: newestFirst ? -Math.max(offset, end - 1) : offset,
		newest: newestFirst ? -offset : end - 1,
		reachesOldEnd: newestFirst ? isLast : request.page === 1,
		reachesNewEnd: newestFirst ? request.page === 1 : isLast,
		extent: Math.min(isLast ? end - 1 : Infinity, last * perPage - 1, whole - 1),
		total: page.total,
	};
}

/** A stretch with a page that overlaps with it, or is known to touch its newer end; undefined if it does neither. */
function join(stretch: View, view: View, touches = false): View | undefined {
	const known = new Set(stretch.records.map(({ id }) => id));
	const fresh = view.records.filter(({ id }) => !known.has(id));
	const isApart = fresh.length === view.records.length && known.size + fresh.length > 0;
	if (isApart && !touches) return undefined;
	const records = [...stretch.records, ...fresh];
	const last = records.findIndex(({ id }) => id === view.records.at(-1)?.id);
	const newest = view.newest + (last < 0 ? 0 : records.length - 1 - last);
	const reachesNewEnd = stretch.reachesNewEnd || view.reachesNewEnd;
	return { ...view, records, newest, oldest: newest - records.length + 1, reachesNewEnd };
}

/**
 * How many records at an edge of a page prove nothing, because others that belong between them may be on the next page.
 * How far records stand from where their ids belong is seen on the page; twice that, because some were deleted.
 */
function untrustedEdge(ids: number[], { pageSize, newestFirst }: Cursor): number {
	const places = new Map(
		ids.toSorted((a, b) => (newestFirst ? b - a : a - b)).map((id, place) => [id, place]),
	);
	const shifts = ids.map((id, place) => Math.abs(place - (places.get(id) ?? place)));
	return Math.min(1 + 2 * Math.max(0, ...shifts), Math.max(1, Math.floor(pageSize / 3)));
}

/**
 * The page that shows a place, goes on behind it, and shows as many places before it as can be, up to a number. Of such
 * pages of all sizes, the one that reaches furthest towards the new end; if none goes on, one that shows the place.
 */
function pageFrom(
	place: number,
	before: number,
	cursor: Cursor,
	most = cursor.pageSize,
): PageRequest {
	const { newestFirst, pageSize, isFixed } = cursor;
	const least = isFixed ? pageSize : Math.floor(pageSize / 2);
	for (let back = before; ; back -= 1) {
		const offset = Math.max(0, newestFirst ? back - place : place - back);
		let best = { limit: 0, page: 1, newest: -Infinity };
		for (let limit = isFixed ? pageSize : most; limit >= least; limit -= 1) {
			const page = Math.floor(offset / limit) + 1;
			const newest = newestFirst ? -(page - 1) * limit : page * limit - 1;
			if (newest > best.newest) best = { limit: isFixed ? 0 : limit, page, newest };
		}
		if (best.newest > place || back <= 0) return best;
	}
}

/** By id, which is the order in which records were made. */
function sorted(records: Numbered[]): Numbered[] {
	return records.toSorted((a, b) => a.id - b.id);
}
