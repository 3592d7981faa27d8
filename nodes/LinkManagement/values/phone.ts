import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseNumericLine, type ParseValue } from '../../shared/values/input';

/** What people write between the digits of a phone. Behind the code of a country, `(0)` is not dialed. */
const NOT_DIALED = /(?<=^\(?(?:\+|00)[^(]{1,8})\(0\)|[().\p{Pd}/]/gu;

/** A phone of a QR code as digits with a leading `+`, if any: services refuse all else. @throws Failure if it is none */
export const parsePhone: ParseValue<string> = (label, value) => {
	const entered = parseNumericLine(label, value);
	const digits = entered.replace(/\s/g, '').replace(NOT_DIALED, '');
	if (/^\+?\d{1,17}$/.test(digits)) return digits;
	throw fieldFailure(
		label,
		`must be a phone number, but is ${quoted(entered)}`,
		'Enter it like +49 30 901820',
	);
};
