import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Row } from '../database.ts';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import type { Fields } from '../input.ts';
import type { Call, ListRoute } from './routes.ts';

/** Which records of a list a page shows. */
export interface PageQuery {
	limit: number;
	offset: number;
	total: number;
	order: string;
	descending: boolean;
}

const DEFAULT_LIMIT = 15;
const GREATEST_LIMIT = 1_000_000;

/** One page in the pagination envelope, under `data`. */
export function page(
	route: ListRoute,
	call: Call,
	query: Record<string, string>,
	dialect: Dialect,
): Fields {
	const perPage = perPageOf(positive(query, 'limit', GREATEST_LIMIT) ?? DEFAULT_LIMIT, dialect);
	const requested = positive(query, 'page', Number.MAX_SAFE_INTEGER) ?? 1;
	const order = orderOf(route, query);
	const total = route.total(call);
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	if (requested > lastPage && dialect.pageBeyond === 'error') {
		throw new Failure(404, `There is no page ${requested}: the last page is ${lastPage}.`);
	}
	const current = requested > lastPage && dialect.pageBeyond === 'last' ? lastPage : requested;
	const records =
		current > lastPage
			? []
			: route.records(call, {
					limit: perPage,
					offset: (current - 1) * perPage,
					total,
					order,
					descending: dialect.listOrder === 'desc',
				});
	return {
		result: total,
		perpage: perPage,
		currentpage: current,
		nextpage: current < lastPage ? current + 1 : afterLast(current, dialect),
		maxpage: lastPage,
		[route.list]: records,
	};
}

/**
 * Reads any page of a list, with statements that are prepared once. `select` ends with its WHERE clause; `keys` are the
 * columns to sort by, the last of them unique.
 */
export function pageReader(
	database: DatabaseSync,
	select: string,
	keys: readonly string[],
): (parameters: SQLInputValue[], query: PageQuery) => Row[] {
	const prepare = (direction: 'ASC' | 'DESC') =>
		database.prepare(
			`${select} ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')} LIMIT ? OFFSET ?`,
		);
	const ascending = prepare('ASC');
	const descending = prepare('DESC');
	return (parameters, query) => {
		const [near, far] = query.descending ? [descending, ascending] : [ascending, descending];
		const rest = query.total - query.offset;
		// SQLite reads every row before the offset, so a page of the second half is read from the other end.
		if (query.offset <= rest) return near.all(...parameters, query.limit, query.offset);
		const limit = Math.min(query.limit, rest);
		return far.all(...parameters, limit, rest - limit).reverse();
	};
}

function perPageOf(limit: number, { maxLimit }: Dialect): number {
	switch (maxLimit) {
		case 'unlimited':
			return limit;
		case 'ignored':
			return DEFAULT_LIMIT;
		case 'refused-above-50':
			if (limit > 50) throw new Failure(422, 'limit must not be greater than 50.');
			return limit;
		default:
			return Math.min(limit, Number(maxLimit));
	}
}

function positive(
	query: Record<string, string>,
	name: string,
	greatest: number,
): number | undefined {
	const value = query[name];
	if (value === undefined || value === '') return undefined;
	const number = /^\d+$/.test(value) ? Number(value) : 0;
	if (number < 1 || number > greatest) {
		throw new Failure(422, `${name} must be a whole number from 1 to ${greatest}.`);
	}
	return number;
}

function orderOf(route: ListRoute, query: Record<string, string>): string {
	const [usual = ''] = route.orders ?? [];
	const order = query.order;
	if (!route.orders || order === undefined || order === '') return usual;
	if (!route.orders.includes(order)) {
		throw new Failure(422, `order must be one of: ${route.orders.join(', ')}.`);
	}
	return order;
}

function afterLast(current: number, dialect: Dialect): number | null {
	switch (dialect.nextPage) {
		case 'same':
			return current;
		case 'null':
			return null;
		case 'plus-one':
			return current + 1;
		case 'zero':
			return 0;
	}
}
