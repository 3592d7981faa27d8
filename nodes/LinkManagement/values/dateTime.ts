import type { Form } from '../../shared/operations/form';
import { inputFailure, quoted } from '../../shared/values/failure';
import { isRecord, textIn } from '../../shared/values/json';
import { isBlank } from '../../shared/values/input';
import { DAY_MS } from '../../shared/values/moment';

const EXAMPLES = {
	past: '2026-01-31 23:59:00, or use an expression such as {{ $now.minus(7, "days") }}',
	future: '2030-12-31 23:59:00, or use an expression such as {{ $now.plus(7, "days") }}',
} as const;

/**
 * A date and time as the service writes it: `YYYY-MM-DD HH:MM:SS` in its own time zone.
 * Accepts what a date picker, a sheet or an expression gives: ISO 8601 with or without zone, a space instead of the T,
 * `31.12.2030 23:59`, a date alone, a Date, a Luxon DateTime, milliseconds or seconds since 1970. An empty value is kept: it
 * clears the field.
 * @param tense of the example in the error
 * @throws Failure if it is not a date
 */
export function serviceDatetime(
	label: string,
	value: unknown,
	{ from, to }: Form['zones'],
	tense: keyof typeof EXAMPLES = 'future',
): string {
	if (isBlank(value)) return '';
	const moment = momentOf(value, from);
	if (Number.isNaN(moment)) {
		throw inputFailure(
			`${label} must be a date and time, but is ${quoted(value)}`,
			adviceForDate(String(value).trim()) ?? `Enter it like ${EXAMPLES[tense]}`,
		);
	}
	return written(moment + offsetAt(moment, to));
}

const WITH_SLASHES = /^(\d{1,2})\/(\d{1,2})\/\d{4}(?: \d{1,2}:\d{2}(:\d{2})?( [ap]m)?)?$/i;

/** What to do with a date that cannot be read as it is. */
function adviceForDate(text: string): string | undefined {
	const [date, first, second, seconds = '', half = ''] = WITH_SLASHES.exec(text) ?? [];
	if (date !== undefined) {
		const clock = `${half === '' ? 'H' : 'h'}:mm${seconds && ':ss'}${half && ' a'}`;
		const time = date.includes(':') ? ` ${clock}` : '';
		const [monthFirst, dayFirst] = ['M/d/yyyy', 'd/M/yyyy'].map(
			(format) => `{{ DateTime.fromFormat($json.date, "${format}${time}") }}`,
		);
		const convert = 'Write it like 2030-12-31, or convert it with the expression';
		if (Number(first) > 12) return `${convert} ${dayFirst}`;
		if (Number(second) > 12) return `${convert} ${monthFirst}`;
		return `${convert} ${monthFirst} if the month comes first, or ${dayFirst} if the day does`;
	}
	const days = Number(text);
	if (!(days >= FIRST_DAY && days <= LAST_DAY)) return undefined;
	return `It is the day number of a spreadsheet. Format the column as text, and write dates like 2030-12-31, or convert it with the expression {{ DateTime.fromISO("1899-12-30").plus({ days: $json.date }) }}`;
}

/** Numbers of days of spreadsheets that are likely: of the years 1954 to 2118. */
const FIRST_DAY = 20_000;
const LAST_DAY = 80_000;

/** A datetime of the service, unchanged; undefined if it is not a date, such as a database's 0000-00-00. */
export function datetimeIn(value: unknown): string | undefined {
	const found = textIn(value);
	if (found === undefined || !/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(found)) return undefined;
	return Number.isNaN(Date.parse(`${found.replace(' ', 'T')}Z`)) ? undefined : found;
}

/** `YYYY-MM-DD`, then optionally a time, then optionally a zone. */
const ISO_DATETIME =
	/^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<time>\d{2}:\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?)? ?(?<offset>Z|[+-]\d{2}:?\d{2})?$/i;

/** `DD.MM.YYYY`, then optionally a time, as sheets in many countries write it. */
const DAY_FIRST =
	/^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})(?:,? (?<time>\d{1,2}:\d{2})(?::(?<seconds>\d{2}))?)?$/;

/** Milliseconds since 1970; NaN if the value is not a date. */
function momentOf(value: unknown, zone: string): number {
	if (typeof value === 'number') return momentOfNumber(value);
	if (value instanceof Date) return value.getTime();
	if (isLuxonDateTime(value)) return value.toMillis();
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d+$/.test(text)) return momentOfNumber(Number(text));
	const parts = (ISO_DATETIME.exec(text) ?? DAY_FIRST.exec(text))?.groups ?? {};
	const { year = '', month = '', day = '', time = '0:00', seconds = '00', offset } = parts;
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const datetime = `${date}T${time.padStart(5, '0')}:${seconds}`;
	const clock = Date.parse(`${datetime}Z`);
	// JavaScript reads 30 February as 2 March.
	if (Number.isNaN(clock) || !written(clock).startsWith(date)) return Number.NaN;
	return offset === undefined ? momentAt(clock, zone) : Date.parse(`${datetime}${offset}`);
}

/** Reads a number as seconds up to the year 5138, then as milliseconds; NaN for years, days of spreadsheets, microseconds. */
function momentOfNumber(number: number): number {
	if (number < 1e9 || number >= 1e15) return Number.NaN;
	return new Date(number < 1e11 ? number * 1000 : number).getTime();
}

/** What `$now` gives; its class cannot be imported here. A Luxon Duration also has `toMillis`, but is not a date. */
function isLuxonDateTime(value: unknown): value is { toMillis(): number } {
	return isRecord(value) && value.isLuxonDateTime === true && typeof value.toMillis === 'function';
}

/**
 * The moment at which the clocks of a zone show what `clock` is in UTC. If they show it twice, because they are put back,
 * the first time counts. If they skip it, because they are put forward, it is read as if they had not been changed yet.
 */
function momentAt(clock: number, zone: string): number {
	const before = clock - offsetAt(clock - DAY_MS, zone);
	const after = clock - offsetAt(clock + DAY_MS, zone);
	const isShown = (moment: number): boolean => moment + offsetAt(moment, zone) === clock;
	return isShown(after) && !isShown(before) ? after : before;
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	// Written as in `12/31/2030, GMT+05:30`.
	const offset = /[+-]\d\d:\d\d/.exec(format.format(moment))?.[0] ?? 'Z';
	return -Date.parse(`1970-01-01T00:00${offset}`);
}

/** A clock time as `YYYY-MM-DD HH:MM:SS`; for years after 9999, `toISOString` writes a sign, which is cut off. */
const written = (clock: number): string =>
	new Date(clock).toISOString().slice(0, -5).replace(/^\+0?/, '').replace('T', ' ');
