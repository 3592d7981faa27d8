import * as fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import { aliasIn } from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import {
	parseAddress,
	parseDomain,
	parseWebAddress,
} from '../../../../dist/nodes/LinkManagement/values/address.js';
import {
	parseHexColor,
	parseRgbColor,
} from '../../../../dist/nodes/LinkManagement/values/color.js';
import { parseDatetime } from '../../../../dist/nodes/LinkManagement/values/dateTime.js';
import {
	parseCount,
	parseBoolean,
	labelOf,
	parseLine,
	parseJson,
	parseId,
	requiredValue,
	parseRequiredLine,
	parseSecret,
	parseText,
} from '../../../../dist/nodes/shared/values/input.js';
import { fillPath } from '../../../../dist/nodes/shared/operations/rowInput.js';
import { visibleText, normalized } from '../../../../dist/nodes/shared/values/text.js';
import { webAddressIn } from '../../../../dist/nodes/shared/values/webAddress.js';
import { all, messageOf, same, testReaders } from '../../helpers/readers.ts';

/** What a field, a cell of a sheet or the call of an AI agent holds. How fields use these readers, the engine tests show. */

const NOON = Date.UTC(2030, 5, 1, 12);
const circle: Record<string, unknown> = {};
circle.self = circle;

testReaders({
	'an id in a path': {
		read: (value) => fillPath('/api/url/:linkId/update', { linkId: parseId('linkId', value) }),
		takes: all([42, '42', ' 42 '], '/api/url/42/update'),
		refuses: ['../1', '1?x=y', '-1', '0', '1.5', '1e3', '9007199254740993', '', null, [], true],
		saying: /^Link ID must be a positive whole number, but is (empty|".+")\. Pick one/,
	},
	'a value in a message': {
		read: (value) => messageOf(() => parseId('id', value)).replace(/^.*but is |\. Pick one.*/g, ''),
		takes: [
			...all([undefined, null, ''], 'empty'),
			['x'.repeat(80), `"${'x'.repeat(80)}"`],
			['x'.repeat(81), `"${'x'.repeat(80)}…"`],
			[circle, '"{"self":"[Circular Reference]"}"'],
			['a\u200b\n', '"a\\u{200b}\\u{a}"'],
		],
	},
	'a label': {
		read: (name) => labelOf(String(name)),
		takes: [
			['qrCodeId', 'QR Code ID'],
			['shortUrl', 'Short URL'],
			['identity', 'Identity'],
		],
	},
	'a date and time': {
		read: (value) => parseDatetime('Expiry', value, { from: 'UTC', to: 'UTC' }),
		takes: [
			...all([new Date(NOON), DateTime.fromMillis(NOON)], '2030-06-01 12:00:00'),
			...all(['2030-06-01t12:00:00.123z', ' 2030-06-01 12:00 '], '2030-06-01 12:00:00'),
			...all(['2030-06-01T14:00+02:00', '2030-06-01 07:00 -0500'], '2030-06-01 12:00:00'),
			['2030-12-31', '2030-12-31 00:00:00'],
			...all(['31.12.2030', ' 31. 12. 2030 '], '2030-12-31 00:00:00'),
			...all(['1.6.2030 12:00', '01.06.2030, 12:00:00'], '2030-06-01 12:00:00'),
			[20_000, '1954-10-03 00:00:00'],
			['80000', '2119-01-11 00:00:00'],
			...all([46_000.999305555, '46000,99930555'], '2025-12-09 23:59:00'),
		],
		refuses: [
			...['tomorrow', '31.12.30', '30.2.2030', '12.31.2030', '12/31/2030', '2030-12-31T25:00'],
			...['on 2030-12-31', '2030-12-31 23:59 or later', '2030-12-31 23:59+1'],
			...[19_999, '80001', 2030, NOON, NOON / 1000, -1, true, {}, []],
			...[new Date(Number.NaN), Duration.fromObject({ days: 7 }), DateTime.invalid('none')],
		],
		saying: /^Expiry must be a date and time, but is ".+"\. Enter it like/,
	},
	'a color': {
		read: (value) => [parseHexColor('Color', value), parseRgbColor('Color', value)],
		takes: [
			...all(['#ff9900', ' FF9900 ', '#f90', '\ufefff90'], ['#ff9900', 'rgb(255,153,0)']),
			[123456, ['#123456', 'rgb(18,52,86)']],
		],
		refuses: ['red', '#ff99', '#gggggg', '#ff9900ff', 'x#f90', 'rgb(1,2,3)', 7],
		saying: /^Color must be a color, but is .*\. Enter it like/,
	},
	'a line that has to be there': {
		read: (value) => parseRequiredLine('Name', value),
		takes: [
			[' Ann ', 'Ann'],
			[0, '0'],
			[false, 'false'],
		],
		refuses: ['', '  ', '\u200b\ufeff', [], null, undefined],
		saying: /^Name is empty\. Enter/,
	},
	'a line or a text that is none': {
		read: (value) => [parseLine, parseText].map((parse) => parse('Name', value)),
		refuses: [{}, ['a'], new Date(0), Number.NaN, 1n, circle],
		saying: /^Name must be text, but is ".+"\. Check/,
	},
	'a secret that has to be there': {
		read: (value) => requiredValue(parseSecret)('Password', value),
		takes: [[' s ', ' s ']],
		refuses: ['', '  ', null],
		saying: /^Password is empty\. Enter/,
	},
	'what people see of a text': {
		read: (value) => visibleText(String(value)),
		takes: [
			...same('👩\u200d💻', '❤\ufe0f', 'می\u200cخواهم', '🏴\u{e0067}\u{e0062}\u{e007f}'),
			...all(['\ufeffa\u00adb\u200b', '\u202aa\u200db\u2066\u202c', '\u00a0a\u2060b\u061c'], 'ab'),
		],
	},
	'a number of records': {
		read: (value) => parseCount('Clicks', value),
		takes: [...same(0, 7), ['8 ', 8]],
		refuses: ['', -1, 1.5, 'many', null, true],
		saying: /^Clicks must be a whole number of 0 or more, but is (empty|".+")\.$/,
	},
	'a switch': {
		read: (value) => parseBoolean('Public', value),
		takes: [...all([true, ' TRUE ', 1, '1'], true), ...all([false, 'False', 0, '0'], false)],
		refuses: ['yes', '', 2, null, {}],
		saying: /^Public must be true or false, but is (empty|".+")\. Compare it in the field: /,
	},
	JSON: {
		read: (value) => parseJson('Content', value),
		takes: [
			['[{"a":1}]', [{ a: 1 }]],
			[{ a: new Date(NOON) }, { a: '2030-06-01T12:00:00.000Z' }],
			...same(null, undefined),
		],
		refuses: ['{a:1', ''],
		saying: /^Content is not valid JSON\. Put texts in/,
	},
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
		['2030-06-30 00:00', 'UTC', 'Asia/Kolkata', '2030-06-30 05:30:00'],
		['1850-01-01 00:00', 'America/New_York', 'America/New_York', '1850-01-01 00:00:00'],
		// A time with a zone is in that one.
		['2030-12-31T23:59Z', 'America/New_York', 'UTC', '2030-12-31 23:59:00'],
		// On the days when clocks are put forward and back.
		['2030-03-31 03:30', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
		['2030-03-31 01:30', 'Europe/Berlin', 'UTC', '2030-03-31 00:30:00'],
		['2030-11-03 01:30', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
		['2030-10-27 03:30', 'Europe/Berlin', 'UTC', '2030-10-27 02:30:00'],
	])('%s in %s is for a service in %s %s', (value, from, to, sent) => {
		expect(parseDatetime('Expiry', value, { from, to })).toBe(sent);
	});
});

/** To order its marks takes minutes, in `normalize` and in the parser of addresses. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const letter = `a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
	const url = `https://${letter}.example.com`;
	expect([normalized(letter), normalized('e\u0301')]).toEqual([letter, '\u00e9']);
	expect([webAddressIn(url), aliasIn(url)]).toEqual([undefined, undefined]);
	for (const read of [parseAddress, parseWebAddress, parseDomain]) {
		expect(() => read('URL', url)).toThrow('too long');
		expect(() => read('URL', url.slice(0, 9000))).toThrow('web address');
	}
});
