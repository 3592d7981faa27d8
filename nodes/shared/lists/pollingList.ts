import type { IDataObject } from 'n8n-workflow';

import { integerIn, isRecord } from '../values/json';
import type { Page } from './pages';
import { hasMore, LARGEST_PAGE } from './pages';
import type { ListOrder, Numbered, PageAddress, Slice } from './pollingPage';
import { select, sliceOf, sorted } from './pollingPage';
import { pageAround } from './pollingWindow';

/** How far a list is done. Only `id` decides what is new; the rest says where to look first, and may be wrong. */
export interface Mark {
	/** The highest id done: every record up to it is done, and none above it. */
	id: number;
	/** The place of that record when it was last seen, see `Slice`. */
	at: number;
	order: ListOrder | undefined;
	/** The most records that the service puts on a page. */
	size: number;
	/** Whether it puts that many on a page whatever it is asked for. */
	isFixed: boolean;
}

/** Asks for a page; undefined if there is no time or no request left for it. */
export type AskPage = (address: PageAddress) => Promise<Page | undefined>;

/** Whether another page may be read, after that many new records were found. */
export type MayRead = (found: number) => boolean;

/** The mark of a list of which nothing is done. */
export const NOTHING_DONE: Mark = {
	id: 0,
	at: 0,
	order: undefined,
	size: LARGEST_PAGE,
	isFixed: false,
};

/** New records, the oldest first, and the mark after them. */
export interface Reading {
	records: Numbered[];
	mark: Mark;
	/** Whether the way to the new records was not found, although there were requests left. */
	isLost: boolean;
}

/**
 * The records above a mark, as far as the requests reach. What is left over is above the new mark, so the next reading
 * finds it. A record is given out only when a page shows that all between the mark and it is known.
 *
 * One request is enough as long as the new records fit on a page with the mark.
 */
export async function readOn(ask: AskPage, mark: Mark, mayRead: MayRead): Promise<Reading> {
	const walk = new Walk(ask, mark);
	await walk.run(mayRead);
	return { records: walk.found, mark: walk.mark, isLost: walk.isLost };
}

/** The newest record of a list, and the mark at it; undefined if the requests did not reach to it. */
export async function readNewest(
	ask: AskPage,
	mayRead: MayRead,
): Promise<{ newest: Numbered | undefined; mark: Mark } | undefined> {
	const walk = new Walk(ask, { ...NOTHING_DONE, id: Number.MAX_SAFE_INTEGER });
	await walk.run(mayRead);
	if (!walk.end) return undefined;
	const newest = sorted(walk.end.records).at(-1);
	return { newest, mark: { ...walk.mark, id: newest?.id ?? 0 } };
}

/** The mark in a stored state; undefined if there is none. */
export function markIn(value: unknown): Mark | undefined {
	if (!isRecord(value)) return undefined;
	const id = integerIn(value.id);
	if (id === undefined) return undefined;
	const { order } = value;
	return {
		id,
		at: integerIn(value.at) ?? 0,
		order: order === 'newestFirst' || order === 'oldestFirst' ? order : undefined,
		size: Math.max(1, integerIn(value.size) ?? LARGEST_PAGE),
		isFixed: value.isFixed === true,
	};
}

/** A mark as it is stored. */
export function markState({ id, at, order, size, isFixed }: Mark): IDataObject {
	return { id, at, order: order ?? null, size, isFixed };
}

interface Point {
	id: number;
	place: number;
}

/** Records on the older side of the mark that a page shows again, so that it overlaps with what is done. */
const OVERLAP = 3;

/** Records on the newer side of it that a page must show to be worth a request. */
const LEAST_NEWER = 2;

/** Pages around one place that are tried, before records of one second are taken to be in order. */
const WINDOWS_TRIED = 3;

/** Pages without any news after which the next poll goes on: the list changes faster than it can be read. */
const MOST_FRUITLESS = 6;

/** One reading of a list. First it looks where the mark was; where that fails, it searches; then it goes on to newer pages. */
class Walk {
	readonly found: Numbered[] = [];
	/** The page at the list's new end, once everything on it is done. */
	end: Slice | undefined;
	private readonly slices: Slice[] = [];
	/** The nearest records seen on both sides of the mark, while it is searched for. */
	private older: Point | undefined;
	private newer: Point | undefined;
	/** The list's oldest record and its place, once it was seen. */
	private oldestId: number | undefined;
	private beginning: number | undefined;
	/** The last page, as far as is known. */
	private lastPage: PageAddress = { limit: LARGEST_PAGE, page: 1 };
	private wasEmpty = false;
	private guesses = 0;
	private fruitless = 0;

	constructor(
		private readonly ask: AskPage,
		public mark: Mark,
	) {}

	get isLost(): boolean {
		return this.fruitless >= MOST_FRUITLESS && this.found.length === 0;
	}

