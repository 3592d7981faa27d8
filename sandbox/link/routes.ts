import type { Dialect } from '../dialects.ts';
import { Failure, Undocumented } from '../failure.ts';
import type { Fields } from '../fields.ts';
import type { Filter, Range, Records } from '../records.ts';

/** What an endpoint is; and those that most kinds of records have: a list of them, and the update and the deletion of one. */

/** What the query of a list may have. */
export interface Query {
	limit?: number;
	page?: number;
	order?: string;
	q?: string;
	short?: string;
}

/** One authenticated request, its body checked. */
export interface Call {
	accountId: number;
	params: Record<string, string>;
	body: Fields;
	query: Query;
	/** The service's time in epoch milliseconds. */
	now: number;
	/** Of the service, without a trailing slash. */
	baseUrl: string;
	/** Of short URLs without a domain of the account. */
	mainUrl: string;
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
	/** Answers in place of the list, if the query asks for one record. */
	single?: ((call: Call) => Fields | undefined) | undefined;
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
	filter: (call: Call) => Filter | undefined = () => undefined,
): ListRoute => ({
	list,
	orders,
	count: (call) => records.count(call.accountId, filter(call)),
	page: (call, range) =>
		records
			.page(call.accountId, range, filter(call))
			.map((record, index) => show(record, call, index)),
});

/** Changes the fields that were sent. @param read what is written of them into the record that is there */
export const updateRoute = (
	records: Records,
	body: unknown,
	read: (call: Call, present: Fields) => Fields = (call) => call.body,
): ActionRoute => ({
	body,
	answer(call) {
		const present = records.get(call.accountId, call.params.id);
		records.change(present.id, read(call, present));
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

/** A route that answers with nothing at all for an unknown record, if the dialect does so. */
export const quiet = (route: ActionRoute, { recordQuirks }: Dialect): ActionRoute => ({
	...route,
	answer(call) {
		try {
			return route.answer(call);
		} catch (error) {
			const isUnknown = error instanceof Failure && error.status === 404;
			throw isUnknown && recordQuirks === 'some' ? new Undocumented({}) : error;
		}
	},
});
