import { parseAddress, parseDomain } from '../../../../dist/nodes/LinkManagement/values/address.js';
import * as input from '../../../../dist/nodes/shared/values/input.js';
import { messageOf } from '../../helpers/readers.ts';

/** What people really enter: none is refused or changed. And what would be lost without a word: all is refused. */

const NAMES = [
	...['Spring Sale', 'Frühjahrsaktion', "Ann's list", 'R&D', 'A/B test', 'Q3/2030', '50% off'],
	...['3 for 2', '"Best of" 2030', '“Quoted”', '«Ventes»', '„Angebot“', "'80s", '(internal)'],
	...['[test]', '<3', 'C++ / C#', 'none', '(none)', 'n/a', 'N/A', '-', '–', '—', 'NA', 'nil'],
	...['Null & Co', 'Nan', 'nan', 'Nobody', 'NULLA', 'true', 'false', '0', '7', '2024', '1.0'],
	...['2024.0', '1,5', '007', '+49', '1e5', '12e345', 'v2.0', '#1', '#SALE', '#sale!'],
	...['#SALE!', '#WOW?', '#REFILL', '#NAMETAG', '#N', '##', 'Err: none', 'Err', '=1+1'],
	...['@home', '$5', '€uro', '{name}', '{{name}}', '{{${first_name}}}', '${name}', '%%NAME%%'],
	...['*|NAME|*', '[NAME]', '__NAME__', '<%= name %>', 'Лето 2030', 'Καλοκαίρι', 'קיץ', 'صيف'],
	...['می\u200cخواهم', 'गर्मी', 'গ্রীষ্ম', 'ฤดูร้อน', '夏セール', '여름', '夏季', 'ზაფხული'],
	...['Ամառ', 'வசந்தம்', '👩\u200d💻 ❤\ufe0f', '🏴\u{e0067}\u{e0062}\u{e007f}'],
	...['Île-de-France', 'MAÇÃ', 'SÃO PAULO', 'ÑANDÚ', '«MAÇû', '“MAÇÔ', 'Âge', 'Ðe', 'ÎLE', 'Ï'],
	...['ÂNGELO', 'Ã', 'â', 'pâté', 'Łódź', 'İstanbul', 'Đà Nẵng', 'ß', 'ﬁt', 'x', '...', '!'],
	...['?', '*', '100 %', '5 < 6', 'a\\b', 'a|b', 'a;b', 'a,b', 'a: b', 'C:\\Users'],
	...['Newsletter 12/2030', 'Black Friday', 'Cyber-Monday', 'Sommer & Sonne', 'Été 2030'],
	...['Otoño', 'Primavera', 'Verão', 'Zima', 'Kış', 'Tavasz', 'Jaro', 'Φθινόπωρο', 'Осінь'],
	...['Зима', 'خريف', 'חורף', 'शरद', 'হেমন্ত', 'ഓണം', 'దీపావళి', 'ಯುಗಾದಿ', 'ਵਿਸਾਖੀ', 'ඍතුව'],
	...['ឆ្នាំ', 'ພາສາ', 'မြန်မာ', 'አዲስ', '春のセール', '春节', '추석', 'Q&A', 'Do not reply'],
	...['No. 7', 'TBD', '?!', '€ 5', '£10', '10 %', '½ price', '#1 choice', '#2030', 'Team "A"'],
	...['O’Neil', 'Smith, Ann', 'ann@example.com', '+49 30 901820', 'Room 7/8', '(c) Shop', '™'],
	...['№ 5', '→ Shop', '✔ done'],
	'a'.repeat(500),
];

const TITLES = [
	...[' two\r\n\tlines ', '\ufeffwith a mark', 'null', 'None', 'undefined', 'NaN'],
	...['[object Object]', '"quoted"', ' ', '1.23E+19', '2e-7', 'Save {{ percent }} %'],
	...['{{ name }} says hi', 'price: {{$}}', 'See https://a.de https://b.de'],
	...['javascript:alert(1)', '#SALE now!', '#N/A is an error', 'What is #REF! in Excel?'],
	...['&amp; &lt;b&gt;', '<b>bold</b>', 'Zażółć gęślą jaźń', 'Ελλάδα — Ρόδος', 'שלום', 'مرحبا'],
	...['नमस्ते', 'สวัสดี', 'こんにちは', '안녕하세요', '你好', 'Привет'],
];

