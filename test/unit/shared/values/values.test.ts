import * as fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import {
	address,
	refuseHarmful,
	webAddress,
} from '../../../../dist/nodes/LinkManagement/values/address.js';
import { hexColor, rgbColor } from '../../../../dist/nodes/LinkManagement/values/color.js';
import {
	datetimeIn,
	serviceDatetime,
} from '../../../../dist/nodes/LinkManagement/values/dateTime.js';
import { canonicalUrl } from '../../../../dist/nodes/LinkManagement/lists.js';
import { aliasIn } from '../../../../dist/nodes/LinkManagement/records.js';
import { purchaseCode } from '../../../../dist/nodes/Store/purchaseCode.js';
import { checkedTimeZone, parseCredential } from '../../../../dist/nodes/shared/http/credential.js';
import { digest } from '../../../../dist/nodes/shared/values/digest.js';
import {
	Failure,
	type FailureKind,
	findFailure,
	toFailure,
	inputFailure,
	isRefusal,
} from '../../../../dist/nodes/shared/values/failure.js';
import * as json from '../../../../dist/nodes/shared/values/json.js';
import { normalized } from '../../../../dist/nodes/shared/values/text.js';
import { epochMs, momentIn } from '../../../../dist/nodes/shared/values/moment.js';
import { fillPath, placeholdersIn } from '../../../../dist/nodes/shared/values/path.js';
import {
	count,
	flag,
	labelOf,
	parsedJson,
	parseId,
	required,
	requiredLine,
	text,
} from '../../../../dist/nodes/shared/values/input.js';
import {
	addressWithoutSecrets,
	webAddressIn,
} from '../../../../dist/nodes/shared/values/webAddress.js';

/** What is made of a value that a user, a sheet or an AI model enters, or a service answers. */
interface Reader {
	read: (value: unknown) => unknown;
	/** Pairs of what is given and what becomes of it. */
	takes?: ReadonlyArray<readonly [unknown, unknown]>;
	refuses?: readonly unknown[];
	/** How each refusal begins. */
	saying?: RegExp;
}

const same = (...values: unknown[]) => values.map((value) => [value, value] as const);
const all = (values: readonly unknown[], becomes: unknown) =>
	values.map((value) => [value, becomes] as const);
/** Many texts in few lines. */
const list = (texts: string) => texts.split(' | ');

const credential = (changes: object) =>
	parseCredential({ baseUrl: 'https://links.example.com', apiKey: 'key', ...changes }, 30);

const NOON = Date.UTC(2030, 5, 1, 12);
const circle: Record<string, unknown> = {};
circle.self = circle;
const manyMembers = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, at]));

