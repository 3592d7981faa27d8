import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE, type Page } from '../../shared/lists/pages';
import { endsPoll } from '../../shared/triggers/runPoll';
import { toFailure } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';
import { firstKey, type KnownPages, type ListPage, listPage } from './listPage';
import {
	disorder,
	isDisordered,
	join,
	type Numbered,
	pageFrom,
	type PageRequest,
	type PageView,
	type Paging,
	sorted,
	USUAL_PAGING,
	viewOf,
} from './pageView';

/** How far a list has been read. */
export interface Cursor {
	/** Every record up to this ID has been read. */
	id: number;
	/** The IDs above it that have been read, too. */
	seen: number[];
	/** The place to look at first; see `PageView`. A hint, which may be wrong. */
	position: number;
	/** The record that was there. */
	positionId: number;
	/** What earlier polls learned of the service. A hint, which may be wrong; undefined if it is to be learned again. */
	paging: Paging | undefined;
}

export const NOTHING_READ: Cursor = {
	id: 0,
	seen: [],
	position: 0,
	positionId: 0,
	paging: undefined,
};

/** With this cursor no record is new; a reading with it finds the newest record. */
export const EVERYTHING_READ: Cursor = { ...NOTHING_READ, id: Number.MAX_SAFE_INTEGER };

/** A page with the `limit` that was sent. */
export interface FetchedPage extends Page {
	limit: number;
	/** Whether a larger `limit` failed without being refused: then this one is not worth remembering. */
	isOutage: boolean;
}

/** Requests a page; after the end of the list, an empty one. Undefined if the poll's time is up. */
export type FetchPage = (request: {
	limit: number;
	page: number;
}) => Promise<FetchedPage | undefined>;

export interface Reading {
	/** New records, the oldest first. */
	records: Numbered[];
	/** Where the next reading begins. */
	cursor: Cursor;
	/** The records at the new end of the list, by id; undefined if the reading did not get there. */
	end: Numbered[] | undefined;
	/** A page that is not in the order of creation: then records may be anywhere, and nothing else here counts. */
	disordered: FetchedPage | undefined;
	/** Whether it found its place in the list. */
	isFound: boolean;
	/** Whether it searched in vain as often as it may, and the next reading would do the same. */
	isLost: boolean;
}

const ANYWHERE = { old: -Infinity, new: Infinity };

/** The most searches in a row that bring a reading no further: half of a poll's requests. */
export const MAX_SEARCHES = 10;

/**
 * Finds the records of a list that are newer than a cursor, although the list may change between any two requests.
 *
 * Within one page no record is missing. A reading begins on a page that shows records which were read before, and joins newer
 * pages to it:
 * - A page that overlaps shows a known record again. With one of several page sizes (`limit`), a page nearly always does.
 * - If the service ignores `limit`, pages only touch. The newer page is read first, then the known one again. New records
 *   move others to the page that is read later. A deletion changes the known page or the number of records (`result`).
 * What does not fit into one poll is read in the next. If pages cannot be joined, the search begins again.
 *
 * Records of one second may be listed in any order, so the neighbor of a record by ID may be on the next page. The newest
 * records of a page, as many as `edge` says, are returned only once the next page is joined.
 *
 * It assumes:
 * - A later record has a greater ID, and is listed less than a third of a page away from where its ID belongs.
 * - If `limit` is ignored, `result` is current, or nothing is created and deleted within three requests.
 */
export class ListReader {
	private records: Numbered[] = [];
	/** What was read without a gap, beginning with records that were read before. */
	private view: PageView | undefined;
	/** How many searches in a row brought the reading no further. */
	private searching = 0;
	private readonly start: number;
	/** The place where the search looks next. */
	private place: number;
	/** The places between which the search has to look. */
	private bounds = ANYWHERE;
	private disordered: FetchedPage | undefined;
	private readonly known: KnownPages = { mostRecords: 0 };
	/** The highest ID on page 1, if it was read. */
	private newestOnPage1: number | undefined;
	private paging: Paging;
	/** One more than twice the disorder on the pages so far: records between may have been deleted. */
	private edge = 1;
	/** The size of pages that the next reading begins with: a page may be short because the list ends on it. */
	private sureSize: number;
	private longest: number;
	/** A page that is shorter than its `limit`, because the service caps it or because the list ends there. */
	private short: { size: number; end: number } | undefined;
	private isOutage = false;
	private requests = 0;
	private isFound = false;
	/** The stored place, until the search has looked there. */
	private hint: number | undefined;

