/** What people, sheets and AI models enter by the kind of the field, and what arrives; or what the message says. */

export type Entry = [entered: unknown, sent: unknown];

const sameAs = (...values: unknown[]): Entry[] => values.map((value) => [value, value]);
const refuses = (message: RegExp, ...values: unknown[]): Entry[] =>
	values.map((value) => [value, message]);

const FORMULA = /is the error of a formula: ".+"\. Correct the formula in the sheet/;
const ROUNDED = /is a number that a spreadsheet has rounded: ".+"\. Format the column as text/;
const ENCODING = /was read in the wrong encoding: .+\. In Extract from File, set 'Encoding'/;
const NO_ADDRESS = /must be a web address, but is ".+"\. Start it with/;
const MISTYPED = /Did you mean "https:\/\/example\.com\/a"\?/;
const HARMFUL = /must not be the address .+ could harm/;

const NOTHING = /is a word that programs write for no value: ".+"\. Check the expression/;
const NO_NAME = /is no name, but stands for none: ".+"\. Leave it empty/;
const CHANGED = /is a number that a spreadsheet or a program has changed: ".+"\. Format the column/;
const WORDS_FOR_NOTHING = [
	...['null', 'NULL', 'None', 'nil', 'undefined', 'NaN', '[object Object]', '\\N', ' null\u200b'],
];
const STAND_INS = ['-', 'n/a', 'N/A', 'none'];

/** What no line and no text is. */
const BROKEN: Entry[] = [
	...refuses(ENCODING, 'M\ufffdller'),
	...refuses(FORMULA, '#REF!', ' #N/A ', '#NV', '#BEZUG!', '#¡DIV/0!', '#ЗНАЧ!', '#####'),
	...refuses(/has a broken character, such as half an emoji/, 'a:\ud83d'),
];
const NO_LINE: Entry[] = [
	...BROKEN,
	...refuses(/has a line break or another control character: "a\\u\{a\}b"/, 'a\nb'),
	...refuses(NOTHING, ...WORDS_FOR_NOTHING),
];

const LINE: Entry[] = [
	['\ufeff some\u00ad \u2066text\u200b \u202c', 'some text'],
	[7, '7'],
	[999999999999999, '999999999999999'],
	...sameAs('#SALE', '👩\u200d💻 ❤\ufe0f', 'می\u200cخواهم', '1e5'),
	...NO_LINE,
	...refuses(/must be text, but is "\{"a":1\}"/, { a: 1 }),
	...refuses(ROUNDED, 1.23457e19, 12345678901234567, '1.23457E+19', '1,23457E+19', 2e-7),
];

const WEB_ADDRESS: Entry[] = [
	...['&amp;', '&#038;', '&#38;', '&#x26;'].map((and): Entry => [
		`https://example.com/a?b${and}c`,
		'https://example.com/a?b&c',
	]),
	["https://example.com/it's", 'https://example.com/it%27s'],
	['https://example.com\\a', 'https://example.com/a'],
	...refuses(MISTYPED, 'https:\\/\\/example.com\\/a', '<https://example.com/a|Text>'),
	...refuses(
		/Did you mean "https:\/\/example\.com\/\?a=1&b=2"\?/,
		'https://example.com/?a=1\\u0026b=2',
	),
	...refuses(/Did you mean "https:\/\/example\.com\/\?a=1"\?/, 'https://example.com/?a=3D1'),
	...refuses(/has a blank in its host/, 'https://exa mple.com'),
	...sameAs('https://example.com/a?b=c#d', 'HTTP://Example.COM/%7e', 'http://intranet/x'),
	...sameAs(`https://example.com/${'a'.repeat(10_000 - 'https://example.com/'.length)}`),
	...sameAs('http://localhost:3000', 'https://[::1]/', 'https://example.com/https://example.org'),
	['\ufeffhttps://exam\u00adple.com/a\u200b \u202c', 'https://example.com/a'],
	['https://größe.example/ß?q=a b"#ä', 'https://xn--gre-6ka8i.example/%C3%9F?q=a%20b%22#%C3%A4'],
	...NO_LINE,
	...refuses(MISTYPED, 'htps://example.com/a', 'https//example.com/a', 'https:example.com/a'),
	...refuses(MISTYPED, 'https://https://example.com/a', 'https://example,com/a'),
	...refuses(MISTYPED, 'https://example..com/a', 'See <https://example.com/a>'),
	...refuses(/Enter one of them, such as "https:\/\/a\.example"/, 'https://a.example; https://b.c'),
	...refuses(NO_ADDRESS, 'an address', 'ann@example.com', 'localhost:3000', 'https://', 7),
	...refuses(/is too long: it has 10021 characters/, `https://example.com/${'a'.repeat(10_001)}`),
];