const READERS: Record<string, Reader> = {
	'a datetime of a record': {
		read: datetimeIn,
		takes: [
			...all(['2030-06-01 12:00:00', ' 2030-06-01 12:00:00 '], '2030-06-01 12:00:00'),
			...all(list('0000-00-00 00:00:00 | 2030-13-01 00:00:00 | 2030-06-01 | yesterday'), undefined),
			...all([1906545600, null, '2030-06-01 12:00:00.5', '+002030-06-01 12:00:00'], undefined),
		],
	},
	'a base URL': {
		read: (baseUrl) => credential({ baseUrl }).baseUrl,
		takes: [
			...all(['https://a.example', '  https://a.example//  '], 'https://a.example'),
			...all(['HTTPS://A.example/API/', 'https://a.example/?b=@#d'], 'https://a.example'),
			['http://127.0.0.1:4010/shortener/api//', 'http://127.0.0.1:4010/shortener'],
			...same('https://a.example/@team', 'https://a.example/my-api'),
		],
		refuses: [
			'',
			'  ',
			undefined,
			7,
			...list('a.example | xhttp://a.example | http:// | http://a b | http://a.example/a\tb'),
		],
		saying:
			/^The base URL (is empty|".+" (has no http:\/\/ or https:\/\/|is not a web address))\. Enter it in/,
	},
	'a base URL with a secret, which is not repeated': {
		read: (baseUrl) => credential({ baseUrl }),
		refuses: [
			...list('https://ann:secret@a.example | https://secret@a.example | https://:s@a.example'),
			...list('ann:secret@a.example | ann:sec/ret@a.example | https://ann:secret@a b.example'),
			...['a.example/?api_key=secret', 'a.example/\n#secret\nsecret'],
		],
		saying:
			/^The base URL (contains a user name or password|"a.example\/(\\u000a)?" has no http:\/\/ or https:\/\/)\. E/,
	},
	'the Allowed Domains of a credential': {
		read: (allowedDomains) =>
			credential({ allowedHttpRequestDomains: 'domains', allowedDomains }).baseUrl,
		takes: all(
			list('links.example.com | a.example, LINKS.Example.com | *.example.com | *.com ,a'),
			'https://links.example.com',
		),
		refuses: [
			...['', undefined, 7, '*', '*.', '.', '*.links.example.com', 'example.com', 'links'],
			...['a.links.example.com', 'links.example.com.evil.example', '*.xample.com', '*links*'],
		],
		saying:
			/^The Allowed Domains of the credential do not include links\.example\.com, the host of its base URL\. Add it/,
	},
	'an API key': {
		read: (apiKey) => credential({ apiKey }).apiKey,
		takes: [[' k3y/with+signs~!\n', 'k3y/with+signs~!'], ...same('k'.repeat(2000))],
		refuses: [
			...['', ' ', undefined, 'two words', 'two\nlines', 'schlüssel', '\u007f', 'k\\y'],
			'k'.repeat(2001),
		],
		saying:
			/^The API key (is empty\. Enter it|has a line break, a backslash or another.* Copy it into)/,
	},
	'the name of an extra header': {
		read: (extraHeaderName) =>
			Object.keys(credential({ extraHeaderName, extraHeaderValue: 'a' }).extraHeader),
		takes: [
			...[' Cookie ', '!#$%&*+.^_`|~-9'].map((name) => [name, [name.trim()]] as const),
			['proxies', ['proxies']],
		],
		refuses: list(
			'HOST | te | Transfer-Encoding | Proxy-Auth | __proto__ | Two Words | a:b | ä | (a | a\tb | [a]',
		),
		saying:
			/^The extra header cannot be named ("(HOST|te|Tr|P|__).*HTTP reserves|"(Two|[aä([]).*Use letters)/,
	},
	'half an extra header': {
		read: (half) => credential(half as object).extraHeader,
		takes: all([{}, { extraHeaderName: ' ', extraHeaderValue: '' }], {}),
		refuses: [{ extraHeaderName: 'a' }, { extraHeaderValue: 'Name of it' }],
		saying: /^Extra Header (Name|Value) is empty\. Fill in both fields/,
	},
	'the value of an extra header': {
		read: (extraHeaderValue) =>
			credential({ extraHeaderName: 'Cookie', extraHeaderValue }).extraHeader.Cookie,
		takes: same('a=1; b=2', 'v'.repeat(2000)),
		refuses: ['a\\b', 'a\nb', 'v'.repeat(2001)],
		saying: /^The value of the extra header has a line break, a backslash or another/,
	},
	'requests per minute': {
		read: (requestsPerMinute) => credential({ requestsPerMinute }).requestsPerMinute,
		takes: [
			...all([30, '30', ' 30.55 ', '', ' ', null, undefined], 30),
			...all([1, 1.9, '0.4', 0.4], 1),
			...all([0, '0'], 0),
		],
		refuses: [-1, '-1', '2,5', '10 per minute', 'a 10', '1e400', Infinity, Number.NaN, {}],
		saying: /^Requests per Minute must be 0 or more, but is ".+"\. Enter a whole number/,
	},
	'a time zone of a service': {
		read: (timezone) => checkedTimeZone(credential({ timezone }).timezone),
		takes: [...all(['', undefined, 7], 'UTC'), ['Europe/Berlin ', 'Europe/Berlin']],
		refuses: ['Berlin/Europe', 'CET/Berlin', '?'],
		saying:
			/^Service Time Zone must be a time zone, but is ".+"\. Enter its IANA name in the credential, as in Europe\/Berlin\./,
	},
	'an id in a path': {
		read: (value) => fillPath('/api/url/:linkId/update', { linkId: parseId('linkId', value) }),
		takes: all([42, '42', ' 42 '], '/api/url/42/update'),
		refuses: [
			...list('.. | ../1 | 1/2 | 1?x=y | -1 | 0 | 1.5 | 1e3 | a1 | 1a | 9007199254740993'),
			...['', null, undefined, {}, [], true, 1.5, Number.NaN, 2 ** 60],
		],
		saying: /^Link ID must be a positive whole number, but is (empty|".+")\. Pick one/,
	},
	'a value in a message': {
		read: (value) => messageOf(() => parseId('id', value)).replace(/^.*but is |\. Pick one.*/g, ''),
		takes: [
			...all([undefined, null, ''], 'empty'),
			['x'.repeat(80), `"${'x'.repeat(80)}"`],
			['x'.repeat(81), `"${'x'.repeat(80)}…"`],
			[{ a: 1 }, '"{"a":1}"'],
			[circle, '"{"self":"[Circular Reference]"}"'],
		],
	},
	'a label': {
		read: (name) => labelOf(String(name)),
		takes: [
			['linkId', 'Link ID'],
			['qrCodeId', 'QR Code ID'],
			['ctaOverlayId', 'CTA Overlay ID'],
			['shortUrl', 'Short URL'],
			['identity', 'Identity'],
		],
	},
	'a date and time': {
		read: (value) => serviceDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		takes: [
			...all(['', null, undefined], ''),
			...all([NOON, NOON / 1000, ` ${NOON / 1000} `, new Date(NOON)], '2030-06-01 12:00:00'),
			...all([String(NOON), DateTime.fromMillis(NOON)], '2030-06-01 12:00:00'),
			...all(list('2030-06-01t12:00:00.123z |  2030-06-01 12:00 '), '2030-06-01 12:00:00'),
			...all(list('2030-06-01T14:00+02:00 | 2030-06-01 07:00 -0500'), '2030-06-01 12:00:00'),
			['2030-12-31 23:59:58', '2030-12-31 23:59:58'],
			['2030-12-31', '2030-12-31 00:00:00'],
			...all(list('31.12.2030 |  31. 12. 2030 '), '2030-12-31 00:00:00'),
			...all(list('1.6.2030 12:00 | 01.06.2030, 12:00:00'), '2030-06-01 12:00:00'),
			['1.6.2030 9:05:07', '2030-06-01 09:05:07'],
			['9999-12-31 23:59-01:00', '10000-01-01 00:59:00'],
			['0099-01-01', '0099-01-01 00:00:00'],
			// The first second, and the first millisecond, that are told from a year and the number of a day.
			[1e9, '2001-09-09 01:46:40'],
			[1e11, '1973-03-03 09:46:40'],
			[1e11 - 1, '5138-11-16 09:46:39'],
		],
		refuses: [
			...list(
				'tomorrow | 31.12.30 | 30.2.2030 | 12.31.2030 | 31.12. | 2030-02-30 | 2030-13-01 | 2030-12-31T25:00 | 2030-12-31T',
			),
			...list('on 2030-12-31 | 2030-12-31 23:59 or later | 2030-12-31 23:59+1 | 1/2/30'),
			// A year, microseconds, and more than a calendar has.
			...[19_999, '80001', 2030, 1e9 - 1, 1e15, 1e17, '1'.repeat(17), -1, Number.NaN, Infinity],
			...[{}, { toMillis: () => NOON }, { isLuxonDateTime: true }, [], true, new Date(Number.NaN)],
			...[Duration.fromObject({ days: 7 }), DateTime.invalid('none')],
		],
		saying: /^Expiry must be a date and time, but is ".+"\. Enter it like/,
	},
	'the number of a day in a spreadsheet': {
		read: (value) => serviceDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		refuses: [20_000, 46_000, ' 46000.75 ', '47848', 80_000],
		saying: /^Expiry must be .+"\. It is the day number of a spreadsheet\. Format .+\$json\.date/,
	},
	'a date with the month first': {
		read: (value) => serviceDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		refuses: ['12/31/2026', ' 1/31/2026 ', '1/13/2026'],
		saying:
			/^Expiry .+"\. Write it like 2030-12-31, or convert it with the expression {{ DateTime\.fromFormat\(\$json\.date, "M\/d\/yyyy"\) }}\.?$/,
	},
	'a date with slashes and a time': {
		read: (value) => serviceDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		refuses: ['31/12/2026 18:00:07'],
		saying: /^Expiry .+"\. Write it .+ the expression .+, "d\/M\/yyyy H:mm:ss"\) }}\.?$/,
	},
	'a date with slashes that can be read in two ways': {
		read: (value) => serviceDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		refuses: ['3/4/2026 6:00 PM'],
		saying: /"M\/d\/yyyy h:mm a"\) }} if the month comes first, or .+ "d\/M\/yyyy h:mm a"\) }}/,
	},
	'a date to look for': {
		read: (value) => serviceDatetime('Created After', value, { from: 'UTC', to: 'UTC' }, 'past'),
		refuses: ['tomorrow'],
		saying: /Enter it like 2026-01-31 .+\$now\.minus/,
	},
	'any address': {
		read: (value) => address('URL', value),
		takes: [
			['', ''],
			[' https://example.com/a?b=c#d ', 'https://example.com/a?b=c#d'],
			...same('mailto:ann@example.com?subject=Hello', 'tel:+4930901820', 'myapp://open/7'),
			...same('itms-apps://apps.example.com/app/id1', 'com.example.app://open', 'my+app-1:x'),
			// As entered, also where a browser would send something else.
			...same('HTTPS://Example.COM', 'https://example.com/a b?c={d}', 'https://example.com/%7E'),
			[
				'https://example.com/straße?q=größe#ä',
				'https://example.com/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe#%C3%A4',
			],
			['https://größe.example:8443/{id}', 'https://xn--gre-6ka8i.example:8443/{id}'],
			['http://ü:ö@例え.example?ü', 'http://%C3%BC:%C3%B6@xn--r8jz45g.example?%C3%BC'],
			['mailto:änn@example.com', 'mailto:%C3%A4nn@example.com'],
			['https://jo:p@ü.example/', 'https://jo:p@xn--tda.example/'],
			['myapp://open?a=https://ü.example', 'myapp://open?a=https://%C3%BC.example'],
		],
		refuses: [
			...list(
				'javascript:alert(1) |  JavaScript:x | java\nscript:x | data:text/html,x | vbscript:x',
			),
			...list(
				'file:///etc/passwd | blob:https://a.example/1 | filesystem:x | intent://a#Intent;end',
			),
			...list('view-source:http://a.example | ms-excel:ofe | search-ms:x | moz-extension:x'),
			...list(
				'example.com:80/a | localhost:3000 | https:example.com | https:// | no address | 7up:x | c:x.exe',
			),
			...['example.com', '//a.example', '\u0001javascript:x', 7, {}, ['https://example.com']],
		],
		saying:
			/^URL must (be a web address, but is ".*"\. Start it|not be the address ".*\. Addresses)/s,
	},
	'the content of a QR code': {
		read: (value) => {
			refuseHarmful('Content', value);
			return value;
		},
		takes: same(
			'Data: 7 units',
			'Search: shoes\n File: report.pdf',
			'1 data:x',
			'Note: File: x',
			'// a comment',
			'datasheet:x',
			'URL:https://a.example',
			'WIFI:S:a;T:WPA;P:b;;',
			'two\nlines',
			'https://a.example',
			'{"url":"https:\\/\\/a.example","b":"http:\\/\\/a.example"}',
			'See C:x or \\d+',
			7,
			{ a: ['x', null] },
		),
		refuses: [
			...list('javascript: alert(1) | data:text/html,x | ms-excel:ofe | two\u0000parts'),
			...list('vbscript: x | mocha: x | vbscript.encode:x | onenote-cmd:x | FirefoxURL-308:x'),
			...list('c:/x.exe | \\\\a\\x | \\/a/x | /\\a\\x | smb://a | shell:x | search:query=x'),
			...[{ a: ['javascript:x'] }, { 'file:x': 1 }, ['java\nscript:x'], 'data:\ttext/html,x'],
			...[' C:\\x.exe', 'data:text/html,x: y'],
			...['BEGIN:VCARD\njavascript:x', 'See\n javascript:x', 'a\u2028data:x', 'a@b\r\n\tfile:///x'],
		],
		saying:
			/^Content (must not be the address ".*\. A|has a line break or another control.*\. Rem)/s,
	},
	'an address of a record': {
		read: (value) => webAddressIn(value),
		takes: [
			...same('https://links.example.com/a', 'http://a.example/'),
			...all(['go.x/a', '//x', '', ' ', 7, null], undefined),
			...all(
				list('javascript:alert(1) |  JavaScript:x | java\nscript:x | data:text/html,x'),
				undefined,
			),
			...all(list('vbscript:x | file:///etc/passwd | blob:x | view-source:http://x'), undefined),
			...same(
				`http://${'a'.repeat(255)}/`,
				`http://a/${'b'.repeat(300)}?c=http://${'d'.repeat(300)}`,
				`http://a/${'b'.repeat(9_991)}`,
			),
			...all([`http://${'a'.repeat(256)}/`, ` HT\ntp:\\\\${'漢'.repeat(64)}`], undefined),
			...all([`http://a/${'b'.repeat(9_992)}`, `http://${'a漢'.repeat(64)}`], undefined),
			...all([`  http://${'漢.'.repeat(64)}a/`], undefined),
		],
	},
	'an address in a message': {
		read: (value) => addressWithoutSecrets(String(value)),
		takes: [
			['https://ann:pw@a.example:81/b?c#d', 'https://a.example:81/b'],
			['//ann:pw@a b/c?d=e', 'a b/c'],
			['/b#c', '/b'],
			['', ''],
		],
	},
	'a web address': {
		read: (value) => webAddress('Meta Image', value),
		takes: [...all(['', ' '], ''), ...same('http://example.com/a?b=c#d', 'HTTPS://EXAMPLE.COM')],
		refuses: [
			...['example.com', 'javascript:alert(1)', 'ftp://a.example', 'see http://a.example'],
			...['http://', 'mailto:https://a.example', 7, {}],
		],
		saying: /^Meta Image must be a web address, but is ".*"\. Start it with/,
	},
	'a colour': {
		read: (value) => [hexColor('Color', value), rgbColor('Color', value)],
		takes: [
			...all(['#ff9900', ' FF9900 ', '#f90'], ['#ff9900', 'rgb(255,153,0)']),
			...all(['rgb(255, 153, 0)', 'RGB( 255,153 ,0 )'], ['#ff9900', 'rgb(255,153,0)']),
			['', ['', '']],
			[123456, ['#123456', 'rgb(18,52,86)']],
			['rgb(0,1,255)', ['#0001ff', 'rgb(0,1,255)']],
		],
		refuses: [
			...list('red | #ff99 | #gggggg | #ff9900ff | ##ff9900 | x#f90 | #f90x | rgb(256,0,0)'),
			...list('rgb(0,0,256) | rgb(1,2) | rgb(1,2,3,4) | a rgb(1,2,3) | rgb(1,2,3)!'),
			...[7, null, {}, ['#f90']],
		],
		saying: /^Color must be a color, but is .*\. Enter it like/,
	},
	'a text, kept as it is': {
		read: (value) => text('Name', value),
		takes: [...same(' Ann ', ''), [42, '42'], [false, 'false']],
		refuses: [{}, ['a'], new Date(0), Number.NaN, Infinity, () => 1, 1n, circle, null],
		saying: /^Name must be text, but is (empty|".+")\. Check/,
	},
	'a text with half of an emoji': {
		read: (value) => [text, address].map((read) => messageOf(() => read('Name', value))),
		takes: all(
			['a:\ud83d', 'a:\ude00b', '\ude00\ud83d'],
			Array<string>(2).fill(
				'Name has a broken character, such as half an emoji. Check the expression that shortens or splits the text.',
			),
		),
	},
	'a text that has to be there': {
		read: (value) => requiredLine('Name', value),
		takes: [
			[' Ann ', 'Ann'],
			[0, '0'],
		],
		refuses: ['', '  ', null, undefined],
		saying: /^Name is empty\. Enter/,
	},
	'a secret that has to be there': {
		read: (value) => required(text)('Password', value),
		takes: [[' s ', ' s ']],
		refuses: ['', '  ', null],
		saying: /^Password is empty\. Enter/,
	},
	'a number of records': {
		read: (value) => count('Clicks', value),
		takes: [...same(0, 7), ['8 ', 8]],
		refuses: ['', -1, 1.5, 'many', null, true],
		saying: /^Clicks must be a whole number of 0 or more, but is (empty|".+")\.$/,
	},
	'a switch': {
		read: (value) => flag('Public', value),
		takes: [...all([true, ' TRUE ', 1, '1'], true), ...all([false, 'False', 0, '0'], false)],
		refuses: ['yes', '', 2, null, {}],
		saying: /^Public must be true or false, but is (empty|".+")\. Compare it in the field: /,
	},
	JSON: {
		read: (value) => parsedJson('Content', value),
		takes: [
			['"text"', 'text'],
			['[{"a":1}]', [{ a: 1 }]],
			[{ a: new Date(NOON) }, { a: '2030-06-01T12:00:00.000Z' }],
			...same(null, undefined),
		],
		refuses: ['{a:1', '', `${'['.repeat(101)}${']'.repeat(101)}`, manyMembers],
		saying: /^Content is (not valid JSON\. Put texts in|nested too deeply, or too large\. Remove)/,
	},
	'a text in an answer': {
		read: json.textIn,
		takes: [[' a ', 'a'], ...all(['', ' ', 7, null, undefined, ['a']], undefined)],
	},
	'a whole number in an answer': {
		read: json.integerIn,
		takes: [
			...all([7, '7', ' 7 '], 7),
			...all([-7, '-7'], -7),
			...all(['', ' ', '7.5', 'a7', '7a', String(2 ** 53)], undefined),
			...all([7.5, 2 ** 53, null, [7], true], undefined),
		],
	},
	'an id in an answer': {
		read: json.idIn,
		takes: [[1, 1], ['2', 2], ...all([0, '0', -1, 1.5, 'a', null], undefined)],
	},
	'a map in an answer': {
		read: json.mapIn,
		takes: [[{ a: 1 }, { a: 1 }], ...all([[], [1], null, 'a', undefined], {})],
	},
	'a list in an answer': {
		read: json.recordsIn,
		takes: [...all([[{ a: 1 }, 'a', null, [1], {}]], [{ a: 1 }, {}]), ...all([{}, null, 'a'], [])],
	},
	'a record that must be in an answer': {
		read: (link) => json.requireRecord({ link } as never, 'link'),
		takes: same({}, { a: 1 }),
		refuses: [undefined, null, [], 'a'],
		saying: /^The response has no "link"\. Check the base URL/,
	},
	'a list that must be in an answer': {
		read: (urls) => json.requireList({ urls } as never, 'urls'),
		takes: same([], [1]),
		refuses: [undefined, null, {}, 'a'],
		saying: /^The response has no "urls"\. Check the base URL/,
	},
	'a record with whole numbers': {
		read: (record) => json.withIntegers(record as never, ['id', 'clicks']),
		takes: [
			...all([{ id: '7', clicks: 'many', name: '8' }], { id: 7, clicks: 'many', name: '8' }),
			...same({ id: 7 }, { constructor: 'a', toString: 1 }),
		],
	},
};

const messageOf = (read: () => unknown): string => {
	try {
		return `no error, but ${JSON.stringify(read())}`;
	} catch (error) {
		return String(error instanceof Failure ? error.explanation : error);
	}
};

test.each(Object.entries(READERS))('%s', (_, { read, takes = [], refuses = [], saying }) => {
	expect(takes.map(([given]) => read(given))).toEqual(takes.map(([, becomes]) => becomes));
	for (const given of refuses) expect(messageOf(() => read(given))).toMatch(saying ?? 'nothing');
});

test('a path has each parameter that it names', () => {
	const template = '/api/channel/:channelId/assign/:itemType/:itemId';
	expect(placeholdersIn(template)).toEqual(['channelId', 'itemType', 'itemId']);
	expect(fillPath(template, { channelId: 7, itemId: 9, itemType: 'a/b' })).toBe(
		'/api/channel/7/assign/a%2Fb/9',
	);
});

test('a path is never another one, whatever a parameter holds', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			try {
				const path = fillPath('/api/url/:linkId', { linkId: parseId('linkId', value) });
				expect(path).toMatch(/^\/api\/url\/[1-9]\d*$/);
			} catch (error) {
				expect(String(error)).toMatch(/positive whole number/);
			}
		}),
	);
});

