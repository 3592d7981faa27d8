// Dates and times as people, sheets and n8n write them: those of filters, and expiries.

import type { RowInput } from '../../shared/operations/operation';
import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine } from '../../shared/values/input';
import { isRecord } from '../../shared/values/json';
import { DAY_MS } from '../../shared/values/moment';

type Zones = RowInput['zones'];

/**
 * A date and time as the service writes it: `YYYY-MM-DD HH:MM:SS` in its zone. Reads ISO 8601, `31.12.2030 23:59`, `12/31/2030`, the
 * day number of a spreadsheet, a Date, a Luxon DateTime. A date alone is the start of that day. @throws Failure if it is no date
 */
export const parseDatetime = (label: string, value: unknown, { from, to }: Zones): string =>
	inZone(momentOf(label, value, { zone: from, time: 0, isAhead: false }), to);

/** The same for a link that stops working: a date alone is the end of that day. @throws Failure if it is past */
export function parseExpiry(label: string, value: unknown, { from, to }: Zones): string {
	const moment = momentOf(label, value, { zone: from, time: DAY_MS - 1000, isAhead: true });
	if (moment > Date.now()) return inZone(moment, to);
	throw fieldFailure(label, `is in the past: ${quoted(value)}`, 'Enter a later time');
}

/** What counts if a value does not say it: the zone, and the time of a date alone, in milliseconds from the start of its day. */
interface Defaults {
	zone: string;
	time: number;
	/** Whether a date that is over is not meant. */
	isAhead: boolean;
}

/** Milliseconds since 1970. */
function momentOf(label: string, value: unknown, defaults: Defaults): number {
	const moment =
		typeof value === 'object'
			? momentOfObject(value)
			: momentOfText(label, parseLine(label, value), defaults);
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

/** Days since the last day of 1899, as spreadsheets count them; the fraction is the time. */
const DAY_NUMBER = /^\d{5}(?:[.,]\d+)?$/;
const DAY_ZERO = Date.UTC(1899, 11, 30);

const TIME =
	/^(?:[T ]?(?<time>\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:\s?(?<half>[AP]M)| Uhr)?)? ?(?<offset>Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** NaN if the text is not a date. */
function momentOfText(label: string, text: string, { zone, time, isAhead }: Defaults): number {
	const days = DAY_NUMBER.test(text) ? Number(text.replace(',', '.')) : 0;
	if (days >= 20_000 && days <= 80_000) {
		const clock = DAY_ZERO + Math.round(days * 86_400) * 1000;
		return atClock(Number.isInteger(days) ? clock + time : clock, zone);
	}
	const reading = onlyReading(label, text, isAhead);
	const written = reading && TIME.exec(reading.rest);
	if (!written) return Number.NaN;
	const { time: stated = '0:00', half = '', offset = '' } = written.groups ?? {};
	// In the form of JavaScript's own dates: ISO 8601 knows no PM.
	const datetime = `${reading.date} ${stated} ${half} ${offset || 'Z'}`;
	const moment = Date.parse(datetime) + (written.groups?.time === undefined ? time : 0);
	return offset === '' ? atClock(moment, zone) : moment;
}

const SHORT_YEAR_FIRST = /^(?<year>\d{2})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?!\d),?/;

/** What a text may begin with. Between slashes and hyphens, day and month come in either order. */
const DATES = [
	SHORT_YEAR_FIRST,
	/^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?!\d),?/,
	/^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4}|\d{2})(?!\d),?/,
	/^(?<day>\d{1,2})[-/](?<month>\d{1,2}|[a-z]{3})[-/](?<year>\d{4}|\d{2})(?!\d),?/i,
	/^(?<month>\d{1,2})[-/](?<day>\d{1,2})[-/](?<year>\d{4}|\d{2})(?!\d),?/,
];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Reading {
	/** `YYYY-MM-DD` */
	date: string;
	/** What follows it. */
	rest: string;
}

/** @throws Failure if there are two */
function onlyReading(label: string, text: string, isAhead: boolean): Reading | undefined {
	const [reading, other] = DATES.flatMap((form) => readingsIn(text, form, isAhead));
	if (reading === undefined || other === undefined || reading.date === other.date) return reading;
	throw fieldFailure(
		label,
		`may be ${reading.date} or ${other.date}: ${quoted(text)}`,
		'Enter it as one of these',
	);
}

function readingsIn(text: string, form: RegExp, isAhead: boolean): Reading[] {
	const found = form.exec(text);
	if (!found) return [];
	const { year = '', month = '', day = '' } = found.groups ?? {};
	const number = String(MONTHS.indexOf(month.toLowerCase()) + 1 || month);
	const date = `${year.padStart(4, '20')}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const start = Date.parse(`${date}T00:00Z`);
	// JavaScript reads 30 February as 2 March.
	const isDay = !Number.isNaN(start) && onClock(start).startsWith(date);
	// `25/12/30` is a day of 2030: a year that is over would be written in full.
	const isMeant = !isAhead || form !== SHORT_YEAR_FIRST || start > Date.now();
	return isDay && isMeant ? [{ date, rest: text.slice(found[0].length) }] : [];
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

const onClock = (clock: number): string =>
	new Date(clock).toISOString().slice(0, 19).replace('T', ' ');
