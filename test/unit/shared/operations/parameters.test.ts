import type { INodeProperties } from 'n8n-workflow';

import {
	checkedFields,
	checkedValue,
	choicesIn,
	parameterGetter,
} from '../../../../dist/nodes/shared/operations/parameters.js';

/** What a field may hold, whatever an expression gives. */

const common = { displayName: 'Order', name: 'order', default: false } as const;
const routing = { send: { type: 'body', property: 'x' } } as const;
const order: INodeProperties = {
	...common,
	type: 'options',
	options: [
		{ name: 'Service Default', value: '' },
		{ name: 'Date', value: 'date' },
	],
};
const flag: INodeProperties = { ...common, displayName: 'All', name: 'all', type: 'boolean' };
const text: INodeProperties = { ...common, name: 'text', type: 'string' };
const more: INodeProperties = {
	...common,
	name: 'more',
	type: 'collection',
	options: [order, { ...flag, default: true }, { ...order, name: 'sent', routing }],
};
const bad = 'Order must be one of empty, date, but is ';

test.each<[INodeProperties, given: unknown, read: unknown]>([
	...['', 'date'].map((value): [INodeProperties, unknown, unknown] => [order, value, value]),
	...[null, undefined].map((value): [INodeProperties, unknown, unknown] => [order, value, '']),
	...['Date', 'DATE', ' date', 7, ['date']].map((value): [INodeProperties, unknown, unknown] => [
		order,
		value,
		expect.stringContaining(bad),
	]),
	...[true, 'true', 'TRUE', ' True ', 1, '1'].map((value): [INodeProperties, unknown, unknown] => [
		...([flag, value, true] as const),
	]),
	...[false, 'False', 0, '0', '', null, undefined].map(
		(value): [INodeProperties, unknown, unknown] => [flag, value, false],
	),
	[flag, 'yes', 'All must be true or false, but is "yes"'],
	[text, { any: 1 }, { any: 1 }],
	[more, { order: 'date', all: '', other: 1 }, { order: 'date', all: false, other: 1 }],
	[more, { order: 'none' }, `${bad}"none"`],
	[more, { sent: '', all: 'FALSE' }, { sent: '', all: false }],
	[more, { sent: 'none' }, { sent: 'none' }],
	[more, 'no collection', {}],
])('%#: %j', (field, given, read) => {
	let found: unknown;
	try {
		found = checkedValue(field, given);
	} catch (error) {
		found = (error as Error).message;
	}
	expect(found).toEqual(read);
});

test('the choices of a node are read before anything is sent, except those that are sent', () => {
	const fields = [order, flag, text, more, { ...flag, name: 'sent', routing }];
	expect(choicesIn(checkedFields(fields))).toEqual(['order', 'all', 'more']);
});

test('a parameter is evaluated and checked once, and null if n8n dropped it', () => {
	const asked: string[] = [];
	const parameters = { all: '={{ 1 }}', text: '={{ 2 }}', sent: '={{ 3 }}' };
	const fields = checkedFields([flag, { ...flag, name: 'sent', routing }]);
	const read = parameterGetter(parameters, fields, (name) => (asked.push(name), 'TRUE'));
	const found = ['all', 'text', 'all', 'order', 'sent', 'sent'].map(read);
	expect(found).toEqual([true, 'TRUE', true, null, 'TRUE', 'TRUE']);
	expect(asked).toEqual(['all', 'text', 'sent']);
});

test('n8n evaluates only what holds an expression, and of a collection each member', () => {
	const asked: string[] = [];
	const fixed = { a: 'text', b: { mode: 'id', value: 7 }, c: { d: [{ e: 'x' }] } };
	const parameters = {
		...fixed,
		text: '={{ 1 }}',
		picked: { __rl: true, mode: 'id', value: '={{ 2 }}' },
		options: { f: 'fixed', g: [{ h: '={{ 3 }}' }] },
	};
	const read = parameterGetter(parameters, checkedFields([]), (name) => (asked.push(name), 'it'));
	expect(Object.keys(fixed).map(read)).toEqual(Object.values(fixed));
	expect(asked).toEqual([]);
	expect(['text', 'picked', 'options'].map(read)).toEqual(['it', 'it', { f: 'it', g: 'it' }]);
	expect(asked).toEqual(['text', 'picked', 'options.f', 'options.g']);
});
