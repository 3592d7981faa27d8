import { inputFailure } from '../../shared/values/failure';
import { purchaseCode } from '../purchaseCode';

/** The most codes that one trigger watches, because something is stored of each. */
export const MAX_CODES = 10_000;

/** A comma, a semicolon, a tab, or the end of a line in any system, unless the line ends amid a code. */
const SEPARATOR = /(?<!\p{Pd}[ \r]{0,2})[\p{Cc}\u2028\u2029,;]/u;

/**
 * The codes in the field: on lines, separated by commas, or in an array from an expression; without empty ones and duplicates.
 * @throws Failure if one cannot be a code, or if there are too many
 */
export function purchaseCodes(value: unknown): string[] {
	const codes = new Set(
		[value]
			.flat()
			.flatMap((text: unknown) => (typeof text === 'string' ? text.split(SEPARATOR) : [text]))
			.map((code) => purchaseCode('Purchase Codes', code)),
	);
	codes.delete('');
	if (codes.size > MAX_CODES) {
		throw inputFailure(
			`A trigger watches at most ${MAX_CODES} purchase codes, but there are ${codes.size}`,
			'Use several triggers',
		);
	}
	return [...codes];
}
