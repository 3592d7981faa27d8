// Reads a list page by page from any place (`Place`) and gives each record once. Works out where the list ends, because the
// service's counts may be wrong, and notices deletions.

import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { countIn, idIn, mapIn } from '../values/json';
import {
	type AcceptedLimit,
	LARGEST_PAGE,
	type Page,
	type PageStanding,
	recordKey,
	requestFirstPage,
	requestOrEmpty,
	SMALLEST_CAP,
	type RequestPage,
} from './pages';

/** A longer list is an error: a service whose list never ends would fill the memory. */
const MAX_PAGES = 20_000;
const MAX_RECORDS = 1_000_000;

/** How far a walk got: enough for another one to read on, for instance when a user scrolls. */
export interface Place {
	/** The page to read next. */
	page: number;
	/** The `limit` of all pages. */
	limit: number;
	/** The most records on one of the pages that were read. */
	longest: number;
	/** How many records were read. */
	count: number;
	/** Whether the service says that there is such a page. */
	isExpected: boolean;
	/** Whether it says that there is none. */
	isBehindEnd: boolean;
}

/** A place that was stored; undefined if it is none. */
export function placeIn(stored: unknown): Place | undefined {
	const { page, limit, longest, count, isExpected, isBehindEnd } = mapIn(stored);
	const [at, size, most, before] = [idIn(page), countIn(limit), countIn(longest), countIn(count)];
	if (at === undefined || size === undefined || most === undefined || before === undefined)
		return undefined;
	return {
		page: at,
		limit: size,
		longest: most,
		count: before,
		isExpected: isExpected === true,
		isBehindEnd: isBehindEnd === true,
	};
}

interface WalkOptions {
	/** How many records are wanted on a page. Default: as many as possible. */
	limit?: number;
	/** What is known of the limits that the service refuses. */
	accepted?: AcceptedLimit;
	/** Where another walk stopped. */
	from?: Place | undefined;
	/** Whether the page there has been read before, so that a refusal does not end the list. */
	isKnown?: boolean;
}

/**
 * Reads a list page by page, each record once, although records that are added meanwhile push others to the next page.
 * All its pages have one size, which its first page finds out, and which no other walk learns.
 *
 * Records decide where the list ends: at an empty page, after two pages without news, or at a page that is shorter than
 * the others. The numbers beside them only save the last request or make the walk read on, and never end it on a full page.
 *
 * It assumes that the service does not change the size of its pages during the walk.
 */
export class ListWalk {
	/** Whether records were deleted during the walk, which moves others to pages that were read before. */
	hasShrunk = false;
	private readonly seen = new Set<string>();
	/** How many records were read before this walk. */
	private readonly before: number;
	private page: number;
	private limit: number | undefined;
	private longest: number;
	/** How many records the service counts, by the last page that says so. */
	private result = 0;
	/** The fewest that it counted: what is created during the walk is not missing. */
	private fewest: number | undefined;
	private pagesWithoutNews = 0;
	private phase: 'reading' | 'checking' | 'ended' = 'reading';
	private failure: Failure | undefined;
	/** What the last page says about the next one. */
	private standing: PageStanding;
	/** Whether a number says that there is one. */
	private isExpected: boolean;

	constructor(
		private readonly requestPage: RequestPage,
		private readonly options: WalkOptions = {},
	) {
		const { from, isKnown = false } = options;
		this.standing = { isPromised: isKnown, isBehindEnd: from?.isBehindEnd === true };
		this.isExpected = isKnown || from?.isExpected === true;
		this.before = from?.count ?? 0;
		this.page = from?.page ?? 1;
		this.limit = from?.limit;
		this.longest = from?.longest ?? 0;
	}

	/** Where another walk can read on; undefined if the list ends here. */
	get place(): Place | undefined {
		const { page, limit, longest, phase, count, isExpected, standing } = this;
		if (limit === undefined || phase !== 'reading') return undefined;
		const { isBehindEnd = false } = standing;
		return { page, limit, longest, count, isExpected, isBehindEnd };
	}

	/**
	 * The records of the next page that were on no earlier one; undefined after the end of the list.
	 * @throws Failure if a page cannot be read: the next call requests it again. Or if the list cannot be read to its end:
	 * then every further call fails, too
	 */
	async next(): Promise<IDataObject[] | undefined> {
		for (;;) {
			if (this.failure) throw this.failure;
			if (this.phase === 'ended') return undefined;
			const news = this.phase === 'reading' ? await this.readNextPage() : await this.checkEnd();
			if (news.length > 0) return news;
		}
	}

	async *pages(): AsyncGenerator<IDataObject[]> {
		for (let news = await this.next(); news; news = await this.next()) yield news;
	}

	private get count(): number {
		return this.before + this.seen.size;
	}

