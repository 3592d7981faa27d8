import type { IDataObject } from 'n8n-workflow';

import type { Send, ServiceResponse } from '../../../dist/nodes/shared/http/exchange.js';
import type { RequestPage } from '../../../dist/nodes/shared/lists/pages.js';
import { pagesOf } from '../../../dist/nodes/shared/lists/pages.js';
import { outOfTime } from '../../../dist/nodes/LinkManagement/trigger/pollPages.js';
import type { Poll } from '../../../dist/nodes/shared/triggers/runPoll.js';
import { Failure } from '../../../dist/nodes/shared/values/failure.js';
import type { Random } from './random.ts';
import { VirtualTime } from './virtualTime.ts';

/** What the documents leave open about a list. */
export interface ListDialect {
	order: 'newestFirst' | 'oldestFirst';
	/** What the list is sorted by. */
	by: 'id' | 'date' | 'name' | 'starred';
	dates: 'rising' | 'several' | 'equal' | 'back' | 'absent';
	/** The way the ids of records of one second run: with the list, or against it. */
	ties: 'along' | 'against';
	/** The most records per page. */
	cap: number;
	/** What the service does with a greater `limit`, or with any. */
	limit: 'obeyed' | 'ignored' | 'refused';
	/** Whether `perpage` is how many fit, or the `limit` that was sent. */
	perPage: 'right' | 'echoed' | 'missing';
	maxPage: 'right' | 'missing' | 'tooHigh';
	/** What `nextpage` says on the last page. */
	nextPage: 'null' | 'same' | 'plusOne' | 'zero' | 'missing';
	/** What `result` counts. */
	total: 'right' | 'missing' | 'ofPage';
	/** Whether the numbers of the list are from before the poll. */
	isCached: boolean;
	/** Whether a page says its number. */
	currentPage?: 'missing';
	/** The answer to a page behind the last one. */
	beyond: 'empty' | 'last' | 'first' | 'refused' | 'failing';
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
	perPage: 'right',
	maxPage: 'right',
	nextPage: 'same',
	total: 'right',
	isCached: false,
	beyond: 'empty',
	isStringly: false,
	stride: 1,
};

/** Any list that the documents allow, and that such services are seen to have. */
export function randomDialect(random: Random): ListDialect {
	const isOdd = random.is(0.5);
	const odd = <T>(usual: readonly T[], ...others: T[]): T =>
		random.pick(isOdd ? [...usual, ...others] : usual);
	const dialect: ListDialect = {
		order: random.pick(['newestFirst', 'oldestFirst']),
		by: odd<ListDialect['by']>(['id', 'date'], 'name', 'starred'),
		dates: random.pick(['rising', 'several', 'equal', 'back', 'absent']),
		ties: random.pick(['along', 'against']),
		cap: random.pick([10, 15, 25, 50, 100, Infinity]),
		limit: random.pick(['obeyed', 'obeyed', 'ignored', 'refused']),
		perPage: odd<ListDialect['perPage']>(['right'], 'echoed', 'missing'),
		maxPage: random.pick(['right', 'right', 'missing', 'tooHigh']),
		nextPage: odd<ListDialect['nextPage']>(['null', 'same', 'plusOne', 'zero'], 'missing'),
		total: odd<ListDialect['total']>(['right', 'right', 'missing'], 'ofPage'),
		isCached: isOdd && random.is(0.3),
		beyond: odd<ListDialect['beyond']>(['empty', 'last', 'refused'], 'first'),
		isStringly: random.is(0.2),
		stride: random.pick([1, 1, 5]),
	};
	if (isOdd && dialect.maxPage === 'tooHigh') dialect.maxPage = 'missing';
	if (dialect.isCached) dialect.total = 'right';
	return dialect;
}

interface Entry {
	id: number;
	second: number;
	name: number;
	isStarred: boolean;
}

type ServiceRequest = Parameters<Poll['send']>[0];

/** A poll that knows nothing of the service yet. @param respond a response, the body of one, or why there is none */
export function pollOf(
	respond: (request: ServiceRequest, count: number) => ServiceResponse | IDataObject | Failure,
	given: Partial<Poll> = {},
): Poll & { warnings: string[] } {
	const warnings: string[] = [];
	const connection: Partial<Poll['connection']> = { clock: new VirtualTime() };
	let count = 0;
	return {
		state: undefined,
		isRestart: false,
		isTest: false,
		connection: connection as Poll['connection'],
		warnings,
		warn: ({ message }) => warnings.push(message),
		parameter: () => undefined,
		requests: () => count,
		async send(request) {
			count += 1;
			const response = await Promise.resolve(respond(request, count));
			if (response instanceof Failure) throw response;
			return ('body' in response ? response : { body: response }) as ServiceResponse;
		},
		...given,
	};
}

/** Records per page where the request does not say how many. */
const USUAL_PAGE = 15;

/** Records per page, at most, of a service that ignores how many the request wants. */
const LARGE_PAGE = 150;

/** A list of the service, as any dialect has it; it changes when told to. */
export class ListServer {
	readonly dialect: ListDialect;
	/** By id. */
	entries: Entry[] = [];
	requests = 0;
	private cachedLength: number | undefined;
	made = 0;
	/** Changes a response, or fails the request. */
	accident:
		((urls: IDataObject[], request: { page: number; limit: number }) => IDataObject[]) | undefined;
	private lastId = 0;
	private listed: IDataObject[] | undefined;

