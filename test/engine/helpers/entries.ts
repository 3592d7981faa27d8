import type { IDataObject } from 'n8n-workflow';

/**
 * By the kind of a field, what is entered and what arrives, or what the message says: enough to tell the kind from all others.
 * What else a parser makes of a value, the unit tests show.
 */

export type Value = IDataObject[string];
export type Entry = [entered: Value, sent: Value | RegExp];

const ERROR = /is an error instead of a value: ".+"\. Check the formula or expression/;
const CHANGED = /is a number that a spreadsheet or a program has changed: ".+"\. Format the column/;
const NO_ADDRESS = /must be a web address, but is ".+"\. Enter a complete URL/;
const NO_FLAG = /must be true or false, but is /;
const NO_COLOR = /must be a color, but is /;
const NO_CHOICE = / must be one of /;
const NO_DATE = /must be a date that can be read in one way only/;

const NO_TEXT: Entry = [{ a: 'hidden' }, /must be text\. Check/];
const BROKEN: Entry[] = [
	['M\ufffdller', /was read in the wrong encoding: .+\. Save the file as CSV UTF-8/],
	['#REF!', ERROR],
	[['a', 'b'], /has 2 values instead of one/],
	NO_TEXT,
];
const NO_LINE: Entry[] = [
	...BROKEN,
	['a\nb', /has a line break or another control character: "a⏎b"/],
	[' null\u200b', ERROR],
	['1.23457E+19', CHANGED],
];
const LINE: Entry[] = [['\ufeff some\u00ad text\u200b ', 'some text'], [7, '7'], ...NO_LINE];
const DECIMAL: Entry = ['2024.0', CHANGED];

const OF_WEB: Entry[] = [
	['\ufeffhttps://example.com/a?b&amp;c\u200b', 'https://example.com/a?b&c'],
	['https://größe.example/ß?q=a b#ä', 'https://xn--gre-6ka8i.example/%C3%9F?q=a%20b#%C3%A4'],
	...NO_LINE,
	['htps://example.com/a', NO_ADDRESS],
	['javascript:x', NO_ADDRESS],
	['https://a.example; https://b.example', /has more than one address: /],
	[`https://example.com/${'a'.repeat(10_001)}`, /is too long: it has 10021 characters/],
];
const APP = 'mailto:ann@example.com';
const HOST = 'www.example.com';

export const ENTRIES = {
	line: [...LINE, ['2024.0', '2024.0']],
	alias: [...LINE, ['gr%C3%B6n/b', 'grön/b'], DECIMAL],
	tag: [...LINE, DECIMAL],
	text: [[' \ufefftwo\r\n\tlines\u200b ', ' \ufefftwo\r\n\tlines\u200b '], [7, '7'], ...BROKEN],
	phone: [['+49 (30) 90-18/20\u200b', '+4930901820'], ...NO_LINE, ['FLOWERS', /must be a phone/]],
	secret: [[' #REF\u200b ', ' #REF\u200b '], ['#N/A', '#N/A'], [7, '7'], NO_TEXT],
	address: [...OF_WEB, [HOST, `https://${HOST}`], [APP, APP]],
	webAddress: [...OF_WEB, [HOST, `https://${HOST}`], [APP, NO_ADDRESS]],
	domain: [...OF_WEB, [HOST, HOST], [APP, NO_ADDRESS]],
	flag: [
		[' TRUE\u200b', true],
		[0, false],
		['maybe', NO_FLAG],
	],
	visibility: [
		[' TRUE\u200b', 'public'],
		[0, 'private'],
		['maybe', NO_FLAG],
	],
	hexColor: [
		['\ufeffF90', '#ff9900'],
		['red', NO_COLOR],
	],
	rgbColor: [
		['\ufeffF90', 'rgb(255,153,0)'],
		['red', NO_COLOR],
	],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		[47_848, '2030-12-31 23:59:59'],
		['31.12.2020', /is in the past: /],
		['01/02/2030', NO_DATE],
		['#NV', ERROR],
	],
	redirectType: [
		['splash', 'splash'],
		['Frame', NO_CHOICE],
	],
	encryption: [
		['WPA', 'WPA'],
		['None', NO_CHOICE],
	],
	pixelType: [['a type of tomorrow', 'a type of tomorrow']],
} satisfies Record<string, Entry[]>;