	/**
	 * @param left how many more requests may be sent, if so many new records were found
	 * @param mayTurn whether the first page may be in the opposite order of what earlier polls learned
	 */
	constructor(
		private readonly fetchPage: FetchPage,
		private cursor: Cursor,
		private readonly left: (found: number) => number,
		private mayTurn = true,
	) {
		this.start = cursor.position;
		this.place = cursor.position;
		this.paging = cursor.paging ?? USUAL_PAGING;
		this.sureSize = this.paging.pageSize;
		this.longest = this.paging.longest;
		this.hint = cursor.paging ? undefined : cursor.position;
	}

	async read(maxSearches = MAX_SEARCHES): Promise<Reading> {
		let isTime = true;
		while (isTime && !this.view?.reachesNewEnd && this.searching < maxSearches) {
			isTime = this.view ? await this.goOn(this.view) : await this.search();
			if (this.view && this.mayBeTurned(this.view)) this.lookAtPage1(this.view);
		}
		const end = this.view?.reachesNewEnd ? sorted(this.view.records) : undefined;
		const isSearchedOut = !end && this.searching >= maxSearches;
		this.commit();
		const isAsBefore = this.records.length === 0 && this.place === this.start;
		const { sureSize: pageSize, longest } = this;
		const before = this.cursor.paging;
		// If an idle poll takes more than one request, what was learned before may be wrong.
		const isWrong = before !== undefined && isAsBefore && this.requests > 1;
		const learned = { ...this.paging, pageSize, longest };
		// A page in another order teaches nothing, if something is known.
		const isKept = this.isOutage || (before !== undefined && this.disordered !== undefined);
		const paging = isKept ? before : isWrong ? undefined : learned;
		const cursor = { ...this.cursor, position: this.place, paging };
		return {
			records: this.records,
			cursor,
			end,
			disordered: this.disordered,
			isFound: this.isFound,
			isLost: isSearchedOut && isAsBefore,
		};
	}

	/** @returns whether there was time */
	private async search(): Promise<boolean> {
		const { edge, searching } = this;
		const { pageSize, isFixed, newestFirst } = this.paging;
		// Another size shows whether the service ignores `limit`, and where a list ends whose last page is full.
		const smaller = Math.max(Math.floor(pageSize / 2), pageSize - searching);
		const before = isFixed ? 0 : Math.max(Math.floor(pageSize / 4), edge + 1);
		const place = newestFirst === undefined ? 0 : this.place;
		const wanted = pageFrom(place, before, this.paging, smaller);
		const isFirstPage = wanted.page === 1 && searching === 0;
		const request = isFirstPage ? { ...wanted, limit: LARGEST_PAGE } : wanted;
		this.searching += 1;
		try {
			const view = await this.readPage(request);
			if (view) this.begin(view);
			return view !== undefined;
		} catch (error) {
			this.avoid(request, error);
			return true;
		}
	}

	/** A page that fails may be behind the end of a list that has shrunk; then page 1 works. */
	private avoid({ page, limit }: PageRequest, error: unknown): void {
		const failure = toFailure(error);
		if (page === 1 || endsPoll(failure)) throw failure;
		const offset = (page - 1) * limit;
		if (this.paging.newestFirst) this.bounds = { ...this.bounds, old: -offset };
		else this.bounds = { ...this.bounds, new: offset };
		const isFirstRead = this.known.first !== undefined;
		if (this.bounds.old >= this.bounds.new) this.bounds = ANYWHERE;
		const { old, new: end } = this.bounds;
		const between = Math.round((Math.max(old, -offset) + Math.min(end, offset)) / 2);
		this.place = isFirstRead ? between : 0;
	}

	/** Joins the pages that follow. @returns whether there was time */
	private async goOn(view: PageView): Promise<boolean> {
		const requests = this.pagesAfter(view);
		if (this.requestsLeft() < requests.length) return false;
		const views: PageView[] = [];
		for (const request of requests) {
			const next = await this.readPage(request);
			if (!next) return false;
			views.unshift(next);
		}
		const [known, ...newer] = views;
		const totals = new Set(views.flatMap(({ total }) => total ?? []));
		const isSteady = totals.size < 2;
		const isSame = known?.records.every(({ id }) => view.records.some((entry) => entry.id === id));
		const mayTouch = newer.length === 0 || !this.paging.newestFirst || (isSteady && isSame);
		let joined = this.view && mayTouch && known && join(view, known);
		for (const next of newer) {
			if (joined && !joined.reachesNewEnd) joined = join(joined, next, true);
		}
		const isLonger = joined && joined.records.length > view.records.length;
		this.searching = isLonger ? 0 : this.searching + 1;
		if (joined) {
			// A record that was added after the first of these requests may be on another page.
			const isGrown = !this.paging.newestFirst && (known?.total ?? 0) > joined.newest + 1;
			this.view = { ...joined, reachesNewEnd: joined.reachesNewEnd && isSteady && !isGrown };
		} else {
			this.commit();
			if (known) this.begin(known);
		}
		return true;
	}

