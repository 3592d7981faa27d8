import { DateTime } from 'luxon';

import {
	parseAddress,
	parseDomain,
	parseWebAddress,
} from '../../../../dist/nodes/LinkManagement/values/longUrl.js';
import {
	parseHexColor,
	parseRgbColor,
} from '../../../../dist/nodes/LinkManagement/values/color.js';
import {
	parseDatetime,
	parseExpiry,
} from '../../../../dist/nodes/LinkManagement/values/dateTime.js';
import { parsePhone } from '../../../../dist/nodes/LinkManagement/values/phone.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What becomes of a value that is not sent as it is; what is, `legitimate.test.ts` lists. */

const NOON = Date.UTC(2030, 5, 1, 12);
const UTC = { from: 'UTC', to: 'UTC' };
const PAGE = 'https://example.com/a?b=1&c=2';
const PLACEHOLDERS = ['{x y}', '{a{b c}d}', '[x y]', '%%x y%%', '*|x y|*', '<%= x %>', '${x y}'];

testReaders({
	'an address': {
		read: (value) => parseAddress('URL', value),
		takes: [
			...all(
				['&amp;', '&#038;', '&#38;'].map((and) => PAGE.replace('&', and)),
				PAGE,
			),
			...all(['//example.com/a', ' example.com/a\u200b'], 'https://example.com/a'),
			['example.com?a=1', 'https://example.com?a=1'],
			['127.0.0.1:80/a', 'https://127.0.0.1:80/a'],
			['https://example.com/é/😀 ü', 'https://example.com/%C3%A9/%F0%9F%98%80%20%C3%BC'],
			['https://example.com/<a>"b"', 'https://example.com/%3Ca%3E%22b%22'],
			["https://example.com/it's?a='b'#'", 'https://example.com/it%27s?a=%27b%27#%27'],
			['https://ann@größe.example:81/ß#ä', 'https://ann@xn--gre-6ka8i.example:81/%C3%9F#%C3%A4'],
			['mailto:a@b.example?subject=Größe 7', 'mailto:a@b.example?subject=Gr%C3%B6%C3%9Fe%207'],
			['https://wa.me/?text=see https://a.de', 'https://wa.me/?text=see%20https://a.de'],
			...PLACEHOLDERS.map((each) => [`https://a.de/a b?c=${each}`, `https://a.de/a%20b?c=${each}`]),
			...['{x', '[x', '%x%', '|x|', '__x__'].map((each) => [
				`https://a.de/?a=${each} b`,
				`https://a.de/?a=${each}%20b`,
			]),
		] as Array<[string, string]>,
		refuses: [
			...[`"${PAGE}"`, `<${PAGE}>`, `“${PAGE}”`, encodeURIComponent(PAGE), 'https://exa mple.com'],
			...[`<a href="${PAGE}">Text</a>`, 'https:\\/\\/example.com', 'https:\\\\example.com'],
		],
		saying: /^'URL' must be a web address, but is ".+"\. Enter a complete URL, such as/,
	},
	'a domain': {
		read: (value) => parseDomain('Domain', value),
		takes: [
			...all(['go.example.com', 'go.example.com/', ' go.example.com//'], 'go.example.com'),
			['https://go.example.com/', 'https://go.example.com'],
		],
		refuses: ['-', 'n/a', 'none'],
		saying: /^'Domain' must be a web address, but is/,
	},
	'a color': {
		read: (value) => [parseHexColor('Color', value), parseRgbColor('Color', value)],
		takes: all(['#ff9900', ' FF9900 ', '#f90'], ['#ff9900', 'rgb(255,153,0)']),
		refuses: ['#ff99', '#gggggg', '#ff9900ff', 'x#f90', 7, 'rgb(1,2,3)'],
		saying: /^'Color' must be a color, but is .*\. Enter it like/,
	},
	'a phone': {
		read: (value) => parsePhone('Phone', value),
		takes: [
			...same('+4930901820', '004930901820', '110'),
			...all(
				['+49.30.90 18–20\u202c', '(+49) (0)30 901820', '+ 49 ( 0 ) 30/901820'],
				'+4930901820',
			),
			['+39 (06) 901820', '+3906901820'],
			...all(['(030) 901820', '(0) 30 901820'], '030901820'),
		],
		refuses: [
			'030 901820 ext. 5',
			'*100#',
			'+',
			'030+901820',
			'tel:110',
			'030 901820 / 0171 1234567',
		],
		saying: /^'Phone' must be a phone number, but is ".+"\. Enter it like/,
	},
	'a date and time; a date alone begins its day': {
		read: (value) => parseDatetime('Created After', value, UTC),
		takes: [
			...all([new Date(NOON), DateTime.fromMillis(NOON)], '2030-06-01 12:00:00'),
			...all(['2030-06-01t12:00:00.123z', ' 2030-06-01 12:00 '], '2030-06-01 12:00:00'),
			...all(['2030-06-01T14:00+02:00', '2030-06-01 07:00 -0500'], '2030-06-01 12:00:00'),
			...all(['1.6.2030 12:00', '01.06.2030, 12:00:00'], '2030-06-01 12:00:00'),
			...all(['6/13/2030 12:00', '13/6/2030, 12:00'], '2030-06-13 12:00:00'),
			['46000.99930555', '2025-12-09 23:59:00'],
			...all(['2030-12-31', ' 31. 12. 2030 ', '12/31/2030', 47_848], '2030-12-31 00:00:00'),
			['05/05/2030', '2030-05-05 00:00:00'],
			['79999', '2119-01-10 00:00:00'],
		],
		refuses: [
			...['30.2.2030', '12.31.2030', '31/12/203', '2030-12-31T25:00', '31-Dec-30', '2030-12-311'],
			...['31.12.30', '13/13/2030', 'on 2030-12-31', '2030-12-31 23:59 or later', '1/2/2030 18:00'],
			...[19_999, '80001', NOON, NOON / 1000, true, new Date(Number.NaN), DateTime.invalid('none')],
		],
		saying: /^'Created After' must be a date that can be read in one way only, but is ".+"\. Enter/,
	},
	'an expiry; without a time, it ends with its day': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		takes: [
			...all(['2030-12-31', '12/31/2030', 47_848, '47848'], '2030-12-31 23:59:59'),
			...all(['2030-12-31 00:00', 47_848.000_001], '2030-12-31 00:00:00'),
		],
		refuses: ['2020-12-31', 40_000, new Date(0)],
		saying: /^'Expiry' is in the past: ".+"\.$/,
	},
});

