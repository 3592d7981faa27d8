import type { DatabaseSync } from 'node:sqlite';
import { integer } from '../database.ts';
import type { Fields } from '../input.ts';
import { recordOf, type Records } from '../records.ts';
import { type ActionRoute, idIn, type ListRoute } from './routes.ts';

/** The endpoints that most kinds of records have: a list of them, and the update and the deletion of one. */

/** What a list shows of a record, the `index`-th of its page. */
type Show = (record: Fields, index: number) => Fields;

/** By the words of `order`, the columns to sort by; the last of them is unique. */
type Orders = Record<string, readonly string[]>;

export function listRoute(
	database: DatabaseSync,
	{ table }: Records,
	path: string,
	list: string,
	show: Show = (record) => record,
	orders?: Orders,
): ListRoute {
	const from = `FROM ${table} WHERE account_id = ?`;
	const count = database.prepare(`SELECT count(*) AS total ${from}`);
	return {
		method: 'GET',
		path,
		list,
		...(orders ? { orders: Object.keys(orders) } : {}),
		total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
		records({ accountId }, { limit, offset, total, order, descending }) {
			const rest = Math.max(0, total - offset);
			const size = Math.min(limit, rest);
			// SQLite reads every row before the offset, so a page of the second half is read from the other end.
			const isNear = offset <= rest;
			const direction = descending === isNear ? 'DESC' : 'ASC';
			const keys = (orders?.[order] ?? ['id']).map((key) => `${key} ${direction}`).join(', ');
			const rows = database
				.prepare(`SELECT * ${from} ORDER BY ${keys} LIMIT ? OFFSET ?`)
				.all(accountId, size, isNear ? offset : rest - size);
			return (isNear ? rows : rows.reverse()).map(recordOf).map(show);
		},
	};
}

/** Changes the fields that were sent. */
export function updateRoute(records: Records, path: string, body: unknown): ActionRoute {
	return {
		method: 'PUT',
		path,
		body,
		answer(call) {
			const record = records.get(call.accountId, idIn(call, 'id', records.what));
			records.change(record, call.body);
			return { message: `The ${records.what} has been updated.` };
		},
	};
}

export function deletionRoute(records: Records, path: string): ActionRoute {
	return {
		method: 'DELETE',
		path,
		answer(call) {
			records.remove(call.accountId, idIn(call, 'id', records.what));
			return { message: `The ${records.what} has been deleted.` };
		},
	};
}
