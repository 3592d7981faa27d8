import * as input from '../../../../dist/nodes/shared/values/input.js';
import * as json from '../../../../dist/nodes/shared/values/json.js';
import * as text from '../../../../dist/nodes/shared/values/text.js';
import {
	addressWithoutSecrets,
	webAddressIn,
} from '../../../../dist/nodes/shared/values/webAddress.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What a field, a cell or a response holds; lines and texts, `legitimate.test.ts` has. */

testReaders({
	'an id': {
		read: (value) => input.parseId('Link', value),
		takes: all([42, ' 42\u200b '], 42),
		refuses: ['1?x=y', '9007199254740993', null, [], '7.0'],
		saying: /^'Link' must be a positive whole number, but is (empty|".+")\. Enter its ID/,
	},
	'what an AI model gives, in which some words mean nothing': {
		read: input.withoutNothing,
		takes: [
			...all(['null', 'NULL', 'None', 'undefined', 'NaN', '[object Object]', ' null\ufeff'], ''),
			...same('none', 'Null', 'nan', 'nil', '-', 'n/a', 'nulls', '(null)', 7, null, new Date(0)),
			[
				{ a: 'None', b: [{ c: 'undefined' }] },
				{ a: '', b: [{ c: '' }] },
			],
		],
	},
	'a value that has to be there': {
		read: (value) => input.requiredValue(input.parseSecret)('Password', value),
		takes: [...same(' s '), [0, '0'], [false, 'false']],
		refuses: ['', '  ', '\u200b\ufeff', [], null, undefined],
		saying: /^'Password' is empty\. Enter/,
	},
	'a number of records': {
		read: (value) => input.parseCount('Clicks', value),
		takes: [...same(0, 7), ['8 ', 8]],
		refuses: ['', -1, 1.5, 'many', null, true],
		saying: /^'Clicks' must be a whole number of 0 or more, but is (empty|".+")\.$/,
	},
	JSON: {
		read: (value) => input.parseJson('Content', value),
		takes: [
			['[{"a":1}]', [{ a: 1 }]],
			[{ a: new Date(0) }, { a: '1970-01-01T00:00:00.000Z' }],
			...same(null, undefined),
		],
		refuses: ['{a:1', ''],
		saying: /^'Content' is not valid JSON\. Put texts in/,
	},
	'a decimal of a response': {
		read: json.decimalIn,
		takes: [
			['49.00', 49],
			['-0.5', -0.5],
			...same(9.5),
			...all(['1e3', '0x10', '1,5', '1 000', ' 1', '.5', '5.', '', 'free', null, ['7']], undefined),
		],
	},
	'a list in which one record with an ID is enough': {
		read: (records) => json.requireIds(records as never),
		takes: same([], [{ id: 'x' }, { id: 3 }]),
		refuses: [[{ id: 'x' }]],
		saying: /An ID must be a positive whole number/,
	},
	'what people see of a text': {
		read: (value) => text.visibleText(String(value)),
		takes: [
			...same('👩\u200d💻', '❤\ufe0f', 'می\u200cخواهم', '🏴\u{e0067}\u{e0062}\u{e007f}'),
			...all(['\ufeffa\u00adb\u200b', '\u202aa\u200db\u2066', '\u00a0a\u2060b\u061c'], 'ab'),
		],
	},
	'a text that a service has escaped for HTML': {
		read: (value) => text.decodeEntities(String(value)),
		takes: [
			['Ann&#039;s &#39;a&#39; &quot;b&#34; &lt;c&gt;', `Ann's 'a' "b" <c>`],
			...all(['a&amp;b', 'a&#038;b', 'a&#38;b'], 'a&b'),
			['&amp;lt;', '&lt;'],
			...same('a&b', 'a&amp', '&copy;', '&#8217;', 'a&ampb'),
		],
	},
	'an address of a record, which a program may open': {
		read: (value) => webAddressIn(value),
		takes: [
			...same('https://links.example.com/a', 'http://a.example/'),
			...all(['go.x/a', '//x', '', 7, null, 'javascript:alert(1)', 'data:text/html,x'], undefined),
		],
	},
	'an address in a message': {
		read: (value) => addressWithoutSecrets(String(value)),
		takes: [
			['https://ann:pw@a.example:81/b?c#d', 'https://a.example:81/b'],
			['//ann:pw@a b/c?d=e', 'a b/c'],
		],
	},
});

/** To order its marks takes minutes. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const letter = `a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
	expect([text.normalized(letter), text.normalized('e\u0301')]).toEqual([letter, '\u00e9']);
});
