import { type Dialect, extraMembers } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { type Fields, oneOf, TEXT } from '../fields.ts';
import type { Filter, Range, Records } from '../records.ts';

/** What an endpoint is, and those that the kinds of records have alike. */

/** One authenticated request, its body checked. */
export interface Call {
	accountId: number;
	params: Record<string, string>;
	body: Fields;
	/** Of a list. */
	query: { limit: number; page: number; order?: string; q?: string; short?: string };
	/** The service's time in epoch milliseconds. */
	now: number;
	/** Of the service, without a trailing slash. */
	baseUrl: string;
	/** Of short URLs without a domain of the account. */
	mainUrl: string;
}

interface Route {
	/** JSON schemas. */
	body?: unknown;
	querystring?: unknown;
	/** Returns the response; `error` is 0 if it has none. */
	answer: (call: Call) => Fields;
}

/** By method and path, as the document prints them. */
export type LinkRoutes = Record<string, Route>;

/** Where the records of a list come from. */
interface Source {
	/** How many records there are in all. */
	count: (call: Call) => number;
	page: (call: Call, range: Range) => Fields[];
}

/** @param show what a list shows of a record, the `index`-th of its page */
export const sourceOf = (
	records: Records,
	show: (record: Fields, call: Call, index: number) => Fields = (record) => record,
	filter: (call: Call) => Filter | undefined = () => undefined,
): Source => ({
	count: (call) => records.count(call.accountId, filter(call)),
	page: (call, range) =>
		records
			.page(call.accountId, range, filter(call))
			.map((record, index) => show(record, call, index)),
});

const DEFAULT_LIMIT = 15;
const BY_NAME = ["coalesce(record ->> 'name', record ->> 'domain') COLLATE NOCASE", 'id'];

/**
 * One page in the pagination envelope. `error` is the string "0", and the overlay list has none at all.
 * @param list name of the array @param orders by the words of `order`, the columns to sort by
 */
export const listRoute = (
	list: string,
	source: Source,
	dialect: Dialect,
	orders?: Record<string, readonly string[]>,
): Route => ({
	querystring: {
		type: 'object',
		properties: {
			limit: { type: 'integer', minimum: 1, maximum: 1_000_000, default: DEFAULT_LIMIT },
			page: { type: 'integer', minimum: 1, default: 1 },
			...(orders ? { order: oneOf(Object.keys(orders)), q: TEXT, short: TEXT } : {}),
		},
	},
	answer(call) {
		const { listOrder } = dialect;
		const { order = 'date' } = call.query;
		const { records, ...numbers } = pageOf(source, call, dialect, {
			order: orders?.[order] ?? (listOrder === 'name' ? BY_NAME : ['id']),
			// Links are the list that can be ordered.
			descending: listOrder === 'desc' || (orders !== undefined && listOrder !== 'asc'),
		});
		const data = { ...numbers, [list]: records, ...extraMembers(dialect) };
		return { error: list === 'cta' ? undefined : '0', data };
	},
});

function pageOf(
	source: Source,
	call: Call,
	dialect: Dialect,
	order: Pick<Range, 'order' | 'descending'>,
): Fields {
	const { limit, page } = call.query;
	const { maxLimit, pageNumbers } = dialect;
	const perpage =
		maxLimit === 'ignored' ? DEFAULT_LIMIT : Math.min(limit, Number(maxLimit) || limit);
	const result = source.count(call);
	const maxpage = Math.max(1, Math.ceil(result / perpage));
	const currentpage = page > maxpage ? beyond(page, maxpage, dialect) : page;
	const offset = (currentpage - 1) * perpage;
	const records = source.page(call, { ...order, limit: perpage, offset });
	const next = currentpage + 1;
	const all = { result, perpage, currentpage, maxpage, nextpage: next, records };
	const nextOrNull = currentpage === maxpage ? null : next;
	const forms: Record<Dialect['pageNumbers'], Fields> = {
		documented: { ...all, nextpage: Math.max(currentpage, Math.min(next, maxpage)) },
		'last-null': { ...all, nextpage: currentpage > maxpage ? null : nextOrNull },
		'beyond-next': { ...all, nextpage: nextOrNull, maxpage: Math.min(result, maxpage) },
		echoed: { ...all, perpage: limit },
		few: { currentpage, maxpage, records },
		'of-page': { result: records.length, currentpage, records },
	};
	return forms[pageNumbers];
}

function beyond(requested: number, lastPage: number, { pageBeyond }: Dialect): number {
	if (pageBeyond === 'error') {
		throw new Failure(404, `There is no page ${requested}: the last page is ${lastPage}.`);
	}
	return pageBeyond === 'first' ? 1 : requested;
}

/** Create, update and deletion of a kind of records. */
export const recordRoutes = (
	path: string,
	records: Records,
	kind: {
		/** JSON schemas of their bodies. */
		create: unknown;
		update: unknown;
		/** What a create stores of what was sent. */
		made: (call: Call) => Fields;
		/** Answers a create. Default: the id. */
		created?: (record: Fields, call: Call) => Fields;
		/** Answers an update. Default: a message. */
		updated?: (record: Fields, call: Call) => Fields;
	},
): LinkRoutes => ({
	[`POST ${path}/add`]: {
		body: kind.create,
		answer(call) {
			const record = kind.made(call);
			const id = records.add(call.accountId, record);
			return kind.created?.({ id, ...record }, call) ?? { id };
		},
	},
	[`PUT ${path}/:id/update`]: {
		body: kind.update,
		answer(call) {
			const { id } = records.get(call.accountId, call.params.id);
			const changed = records.change(id, call.body);
			return kind.updated?.(changed, call) ?? { message: `The ${records.what} has been updated.` };
		},
	},
	...deletionRoute(path, records),
});

export const deletionRoute = (path: string, records: Records): LinkRoutes => ({
	[`DELETE ${path}/:id/delete`]: {
		answer({ accountId, params }) {
			records.remove(records.get(accountId, params.id).id);
			return { message: `The ${records.what} has been deleted.` };
		},
	},
});
