import { inputFailure, quoted } from '../../shared/values/failure';
import type { ParseValue } from '../../shared/values/input';

/** A color as HEX, `#rrggbb`, as a color picker gives it. An empty value is kept: it clears the field. */
export const hexColor: ParseValue<string> = (label, value) => {
	const text = typeof value === 'number' ? String(value) : value;
	if (text === '') return '';
	const [, digits] = typeof text === 'string' ? (/^#?([0-9a-f]{6})$/i.exec(text.trim()) ?? []) : [];
	if (digits !== undefined) return `#${digits.toLowerCase()}`;
	throw inputFailure(`${label} must be a color, but is ${quoted(value)}`, 'Enter it like #ff9900');
};

/** The same as `rgb(r,g,b)`, which QR codes need. */
export const rgbColor: ParseValue<string> = (label, value) => {
	const hex = hexColor(label, value);
	const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
	return hex === '' ? '' : `rgb(${parts.join(',')})`;
};
