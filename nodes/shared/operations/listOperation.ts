import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../http/connection';
import { LARGEST_PAGE, pagesOf, walkPages } from '../lists/pages';
import { inputFailure } from '../values/failure';
import { integerIn } from '../values/json';
import type { ReadParameter } from '../values/path';
import { quoted } from '../values/path';
import { isBlank, isOn } from '../values/text';
import { operation } from './operation';
import type { OperationPlan, Pagination } from './plan';

/** The limit of a list operation whose field was left as it is. */
const DEFAULT_LIMIT = 50;

/**
 * An operation that lists records: all, or as many as the node's `limit` says.
 * @param listName of the response's array
 * @param readRecord reads one of its records
 * @param query completes and checks the query
 */
export function listOperation(
	service: Service,
	listName: string,
	readRecord: (entry: IDataObject) => IDataObject,
	query: OperationPlan['query'] = (composed) => composed,
): Pagination {
	return operation(service, {
		results: (body) => [body],
		query(composed, context) {
			limitOf(context.read);
			return query(composed, context);
		},
		async perform({ path, query }, send, { connection, read }) {
			const wanted = limitOf(read) ?? Infinity;
			const requestPage = pagesOf(connection, { path, listName, query }, send);
			const found: IDataObject[] = [];
			const pages = walkPages(requestPage, Math.min(wanted, LARGEST_PAGE));
			for await (const records of pages) {
				for (const record of records) found.push(readRecord(record));
				if (found.length >= wanted) break;
			}
			return found.slice(0, wanted);
		},
	});
}

/**
 * How many records the user wants; undefined for all.
 * @throws Failure if the limit is no number of records
 */
export function limitOf(read: ReadParameter): number | undefined {
	if (isOn(read('returnAll'))) return undefined;
	const entered = read('limit');
	const limit = isBlank(entered) ? DEFAULT_LIMIT : integerIn(entered);
	if (limit !== undefined && limit > 0) return limit;
	throw inputFailure(
		`Limit must be a whole number from 1 on, but is ${quoted(entered)}`,
		'Switch Return All on to get all records',
	);
}
