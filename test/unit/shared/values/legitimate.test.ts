import { parseAddress, parseDomain } from '../../../../dist/nodes/LinkManagement/values/longUrl.js';
import * as input from '../../../../dist/nodes/shared/values/input.js';
import { messageOf } from '../../helpers/readers.ts';

/** What people really enter: none is refused or changed. And what would be lost without a word: all is refused. */

/** Values on lines or, with two spaces between them, beside each other. */
const listed = (text: string): string[] => text.trim().split(/\s{2,}/);

const NAMES = [
	...listed(String.raw`
		Spring Sale  Ann's list  R&D  50% off  “Quoted”  „Angebot“  (internal)  <3  none  (none)  n/a  -  —
		nil  Null & Co  Nan  nan  NULLA  true  0  2024  1.0  2024.0  1,5  007  +49  1e5  12e345  v2.0  #1
		#SALE!  #WOW?  #REFILL  #NAMETAG  #N  ##  Err: none  =1+1  @home  $5  € 5  ½ price  № 5  x  ?!
		{name}  {{name}}  %%NAME%%  *|NAME|*  [NAME]  <%= name %>  C:\Users  a|b  a;b  a: b
		ann@example.com  +49 30 901820
		Лето 2030  Καλοκαίρι  קיץ  صيف  गर्मी  গ্রীষ্ম  ฤดูร้อน  夏セール  여름  வசந்தம்  ឆ្នាំ  አዲስ
		Île-de-France  MAÇÃ  SÃO PAULO  «MAÇû  “MAÇÔ  Âge  Ðe  ÎLE  Ã  â  ß  ﬁt
	`),
	...['{{${first_name}}}', 'می\u200cخواهم', '👩\u200d💻 ❤\ufe0f', '🏴\u{e0067}\u{e0062}\u{e007f}'],
	'a'.repeat(500),
];

const TITLES = [
	...[' two\r\n\tlines ', '\ufeffwith a mark', 'null', 'undefined', '[object Object]', ' '],
	...[
		'"quoted"',
		'1.23E+19',
		'2e-7',
		'Save {{ percent }} %',
		'price: {{$}}',
		'javascript:alert(1)',
	],
	...[
		'See https://a.de https://b.de',
		'#N/A is an error',
		'&amp; &lt;b&gt;',
		'<b>bold</b>',
		'Zażółć',
	],
];

const PASSWORDS = [
	...[
		'#REF!',
		'null',
		'-',
		'n/a',
		' two spaces ',
		'####',
		'2024.0',
		'пароль',
		'{{ $json.a }}',
		'0',
	],
	...['a\u200bb', '\ufeffx', 'Ã¼', '%41', '\\n', '=CMD()', '&amp;', 'false', 'a'.repeat(200)],
];

/** Aliases and tags. */
const NUMERIC_LINES = listed(`
	spring-sale  a/b  v1.2  1.0  10.5  1,5  1,701  1.701.234  2024  007  1e5  4e11  e10  0  -1  +1
	999999999999999  12345678901234567890  1.0.0  none  (none)  NA  (not set)  social|paid  email, weekly
	#SALE!  größe  {campaignid}  {{ad.name}}  %%jobid%%  *|UNIQID|*  __CAMPAIGN_NAME__  \${AUCTION_ID}
	лето  夏  2030-12-31  31.12.2030  12/31  G-12AB  YO1 7HH  a.b  a~b  a:b  +rain +jacket  "rain jacket"
`);

