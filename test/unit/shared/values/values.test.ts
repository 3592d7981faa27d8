import * as fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import {
	address,
	domain,
	webAddress,
} from '../../../../dist/nodes/LinkManagement/values/address.js';
import { hexColor, rgbColor } from '../../../../dist/nodes/LinkManagement/values/color.js';
import {
	datetimeIn,
	serviceDatetime,
} from '../../../../dist/nodes/LinkManagement/values/dateTime.js';
import { aliasIn } from '../../../../dist/nodes/LinkManagement/records.js';
import { purchaseCode } from '../../../../dist/nodes/Store/purchaseCode.js';
import { codesIn } from '../../../../dist/nodes/Store/trigger/codes.js';
import { digest } from '../../../../dist/nodes/shared/values/digest.js';
import {
	Failure,
	type FailureKind,
	findFailure,
	toFailure,
	inputFailure,
} from '../../../../dist/nodes/shared/values/failure.js';
import * as json from '../../../../dist/nodes/shared/values/json.js';
import { cleaned, normalized } from '../../../../dist/nodes/shared/values/text.js';
import { epochMs, momentIn } from '../../../../dist/nodes/shared/values/moment.js';
import { fillPath, placeholdersIn } from '../../../../dist/nodes/shared/values/path.js';
import {
	count,
	flag,
	labelOf,
	line,
	parsedJson,
	parseId,
	required,
	requiredLine,
	secret,
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

const CODE = '7f3a9c52-1b8e-4d60-9a47-ffc5e2f0d81b';
const OTHER_CODE = '5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58';

const NOON = Date.UTC(2030, 5, 1, 12);
const circle: Record<string, unknown> = {};
circle.self = circle;
const READERS: Record<string, Reader> = {
	'a datetime of a record': {
		read: datetimeIn,
		takes: [
			...all(['2030-06-01 12:00:00', ' 2030-06-01 12:00:00 '], '2030-06-01 12:00:00'),
			...all(list('0000-00-00 00:00:00 | 2030-13-01 00:00:00 | 2030-06-01 | yesterday'), undefined),
			...all([1906545600, null, '2030-06-01 12:00:00.5', '+002030-06-01 12:00:00'], undefined),
		],
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
			['a\u00ad\u202eb\u200b\n\u{e0001}', '"a\\u00ad\\u202eb\\u200b\\u000a\\u{e0001}"'],
			['👩\u200d💻', '"👩\u200d💻"'],
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
			...all([new Date(NOON), DateTime.fromMillis(NOON)], '2030-06-01 12:00:00'),
			...all(list('2030-06-01t12:00:00.123z |  2030-06-01 12:00 '), '2030-06-01 12:00:00'),
			...all(list('2030-06-01T14:00+02:00 | 2030-06-01 07:00 -0500'), '2030-06-01 12:00:00'),
			['2030-12-31 23:59:58', '2030-12-31 23:59:58'],
			['2030-12-31', '2030-12-31 00:00:00'],
			...all(list('31.12.2030 |  31. 12. 2030 '), '2030-12-31 00:00:00'),
			...all(list('1.6.2030 12:00 | 01.06.2030, 12:00:00'), '2030-06-01 12:00:00'),
			['1.6.2030 9:05:07', '2030-06-01 09:05:07'],
			['0099-01-01', '0099-01-01 00:00:00'],
			[20_000, '1954-10-03 00:00:00'],
			['80000', '2119-01-11 00:00:00'],
			...all([46_000.999305555555, '46000,99930555'], '2025-12-09 23:59:00'),
		],
		refuses: [
			...list(
				'tomorrow | 31.12.30 | 30.2.2030 | 12.31.2030 | 31.12. | 2030-02-30 | 2030-13-01 | 2030-12-31T25:00 | 2030-12-31T',
			),
			...list(
				'on 2030-12-31 | 2030-12-31 23:59 or later | 2030-12-31 23:59+1 | 1/2/30 | 12/31/2030',
			),
			...[19_999, '80001', 2030, NOON, NOON / 1000, 604_800_000, -1, true],
			...[{}, { toMillis: () => NOON }, [], new Date(Number.NaN)],
			...[Duration.fromObject({ days: 7 }), DateTime.invalid('none')],
		],
		saying: /^Expiry must be a date and time, but is ".+"\. Enter it like/,
	},
	'a purchase code': {
		read: (value) => purchaseCode('Code', value),
		takes: [
			...all(['', ' \u200b', '=""', null, undefined, []], ''),
			...all([CODE, ` ${CODE}.\n`, `"${CODE}"`, `="${CODE}"`, `=""${CODE}""`, `“${CODE}”,`], CODE),
			...all([`- ${CODE}`, `• ${CODE};`, `'${CODE}`, `„${CODE}“`, `(${CODE})`, `<${CODE}>`], CODE),
			...all(
				['-', ' - ', '\u00a0-\u00a0', '-\n', '\n-', '–', '—', '−', '‑', '\u00ad-\u200b'].map(
					(dash) => CODE.replaceAll('-', dash),
				),
				CODE,
			),
			...all([`\u202a${CODE}\u202c`, `\ufeff${CODE}`, CODE.replace('ff', 'ﬀ')], CODE),
			...all([CODE.replace('c5e2', 'c5\ne2'), CODE.replace('c5e2', 'c5\r\n\te2')], CODE),
			...same('ABCD EFGH IJKL MNOP', 'A1B2C3D4', 'a+b/c='),
			[123456, '123456'],
		],
	},
	'two purchase codes': {
		read: (value) => purchaseCode('Code', value),
		refuses: [' ', '\n', ', ', ';', ' and ', '|', '\t'].map(
			(joint) => `${CODE}${joint}${OTHER_CODE}`,
		),
		saying: /^Code has more than one code: ".+"\. Give each code an item of its own\.$/,
	},
	'a text that is too long for a purchase code': {
		read: (value) => purchaseCode('Code', value),
		refuses: ['x'.repeat(256), `a${'\u0300'.repeat(100_000)}`],
		saying: /^Code has \d+ characters, but a code has at most 255\./,
	},
	'what a sheet has in place of a purchase code': {
		read: (value) => purchaseCode('Code', value),
		refuses: [...list('#N/A | #NV | #REF! | ="#NAME?" | 1.23457E+19 | 1,23457E+19'), 1e15, 1.5e20],
		saying: /^Code is (the error of a formula|a number that a spreadsheet has rounded): "/,
	},
	'the codes of a trigger': {
		read: (value) => [...codesIn(value)],
		takes: [
			...all(
				[`${CODE}\n${OTHER_CODE}`, `${CODE}, ${OTHER_CODE};`, `- ${CODE}\r\n- ${OTHER_CODE}\n`],
				[CODE, OTHER_CODE],
			),
			...all(
				[[CODE, null, OTHER_CODE, CODE], `${CODE.replace('-', '-\r\n')}\n${OTHER_CODE}`],
				[CODE, OTHER_CODE],
			),
			...all([undefined, null, '', ' \n,'], []),
		],
		refuses: [`${CODE} ${OTHER_CODE}`, `${CODE}\n#N/A`, [1.5e20], { code: CODE }],
		saying: /^Purchase Codes (has more than one|is the error|is a number|must be text)/,
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
	'a color': {
		read: (value) => [hexColor('Color', value), rgbColor('Color', value)],
		takes: [
			...all(['#ff9900', ' FF9900 ', '#f90', '\ufefff90'], ['#ff9900', 'rgb(255,153,0)']),
			[123456, ['#123456', 'rgb(18,52,86)']],
		],
		refuses: [...list('red | #ff99 | #gggggg | #ff9900ff | ##ff9900 | x#f90 | rgb(1,2,3)'), 7],
		saying: /^Color must be a color, but is .*\. Enter it like/,
	},
	'a line that has to be there': {
		read: (value) => requiredLine('Name', value),
		takes: [
			[' Ann ', 'Ann'],
			[0, '0'],
			[false, 'false'],
		],
		refuses: ['', '  ', '\u200b\ufeff', [], null, undefined],
		saying: /^Name is empty\. Enter/,
	},
	'a line or a text that is none': {
		read: (value) => [line, text].map((parse) => parse('Name', value)),
		refuses: [{}, ['a'], new Date(0), Number.NaN, Infinity, 1n, circle],
		saying: /^Name must be text, but is ".+"\. Check/,
	},
	'a secret that has to be there': {
		read: (value) => required(secret)('Password', value),
		takes: [[' s ', ' s ']],
		refuses: ['', '  ', null],
		saying: /^Password is empty\. Enter/,
	},
	'what people see of a text': {
		read: (value) => cleaned(String(value)),
		takes: [
			...same(
				'👩\u200d💻',
				'❤\ufe0f',
				'1\ufe0f\u20e3',
				'می\u200cخواهم',
				'🏴\u{e0067}\u{e0062}\u{e007f}',
			),
			...all(['\ufeffa\u00adb\u200b', '\u202aa\u200db\u2066\u202c', '\u00a0a\u2060b\u061c'], 'ab'),
		],
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
		saying: /^Public must be true or false, but is (empty|".+")\. Compare it in an expression: /,
	},
	JSON: {
		read: (value) => parsedJson('Content', value),
		takes: [
			['"text"', 'text'],
			['[{"a":1}]', [{ a: 1 }]],
			[{ a: new Date(NOON) }, { a: '2030-06-01T12:00:00.000Z' }],
			...same(null, undefined),
		],
		refuses: ['{a:1', ''],
		saying: /^Content is not valid JSON\. Put texts in/,
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
		read: (record) =>
			json.withTypes(record as never, { id: json.integerIn, clicks: json.integerIn }),
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
		// On the day when clocks are put back.
		['2030-11-03 01:30', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
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

	test('shows as signs what nobody sees', () => {
		const { explanation } = new Failure({
			kind: 'refused',
			message: 'a\u202egnp.exe\nERROR\u0000\u2028\u200b\u00ad\ufeff 👩\u200d💻',
			advice: '\u001b[31mred\u2066',
		});
		expect(explanation).toBe(
			'a\\u202egnp.exe\\u000aERROR\\u0000\\u2028\\u200b\\u00ad\\ufeff 👩\u200d💻. \\u001b[31mred\\u2066.',
		);
	});

	test('is a refusal if the service understood the request', () => {
		const of = (kind: FailureKind) => new Failure({ kind, message: '' }).consequences.isRefusal;
		expect([of('refused'), of('missing')]).toEqual([true, true]);
		expect([of('unavailable'), of('otherRefusal'), of('forbidden')]).toEqual(
			Array(3).fill(undefined),
		);
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
	for (const read of [address, webAddress, domain]) {
		expect(() => read('URL', url)).toThrow('too long');
		expect(() => read('URL', url.slice(0, 9000))).toThrow('web address');
	}
});

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
