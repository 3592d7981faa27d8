// Pages of a list in the order of creation, and what they show of it.

import {
	type AcceptedLimit,
	LARGEST_PAGE,
	type Page,
	requestFirstPage,
	requestOrEmpty,
	type RequestPage,
	SMALLEST_CAP,
} from '../../shared/lists/pages';
import { endsPoll } from '../../shared/triggers/runPoll';
import { Failure, toFailure } from '../../shared/values/failure';
import { disorder, median, type Numbered, numbered } from './numbered';

/** Where new records appear, as the last poll found it. A hint: each poll sees whether it is right. */
export interface NewEnd {
	/** The highest ID there. */
	newest: number;
	/** How many records the list had; undefined if the service does not say so. */
	count: number | undefined;
	/** The way to the last page, if the list begins with the oldest record. Undefined: the newest records are on page 1. */
	tail: Tail | undefined;
}

interface Tail {
	/** How many records are on a full page. */
	size: number;
	/** Whether a `limit` of another size did not lead there, because the service ignores it. */
	isFixed: boolean;
}

/** A reading that the next poll goes on with. */
export interface OpenReading {
	/** How many places of the list were read; 0 to begin again. */
	place: number;
	/** The ID of the record there; 0 if the list begins with the oldest record. */
	lastId: number;
	/** Whether a record may be missing, because it moved to a page that was read before. */
	hasGap: boolean;
	/** Whether the service ignores `limit`. */
	isFixed: boolean;
}

export const FROM_BEGINNING: OpenReading = { place: 0, lastId: 0, hasGap: false, isFixed: false };

/** What was read before. */
export interface Known {
	/** Every record up to this ID. */
	id: number;
	/** The IDs above it. */
	seen: number[];
	/** Undefined if it has to be found. */
	end: NewEnd | undefined;
	reading: OpenReading | undefined;
}

export interface EndReading {
	/** All records that it showed. */
	listed: Numbered[];
	/** The highest ID at the new end; 0 if there is none. */
	newest: number;
	end: NewEnd | undefined;
	/** Whether every record up to the newest one has been read. */
	isSure: boolean;
	reading: OpenReading | undefined;
}

/** Tells whether a record is new. */
export function newTo({ id: last, seen }: Known): (record: Numbered) => boolean {
	const seenBefore = new Set(seen);
	return ({ id }) => id > last && !seenBefore.has(id);
}

/** A page that was read. */
export interface Shown extends Page {
	number: number;
	limit: number;
	numbered: Numbered[];
	/** Whether it shows records of a page that was read before. */
	overlaps: boolean;
}

export class ShownPages {
	/** The records of all pages. */
	private readonly listed = new Map<number, Numbered>();
	private readonly isNew: (record: Numbered) => boolean;
	/** Page 1, if it was read. */
	firstPage: Shown | undefined;
	/** The most records on a page. */
	size = 0;
	/** The highest of the IDs in the middle of each page. */
	highestMedian = 0;
	/** How many records the list has, if the service says so. */
	total: number | undefined;
	/** Whether the service ignores `limit`. */
	isFixed = false;
	/** Whether page 1 failed with a larger `limit` that the service does not refuse. */
	private isOutage = false;
	/** One more than the disorder on the pages: behind more known records than that, no record is new. */
	private edge = 1;

	constructor(
		private readonly requestPage: RequestPage,
		readonly accepted: AcceptedLimit,
		readonly known: Known,
	) {
		this.isNew = newTo(known);
	}

	/** @throws Failure if the page is empty, but the list is not */
	async first(): Promise<Shown> {
		const { page, limit } = await requestFirstPage(this.requestPage, LARGEST_PAGE, this.accepted);
		requireRecords(page);
		this.isOutage = limit < this.accepted.limit;
		this.isFixed ||= limit === 0 || this.known.reading?.isFixed === true;
		this.size = 0;
		this.firstPage = this.take(page, 1, limit);
		return this.firstPage;
	}

	/** A page after the first; undefined if there is none. */
	async later(number: number, limit: number): Promise<Shown | undefined> {
		const isPromised = this.isPromised(number);
		const standing = { isPromised, isBehindEnd: !isPromised };
		const page = await requestOrEmpty(this.requestPage, number, limit, standing);
		const isBehindEnd = page.records.length === 0 || (page.currentPage ?? number) < number;
		if (isBehindEnd) return undefined;
		const shown = this.take(page, number, limit);
		const isFirstAgain = number > 1 && this.firstPage && isSame(shown, this.firstPage);
		return isFirstAgain ? undefined : shown;
	}

	/** A page that may be behind the end of the list, where services fail in any way. */
	async probe(number: number, limit: number): Promise<Shown | undefined> {
		try {
			return await this.later(number, limit);
		} catch (error) {
			const failure = toFailure(error);
			if (this.isPromised(number) || endsPoll(failure)) throw failure;
			return undefined;
		}
	}

