import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { type Fields, oneOf } from '../input.ts';
import type { Call, ListRoute } from './routes.ts';

const DEFAULT_LIMIT = 15;

/** JSON schema of the query of a list. */
export const querySchema = ({ orders }: ListRoute): unknown => ({
	type: 'object',
	properties: {
		limit: { type: 'integer', minimum: 1, maximum: 1_000_000 },
		page: { type: 'integer', minimum: 1 },
		...(orders ? { order: oneOf(orders) } : {}),
	},
});

export interface Query {
	limit?: number;
	page?: number;
	order?: string;
}

/** One page in the pagination envelope, under `data`. */
export function page(route: ListRoute, call: Call, query: Query, dialect: Dialect): Fields {
	const [usual = ''] = route.orders ?? [];
	const { limit = DEFAULT_LIMIT, page: requested = 1, order = usual } = query;
	const perPage = perPageOf(limit, dialect);
	const total = route.total(call);
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const current = requested > lastPage ? beyond(requested, lastPage, dialect) : requested;
	const offset = (current - 1) * perPage;
	const descending = dialect.listOrder !== 'asc';
	const read = (count: number, from: number) =>
		route.records(call, { limit: count, offset: from, total, order, descending });
	const isByName = dialect.listOrder === 'name' && !route.orders && route.list !== 'items';
	const records = isByName
		? sortedByName(read(total, 0)).slice(offset, offset + perPage)
		: read(current > lastPage ? 0 : perPage, offset);
	return {
		...numbersOf({ total, limit, perPage, current, lastPage, count: records.length }, dialect),
		[route.list]: records,
	};
}

interface Numbers {
	total: number;
	/** As it was sent. */
	limit: number;
	perPage: number;
	current: number;
	lastPage: number;
	/** Of the records on the page. */
	count: number;
}

/** The members of "Pagination envelope" beside the records. */
function numbersOf(numbers: Numbers, { pageNumbers }: Dialect): Fields {
	const { total, limit, perPage, current, lastPage, count } = numbers;
	const all = { result: total, perpage: perPage, currentpage: current, maxpage: lastPage };
	const isLast = current >= lastPage;
	switch (pageNumbers) {
		case 'documented':
			return { ...all, nextpage: isLast ? current : current + 1 };
		case 'last-null':
			return { ...all, nextpage: isLast ? null : current + 1 };
		case 'echoed':
			return { ...all, perpage: limit, nextpage: current + 1 };
		case 'few':
			return { currentpage: current, maxpage: lastPage };
		case 'of-page':
			return { result: count, currentpage: current };
	}
}

function beyond(requested: number, lastPage: number, { pageBeyond }: Dialect): number {
	switch (pageBeyond) {
		case 'empty':
			return requested;
		case 'error':
			throw new Failure(404, `There is no page ${requested}: the last page is ${lastPage}.`);
		case 'first':
			return 1;
	}
}

function sortedByName(records: Fields[]): Fields[] {
	const nameOf = ({ name, domain }: Fields) => String(name ?? domain);
	return records.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
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
