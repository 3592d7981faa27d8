import * as input from '../../../../dist/nodes/shared/values/input.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What a field, a cell of a sheet or the call of an AI agent holds. How fields use these readers, the engine tests show. */

const NOON = Date.UTC(2030, 5, 1, 12);
const circle: Record<string, unknown> = {};
circle.self = circle;

testReaders({
	'an id': {
		read: (value) => input.parseId('Link', value),
		takes: all([42, '42', ' 42 '], 42),
		refuses: ['../1', '1?x=y', '-1', '0', '1.5', '1e3', '9007199254740993', '', null, [], true],
		saying: /^'Link' must be a positive whole number, but is (empty|".+")\. Enter its ID/,
	},
	'an id that a spreadsheet or a program has changed': {
		read: (value) => input.parseId('Link', value),
		refuses: ['7.0', '2024.0', '1,701,234'],
		saying: /^'Link' is a number that a spreadsheet or a program has changed: ".+"\. Format/,
	},
	'a line that may be a number': {
		read: (value) => input.parseNumericLine('Tag', value),
		takes: [
			...same('7', '1.5', '1.0.0', '1,5', '1,2345', 'v2.0', 'a,123', 'none', '(none)'),
			...same('NA', 'Nat', '12,50', '1e5', '10.100.200'),
			[2024, '2024'],
		],
		refuses: [
			...['2024.0', '491701234567.0', '0.0', '1,701,234', '12,345', 1.5e20],
			...['2024.00', '2024,0', '2024,00', '1,701,234.00', '1.701.234,00', "1'701'234"],
			...['12,34,567', '4.91701234567E11', '+49E+10'],
		],
		saying: /^'Tag' is a number that a spreadsheet .*: ".+"\. Format the column as text/,
	},
	'a line with a line break': {
		read: (value) => input.parseLine('Name', value),
		refuses: ['a\nb', 'a\tb', 'a\u2028b'],
		saying: /^'Name' has a line break or another control character: ".+"\. Remove/,
	},
	'UTF-8 that was read as Latin1': {
		read: (value) => input.parseText('Name', value),
		takes: same('MAÇÃ', '«MAÇû', '“MAÇÔ', 'ÑANDÚ', 'Ïle', 'Ä³', 'â'),
		refuses: [
			...['grÃ¼n', 'cafÃ©', 'Ð¿Ñ\u00b0', 'Î±', 'straÃ\u009fe', 'straÃŸe', 'Ãœber'],
			...['3 â‚¬', 'Annâ€™s', 'â\u0080\u0093'],
		],
		saying:
			/^'Name' was read in the wrong encoding: ".+"\. Correct the letters in the sheet, or set 'Encoding' in/,
	},
	'a line with a word for nothing': {
		read: (value) => input.parseLine('Name', value),
		takes: same('nullhttp', 'http://null.example', 'a http://null'),
		refuses: [
			...['a [object Object]', 'http://null', 'https://undefined:80', 'HTTPS://null/a'],
			...['nullhttp://a', 'undefinedhttps://a', 'undefined/a'],
		],
		saying: /^'Name' has a word that programs write for no value: ".+"\. Check/,
	},
	'a name': {
		read: (value) => input.parseName('Campaign', value),
		takes: [...same('None of it', '- a', 'n/a?', '2024.0', 'NA', '"one" or "two"')],
		refuses: ['-', '–', '—', 'n/a', 'N/A', 'n.a.', 'n.a', 'none', ' none\u200b', '(none)', '"N/A"'],
		saying: /^'Campaign' is no name, but stands for none: ".+"\. Leave it empty/,
	},
	'a word for nothing': {
		read: input.isNothing,
		takes: [
			...all(['null', 'NULL', 'None', 'nil', 'undefined', 'NaN', '\\N', ' null\ufeff'], true),
			...all(['[object Object]', '[object Array]', 'Invalid DateTime', 'Invalid Date'], true),
			...all(['(null)', '<null>', '<nil>', '[null]', '"null"', '<NA>', 'NaT', '[None]'], true),
			...all(['none', '-', 'n/a', '', 'nulls', 'null null', 'N', null, Number.NaN, {}], false),
			...all(['none', '(none)', 'NA', 'Nat', '{null}', 'object Object'], false),
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
	'a line that has to be there': {
		read: (value) => input.parseRequiredLine('Name', value),
		takes: [
			[' Ann ', 'Ann'],
			[0, '0'],
			[false, 'false'],
		],
		refuses: ['', '  ', '\u200b\ufeff', [], null, undefined],
		saying: /^'Name' is empty\. Enter/,
	},
	'a line or a text that is none': {
		read: (value) => [input.parseLine, input.parseText].map((parse) => parse('Name', value)),
		refuses: [{}, ['a'], new Date(0), Number.NaN, 1n, circle],
		saying: /^'Name' must be text, but is ".+"\. Check/,
	},
	'an expression that n8n did not evaluate': {
		read: (value) => input.parseText('Name', value),
		takes: same('{{ json }}', '{{name}}'),
		refuses: ['{{ $json.a }}', '{{$("A").item}}', 'a {{ $node["A"] }}', '{{ $now }}'],
		saying: /^'Name' is an expression that n8n did not evaluate: ".+"\. Switch/,
	},
	'a text in another encoding': {
		read: (value) => input.parseText('Name', value),
		refuses: ['M\ufffdller'],
		saying: /^'Name' was read in the wrong encoding: ".+"\. Save the file as CSV UTF-8, or/,
	},
	'a text of Windows-1252 that was read as Latin1': {
		read: (value) => input.parseText('Name', value),
		refuses: ['Nur 5 \u0080', 'Sommer \u0096 Sale'],
		saying: /^'Name' was read in the wrong encoding: ".+"\. Save the file as CSV UTF-8: Latin1/,
	},
	'half an emoji': {
		read: (value) => input.parseText('Name', value),
		refuses: ['a\ud83d'],
		saying: /^'Name' has a broken character, such as half an emoji: ".+"\. Check/,
	},
	'the error of a formula': {
		read: (value) => input.parseText('Name', value),
		takes: same('#1', '#sale!', '##', 'Err:5'),
		refuses: ['#REF!', '#N/A', '#NV', '#####', 'Err:502', '#¿NOMBRE?', '#NAME?'],
		saying: /^'Name' is the error of a formula: ".+"\. Correct/,
	},
	'a password that is a word for nothing': {
		read: (value) => input.parseSecret('Password', value),
		refuses: ['null', '\\N', 'undefined'],
		saying: /^'Password' is a word that programs write for no value\. Check/,
	},
	'a secret that has to be there': {
		read: (value) => input.requiredValue(input.parseSecret)('Password', value),
		takes: [[' s ', ' s ']],
		refuses: ['', '  ', null],
		saying: /^'Password' is empty\. Enter/,
	},
	'a number of records': {
		read: (value) => input.parseCount('Clicks', value),
		takes: [...same(0, 7), ['8 ', 8]],
		refuses: ['', -1, 1.5, 'many', null, true],
		saying: /^'Clicks' must be a whole number of 0 or more, but is (empty|".+")\.$/,
	},
	'a switch': {
		read: (value) => input.parseBoolean('Public', value, '={{ $json.a }}'),
		takes: [...all([true, ' TRUE ', 1, '1'], true), ...all([false, 'False', 0, '0'], false)],
		refuses: ['yes', '', 2, null, {}],
		saying:
			/^'Public' must be true or false, but is (empty|".+")\. Compare it in the field: \{\{ \$json\.a === /,
	},
	'a switch that a model fills': {
		read: (value) =>
			input.parseBoolean('Public', value, "={{ /*n8n-auto*/ $fromAI('Public', ``, 'string') }}"),
		refuses: ['yes'],
		saying: /^'Public' must be true or false, but is "yes"\. Enter one of the two\.$/,
	},
	'a tag': {
		read: (value) => input.parseTag('UTM Term', value),
		takes: same('none', '(none)', 'n/a?', '- a'),
		refuses: ['N/A', 'n.a.', '-', '2024.0'],
		saying: /^'UTM Term' is (no tag, but stands for none|a number that .+ has changed): /,
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
