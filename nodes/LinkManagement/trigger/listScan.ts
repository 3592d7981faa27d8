// Reads the pages of a list for one poll. Page 1 shows how the list is sorted. With the newest first, pages are read from page 1 on;
// with the oldest first, from the last page back; both up to a page that is known. A list in another order is read whole.

import type { IDataObject } from 'n8n-workflow';

import { isLastPage } from '../../shared/lists/listWalk';
import type { Page, RequestPage } from '../../shared/lists/pages';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn, requireIds } from '../../shared/values/json';
import { isKnownPage, type ListState, newIdsIn, type ScanEnd } from './listState';

interface ScannedPage extends Page {
	number: number;
	ids: number[];
	newIds: ReadonlySet<number>;
	isKnown: boolean;
}

export class ListScan {
	/** Every record that was read, by its ID; with its details if it is new. */
	readonly records = new Map<number, IDataObject>();
	/** The page at which the last scan was interrupted. */
	private resumeAt: number | undefined;
	private page: number | undefined;
	private pageSize: number | undefined;

	constructor(
		private readonly requestPage: RequestPage,
		private readonly state: ListState,
		private readonly complete: (record: IDataObject) => Promise<IDataObject>,
	) {}

	/** @param isSorted by creation @throws Failure if a page cannot be read; `outOfTime` only if none was */
	async scan(isSorted: boolean): Promise<ScanEnd> {
		const first = await this.firstPage();
		const outcome = await this.scanFrom(first, isSorted).catch((error: unknown) => {
			if (isOutOfTime(error)) return 'interrupted' as const;
			throw toFailure(error);
		});
		return { outcome, page: this.page, pageSize: first.pageSize };
	}

	private async scanFrom(first: ScannedPage, isSorted: boolean): Promise<ScanEnd['outcome']> {
		await this.take(first);
		const { ids } = first;
		const isOldestFirst = isSorted && (ids.at(0) ?? 0) < (ids.at(-1) ?? 0);
		const last = isOldestFirst ? await this.lastPage(first) : undefined;
		if (last && last !== first && isNewer(last, first)) return await this.scanBackward(first, last);
		// With the oldest first, nothing but its end shows what is new.
		return await this.scanForward(first, !isSorted || (isOldestFirst && !last));
	}

	private async firstPage(): Promise<ScannedPage> {
		const first = await this.request(1);
		this.pageSize = first.pageSize;
		// The number of a page means nothing among pages of another size.
		const { page, pageSize } = this.state;
		this.resumeAt = first.pageSize === pageSize ? page : undefined;
		this.page = this.resumeAt;
		return first;
	}

	/** From page 1 on. New records push others to pages that are read later, but a deletion may move one to a page before. */
	private async scanForward(first: ScannedPage, isWhole: boolean): Promise<ScanEnd['outcome']> {
		let page = first;
		let before = 0;
		let longest = 0;
		while ((isWhole || !page.isKnown) && !this.isEnd(page, before, longest)) {
			before = this.records.size;
			longest = Math.max(longest, page.records.length);
			page = await this.readNext(page, 1);
		}
		return page.number === 1 ? 'complete' : 'uncertain';
	}

	private isEnd(page: ScannedPage, before: number, longest: number): boolean {
		const { number, newIds } = page;
		const isNewer = newIds.size > 0;
		return isLastPage(page, { number, before, count: this.records.size, longest, isNewer });
	}

	private async scanBackward(first: ScannedPage, last: ScannedPage): Promise<ScanEnd['outcome']> {
		this.page = last.number;
		await this.take(last);
		let page = last;
		while (page.number > 1 && !page.isKnown) page = await this.readNext(page, -1);
		// Behind a full page there may be another one.
		return last.records.length < first.records.length ? 'complete' : 'uncertain';
	}

	/** Finds the end by halving, because the numbers on page 1 may be far too high. @returns undefined if page 1 has none */
	private async lastPage(first: ScannedPage): Promise<ScannedPage | undefined> {
		const promised = promisedPages(first);
		if (promised === undefined) return undefined;
		let last = first;
		let end = promised;
		let number = promised;
		while (number > last.number) {
			const page = await this.requestIfAny(number);
			if (isBehindEnd(page, first)) end = number;
			else last = page;
			number = Math.floor((last.number + end) / 2);
		}
		return last;
	}

	/** Reads the page after one, in either direction; behind a page whose records are known, where the last scan was interrupted. */
	private async readNext(page: ScannedPage, step: 1 | -1): Promise<ScannedPage> {
		const next = page.number + step;
		const leap = (this.resumeAt ?? next) - step;
		// A deletion may have emptied the last page, and moved new records to the one before it.
		const isRead = page.ids.length > 0 && page.newIds.size === 0;
		const isLeap = isRead && (leap - next) * step > 0;
		this.page = isLeap ? leap : next;
		const read = await (step > 0 ? this.requestIfAny(this.page) : this.request(this.page));
		await this.take(read);
		return read;
	}

	/** A refused page counts as behind the end, because the numbers may be too high. If it is not, the next scan reads it. */
	private async requestIfAny(number: number): Promise<ScannedPage> {
		return await this.request(number).catch((error: unknown) => {
			if (toFailure(error).consequences.isRefusal)
				return this.scanned({ records: [], pageSize: 0 }, number);
			throw error;
		});
	}

	private async request(number: number): Promise<ScannedPage> {
		const page = await this.requestPage(number, this.pageSize ?? this.state.pageSize);
		return this.scanned(page, number);
	}

	private scanned(page: Page, number: number): ScannedPage {
		// Those that every account shares have no ID.
		const own = page.records.filter(({ id }) => id !== null);
		const ids = requireIds(own).flatMap(({ id }) => idIn(id) ?? []);
		const newIds = new Set(newIdsIn(ids, this.state));
		return { ...page, number, ids, newIds, isKnown: isKnownPage(ids, this.state) };
	}

	private async take({ records, newIds }: ScannedPage): Promise<void> {
		for (const record of records) {
			const id = idIn(record.id);
			if (id === undefined || this.records.has(id)) continue;
			this.records.set(id, newIds.has(id) ? await this.complete(record) : record);
		}
	}
}

const isNewer = (page: ScannedPage, than: ScannedPage): boolean =>
	Math.max(...page.ids) >= Math.max(...than.ids);

/** Behind the end of a list, a service shows nothing, or page 1. */
const isBehindEnd = ({ ids }: ScannedPage, first: ScannedPage): boolean =>
	ids.length === 0 || ids[0] === first.ids[0];

/** The number of the last page, as far as page 1 tells; undefined if it does not. Either number beside its records may be too high. */
function promisedPages(page: Page): number | undefined {
	const { records, result = 0, maxPage = 0 } = page;
	const byResult = result > records.length ? Math.ceil(result / records.length) : 0;
	const promised = [byResult, maxPage].filter((last) => last > 0);
	return promised.length === 0 ? undefined : Math.min(...promised);
}
