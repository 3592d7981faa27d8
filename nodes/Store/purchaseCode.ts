// Purchase codes as people enter them, and what the store says of one that is invalid.

import type { Connection } from '../shared/http/connection';
import { type Failure, type FailureKind, inputFailure, quoted } from '../shared/values/failure';
import { isBlank, parseLine } from '../shared/values/input';
import { normalized } from '../shared/values/text';

/** What mails, documents and sheets put around a code: quotes, `="…"`, brackets, a bullet; at the end a full stop, too. */
const BEFORE = /^(?:\s*=(?="))?[\s"'`´„‚\p{Pi}\p{Pf}([<*•-]+/u;
const BEHIND = /(?<![\s"'`´\p{Pi}\p{Pf})\]>.,;])[\s"'`´\p{Pi}\p{Pf})\]>.,;]+$/u;

/**
 * A pasted code as the store has it: `ﬀ` becomes `ff`, each dash or minus `-`; invisible characters, line breaks, blanks beside a
 * dash and what is around the code go. Empty if nothing is left. @throws Failure if it cannot be one code
 */
export function parsePurchaseCode(label: string, value: unknown): string {
	if (typeof value !== 'string') return isBlank(value) ? '' : parseLine(label, value);
	const visible = value.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
	const bare = normalized(visible, 'NFKC')
		.replace(/[\p{Pd}\u2043\u2212]/gu, '-')
		.replace(BEFORE, '')
		.replace(BEHIND, '')
		.split('-')
		.map((part) => part.trim())
		.join('-');
	if (isSeveral(bare)) {
		throw inputFailure(
			`${label} has more than one code: ${quoted(value)}`,
			'Give each code an item of its own',
		);
	}
	// Documents break long codes at the end of a line.
	return parseLine(label, bare.replace(/[\t\n\r]/g, ''));
}

/** Whether a text has two words that are too long for groups of one code: of the same form, or in a list. */
function isSeveral(text: string): boolean {
	const words = text.split(/[\s,;|]+/).filter((word) => word.length >= 8);
	const forms = new Set(words.map((word) => word.replace(/[\p{L}\p{N}]/gu, 'x')));
	return words.length > 1 && (/[,;|]/.test(text) || forms.size < words.length);
}

/** The store's words for an invalid code (document: "Errors"). */
const DOCUMENTED_WORDS = 'Invalid purchase code';

/** Whether a status may be about what the request asks for, whatever else it means: the document shows none for its errors. */
export const isAboutRequest = (kind: FailureKind): boolean =>
	['refused', 'missing', 'forbidden', 'unauthorized'].includes(kind);

/** Whether the whole message is the documented one, or one in the credential, with any status that refuses a single request. */
export function isInvalidCode(
	{ kind, message }: Pick<Failure, 'kind' | 'message'>,
	{ invalidCodeMessages }: Pick<Connection, 'invalidCodeMessages'>,
): boolean {
	if (!isAboutRequest(kind) || comparableMessage(message) === '') return false;
	return [DOCUMENTED_WORDS, ...invalidCodeMessages]
		.map(comparableMessage)
		.includes(comparableMessage(message));
}

const comparableMessage = (message: string): string =>
	/^.*[^\p{P}\s]/su.exec(normalized(message, 'NFKC').toLowerCase())?.[0].trim() ?? '';

/** Whether the store refused this code in unknown words. A 403 may mean the key or the code. */
export const isAboutCode = (failure: Failure): boolean =>
	failure.consequences.isRefusal ?? failure.kind === 'forbidden';

const OTHER_WORDS =
	'If these words mean that the code is invalid, enter them as Invalid Code Message in the credential';

/** The failure of checking a code, with advice about the code if the store refused it in unknown words. */
export const codeFailure = (failure: Failure): Failure =>
	failure.consequences.isRefusal ? failure.with({ advice: OTHER_WORDS }) : failure;

export const namingCode = (failure: Failure, code: string): Failure =>
	failure.with({ message: `${failure.message} (purchase code ${quoted(code)})` });
