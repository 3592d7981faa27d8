// What the store means by refusing a request. Its messages are translated, so status 404 decides; whole messages decide for stores
// with other statuses.

import type { Failure, FailureKind } from '../shared/values/failure';
import { lowerCase } from '../shared/values/text';

/** What the store says if it has none of what was asked for (document: "Errors"). */
export const NO_ITEMS = 'No items found';
export const INVALID_CODE = 'Invalid purchase code';

/** Whether it may be about what the request asks for, whatever else it means: the document shows no status for its errors. */
const isAboutRequest = (kind: FailureKind): boolean =>
	['refused', 'missing', 'forbidden', 'unauthorized'].includes(kind);

/** Words never make a verdict, but these prevent one: the store may accept a key for the account that it refuses elsewhere. */
const ABOUT_KEY = /\bapi[ _-]?key\b/i;

/** Whether the store says that it has none of it: with 404 and a `msg`, or in one of these messages. A wrong key may get the same. */
export function isNone({ kind, httpCode, message }: Failure, messages: readonly string[]): boolean {
	const said = comparableWords(message);
	const isListed = said !== '' && messages.map(comparableWords).includes(said);
	if (isListed && isAboutRequest(kind)) return true;
	return httpCode === 404 && ['missing', 'refused'].includes(kind) && !ABOUT_KEY.test(message);
}

const comparableWords = (message: string): string =>
	lowerCase(message.trim()).replace(/\p{P}$/u, '');

const OTHER_WORDS =
	"If these words mean that the code is invalid, enter them as 'Invalid Code Message' in the credential";

/** The failure of checking a code, with advice if the store refused it in unknown words. A 400 is about a missing parameter. */
export function codeFailure(failure: Failure): Failure {
	const { kind, httpCode, advice, isQuoted } = failure;
	if (httpCode === 400 || !isQuoted || !isAboutRequest(kind)) return failure;
	return failure.with({ advice: kind === 'refused' ? OTHER_WORDS : `${advice}. ${OTHER_WORDS}` });
}