	/** Whether the end of a list that began with the oldest record has other old records than before, or more of them. */
	private mayBeTurned({ records, newest, reachesNewEnd }: PageView): boolean {
		const { position, positionId } = this.cursor;
		if (this.paging.newestFirst !== false || !reachesNewEnd) return false;
		const [first = 0, last = 0] = [records.at(0)?.id, records.at(-1)?.id];
		const isOther = last === positionId ? newest > position : first > last;
		return isOther && this.found().length === 0;
	}

	/** Page 1 shows the order of the list. If that is as before, the search comes back. */
	private lookAtPage1({ newest }: PageView): void {
		if (this.newestOnPage1 !== undefined) return;
		this.paging = { ...this.paging, newestFirst: undefined };
		this.view = undefined;
		this.hint = newest;
	}

	/** One page that overlaps the view; or the next one or two, the newest first, and the view's last page again. */
	private pagesAfter({ newest, extent }: PageView): PageRequest[] {
		const { paging, edge } = this;
		const before = Math.max(Math.floor(paging.pageSize / 32), edge - 1);
		const same = pageFrom(newest, before, paging);
		if (same.newest > newest) return [same];
		const near = pageFrom(newest + 1, 0, paging);
		const isMore = paging.isFixed && near.newest < (paging.newestFirst ? 0 : extent);
		return isMore && this.requestsLeft() > 2
			? [pageFrom(near.newest + 1, 0, paging), near, same]
			: [near, same];
	}

	/** The records of the view that the cursor has not passed, without those at its newer edge. */
	private passed(): Numbered[] {
		const { records = [], reachesNewEnd } = this.view ?? {};
		const after = sorted(records.filter(({ id }) => id > this.cursor.id));
		return reachesNewEnd ? after : after.slice(0, -this.edge);
	}

	private found(): Numbered[] {
		const seen = new Set(this.cursor.seen);
		return this.passed().filter(({ id }) => !seen.has(id));
	}

	/** Takes the new records of the view, and moves the cursor past them. */
	private commit(): void {
		const { view } = this;
		if (!view) return;
		this.records = [...this.records, ...this.found()];
		const id = this.passed().at(-1)?.id ?? this.cursor.id;
		const seen = this.cursor.seen.filter((each) => each > id);
		const positionId = (view.reachesNewEnd ? view.records.at(-1)?.id : undefined) ?? id;
		this.cursor = { ...this.cursor, id, seen, positionId };
		const last = view.records.findLastIndex((entry) => entry.id === id);
		this.place = view.newest - (view.reachesNewEnd ? 0 : view.records.length - 1 - last);
		this.view = undefined;
		this.bounds = ANYWHERE;
	}

	private requestsLeft(): number {
		return this.left(this.records.length + this.found().length);
	}

	/** Learns from each page how the service pages. Undefined if there is no time, or the list is unsorted. */
	private async readPage(request: PageRequest): Promise<PageView | undefined> {
		const fetched = this.requestsLeft() > 0 ? await this.fetchPage(request) : undefined;
		if (!fetched) return undefined;
		this.requests += 1;
		this.isOutage ||= fetched.isOutage;
		const page = this.understood(fetched, request.page);
		this.known.mostRecords = Math.max(this.known.mostRecords, page.records.length);
		this.longest = Math.max(this.longest, page.records.length);
		if (request.page === 1) this.known.first = firstKey(page.records);
		const ids = idsOf(page.records);
		const newestId = ids.toSorted((a, b) => a - b).at(-1) ?? 0;
		if (request.page === 1) this.newestOnPage1 = newestId;
		let { pageSize, isFixed, newestFirst } = this.paging;
		if (page.size !== request.limit || page.size > pageSize) {
			pageSize = page.size;
			isFixed ||= page.size > request.limit;
		}
		this.judgeSize(page, request.limit);
		const isReversed = (ids.at(0) ?? 0) > (ids.at(-1) ?? 0);
		const showsOrder = ids.length * 4 >= pageSize * 3;
		const hasTurned = showsOrder && newestFirst !== undefined && isReversed !== newestFirst;
		const isOdd = isDisordered(ids) || (hasTurned && !this.mayTurn);
		if (showsOrder) this.mayTurn = false;
		if (showsOrder && isReversed !== newestFirst) {
			newestFirst = isReversed;
			this.view = undefined;
			this.bounds = ANYWHERE;
		}
		const found = disorder(ids, newestFirst ?? isReversed);
		this.disordered = page.pages !== 1 && isOdd ? fetched : undefined;
		if (this.disordered) return undefined;
		// If a service's pages got smaller, the edge of the earlier ones could cover a whole page.
		const maxEdge = Math.max(1, Math.floor(pageSize / 3));
		this.edge = Math.min(Math.max(this.edge, 1 + 2 * found), maxEdge);
		this.paging = { ...this.paging, pageSize, isFixed, newestFirst };
		const view = viewOf(page, this.paging);
		const isEnd = newestFirst === false && view.reachesNewEnd && ids.length > 0;
		if (isEnd && newestId < (this.newestOnPage1 ?? 0)) {
			// The newest date comes first after all, but the records of one date are in the order of creation.
			this.cursor = { ...this.cursor, paging: { ...this.paging, newestFirst: true } };
			this.disordered = fetched;
			return undefined;
		}
		return view;
	}

