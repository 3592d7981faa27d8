import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../../dist/nodes/shared/values/failure.js';

/** What the API documents leave open about a list. */
export interface ListDialect {
	order: 'newestFirst' | 'oldestFirst';
	/** How many records have the same date, by which the list is sorted; those of one date have the lowest ID first. */
	perDate: number;
	/** Whether every other ten records are from before the clock was set back. */
	isClockSetBack: boolean;
	/** The most records of a page. */
	cap: number;
	/** What the service does with a `limit` above that, or with any. */
	limit: 'obeyed' | 'ignored' | 'refused';
	result: 'right' | 'missing' | 'ofPage' | 'tooHigh';
	maxPage: 'right' | 'missing' | 'tooHigh';
	/** What a page behind the last one is. */
	beyond: 'empty' | 'last' | 'first' | 'refused';
}

export const PLAIN: ListDialect = {
	order: 'newestFirst',
	perDate: 1,
	isClockSetBack: false,
	cap: 100,
	limit: 'obeyed',
	result: 'right',
	maxPage: 'right',
	beyond: 'empty',
};

/** Records of a page, at most, if the request does not say how many, and if the service ignores it. */
const USUAL_PAGE = 15;
const LARGE_PAGE = 150;

/** A list of the service that changes on command. */
export class ListServer {
	/** By creation. */
	private entries: Array<{ id: number; date: number }> = [];
	/** In its order, until it changes. */
	private listed: IDataObject[] | undefined;
	private made = 0;

	private readonly dialect: ListDialect;

	constructor(dialect: ListDialect) {
		this.dialect = dialect;
	}

	get ids(): number[] {
		return this.entries.map(({ id }) => id);
	}

	create(count: number): void {
		for (let at = 0; at < count; at += 1) {
			this.made += 1;
			const set = this.dialect.isClockSetBack ? 3 * (Math.floor(this.made / 10) % 2) : 0;
			const date = Math.floor(this.made / this.dialect.perDate) - set;
			this.entries.push({ id: this.made * 2, date });
		}
		this.listed = undefined;
	}

	/** @param where from 0 up to 1 of the list, in the order of creation */
	delete(where: number, count: number): void {
		this.entries.splice(Math.floor(where * this.entries.length), count);
		this.listed = undefined;
	}

	/** The body of a response. @throws Failure if the service refuses the request */
	respond({ page = 1, limit = 0 }: IDataObject): IDataObject {
		const { dialect, entries } = this;
		const perPage = this.perPage(Number(limit));
		const end = Math.max(1, Math.ceil(entries.length / perPage));
		const isBehind = Number(page) > end;
		if (isBehind && dialect.beyond === 'refused') throw refusal(404);
		const instead = { empty: Number(page), first: 1, last: end, refused: 0 }[dialect.beyond];
		const shown = isBehind ? instead : Number(page);
		const way = dialect.order === 'newestFirst' ? -1 : 1;
		this.listed ??= entries
			.toSorted((a, b) => (a.date - b.date) * way || a.id - b.id)
			.map(({ id }) => ({ id }));
		const records = this.listed.slice((shown - 1) * perPage, shown * perPage);
		// A list without records that counts some is an error.
		const tooHigh = entries.length === 0 ? 0 : entries.length + 250;
		const results = { right: entries.length, missing: null, ofPage: records.length, tooHigh };
		const maxPages = { right: end, missing: null, tooHigh: end + 3 };
		const [result, maxpage] = [results[dialect.result], maxPages[dialect.maxPage]];
		return { error: 0, data: { result, maxpage, records } };
	}

	/** How many records a page has. @param wanted the `limit`; 0 for none */
	private perPage(wanted: number): number {
		const { limit, cap } = this.dialect;
		if (limit === 'refused' && wanted > cap) throw refusal(422);
		if (limit === 'ignored') return Math.min(LARGE_PAGE, cap);
		return Math.min(wanted === 0 ? USUAL_PAGE : wanted, cap);
	}
}

const refusal = (httpCode: number): Failure =>
	new Failure({ kind: httpCode === 404 ? 'missing' : 'refused', httpCode, message: 'No' });
