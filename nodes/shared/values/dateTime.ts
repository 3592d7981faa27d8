import { inputFailure } from './failure';
import { quoted } from './path';
import { isBlank } from './text';

interface TimeZones {
	/** IANA name of the zone in which a time without one is meant: the workflow's. */
	from: string;
	/** IANA name of the zone in which the service reads times: the credential's. */
	to: string;
}

/**
 * A moment as the link service writes datetimes: `YYYY-MM-DD HH:MM:SS` in its own time zone.
 * Accepts what a date picker, a sheet or an expression gives: ISO 8601 with or without zone, a blank in place of the T,
 * a date alone, a Date, a Luxon DateTime, milliseconds or seconds since 1970. An empty one is kept: it clears a field.
 * @throws Failure if it is no moment, or the credential's time zone is none
 */
export function serviceDatetime(label: string, value: unknown, zones: TimeZones): string {
	if (isBlank(value)) return '';
	const moment = momentOf(value, zones.from);
	if (moment === undefined) {
		throw inputFailure(
			`${label} must be a date and time, but is ${quoted(value)}`,
			'Write it as in 2030-12-31 23:59:00',
		);
	}
	return wallClock(moment, knownZone(zones.to));
}

/** The service's zone comes from the credential, where it is typed by hand. */
function knownZone(name: string): string {
	if (isTimeZone(name)) return name;
	throw inputFailure(
		`Service Time Zone is no time zone, but ${quoted(name)}`,
		'Enter its IANA name in the credential, as in Europe/Berlin',
	);
}

/** Whether a name is a time zone that this machine knows. */
function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}

/** `YYYY-MM-DD`, then optionally a time, then optionally a zone. */
const ISO_DATETIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?)? ?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Milliseconds since 1970, or undefined if the value is no moment. */
function momentOf(value: unknown, zone: string): number | undefined {
	if (typeof value === 'number') return epochMs(value);
	if (value instanceof Date) return defined(value.getTime());
	// A Luxon DateTime, which $now and its like give; asked for by its method, because the class is not to be had here.
	if (isMoment(value)) return defined(value.toMillis());
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d+$/.test(text)) return epochMs(Number(text));
	const parts = ISO_DATETIME.exec(text);
	if (!parts) return undefined;
	const [, date = '', time = '00:00', seconds = '00', offset] = parts;
	const clock = defined(Date.parse(`${date}T${time}:${seconds}Z`));
	if (clock === undefined || !wallClock(clock, 'UTC').startsWith(date)) return undefined;
	return offset === undefined
		? momentAt(clock, zone)
		: defined(Date.parse(`${date}T${time}:${seconds}${offset}`));
}

/** Milliseconds since 1970, or seconds from 2001 on. Less is a year, or a spreadsheet's number of a day: no moment. */
function epochMs(number: number): number | undefined {
	if (number >= 1e11 && number <= LATEST_MS) return number;
	return number >= 1e9 && number < 1e11 ? number * 1000 : undefined;
}

/** The last moment that JavaScript can tell. */
const LATEST_MS = 8.64e15;

function isMoment(value: unknown): value is { toMillis(): number } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	);
}

function defined(milliseconds: number): number | undefined {
	return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const DAY_MS = 86_400_000;

/**
 * The moment at which the clocks of a zone show what `clock` is in UTC. When they are put back they show it twice: the
 * first time counts. When they are put forward they skip it: it is read as if they had not been changed yet.
 */
function momentAt(clock: number, zone: string): number {
	const offsetAt = (moment: number): number =>
		Date.parse(`${wallClock(moment, zone).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000;
	const before = offsetAt(clock - DAY_MS);
	const moments = [before, offsetAt(clock + DAY_MS)].map((offset) => clock - offset);
	return moments.find((moment) => moment + offsetAt(moment) === clock) ?? clock - before;
}

function wallClock(moment: number, zone: string): string {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	}).formatToParts(moment);
	const part = (type: string): string => parts.find((entry) => entry.type === type)?.value ?? '';
	const year = part('year').padStart(4, '0');
	return `${year}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
}
