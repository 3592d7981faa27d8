import type { INodeProperties } from 'n8n-workflow';

import type { ItemContext } from '../../dist/nodes/shared/operations/itemContext.js';
import {
	bodyOf,
	inBody,
	labelsOf,
	withoutEmpty,
} from '../../dist/nodes/shared/operations/sentFields.js';

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
	field('sent', { routing: { send: { type: 'body', property: 'sentByEngine' } } }),
];

describe('A body', () => {
	const context = {} as ItemContext;
	const entered = { custom: ' a ', tag: 1, hidden: 'h', sentByEngine: 's', other: 'o' };

	test('holds what the fields read, also those that were added', () => {
		expect(bodyOf(fields, entered, false, context)).toEqual({ custom: 'a', tag: 'The tag: 1' });
		expect(labelsOf(fields)).toEqual({
			custom: 'Custom Alias',
			tag: 'The tag',
			sentByEngine: 'The sent',
		});
	});

	test('holds an empty text in an update alone, and nothing never', () => {
		const blanks = { custom: '', tag: null };
		expect(bodyOf(fields, blanks, true, context)).toEqual({ custom: '' });
		expect(bodyOf(fields, blanks, false, context)).toEqual({});
	});

	test.each(['', '  ', null, undefined])('without what is required, %j, is refused', (custom) => {
		const required = fields.map((each) => ({ ...each, required: each.name === 'customAlias' }));
		expect(() => bodyOf(required, { custom }, true, context)).toThrow('Custom Alias is empty');
		for (const given of [0, 'a']) {
			expect(bodyOf(required, { custom: given }, true, context)).toEqual({ custom: `${given}` });
		}
	});

	test('leaves out what is empty', () => {
		const given = { a: 0, b: false, c: {}, d: [0] };
		expect(withoutEmpty({ ...given, e: '', f: null, g: undefined, h: [] })).toEqual(given);
	});
});
