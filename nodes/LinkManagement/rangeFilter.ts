import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ListFilter } from '../shared/operations/listFilters';
import type { ItemContext } from '../shared/operations/plan';
import { inputFailure } from '../shared/values/failure';
import { quoted } from '../shared/values/path';
import { isBlank } from '../shared/values/text';

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

/** Nothing is before or behind an end that is open. */
const isBefore = <T extends string | number>(one: T | undefined, other: T | undefined): boolean =>
	one !== undefined && other !== undefined && one < other;

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
			if (isBefore(end, start)) {
				throw inputFailure(
					`Nothing can be found: ${from.displayName} is ${quoted(start)}, and ${to.displayName} is ${quoted(end)}`,
					'Exchange the two, or take one of them away',
				);
			}
			return (record) => {
				const value = range.of(record);
				if (value === undefined || isBefore(value, start) || isBefore(end, value)) return false;
				return includesEnd || value !== end;
			};
		},
	};
}
