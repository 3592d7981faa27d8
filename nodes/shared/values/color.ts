import { inputFailure } from './failure';
import { quoted } from './path';
import type { ReadValue } from './text';

/** A colour as HEX, `#rrggbb`. Accepts `#rgb`, a missing #, and `rgb(r,g,b)`. An empty one clears the field. */
export const hexColor: ReadValue<string> = (label, value) => {
	const channels = colorChannels(label, value);
	return channels === undefined
		? ''
		: `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};

/** A colour as the QR codes have it, `rgb(r,g,b)`. Accepts what `hexColor` does. */
export const rgbColor: ReadValue<string> = (label, value) => {
	const channels = colorChannels(label, value);
	return channels === undefined ? '' : `rgb(${channels.join(',')})`;
};

const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
const RGB_COLOR = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/**
 * Red, green and blue from 0 to 255; undefined for an empty value.
 * @throws Failure if it is no colour
 */
function colorChannels(label: string, value: unknown): number[] | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '?';
	if (text === '') return undefined;
	const channels = hexChannels(text) ?? rgbChannels(text);
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