test.each([
	['2030-07-01 12:00', 'America/New_York', 'Europe/Berlin', '2030-07-01 18:00:00'],
	['2030-06-30 00:00', 'UTC', 'Asia/Kolkata', '2030-06-30 05:30:00'],
	// A time with a zone is in that one.
	['2030-12-31T23:59Z', 'America/New_York', 'UTC', '2030-12-31 23:59:00'],
	// In the hours beside those that a change of clocks leaves out or repeats.
	['2030-03-31 03:30', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
	['2030-03-31 01:30', 'Europe/Berlin', 'UTC', '2030-03-31 00:30:00'],
	// In the hour that comes twice, the first time.
	['2030-11-03 01:30', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
	// In the hour that is left out, an hour later.
	['2030-03-10 02:30', 'America/New_York', 'America/New_York', '2030-03-10 03:30:00'],
	['2030-10-06 02:30', 'Australia/Sydney', 'Australia/Sydney', '2030-10-06 03:30:00'],
])('%s in %s is for a service in %s %s', (value, from, to, sent) => {
	expect(parseDatetime('Expiry', value, { from, to })).toBe(sent);
});

test('an expiry ends with the day in the zone of the workflow', () => {
	const zones = { from: 'America/New_York', to: 'Europe/Berlin' };
	expect(parseExpiry('Expiry', '2030-07-01', zones)).toBe('2030-07-02 05:59:59');
});

/** To order its marks takes minutes, in the parser of addresses. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const url = `https://a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}.example.com`;
	for (const parse of [parseAddress, parseWebAddress, parseDomain]) {
		expect(() => parse('URL', url)).toThrow('too long');
		expect(() => parse('URL', url.slice(0, 9000))).toThrow('web address');
	}
});
