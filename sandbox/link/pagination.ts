import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Row } from '../database.ts';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import type { Fields } from '../input.ts';
import type { Call, ListRoute, PageQuery } from './routes.ts';

const DEFAULT_LIMIT = 15;
const GREATEST_LIMIT = 1_000_000;

const CACHED_MS = 60_000;

/** The counts of lists, by route and account, where the dialect caches them. */
const cachedTotals = new WeakMap<ListRoute, Map<number, { total: number; until: number }>>();

/** One page in the pagination envelope, under `data`. */
export function page(
	route: ListRoute,
	call: Call,
	query: Record<string, string>,
	dialect: Dialect,
): Fields {
	const limit = positive(query, 'limit', GREATEST_LIMIT) ?? DEFAULT_LIMIT;
	const perPage = perPageOf(limit, dialect);
	const requested = positive(query, 'page', Number.MAX_SAFE_INTEGER) ?? 1;
	const order = orderOf(route, query);
	const total = route.total(call);
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	if (requested > lastPage && dialect.pageBeyond === 'error') {
		throw new Failure(404, `There is no page ${requested}: the last page is ${lastPage}.`);
	}
	const beyond = { last: lastPage, first: 1, empty: requested, error: requested };
	const current = requested > lastPage ? beyond[dialect.pageBeyond] : requested;
	const descending = dialect.listOrder === 'desc';
	const read = (count: number, offset: number) =>
		route.records(call, { limit: count, offset, total, order, descending });
	const offset = (current - 1) * perPage;
	const isReordered = dialect.listsBy !== 'creation' && !route.orders && route.list !== 'items';
	const ordered = isReordered ? reordered(read(total, 0), dialect) : undefined;
	const shown = current > lastPage ? [] : read(perPage, offset);
	const records = ordered?.slice(offset, offset + perPage) ?? shown;
	const counted = dialect.pageCounts === 'cached' ? cachedTotal(route, call, total) : total;
	const maxPage = Math.max(1, Math.ceil(counted / perPage));
	const next = { nextpage: current < maxPage ? current + 1 : afterLast(current, dialect) };
	const { pageNumbers } = dialect;
	return {
		result: dialect.result === 'page' ? records.length : counted,
		...(dialect.perPage === 'missing'
			? {}
			: { perpage: dialect.perPage === 'echoed' ? limit : perPage }),
		currentpage: current,
		...(pageNumbers === 'both' || pageNumbers === 'no-maxpage' ? next : {}),
		...(pageNumbers === 'both' || pageNumbers === 'no-nextpage' ? { maxpage: maxPage } : {}),
		[route.list]: records,
	};
}

function cachedTotal(route: ListRoute, { accountId, now }: Call, total: number): number {
	const totals = cachedTotals.get(route) ?? new Map<number, { total: number; until: number }>();
	cachedTotals.set(route, totals);
	const known = totals.get(accountId);
	if (known && now < known.until) return known.total;
	totals.set(accountId, { total, until: now + CACHED_MS });
	return total;
}

/** The records of a list in the order of the dialect. */
function reordered(records: Fields[], { listsBy }: Dialect): Fields[] {
	const nameOf = ({ name, domain }: Fields) => String(name ?? domain);
	return records.toSorted((a, b) =>
		listsBy === 'name'
			? nameOf(a).localeCompare(nameOf(b), 'en')
			: Number(b.starred === true) - Number(a.starred === true),
	);
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

function perPageOf(limit: number, { maxLimit, largePages }: Dialect): number {
	if (limit > 50 && largePages !== 'served') {
		throw new Failure(largePages === 'http500' ? 500 : 504, 'The page took too long.');
	}
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
