import type { DatabaseSync } from 'node:sqlite';
import type { Dialect } from '../dialects.ts';
import { unknownId } from '../failure.ts';
import type { Fields } from '../input.ts';

/** What the resources of the link service need. */
export interface LinkContext {
	database: DatabaseSync;
	dialect: Dialect;
	/** Base URL of the service, without a trailing slash; known once it listens. */
	baseUrl: () => string;
}

/** One authenticated request, its body checked. `now` is the service's time in epoch milliseconds. */
export interface Call {
	accountId: number;
	params: Record<string, string>;
	body: Fields;
	now: number;
}

/** An endpoint as its document prints it. `answer` returns the members beside `error`. */
export interface ActionRoute {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	/** JSON schema of the body. */
	body?: unknown;
	answer: (call: Call) => Fields;
}

/** Which records of a list a page shows. */
export interface PageQuery {
	limit: number;
	offset: number;
	total: number;
	order: string;
	descending: boolean;
}

/** A list endpoint; `list` is the name of its array. */
export interface ListRoute {
	method: 'GET';
	path: string;
	list: string;
	/** Sort keys that `order` may name; the first is the default. None: no `order`. */
	orders?: readonly string[];
	/** How many records there are in all. */
	total: (call: Call) => number;
	records: (call: Call, query: PageQuery) => Fields[];
}

export type LinkRoute = ActionRoute | ListRoute;

/** The id in a path segment. Anything else counts as an unknown id. */
export function idIn(call: Call, segment: string, what: string): number {
	const value = call.params[segment] ?? '';
	if (!/^\d{1,15}$/.test(value)) throw unknownId(what, value);
	return Number(value);
}
