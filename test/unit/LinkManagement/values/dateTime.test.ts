import { DateTime, Duration } from 'luxon';

import {
	parseDatetime,
	parseExpiry,
} from '../../../../dist/nodes/LinkManagement/values/dateTime.js';
import { all, testReaders } from '../../helpers/readers.ts';

const NOON = Date.UTC(2030, 5, 1, 12);
const UTC = { from: 'UTC', to: 'UTC' };

testReaders({
	'a date and time': {
		read: (value) => parseDatetime('Created After', value, UTC),
		takes: [
			...all([new Date(NOON), DateTime.fromMillis(NOON)], '2030-06-01 12:00:00'),
			...all(['2030-06-01t12:00:00.123z', ' 2030-06-01 12:00 '], '2030-06-01 12:00:00'),
			...all(['2030-06-01T14:00+02:00', '2030-06-01 07:00 -0500'], '2030-06-01 12:00:00'),
			...all(['1.6.2030 12:00', '01.06.2030, 12:00:00'], '2030-06-01 12:00:00'),
			...all(['6/13/2030 12:00', '13/6/2030, 12:00'], '2030-06-13 12:00:00'),
			...all([46_000.999305555, '46000.99930555'], '2025-12-09 23:59:00'),
			['1999-12-31 23:59', '1999-12-31 23:59:00'],
		],
		refuses: [
			...['tomorrow', '30.2.2030', '12.31.2030', '31/12/203', '2030-12-31T25:00', '2/30/2030'],
			...['31-Dec-30', '2030-12-311', '1-2-3', '31.12.30', '12/31/30', '13/13/2030'],
			...['on 2030-12-31', '2030-12-31 23:59 or later', '2030-12-31 23:59+1', '01/02/2030'],
			...['1/2/2030 18:00', 19_999, '80001', 2030, NOON, NOON / 1000, -1, true],
			...[new Date(Number.NaN), DateTime.invalid('none')],
		],
		saying: /^'Created After' must be a date that can be read in one way only, but is ".+"\. Enter/,
	},
	'another object': {
		read: (value) => parseDatetime('Created After', value, UTC),
		refuses: [{}, [], Duration.fromObject({ days: 7 })],
		saying: /^'Created After' must be text/,
	},
	'a date alone, which begins a time': {
		read: (value) => parseDatetime('Created After', value, UTC),
		takes: [
			...all(['2030-12-31', '31.12.2030', ' 31. 12. 2030 '], '2030-12-31 00:00:00'),
			...all(['12/31/2030', '31/12/2030', 47_848], '2030-12-31 00:00:00'),
			...all(['05/05/2030', '5/05/2030'], '2030-05-05 00:00:00'),
			[20_000, '1954-10-03 00:00:00'],
			['79999', '2119-01-10 00:00:00'],
		],
	},
	'an expiry without a time, which ends at the end of its day': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		takes: [
			...all(['2030-12-31', '31.12.2030', '12/31/2030', 47_848, '47848'], '2030-12-31 23:59:59'),
			...all(['2030-12-31 00:00', 47_848.000_001], '2030-12-31 00:00:00'),
			...all([new Date(NOON), '2030-06-01 12:00'], '2030-06-01 12:00:00'),
		],
	},
	'an expiry in the past': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		refuses: ['2020-12-31', '31.12.2020', 40_000, new Date(0)],
		saying: /^'Expiry' is in the past: ".+"\.$/,
	},
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
		['2030-10-27 03:30', 'Europe/Berlin', 'UTC', '2030-10-27 02:30:00'],
		// In the hour that comes twice, the first time.
		['2030-11-03 01:30', 'America/New_York', 'UTC', '2030-11-03 05:30:00'],
		['2030-10-27 02:30', 'Europe/Berlin', 'UTC', '2030-10-27 00:30:00'],
		// In the hour that is left out, an hour later.
		['2030-03-31 02:30', 'Europe/Berlin', 'Europe/Berlin', '2030-03-31 03:30:00'],
		['2030-03-10 02:30', 'America/New_York', 'America/New_York', '2030-03-10 03:30:00'],
		['2030-04-07 02:30', 'Australia/Sydney', 'UTC', '2030-04-06 15:30:00'],
		['2030-10-06 02:30', 'Australia/Sydney', 'Australia/Sydney', '2030-10-06 03:30:00'],
	])('%s in %s is for a service in %s %s', (value, from, to, sent) => {
		expect(parseDatetime('Expiry', value, { from, to })).toBe(sent);
	});

	test('ends with the day in the zone of the workflow', () => {
		const zones = { from: 'America/New_York', to: 'Europe/Berlin' };
		expect(parseExpiry('Expiry', '2030-07-01', zones)).toBe('2030-07-02 05:59:59');
	});
});