const PASSWORDS = [
	...['#SALE!', '#REF!', '#N/A', 'null', 'None', 'undefined', 'NaN', '-', 'n/a', 'none'],
	...[' two spaces ', '"quoted"', '####', '1.23E+19', '2024.0', 'pass word', 'pässwörd'],
	...['пароль', 'كلمة', '密码', '{{ $json.a }}', 'a\u200bb', '\ufeffx', 'Ã¼', '%41'],
	...['javascript:x', "'; DROP TABLE links; --", '\\n', '=CMD()', '😀', '&amp;', '0', 'false'],
	...['[object Object]'],
	'a'.repeat(200),
];

/** Aliases and tags. */
const NUMERIC_LINES = [
	...['spring-sale', 'Spring_Sale', 'a/b', 'v1.2', '1.0', '2.0', '10.5', '1,5', '12,50'],
	...['1,701', '1.701.234', '2024', '007', '1e5', '12e345', '4e11', 'e10', '0', '-1', '+1'],
	...['999999999999999', '12345678901234567890', '1.0.0', '10.100.200', 'a,123', 'none'],
	...['(none)', 'n/a', '-', 'NA', 'Nat', '(not set)', '(direct)', 'cpc', 'social|paid'],
	...['email, weekly', '#SALE!', 'größe', '{campaignid}', '{{ad.name}}', '{{placement}}'],
	...['[FNAME]', '%%jobid%%', '*|UNIQID|*', '__CAMPAIGN_NAME__', '${AUCTION_ID}', 'лето'],
	...['קיץ', 'صيف', '夏', '여름', 'ऋतु', 'ฤดู', '2030-12-31', '31.12.2030', '12/31'],
	...['GTM-ABC1234', 'G-12AB', 'AW-1/2', 'YO1 7HH', 'spring', 'SPRING24', 'a', 'A1', 'a.b'],
	...['a~b', 'a:b', 'sale-50', 'black_friday', 'q1', '2024-06', 'jan-mar', 'newsletter'],
	...['google', 'facebook.com', 'ppc', 'paid social', 'banner_300x250', 'rain jacket'],
	...['+rain +jacket', '"rain jacket"', '[rain jacket]', 'header-button', 'été', 'größe-xl'],
	...['Київ', 'Αθήνα', 'ירושלים', 'القاهرة', 'दिल्ली', '東京', '서울', 'กรุงเทพ'],
	'x'.repeat(100),
];

