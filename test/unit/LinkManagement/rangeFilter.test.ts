import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { rangeFilter } from '../../../dist/nodes/LinkManagement/rangeFilter.js';
import type { ListFilter } from '../../../dist/nodes/shared/operations/listOperation.js';
import {
	filtersField,
	searchFilter,
	wantedRecords,
} from '../../../dist/nodes/shared/operations/listOperation.js';
import type { Form } from '../../../dist/nodes/shared/operations/form.js';

/** What the filters of a list let through. */

const field = (name: string): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'number',
	default: 0,
});

const range = (includesEnd: boolean): ListFilter =>
	rangeFilter<number>({
		from: field('from'),
		to: field('to'),
		includesEnd,
		parse: (_label, value) => Number(value),
		of: ({ size }) => (typeof size === 'number' ? size : undefined),
	});

/** The sizes of the records that pass; undefined if all do, whatever they are. */
function passing(filter: ListFilter, entered: unknown): unknown {
	const form = {
		parameter: (name: string) => ({ filters: entered })[name],
	} as unknown as Form;
	const test = wantedRecords([filter, searchFilter('name', 'title')], form).passes;
	const records: IDataObject[] = [
		{ size: 1, name: 'One', title: 'fïrst' },
		{ size: 2, name: 'Two', title: 2 },
		{ size: 3, name: 'Three' },
		{ name: 'none' },
	];
	return test && records.filter(test).map(({ size }) => size);
}

test.each([
	[undefined, undefined, undefined],
	[{}, undefined, undefined],
	[{ from: '', to: null, search: ' ' }, undefined, undefined],
	[{ from: 2 }, [2, 3], [2, 3]],
	[{ to: 2 }, [1, 2], [1]],
	[{ from: 2, to: 2 }, [2], []],
	[{ from: 1, to: 3 }, [1, 2, 3], [1, 2]],
	[{ search: ' O' }, [1, 2, undefined], [1, 2, undefined]],
	[{ search: 2 }, [2], [2]],
	[{ search: 'FI\u0308RST' }, [1], [1]],
	[{ search: 'o', from: 2 }, [2], [2]],
])('of %j pass %j, without the end %j', (entered, withEnd, withoutEnd) => {
	expect(passing(range(true), entered)).toStrictEqual(withEnd);
	expect(passing(range(false), entered)).toStrictEqual(withoutEnd);
});

test('a range that ends before it begins is refused', () => {
	expect(() => passing(range(true), { from: 2, to: 1 })).toThrow(
		'Nothing can be found: FROM is "2", and TO is "1"',
	);
});

test('the fields of all filters can be added', () => {
	const { name: filters, options = [] } = filtersField([range(true), searchFilter('name')]);
	expect(filters).toBe('filters');
	expect(options.map(({ name }) => name)).toEqual(['from', 'to', 'search']);
});
