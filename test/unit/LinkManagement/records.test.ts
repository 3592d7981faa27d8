import { linkDetailsOf, qrCodeDetails } from '../../../dist/nodes/LinkManagement/records.js';

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
