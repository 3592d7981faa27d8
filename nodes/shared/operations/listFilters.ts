import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { lowerCase } from '../lists/listSearch';
import { mapIn } from '../values/json';
import { isBlank, text } from '../values/text';
import { addable } from './fields';
import type { ItemContext } from './itemContext';

/** Whether the list returns a record. */
type RecordTest = (record: IDataObject) => boolean;

/** A filter of a list: fields that the user can add, and the test that is made of their values. */
export interface ListFilter {
	fields: readonly INodeProperties[];
	/**
	 * @param entered the values, by the names of the fields
	 * @returns undefined if no field has a value
	 * @throws Failure if a value is not one that records can be compared with
	 */
	test(entered: IDataObject, context: ItemContext): RecordTest | undefined;
}

export const filtersField = (filters: readonly ListFilter[]): INodeProperties =>
	addable('Filters', 'filters', 'Add Filter')(filters.flatMap(({ fields }) => fields));

/**
 * The tests of all filters as one; undefined if no filter has a value.
 * @throws Failure as a filter's `test`
 */
export function recordTest(
	filters: readonly ListFilter[],
	context: ItemContext,
): RecordTest | undefined {
	const entered = mapIn(context.read('filters'));
	const tests = filters.flatMap((filter) => filter.test(entered, context) ?? []);
	return tests.length === 0 ? undefined : (record) => tests.every((test) => test(record));
}

const searchField: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring',
	description:
		'Return only records with this text in their name, title, description or address. Case is ignored.',
};

/** Keeps the records that have the text in one of these members, whatever its case. */
export const searchFilter = (...members: string[]): ListFilter => ({
	fields: [searchField],
	test({ search }) {
		const wanted = isBlank(search) ? '' : text(searchField.displayName, search).toLowerCase();
		if (wanted === '') return undefined;
		return (record) => members.some((member) => lowerCase(record[member]).includes(wanted));
	},
});
