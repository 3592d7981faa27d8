import * as input from '../../../../dist/nodes/shared/values/input.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What a field, a cell of a sheet or the call of an AI agent holds; lines and texts, `legitimate.test.ts` has. */

const NOON = Date.UTC(2030, 5, 1, 12);

testReaders({
	'an id': {
		read: (value) => input.parseId('Link', value),
		takes: all([42, '42', ' 42\u200b '], 42),
		refuses: [
			'../1',
			'1?x=y',
			'-1',
			'0',
			'1.5',
			'1e3',
			'9007199254740993',
			'',
			null,
			[],
			true,
			'7.0',
		],
		saying: /^'Link' must be a positive whole number, but is (empty|".+")\. Enter its ID/,
	},
	'a word for nothing': {
		read: input.isNothing,
		takes: [
			...all(['null', 'NULL', 'None', 'undefined', 'NaN', '[object Object]', ' null\ufeff'], true),
			...all(
				['none', 'NONE', 'Null', 'nan', 'nil', '-', 'n/a', '', 'nulls', '(null)', null, {}],
				false,
			),
		],
	},
	'what an AI model gives': {
		read: input.withoutNothing,
		takes: [
			['null', ''],
			[
				{ a: 'None', b: [{ c: 'undefined' }], d: { e: 'f' } },
				{ a: '', b: [{ c: '' }], d: { e: 'f' } },
			],
			...same('none', 7, null, new Date(0)),
		],
	},
	'what is blank': {
		read: input.isBlank,
		takes: [
			...all([undefined, null, '', '  ', '\u200b\ufeff', []], true),
			...all(['a', 0, false, {}, [0]], false),
		],
	},
	'a value that has to be there': {
		read: (value) => input.requiredValue(input.parseSecret)('Password', value),
		takes: [
			[' s ', ' s '],
			[0, '0'],
		],
		refuses: ['', '  ', '\u200b\ufeff', [], null, undefined],
		saying: /^'Password' is empty\. Enter/,
	},
	'a number of records': {
		read: (value) => input.parseCount('Clicks', value),
		takes: [...same(0, 7), ['8 ', 8]],
		refuses: ['', -1, 1.5, 'many', null, true],
		saying: /^'Clicks' must be a whole number of 0 or more, but is (empty|".+")\.$/,
	},
	'a switch': {
		read: (value) => input.parseBoolean('Public', value),
		takes: [...all([true, ' TRUE\u200b ', 1, '1'], true), ...all([false, 'False', 0, '0'], false)],
		refuses: ['yes', '', 2, null, {}],
		saying: /^'Public' must be true or false, but is (empty|".+")\.$/,
	},
	JSON: {
		read: (value) => input.parseJson('Content', value),
		takes: [
			['[{"a":1}]', [{ a: 1 }]],
			[{ a: new Date(NOON) }, { a: '2030-06-01T12:00:00.000Z' }],
			...same(null, undefined),
		],
		refuses: ['{a:1', ''],
		saying: /^'Content' is not valid JSON\. Put texts in/,
	},
});
