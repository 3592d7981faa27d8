import { inputFailure } from '../../shared/values/failure';
import { quoted } from '../../shared/values/path';
import type { ReadValue } from '../../shared/values/text';

/** A colour as HEX, `#rrggbb`. Accepts `#rgb`, a missing #, and `rgb(r,g,b)`. An empty one clears the field. */
export const hexColor: ReadValue<string> = (label, value) =>
	colorAs(label, value, (channels) => {
		const pairs = channels.map((channel) => channel.toString(16).padStart(2, '0'));
		return `#${pairs.join('')}`;
	});

/** A colour as the QR codes have it, `rgb(r,g,b)`. Accepts what `hexColor` does. */
export const rgbColor: ReadValue<string> = (label, value) =>
	colorAs(label, value, (channels) => `rgb(${channels.join(',')})`);

const HEX = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const SHORT_HEX = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/** @throws Failure if the value is no colour */
function colorAs(label: string, value: unknown, write: (channels: number[]) => string): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '?';
	if (text === '') return '';
	const hex = (HEX.exec(text) ?? SHORT_HEX.exec(text))?.slice(1);
	const channels =
		hex?.map((digits) => Number.parseInt(digits.padStart(2, digits), 16)) ??
		RGB.exec(text)?.slice(1).map(Number);
	if (channels?.every((channel) => channel <= 255)) return write(channels);
	throw inputFailure(`${label} must be a color, but is ${quoted(value)}`, 'Write it as in #ff9900');
}
