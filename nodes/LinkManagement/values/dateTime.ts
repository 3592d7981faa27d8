// Dates and times as sheets and n8n write them: those of filters, and expiries.

import type { RowInput } from '../../shared/operations/operation';
import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine } from '../../shared/values/input';
import { isRecord } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';

type Zones = RowInput['zones'];

/**
 * A date and time as the service writes it: `YYYY-MM-DD HH:MM:SS` in its zone. Reads ISO 8601, `31.12.2030 23:59`, the day number of a
 * spreadsheet, a Date, a Luxon DateTime. A date alone is the start of that day. @throws Failure if it is no date
 */
export const parseDatetime = (label: string, value: unknown, { from, to }: Zones): string =>
	inZone(momentOf(label, value, from, 0), to);

/** The same for a link that stops working: a date alone is the end of that day. @throws Failure if it is past */
export function parseExpiry(label: string, value: unknown, { from, to }: Zones): string {
	const moment = momentOf(label, value, from, DAY_MS - 1000);
	if (moment > Date.now()) return inZone(moment, to);
	throw fieldFailure(label, `is in the past: ${quoted(value)}`, 'Enter a later time');
}

/** @param time of a date alone, in milliseconds from the start of its day @returns milliseconds since 1970 */
function momentOf(label: string, value: unknown, zone: string, time: number): number {
	const moment =
		typeof value === 'object'
			? momentOfObject(value)
			: momentOfText(parseLine(label, value), zone, time);
	if (!Number.isNaN(moment)) return moment;
	throw fieldFailure(
		label,
		`must be a date and time, but is ${quoted(value)}`,
		'Enter it like 2030-12-31 23:59:00 or 31.12.2030, or leave it empty',
	);
}

/** NaN for another object, such as a Duration, which is a number of milliseconds, too. */
const momentOfObject = (value: unknown): number =>
	value instanceof Date || (isRecord(value) && value.isLuxonDateTime === true)
		? Number(value)
		: Number.NaN;

/** Days since the last day of 1899, as spreadsheets count them, from 1954 on; the fraction is the time. */
const DAY_NUMBER = /^[2-7]\d{4}(?:\.\d+)?$/;
const DAY_ZERO = Date.UTC(1899, 11, 30);

const WITH_DOTS = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}),?/;

const DATE_TIME =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<stated>\d{1,2}:\d\d(?::\d\d)?)(?:\.\d+)?)? ?(?<offset>Z|[+-]\d\d:?\d\d)?$/i;

/** NaN if the text is not a date. */
function momentOfText(text: string, zone: string, time: number): number {
	if (DAY_NUMBER.test(text)) {
		const clock = DAY_ZERO + Math.round(Number(text) * 86_400) * 1000;
		return atClock(text.includes('.') ? clock : clock + time, zone);
	}
	const iso = text.replace(
		WITH_DOTS,
		(_, day: string, month: string, year: string) =>
			`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
	);
	const { date = '', stated, offset } = DATE_TIME.exec(iso)?.groups ?? {};
	// JavaScript reads 30 February as 2 March.
	if (date === '' || !onClock(Date.parse(`${date}T00:00Z`)).startsWith(date)) return Number.NaN;
	const moment = Date.parse(`${date} ${stated ?? '0:00'} ${offset ?? 'Z'}`);
	const meant = stated === undefined ? moment + time : moment;
	return offset === undefined ? atClock(meant, zone) : meant;
}

/** The first moment when the clocks of a zone show this. An hour that they leave out is the one after it. */
function atClock(clock: number, zone: string): number {
	if (Number.isNaN(clock)) return clock;
	const before = clock - offsetAt(clock - DAY_MS, zone);
	const after = clock - offsetAt(clock + DAY_MS, zone);
	const moment = [before, after].find((each) => each + offsetAt(each, zone) === clock);
	return moment ?? before;
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	// Written as in `12/31/2030, GMT+05:30`.
	const offset = /[+-]\d\d:\d\d/.exec(format.format(moment))?.[0] ?? 'Z';
	return -Date.parse(`1970-01-01T00:00${offset}`);
}

export const inZone = (moment: number, zone: string): string =>
	onClock(moment + offsetAt(moment, zone));

/** Empty for a moment that is none. */
const onClock = (clock: number): string =>
	Number.isNaN(clock) ? '' : new Date(clock).toISOString().slice(0, 19).replace('T', ' ');