	/** A short page is the last one if longer pages were seen, and it shows the newest known record; or if all have one size. */
	private understood(fetched: FetchedPage, number: number): ListPage {
		const { limit } = fetched;
		const page = listPage(fetched, { page: number, limit }, this.known);
		const showsNewest = page.records.some(({ id }) => idIn(id) === this.cursor.positionId);
		const isFixed = this.paging.isFixed && limit === this.paging.pageSize;
		const isLast = isFixed || (showsNewest && limit <= this.longest);
		if (!page.isCapped || !isLast) return page;
		return listPage(fetched, { page: number, limit }, { ...this.known, mostRecords: limit });
	}

	/** A short page shows the size of pages only if records follow it. */
	private judgeSize(page: ListPage, limit: number): void {
		const count = page.records.length;
		if (count === 0) return;
		const end = (page.number - 1) * limit + count;
		if (this.short && end > this.short.end) this.sureSize = this.short.size;
		if (page.isCapped) this.short = { size: page.size, end };
		else if (page.size !== limit) this.sureSize = page.size;
	}

	/** Begins the view with a page that shows enough records that were read before, or decides where to look for one. */
	private begin(view: PageView): void {
		const { newest, extent, reachesOldEnd, reachesNewEnd } = view;
		const { id, position } = this.cursor;
		const { pageSize, newestFirst } = this.paging;
		const { edge, hint } = this;
		const ids = sorted(view.records).map((entry) => entry.id);
		const done = ids.filter((known) => known <= id).length;
		const oldest = newest - ids.length + 1;
		const isAllDone = done === ids.length;
		const isIdle = isAllDone && reachesNewEnd && done > 0 && newest === position;
		const isGrounded = reachesOldEnd || isIdle || (ids[edge] ?? Infinity) <= id;
		const gap = isAllDone ? id - (ids.at(-1) ?? -Infinity) : (ids[0] ?? id) - id;
		const isFar = Math.min(this.bounds.new - newest, gap) > pageSize;
		const isTooOld = isAllDone && !reachesNewEnd && isFar;
		if (isGrounded && !isTooOld) {
			this.view = view;
			this.isFound = true;
			return;
		}
		const end = newestFirst ? Infinity : extent + 1;
		const bounds = isTooOld
			? { old: newest, new: Math.min(this.bounds.new, end) }
			: { ...this.bounds, new: Math.min(oldest + done, end) };
		this.bounds = bounds.old < bounds.new ? bounds : ANYWHERE;
		// Ids grow by at least one per record, so the distance is at most the difference of the ids.
		const way = Math.min(gap, pageSize * 4 ** this.searching);
		const isBetween = (at: number): boolean => at > bounds.old && at < bounds.new;
		let place = isTooOld ? newest + way : oldest - way;
		if (hint !== undefined && isBetween(hint)) place = hint;
		if (!isBetween(place)) place = Math.round((bounds.old + bounds.new) / 2);
		this.hint = undefined;
		if (!isTooOld && done > 0) place = oldest + done - 2 - edge;
		const distance = Math.min(extent, Math.max(0, newestFirst ? -place : place));
		this.place = newestFirst ? -distance : distance;
	}
}

const idsOf = (records: IDataObject[]): number[] => records.flatMap(({ id }) => idIn(id) ?? []);