/** Addresses without a scheme; a domain stays without it. */
const BARE: Entry[] = [
	['www.example.com', 'https://www.example.com'],
	['example.com:8080/path?a#b', 'https://example.com:8080/path?a#b'],
];

export const PLACEHOLDERS = [
	'{x y}',
	'{{ x }}',
	'[x y]',
	'%%X Y%%',
	'*|X|*',
	'<%= x %>',
	'${x}',
	'__X_Y__',
];

const NO_COLOR = /must be a color, but is /;

export const ENTRIES: Record<string, Entry[]> = {
	line: [...LINE, ...sameAs(...STAND_INS, '2024.0', '1,701,234')],
	name: [...LINE, ...sameAs('2024.0', '1,701,234'), ...refuses(NO_NAME, ...STAND_INS)],
	alias: [
		...LINE,
		...sameAs('a/b'),
		...refuses(NO_NAME, ...STAND_INS),
		...refuses(CHANGED, '2024.0', '491701234567.0', '1,701,234'),
		...refuses(/is a short URL on another domain than /, 'https://bit.ly/a', 'bit.ly/a'),
	],
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
		...refuses(ROUNDED, 1.23457e19, '4,9170E+11'),
		...refuses(CHANGED, '491701234567.0', '1,701,234'),
		...refuses(/must be a phone number, but is /, '1-800-FLOWERS'),
	],
	secret: [
		...sameAs(' #REF!\ufffd\u200b ', 'a:\\b', '-', 'none', '2024.0'),
		[7, '7'],
		...refuses(/is ".*", not a value\. Check the expression/, ...WORDS_FOR_NOTHING),
		...refuses(/must be text\. Check/, { a: 'hidden' }),
	],
	address: [
		...WEB_ADDRESS,
		...BARE,
		...sameAs('mailto:ann@example.com', 'intent://a#Intent;scheme=x;end', 'upi://pay?pa=a@b'),
		...sameAs('whatsapp://send?text=Hi', 'com.example.app://open'),
		...PLACEHOLDERS.flatMap((placeholder) => sameAs(`https://example.com/a?b=${placeholder}`)),
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
	flag: [
		[' TRUE\u200b', true],
		[0, false],
		...refuses(/must be true or false, but is /, 'maybe', '#REF!'),
	],
	visibility: [
		[' TRUE\u200b', 'public'],
		[0, 'private'],
		...refuses(/must be true or false, but is /, 'maybe', '#REF!'),
	],
	hexColor: [['\ufeffF90', '#ff9900'], ['rgb(255,153,0)', '#ff9900'], ...refuses(NO_COLOR, 'red')],
	rgbColor: [
		['#f90', 'rgb(255,153,0)'],
		['rgb(255, 153, 0)', 'rgb(255,153,0)'],
		...refuses(NO_COLOR, 'red'),
	],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		['\ufeff31.12.2030 18:00\u200b', '2030-12-31 18:00:00'],
		['47848.958', '2030-12-31 22:59:31'],
		...['2030-12-31', '12/31/30', 47_848].map((day): Entry => [day, '2030-12-31 23:59:59']),
		...refuses(/may be 2030-02-01 or 2030-01-02/, '01/02/2030'),
		...refuses(/is in the past: /, '31.12.2020'),
		...refuses(/must be a date and time, but is /, 'tomorrow', 19_999, 2030),
		...refuses(FORMULA, '#NV'),
	],
};