test('a dangerous address is named by its scheme', () => {
	expect(messageOf(() => address('URL', ' JavaScript:x:y'))).toBe(
		'URL must not be the address " JavaScript:x:y". Addresses with JavaScript: are refused, because they could harm whoever opens them.',
	);
});

describe('a date and time without a zone', () => {
	test.each([
		['2030-07-01 12:00', 'America/New_York', 'Europe/Berlin', '2030-07-01 18:00:00'],
		['2030-01-01 00:30', 'Europe/Berlin', 'UTC', '2029-12-31 23:30:00'],
		['2030-03-31 03:30', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
		['2030-03-31 01:30', 'Europe/Berlin', 'UTC', '2030-03-31 00:30:00'],
		['2030-06-30 00:00', 'UTC', 'Asia/Kolkata', '2030-06-30 05:30:00'],
		['1850-01-01 00:00', 'America/New_York', 'America/New_York', '1850-01-01 00:00:00'],
		// A time with a zone is in that one.
		['2030-12-31T23:59Z', 'America/New_York', 'UTC', '2030-12-31 23:59:00'],
		// Clocks are put forward over these: they are read as if that had not happened yet, an hour later by the new time.
		['2030-03-31 02:30', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
		['2030-03-10 02:30', 'America/New_York', 'UTC', '2030-03-10 07:30:00'],
		['2030-03-10 02:30', 'America/New_York', 'America/New_York', '2030-03-10 03:30:00'],
		['2030-10-06 02:15', 'Australia/Lord_Howe', 'Australia/Lord_Howe', '2030-10-06 02:45:00'],
		// Clocks are put back over these: the first time counts.
		['2030-11-03 01:30', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
		['2030-10-27 02:30', 'Europe/Berlin', 'UTC', '2030-10-27 00:30:00'],
		['2030-10-27 03:30', 'Europe/Berlin', 'UTC', '2030-10-27 02:30:00'],
		['2030-10-27 01:30', 'Europe/Berlin', 'UTC', '2030-10-26 23:30:00'],
	])('%s in %s is for a service in %s %s', (value, from, to, sent) => {
		expect(serviceDatetime('Expiry', value, { from, to })).toBe(sent);
	});

	test('comes out as it went in, to the hour of each zone', () => {
		const hours = fc.date({ min: new Date(1971, 1), max: new Date(2100, 1), noInvalidDate: true });
		const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns');
		fc.assert(
			fc.property(hours, zones, (date, zone) => {
				const text = `${date.toISOString().slice(0, 10)} 12:34:56`;
				expect(serviceDatetime('Expiry', text, { from: zone, to: zone })).toBe(text);
			}),
		);
	});
});

describe('a failure', () => {
	const cause = new TypeError('odd');
	const failure = new Failure({ kind: 'refused', message: 'No', advice: 'Ask', httpCode: 404 });

	test('says in sentences what happened, and what to do', () => {
		expect(failure.explanation).toBe('No. Ask.');
		expect(inputFailure('Why?')).toMatchObject({ kind: 'input', explanation: 'Why?', advice: '' });
		expect(inputFailure('Stop!', 'See https://example.com/a.b').explanation).toBe(
			'Stop! See https://example.com/a.b.',
		);
	});

	test('keeps the rest when it is said in other words', () => {
		const { name, kind, message, advice, httpCode, outcomeUnknown } = failure.with({
			message: 'Not found',
			outcomeUnknown: true,
		});
		expect([name, kind, message, advice, httpCode, outcomeUnknown]).toEqual([
			...['Failure', 'refused', 'Not found', 'Ask', 404, true],
		]);
		expect(failure.outcomeUnknown).toBe(false);
		expect(toFailure(cause).with({ message: 'b' }).cause).toBe(cause);
	});

	test('is found in what n8n wraps around it', () => {
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: failure }) });
		expect([findFailure(wrapped), toFailure(wrapped)]).toEqual([failure, failure]);
		for (const other of [cause, 'text', undefined]) expect(findFailure(other)).toBeUndefined();
	});

	test.each([
		[cause, 'odd'],
		['text', 'The node failed for an unknown reason'],
	])('that nobody foresaw keeps its words and its cause: %p', (thrown, message) => {
		expect(toFailure(thrown)).toMatchObject({ kind: 'unexpected', message, cause: thrown });
	});

	test('is a refusal if the service understood the request', () => {
		const of = (kind: FailureKind) => isRefusal(new Failure({ kind, message: '' }));
		expect([of('refused'), of('missing')]).toEqual([true, true]);
		expect([of('unavailable'), of('otherRefusal'), of('forbidden')]).toEqual([false, false, false]);
		expect(isRefusal(undefined)).toBe(false);
	});

	test('of a write says nothing about the service, if the values may be the cause', () => {
		const of = (kind: FailureKind, outcomeUnknown: boolean) =>
			new Failure({ kind, message: '', outcomeUnknown }).isOutage;
		for (const kind of ['serverError', 'unreadable'] as const)
			expect([of(kind, false), of(kind, true)]).toEqual([true, false]);
		for (const kind of ['unavailable', 'noResponse', 'unreachable', 'misrouted'] as const)
			expect([of(kind, false), of(kind, true)]).toEqual([true, true]);
		for (const kind of ['refused', 'otherRefusal', 'rateLimited', 'input'] as const)
			expect([of(kind, false), of(kind, true)]).toEqual([false, false]);
	});

	test('may be retried unless it may have been carried out, or somebody says so', () => {
		const of = (details: { outcomeUnknown?: boolean; mayRetry?: boolean }) =>
			new Failure({ kind: 'noResponse', message: '', ...details }).mayRetry;
		expect([of({}), of({ outcomeUnknown: true })]).toEqual([true, false]);
		expect([of({ outcomeUnknown: true, mayRetry: true }), of({ mayRetry: false })]).toEqual([
			...[true, false],
		]);
	});

	test('shows control and direction characters as signs, not as what they do', () => {
		const { message, advice, explanation } = new Failure({
			kind: 'refused',
			message: 'a\u202egnp.exe\nERROR\u0000\u2028\u200f',
			advice: '\u001b[31mred\u2066',
		});
		expect(message).toBe('a\\u202egnp.exe\\u000aERROR\\u0000\\u2028\\u200f');
		expect(advice).toBe('\\u001b[31mred\\u2066');
		expect(explanation).toBe(`${message}. ${advice}.`);
		// An emoji of several parts, and a soft hyphen, stay as they are.
		const kept = '\u{1f468}\u200d\u{1f469} e\u00adx';
		expect(new Failure({ kind: 'refused', message: kept }).message).toBe(kept);
	});
});

