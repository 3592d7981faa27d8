// Purchase codes as people enter them.

import { fieldFailure, quoted } from '../shared/values/failure';
import { cellValue, isBlank, parseLine } from '../shared/values/input';
import { visibleText } from '../shared/values/text';

/** The usual form, 8-4-4-4-12 hex digits, also with spaces beside its dashes; not as a part of a longer code. */
const USUAL_CODE =
	/(?<![a-z\d]|[a-z\d]-)[\da-f]{8}(?:\s*-\s*[\da-f]{4}){3}\s*-\s*[\da-f]{12}(?![a-z\d]|-[a-z\d])/gi;

const QUOTES = /^["'“”„«»]|["'“”„«»]$/g;

/**
 * In a text with one code of the usual form, that is the code. Anything else goes to the store as it is.
 * @returns empty if the value is blank @throws Failure if it has several codes, or is not a line of text
 */
export function parsePurchaseCode(label: string, value: unknown): string {
	const cell = cellValue(value);
	const entered = typeof cell === 'string' ? visibleText(cell).replaceAll(QUOTES, '') : cell;
	if (isBlank(entered)) return '';
	const [usual, ...more] = typeof entered === 'string' ? usualCodesIn(entered) : [];
	if (more.length > 0) throw fieldFailure(label, `has more than one code: ${quoted(value)}`);
	return usual ?? parseLine(label, entered);
}

/** The different codes of the usual form in a text. Word processors make other dashes of `-`. */
export function usualCodesIn(text: string): string[] {
	const plain = visibleText(text).replaceAll(/[\p{Pd}\u2212]/gu, '-');
	const codes = (plain.match(USUAL_CODE) ?? []).map((code) => code.replaceAll(/\s/g, ''));
	return [...new Map(codes.map((code) => [code.toLowerCase(), code])).values()];
}

/** Whether the store may mean the same code: it spells codes in its own way. */
export const isSameCode = (a: string, b: string): boolean => bare(a) === bare(b);

const bare = (code: string): string => code.replaceAll(/[-\s]/g, '').toLowerCase();

/** By what a code is known. Case counts in all but the usual form. */
export const codeKey = (code: string): string =>
	usualCodesIn(code)[0] === code ? bare(code) : code;
