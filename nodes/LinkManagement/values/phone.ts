import { fieldFailure, quoted } from '../../shared/values/failure';
import { parseNumericLine, type ParseValue } from '../../shared/values/input';

/** What people write between the digits of a phone. */
const BETWEEN_DIGITS = /[\s().\p{Pd}/]/gu;

/** Behind the code of a country, it is not dialed. */
const ZERO_AT_HOME = /(?<=^\(?(?:\+\s?|00)\d{1,3}\)?[\s.\p{Pd}/]{0,5})\(\s?0\s?\)/u;

/** Two numbers in one cell have more. */
const PHONE = /^(?:\+|00)?\d{1,15}$/;

/** A phone of a QR code as digits with a leading `+`, if any: services refuse all else. @throws Failure if it is none */
export const parsePhone: ParseValue<string> = (label, value) => {
	const entered = parseNumericLine(label, value);
	const digits = entered
		.replace(/^tel:/i, '')
		.replace(ZERO_AT_HOME, '')
		.replace(BETWEEN_DIGITS, '');
	if (PHONE.test(digits)) return digits;
	throw fieldFailure(
		label,
		`must be a phone number, but is ${quoted(entered)}`,
		'Enter it like +49 30 901820',
	);
};