	async run(mayRead: MayRead): Promise<void> {
		let next = this.around(this.mark.at, Math.floor(this.mark.size / 4));
		while (!this.end && this.fruitless < MOST_FRUITLESS && mayRead(this.found.length)) {
			const page = await this.ask(next);
			if (!page) return;
			next = this.take(page, next);
		}
	}

	/** Takes in a page, and says which one to ask for next. */
	private take(page: Page, asked: PageAddress): PageAddress {
		this.learnSize(page, asked);
		this.learnEnd(page, asked);
		const seen = sliceOf(page, asked, this.mark.order);
		if (seen.records.length === 0 && asked.page > 1) return this.before(page, asked);
		this.wasEmpty = false;
		const slice = this.atBeginning(seen);
		if (slice.records.length > 1) this.learnOrder(slice.order);
		this.slices.push(slice);
		if (this.moveMark()) return this.around(this.mark.at, this.overlap);
		return this.search(slice);
	}

	/** Nothing is ever added before the oldest record, so a page that begins with it begins with the list. */
	private atBeginning(slice: Slice): Slice {
		const id = slice.records[0]?.id;
		const isOldest = slice.from === 0 || (id !== undefined && id === this.oldestId);
		if (!isOldest) return slice;
		this.oldestId = id;
		this.beginning = slice.place;
		return { ...slice, from: 0 };
	}

	/** The list ends before the page that was asked for. */
	private before({ maxPage }: Page, { limit, page }: PageAddress): PageAddress {
		const offset = (page - 1) * limit;
		const isNext =
			(maxPage ?? 0) >= page - 1 || this.slices.some((slice) => lastOffset(slice) >= offset - 1);
		const isSecond = this.wasEmpty;
		this.wasEmpty = true;
		this.forget();
		this.fruitless += 1;
		if (!isNext || isSecond) return this.lastPage;
		// A full page may be the last one without saying so; one that shows the end of the list is not full.
		return this.mark.order === 'oldestFirst'
			? this.around(offset - 1, this.overlap)
			: this.around(-offset, 0);
	}

	/** Moves the mark over every page that connects to it. */
	private moveMark(): boolean {
		const before = this.mark.id;
		let isMoving = true;
		while (isMoving) {
			isMoving = this.slices.some((slice) => this.add(slice, select(slice, this.mark.id)));
		}
		this.end = this.slices.findLast(
			({ isNewest, from, to }) => isNewest && from <= to && to <= this.mark.id,
		);
		if (this.end) this.mark = { ...this.mark, at: newestPlace(this.end) };
		return this.mark.id > before;
	}

	private add(slice: Slice, records: Numbered[]): boolean {
		const last = records.at(-1);
		if (!last) return false;
		this.found.push(...records);
		this.older = lastDone(slice, last.id);
		this.mark = { ...this.mark, id: last.id, at: this.older?.place ?? slice.place };
		this.newer = undefined;
		this.fruitless = 0;
		return true;
	}

	private forget(): void {
		this.older = undefined;
		this.newer = undefined;
	}

	/** The page on which the mark should be, by all that was seen. */
	private search(slice: Slice): PageAddress {
		if (!this.narrow(slice)) this.fruitless += 1;
		const { older, newer } = this;
		if (!newer) return slice.isNewest ? this.beforeEnd(slice) : this.newEnd();
		const lower = older ?? this.oldEnd();
		const span = newer.place - lower.place;
		if (span <= 1) return this.atBreak(lower, newer);
		this.guesses += 1;
		// Ids are spread evenly as a rule; where they are not, halving does it.
		const share = this.guesses % 3 === 0 ? 0.5 : (this.mark.id - lower.id) / (newer.id - lower.id);
		const guess = lower.place + Math.max(1, Math.min(span - 1, Math.round(span * share)));
		const isAtBeginning = this.beginning === undefined && guess - lower.place < this.mark.size;
		return isAtBeginning ? this.oldestPage() : this.around(guess, Math.floor(this.mark.size / 3));
	}

	/** Notes where the mark cannot be; false if that was known. */
	private narrow(slice: Slice): boolean {
		const { older, newer } = this;
		const done = lastDone(slice, this.mark.id);
		const open = firstOpen(slice, this.mark.id);
		if (done && done.id >= (older?.id ?? 0)) this.older = done;
		if (open && open.id <= (newer?.id ?? open.id)) this.newer = open;
		return this.older?.id !== older?.id || this.newer?.id !== newer?.id;
	}