test('a record is copied without the members that are named', () => {
	expect(json.without({ a: 1, b: 2, c: 3 }, 'a', 'c')).toEqual({ b: 2 });
});

test('of a list, one record with an ID is enough', () => {
	for (const records of [[], [{ id: 'x' }, { id: 3 }]]) {
		expect(json.requireIds(records)).toEqual(records);
	}
});

test.each<[what: string, read: () => unknown, shown: object]>([
	[
		'without a readable ID',
		() => json.requireIds([{ id: 'x' }]),
		{ advice: 'An ID must be a positive whole number' },
	],
	[
		'without the list',
		() => json.requireList({}, 'urls'),
		{ message: 'The response has no "urls"' },
	],
])('a response %s cannot be read', async (_what, read, shown) => {
	await expect(Promise.resolve().then(read)).rejects.toMatchObject({
		kind: 'unreadable',
		...shown,
	});
});

test.each([
	['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
	['2030-06-01T14:00:00+02:00', NOON],
	['2030-06-01 12:00:00', NOON],
	['on 2030-06-01', undefined],
	['', undefined],
	[7, undefined],
])('the moment %j is %j', (value, moment) => {
	expect(momentIn(value)).toBe(moment);
});

test('an epoch is in milliseconds from 1e11 on', () => {
	expect([epochMs(1e11), epochMs(1e11 - 1)]).toEqual([1e11, 1e14 - 1000]);
});

test('a digest is the beginning of the SHA-256 of a text, in base64url', async () => {
	expect(await digest('abc', 12)).toBe('ungWv48Bz-pB');
	expect(await digest('abc', 99)).toHaveLength(43);
});

/** To order its marks takes minutes, in `normalize` and in the parser of addresses. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const letter = `a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
	const url = `https://${letter}.example.com`;
	expect([normalized(letter), webAddressIn(url), aliasIn(url)]).toEqual([
		letter,
		undefined,
		undefined,
	]);
	expect(normalized('e\u0301')).toBe('\u00e9');
	expect(normalized('\u00e9', 'NFD')).toBe('e\u0301');
	for (const read of [address, webAddress]) expect(() => read('URL', url)).toThrow('web address');
	expect(() => credential({ baseUrl: url })).toThrow('base URL');
	expect(canonicalUrl(url)).toBe(url);
	expect(() => purchaseCode('Code', letter)).toThrow('at most 255');
});

test.each([
	['0123456789abcdef', ['0123456789abcdef']],
	['0123456789abcde', []],
	['a; b Token 0123456789abcdef', ['a; b Token 0123456789abcdef']],
])('of the extra header %j, %j is secret', (extraHeaderValue, secrets) => {
	const header = credential({ extraHeaderName: 'X-Token', extraHeaderValue });
	expect(header.secrets).toEqual(['key', ...secrets]);
});

test.each(['Token ', 'Bearer  ', 'session='])(
	'what follows %j in an extra header is a secret',
	(start) => {
		const token = 'sk-ABCDEFGH12345678';
		const header = { extraHeaderName: 'X-Token', extraHeaderValue: `${start}${token}` };
		expect(credential(header).secrets).toContain(token);
	},
);

test.each<[value: unknown, decimal: number | undefined]>([
	['49.00', 49],
	['-0.5', -0.5],
	['1280.50', 1280.5],
	['7', 7],
	[9.5, 9.5],
	[['7'], undefined],
	...[
		'1e3',
		'0x10',
		'1,5',
		'1 000',
		' 1',
		'.5',
		'5.',
		'',
		'free',
		'1234567890123.45',
		null,
		true,
	].map((value): [unknown, undefined] => [value, undefined]),
])('the decimal %j is %j', (value, decimal) => {
	expect(json.decimalIn(value)).toBe(decimal);
});

test.each<[value: unknown, boolean: boolean | undefined]>([
	...[true, 1, '1', 'true'].map((value): [unknown, boolean] => [value, true]),
	...[false, 0, '0', 'false'].map((value): [unknown, boolean] => [value, false]),
	...[2, 'yes', '', null, undefined, {}].map((value): [unknown, undefined] => [value, undefined]),
])('the boolean %j is %j', (value, boolean) => {
	expect(json.booleanIn(value)).toBe(boolean);
});
