import * as fc from 'fast-check';

import { readCredential } from '../../dist/nodes/shared/http/credential.js';
import { fillPath, labelOf } from '../../dist/nodes/shared/values/path.js';
import { hexColor, rgbColor } from '../../dist/nodes/LinkManagement/values/color.js';
import { serviceDatetime } from '../../dist/nodes/LinkManagement/values/dateTime.js';
import { address, webAddress } from '../../dist/nodes/LinkManagement/values/address.js';
import { parsedJson, requiredText, verbatim } from '../../dist/nodes/shared/values/text.js';

describe('a base URL', () => {
	const normalizeBaseUrl = (baseUrl: unknown) =>
		readCredential({ baseUrl: baseUrl as string, apiKey: 'key' }).baseUrl;

	test.each([
		['https://links.example.com', 'https://links.example.com'],
		['https://links.example.com/', 'https://links.example.com'],
		['  https://links.example.com//  ', 'https://links.example.com'],
		['https://links.example.com/api', 'https://links.example.com'],
		['https://links.example.com/API/', 'https://links.example.com'],
		['http://127.0.0.1:4010/shortener/api/', 'http://127.0.0.1:4010/shortener'],
		['HTTPS://Links.Example.com', 'https://links.example.com'],
		['https://links.example.com/?a=b@c#d', 'https://links.example.com'],
		['https://links.example.com/@team', 'https://links.example.com/@team'],
	])('%j becomes %j', (entered, normal) => {
		expect(normalizeBaseUrl(entered)).toBe(normal);
	});

	test.each([
		'',
		'   ',
		undefined,
		'links.example.com',
		'ftp://links.example.com',
		'https://',
		'https://a b',
	])('%j is refused', (entered) => {
		expect(() => normalizeBaseUrl(entered)).toThrow(/base URL/);
	});

	test.each([
		'https://ann:secret@links.example.com',
		'https://secret@links.example.com',
		'ann:secret@links.example.com',
		'ann:sec/ret@links.example.com',
		'ann:s@cret@links.example.com',
		'https://ann:secret@links example.com',
	])('%j is refused without repeating the password', (entered) => {
		expect(() => normalizeBaseUrl(entered)).toThrow(
			/^The base URL holds a user name or a password$/,
		);
	});

	test('is repeated in a message without its query, which may hold a key', () => {
		expect(() => normalizeBaseUrl('links.example.com/?api_key=secret')).toThrow(
			/^The base URL "links.example.com\/" has no http:\/\/ or https:\/\/$/,
		);
	});
});

describe('requests per minute', () => {
	const read = (entered: unknown) => {
		const requestsPerMinute = entered as number;
		const data = { baseUrl: 'https://links.example.com', apiKey: 'key', requestsPerMinute };
		return readCredential(data, 30).requestsPerMinute;
	};

	test.each([
		[30, 30],
		['30', 30],
		[' 30 ', 30],
		[2.9, 2],
		['0.4', 1],
		[0.4, 1],
		[0, 0],
		['0', 0],
		['', 30],
		[' ', 30],
		[null, 30],
		[undefined, 30],
	])('%j are %i', (entered, number) => {
		expect(read(entered)).toBe(number);
	});

	test.each([-1, '-1', '2,5', '10 per minute', '1e3', Infinity, Number.NaN, true, [30], {}])(
		'%j are refused',
		(entered) => {
			expect(() => read(entered)).toThrow(
				/^Requests per Minute must be a number from 0 up, but is /,
			);
		},
	);
});

