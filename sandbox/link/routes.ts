import { Undocumented } from '../failure.ts';
import type { Fields } from '../fields.ts';
import type { Filter, Range, Records } from '../records.ts';

/** What an endpoint is, and those that the kinds of records have alike. */

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

/** A kind of records: how its endpoints change one. */
interface Kind {
	/** `/api/pixel` */
	path: string;
	records: Records;
	/** What a create may send. */
	create: unknown;
	/** What a create stores of what was sent. */
	made: (call: Call) => Fields;
	/** What an update may send. */
	update: unknown;
	/** What an update writes into the record that is there. Default: what was sent. */
	read?: (call: Call, present: Fields) => Fields;
	/** Answers a create. Default: the id. */
	created?: (record: Fields, call: Call) => Fields;
	/** Answers an update. Default: a message. */
	updated?: (record: Fields, call: Call) => Fields;
	/** Whether it says nothing at all of an unknown record. */
	isQuiet?: boolean;
}

/** Create, update and deletion of a kind of records. */
export function recordRoutes(kind: Kind): LinkRoutes {
	const { path, records, read = ({ body }) => body } = kind;
	const presentIn = ({ accountId, params }: Call): Fields => {
		try {
			return records.get(accountId, params.id);
		} catch (unknown) {
			throw kind.isQuiet ? new Undocumented({}) : unknown;
		}
	};
	return {
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
				const present = presentIn(call);
				const changed = records.change(present.id, read(call, present));
				return (
					kind.updated?.(changed, call) ?? { message: `The ${records.what} has been updated.` }
				);
			},
		},
		[`DELETE ${path}/:id/delete`]: deletionRoute(records, presentIn),
	};
}

/** @param presentIn finds the record */
export const deletionRoute = (
	records: Records,
	presentIn: (call: Call) => Fields = ({ accountId, params }) => records.get(accountId, params.id),
): ActionRoute => ({
	answer(call) {
		records.remove(presentIn(call).id);
		return { message: `The ${records.what} has been deleted.` };
	},
});
