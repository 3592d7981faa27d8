import type { DatabaseSync } from 'node:sqlite';
import type { Dialect } from '../dialects.ts';
import type { Failure } from '../failure.ts';
import type { Fields } from '../input.ts';

/** What the resources of the store need. */
export interface StoreContext {
	database: DatabaseSync;
	dialect: Dialect;
}

/** One authenticated request. Parameters may come in the query or the body. */
export interface Call {
	accountId: number;
	parameters: Fields;
}

/** An endpoint as its document prints it. `answer` returns the members beside `status`. */
export interface StoreRoute {
	method: 'GET' | 'POST';
	path: string;
	/** What the document says of a failure of this endpoint. */
	failure: () => Failure;
	answer: (call: Call) => Fields;
}
