// Reads a list page by page and gives each record once.

import type { IDataObject } from 'n8n-workflow';

import { isLastPage, recordKey, type RequestPage } from './pages';

interface Place {
	/** The page to read next. */
	page: number;
	/** How many records were read before it. */
	count: number;
}

/**
 * Reads a list page by page, each record once, although records that are added meanwhile push others to the next page. The
 * list ends at a page without news, or at the last one that its records show.
 */
export class ListWalk {
	private readonly seen = new Set<string>();
	private longest = 0;
	private result = 0;
	private isDone = false;
	private page: number;

	/** @param from where another walk stopped */
	constructor(
		private readonly requestPage: RequestPage,
		private readonly from: Place = { page: 1, count: 0 },
	) {
		this.page = from.page;
	}

	/** The records of the next page that were on no earlier one; undefined after the end. @throws Failure; the next call asks again */
	async next(): Promise<IDataObject[] | undefined> {
		while (!this.isDone) {
			const page = await this.requestPage(this.page);
			const { records, result = 0 } = page;
			const before = this.count;
			const news = records.filter((record) => !this.seen.has(recordKey(record)));
			for (const record of news) this.seen.add(recordKey(record));
			this.result = result;
			this.isDone = isLastPage(page, this.page, [before, this.count], this.longest);
			this.longest = Math.max(this.longest, records.length);
			this.page += 1;
			if (news.length > 0) return news;
		}
		return undefined;
	}

	/** Where another walk can read on; undefined after the end. */
	get place(): Place | undefined {
		return this.isDone ? undefined : { page: this.page, count: this.count };
	}

	private get count(): number {
		return this.from.count + this.seen.size;
	}

	/** How many requests the rest of the list takes, as far as the service says how long it is. */
	get pagesLeft(): number {
		return Math.ceil(Math.max(0, this.result - this.count) / Math.max(1, this.longest));
	}

	async *pages(): AsyncGenerator<IDataObject[]> {
		for (let news = await this.next(); news; news = await this.next()) yield news;
	}
}
