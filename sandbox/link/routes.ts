import type { Fields } from '../fields.ts';
import type { Range, Records } from '../records.ts';

/** What an endpoint is; and those that most kinds of records have: a list of them, and the update and the deletion of one. */

/** One authenticated request, its body checked. */
export interface Call {
	accountId: number;
	params: Record<string, string>;
	body: Fields;
	/** The service's time in epoch milliseconds. */
	now: number;
	/** Of the service, without a trailing slash. */
	baseUrl: string;
}

interface ActionRoute {
	/** JSON schema of the body. */
	body?: unknown;
	/** Returns the members beside `error`. */
	answer: (call: Call) => Fields;
}

export interface ListRoute {
	/** Name of the array. */
	list: string;
	/** By the words of `order`, the columns to sort by; the first is the default. */
	orders?: Record<string, readonly string[]> | undefined;
	/** How many records there are in all. */
	count: (call: Call) => number;
	page: (call: Call, range: Range) => Fields[];
}

/** By method and path, as the document prints them. */
export type LinkRoutes = Record<string, ActionRoute | ListRoute>;

/** What a list shows of a record, the `index`-th of its page. */
type Show = (record: Fields, call: Call, index: number) => Fields;

export const listRoute = (
	list: string,
	records: Records,
	show: Show = (record) => record,
	orders?: ListRoute['orders'],
): ListRoute => ({
	list,
	orders,
	count: ({ accountId }) => records.count(accountId),
	page: (call, range) =>
		records.page(call.accountId, range).map((record, index) => show(record, call, index)),
});

/** Changes the fields that were sent. */
export const updateRoute = (records: Records, body: unknown): ActionRoute => ({
	body,
	answer(call) {
		const { id } = records.get(call.accountId, call.params.id);
		records.change(id, call.body);
		return { message: `The ${records.what} has been updated.` };
	},
});

export const deletionRoute = (records: Records): ActionRoute => ({
	answer(call) {
		const { id } = records.get(call.accountId, call.params.id);
		records.remove(id);
		return { message: `The ${records.what} has been deleted.` };
	},
});