const ADDRESSES = [
	...listed(`
		https://example.com  http://example.com:8080/a  HTTP://Example.COM/%7e  https://example.com./a
		http://intranet/wiki  https://192.168.0.1/  https://[::1]:8443/a  https://ann:secret@example.com/a
		https://my_shop.example.com  https://xn--gre-6ka8i.example/  https://example.com#a
		https://www.google.com/maps/place/Berlin/@52.5,13.4,11z/data=!3m1!4b1  https://a.de/?f[x][y]=1
		https://www.ebay.com/itm/12?var=0&hash=item:g:ab~c  https://en.wikipedia.org/wiki/C%2B%2B_(a)
		https://www.facebook.com/sharer/sharer.php?u=https://example.com/a  https://a.de/?u=www.a.de
		https://api.whatsapp.com/send?phone=49&text=see+https://a.de  https://a.de/?t=12:30
		https://web.archive.org/web/2020/https://example.com/  https://a.de/?a=b&c=3D1  https://a.de/?
		https://res.cloudinary.com/d/fetch/w_300,h_200/https://a.de/b.jpg  https://a.de/?a=1&copy=2
		https://example.com/?to=b,https://b.de  https://example.com/?urls=https://a|https://b
		https://example.com/null  https://example.com/?a=undefined  https://null.example/
		https://example.com/50%  https://example.com/M%fcller  https://example.com/a//b/../c
		https://example.com/~a/(b)!*;@:$=+  https://a.de/?json={%22a%22:1}  https://example.com/^a\`b
		https://example.com/{x y}  https://a.de/?n=[first name,fallback=]  https://a.de/?e=%%e%%
		https://a.de/?e=<%= recipient.email %>  https://{{store}}.example.com/a
		https://ad.doubleclick.net/N1.2/B3;u=[x];ord=[timestamp]?  https://a.de/?e=ann@example.com
		mailto:ann@example.com?subject=Hi&body=See%20https://a.de  tel:+4930901820  sms:12345?body=Hi
		intent://scan/#Intent;scheme=zxing;S.browser_fallback_url=https://a.de;end  fb://page/1
		com.example.app://open  upi://pay?pa=a@b&pn=C  geo:52.5,13.4?q=Berlin  spotify:track:4
		ftp://example.com/a  ssh://git@example.com  magnet:?xt=urn:btih:a  web+coffee:brew
		microsoft-edge:https://example.com  steam://run/1  x-apple.systempreferences:a
	`),
	`https://example.com/${'a'.repeat(9_000)}`,
];

type Parser = input.ParseValue<string>;

const unchanged: Array<[kind: string, parse: Parser, values: string[]]> = [
	['a name', input.parseLine, NAMES],
	['a title', input.parseText, [...NAMES, ...TITLES]],
	['a password', input.parseSecret, [...PASSWORDS, ...TITLES]],
	['an alias or a tag', input.parseNumericLine, NUMERIC_LINES],
	['an address', parseAddress, ADDRESSES],
	[
		'a domain',
		parseDomain,
		['go.example.com', 'https://go.example.com', 'example.com:8080', 'a.b.c.co.uk'],
	],
];

test.each(unchanged)('%s is neither refused nor changed', (_kind, parse, values) => {
	for (const value of values)
		expect([value, messageOf(() => parse('Field', value))]).toEqual([
			value,
			`no error, but ${JSON.stringify(value)}`,
		]);
});

