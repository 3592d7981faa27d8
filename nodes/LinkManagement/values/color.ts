import { inputFailure, quoted } from '../../shared/values/failure';
import type { ParseValue } from '../../shared/values/input';

/**
 * A color as HEX, `#rrggbb`. Accepts `#rgb`, a missing #, and `rgb(r,g,b)`. An empty value is kept: it clears the field.
 * @throws Failure if it is not a color
 */
export const hexColor: ParseValue<string> = (label, value) =>
	colorAs(label, value, (parts) => {
		const pairs = parts.map((part) => part.toString(16).padStart(2, '0'));
		return `#${pairs.join('')}`;
	});

/** The same as `rgb(r,g,b)`, which QR codes need. */
export const rgbColor: ParseValue<string> = (label, value) =>
	colorAs(label, value, (parts) => `rgb(${parts.join(',')})`);

const HEX = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const SHORT_HEX = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

function colorAs(label: string, value: unknown, write: (parts: number[]) => string): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '?';
	if (text === '') return '';
	const hex = (HEX.exec(text) ?? SHORT_HEX.exec(text))?.slice(1);
	const parts =
		hex?.map((digits) => Number.parseInt(digits.padStart(2, digits), 16)) ??
		RGB.exec(text)?.slice(1).map(Number);
	if (parts?.every((part) => part <= 255)) return write(parts);
	throw inputFailure(`${label} must be a color, but is ${quoted(value)}`, 'Enter it like #ff9900');
}
