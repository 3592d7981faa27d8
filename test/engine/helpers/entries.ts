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

const FORMULA = /is the error of a formula: ".+"\. Correct the formula in the sheet/;
const ROUNDED = /is a number that a spreadsheet has rounded: ".+"\. Format the column as text/;
const ENCODING = /was read in the wrong encoding: .+\. Save the file as CSV UTF-8/;
const NO_ADDRESS = /must be a web address, but is ".+"\. Enter a whole one/;
const MISTYPED = /Did you mean "https:\/\/example\.com\/a"\?/;
const HARMFUL = /must not be the address .+ could harm/;
const NOTHING = /is a word that programs write for no value: ".+"\. Check the expression/;
const NO_NAME = /is no name, but stands for none: ".+"\. (Leave it empty, or e|E)nter a name/;
const CHANGED = /is a number that a spreadsheet or a program has changed: ".+"\. Format the column/;
const NO_FLAG = /must be true or false, but is /;
const NO_COLOR = /must be a color, but is /;
const NO_CHOICE = / must be one of /;

/** What no line and no text is. */
const BROKEN: Entry[] = [
	...refuses(ENCODING, 'M\ufffdller'),
	...refuses(FORMULA, '#REF!', ' #N/A ', '#NV', '#BEZUG!', '#¡DIV/0!', '#ЗНАЧ!', '#####'),
	...refuses(/has a broken character, such as half an emoji/, 'a:\ud83d'),
	...refuses(/is an expression that n8n did not evaluate/, '{{ $json.a }}', "a:{{$('b').item}}"),
];
const NO_LINE: Entry[] = [
	...BROKEN,
	...refuses(/has a line break or another control character: "a⏎b"/, 'a\nb'),
	...refuses(NOTHING, ' null\u200b', '[object Object]'),
];

const LINE: Entry[] = [
	['\ufeff some\u00ad \u2066text\u200b \u202c', 'some text'],
	[7, '7'],
	[999999999999999, '999999999999999'],
	['"quoted text"', 'quoted text'],
	['“quoted”', 'quoted'],
	...sameAs('#SALE', '👩\u200d💻 ❤\ufe0f', '1e5'),
	...NO_LINE,
	...refuses(/must be text, but is "\{"a":1\}"/, { a: 1 }),
	...refuses(ROUNDED, 1.23457e19, 12345678901234567, '1.23457E+19', '1,23457E+19', 2e-7),
];

const WEB_ADDRESS: Entry[] = [
	['https://example.com/a?b&amp;c', 'https://example.com/a?b&c'],
	['https://example.com\\a', 'https://example.com/a'],
	...refuses(MISTYPED, '<https://example.com/a|Text>'),
	...sameAs('https://example.com/a?b=c#d', 'HTTP://Example.COM/%7e', 'http://intranet/x'),
	...sameAs(`https://example.com/${'a'.repeat(10_000 - 'https://example.com/'.length)}`),
	...sameAs('http://localhost:3000', 'https://[::1]/a', 'https://example.com/https://example.org'),
	['\ufeffhttps://exam\u00adple.com/a\u200b \u202c', 'https://example.com/a'],
	['https://größe.example/ß?q=a b"#ä', 'https://xn--gre-6ka8i.example/%C3%9F?q=a%20b%22#%C3%A4'],
	...NO_LINE,
	...refuses(MISTYPED, 'htps://example.com/a', 'https//example.com/a', 'https:example.com/a'),
	...refuses(MISTYPED, 'https://https://example.com/a', 'https://example,com/a'),
	...refuses(MISTYPED, 'https://example..com/a', 'See <https://example.com/a>'),
	...refuses(MISTYPED, 'See https://example.com/a.', 'Is it https://example.com/a?'),
	...refuses(/Enter one of them, such as "https:\/\/a\.example"/, 'https://a.example; https://b.c'),
	...refuses(/such as "https:\/\/a\.example\/b"/, 'https://a.example/b, https://c.example'),
	...refuses(NO_ADDRESS, 'an address', 'ann@example.com', 'localhost:3000', 'https://', 7),
	...refuses(/is too long: it has 10021 characters/, `https://example.com/${'a'.repeat(10_001)}`),
];

