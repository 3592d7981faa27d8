// Makes Get Many operations: reads a list until enough records pass the filters. Also makes the Filters field with its Search,
// and reads Limit and filters for the Get Many of items, whose list has no pages.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { LIST_START, pagesOf } from '../lists/listPages';
import { LARGEST_PAGE, type ListNames } from '../lists/pages';
import { mapIn } from '../values/json';
import { isBlank, parseLine, parseId } from '../values/input';
import { hasText, lowerCase } from '../values/text';
import { collectionField } from './panelFields';
import type { Operation, Row } from './operation';

type RecordTest = (record: IDataObject) => boolean;

type ListTest = (records: readonly IDataObject[]) => boolean;

export interface ListFilter {
	fields: readonly INodeProperties[];
	/** @param entered by the names of the fields @returns undefined if no field has a value */
	test(entered: IDataObject, row: Row): RecordTest | undefined;
	/** Whether none of the records behind these can pass, as far as their order tells. */
	ends?(entered: IDataObject, row: Row): ListTest | undefined;
}

export const filtersField = (filters: readonly ListFilter[]): INodeProperties =>
	collectionField('Filters', 'filters', 'Add Filter')(filters.flatMap(({ fields }) => fields));

const searchField: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring',
	description:
		'Return only records with this text in their name, title, description or address. Case is ignored.',
};

export const searchFilter = (...members: string[]): ListFilter => ({
	fields: [searchField],
	test({ search }) {
		const wanted = isBlank(search) ? '' : lowerCase(parseLine(searchField.displayName, search));
		if (wanted === '') return undefined;
		return (record) => members.some((member) => hasText(record[member], wanted));
	},
});

const DEFAULT_LIMIT = 50;
/** More would not fit into what a model reads. */
const MOST_FOR_MODEL = 200;

/** What an operation that lists records does. The APIs cannot filter, so a filtered list is read until enough records pass, or no other can. */
export const readPages = (
	names: ListNames,
	recordOf: (entry: IDataObject) => IDataObject,
	filters: readonly ListFilter[],
): Pick<Operation, 'ownQuery' | 'prepare'> => ({
	ownQuery: ['limit', 'page'],
	prepare(row) {
		const { limit, passes, isEnd } = wantedRecords(filters, row);
		return async ({ path, query }) => {
			// One more shows whether there are more.
			const wanted = row.isToolCall ? limit + 1 : limit;
			const pageSize = passes ? LARGEST_PAGE : Math.min(wanted, LARGEST_PAGE);
			const source = { ...names, path, query };
			const read: IDataObject[] = [];
			const found: IDataObject[] = [];
			for await (const page of pagesOf(source, row.send, { ...LIST_START, pageSize })) {
				const records = page.records.map(recordOf);
				read.push(...records);
				found.push(...records.filter(passes ?? (() => true)));
				if (found.length >= wanted || isEnd(read)) break;
			}
			return limited(found, limit, row).map((json) => ({ json }));
		};
	},
});

/** As many as were asked for. A model sees only these, so it is told if there are more. */
export function limited(
	records: readonly IDataObject[],
	limit: number,
	{ isToolCall }: Row,
): IDataObject[] {
	const shown = records.slice(0, limit);
	const note = `Only the first ${limit} are shown. Use Search or another filter to find the rest.`;
	return isToolCall && records.length > limit ? [...shown, { has_more: true, note }] : shown;
}

export function wantedRecords(
	filters: readonly ListFilter[],
	row: Row,
): { limit: number; passes: RecordTest | undefined; isEnd: ListTest } {
	const entered = mapIn(row.parameters.filters);
	const tests = filters.flatMap((filter) => filter.test(entered, row) ?? []);
	const passes: RecordTest = (record) => tests.every((test) => test(record));
	const ends = filters.flatMap((filter) => filter.ends?.(entered, row) ?? []);
	return {
		limit: limitOf(row),
		passes: tests.length > 0 ? passes : undefined,
		isEnd: (records) => ends.some((isEnd) => isEnd(records)),
	};
}

function limitOf({ parameters, isToolCall }: Row): number {
	if (parameters.returnAll === true) return isToolCall ? MOST_FOR_MODEL : Infinity;
	const entered = parameters.limit;
	if (isBlank(entered)) return DEFAULT_LIMIT;
	return parseId('Limit', entered, "Enter a number from 1 on, or turn on 'Return All'");
}