	private async readNextPage(): Promise<IDataObject[]> {
		const page = await this.request();
		const news = this.take(page);
		this.pagesWithoutNews = news.length > 0 ? 0 : this.pagesWithoutNews + 1;
		if (this.page > MAX_PAGES || this.seen.size > MAX_RECORDS) {
			this.failure = unreadableList(
				`The list has more than ${MAX_PAGES} pages or ${MAX_RECORDS} records`,
				'Set a Limit, or pick records by their ID. If there are not that many, the service repeats them',
			);
			throw this.failure;
		}
		if (this.isLast(page)) this.end(page);
		const { isMissing } = this;
		this.standing = {
			isPromised: isMissing && !this.seemsLast(page),
			// The last page may be full.
			isBehindEnd: page.maxPage === this.page && !isMissing,
		};
		this.isExpected = isMissing || (!this.isFew(page) && (page.maxPage ?? 0) > this.page);
		this.longest = Math.max(this.longest, page.records.length);
		this.page += 1;
		return news;
	}

	private async request(): Promise<Page> {
		const { requestPage, standing } = this;
		const { limit: wanted = LARGEST_PAGE, accepted } = this.options;
		if (this.limit === undefined) {
			const { page, limit } = await requestFirstPage(requestPage, wanted, accepted);
			this.limit = limit;
			const isOdd = page.records.length === 0 && (page.maxPage ?? 0) > 1;
			return isOdd ? await requestPage(1, limit) : page;
		}
		const { limit } = this;
		const read = async () => await requestOrEmpty(requestPage, this.page, limit, standing);
		const page = await read();
		// An overloaded service may send an empty page once, or refuse it, which would end the list.
		return page.records.length === 0 && this.isExpected ? await read() : page;
	}

	/** The records of a page that are new to the walk. */
	private take({ records, result }: Page): IDataObject[] {
		if (result !== undefined) {
			this.hasShrunk ||= result < this.result;
			this.result = result;
			this.fewest = Math.min(this.fewest ?? result, result);
		}
		return records.filter((record) => {
			const key = recordKey(record);
			const isNew = !this.seen.has(key);
			this.seen.add(key);
			return isNew;
		});
	}

	private isLast(page: Page): boolean {
		if (page.records.length === 0 || this.pagesWithoutNews === 2) return true;
		if (this.isContradicted(page)) return false;
		// Behind the end of a list, some services repeat one of its pages.
		const number = Math.min(page.maxPage ?? Infinity, page.currentPage ?? Infinity);
		return this.pagesWithoutNews > 0 ? number < this.page : this.isShort(page);
	}

	/** Whether a number says that more records follow. */
	private isContradicted({ maxPage = 0, result = 0 }: Page): boolean {
		return maxPage > this.page || result > this.count;
	}

	/** Whether a page has fewer records than fit on it. */
	private isShort(page: Page): boolean {
		if (this.isFew(page)) return true;
		const isCounted = page.maxPage === this.page && page.result === this.count;
		return isCounted && !this.isFull(page) && page.records.length > this.longest;
	}

	/** Whether a page has fewer records than another one, or than any service puts on a full one. */
	private isFew({ records }: Page): boolean {
		return records.length < Math.max(this.smallest, this.longest);
	}

	/** The fewest records of a full page. */
	private get smallest(): number {
		const { limit = 0 } = this;
		return limit > 0 ? Math.min(limit, SMALLEST_CAP) : SMALLEST_CAP;
	}

	/**
	 * Whether a page has fewer records than fit on it, so that a count of more may be old. On the first page, `perpage` may tell, but some
	 * services only repeat the `limit` there: then the list has as many pages as it takes with so few records on each.
	 */
	private seemsLast({ records, perPage = 0, maxPage, result = 0 }: Page): boolean {
		const { length } = records;
		if (this.longest > 0) return length < this.longest;
		const isFew = length < Math.max(this.smallest, perPage);
		return isFew && maxPage !== Math.ceil(result / length);
	}

	/** Whether a page has as many records as were asked for, or as the service says that fit on it. */
	private isFull({ records, perPage }: Page): boolean {
		const { limit = 0 } = this;
		return (limit > 0 && records.length >= limit) || records.length === perPage;
	}

	/** Whether the service counted more records than were read. What another walk has read may have changed since. */
	private get isMissing(): boolean {
		return this.options.from === undefined && (this.fewest ?? 0) > this.count;
	}

	private end(page: Page): void {
		const { isMissing } = this;
		if (isMissing && this.seen.size <= this.longest && this.isFull(page)) {
			this.failure = unreadableList(
				`The list cannot be read to the end: page ${this.page} repeats the pages before it`,
				'The service seems to ignore the page number. Set a Limit that fits on one page',
			);
		}
		this.phase = isMissing ? 'checking' : 'ended';
	}

	/** Reads the first page again, because the service says that there are more records. Its count may only be old. */
	private async checkEnd(): Promise<IDataObject[]> {
		const news = this.take(await this.requestPage(1, this.limit ?? 0));
		this.phase = 'ended';
		if (this.isMissing && (news.length > 0 || this.count === 0)) {
			this.failure = unreadableList(
				`The list ended after ${this.count - news.length} of ${this.result} records`,
				'Try again in a minute: the service may be busy, or its count outdated',
			);
		}
		return news;
	}
}

const unreadableList = (message: string, advice: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice });
