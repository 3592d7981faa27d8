import type { IDataObject } from 'n8n-workflow';

/**
 * What people, sheets and AI models enter by the kind of the field, and what arrives; or what the message says. What else a
 * reader makes of a value, the unit tests show.
 */

export type Value = IDataObject[string];
export type Entry = [entered: Value, sent: Value | RegExp];

const sameAs = (...values: Value[]): Entry[] => values.map((value) => [value, value]);
const refuses = (message: RegExp, ...values: Value[]): Entry[] =>
	values.map((value) => [value, message]);

const ERROR = /is an error instead of a value: ".+"\. Check the formula or expression/;
const ENCODING = /was read in the wrong encoding: .+\. Save the file as CSV UTF-8/;
const CHANGED = /is a number that a spreadsheet or a program has changed: ".+"\. Format the column/;
const NO_ADDRESS = /must be a web address, but is ".+"\. Enter a complete URL/;
const NO_FLAG = /must be true or false, but is /;
const NO_COLOR = /must be a color, but is /;
const NO_CHOICE = / must be one of /;

/** What no line and no text is; the unit tests show all of them. */
const BROKEN: Entry[] = [
	...refuses(ENCODING, 'M\ufffdller'),
	...refuses(ERROR, '#REF!', ' #N/A ', '{{ $json.a }}'),
	...refuses(/must be text\. Check/, { a: 'hidden' }),
	...refuses(/is a number of more than 15 digits\. Format the column/, 1.23457e19),
	...refuses(/has 2 values instead of one/, ['a', 'b']),
];
const NO_LINE: Entry[] = [
	...BROKEN,
	...refuses(/has a line break or another control character: "a⏎b"/, 'a\nb'),
	...refuses(ERROR, ' null\u200b', '[object Object]'),
	...refuses(CHANGED, '1.23457E+19'),
];

const LINE: Entry[] = [
	['\ufeff some\u00ad \u2066text\u200b \u202c', 'some text'],
	[7, '7'],
	[['Spring'], 'Spring'],
	...sameAs('"quoted"', '#SALE!', 'none', '👩\u200d💻 ❤\ufe0f', '1e5'),
	...NO_LINE,
];

const WEB_ADDRESS: Entry[] = [
	['https://example.com/a?b&amp;c', 'https://example.com/a?b&c'],
	...sameAs('https://example.com/a?b=c#d', 'HTTP://Example.COM/%7e', 'http://intranet/x'),
	...sameAs(`https://example.com/${'a'.repeat(10_000 - 'https://example.com/'.length)}`),
	['\ufeffhttps://exam\u00adple.com/a\u200b \u202c', 'https://example.com/a'],
	['https://größe.example/ß?q=a b"#ä', 'https://xn--gre-6ka8i.example/%C3%9F?q=a%20b%22#%C3%A4'],
	...NO_LINE,
	...refuses(NO_ADDRESS, 'htps://example.com/a', 'https//example.com/a', '"https://example.com/a"'),
	...refuses(NO_ADDRESS, 'an address', 'ann@example.com', 'https://', 7, 'javascript:x'),
	...refuses(/has more than one address: /, 'https://a.example; https://b.example'),
	...refuses(/is too long: it has 10021 characters/, `https://example.com/${'a'.repeat(10_001)}`),
];

export const ENTRIES = {
	line: LINE,
	alias: [
		...LINE.filter(([entered]) => entered !== '"quoted"'),
		...sameAs('a/b'),
		...refuses(CHANGED, '2024.0'),
	],
	tag: [...LINE, ...refuses(CHANGED, '2024.0')],
	text: [
		...sameAs(' \ufefftwo\r\n\tlines\u200b ', '#SALE!', '1.5E+10', 'javascript:x', 'null'),
		[7, '7'],
		...BROKEN,
	],
	phone: [
		['+49 (30) 90-18/20\u200b', '+4930901820'],
		[7, '7'],
		...NO_LINE,
		...refuses(CHANGED, '491701234567.0'),
		...refuses(/must be a phone number, but is /, '1-800-FLOWERS'),
	],
	secret: [
		...sameAs(' #REF\u200b ', '#SALE!', '#N/A', 'null', '-', 'none', '2024.0', 'M\ufffdller'),
		[7, '7'],
		...refuses(/must be text\. Check/, { a: 'hidden' }),
	],
	address: [
		...WEB_ADDRESS,
		['www.example.com', 'https://www.example.com'],
		['example.com:8080/path?a#b', 'https://example.com:8080/path?a#b'],
		...sameAs('mailto:ann@example.com', 'intent://a#Intent;scheme=x;end', 'upi://pay?pa=a@b'),
		...sameAs('com.example.app://open', 'https://example.com/{x y}'),
		...refuses(NO_ADDRESS, ' JavaScript:x', 'data:x', 'file:///x', 'blob:https://x'),
	],
	webAddress: [...WEB_ADDRESS, ...refuses(NO_ADDRESS, 'mailto:ann@example.com')],
	domain: [
		...WEB_ADDRESS,
		...sameAs('www.example.com'),
		...refuses(NO_ADDRESS, 'mailto:ann@example.com'),
	],
	flag: [[' TRUE\u200b', true], [0, false], ...refuses(NO_FLAG, 'maybe', '#REF!')],
	visibility: [[' TRUE\u200b', 'public'], [0, 'private'], ...refuses(NO_FLAG, 'maybe', '#REF!')],
	hexColor: [['\ufeffF90', '#ff9900'], ...refuses(NO_COLOR, 'red')],
	rgbColor: [['\ufeffF90', 'rgb(255,153,0)'], ...refuses(NO_COLOR, 'red')],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		['47848.958', '2030-12-31 22:59:31'],
		...['\ufeff31.12.2030', 47_848].map((day): Entry => [day, '2030-12-31 23:59:59']),
		...refuses(/is in the past: /, '31.12.2020'),
		...refuses(/must be a date that can be read in one way only/, '01/02/2030', 'tomorrow'),
		...refuses(ERROR, '#NV'),
	],
	redirectType: [...sameAs('frame', 'splash'), ...refuses(NO_CHOICE, 'Frame')],
	encryption: [...sameAs('nopass', 'WPA'), ...refuses(NO_CHOICE, 'None')],
	pixelType: sameAs('twitter', 'a type of tomorrow'),
} satisfies Record<string, Entry[]>;
