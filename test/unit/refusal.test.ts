import type { INodeProperties } from 'n8n-workflow';

import { explainRefusal } from '../../dist/nodes/shared/operations/refusal.js';
import type { ItemContext } from '../../dist/nodes/shared/operations/itemContext.js';
import {
	bodyOf,
	inBody,
	labelsOf,
	withoutEmpty,
} from '../../dist/nodes/shared/operations/sentFields.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';

/** What fields send, and how a service's refusal is said in their words. */

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

const CHECK_VALUES = 'Check the values that the step sends';

const refusal = (message: string, more: Partial<{ httpCode: number; advice: string }> = {}) =>
	new Failure({ kind: 'refused', message, ...more });

describe('A refusal', () => {
	test.each([
		['custom must be short', 'Custom Alias (custom) must be short', 'Check Custom Alias'],
		['The "custom" is bad', 'The "Custom Alias (custom)" is bad', 'Check Custom Alias'],
		['custom[0].link is bad', 'Custom Alias (custom[0].link) is bad', 'Check Custom Alias'],
		['Tag is bad', 'Tag is bad', CHECK_VALUES],
		['tag is bad', 'The tag (tag) is bad', 'Check The tag'],
		['location is bad', 'location is bad', 'Check Location'],
		['sentByEngine is bad', 'The sent (sentByEngine) is bad', 'Check The sent'],
		['hidden is bad', 'hidden is bad', CHECK_VALUES],
		['constructor is bad', 'constructor is bad', CHECK_VALUES],
		['It is custom ', 'It is custom ', CHECK_VALUES],
		['custom', 'custom', CHECK_VALUES],
	])('%j is said as %j, with the advice %j', (words, message, advice) => {
		const labels = { location: 'Location' };
		const explained = explainRefusal(refusal(words), { fields, labels });
		expect(explained).toMatchObject({ message, advice });
	});

	test.each([
		[{ httpCode: 404 }, 'No', /deleted/],
		[{ httpCode: 410 }, 'No', /deleted/],
		[{ httpCode: 409 }, 'No', /another value/],
		[{ httpCode: 402 }, 'No', /plan/],
		[{ httpCode: 413 }, 'No', /less/],
		[{ httpCode: 403 }, 'No', /another account/],
		[{}, 'There is no link, it already exists', CHECK_VALUES],
		[{ httpCode: 422 }, 'No', CHECK_VALUES],
		[{ httpCode: 404, advice: 'Known' }, 'No', /^Known$/],
	])('with %j and %j is advised %s', (more, message, advice) => {
		expect(explainRefusal(refusal(message, more), { fields: [] }).advice).toMatch(advice);
	});

	test('is the only failure that is explained', () => {
		const failure = new Failure({ kind: 'unreadable', message: 'custom is bad' });
		expect(explainRefusal(failure, { fields })).toBe(failure);
	});
});

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
