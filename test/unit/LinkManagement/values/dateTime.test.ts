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
			...all(['1.6.2030 12:00', '01.06.2030, 12:00:00', '1.6.30 12:00'], '2030-06-01 12:00:00'),
			...all(['6/13/2030 12:00', '6/13/30, 12:00'], '2030-06-13 12:00:00'),
			...all(['12/31/2030 0:30', '2030/12/31 0:30', '12/31/30 12:30 AM'], '2030-12-31 00:30:00'),
			...all(['6/13/2030 12:00 pm', '6/13/2030, 12:00:00\u202fPM'], '2030-06-13 12:00:00'),
			...all(['12/31/2030 5:30 PM', '31-Dec-30 17:30'], '2030-12-31 17:30:00'),
			...all(['2030-6-1 12:00 UTC', '1.6.2030 12:00 Uhr'], '2030-06-01 12:00:00'),
			...all([46_000.999305555, '46000,99930555'], '2025-12-09 23:59:00'),
			['1999-12-31 23:59', '1999-12-31 23:59:00'],
		],
		refuses: [
			...['tomorrow', '30.2.2030', '12.31.2030', '31/12/203', '2030-12-31T25:00', '2/30/2030'],
			...['12/31/2030 13:30 AM', '31-Dek-30', '2030-12-311', '1-2-3'],
			...['on 2030-12-31', '2030-12-31 23:59 or later', '2030-12-31 23:59+1', '13/13/2030'],
			...[19_999, '80001', 2030, NOON, NOON / 1000, -1, true, {}, []],
			...[new Date(Number.NaN), Duration.fromObject({ days: 7 }), DateTime.invalid('none')],
		],
		saying: /^'Created After' must be a date and time, but is ".+"\. Enter it like/,
	},
	'a date alone, which begins a time': {
		read: (value) => parseDatetime('Created After', value, UTC),
		takes: [
			...all(['2030-12-31', '31.12.2030', ' 31. 12. 2030 ', '31.12.30'], '2030-12-31 00:00:00'),
			...all(['12/31/2030', '31/12/2030', '12/31/30', 47_848], '2030-12-31 00:00:00'),
			...all(['31-12-2030', '12-31-2030', '31-Dec-30', '2030/12/31'], '2030-12-31 00:00:00'),
			...all(['2030/1/5', '2030-1-5'], '2030-01-05 00:00:00'),
			['05/05/2030', '2030-05-05 00:00:00'],
			[20_000, '1954-10-03 00:00:00'],
			['80000', '2119-01-11 00:00:00'],
		],
	},
	'an expiry without a time, which ends at the end of its day': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		takes: [
			...all(['2030-12-31', '31.12.2030', '12/31/30', 47_848, '47848'], '2030-12-31 23:59:59'),
			...all(['2030-12-31 00:00', 47_848.000_001, '12/31/30 00:00'], '2030-12-31 00:00:00'),
			...all([new Date(NOON), '2030-06-01 12:00'], '2030-06-01 12:00:00'),
			// In front, a year of two digits that is over is not meant.
			['25/12/30', '2030-12-25 23:59:59'],
		],
	},
	'a year of two digits in front, which may be over': {
		read: (value) => parseDatetime('Created After', value, UTC),
		refuses: ['25/12/30', '25-12-30 18:00'],
		saying: /^'Created After' may be 2025-12-30 or 2030-12-25: ".+"\. Enter it as one of these/,
	},
	'an expiry in the past': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		refuses: ['2020-12-31', '31.12.20', 40_000, new Date(0)],
		saying: /^'Expiry' is in the past: ".+"\. Enter a later time/,
	},
	'a date with two readings': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		refuses: ['01/02/2030', '01-02-2030', '1/2/30 18:00'],
		saying: /^'Expiry' may be 2030-02-01 or 2030-01-02: ".+"\. Enter it as one of these/,
	},
	'a date with a year of two digits at either end': {
		read: (value) => parseExpiry('Expiry', value, UTC),
		refuses: ['30/12/31', '30-12-31 18:00'],
		saying: /^'Expiry' may be 2030-12-31 or 2031-12-30: ".+"\. Enter it as one of these/,
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
