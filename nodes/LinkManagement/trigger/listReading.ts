// The pages of a list that one poll reads, and which of their records are new.

import type { IDataObject } from 'n8n-workflow';

import type { Page, RequestPage } from '../../shared/lists/pages';
import { idIn, requireIds } from '../../shared/values/json';
import type { ListState } from './listState';

export interface ReadPage extends Page {
	number: number;
	ids: number[];
}

export class ListReading {
	/** Every record that was read, by its ID. */
	readonly records = new Map<number, IDataObject>();
	page = 1;
	/** Whether a page was read to its end, or up to a record whose details failed. */
	hasBegun = false;
	private readonly seen: ReadonlySet<number>;
	/** The page at which the last poll stopped; 0 if it did not, or if this reading is there. */
	private resume: number;

	/** @param complete gets what is output of a new record */
	constructor(
		private readonly requestPage: RequestPage,
		readonly state: ListState,
		private readonly complete: (record: IDataObject) => Promise<IDataObject>,
	) {
		this.seen = new Set(state.seen);
		this.resume = state.page ?? 0;
	}

	isNew(id: number): boolean {
		const { isFirst, id: known } = this.state;
		return !isFirst && id > known && !this.seen.has(id);
	}

	hasNews({ ids }: ReadPage): boolean {
		return ids.some((id) => this.isNew(id));
	}

	/** Whether nothing new is behind a page: at least half of it is known. A few old records may stand among new ones. */
	isKnown({ ids }: ReadPage): boolean {
		const { isFirst, id: known } = this.state;
		const old = ids.filter((id) => isFirst || id <= known);
		return old.length > 0 && old.length * 2 >= ids.length;
	}

	/** @throws Failure if the page, or the details of a record on it, cannot be read */
	async read(number: number): Promise<ReadPage> {
		this.page = number;
		const page = await this.requestPage(number);
		this.hasBegun = true;
		const ids: number[] = [];
		for (const record of requireIds(page.records)) {
			const id = idIn(record.id);
			if (id === undefined) continue;
			ids.push(id);
			if (this.records.has(id)) continue;
			this.records.set(id, this.isNew(id) ? await this.complete(record) : record);
		}
		return { ...page, number, ids };
	}

	/** Reads the page after one, in either direction; behind a page without news, the one at which the last poll stopped. */
	async readNext(page: ReadPage, step: 1 | -1): Promise<ReadPage> {
		const next = page.number + step;
		const leap = this.resume - step;
		const isFurther = (leap - next) * step > 0;
		const mayLeap = this.resume > 0 && isFurther && page.limit === this.state.limit;
		if (!mayLeap || this.hasNews(page)) return await this.read(next);
		this.resume = 0;
		return await this.read(leap);
	}
}
