import type { INodeProperties } from 'n8n-workflow';

import type { Form } from '../../../../dist/nodes/shared/operations/form.js';
import {
	bodyOf,
	enteredIn,
	inBody,
	inQuery,
	labelsOf,
	queryOf,
	sentIn,
	withoutEmpty,
} from '../../../../dist/nodes/shared/operations/sentFields.js';

/** What the fields of a panel send. */

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
	...more,
});

const fields: readonly INodeProperties[] = [
	field('customAlias', { displayName: 'Custom Alias', routing: inBody('custom') }),
	field('plain', { routing: { request: {} } }),
	field('more', {
		type: 'collection',
		options: [
			field('tag', { routing: inBody('tag', (label, value) => `${label}: ${String(value)}`) }),
			{ name: 'no field', value: 'x' },
		],
	}),
	field('choice', { type: 'options', options: [field('hidden', { routing: inBody('hidden') })] }),
	field('order', {
		type: 'options',
		options: [{ name: 'Date', value: 'date' }],
		routing: inQuery('o'),
	}),
	field('domain', { type: 'resourceLocator', routing: inBody('domain') }),
];

describe('A body', () => {
	const form = {} as Form;
	const entered = { custom: ' a ', tag: 1, hidden: 'h', o: 'date', other: 'o' };

	test('holds what the fields read, also those that were added', () => {
		expect(bodyOf(sentIn(fields, 'body'), entered, false, form)).toEqual({
			custom: 'a',
			tag: 'The tag: 1',
		});
		expect(labelsOf(fields)).toEqual({
			custom: 'Custom Alias',
			tag: 'The tag',
			domain: 'The domain',
		});
	});

	test('holds an empty text in an update alone, and nothing never', () => {
		const blanks = { custom: '', tag: null };
		expect(bodyOf(sentIn(fields, 'body'), blanks, true, form)).toEqual({ custom: '' });
		expect(bodyOf(sentIn(fields, 'body'), blanks, false, form)).toEqual({});
	});

	test.each(['', '  ', null, undefined])('without what is required, %j, is refused', (custom) => {
		const required = fields.map((each) => ({ ...each, required: each.name === 'customAlias' }));
		expect(() => bodyOf(sentIn(required, 'body'), { custom }, true, form)).toThrow(
			'Custom Alias is empty',
		);
		for (const given of [0, 'a']) {
			expect(bodyOf(sentIn(required, 'body'), { custom: given }, true, form)).toEqual({
				custom: `${given}`,
			});
		}
	});

	test('is entered in the fields and in the collections, as values or locators', () => {
		const held: Record<string, unknown> = {
			customAlias: '',
			more: { tag: 1, other: 2 },
			order: 'date',
			domain: { mode: 'name', value: 'https://go.example' },
		};
		const read = (name: string) => held[name] ?? null;
		expect(enteredIn(sentIn(fields, 'body'), read)).toEqual({
			custom: '',
			tag: 1,
			domain: 'https://go.example',
		});
		expect(enteredIn(sentIn(fields, 'query'), read)).toEqual({ o: 'date' });
		expect(enteredIn(sentIn(fields, 'body'), () => null)).toEqual({});
	});

	test('leaves out what is empty', () => {
		const given = { a: 0, b: false, c: {}, d: [0] };
		expect(withoutEmpty({ ...given, e: '', f: null, g: undefined, h: [] })).toEqual(given);
	});
});

describe('A query', () => {
	const formOf = (order: unknown) => ({ parameter: () => order }) as unknown as Form;
	const required = fields.map((each) => ({ ...each, required: each.name === 'order' }));

	test('holds what the fields read, and nothing that is blank', () => {
		expect(queryOf(sentIn(fields, 'query'), formOf('date'))).toEqual({ o: 'date' });
		expect(queryOf(sentIn(fields, 'query'), formOf(''))).toEqual({});
		expect(queryOf(sentIn(fields, 'query'), formOf(null))).toEqual({});
	});

	test('is refused without what is required, and with what is no option', () => {
		const message = 'The order must be one of date, but is ';
		expect(() => queryOf(sentIn(required, 'query'), formOf(''))).toThrow(`${message}empty`);
		expect(() => queryOf(sentIn(fields, 'query'), formOf('clicks'))).toThrow(`${message}"clicks"`);
	});
});
