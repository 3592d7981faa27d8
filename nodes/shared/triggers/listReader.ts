import type { Page } from '../lists/pages';
import type { Cursor } from './cursor';
import type { Numbered, PageRequest, PageView } from './pageView';
import {
	join,
	newestPlace,
	pageOverlapping,
	pageShowing,
	sorted,
	untrustedEdge,
	viewOf,
} from './pageView';

/** Asks for a page; behind the end of the list, an empty one. Undefined if the poll's time is up. */
export type AskPage = (request: PageRequest) => Promise<Page | undefined>;

export interface Reading {
	/** New records, the oldest first. */
	records: Numbered[];
	/** Where the next reading goes on. */
	cursor: Cursor;
	/** Whether the reading got to the new end of the list, and the newest record there. */
	isComplete: boolean;
	newest: Numbered | undefined;
}

/** Requests in a row that may bring a reading no further: half of a poll's. */
const MOST_SEARCHING = 10;

/**
 * Finds the records of a list that are newer than a cursor, although the list may change between any two requests.
 * A page is one answer, so it shows a stretch of the list without a gap. A reading begins with a page that shows records
 * that are done, and goes on to newer ones. A page is added to the stretch if nothing can be between the two:
 * - It shows a record of the stretch again. Two records never change places, so what is newer than that record, and not
 *   newer than the page, is on the page. With pages of several sizes (`limit`), one overlaps at nearly every place.
 * - Where none does: it begins where its neighbour ended, which was the same when it was read once more later. In an
 *   oldest-first list, deletions move records towards the start, and nothing moves them back; so the neighbour had not
 *   moved. In a newest-first list, new records move them back; there the number of records must have been the same each
 *   time. Then as many went as came, and a neighbour that is where it was shows that none of them went behind it.
 * What is above the cursor on the stretch is new, and nothing between is missing. The stretch ends with the list, or its
 * newest records wait for the next reading.
 *
 * This takes for granted:
 * - A later record has a greater id.
 * - A record stands less than a third of a page from where its id belongs. Lists by date have records of one second, or
 *   of an hour that a clock went through twice, in disorder; a page shows how much, and as many records at its edge
 *   prove nothing. A record that is put deeper among old ones cannot be found with one request: it is not on the page.
 * - The service tells somehow where the list ends: `maxpage`, `result`, `nextpage`, or a page that is not full.
 */
export class ListReader {
	/** What was read without a gap, from records that are done on. */
	private stretch: PageView | undefined;
	/** The page that the next ones are to touch, and those read since. */
	private tip: PageView | undefined;
	private batch: PageView[] = [];
	private planned: PageRequest[];
	private requestsLeft = 0;
	private searching = 0;
	/** The last jump of the search, in places, and whether one went too far. */
	private jump = 0;
	private isOvershot = false;
	/** Whether a page showed which end of the list is the new one, and a page that waits for that. */
	private isOrderSeen = false;
	private candidate: PageView | undefined;
	/** The place of the oldest record that was seen to be new. */
	private newer = Infinity;
	private searchedAt: number;
	private overlap = 0;

	constructor(
		private readonly ask: AskPage,
		private cursor: Cursor,
	) {
		const { position, pageSize, isFixed, edge } = cursor;
		this.searchedAt = position;
		const before = isFixed ? 0 : Math.max(Math.floor(pageSize / 4), edge + 1);
		const page = pageOverlapping(position, before, cursor);
		this.planned = [page ?? pageShowing(position - before, cursor)];
	}

	/** @param left how many more requests may be made, after so many new records were found */
	async read(left: (found: number) => number, mostSearching = MOST_SEARCHING): Promise<Reading> {
		for (;;) {
			this.requestsLeft = left(this.found().length);
			if (this.planned.length === 0 && this.stretch) this.plan(this.stretch);
			const isDone = this.stretch?.reachesNewEnd === true || this.searching >= mostSearching;
			const request = isDone || this.requestsLeft <= 0 ? undefined : this.planned.shift();
			const page = request && (await this.ask(request));
			if (!page) return this.reading();
			this.take(page, request);
		}
	}

