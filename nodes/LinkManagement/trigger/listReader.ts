import type { Page } from '../../shared/lists/pages';
import { LARGEST_PAGE } from '../../shared/lists/pages';
import { idIn, integerIn, mapIn } from '../../shared/values/json';
import type { Numbered, PageRequest, Paging, Stretch } from './stretch';
import { join, pageFrom, sorted, stretchOf, untrustedEdge } from './stretch';

/** How far a list has been read. Only `id` decides what is new; the rest says where to look first, and may be wrong. */
export interface Cursor extends Paging {
	/** Every record up to this id has been read, and none above it. */
	id: number;
	/** The place to look at first; see `Stretch`. */
	position: number;
	/** How many records at the edge of a page are not trusted; see `untrustedEdge`. */
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

/** With this cursor no record is new; a reading with it finds the newest record. */
export const EVERYTHING_READ: Cursor = { ...NOTHING_READ, id: Number.MAX_SAFE_INTEGER };

/** The cursor in a stored state; undefined if there is none. */
export function cursorIn(value: unknown): Cursor | undefined {
	const state = mapIn(value);
	const id = integerIn(state.id);
	if (id === undefined) return undefined;
	return {
		id,
		position: integerIn(state.position) ?? 0,
		newestFirst: typeof state.newestFirst === 'boolean' ? state.newestFirst : undefined,
		pageSize: Math.max(1, integerIn(state.pageSize) ?? LARGEST_PAGE),
		isFixed: state.isFixed === true,
		edge: Math.max(1, integerIn(state.edge) ?? 1),
	};
}

/** Requests a page; after the end of the list, an empty one. Undefined if the poll's time is up. */
export type AskPage = (request: { limit: number; page: number }) => Promise<Page | undefined>;

export interface Reading {
	/** New records, the oldest first. */
	records: Numbered[];
	/** Where the next reading goes on. */
	cursor: Cursor;
	/** The records at the new end of the list, by id; undefined if the reading did not get there. */
	end: Numbered[] | undefined;
}

const ANYWHERE = { old: -Infinity, new: Infinity };

/** The most requests in a row that bring a reading no further: half of a poll's. */
const MOST_SEARCHING = 10;

/**
 * Finds the records of a list that are newer than a cursor, although the list may change between any two requests.
 * A page is one response, so it shows a stretch of the list without a gap. A reading begins with a page that shows records
 * that were read before, and goes on to newer ones. A page is added to the stretch if no record can be between the two:
 * - If it shows a record of the stretch again. Two records never change places, so every record that is newer than that one
 *   and not newer than the page is on the page. Pages of several sizes (`limit`) are tried, so one nearly always overlaps.
 * - If none overlaps, the next pages are read, the newest first, and then the last page of the stretch once more. Records
 *   that move meanwhile must move towards the old end, to a page that is read later. In an oldest-first list they always do.
 *   In a newest-first list, new records move them so, and deletions move them back; but if the list has the same number of
 *   records each time, as many came as went, and none moved back.
 * Every record of the stretch above the cursor is new, and none is missing between them. If the stretch does not reach the
 * end of the list, its newest records wait for the next reading. If a page does not fit, the search begins again.
 *
 * It assumes:
 * - A later record has a greater id.
 * - A record is less than a third of a page away from where its id belongs. In lists by date, records of one second are in
 *   disorder, and those of an hour that a clock went through twice. A page shows how much, and as many records at its edge
 *   are not trusted. A record that is inserted deeper among old ones cannot be found with one request.
 * - The service says where the list ends: by `maxpage`, `result`, `nextpage`, or a page that is not full.
 * - It says how many records fit on a page (`perpage`), and its numbers are current: by an outdated count, a page may seem
 *   to be the last one.
 */
export class ListReader {
	private records: Numbered[] = [];
	/** What was read without a gap, beginning with records that were read before. */
	private stretch: Stretch | undefined;
	/** How many requests in a row brought the reading no further. */
	private searching = 0;
	/** The place where the search looks next, and the bounds between which it has to look. */
	private place: number;
	private bounds = ANYWHERE;

	/** @param left how many more requests may be sent, if so many new records were found */
	constructor(
		private readonly ask: AskPage,
		private cursor: Cursor,
		private readonly left: (found: number) => number,
	) {
		this.place = cursor.position;
	}

	async read(mostSearching = MOST_SEARCHING): Promise<Reading> {
		let isTime = true;
		while (isTime && !this.stretch?.reachesNewEnd && this.searching < mostSearching) {
			isTime = this.stretch ? await this.goOn(this.stretch) : await this.search();
		}
		const end = this.stretch?.reachesNewEnd ? sorted(this.stretch.records) : undefined;
		this.settle();
		return { records: this.records, cursor: { ...this.cursor, position: this.place }, end };
	}