describe('a path', () => {
	const values: Record<string, unknown> = {
		linkId: '42',
		channelId: 7,
		itemType: 'qr',
		itemId: ' 9 ',
	};
	const read = (name: string) => values[name];

	test('is filled from the parameters that it names', () => {
		const words = { itemType: ['links', 'bio', 'qr'] };
		expect(fillPath('/api/channel/:channelId/assign/:itemType/:itemId', read, words)).toEqual({
			path: '/api/channel/7/assign/qr/9',
			ids: { channelId: 7, itemId: 9 },
		});
	});

	test.each([
		'',
		'..',
		'../1',
		'1/2',
		'1?x=y',
		'-1',
		'0',
		'1.5',
		'1e3',
		'abc',
		null,
		undefined,
		{},
		[],
		true,
		1.5,
		Number.NaN,
		2 ** 60,
	])('refuses %j as an id, naming the parameter', (value) => {
		expect(() => fillPath('/api/url/:linkId', () => value)).toThrow(
			/^Link ID must be a positive whole number, but is /,
		);
	});

	test('refuses a word that the document does not list', () => {
		const words = { itemType: ['links', 'bio', 'qr'] };
		expect(() => fillPath('/x/:itemType', () => '../links', words)).toThrow(
			'Item Type must be one of links, bio, qr, but is "../links"',
		);
	});

	test('is never another one, whatever a parameter holds', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				try {
					expect(fillPath('/api/url/:linkId', () => value).path).toMatch(/^\/api\/url\/[1-9]\d*$/);
				} catch (error) {
					expect(String(error)).toMatch(/positive whole number/);
				}
			}),
		);
	});

	test.each([
		['linkId', 'Link ID'],
		['qrCodeId', 'QR Code ID'],
		['ctaOverlayId', 'CTA Overlay ID'],
	])('calls %s %j', (name, label) => {
		expect(labelOf(name)).toBe(label);
	});
});

