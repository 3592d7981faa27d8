import type { Page } from '../../dist/nodes/shared/lists/pages.js';
import type { PageAddress } from '../../dist/nodes/shared/lists/pollingPage.js';

/** What the documents leave open about a list. */
export interface ListDialect {
	order: 'newestFirst' | 'oldestFirst';
	/** The way the ids of records of one second run: with the list, or against it. */
	ties: 'along' | 'against';
	/** Whether records have a date. */
	isDated: boolean;
	/** Most records per page. */
	cap: number;
	/** What `nextpage` says on the last page. */
	nextPage: 'null' | 'same' | 'plusOne' | 'zero';
	/** The answer to a page behind the last one. */
	beyond: 'empty' | 'last' | 'missing';
	/** Ids as strings. */
	isStringly: boolean;
	/** Whether every page has that many records, whatever `limit` says. */
	ignoresLimit: boolean;
	/** Ids that others use up between two of this account: accounts share one sequence. */
	stride: number;
}

export const PLAIN: ListDialect = {
	order: 'newestFirst',
	ties: 'along',
	isDated: true,
	cap: 100,
	nextPage: 'same',
	beyond: 'empty',
	isStringly: false,
	ignoresLimit: false,
	stride: 1,
};

interface Entry {
	id: number;
	second: number;
}

/** A list of the link service, as any dialect has it; it changes when told to. */
export class ListServer {
	readonly dialect: ListDialect;
	/** In the order in which they were made. */
	entries: Entry[] = [];
	requests = 0;
	private lastId = 0;
	private second = 0;
	private sorted: Entry[] | undefined;

	constructor(dialect: ListDialect) {
		this.dialect = dialect;
	}

	/** Makes records in one second; a later one than the last, if not said otherwise. */
	create(count: number, isSameSecond = false): number[] {
		this.sorted = undefined;
		if (!isSameSecond) this.second += 1;
		const made = Array.from({ length: count }, () => {
			this.lastId += 1 + Math.floor(((this.lastId * 7919) % 97) * (this.dialect.stride - 1) * 0.02);
			return { id: this.lastId, second: this.second };
		});
		// Not by spreading: a burst may be too large for the stack.
		for (const entry of made) this.entries.push(entry);
		return made.map(({ id }) => id);
	}

	/** Deletes the record at a place from 0 up to 1 of the list. */
	delete(where: number): void {
		this.sorted = undefined;
		this.entries.splice(Math.floor(where * this.entries.length), 1);
	}

	page({ limit, page }: PageAddress): Page | 'missing' {
		this.requests += 1;
		const { cap, ignoresLimit, beyond, isDated, isStringly } = this.dialect;
		const perPage = ignoresLimit ? cap : Math.min(limit, cap);
		const last = Math.max(1, Math.ceil(this.entries.length / perPage));
		if (page > last && beyond === 'missing') return 'missing';
		const current = page > last && beyond === 'last' ? last : page;
		const shown = this.listed().slice((current - 1) * perPage, current * perPage);
		return {
			records: shown.map(({ id, second }) => ({
				id: isStringly ? String(id) : id,
				...(isDated ? { date: String(second).padStart(9, '0') } : {}),
			})),
			perPage,
			maxPage: last,
			nextPage: current < last ? current + 1 : this.afterLast(current),
		};
	}

	private listed(): Entry[] {
		this.sorted ??= this.sort();
		return this.sorted;
	}

	private sort(): Entry[] {
		const { order, ties } = this.dialect;
		const way = order === 'newestFirst' ? -1 : 1;
		const tieWay = ties === 'along' ? way : -way;
		return this.entries.toSorted((a, b) => (a.second - b.second) * way || (a.id - b.id) * tieWay);
	}

	private afterLast(current: number): number | undefined {
		return { null: undefined, same: current, plusOne: current + 1, zero: 0 }[this.dialect.nextPage];
	}
}
