import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../http/connection';
import { LARGEST_PAGE, pagesOf, walkPages } from '../lists/pages';
import { inputFailure } from '../values/failure';
import { integerIn } from '../values/json';
import type { ReadParameter } from '../values/path';
import { quoted } from '../values/path';
import { isBlank } from '../values/text';
import type { ListFilter } from './listFilters';
import { recordTest } from './listFilters';
import type { RunOperation } from './operation';
import { operation } from './operation';
import type { OperationPlan } from './prepareItem';

/** The most records that are returned: n8n fails on about 126,000 in one item's results, and does not say why. */
const MOST_RECORDS = 100_000;

/** The limit if the field is empty; the field's own default is the same. */
const DEFAULT_LIMIT = 50;

interface ListOptions extends Pick<OperationPlan, 'lists' | 'query'> {
	filters: readonly ListFilter[];
}

/**
 * An operation that lists records: all, or as many as *Limit* says.
 *
 * The APIs cannot filter, so a filtered list is read until enough records pass, or to its end. Even a list that is sorted by
 * clicks or by date is read so: the document says neither in which direction the service sorts nor that every record has a
 * date, and the first pages may look sorted by chance.
 * @param listName the name of the array in the response
 * @param readRecord makes an output item of one entry of that array
 */
export function listOperation(
	service: Service,
	listName: string,
	readRecord: (entry: IDataObject) => IDataObject,
	{ filters, ...plan }: ListOptions,
): RunOperation {
	return operation(service, {
		...plan,
		labels: { order: 'Order By' },
		results: (body) => [body],
		query(composed, context) {
			limitOf(context.read);
			recordTest(filters, context);
			return plan.query?.(composed, context) ?? composed;
		},
		async perform({ path, query }, send, context) {
			const wanted = limitOf(context.read) ?? Infinity;
			const passes = recordTest(filters, context);
			const requestPage = pagesOf(context.connection, { path, listName, query }, send);
			const found: IDataObject[] = [];
			const pages = walkPages(requestPage, passes ? LARGEST_PAGE : Math.min(wanted, LARGEST_PAGE));
			for await (const entries of pages) {
				for (const entry of entries) {
					const record = readRecord(entry);
					if (passes?.(record) ?? true) found.push(record);
				}
				if (found.length >= wanted) break;
				if (found.length > MOST_RECORDS) {
					throw inputFailure(
						`The list has more than ${MOST_RECORDS.toLocaleString('en')} records, which is more than n8n can take`,
						'Set a Limit, or use filters to read the list in parts',
					);
				}
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
	if (read('returnAll') === true) return undefined;
	const entered = read('limit');
	const limit = isBlank(entered) ? DEFAULT_LIMIT : integerIn(entered);
	if (limit !== undefined && limit > 0) return limit;
	throw inputFailure(
		`Limit must be a whole number of 1 or more, but is ${quoted(entered)}`,
		'Switch Return All on to get all records',
	);
}