/** Addresses without a scheme; a domain stays without it. */
const BARE: Entry[] = [
	['www.example.com', 'https://www.example.com'],
	['example.com:8080/path?a#b', 'https://example.com:8080/path?a#b'],
];

export const ENTRIES = {
	line: [...LINE, ...sameAs('-', 'n/a', 'none', '2024.0', '1,701,234')],
	name: [...LINE, ...sameAs('2024.0'), ...refuses(NO_NAME, '-', 'n/a', 'none')],
	alias: [
		...LINE,
		...sameAs('a/b'),
		...refuses(NO_NAME, 'none'),
		...refuses(CHANGED, '2024.0'),
		...refuses(/is a short URL on another domain than /, 'bit.ly/a'),
	],
	tag: [...LINE, ...sameAs('-', 'n/a', 'none'), ...refuses(CHANGED, '2024.0', '1,701,234')],
	text: [
		...sameAs(' \ufefftwo\r\n\tlines\u200b ', '#SALE now!', '1.5E+10', 'a:\\b', 'javascript:x'),
		...sameAs('null', 'n/a', '2024.0'),
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
		...sameAs(' #REF\u200b ', 'a:\\b', '--none--', '2024.0'),
		...refuses(/is no password, but stands for none\. Leave it empty/, '-', 'N/A', 'none'),
		...refuses(/is the error of a formula\. Correct/, ' #N/A '),
		...refuses(/was read in the wrong encoding\. Save/, 'M\ufffdller'),
		[7, '7'],
		...refuses(/is a word that programs write for no value\. Check the expression/, ' null\u200b'),
		...refuses(/must be text\. Check/, { a: 'hidden' }),
	],
	address: [
		...WEB_ADDRESS,
		...BARE,
		...sameAs('mailto:ann@example.com', 'intent://a#Intent;scheme=x;end', 'upi://pay?pa=a@b'),
		...sameAs('whatsapp://send?text=Hi', 'com.example.app://open', 'https://example.com/{x y}'),
		['mailto:a@b.example?subject=Größe 7', 'mailto:a@b.example?subject=Gr%C3%B6%C3%9Fe%207'],
		...refuses(HARMFUL, ' JavaScript:x', 'java\u200bscript:x', 'data:x', 'vbscript:x'),
		...refuses(HARMFUL, 'file:///x', 'blob:https://x'),
	],
	webAddress: [
		...WEB_ADDRESS,
		...BARE,
		...refuses(NO_ADDRESS, 'mailto:ann@example.com', 'javascript:x'),
	],
	domain: [
		...WEB_ADDRESS,
		...sameAs('www.example.com'),
		...refuses(NO_ADDRESS, 'mailto:ann@example.com'),
	],
	flag: [[' TRUE\u200b', true], [0, false], ...refuses(NO_FLAG, 'maybe', '#REF!')],
	visibility: [[' TRUE\u200b', 'public'], [0, 'private'], ...refuses(NO_FLAG, 'maybe', '#REF!')],
	email: [
		...sameAs('a.b+c@example.com'),
		[' mailto:name@email.com', 'name@email.com'],
		...refuses(/must be one email address, but is /, 'ann', 'a@b.c; d@e.f', 'Ann <a@b.c>'),
	],
	hexColor: [['\ufeffF90', '#ff9900'], ...refuses(NO_COLOR, 'red')],
	rgbColor: [['\ufeffF90', 'rgb(255,153,0)'], ...refuses(NO_COLOR, 'red')],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		['47848.958', '2030-12-31 22:59:31'],
		...['\ufeff31.12.2030', 47_848].map((day): Entry => [day, '2030-12-31 23:59:59']),
		...refuses(/is in the past: /, '31.12.2020'),
		...refuses(FORMULA, '#NV'),
	],
	redirectType: [...sameAs('frame', 'splash'), ...refuses(NO_CHOICE, 'Frame')],
	encryption: [...sameAs('nopass', 'WPA'), ...refuses(NO_CHOICE, 'None')],
	pixelType: sameAs('twitter', 'a type of tomorrow'),
} satisfies Record<string, Entry[]>;