	private reading(): Reading {
		const { stretch, cursor } = this;
		const records = this.found();
		const isComplete = stretch?.reachesNewEnd === true;
		const newest = isComplete ? sorted(stretch.records).at(-1) : undefined;
		const id = records.at(-1)?.id ?? cursor.id;
		const index = stretch?.records.findIndex((entry) => entry.id === id) ?? -1;
		const last = stretch?.newest ?? this.searchedAt;
		const position = stretch && index >= 0 && !isComplete ? stretch.oldest + index : last;
		const next = { ...cursor, id, position, last: newest?.id ?? cursor.last };
		return { records, cursor: next, newest, isComplete };
	}

	/** The new records of the stretch, but for those at its newer edge, between which others may belong. */
	private found(): Numbered[] {
		const { records = [], reachesNewEnd } = this.stretch ?? {};
		const count = records.length - (reachesNewEnd ? 0 : this.cursor.edge);
		const trusted = sorted(records).slice(0, Math.max(0, count));
		return trusted.filter(({ id }) => id > this.cursor.id);
	}

	private take(page: Page, request: PageRequest): void {
		this.learnSize(Math.max(page.perPage, page.records.length), request);
		let view = viewOf(page, request, this.cursor);
		const isFull = view.records.length * 4 >= this.cursor.pageSize * 3;
		const isReversed = (view.records.at(0)?.id ?? 0) > (view.records.at(-1)?.id ?? 0);
		this.isOrderSeen ||= isFull;
		if (isFull && isReversed && !this.stretch) {
			this.cursor = { ...this.cursor, newestFirst: !this.cursor.newestFirst };
			this.newer = Infinity;
			this.candidate = undefined;
			view = viewOf(page, request, this.cursor);
		}
		const edge = Math.max(this.cursor.edge, untrustedEdge(view.records, this.cursor));
		this.cursor = { ...this.cursor, edge };
		if (this.stretch) this.extend(this.stretch, view);
		else if (this.candidate) this.begin(this.candidate);
		else this.search(view);
	}

	/** A service may lower the limit that it is asked for, or not listen to it at all. */
	private learnSize(pageSize: number, { limit }: PageRequest): void {
		if (pageSize === 0 || pageSize === limit) return;
		this.cursor = { ...this.cursor, pageSize, isFixed: this.cursor.isFixed || pageSize > limit };
	}

	/** Begins the stretch with a page that shows enough of what is done, or looks for one. */
	private search(view: PageView): void {
		const { records, oldest, newest, reachesNewEnd } = view;
		const { id, pageSize, isFixed, position, edge } = this.cursor;
		const byId = sorted(records);
		const done = byId.filter((entry) => entry.id <= id).length;
		const isAllDone = done === records.length;
		const isEmpty = records.length === 0 && view.request.page > 1;
		const isIdle = isAllDone && reachesNewEnd && !isEmpty && newest === position;
		const isEnough = (byId[edge]?.id ?? Infinity) <= id + 1;
		const isGrounded = view.reachesOldEnd || isEnough || isIdle;
		const gap = isAllDone ? id - (byId.at(-1)?.id ?? -Infinity) : (byId[0]?.id ?? id) - id;
		const isNear = !isAllDone || reachesNewEnd || Math.min(this.newer - newest, gap) <= pageSize;
		if (isGrounded && isNear && (!isEmpty || isFixed)) {
			this.begin(view);
			return;
		}
		this.searching += 1;
		const isTooNew = !isAllDone || reachesNewEnd;
		if (isTooNew) this.newer = oldest + done;
		if (isTooNew && done > 0) this.goTo(view, oldest + done - 2 - edge);
		else this.jumpFrom(view, isTooNew ? -gap : gap);
	}

	/** A page that is not full does not show the order of the list, unless it shows what was at its new end before. */
	private begin(view: PageView): void {
		const { id, last } = this.cursor;
		const isKnown = view.records.some((entry) => entry.id === id || entry.id === last);
		if (this.isOrderSeen || (view.reachesOldEnd ? view.reachesNewEnd : isKnown)) {
			this.stretch = view;
			this.tip = view;
		} else {
			this.searching += 1;
			this.isOrderSeen = true;
			this.candidate = view;
			this.planned = [pageShowing(0, this.cursor)];
		}
	}

