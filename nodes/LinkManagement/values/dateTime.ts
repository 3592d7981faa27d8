import type { RowInput } from '../../shared/operations/operation';
import { inputFailure, quoted } from '../../shared/values/failure';
import { parseLine } from '../../shared/values/input';
import { isRecord } from '../../shared/values/json';

/**
 * A date and time as the service writes it: `YYYY-MM-DD HH:MM:SS` in its zone. Reads ISO 8601, `31.12.2030 23:59`, the day number
 * of a spreadsheet, a Date, a Luxon DateTime. @throws Failure if it is no date
 */
export function parseDatetime(
	label: string,
	value: unknown,
	{ from, to }: RowInput['zones'],
): string {
	const moment =
		typeof value === 'object' ? momentOfObject(value) : momentOfText(parseLine(label, value), from);
	if (Number.isNaN(moment)) {
		throw inputFailure(
			`${label} must be a date and time, but is ${quoted(value)}`,
			'Enter it like 2030-12-31 23:59:00 or 31.12.2030. For another form, use DateTime.fromFormat in an Edit Fields node before this one',
		);
	}
	return writtenDatetime(moment, to);
}

/** A moment in milliseconds since 1970 as the clocks of a zone show it. */
export const writtenDatetime = (moment: number, zone: string): string =>
	written(moment + offsetAt(moment, zone));

/** Milliseconds since 1970; NaN for another object, such as a Duration, which is a number of milliseconds, too. */
const momentOfObject = (value: unknown): number =>
	value instanceof Date || (isRecord(value) && value.isLuxonDateTime === true)
		? Number(value)
		: Number.NaN;

/** `YYYY-MM-DD` or `DD.MM.YYYY`, then optionally a time, then optionally a zone. */
const ISO_DATE = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/;
const DAY_FIRST = /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4}),?/;
const TIME =
	/^(?:[T ]?(?<time>\d{1,2}:\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?)? ?(?<offset>Z|[+-]\d{2}:?\d{2})?$/i;

/** Days since the last day of 1899, as spreadsheets count them; the fraction is the time. */
const DAY_NUMBER = /^\d{5}(?:[.,]\d+)?$/;
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** Milliseconds since 1970; NaN if the text is not a date. */
function momentOfText(text: string, zone: string): number {
	const days = DAY_NUMBER.test(text) ? Number(text.replace(',', '.')) : 0;
	if (days >= 20_000 && days <= 80_000)
		return atClock(DAY_ZERO + Math.round(days * 86_400) * 1000, zone);
	const date = ISO_DATE.exec(text) ?? DAY_FIRST.exec(text);
	const { year = '', month = '', day = '' } = date?.groups ?? {};
	const rest = TIME.exec(text.slice(date?.[0].length).trim());
	if (!rest) return Number.NaN;
	const { time = '0:00', seconds = '00', offset = '' } = rest.groups ?? {};
	const start = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const datetime = `${start}T${time.padStart(5, '0')}:${seconds}`;
	const clock = Date.parse(`${datetime}Z`);
	// JavaScript reads 30 February as 2 March.
	if (Number.isNaN(clock) || !written(clock).startsWith(start)) return Number.NaN;
	if (offset !== '') return Date.parse(`${datetime}${offset}`);
	return atClock(clock, zone);
}

/** The moment when the clocks of a zone show this. */
const atClock = (clock: number, zone: string): number =>
	clock - offsetAt(clock - offsetAt(clock, zone), zone);

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	// Written as in `12/31/2030, GMT+05:30`.
	const offset = /[+-]\d\d:\d\d/.exec(format.format(moment))?.[0] ?? 'Z';
	return -Date.parse(`1970-01-01T00:00${offset}`);
}

const written = (clock: number): string =>
	new Date(clock).toISOString().slice(0, 19).replace('T', ' ');
