import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { inputFailure } from './failure';
import { quoted } from './path';

/** A web address as the user wrote it. Failure: not http(s). An empty one is kept: it clears a field. */
export function webAddress(label: string, value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === '') return '';
	if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw inputFailure(
			`${label} must be a web address, but is ${quoted(value)}`,
			'Write it with http:// or https:// in front',
		);
	}
	return text;
}

/** A web address that has to be there. */
export function requiredWebAddress(label: string, value: unknown): string {
	const address = webAddress(label, value ?? '');
	if (address === '') throw inputFailure(`${label} is empty`, 'Enter a web address');
	return address;
}

/** A text that has to be there, without the blanks around it. Numbers, as sheets give them, are texts too. */
export function requiredText(label: string, value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text.trim() === '') {
		throw inputFailure(`${label} is empty`, 'Enter a value, or check the expression that gives it');
	}
	return text.trim();
}

interface TimeZones {
	/** IANA name of the zone in which a time without one is meant: the workflow's. */
	from: string;
	/** IANA name of the zone in which the service reads times: the credential's. */
	to: string;
}

/**
 * A moment as the link service writes datetimes: `YYYY-MM-DD HH:MM:SS` in its own time zone.
 * Accepts what a date picker, a sheet or an expression gives: ISO 8601 with or without zone, a blank in place of the T,
 * a date alone, a Date, a Luxon DateTime, milliseconds since 1970. An empty one is kept: it clears a field.
 */
export function serviceDatetime(label: string, value: unknown, zones: TimeZones): string {
	if (value === '' || value === null || value === undefined) return '';
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
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	if (value instanceof Date) return defined(value.getTime());
	// A Luxon DateTime, which $now and its like give; asked for by its method, because the class is not to be had here.
	if (isMoment(value)) return defined(value.toMillis());
	if (typeof value !== 'string') return undefined;
	const parts = ISO_DATETIME.exec(value.trim());
	if (!parts) return undefined;
	const [, date = '', time = '00:00', seconds = '00', offset] = parts;
	const clock = defined(Date.parse(`${date}T${time}:${seconds}Z`));
	if (clock === undefined || !wallClock(clock, 'UTC').startsWith(date)) return undefined;
	return offset === undefined
		? momentAt(clock, zone)
		: defined(Date.parse(`${date}T${time}:${seconds}${offset}`));
}

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

/** The moment at which the clocks of a zone show what `clock` is in UTC; twice, for the days on which they change. */
function momentAt(clock: number, zone: string): number {
	const offsetAt = (moment: number): number =>
		Date.parse(`${wallClock(moment, zone).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000;
	return clock - offsetAt(clock - offsetAt(clock));
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

/** A switch; sheets and AI models give it as a text. Failure: neither true nor false. */
export function flag(label: string, value: unknown): boolean {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true' || word === 1 || word === '1') return true;
	if (word === false || word === 'false' || word === 0 || word === '0') return false;
	throw inputFailure(`${label} must be true or false, but is ${quoted(value)}`);
}

/** The body of an update. Failure: the user added no field, so there is nothing to change. */
export function changes(body: IDataObject): IDataObject {
	if (Object.keys(body).length > 0) return body;
	throw inputFailure('There is nothing to update', 'Add at least one field under Update Fields');
}

/** A colour as HEX, `#rrggbb`. Accepts `#rgb`, a missing #, and `rgb(r,g,b)`. An empty one clears the field. */
export function hexColor(label: string, value: unknown): string {
	const channels = colorChannels(label, value);
	return channels === undefined
		? ''
		: `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** A colour as the QR codes have it, `rgb(r,g,b)`. Accepts what `hexColor` does. */
export function rgbColor(label: string, value: unknown): string {
	const channels = colorChannels(label, value);
	return channels === undefined ? '' : `rgb(${channels.join(',')})`;
}

const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
const RGB_COLOR = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/** Red, green and blue from 0 to 255; undefined for an empty value. Failure: no colour. */
function colorChannels(label: string, value: unknown): number[] | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === '') return undefined;
	const channels = typeof text === 'string' ? (hexChannels(text) ?? rgbChannels(text)) : undefined;
	if (channels?.every((channel) => channel <= 255)) return channels;
	throw inputFailure(`${label} must be a color, but is ${quoted(value)}`, 'Write it as in #ff9900');
}

function hexChannels(text: string): number[] | undefined {
	const digits = HEX_COLOR.exec(text)?.[1];
	if (digits === undefined) return undefined;
	const sixDigits = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	return sixDigits.match(/../g)?.map((pair) => Number.parseInt(pair, 16));
}

function rgbChannels(text: string): number[] | undefined {
	return RGB_COLOR.exec(text)?.slice(1).map(Number);
}

/** The value of a JSON field: text that is parsed, or what an expression made of it. Failure: it does not parse. */
export function parsedJson(label: string, value: unknown): IDataObject[string] {
	const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
	try {
		return jsonParse<object | string | number | boolean | null>(text);
	} catch {
		throw inputFailure(
			`${label} is no valid JSON`,
			'Put texts in double quotes, and look for a missing comma or bracket',
		);
	}
}
