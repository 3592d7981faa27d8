import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { RateLimiter } from '../../dist/nodes/shared/http/rateLimiter.js';
import { pagesOf } from '../../dist/nodes/shared/lists/pages.js';
import type { AskPage } from '../../dist/nodes/LinkManagement/trigger/listReader.js';
import { Failure, failureIn } from '../../dist/nodes/shared/values/failure.js';

/** What the documents leave open about a list. */
export interface ListDialect {
	order: 'newestFirst' | 'oldestFirst';
	/** What the list is sorted by. */
	by: 'id' | 'date';
	dates: 'rising' | 'several' | 'equal' | 'back' | 'absent';
	/** The way the ids of records of one second run: with the list, or against it. */
	ties: 'along' | 'against';
	/** The most records per page. */
	cap: number;
	/** What the service does with a greater `limit`, or with any. */
	limit: 'obeyed' | 'ignored' | 'refused';
	maxPage: 'right' | 'missing' | 'tooHigh';
	/** What `nextpage` says on the last page. */
	nextPage: 'null' | 'same' | 'plusOne' | 'zero';
	hasTotal: boolean;
	/** The answer to a page behind the last one. */
	beyond: 'empty' | 'last' | 'refused';
	isStringly: boolean;
	/** How far apart ids are at most: accounts share one sequence. */
	stride: number;
}

export const PLAIN: ListDialect = {
	order: 'newestFirst',
	by: 'id',
	dates: 'rising',
	ties: 'along',
	cap: 100,
	limit: 'obeyed',
	maxPage: 'right',
	nextPage: 'same',
	hasTotal: true,
	beyond: 'empty',
	isStringly: false,
	stride: 1,
};

interface Entry {
	id: number;
	second: number;
}

/** Records per page where the request does not say how many. */
const USUAL_PAGE = 15;

/** A list of the link service, as any dialect has it; it changes when told to. */
export class ListServer {
	readonly dialect: ListDialect;
	/** By id. */
	entries: Entry[] = [];
	requests = 0;
	private made = 0;
	private lastId = 0;
	private listed: Entry[] | undefined;

	constructor(dialect: ListDialect) {
		this.dialect = dialect;
	}

	create(count: number): number[] {
		this.listed = undefined;
		return Array.from({ length: count }, () => {
			this.lastId += 1 + ((this.lastId * 7919) % this.dialect.stride);
			this.made += 1;
			this.entries.push({ id: this.lastId, second: this.clock() });
			return this.lastId;
		});
	}

	/** Deletes the record at a place from 0 up to 1 of the list. */
	delete(where: number): void {
		this.listed = undefined;
		this.entries.splice(Math.floor(where * this.entries.length), 1);
	}

	/** Asks as the trigger does; `before` runs before each request. */
	asker(before: () => void = () => undefined): AskPage {
		const source = { path: '/api/urls', listName: 'urls' };
		const request = pagesOf({ limiter: {} as RateLimiter }, source, async ({ query }) => {
			before();
			return await Promise.resolve(this.answer(Number(query?.page), Number(query?.limit ?? 0)));
		});
		return async ({ limit, page }) =>
			await request(page, limit).catch((error: unknown) => {
				if (page === 1 || !failureIn(error)) throw error;
				return { records: [], perPage: limit, maxPage: undefined, nextPage: undefined };
			});
	}

	answer(page: number, limit: number): ServiceResponse {
		this.requests += 1;
		const { dialect, entries } = this;
		if (dialect.limit === 'refused' && limit > dialect.cap) throw refusal(422);
		const own = Math.min(dialect.cap, dialect.limit === 'ignored' ? 100 : USUAL_PAGE);
		const perPage = dialect.limit === 'ignored' || limit === 0 ? own : Math.min(limit, dialect.cap);
		const last = Math.max(1, Math.ceil(entries.length / perPage));
		if (page > last && dialect.beyond === 'refused') throw refusal(404);
		const current = page > last && dialect.beyond === 'last' ? last : page;
		this.listed ??= this.sort();
		const urls = this.listed
			.slice((current - 1) * perPage, current * perPage)
			.map(({ id, second }) => ({
				id: dialect.isStringly ? String(id) : id,
				...(dialect.dates === 'absent' ? {} : { date: String(second).padStart(9, '0') }),
			}));
		const data = {
			perpage: perPage,
			currentpage: current,
			maxpage: { right: last, missing: null, tooHigh: last + 3 }[dialect.maxPage],
			nextpage: current < last ? current + 1 : this.afterLast(current),
			result: dialect.hasTotal ? entries.length : null,
			urls,
		};
		return { body: { error: '0', data } } as Partial<ServiceResponse> as ServiceResponse;
	}

	/** The time at which a record is made, as the service has it. */
	private clock(): number {
		const { made, dialect } = this;
		const { by, cap, dates } = dialect;
		if (dates === 'several') return Math.floor(made / 3);
		if (dates === 'equal') return 0;
		if (dates !== 'back') return made;
		// Where the dates make the order, every other ten records are from before the clock was set back.
		if (by === 'date') return made - (cap > 10 ? 3 : 2) * (Math.floor(made / 10) % 2);
		return (made * 7919) % 997;
	}

	private sort(): Entry[] {
		const { order, by, dates, ties } = this.dialect;
		const way = order === 'newestFirst' ? -1 : 1;
		if (by === 'id' || dates === 'absent') {
			return way < 0 ? this.entries.toReversed() : this.entries.slice();
		}
		const tieWay = ties === 'along' ? way : -way;
		return this.entries.toSorted((a, b) => (a.second - b.second) * way || (a.id - b.id) * tieWay);
	}

	private afterLast(current: number): number | null {
		return { null: null, same: current, plusOne: current + 1, zero: 0 }[this.dialect.nextPage];
	}
}

const refusal = (httpCode: number): Failure =>
	new Failure({ kind: 'refused', httpCode, message: 'No', advice: 'Ask for less' });
