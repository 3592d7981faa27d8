import {
	isReadUntil,
	linkDetailsOf,
	qrCodeDetails,
} from '../../../dist/nodes/LinkManagement/records.js';

/** Records as installations have them. */

const details = { shorturl: 'https://go.example/one', longurl: 'https://example.com/' };

test('details without an ID are those of the link that was asked for', () => {
	expect(linkDetailsOf({ details }, 7)).toMatchObject({ id: 7, alias: 'one' });
});

test.each([{ id: 8, details }, { details: { ...details, shorturl: null } }])(
	'details of another link, or without a short URL, are of none: %j',
	(body) => {
		expect(() => linkDetailsOf(body, 7)).toThrow('There is no link with the ID 7');
	},
);

test.each([
	[{ date: '2030-01-01 00:00:00' }, {}, '2030-01-01 00:00:00'],
	[{}, { date: '2030-01-02 00:00:00' }, '2030-01-02 00:00:00'],
	[{}, {}, null],
])('the date of a QR code is in its details %j, or beside its numbers %j', (of, data, date) => {
	expect(qrCodeDetails({ details: { id: 1, ...of }, data }, 1)).toMatchObject({ date });
});

test('the details of another QR code are none', () => {
	expect(() => qrCodeDetails({ details: { id: 0, link: null }, data: { clicks: 0 } }, 7)).toThrow(
		'There is no QR code with the ID 7',
	);
});

test.each([
	[
		'the newest first, down to an older one',
		[
			[3, '04'],
			[2, '03'],
			[1, '01'],
		],
		true,
	],
	[
		'the newest first, but none is older',
		[
			[3, '04'],
			[2, '03'],
			[1, '02'],
		],
		false,
	],
	[
		'no order',
		[
			[2, '03'],
			[3, '04'],
			[1, '01'],
		],
		false,
	],
	[
		'the oldest first, in one second',
		[
			[1, '01'],
			[2, '01'],
			[3, '01'],
		],
		false,
	],
	[
		'no dates',
		[
			[3, ''],
			[2, ''],
		],
		false,
	],
	['no links', [], false],
] as const)('a list with %s was read until the 2nd: %s', (_what, links, isRead) => {
	const records = links.map(([id, day]) => ({
		id,
		...(day === '' ? {} : { date: `2030-01-${day}` }),
	}));
	expect(isReadUntil(records, '2030-01-02')).toBe(isRead);
});