const ADDRESSES = [
	...['https://example.com', 'https://example.com/', 'http://example.com:8080/a'],
	...['HTTP://Example.COM/%7e', 'https://example.com./a', 'http://localhost:3000'],
	...['http://intranet/wiki', 'https://192.168.0.1/', 'http://127.0.0.1:5678/x'],
	...['https://[::1]:8443/a', 'https://ann:secret@example.com/a'],
	...['https://my_shop.example.com', 'https://xn--gre-6ka8i.example/', 'https://a-b.co.uk/x'],
	...['https://www.google.com/search?q=a+b&hl=de'],
	...['https://www.google.com/maps/place/Berlin/@52.5,13.4,11z/data=!3m1!4b1'],
	...['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s'],
	...['https://youtu.be/dQw4w9WgXcQ?si=abc_-1', 'https://t.me/s/channel/12'],
	...['https://www.amazon.de/dp/B0ABC12345/ref=sr_1_1?keywords=a&qid=1'],
	...['https://www.ebay.com/itm/12?var=0&hash=item:g:ab~c'],
	...['https://docs.google.com/spreadsheets/d/1aB_c-D/edit#gid=0', 'https://forms.gle/aBc'],
	...['https://drive.google.com/file/d/1/view', 'https://www.notion.so/Page-123?v=4&pvs=4'],
	...['https://app.slack.com/client/T1/C1', 'https://github.com/a/b/blob/main/x.ts#L1-L9'],
	...['https://en.wikipedia.org/wiki/C%2B%2B_(disambiguation)'],
	...['https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe#Ma%C3%9F'],
	...['https://www.linkedin.com/in/ann-lee-1/', 'https://x.com/a/status/1?s=20'],
	...['https://www.instagram.com/p/C_a-b/', 'https://fb.me/e/1'],
	...['https://www.facebook.com/sharer/sharer.php?u=https://example.com/a'],
	...['https://twitter.com/intent/tweet?url=https%3A%2F%2Fa.de'],
	...['https://wa.me/4930901820?text=Hi%20there'],
	...['https://api.whatsapp.com/send?phone=49&text=see+https://a.de'],
	...['https://m.me/shop?ref=x', 'https://apps.apple.com/de/app/id1?pt=1&ct=a'],
	...['https://play.google.com/store/apps/details?id=com.a.b&referrer=utm_source%3Da'],
	...['https://outlook.office.com/mail/?realm=a.b'],
	...['https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%7d'],
	...['https://us02web.zoom.us/j/123?pwd=aBc.1'],
	...['https://calendly.com/ann/30min?month=2030-01', 'https://open.spotify.com/track/4?si=1'],
	...['https://web.archive.org/web/2020/https://example.com/'],
	...['https://res.cloudinary.com/d/image/fetch/w_300,h_200/https://a.de/b.jpg'],
	...['https://example.com/?q=3Dprinter', 'https://example.com/?view=3D'],
	...['https://example.com/?a=b&c=3D1', 'https://example.com/?next=https://a.de/?b=c'],
	...['https://example.com/?a=1&copy=2&lang=de', 'https://example.com/?a=1&lt=2'],
	...['https://example.com/?copy=1&copy;', 'https://example.com/?u=www.a.de'],
	...['https://example.com/?to=b,https://b.de'],
	...['https://example.com/?urls=https://a|https://b', 'https://example.com/?a=1;b=2'],
	...['https://example.com/a,b', 'https://example.com/null'],
	...['https://example.com/?a=undefined', 'https://example.com/?a=[object%20Object]'],
	...['https://null.example/', 'https://nullhttp.com', 'https://example.com/50%'],
	...['https://example.com/%zz?a=5%', 'https://example.com/M%fcller'],
	...['https://example.com/a//b/', 'https://example.com/a/../b', 'https://example.com/?'],
	...['https://example.com/#', 'https://example.com/?&a=b&'],
	...['https://example.com/~a/(b)!*;@:$=+', 'https://example.com?a', 'https://example.com#a'],
	...['https://example.com/?e=ann@example.com', 'https://example.com/?t=12:30'],
	...['https://example.com/?json={%22a%22:1}', 'https://example.com/a|b?c|d'],
	...['https://example.com/^a`b', 'https://example.com/?a[]=1&a[]=2'],
	...['https://example.com/?f[x][y]=1', 'https://example.com/@ann/post-1'],
	...['https://example.com/$1', 'https://example.com/{x y}', 'https://example.com/?a={lpurl}'],
	...['https://example.com/?id={{ad.id}}&n={{ campaign.name }}'],
	...['https://example.com/?n=[first name,fallback=]', 'https://example.com/?e=%%emailaddr%%'],
	...['https://example.com/?e=*|EMAIL|*', 'https://example.com/?e=<%= recipient.email %>'],
	...['https://example.com/?p=${AUCTION_PRICE}'],
	...['https://example.com/?c=__CAMPAIGN_ID__&x=__CALLBACK_PARAM__'],
	...['https://example.com/?gclid={gclid}&kw={keyword:no keyword}'],
	...['https://{{store}}.example.com/a', 'https://example.com/?q={{${user.name}}}'],
	...['https://ad.doubleclick.net/ddm/trackclk/N1.2/B3;dc_trk_aid=4;u=[x];ord=[timestamp]?'],
	...['https://bs.serving-sys.com/?cn=%%CACHEBUSTER%%'],
	...['https://track.adform.net/C/?bn=1;cpdir=https://example.com/'],
	...['https://app.adjust.com/abc?campaign={campaign_name}'],
	...['https://abc.onelink.me/1?pid=a&af_dp=app%3A%2F%2F', 'mailto:ann@example.com'],
	...['mailto:ann@example.com?subject=Hi&body=See%20https://a.de', 'tel:+4930901820'],
	...['tel:112', 'sms:12345?body=Hi', 'sms:+49301'],
	...['intent://scan/#Intent;scheme=zxing;package=com.a;S.browser_fallback_url=https://a.de;end'],
	...['whatsapp://send?text=Hi', 'tg://resolve?domain=a', 'fb://page/1'],
	...['com.example.app://open', 'itms-apps://apps.apple.com/app/id1'],
	...['market://details?id=com.a', 'upi://pay?pa=a@b&pn=C', 'geo:52.5,13.4?q=Berlin'],
	...['spotify:track:4', 'ftp://example.com/a', 'sftp://example.com/a'],
	...['ssh://git@example.com', 'bitcoin:1A?amount=0.1', 'magnet:?xt=urn:btih:a'],
	...['microsoft-edge:https://example.com', 'steam://run/1', 'zoommtg://zoom.us/join?confno=1'],
	...['msteams://teams.microsoft.com/l/x', 'slack://open?team=T1', 'web+coffee:brew'],
	...['skype:ann?call', 'x-apple.systempreferences:a'],
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

test('the tables have at least 400 different values', () => {
	expect(new Set(unchanged.flatMap(([, , values]) => values)).size).toBeGreaterThanOrEqual(400);
});

const FORMULA_ERRORS = [
	...['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'],
	...['#SPILL!', '#CALC!', '#ERROR!', '#FIELD!', '#BUSY!', '#WERT!', '#BEZUG!', '#ZAHL!'],
	...['#NV', '#ÜBERLAUF!', '#KALK!', '#FEHLER!', '#NUL!', '#VALEUR!', '#NOM?', '#NOMBRE!'],
	...['#PROPAGATION!', '#¡NULO!', '#¡DIV/0!', '#¡VALOR!', '#¡REF!', '#¿NOMBRE?', '#¡NUM!'],
	...['#N/D', '#¡DESBORDAMIENTO!', '#NULLO!', '#VALORE!', '#RIF!', '#NOME?', '#NULO!'],
	...['#VALOR!', '#NÚM!', '#DESPEJAR!', '#ERRO!', 'Err:502', 'Err:522', '####', ' #REF! '],
];
const UNEVALUATED = [
	...['{{ $json.a }}', "Sale {{$('Codes').item.json.b}}", '{{ $now }}', '{{$node["A"].json.b}}'],
];
const WRONG_ENCODING = [
	...['M\ufffdller', 'grÃ¼n', 'cafÃ©', 'Ð¿Ñ€', 'Î±', 'straÃŸe', 'Ãœber', '3 â‚¬', 'Annâ€™s'],
	...['â€“', 'Nur 5 \u0080', 'Ã„rger', 'seÃ±or', 'Â°C'],
];
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
	...['javascript:x', ' JavaScript:x', 'java\u200bscript:x', 'data:text/html,a', 'vbscript:a'],
	...['file:///a', 'blob:https://a.de/b'],
];
const TWO_ADDRESSES = [
	...['https://a.de https://b.de', 'https://a.de;https://b.de', 'https://a.de, https://b.de'],
	...['https://a.de|www.b.de', 'https://a.de/?a=1 https://b.de', 'a.de https://b.de'],
];
const MISTYPED = [
	...['htp://a.de', 'htps://a.de', 'hxxps://a.de', 'httpss://a.de', 'ttps://a.de', 'https//a.de'],
	...['https:/a.de', 'https:a.de', 'https://https://a.de', 'https://http:/a.de'],
];
const NO_ADDRESS = [
	...['3.50', '1.2', '31.12.2030', '7', 'ann@example.com', 'Spring', 'Note: see below', 'a b.de'],
	...['C:\\Users', '12:30', 'https://null/a', 'https://', 'https://a*b.com', 'https://a..com'],
];

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
	['mistyped schemes', MISTYPED, [parseAddress], /must be a web address/],
	['what belongs into another column', NO_ADDRESS, [parseAddress], /must be a web address/],
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
