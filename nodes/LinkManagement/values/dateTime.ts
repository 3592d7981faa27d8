// Dates and times as sheets and n8n write them: those of filters, and expiries. Luxon, which would read them, is no part of n8n-workflow.

import type { Row } from '../../shared/operations/operation';
import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine } from '../../shared/values/input';
import { isRecord } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';

type Zones = ReturnType<Row['zones']>;

/**
 * A date and time as the service writes it: `YYYY-MM-DD HH:MM:SS` in its zone. Reads ISO 8601, `31.12.2030 23:59`, `12/31/2030`, the day
 * number of a spreadsheet, a Date, a Luxon DateTime. A date alone is the start of that day. @throws Failure if it is no date
 */
export const parseDatetime = (label: string, value: unknown, { from, to }: Zones): string =>
	inZone(momentOf(label, value, from, 0), to);

/** The same for a link that stops working: a date alone is the end of that day. @throws Failure if it is past */
export function parseExpiry(label: string, value: unknown, { from, to }: Zones): string {
	const moment = momentOf(label, value, from, DAY_MS - 1000);
	if (moment > Date.now()) return inZone(moment, to);
	throw fieldFailure(label, `is in the past: ${quoted(value)}`);
}

/** @param time of a date alone, in milliseconds from the start of its day @returns milliseconds since 1970 */
function momentOf(label: string, value: unknown, zone: string, time: number): number {
	const isDate = value instanceof Date || (isRecord(value) && value.isLuxonDateTime === true);
	const text = isDate ? '' : parseLine(label, value);
	const read = DAY_NUMBER.test(text) ? momentOfDay : momentOfText;
	const moment = isDate ? Number(value) : read(text, zone, time);
	if (!Number.isNaN(moment)) return moment;
	const what = `must be a date that can be read in one way only, but is ${quoted(value)}`;
	throw fieldFailure(label, what, 'Enter it like 2030-12-31 23:59 or 31.12.2030');
}

/** Days since the last day of 1899, as spreadsheets count them, from 1954 on; the fraction is the time. */
const DAY_NUMBER = /^[2-7]\d{4}(?:\.\d+)?$/;
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** `31.12.2030` and `31/12/2030`; with slashes, also `12/31/2030`. */
const OTHER_DATE = /^(\d{1,2})(\/|\. ?)(\d{1,2})\2(\d{4}),?/;

const DATE_TIME =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d{1,2}:\d\d(?::\d\d)?)(?:\.\d+)?)? ?(?<offset>Z|[+-]\d\d:?\d\d)?$/i;

function momentOfDay(text: string, zone: string, time: number): number {
	const clock = DAY_ZERO + Math.round(Number(text) * 86_400) * 1000;
	return atClock(text.includes('.') ? clock : clock + time, zone);
}

/** NaN if the text is no date. */
function momentOfText(text: string, zone: string, time: number): number {
	const { date = '', clock, offset } = DATE_TIME.exec(inIsoOrder(text))?.groups ?? {};
	// JavaScript reads 30 February as 2 March.
	if (date === '' || !onClock(Date.parse(`${date}T00:00Z`)).startsWith(date)) return Number.NaN;
	const moment = Date.parse(`${date} ${clock ?? '0:00'} ${offset ?? 'Z'}`);
	const meant = clock === undefined ? moment + time : moment;
	return offset === undefined ? atClock(meant, zone) : meant;
}

/** With year, month and day first; as it is, which is no date, if either number may be the month. */
function inIsoOrder(text: string): string {
	const [found, first = '', sign, second = '', year] = OTHER_DATE.exec(text) ?? [];
	if (found === undefined) return text;
	const isMonthFirst = sign === '/' && Number(second) > 12;
	const isEither = sign === '/' && Math.max(Number(first), Number(second)) <= 12;
	if (isEither && Number(first) !== Number(second)) return text;
	const [month, day] = isMonthFirst ? [first, second] : [second, first];
	return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${text.slice(found.length)}`;
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
