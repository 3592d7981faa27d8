import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../../../dist/nodes/shared/operations/form.js';
import { rowOutput } from '../../../../dist/nodes/shared/operations/rowOutput.js';

/** What an item outputs, with the columns of its row or without. */

const noResult = (why: string) => ({ id: null, outcome: why });

/** @param mapped the columns that fill fields */
function outputOf(
	row: IDataObject,
	{
		includes = true,
		mapped = undefined as string[] | undefined,
		hasErrorOutput = false,
		hasColumns = true,
	} = {},
) {
	const form = {
		input: { item: row },
		mapped: mapped && { names: mapped },
		parameter: () => ({ includeInputFields: includes }),
		parameters: {},
	} as unknown as Form;
	return rowOutput(form, hasColumns ? noResult : undefined, hasErrorOutput);
}

test('without Include Input Fields, the result stands alone', () => {
	const output = outputOf({ a: 1 }, { includes: false });
	expect([output.result({ id: 2 }), output.failed('No'), output.skipped()]).toEqual([
		{ id: 2 },
		{ error: 'No' },
		{},
	]);
});

test('with it, the columns of the row come first, and an earlier error goes', () => {
	const result = outputOf({ b: 1, error: 'old', a: 2 }).result({ id: 3, none: undefined });
	expect(Object.entries(result)).toEqual([
		['b', 1],
		['a', 2],
		['id', 3],
	]);
});

test.each<[row: IDataObject, result: IDataObject, kept: IDataObject]>([
	[{ id: 4, name: 'a' }, { id: 5, name: 'a' }, { input_id: 4 }],
	[{ id: 'x', url: 'a' }, { id: 7 }, { input_id: 'x' }],
	[{ count: '5' }, { count: 5 }, {}],
	[{ count: 5 }, { count: '5' }, {}],
	[{ empty: null }, { empty: '' }, {}],
	[{ none: null }, { none: null }, {}],
	[{ tags: ['a'] }, { tags: ['b'] }, { input_tags: ['a'] }],
	[{ tags: ['a'] }, { tags: ['a'] }, {}],
	[{ a: 1 }, { b: 2 }, {}],
])('beside the row %j, the result %j keeps what it replaces: %j', (row, result, kept) => {
	expect(outputOf(row).result(result)).toEqual({ ...row, ...result, ...kept });
});

test('but not a column that fills a field', () => {
	const result = outputOf({ url: 'a', name: 'b' }, { includes: false, mapped: ['url'] }).result({
		url: 'A',
		name: 'c',
	});
	expect(result).toEqual({ url: 'A', name: 'c', input_name: 'b' });
});

test('nor those of a row that this operation has output before', () => {
	expect(
		outputOf({ id: 1, outcome: 'created', a: 2 }).result({ id: 3, outcome: 'updated' }),
	).toStrictEqual({
		id: 3,
		outcome: 'updated',
		a: 2,
	});
	expect(outputOf({ id: 1, a: 2 }).result({ id: 3 })).toEqual({ id: 3, a: 2, input_id: 1 });
	expect(outputOf({ id: 1 }, { hasColumns: false }).result({ id: 3 })).toEqual({
		id: 3,
		input_id: 1,
	});
});

test('a row without a result has its columns, and no value of the row is lost', () => {
	expect(outputOf({ a: 1 }).failed('No')).toEqual({
		a: 1,
		id: null,
		outcome: 'failed',
		error: 'No',
	});
	expect(outputOf({ a: 1, id: 9 }).skipped()).toEqual({ a: 1, id: 9, outcome: 'skipped' });
	expect(outputOf({ outcome: 'created' }).failed('No')).toMatchObject({ outcome: 'failed' });
	expect(outputOf({ a: 1 }, { hasColumns: false }).failed('No')).toEqual({ a: 1, error: 'No' });
});

test('an item for the error output has only its error', () => {
	expect(outputOf({ a: 1 }, { hasErrorOutput: true }).failed('No')).toEqual({ error: 'No' });
});

test('what is output is no part of the input', () => {
	const row = { tags: ['a'] };
	const { tags } = outputOf(row).result({ id: 1 });
	(tags as string[]).push('b');
	expect(row.tags).toEqual(['a']);
});
