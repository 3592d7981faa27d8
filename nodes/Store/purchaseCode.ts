// Purchase codes as people enter them, and what the store says of one that is invalid.

import type { Connection } from '../shared/http/connection';
import {
	type Failure,
	type FailureKind,
	inputFailure,
	isRefusal,
	quoted,
} from '../shared/values/failure';
import { isBlank, line } from '../shared/values/input';
import { normalized } from '../shared/values/text';

/** Line breaks and invisible characters that PDFs, chats and spreadsheets put into a text, including no-break spaces. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\t\n\r\u00a0\u2007\u202f]/gu;

/** Every dash, and the minus sign, which is not in Unicode's category of dashes. */
const DASH = /[\p{Pd}\u2043\u2212]/gu;

/**
 * A pasted purchase code as the store has it: `ﬀ` becomes `ff`, each dash `-`, and invisible characters are removed. Empty if
 * nothing is left.
 * @throws Failure if it cannot be a code: it is not a text or a number, is too long, or has control characters
 */
export function purchaseCode(label: string, value: unknown): string {
	if (isBlank(value)) return '';
	if (typeof value === 'boolean') {
		throw inputFailure(`${label} must be text, but is ${quoted(value)}`, CHECK_EXPRESSION);
	}
	const visible = line(label, typeof value === 'string' ? value.replace(INVISIBLE, '') : value);
	if (visible.length > LONGEST_CODE) {
		throw inputFailure(
			`${label} has ${visible.length} characters, but a code has at most ${LONGEST_CODE}`,
			CHECK_EXPRESSION,
		);
	}
	return normalized(visible, 'NFKC').replace(DASH, '-').trim();
}

/** As much as databases usually keep of a text of one line. */
const LONGEST_CODE = 255;

const CHECK_EXPRESSION = 'Check the expression that gives it';

/** The store's words for an invalid code (document: "Errors"). */
const DOCUMENTED_WORDS = 'Invalid purchase code';

/** Whether a status may be about what the request asks for, whatever else it means: the document shows none for its errors. */
export const isAboutRequest = (kind: FailureKind): boolean =>
	['refused', 'missing', 'forbidden', 'unauthorized'].includes(kind);

/**
 * Whether the store said that the code is invalid: its whole message is the documented one, or one in the credential.
 * Every status that refuses a single request counts.
 */
export function isInvalidCode(
	{ kind, message }: Pick<Failure, 'kind' | 'message'>,
	{ invalidCodeMessages }: Pick<Connection, 'invalidCodeMessages'>,
): boolean {
	if (!isAboutRequest(kind) || plain(message) === '') return false;
	return [DOCUMENTED_WORDS, ...invalidCodeMessages].map(plain).includes(plain(message));
}

/** A message in lower case and without punctuation at its end. */
const plain = (message: string): string =>
	/^.*[^\p{P}\s]/su.exec(normalized(message, 'NFKC').toLowerCase())?.[0].trim() ?? '';

/** Whether the store refused this code in unknown words. A 403 may mean the key or the code. */
export const isAboutCode = (failure: Failure): boolean =>
	isRefusal(failure) || failure.kind === 'forbidden';

const OTHER_WORDS =
	'If these words mean that the code is invalid, enter them as Invalid Code Message in the credential';

/** The failure of checking a code, with advice about the code if the store refused it in unknown words. */
export const codeFailure = (failure: Failure): Failure =>
	isRefusal(failure) ? failure.with({ advice: OTHER_WORDS }) : failure;

/** The most codes that an error names. */
const MAX_NAMED = 10;

/** The failure with the codes that it is about. */
export function namingCodes(failure: Failure, codes: string[]): Failure {
	const names = codes.slice(0, MAX_NAMED).map(quoted).join(', ');
	const more = codes.length > MAX_NAMED ? ` and ${codes.length - MAX_NAMED} more` : '';
	const label = codes.length > 1 ? 'purchase codes' : 'purchase code';
	return failure.with({ message: `${failure.message} (${label} ${names}${more})` });
}