describe('a datetime', () => {
	const zones = (from: string, to: string) => ({ from, to });

	test.each([
		['2030-12-31T23:59:00', 'UTC', 'UTC', '2030-12-31 23:59:00'],
		['2030-12-31 23:59', 'UTC', 'UTC', '2030-12-31 23:59:00'],
		['2030-12-31', 'UTC', 'UTC', '2030-12-31 00:00:00'],
		['2030-12-31T23:59:00.123Z', 'America/New_York', 'UTC', '2030-12-31 23:59:00'],
		['2030-12-31T23:59:00+02:00', 'UTC', 'UTC', '2030-12-31 21:59:00'],
		['2030-07-01T12:00:00', 'America/New_York', 'Europe/Berlin', '2030-07-01 18:00:00'],
		['2030-01-01T00:30:00', 'Europe/Berlin', 'UTC', '2029-12-31 23:30:00'],
		['2030-03-31T03:30:00', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
		['2030-06-30T00:00:00', 'UTC', 'Asia/Kolkata', '2030-06-30 05:30:00'],
		// Clocks are put forward over these: they are read as if that had not happened yet, an hour later by the new time.
		['2030-03-31T02:30:00', 'Europe/Berlin', 'UTC', '2030-03-31 01:30:00'],
		['2030-03-10T02:30:00', 'America/New_York', 'UTC', '2030-03-10 07:30:00'],
		['2030-03-10T02:30:00', 'America/New_York', 'America/New_York', '2030-03-10 03:30:00'],
		['2030-10-06T02:15:00', 'Australia/Lord_Howe', 'Australia/Lord_Howe', '2030-10-06 02:45:00'],
		// Clocks are put back over these: the first time counts.
		['2030-11-03T01:30:00', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
		['2030-10-27T02:30:00', 'Europe/Berlin', 'UTC', '2030-10-27 00:30:00'],
	])('%s in %s is for a service in %s %s', (value, from, to, sent) => {
		expect(serviceDatetime('Expiry', value, zones(from, to))).toBe(sent);
	});

	test('may be a Date, milliseconds or seconds, also as text, or the DateTime that $now gives', () => {
		const moment = Date.UTC(2030, 5, 1, 12);
		const seconds = moment / 1000;
		const numbers = [moment, seconds, String(moment), ` ${seconds} `];
		for (const value of [...numbers, new Date(moment), { toMillis: () => moment }]) {
			expect(serviceDatetime('Expiry', value, zones('UTC', 'UTC'))).toBe('2030-06-01 12:00:00');
		}
	});

	test('for a service in an unknown time zone is refused, naming the field of the credential', () => {
		expect(() => serviceDatetime('Expiry', '2030-01-01', zones('UTC', 'Berlin/Europe'))).toThrow(
			'Service Time Zone is no time zone, but "Berlin/Europe"',
		);
	});

	test('that is empty is sent empty, which clears the field', () => {
		expect(serviceDatetime('Expiry', '', zones('UTC', 'UTC'))).toBe('');
	});

	test.each([
		'tomorrow',
		'31.12.2030',
		'2030-02-30',
		'2030-13-01',
		'2030-12-31T25:00',
		// The number of a day in a spreadsheet, a year, and more than a calendar has.
		47848,
		'47848.5',
		2030,
		1e17,
		{},
		true,
		Number.NaN,
	])('%j is refused, naming the field', (value) => {
		expect(() => serviceDatetime('Expiry', value, zones('UTC', 'UTC'))).toThrow(
			/^Expiry must be a date and time, but is /,
		);
	});

	test('comes out as it went in when both zones are the same', () => {
		const whole = fc.date({
			min: new Date('1971-01-02'),
			max: new Date('2100-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(whole, (date) => {
				const text = `${date.toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
				expect(serviceDatetime('Expiry', text, zones('UTC', 'UTC'))).toBe(text);
			}),
		);
	});
});

describe('an address', () => {
	test.each([
		'https://example.com/a?b=c#d',
		'mailto:ann@example.com?subject=Hello',
		'tel:+4930901820',
		'myapp://open/7',
		'itms-apps://apps.example.com/app/id1',
		'com.example.app://open',
	])('%s is sent as written', (url) => {
		expect(address('URL', ` ${url} `)).toBe(url);
	});

	test.each([
		'javascript:alert(1)',
		'JavaScript:alert(1)',
		' javascript:alert(1)',
		'java\nscript:alert(1)',
		'data:text/html,x',
		'vbscript:x',
		'file:///etc/passwd',
		'blob:https://example.com/1',
		'example.com',
		'example.com:80/a',
		'localhost:3000',
		'https:example.com',
		'https://',
		'//example.com',
		'no address',
		7,
		{},
	])('%j is refused, naming the field', (value) => {
		expect(() => address('URL', value)).toThrow(/^URL must be a web address, but is "/);
	});
});

describe('a web address', () => {
	test.each(['https://example.com', 'http://example.com/a?b=c#d', 'HTTPS://EXAMPLE.COM'])(
		'%s is sent as written',
		(url) => {
			expect(webAddress('URL', ` ${url} `)).toBe(url);
		},
	);

	test.each(['example.com', 'javascript:alert(1)', 'ftp://example.com', 'http://', 7, {}, null])(
		'%j is refused, naming the field',
		(value) => {
			expect(() => webAddress('Meta Image', value)).toThrow(/^Meta Image must be a web address/);
		},
	);
});

describe('a colour', () => {
	test.each([
		['#ff9900', '#ff9900', 'rgb(255,153,0)'],
		['FF9900', '#ff9900', 'rgb(255,153,0)'],
		['#f90', '#ff9900', 'rgb(255,153,0)'],
		['rgb(255, 153, 0)', '#ff9900', 'rgb(255,153,0)'],
		['', '', ''],
	])('%j is %j and %j', (value, hex, rgb) => {
		expect(hexColor('Color', value)).toBe(hex);
		expect(rgbColor('Color', value)).toBe(rgb);
	});

	test.each(['red', '#ff99', '#gggggg', 'rgb(256,0,0)', 'rgb(1,2)', 7, null])(
		'%j is refused',
		(value) => {
			expect(() => hexColor('Color', value)).toThrow(/^Color must be a color, but is /);
		},
	);
});

test('a text may be a number or a switch, as sheets and AI models give them, but nothing else', () => {
	expect(verbatim('Name', ' Ann ')).toBe(' Ann ');
	expect(verbatim('Name', 42)).toBe('42');
	expect(verbatim('Name', false)).toBe('false');
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	for (const value of [{}, ['a'], new Date(0), Number.NaN, () => 1, 1n, circle]) {
		expect(() => verbatim('Name', value)).toThrow(/^Name must be a text, but is "/);
	}
});

test('a required text is no blank one', () => {
	expect(requiredText('Name', ' Ann ')).toBe('Ann');
	for (const value of ['', '  ', null, undefined]) {
		expect(() => requiredText('Name', value)).toThrow('Name is empty');
	}
});

test('JSON is refused if it does not parse', () => {
	expect(parsedJson('Content', '"text"')).toBe('text');
	expect(parsedJson('Content', '[{"a":1}]')).toEqual([{ a: 1 }]);
	expect(() => parsedJson('Content', '{a:1')).toThrow('Content is no valid JSON');
});