	/** The mark is between two neighbours, but no page has shown both of them well inside. */
	private atBreak(older: Point, newer: Point): PageAddress {
		this.fruitless += 1;
		if (this.mark.isFixed || this.fruitless > WINDOWS_TRIED) {
			const slice = this.slices.findLast(({ records }) =>
				records.some(({ id }) => id === newer.id),
			);
			// Pages of one size never overlap; then neighbours are taken to be neighbours, which is the best that can be had.
			const isSeen = this.older !== undefined || this.beginning !== undefined;
			const isTrusted = slice && (lastDone(slice, this.mark.id) ?? (this.mark.isFixed && isSeen));
			const open = slice?.records.filter(({ id }) => id > this.mark.id) ?? [];
			const inside = open.filter(({ id }) => id <= (slice?.to ?? 0));
			const records = sorted(inside.length > 0 && !this.mark.isFixed ? inside : open);
			if (slice && isTrusted && this.add(slice, records)) {
				this.moveMark();
				return this.around(this.mark.at + (this.mark.isFixed ? 1 : 0), this.overlap);
			}
		}
		this.forget();
		const { margin, wanted } = this.widerWindow();
		return this.around(older.place, margin, wanted);
	}

	/** Records of one second count on a page only as a whole: more is shown of what is before, behind, on both sides. */
	private widerWindow(): { margin: number; wanted: number } {
		const half = Math.floor(this.mark.size / 2);
		const third = Math.floor(this.mark.size / 3);
		if (this.fruitless % 3 === 1) return { margin: half, wanted: LEAST_NEWER };
		if (this.fruitless % 3 === 2) return { margin: this.overlap, wanted: half };
		return { margin: third, wanted: third };
	}

	/** Small pages cannot spare much. */
	private get overlap(): number {
		return Math.min(OVERLAP, Math.floor(this.mark.size / 4));
	}

	private around(place: number, margin: number, newer = LEAST_NEWER): PageAddress {
		const { size, isFixed, order = 'newestFirst' } = this.mark;
		const beginning = this.beginning ?? Number.NEGATIVE_INFINITY;
		const at = Math.max(place, beginning);
		const possible = Math.min(margin, at - beginning);
		return pageAround({ order, place: at, margin: possible, newer, size, isFixed });
	}

	/** The end, with more of what is before it: a page that begins within a second does not show the rest of that. */
	private beforeEnd(slice: Slice): PageAddress {
		return this.around(newestPlace(slice), Math.floor(this.mark.size / 4));
	}

	private newEnd(): PageAddress {
		return this.mark.order === 'oldestFirst' ? this.lastPage : { limit: this.mark.size, page: 1 };
	}

	private oldestPage(): PageAddress {
		return this.mark.order === 'oldestFirst' ? { limit: this.mark.size, page: 1 } : this.lastPage;
	}

	/** Where the list begins, before its oldest record. */
	private oldEnd(): Point {
		const { limit, page } = this.lastPage;
		const place = this.mark.order === 'oldestFirst' ? -1 : -limit * page;
		return { id: 0, place: this.beginning === undefined ? place : this.beginning - 1 };
	}

	private learnOrder(order: ListOrder): void {
		if (this.mark.order === order) return;
		this.forget();
		this.mark = { ...this.mark, order };
	}

	/** A service may lower the limit that it is asked for, or not listen to it at all. */
	private learnSize({ perPage, records }: Page, { limit }: PageAddress): void {
		if (perPage < limit) this.mark = { ...this.mark, size: Math.max(1, perPage) };
		if (records.length > limit) this.mark = { ...this.mark, size: records.length, isFixed: true };
	}

	private learnEnd(page: Page, asked: PageAddress): void {
		const { maxPage, perPage, records } = page;
		const limit = this.mark.isFixed ? this.mark.size : Math.min(perPage, asked.limit);
		if (hasMore(page, asked.page)) {
			const further = maxPage === undefined ? asked.page * 2 : asked.page + 1;
			this.lastPage = { limit, page: Math.max(further, maxPage ?? 0) };
		} else if (records.length > 0) {
			this.lastPage = { limit, page: Math.min(asked.page, maxPage ?? asked.page) };
		} else {
			this.lastPage = { limit, page: Math.max(1, maxPage ?? Math.floor(asked.page / 2)) };
		}
	}
}

function newestPlace({ place, records }: Slice): number {
	return place + Math.max(0, records.length - 1);
}

/** How many records the list has before the last one on the page. */
function lastOffset(slice: Slice): number {
	return slice.order === 'newestFirst' ? -slice.place : newestPlace(slice);
}

/** The place of a page that is nearest below the mark, and the highest id done on it. */
function lastDone({ records, place }: Slice, mark: number): Point | undefined {
	const index = records.findLastIndex(({ id }) => id <= mark);
	const ids = records.map(({ id }) => id).filter((id) => id <= mark);
	return index < 0 ? undefined : { id: Math.max(...ids), place: place + index };
}

/** The place of a page that is nearest above the mark, and the lowest id on it that is not done. */
function firstOpen({ records, place }: Slice, mark: number): Point | undefined {
	const index = records.findIndex(({ id }) => id > mark);
	const ids = records.map(({ id }) => id).filter((id) => id > mark);
	return index < 0 ? undefined : { id: Math.min(...ids), place: place + index };
}
