// What the store means by refusing a request. Its messages are translated, so status 404 decides; whole messages decide for stores
// with other statuses.

import type { Failure, FailureKind } from '../shared/values/failure';
import { normalized } from '../shared/values/text';

/** What the store says if it has none of what was asked for (document: "Errors"). */
export const NO_ITEMS = 'No items found';
export const NO_ITEM = 'Item Not Found';
export const INVALID_CODE = 'Invalid purchase code';

/** Whether a status may be about what the request asks for, whatever else it means: the document shows none for its errors. */
const isAboutRequest = (kind: FailureKind): boolean =>
	['refused', 'missing', 'forbidden', 'unauthorized'].includes(kind);

/** Whether the store says that it has none of it: with 404 and a `msg`, or in one of these messages. A wrong key may get the same. */
export function isNone({ kind, httpCode, message }: Failure, messages: readonly string[]): boolean {
	if (httpCode === 404 && ['missing', 'refused'].includes(kind)) return true;
	if (!isAboutRequest(kind)) return false;
	const said = comparableWords(message);
	return said !== '' && messages.map(comparableWords).includes(said);
}

const comparableWords = (message: string): string =>
	/^.*[^\p{P}\s]/su.exec(normalized(message, 'NFKC').toLowerCase())?.[0].trim() ?? '';

const OTHER_WORDS =
	"If these words mean that the code is invalid, enter them as 'Invalid Code Message' in the credential";

/** The failure of checking a code, with advice about the code if the store refused it in unknown words. Other statuses may be about the key. */
export function codeFailure(failure: Failure): Failure {
	const { kind, httpCode, advice, consequences, isQuoted } = failure;
	// A 400 is about a missing parameter, such as the key, which the store reads in another place.
	if (httpCode === 400 || !isQuoted) return failure;
	if (consequences.isRefusal) return failure.with({ advice: OTHER_WORDS });
	return isAboutRequest(kind) ? failure.with({ advice: `${advice}. ${OTHER_WORDS}` }) : failure;
}