	/** The last page by the numbers of page 1, if the list has several. */
	async countedLast(first: Shown): Promise<Shown | undefined> {
		const number = this.countedPages(first);
		return number > 1 ? await this.probe(number, first.limit) : undefined;
	}

	/** How many pages the list has by the numbers of a page. */
	countedPages({ limit, maxPage = 0 }: Shown): number {
		return Math.max(maxPage, Math.ceil((this.total ?? 0) / this.sizeWith(limit)));
	}

	/** Whether the service counts records on a page. */
	private isPromised(number: number): boolean {
		return (this.total ?? 0) > (number - 1) * this.size;
	}

	/** Whether a page still shows the same records: then none before it was deleted meanwhile. */
	async isUnchanged({ number, limit, numbered: before }: Shown): Promise<boolean> {
		const again = this.take(await this.requestPage(number, limit), number, limit).numbered;
		return again.length === before.length && again.every(({ id }, at) => id === before[at]?.id);
	}

	private take(page: Page, number: number, limit: number): Shown {
		const { records, result = 0 } = page;
		const count = records.length;
		if (result > count) this.total = result;
		this.size = Math.max(this.size, count);
		this.isFixed ||= limit > 0 && count > limit;
		const shown = numbered(records);
		const overlaps = shown.some(({ id }) => this.listed.has(id));
		for (const each of shown) this.listed.set(each.id, each);
		this.highestMedian = Math.max(this.highestMedian, median(shown));
		const found = Math.min(disorder(shown, true), disorder(shown, false));
		// A short page shows little of the disorder. If pages got smaller, the edge of a longer one could cover a whole page.
		const [least, most] = [Math.min(3, this.size / 5), Math.max(1, this.size / 3)].map(Math.floor);
		this.edge = Math.min(Math.max(this.edge, 1 + found, least ?? 1), most ?? 1);
		return { ...page, number, limit, numbered: shown, overlaps };
	}

	/** How many records a page with this `limit` has, at most. */
	sizeWith(limit: number): number {
		return this.isFixed || limit === 0 ? this.size : Math.min(limit, this.size);
	}

	/** How many places of the list there are up to the end of a page. */
	endOf({ number, limit, records }: Shown): number {
		return (number - 1) * this.sizeWith(limit) + records.length;
	}

	/** Whether a page has so few records that it must be the last one. */
	isShort({ number, limit, records }: Shown): boolean {
		const isFew = records.length < Math.min(SMALLEST_CAP, limit || SMALLEST_CAP);
		return isFew || (number > 1 && records.length < this.sizeWith(limit));
	}

	/** Whether the numbers of a page say that it is the last one. They may be old. */
	isCounted(shown: Shown): boolean {
		const end = this.endOf(shown);
		return shown.maxPage === shown.number && (shown.result ?? end) === end;
	}

	/**
	 * Whether the service says that more new records are behind a page that seems to be the last one, or that the page is full.
	 * Where the last poll found nothing behind it, its records are known by now.
	 */
	isPromisedAfter(last: Shown): boolean {
		const { result = 0, maxPage = 0, perPage, number, records } = last;
		const isFull = records.length === perPage;
		const isCounted = this.total !== undefined;
		const isMore = isCounted ? result > this.endOf(last) : maxPage > number || isFull;
		return isMore && this.hasNews(last);
	}

	/** Whether a page shows so many known records that no new one is behind them. */
	isGrounded(shown: Shown): boolean {
		return shown.numbered.filter(({ id }) => id <= this.known.id).length > this.edge;
	}

	/** How many new records a page shows. */
	newsOn(shown: Shown): number {
		return shown.numbered.filter(this.isNew).length;
	}

	hasNews(shown: Shown): boolean {
		return this.newsOn(shown) > 0;
	}

	/** Whether a page shows the record at which the last poll stopped. */
	continues(shown: Shown): boolean {
		return shown.numbered.some(({ id }) => id === this.known.reading?.lastId);
	}

	/** What the pages showed. What an outage taught is forgotten. */
	reading(found: Omit<EndReading, 'listed'>): EndReading {
		const end = this.isOutage ? this.known.end : found.end;
		return { ...found, end, listed: [...this.listed.values()] };
	}
}

/** Whether a page only repeats another one, as some services do behind the end of a list. */
export const isSame = (shown: Shown, other: Shown): boolean =>
	shown.numbered[0]?.id === other.numbered[0]?.id;

/** @throws Failure if the first page is empty, but the list is not */
function requireRecords({ records, result = 0 }: Page): void {
	if (records.length > 0 || result <= 0) return;
	throw new Failure({
		kind: 'unreadable',
		message: `The list is empty, although the service says that it has ${result} records`,
		advice: 'Try again later: the service may be overloaded',
	});
}
