// The pages of a list that one poll reads, which of their records are new, and what is stored until the next poll.

import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE, type Page, type RequestPage } from '../../shared/lists/pages';
import { countIn, idIn, recordsIn, requireIds } from '../../shared/values/json';

/** IDs grow, so a record with an ID above `id` that is not in `seen` is new. */
interface ListState {
	/** Every record up to this ID has been read. */
	id: number;
	/** The IDs above it that have been read, the lowest first. */
	seen: number[];
	/** Whether the list is read for the first time, so that no record is new. */
	isFirst: boolean;
	/** If the last poll ended before its reading: the page that comes next. */
	page: number | undefined;
	/** The `limit` of the pages. */
	limit: number;
	/** The highest ID that was read before that reading. */
	top: number | undefined;
}

export function listStateIn(stored: IDataObject): ListState {
	const { id, seen, isFirst, page, limit, top } = stored;
	return {
		id: countIn(id) ?? 0,
		seen: Array.isArray(seen) ? seen.flatMap((each) => idIn(each) ?? []) : [],
		isFirst: isFirst === true,
		page: idIn(page),
		limit: countIn(limit) ?? LARGEST_PAGE,
		top: countIn(top),
	};
}

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

/** How a reading ended: nothing was missed; pages that shifted may have hidden a record; or the poll ended before it. */
export type Outcome = 'sure' | 'unsure' | 'unfinished';

interface News {
	/** The new records, the oldest first. */
	records: IDataObject[];
	newest: IDataObject | undefined;
	state: ListState;
}

/** If a record may have been missed, `id` moves only up to what was known before; the next reading, which finds it, moves it on. */
export function newsOf(reading: ListReading, outcome: Outcome, limit: number): News {
	const { state, records, page } = reading;
	const { isFirst } = state;
	const ids = [...records.keys()].toSorted(ascending);
	const newest = ids.at(-1) ?? 0;
	const fresh = ids.filter((id) => reading.isNew(id));
	const top = state.top ?? state.seen.at(-1) ?? state.id;
	const readUpTo = { sure: newest, unsure: top, unfinished: state.id };
	const id = Math.max(state.id, isFirst ? newest : readUpTo[outcome]);
	const isUnfinished = outcome === 'unfinished';
	return {
		records: recordsIn(fresh.map((each) => records.get(each))),
		newest: records.get(newest),
		state: {
			id,
			seen: [...state.seen, ...fresh].toSorted(ascending).filter((each) => each > id),
			isFirst: isFirst && isUnfinished,
			page: isUnfinished ? page : undefined,
			// A smaller limit is tried anew after news, because it may come from an accident of the service.
			limit: isUnfinished || fresh.length === 0 ? limit : LARGEST_PAGE,
			top: isUnfinished ? top : undefined,
		},
	};
}

const ascending = (a: number, b: number): number => a - b;
