// Purchase codes as people enter them.

import { type Failure, fieldFailure, quoted } from '../shared/values/failure';
import { isBlank, isNothing, parseLine, standsForNone } from '../shared/values/input';
import { normalized } from '../shared/values/text';

/** The usual form, 8-4-4-4-12 hex digits with or without the dashes, where it is no part of a longer Latin word. */
const USUAL_CODE =
	/(?<![a-z\d]|[a-z\d]-)(?:[\da-f]{8}(?:(?:\s*[-_]+\s*|\s+)[\da-f]{4}){3}(?:\s*[-_]+\s*|\s+)[\da-f]{12}|[\da-f]{32})(?![a-z\d]|-[a-z\d])/gi;

/** The usual form with plain dashes, also as a part of a longer word. */
const PART = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** What may stand before a code without a blank: the signs for a number, and an encoded character of an address. */
const NO_PART = /[№ºª]|%[\da-f]{2}/gi;

/** A Cyrillic letter that looks like a hex digit, as that digit. */
const inLatin = (sign: string): string => 'abcdeABCE'.charAt('авсԁеАВСЕ'.indexOf(sign));

/** What mails, documents and sheets put around a code: quotes, `="…"`, brackets, a bullet; at the end a full stop, too. */
const BEFORE = /^(?:\s*=(?="))?[\s"'`´„‚\p{Pi}\p{Pf}([{<>*•-]+/u;
const BEHIND = /(?<![\s"'`´\p{Pi}\p{Pf})\]}>.,;])[\s"'`´\p{Pi}\p{Pf})\]}>.,;]+$/u;

/**
 * A pasted code as the store has it. If the text has one code of the usual form, that is the code, whatever words are around it.
 * In any other, blanks beside a dash and what is around the code go. Empty if nothing is left. @throws Failure if it cannot be one
 */
export function parsePurchaseCode(label: string, value: unknown): string {
	if (typeof value !== 'string') return isBlank(value) ? '' : parseLine(label, value);
	if (isNothing(value)) return parseLine(label, value);
	const [usual, ...more] = usualCodesIn(value);
	const isGlued = codesWithin(value).length > 1;
	if (usual !== undefined && more.length === 0 && !isGlued) return usual;
	// Without its braces, an expression that n8n did not evaluate could be a code.
	if (value.includes('{{')) return parseLine(label, value);
	const bare = withPlainDashes(value)
		// A note, such as the name of the customer.
		.replace(/\s\([^()]{0,80}\)\s{0,5}$/, '')
		.replace(BEFORE, '')
		.replace(BEHIND, '')
		.split('-')
		.map((part) => part.trim())
		.join('-');
	if (standsForNone(bare))
		throw fieldFailure(
			label,
			`is no code, but stands for none: ${quoted(value)}`,
			'Enter a code, or leave the row out',
		);
	if (more.length > 0 || isGlued || isSeveral(bare)) {
		throw fieldFailure(
			label,
			`has more than one code: ${quoted(value)}`,
			'Check them one by one, each in an item of its own',
		);
	}
	return parseLine(label, withoutBreaks(bare));
}

/** The different codes of the usual form in a text. */
export function usualCodesIn(value: string): string[] {
	const text = withPlainDashes(value.replace(NO_PART, ' ')).replace(/[авсԁеАВСЕ]/g, inLatin);
	const found = [text, withoutBreaks(text)].map((each) => each.match(USUAL_CODE) ?? []);
	const codes = found.find(({ length }) => length > 0) ?? [];
	return different(codes.map((code) => code.replaceAll(/[\s_-]+/g, '-')));
}

/** The same inside longer words, too: a lost line break leaves one code behind the other. */
function codesWithin(value: string): string[] {
	const text = withPlainDashes(value);
	const others = text.replace(PART, ' ').match(/[\da-f]{32}/gi) ?? [];
	const dashed = text.match(PART) ?? [];
	return dashed.length === 0 ? [] : different([...dashed, ...others]);
}

const different = (codes: readonly string[]): string[] =>
	codes.filter((code, at) => codes.findIndex((other) => isSameCode(code, other)) === at);

/** Without invisible characters, `ﬀ` as `ff`, and each dash or minus as `-`. */
const withPlainDashes = (text: string): string =>
	normalized(text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, ''), 'NFKC').replace(
		/[\p{Pd}\u2043\u2212]/gu,
		'-',
	);

/** Documents break long codes at the end of a line. */
const withoutBreaks = (text: string): string => text.replace(/[\t\n\r]/g, '');

/** Whether a text has two words that are too long for groups of one code: of the same form, or in a list. */
function isSeveral(text: string): boolean {
	const words = text.split(/[\s,;|]+/).filter((word) => word.length >= 8);
	const forms = new Set(words.map((word) => word.replace(/[\p{L}\p{N}]/gu, 'x')));
	return words.length > 1 && (/[,;|]/.test(text) || forms.size < words.length);
}

/** Whether a code has the usual form, with its dashes or without them. */
export const isUsual = (code: string): boolean => usualCodesIn(code)[0] === code;

/** Of a code without its dashes, or glued to words, the usual form; undefined for any other, also for one with a digit too many. */
export function otherSpelling(code: string): string | undefined {
	const inside = insideOf(code);
	const dashed = code.replace(
		/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i,
		'$1-$2-$3-$4-$5',
	);
	const spelling = inside ?? dashed;
	return spelling === code ? undefined : spelling;
}

/** The code in a word. What has only hex digits before or behind a code is no word, but a digit too many. */
function insideOf(word: string): string | undefined {
	const [code] = word.match(PART) ?? [];
	if (code === undefined) return undefined;
	const [before = '', behind = ''] = word.split(code);
	const touching = [before.split(NO_WORD).at(-1), behind.split(NO_WORD)[0]];
	const hasDigit = touching.some((letters = '') => /^[\da-f]+$/i.test(letters));
	return hasDigit ? undefined : code;
}

const NO_WORD = /[^a-z\d]/i;

/** Whether a text has one, maybe glued to words. */
export const hasUsualCode = (text: string): boolean =>
	isUsual(text) || otherSpelling(text) !== undefined;

/** A text without a code, where the others are codes of the usual form. */
export const noCode = (label: string, text: string): Failure =>
	fieldFailure(
		label,
		`has no purchase code: ${quoted(text)}`,
		'The others have 32 digits from 0 to 9 and a to f, as in xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. Correct it, or remove it',
	);

/** Whether two spellings are of one code: case and dashes do not count. */
export const isSameCode = (a: string, b: string): boolean =>
	comparableCode(a) === comparableCode(b);

const comparableCode = (code: string): string =>
	withPlainDashes(code).replaceAll(/[-\s]/g, '').toLowerCase();

/** By what a code is known. In the usual form, case and dashes do not count; in another one, they may. */
export const codeKey = (code: string): string => (isUsual(code) ? comparableCode(code) : code);

export const namingCode = (failure: Failure, code: string): Failure =>
	failure.with({ message: `${failure.message} (purchase code ${quoted(code)})` });
