import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { lowerCase } from '../lists/listSearch';
import { inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import { quoted } from '../values/path';
import { isBlank, text } from '../values/text';
import { addable } from './fields';
import type { ItemContext } from './plan';

/** Whether a record passes. */
type RecordTest = (record: IDataObject) => boolean;

/** A filter of a list: fields that the user can add, and the test that they make. */
export interface ListFilter {
	fields: readonly INodeProperties[];
	/**
	 * @param entered what was added, by the names of the fields
	 * @returns undefined if all records pass
	 * @throws Failure if nothing can be compared with a value
	 */
	test(entered: IDataObject, context: ItemContext): RecordTest | undefined;
}

export const filtersField = (filters: readonly ListFilter[]): INodeProperties =>
	addable('Filters', 'filters', 'Add Filter')(filters.flatMap(({ fields }) => fields));

/**
 * What a record has to pass; undefined if no filter has a value.
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
		'Returns only what holds this text in its name, title, description or address. Upper and lower case are the same.',
};

/** Finds records by a text in one of these members. */
export const searchFilter = (...members: string[]): ListFilter => ({
	fields: [searchField],
	test({ search }) {
		const wanted = isBlank(search) ? '' : text(searchField.displayName, search).toLowerCase();
		if (wanted === '') return undefined;
		return (record) => members.some((member) => lowerCase(record[member]).includes(wanted));
	},
});

interface Range<T> {
	/** The fields of both ends; the lower one belongs to the range. */
	from: INodeProperties;
	to: INodeProperties;
	/** Whether the upper end does, too. */
	includesEnd: boolean;
	/** @throws Failure if the value is no end of such a range */
	read(label: string, value: unknown, context: ItemContext): T;
	/** What a record is found by; one without it never passes. */
	of(record: IDataObject): T | undefined;
}

/** Finds records by a number, or by a text that sorts as a date does. */
export function rangeFilter<T extends string | number>(range: Range<T>): ListFilter {
	const { from, to, includesEnd } = range;
	return {
		fields: [from, to],
		test(entered, context) {
			const [start, end] = [from, to].map(({ name, displayName }) =>
				isBlank(entered[name]) ? undefined : range.read(displayName, entered[name], context),
			);
			if (start === undefined && end === undefined) return undefined;
			if (start !== undefined && end !== undefined && start > end) {
				throw inputFailure(
					`Nothing can be found: ${from.displayName} is ${quoted(start)}, and ${to.displayName} is ${quoted(end)}`,
					'Exchange the two, or take one of them away',
				);
			}
			return (record) => {
				const value = range.of(record);
				if (value === undefined || (start !== undefined && value < start)) return false;
				return end === undefined || value < end || (includesEnd && value === end);
			};
		},
	};
}
