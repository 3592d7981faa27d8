// Reads a list page by page and gives each record once.

import type { IDataObject } from 'n8n-workflow';

import { isLastPage, recordKey, type RequestPage } from './pages';

interface Cursor {
	/** The page to read next. */
	page: number;
	/** How many records were read before it. */
	count: number;
}

/** Records that are added meanwhile push others to the next page. A list ends at its last page, or after two without news. */
export class ListWalk {
	private readonly seen = new Set<string>();
	private longest = 0;
	private pagesWithoutNews = 0;
	private isDone = false;
	private page: number;

	/** @param from where another walk stopped */
	constructor(
		private readonly requestPage: RequestPage,
		private readonly from: Cursor = { page: 1, count: 0 },
	) {
		this.page = from.page;
	}

	/** The records of the next page that were on no earlier one; undefined after the end. @throws Failure; the next call asks again */
	async next(): Promise<IDataObject[] | undefined> {
		while (!this.isDone) {
			const news = await this.readPage();
			if (news.length > 0) return news;
		}
		return undefined;
	}

	private async readPage(): Promise<IDataObject[]> {
		const page = await this.requestPage(this.page);
		const before = this.count;
		const news = this.take(page.records);
		this.pagesWithoutNews = news.length > 0 ? 0 : this.pagesWithoutNews + 1;
		const { count, longest } = this;
		const isLast = isLastPage(page, { number: this.page, before, count, longest });
		this.isDone = isLast || this.pagesWithoutNews === 2;
		this.longest = Math.max(longest, page.records.length);
		this.page += 1;
		return news;
	}

	private take(records: IDataObject[]): IDataObject[] {
		return records.filter((record) => {
			const key = recordKey(record);
			const isNews = !this.seen.has(key);
			this.seen.add(key);
			return isNews;
		});
	}

	/** Where another walk can read on; undefined after the end. */
	get cursor(): Cursor | undefined {
		return this.isDone ? undefined : { page: this.page, count: this.count };
	}

	private get count(): number {
		return this.from.count + this.seen.size;
	}

	async *pages(): AsyncGenerator<IDataObject[]> {
		for (let news = await this.next(); news; news = await this.next()) yield news;
	}
}
