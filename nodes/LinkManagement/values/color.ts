import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine, type ParseValue } from '../../shared/values/input';

/** A color as HEX, `#rrggbb`, as a color picker gives it; also `#rgb` and `rgb(r,g,b)`, as people write it. */
export const parseHexColor: ParseValue<string> = (label, value) => {
	const entered = parseLine(label, value);
	const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hexDigits(entered)) ?? [];
	if (digits === undefined)
		throw fieldFailure(
			label,
			`must be a color, but is ${quoted(entered)}`,
			'Enter it like #ff9900',
		);
	const all = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	return `#${all.toLowerCase()}`;
};

/** The digits of `rgb(r,g,b)`, too many if one of the numbers is; any other text as it is. */
function hexDigits(color: string): string {
	const [, ...parts] =
		/^rgb\s*\(\s*(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})\s*\)$/i.exec(color) ??
		[];
	if (parts.length === 0) return color;
	return parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('');
}

/** The same as `rgb(r,g,b)`, which QR codes need. */
export const parseRgbColor: ParseValue<string> = (label, value) => {
	const hex = parseHexColor(label, value);
	const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
	return `rgb(${parts.join(',')})`;
};
