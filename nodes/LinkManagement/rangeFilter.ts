import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ListFilter } from '../shared/operations/listOperation';
import type { Form } from '../shared/operations/form';
import { isBlank } from '../shared/values/input';

interface Range<T> {
	/** The fields of both ends; the lower end is part of the range. */
	from: INodeProperties;
	to: INodeProperties;
	/** Whether the upper end is part of the range. */
	includesEnd: boolean;
	/** @throws Failure if the value cannot be an end of the range */
	parse(label: string, value: unknown, form: Form): T;
	/** The value of a record; a record without one never passes. */
	of(record: IDataObject): T | undefined;
}

/** Keeps records whose value is in a range: a number, or a date as text that sorts by time. */
export function rangeFilter<T extends string | number>(range: Range<T>): ListFilter {
	const { from, to, includesEnd } = range;
	return {
		fields: [from, to],
		test(entered, form) {
			const [start, end] = [from, to].map(({ name, displayName }) =>
				isBlank(entered[name]) ? undefined : range.parse(displayName, entered[name], form),
			);
			if (start === undefined && end === undefined) return undefined;
			return (record) => {
				const value = range.of(record);
				if (value === undefined || (start !== undefined && value < start)) return false;
				return end === undefined || value < end || (includesEnd && value === end);
			};
		},
	};
}