	/** Ids rise by one at least, so the way is no longer than their difference; once a jump was too far, halves of it. */
	private jumpFrom(view: PageView, gap: number): void {
		const way = Math.sign(gap);
		this.isOvershot ||= this.jump * way < 0;
		const most = this.isOvershot
			? Math.abs(this.jump) / 2
			: this.cursor.pageSize * 4 ** this.searching;
		this.jump = way * Math.ceil(Math.max(1, Math.min(Math.abs(gap), most)));
		this.goTo(view, (way < 0 ? view.oldest : view.newest) + this.jump, this.cursor.pageSize / 3);
	}

	/** Goes to a place in the list, and shows up to some places before it, but nothing that was just seen. */
	private goTo({ oldest, newest, extent }: PageView, place: number, before = 0): void {
		const { newestFirst, pageSize, isFixed } = this.cursor;
		const distance = Math.min(extent, Math.max(0, newestFirst ? -place : place));
		this.searchedAt = newestFirst ? -distance : distance;
		const way = Math.abs(this.searchedAt - (this.jump < 0 ? oldest : newest));
		const margin = isFixed ? 0 : Math.floor(Math.min(before, way / 2));
		// Other sizes tell whether the service listens to `limit`, and where a list ends that fills its pages.
		const most = Math.floor(Math.max(pageSize / 2, pageSize - this.searching));
		this.planned = [pageShowing(this.searchedAt - margin, this.cursor, most)];
	}

	/** Adds to the stretch what is known to follow it without a gap. */
	private extend(stretch: PageView, view: PageView): void {
		this.batch.push(view);
		const isEnd = view.records.length === 0 && view.reachesNewEnd;
		const isIdle = isEnd && stretch.records.every(({ id }) => id <= this.cursor.id);
		if (isIdle) this.stretch = { ...stretch, reachesNewEnd: true };
		if (this.planned.length > 0) return;
		const { tip, batch } = this;
		const [far, near] = [batch.at(-3), batch.at(-2)];
		this.batch = [];
		let joined = join(stretch, view);
		this.tip = joined && view;
		if (tip && view.request === tip.request && this.isUnchanged(tip, batch)) {
			joined = join(stretch, tip, true) ?? stretch;
			const next = near && join(joined, near, near.oldest === tip.newest + 1);
			const isFarNext = next && far?.oldest === near.newest + 1;
			joined = next ?? joined;
			this.tip = isFarNext ? far : next ? near : tip;
		}
		this.stretch = joined ?? stretch;
		const isLonger = this.stretch.records.length > stretch.records.length;
		this.searching = isLonger ? 0 : this.searching + 1;
		if (!isLonger) this.overlap = 2 * this.overlap + 1;
	}

	/** Whether the list did not shift between two looks at the tip. */
	private isUnchanged(tip: PageView, batch: PageView[]): boolean {
		const idsOf = (view: PageView | undefined) => view?.records.map(({ id }) => id).join();
		const isQuiet = batch.every(({ total }) => total === tip.total);
		return idsOf(batch.at(-1)) === idsOf(tip) && (isQuiet || !this.cursor.newestFirst);
	}

	/** Plans a page that overlaps with the stretch. Where none does: the page after next, the next one, and the tip again. */
	private plan({ newest, extent }: PageView): void {
		const { tip, cursor, requestsLeft } = this;
		const overlap = Math.min(this.overlap + cursor.pageSize / 32, cursor.pageSize / 4);
		const overlapping = pageOverlapping(newest, overlap, cursor);
		if (overlapping || !tip) {
			this.planned = [overlapping ?? pageShowing(newest, cursor)];
			return;
		}
		const near = pageShowing(tip.newest + 1, cursor);
		const place = newestPlace(near, cursor) + 1;
		const isThere = cursor.newestFirst ? place <= 0 : place <= extent;
		const isFar = isThere && requestsLeft > 3 && this.found().length > 0;
		const pages = isFar ? [pageShowing(place, cursor), near] : [near];
		this.planned = [...(tip.reachesNewEnd || requestsLeft === 1 ? [] : pages), tip.request];
	}
}