	/** Looks for a page to begin the stretch with. @returns whether there was time */
	private async search(): Promise<boolean> {
		const { pageSize, isFixed, edge, newestFirst } = this.cursor;
		// Another size shows whether the service ignores `limit`, and where a list ends whose last page is full.
		const smaller = Math.max(Math.floor(pageSize / 2), pageSize - this.searching);
		const before = isFixed ? 0 : Math.max(Math.floor(pageSize / 4), edge + 1);
		const place = newestFirst === undefined ? 0 : this.place;
		const view = await this.look(pageFrom(place, before, this.cursor, smaller));
		this.searching += 1;
		if (view) this.begin(view);
		return view !== undefined;
	}

	/** Reads what follows the stretch. @returns whether there was time */
	private async goOn(stretch: Stretch): Promise<boolean> {
		const requests = this.pagesAfter(stretch);
		if (this.requestsLeft() < requests.length) return false;
		const views: Stretch[] = [];
		for (const request of requests) {
			const view = await this.look(request);
			if (!view) return false;
			views.unshift(view);
		}
		const [known, ...newer] = views;
		const isSteady = newer.every(({ total }) => total === known?.total);
		const fits = this.stretch && (isSteady || !this.cursor.newestFirst);
		let joined = fits && known && join(stretch, known);
		for (const view of newer) {
			if (joined && !joined.reachesNewEnd) joined = join(joined, view, true);
		}
		const isLonger = joined && joined.records.length > stretch.records.length;
		this.searching = isLonger ? 0 : this.searching + 1;
		// Records that were added after the first of these requests may be on none of these pages.
		if (joined) this.stretch = { ...joined, reachesNewEnd: joined.reachesNewEnd && isSteady };
		else {
			this.settle();
			if (known) this.begin(known);
		}
		return true;
	}

	/** One page that overlaps the stretch; or the next one or two, the newest first, and the stretch's last page again. */
	private pagesAfter({ newest, extent }: Stretch): PageRequest[] {
		const { cursor } = this;
		const shown = pageFrom(newest, Math.floor(cursor.pageSize / 32), cursor);
		if (shown.newest > newest) return [shown];
		const near = pageFrom(newest + 1, 0, cursor);
		const isMore = cursor.isFixed && near.newest < (cursor.newestFirst ? 0 : extent);
		return isMore && this.requestsLeft() > 2
			? [pageFrom(near.newest + 1, 0, cursor), near, shown]
			: [near, shown];
	}

	/** The new records of the stretch, without those at its newer edge: others may belong between them. */
	private found(): Numbered[] {
		const { records = [], reachesNewEnd } = this.stretch ?? {};
		const fresh = sorted(records.filter(({ id }) => id > this.cursor.id));
		return reachesNewEnd ? fresh : fresh.slice(0, -this.cursor.edge);
	}

	/** Ends the stretch: takes its new records, and moves the cursor behind them. */
	private settle(): void {
		const { stretch } = this;
		if (!stretch) return;
		this.records = [...this.records, ...this.found()];
		const id = this.records.at(-1)?.id ?? this.cursor.id;
		this.cursor = { ...this.cursor, id };
		const last = stretch.records.findLastIndex((entry) => entry.id === id);
		const isAtEnd = stretch.reachesNewEnd || last < 0;
		this.place = stretch.newest - (isAtEnd ? 0 : stretch.records.length - 1 - last);
		this.stretch = undefined;
		this.bounds = ANYWHERE;
	}

	private requestsLeft(): number {
		return this.left(this.records.length + this.found().length);
	}

	/** Requests a page, and learns from it how the service pages. */
	private async look(request: PageRequest): Promise<Stretch | undefined> {
		const page = this.requestsLeft() > 0 ? await this.ask(request) : undefined;
		if (!page) return undefined;
		const ids = page.records.flatMap((record) => idIn(record.id) ?? []);
		const size = Math.max(page.perPage, page.records.length);
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
		const edge = untrustedEdge(ids, newestFirst ?? isReversed, this.cursor.edge);
		// If a service's pages got smaller, the edge of the earlier ones could cover a whole page.
		const mostEdge = Math.max(1, Math.floor(pageSize / 3));
		this.cursor = {
			...this.cursor,
			pageSize,
			isFixed,
			newestFirst,
			edge: Math.min(edge, mostEdge),
		};
		return stretchOf(page, request, this.cursor);
	}

	/** Begins the stretch with a page that shows enough records that were read before, or decides where to look for one. */
	private begin(view: Stretch): void {
		const { newest, extent, reachesOldEnd, reachesNewEnd } = view;
		const { id, pageSize, isFixed, edge, position, newestFirst } = this.cursor;
		const ids = sorted(view.records).map((entry) => entry.id);
		const done = ids.filter((known) => known <= id).length;
		const oldest = newest - ids.length + 1;
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
		// Ids grow by at least one per record, so the distance is at most the difference of the ids.
		const way = Math.min(gap, pageSize * 4 ** this.searching);
		let place = isTooOld ? newest + way : oldest - way;
		const isBetween = place > bounds.old && place < bounds.new;
		if (!isBetween) place = Math.round((bounds.old + bounds.new) / 2);
		if (!isTooOld && done > 0) place = oldest + done - 2 - edge;
		const distance = Math.min(extent, Math.max(0, newestFirst ? -place : place));
		this.place = newestFirst ? -distance : distance;
	}
}