/** In each language some that no other has. */
const FORMULA_ERRORS = listed(`
	#NULL!  #DIV/0!  #VALUE!  #REF!  #NAME?  #N/A  #SPILL!  #ERROR!  #BEZUG!  #NV  #VALEUR!  #PROPAGATION!
	#¡VALOR!  #N/D  #VALORE!  #NÚM!  Err:502  ####
`);
const UNEVALUATED = ['{{ $json.a }}', "Sale {{$('Codes').item.json.b}}", '{{$node["A"].json.b}}'];
const WRONG_ENCODING = listed(`
	M\ufffdller  grÃ¼n  Ð¿Ñ€  Î±  straÃŸe  Ãœber  3 â‚¬  Annâ€™s  Nur 5 \u0080  Ã„rger  Â°C
`);
const NOTHING = ['null', 'NULL', 'None', 'undefined', 'NaN', '[object Object]', ' null\u200b'];
const ROUNDED = ['1.23E+19', '4.91701234567E11', '4,9170E+11', '+49E+10', '2e-7', '1e+21'];
const WITH_DECIMALS = ['2024.0', '491701234567.00', '2024,0'];
const LINE_BREAKS = ['a\nb', 'a\tb', 'a\u2028b', 'https://a.de\nhttps://b.de'];
const LONG_NUMBERS = [1.5e20, 12345678901234567, 1e15, -1e15];
const SEVERAL = [
	['a', 'b'],
	[{ name: 'a' }, { name: 'b' }],
] as const;
const NO_TEXT = [{ a: 'hidden' }, { name: 'a', value: 'b' }, new Date(0), 1n, Number.NaN];
const HARMFUL = [
	...listed('JavaScript:x  data:text/html,a  vbscript:a  file:///a  blob:https://a.de/b'),
	'java\u200bscript:x',
];
const TWO_ADDRESSES = [
	...['https://a.de https://b.de', 'https://a.de;https://b.de', 'https://a.de, https://b.de'],
	...['https://a.de|www.b.de', 'https://a.de/?a=1 https://b.de', 'a.de https://b.de'],
];
const NO_ADDRESS = listed(String.raw`
	htp://a.de  hxxps://a.de  httpss://a.de  ttps://a.de  https//a.de  https:/a.de  https:a.de
	https://https://a.de  https://http:/a.de  3.50  31.12.2030  7  ann@example.com  Spring  Note: see below
	a b.de  C:\Users  12:30  https://null/a  https://  https://a*b.com  https://a..com
`);

const LINES = [input.parseLine, input.parseNumericLine, parseAddress];
const TEXTS = [...LINES, input.parseText];
const ALL = [...TEXTS, input.parseSecret];

test.each<[kind: string, values: readonly unknown[], Parser[], said: RegExp]>([
	['the errors of formulas', FORMULA_ERRORS, TEXTS, /is an error instead of a value/],
	['expressions that n8n did not evaluate', UNEVALUATED, TEXTS, /is an error instead of a value/],
	['letters in the wrong encoding', WRONG_ENCODING, TEXTS, /was read in the wrong encoding/],
	['words for nothing', NOTHING, LINES, /is an error instead of a value/],
	['rounded numbers', ROUNDED, LINES, /is a number that a spreadsheet or a program has changed/],
	['numbers with decimals', WITH_DECIMALS, [input.parseNumericLine], /has changed/],
	['line breaks', LINE_BREAKS, LINES, /has a line break/],
	['numbers of more than 15 digits', LONG_NUMBERS, ALL, /is a number of more than 15 digits/],
	['several values of one cell', SEVERAL, ALL, /has 2 values instead of one/],
	['what is no text', NO_TEXT, ALL, /must be text/],
	['addresses that run code', HARMFUL, [parseAddress], /must be a web address/],
	['two addresses', TWO_ADDRESSES, [parseAddress], /has more than one address/],
	[
		'mistyped addresses, and what belongs into another column',
		NO_ADDRESS,
		[parseAddress],
		/must be a web address/,
	],
])('%s are refused before anything is sent', (_kind, values, parsers, said) => {
	for (const [parse, value] of parsers.flatMap((each) =>
		values.map((one) => [each, one] as const),
	)) {
		const message = messageOf(() => parse('Field', value));
		expect(message).toMatch(said);
		expect(message).toMatch(/^'Field' /);
		expect(message).not.toContain('hidden');
	}
});

test.each<[cell: unknown, value: string]>([
	[['Spring'], 'Spring'],
	[[['Spring']], 'Spring'],
	[{ id: 7, value: 'Spring', color: 'red' }, 'Spring'],
	[[{ id: 7, value: 'Spring' }], 'Spring'],
	[{ id: 'usr1', name: 'Ann', email: 'a@b.c' }, 'Ann'],
	[{ text: 'Spring' }, 'Spring'],
	[[7], '7'],
])('the cell %j of Airtable or Baserow is %s', (cell, value) => {
	expect(
		ALL.filter((parse) => parse !== parseAddress).map((parse) => parse('Field', cell)),
	).toEqual([value, value, value, value]);
});
