// Reads a list page by page and gives each record once. Also says which page is the last one, and what identifies a record.

import type { IDataObject } from 'n8n-workflow';

import { countIn, idIn, textIn } from '../values/json';
import { LARGEST_PAGE, type Page, type RequestPage, SMALLEST_CAP } from './pages';

export interface Cursor {
	page: number;
	count: number;
	pageSize: number;
}

export const LIST_START: Cursor = { page: 1, count: 0, pageSize: LARGEST_PAGE };

export const cursorIn = ({ page, count, pageSize }: IDataObject): Cursor => ({
	page: idIn(page) ?? LIST_START.page,
	count: countIn(count) ?? LIST_START.count,
	pageSize: countIn(pageSize) ?? LIST_START.pageSize,
});

/** Records that are added meanwhile push others to the next page. A list ends at its last page, or after two without a new one. */
export class ListWalk {
	private readonly seen = new Set<string>();
	private longest = 0;
	private pagesWithoutNew = 0;
	isDone = false;
	private page: number;
	/** The `limit` of the pages, as far as they were read. */
	pageSize: number;

	constructor(
		private readonly requestPage: RequestPage,
		private readonly from = LIST_START,
	) {
		this.page = from.page;
		this.pageSize = from.pageSize;
	}

	/** The records of the next page that were on no earlier one; undefined after the end. @throws Failure; the next call asks again */
	async next(): Promise<IDataObject[] | undefined> {
		while (!this.isDone) {
			const records = await this.readPage();
			if (records.length > 0) return records;
		}
		return undefined;
	}

	private async readPage(): Promise<IDataObject[]> {
		const page = await this.requestPage(this.page, this.pageSize);
		const before = this.count;
		const unseen = this.unseen(page.records);
		this.pagesWithoutNew = unseen.length > 0 ? 0 : this.pagesWithoutNew + 1;
		const { count, longest } = this;
		const isLast = isLastPage(page, { number: this.page, before, count, longest });
		this.isDone = isLast || this.pagesWithoutNew === 2;
		this.longest = Math.max(longest, page.records.length);
		this.pageSize = page.pageSize;
		this.page += 1;
		return unseen;
	}

	private unseen(records: IDataObject[]): IDataObject[] {
		return records.filter((record) => {
			const key = recordKey(record);
			const isUnseen = !this.seen.has(key);
			this.seen.add(key);
			return isUnseen;
		});
	}

	/** Where another walk can read on; undefined after the end. */
	get cursor(): Cursor | undefined {
		const { page, count, pageSize } = this;
		return this.isDone ? undefined : { page, count, pageSize };
	}

	private get count(): number {
		return this.from.count + this.seen.size;
	}

	async *pages(): AsyncGenerator<IDataObject[]> {
		for (let page = await this.next(); page; page = await this.next()) yield page;
	}
}

interface PageContext {
	number: number;
	before: number;
	count: number;
	/** The most records on a page before it. */
	longest: number;
	/** Whether the numbers may be from before its records, so that they end nothing. */
	isNewer?: boolean;
}

/**
 * A last page has fewer records than another one, or than any full one, and no number that promises more. The numbers may be wrong,
 * so only both together end a list alone. Behind its end, a service may repeat a page; before it, new records push old ones there.
 */
export function isLastPage(page: Page, context: PageContext): boolean {
	const { records, maxPage = 0, result = Infinity } = page;
	const { number, before, count, isNewer } = context;
	const isRepeated = count === before && maxPage <= number;
	if (records.length === 0 || isRepeated) return true;
	if (maxPage === number && result <= count && isNewer !== true) return true;
	return isShort(page, context) && !isMorePromised(page, context);
}

const isMorePromised = (
	{ maxPage = 0, result = 0 }: Page,
	{ number, count }: PageContext,
): boolean => maxPage > number || result > count;

function isShort({ records, pageSize }: Page, { longest }: PageContext): boolean {
	const smallest = pageSize === 0 ? SMALLEST_CAP : Math.min(pageSize, SMALLEST_CAP);
	return records.length < Math.max(smallest, longest);
}

/** Identifies a record. A channel holds links, bio pages and QR codes, whose ids are unique within their type only. */
export function recordKey(record: IDataObject): string {
	const id = idIn(record.id);
	return id === undefined ? JSON.stringify(record) : `${textIn(record.type) ?? ''} ${id}`;
}
