import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine, type ParseValue } from '../../shared/values/input';

/** A color as HEX, `#rrggbb`, as a color picker gives it; also `#rgb`. */
export const parseHexColor: ParseValue<string> = (label, value) => {
	const entered = parseLine(label, value);
	const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(entered) ?? [];
	if (digits === undefined) {
		const what = `must be a color, but is ${quoted(entered)}`;
		throw fieldFailure(label, what, 'Enter it like #ff9900');
	}
	const all = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	return `#${all.toLowerCase()}`;
};

/** The same as `rgb(r,g,b)`, which QR codes need. */
export const parseRgbColor: ParseValue<string> = (label, value) => {
	const hex = parseHexColor(label, value);
	const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
	return `rgb(${parts.join(',')})`;
};
