// Purchase codes as people enter them.

import { type Failure, fieldFailure, quoted } from '../shared/values/failure';
import { isBlank, isNothing, parseLine } from '../shared/values/input';
import { normalized, visibleText } from '../shared/values/text';

/** The usual form, 8-4-4-4-12 hex digits with or without the dashes, where it is no part of a longer word. */
const USUAL_CODE =
	/(?<![a-z\d]|[a-z\d]-)(?:[\da-f]{8}(?:\s*[-_]\s*[\da-f]{4}){3}\s*[-_]\s*[\da-f]{12}|[\da-f]{32})(?![a-z\d]|-[a-z\d])/gi;

/** What mails, documents and sheets put around a code: quotes, `="…"`, brackets. */
const BEFORE = /^[\s="'`´„\p{Pi}\p{Pf}([{<]+/u;
const BEHIND = /(?<![\s"'`´\p{Pi}\p{Pf})\]}>.,;])[\s"'`´\p{Pi}\p{Pf})\]}>.,;]+$/u;

/**
 * A pasted code as the store has it. If the text has one code of the usual form, that is the code, whatever words are around it.
 * Empty if the text is blank. @throws Failure if it has several codes, or cannot be one
 */
export function parsePurchaseCode(label: string, value: unknown): string {
	if (typeof value !== 'string') return isBlank(value) ? '' : parseLine(label, value);
	const [usual, ...more] = usualCodesIn(value);
	if (more.length > 0)
		throw fieldFailure(
			label,
			`has more than one code: ${quoted(value)}`,
			'Check them one by one, each in an item of its own',
		);
	if (usual !== undefined) return usual;
	// Without its braces, an expression that n8n did not evaluate could be a code.
	const isRaw = isNothing(value) || value.includes('{{');
	return parseLine(label, isRaw ? value : value.replace(BEFORE, '').replace(BEHIND, ''));
}

/** The different codes of the usual form in a text. */
export function usualCodesIn(value: string): string[] {
	const codes = withPlainDashes(value).match(USUAL_CODE) ?? [];
	const byKey = codes.map((code) => {
		const plain = code.replaceAll(/[\s_-]+/g, '-');
		return [comparableCode(plain), plain] as const;
	});
	// Of two spellings, the first counts.
	return [...new Map(byKey.reverse()).values()].reverse();
}

/** Without invisible characters, and with each dash or minus as `-`. */
const withPlainDashes = (text: string): string =>
	normalized(visibleText(text), 'NFKC').replace(/[\p{Pd}\u2043\u2212]/gu, '-');

const isUsual = (code: string): boolean => usualCodesIn(code)[0] === code;

/** Of a code without its dashes, the usual form, because a store may compare them; undefined for any other. */
export function otherSpelling(code: string): string | undefined {
	if (code.length !== 32 || !isUsual(code)) return undefined;
	return code.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Whether two spellings are of one code: case and dashes do not count. */
export const isSameCode = (a: string, b: string): boolean =>
	comparableCode(a) === comparableCode(b);

const comparableCode = (code: string): string =>
	withPlainDashes(code).replaceAll(/[-\s]/g, '').toLowerCase();

/** By what a code is known. In the usual form, case and dashes do not count; in another one, they may. */
export const codeKey = (code: string): string => (isUsual(code) ? comparableCode(code) : code);

export const namingCode = (failure: Failure, code: string): Failure =>
	failure.with({ message: `${failure.message} (purchase code ${quoted(code)})` });
