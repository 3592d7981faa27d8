// The pages that a poll reads of a list in the order of creation, and what they show.

import {
	type AcceptedLimit,
	LARGEST_PAGE,
	type Page,
	requestFirstPage,
	requestOrEmpty,
	type RequestPage,
	SMALLEST_CAP,
} from '../../shared/lists/pages';
import { Failure } from '../../shared/values/failure';
import { type ListState, newTo } from './listState';
import { disorder, median, type Numbered, numbered, sorted } from './numbered';

/** A page that was read. */
export interface ListPage extends Page {
	number: number;
	limit: number;
	numbered: Numbered[];
	/** Whether its first record is on a page that was added before, so that none is missing between the two. */
	overlaps: boolean;
}

export class ListPages {
	/** The records of the pages that were added, by ID. */
	readonly listed = new Map<number, Numbered>();
	/** The most records on a page. */
	size = 0;
	/** The highest of the IDs in the middle of each page. */
	highestMedian = 0;
	/** The lowest of them. */
	private lowestMedian = Infinity;
	/** Whether the service ignores `limit`. */
	isFixed = false;
	private firstPage: ListPage | undefined;
	/** How many records the list has, if the service says so. */
	private total = 0;
	/** One more than the disorder on the pages: behind more known records than that, no record is new. */
	private edge = 1;
	private readonly isNew: (record: Numbered) => boolean;

	constructor(
		private readonly requestPage: RequestPage,
		readonly accepted: AcceptedLimit,
		readonly state: ListState,
	) {
		this.isNew = newTo(state);
	}

	/** @throws Failure if the page is empty, but the list is not */
	async first(): Promise<ListPage> {
		this.firstPage ??= await this.requestFirst();
		return this.firstPage;
	}

	private async requestFirst(): Promise<ListPage> {
		const { page, limit } = await requestFirstPage(this.requestPage, LARGEST_PAGE, this.accepted);
		requireRecords(page);
		this.isFixed = limit === 0 || this.state.open?.isFixed === true;
		// What the last poll found is not right any more.
		this.size = 0;
		return this.take(page, 1, limit);
	}

	/** A page after the first; undefined if it is empty or refused, or if the service shows an earlier one in its place. */
	async later(number: number, limit: number): Promise<ListPage | undefined> {
		const isPromised = this.total > (number - 1) * this.size;
		const isNumbered = number <= (this.firstPage?.maxPage ?? 0);
		const standing = { isPromised, isBehindEnd: !isPromised && !isNumbered };
		const page = await requestOrEmpty(this.requestPage, number, limit, standing);
		const isOther = (page.currentPage ?? number) < number;
		if (page.records.length === 0 || isOther) return undefined;
		return this.take(page, number, limit);
	}

	private take(page: Page, number: number, limit: number): ListPage {
		const { records, result = 0 } = page;
		const count = records.length;
		const shown = numbered(records);
		const [first] = shown;
		const overlaps = first !== undefined && this.listed.has(first.id);
		this.isFixed ||= limit > 0 && count > limit;
		if (result > count) this.total = result;
		this.size = Math.max(this.size, count);
		this.highestMedian = Math.max(this.highestMedian, median(shown));
		this.lowestMedian = Math.min(this.lowestMedian, median(shown));
		const found = Math.min(disorder(shown, true), disorder(shown, false));
		// A short page shows little of the disorder. Where pages are small, the edge could cover a whole one.
		const [least, most] = [Math.min(3, this.size / 5), Math.max(1, this.size / 3)].map(Math.floor);
		this.edge = Math.min(Math.max(this.edge, 1 + found, least ?? 1), most ?? 1);
		return { ...page, number, limit, numbered: shown, overlaps };
	}

	/** Takes the records of a page. @returns whether there is another one among them */
	add(page: ListPage): boolean {
		const count = this.listed.size;
		for (const each of page.numbered) this.listed.set(each.id, each);
		return this.listed.size > count;
	}

	/** How many records a page with this `limit` has, at most. */
	private sizeWith(limit: number): number {
		return this.isFixed || limit === 0 ? this.size : Math.min(limit, this.size);
	}

	/** How many places of the list there are up to the end of a page. */
	endOf({ number, limit, records }: ListPage): number {
		return (number - 1) * this.sizeWith(limit) + records.length;
	}

	/** How many records the list has, as far as a page tells. */
	countBy(page: ListPage): number {
		return Math.max(this.total, this.endOf(page));
	}

	/** Whether a page has so few records that it must be the last one. */
	isShort({ number, limit, records }: ListPage): boolean {
		const isFew = records.length < Math.min(SMALLEST_CAP, limit || SMALLEST_CAP);
		return isFew || (number > 1 && records.length < this.sizeWith(limit));
	}

	/** Whether a page is the last one, by its records, and no number contradicts. */
	isEnd(page: ListPage): boolean {
		return this.isShort(page) && this.total <= this.endOf(page);
	}

	/** Whether nothing new is behind a page, by its records or by the numbers beside them. They may be old, so they hide no news. */
	seemsLast(page: ListPage): boolean {
		const isCounted = this.total === 0 || this.total === this.endOf(page);
		const isNumbered = page.maxPage === page.number && isCounted;
		return this.isEnd(page) || (isNumbered && this.newsOn(page) === 0);
	}

	/** How many pages the list has by the numbers of a page. */
	countedPages({ limit, maxPage = 0 }: ListPage): number {
		return Math.max(maxPage, Math.ceil(this.total / this.sizeWith(limit)));
	}

	/** Whether a page shows so many records up to the cursor that no new one is behind them. */
	isGrounded({ numbered: records }: ListPage): boolean {
		return records.filter(({ id }) => id <= this.state.id).length > this.edge;
	}

	/** The ID up to which nothing is listed behind a page: records of one second may be in any order. */
	idBefore({ numbered: records }: ListPage): number | undefined {
		return sorted(records).at(-1 - this.edge)?.id;
	}

	/** Whether page 1 was read and another page shows older records, so the list does not begin with the oldest one. */
	get hasOlderPage(): boolean {
		return this.firstPage !== undefined && this.lowestMedian < median(this.firstPage.numbered);
	}

	/** How many new records a page shows. */
	newsOn({ numbered: records }: ListPage): number {
		return records.filter(this.isNew).length;
	}
}

/** @throws Failure if the first page is empty, but the list is not */
function requireRecords({ records, result = 0 }: Page): void {
	if (records.length > 0 || result <= 0) return;
	throw new Failure({
		kind: 'unreadable',
		message: `The list is empty, although the service says that it has ${result} records`,
		advice: 'Try again later: the service may be overloaded',
	});
}