	constructor(dialect: ListDialect) {
		this.dialect = dialect;
	}

	create(count: number): number[] {
		this.listed = undefined;
		return Array.from({ length: count }, () => {
			this.lastId += 1 + ((this.lastId * 7919) % this.dialect.stride);
			this.made += 1;
			const name = (this.made * 7919) % 1009;
			const isStarred = this.made % 7 === 0;
			this.entries.push({ id: this.lastId, second: this.clock(), name, isStarred });
			return this.lastId;
		});
	}

	/** A server with the same list, which changes on its own from now on. */
	copy(): ListServer {
		const copy = new ListServer({ ...this.dialect });
		copy.entries = this.entries.map((entry) => ({ ...entry }));
		copy.made = this.made;
		copy.lastId = this.lastId;
		copy.cachedLength = this.cachedLength;
		return copy;
	}

	/** Deletes the record at a place from 0 up to 1 of the list. */
	delete(where: number): void {
		this.listed = undefined;
		this.entries.splice(Math.floor(where * this.entries.length), 1);
	}

	/** The cache of the numbers of the list ends. */
	refresh(): void {
		this.cachedLength = undefined;
	}

	/** What `newRecords` gets. @param left how many requests the poll may still send; `before` runs before each request */
	access(left: () => number, isSorted = true, before?: () => void) {
		const request = pagesOf({ path: '/api/urls', listName: 'urls' }, this.sender(before));
		const requestPage: RequestPage = async (...wanted) => {
			if (left() <= 0) throw outOfTime();
			return await request(...wanted);
		};
		return { requestPage, isSorted };
	}

	/** Sends requests to the list; `before` runs before each one. */
	sender(before: () => void = () => undefined): Send {
		return async (sent) => {
			before();
			return await Promise.resolve(this.respond(sent));
		};
	}

	/** The page that a request asks for. */
	respond({ query }: ServiceRequest): ServiceResponse {
		return this.answer(Number(query?.page), Number(query?.limit ?? 0));
	}

	answer(page: number, limit: number): ServiceResponse {
		this.requests += 1;
		const { dialect, entries } = this;
		if (dialect.limit === 'refused' && limit > dialect.cap) throw refusal(422);
		const own = Math.min(dialect.cap, dialect.limit === 'ignored' ? LARGE_PAGE : USUAL_PAGE);
		const perPage = dialect.limit === 'ignored' || limit === 0 ? own : Math.min(limit, dialect.cap);
		this.cachedLength ??= entries.length;
		const length = dialect.isCached ? this.cachedLength : entries.length;
		const real = Math.max(1, Math.ceil(entries.length / perPage));
		const last = Math.max(1, Math.ceil(length / perPage));
		if (page > real && dialect.beyond === 'refused') throw refusal(404);
		if (page > real && dialect.beyond === 'failing') throw webPage();
		const shown = { last: real, first: 1 }[String(dialect.beyond)] ?? page;
		const current = page > real ? shown : page;
		this.listed ??= this.sort().map(this.shown);
		const shownUrls = this.listed.slice((current - 1) * perPage, current * perPage);
		const urls = this.accident?.(shownUrls, { page, limit }) ?? shownUrls;
		const data = {
			perpage: { right: perPage, echoed: limit || perPage, missing: null }[dialect.perPage],
			currentpage: dialect.currentPage === 'missing' ? null : current,
			maxpage: { right: last, missing: null, tooHigh: last + 3 }[dialect.maxPage],
			nextpage:
				current < last && dialect.nextPage !== 'missing' ? current + 1 : this.afterLast(current),
			result: { right: length, missing: null, ofPage: urls.length }[dialect.total],
			urls,
		};
		return { body: { error: '0', data } } as Partial<ServiceResponse> as ServiceResponse;
	}

	private readonly shown = ({ id, second }: Entry): IDataObject => {
		const { isStringly, dates } = this.dialect;
		const record: IDataObject = { id: isStringly ? String(id) : id };
		if (dates !== 'absent') record.date = String(second).padStart(9, '0');
		return record;
	};

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
		if (by === 'id' || (by === 'date' && dates === 'absent')) {
			return way < 0 ? this.entries.toReversed() : this.entries.slice();
		}
		if (by === 'name') return this.entries.toSorted((a, b) => a.name - b.name || a.id - b.id);
		if (by === 'starred') {
			const starred = (entry: Entry) => Number(entry.isStarred);
			return this.entries.toSorted((a, b) => starred(b) - starred(a) || (a.id - b.id) * way);
		}
		const tieWay = ties === 'along' ? way : -way;
		return this.entries.toSorted((a, b) => (a.second - b.second) * way || (a.id - b.id) * tieWay);
	}

	private afterLast(current: number): number | null {
		const { nextPage } = this.dialect;
		return { null: null, missing: null, same: current, plusOne: current + 1, zero: 0 }[nextPage];
	}
}

const refusal = (httpCode: number): Failure =>
	new Failure({ kind: 'refused', httpCode, message: 'No', advice: 'Ask for less' });

/** What comes of a web page, with a status of 500 or without. */
export const webPage = (): Failure =>
	new Failure({ kind: 'unreadable', httpCode: 500, message: 'A web page came' });
