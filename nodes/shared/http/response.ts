import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { integerIn, isRecord, mapIn } from '../values/json';
import { hasRequestsLeft } from './rateHeaders';

/** What came back from a request, whatever answered it. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	/** Parsed if it was JSON, else the text. */
	body: unknown;
}

/** What an API's envelope says. */
export interface Envelope {
	/** `unknown` where the answer is JSON, but none of this API. */
	outcome: 'success' | 'failure' | 'unknown';
	/** The service's own words, if it has any. */
	message: string | undefined;
}

/** How one API's answers are read; its node's folder holds it. */
export interface ResponseFormat {
	/** How messages call the service: `the link service`. */
	serviceName: string;
	readEnvelope(body: IDataObject): Envelope;
	/** Whether a whole message of the service may be its way to say that the key is wrong, where that is not plain. */
	mayMeanKey?(message: string): boolean;
	/** What else to look at when the key is refused. */
	keyAdvice?: string;
}

/** What an answer is that is no success. */
type AnswerKind = 'rateLimited' | 'refused' | 'unauthorised' | 'unavailable' | 'unreadable';

/** Statuses that say by themselves what the answer is. A 403 may be about one record: that is for the caller to tell. */
const KIND_OF_STATUS: Readonly<Record<number, AnswerKind>> = {
	401: 'unauthorised',
	403: 'unauthorised',
	502: 'unavailable',
	503: 'unavailable',
	504: 'unavailable',
};

/** A longer text is no message of the kinds below, but perhaps a page of megabytes. */
const LONGEST_MESSAGE = 200;

const KEY = '(api ?key|(access )?token)';
const REFUSED = '(invalid|not valid|missing|required|wrong|unknown|expired|revoked)';
const LATER = '(try again|retry|later|in|after|few|seconds?|minutes?| )*';

/**
 * Messages that say what the answer is where its status does not: 2xx, or one of those given here. They are in lower
 * case, without articles and punctuation, and count as a whole only: the service may repeat any word that the user
 * entered, such as an alias `rate-limit` or a domain `unauthorized.example`.
 */
const KINDS_OF_MESSAGE: ReadonlyArray<{
	kind: AnswerKind;
	statuses: readonly number[];
	words: RegExp;
}> = [
	{
		kind: 'rateLimited',
		statuses: [400, 403, 503],
		words: new RegExp(
			`^(((api|request) )?rate limit(ed| (is |was |has been )?(exceeded|reached))|too many requests)${LATER}$`,
		),
	},
	{
		kind: 'unauthorised',
		statuses: [400],
		words: new RegExp(
			`^(${REFUSED}( or ${REFUSED})? ${KEY}|${KEY} (is |has |has been )?${REFUSED}( or ${REFUSED})?|unauthori[sz]ed|unauthenticated)$`,
		),
	},
];

/** The body of an answer that is a success of this API, else what went wrong. */
export function classifyResponse(
	answer: HttpResponse,
	format: ResponseFormat,
): IDataObject | Failure {
	const { body, statusCode } = answer;
	const envelope = isRecord(body) ? format.readEnvelope(body) : undefined;
	const kind = kindOf(answer, envelope);
	if (kind === 'success') return mapIn(body);

	// What is not the service has no words to repeat.
	const ownWords = kind === 'unreadable' ? undefined : envelope?.message;
	const isDoubtful = isServerError(statusCode) || (kind === 'unreadable' && isSuccess(statusCode));
	return new Failure({
		kind,
		message: ownWords ?? `${capitalized(format.serviceName)} ${WORDS[kind](answer)}`,
		advice: adviceFor(kind, statusCode, ownWords, format),
		httpCode: statusCode,
		outcomeUnknown: isDoubtful && kind !== 'rateLimited',
	});
}

/** What an answer is. Its status and documented members decide; its message only where they do not. */
function kindOf(answer: HttpResponse, envelope: Envelope | undefined): AnswerKind | 'success' {
	const { statusCode } = answer;
	const { error, status } = mapIn(answer.body);
	const saysSuccess = isSuccess(statusCode) && envelope?.outcome === 'success';
	// What says that it was carried out must not be sent again, whatever else it holds.
	if (saysSuccess && error !== undefined) return 'success';
	// The documents leave open how a refusal for the rate limit looks; it may give the status as a member of the body.
	if ([statusCode, integerIn(error), integerIn(status)].includes(429)) return 'rateLimited';
	if (saysSuccess) return 'success';
	if (isRedirect(statusCode)) return 'unreadable';
	if (isSuccess(statusCode) && envelope?.outcome === 'unknown') return 'unreadable';
	return (
		kindOfMessage(answer, envelope) ??
		KIND_OF_STATUS[statusCode] ??
		(envelope ? 'refused' : 'unreadable')
	);
}

function kindOfMessage(
	{ statusCode, headers, body }: HttpResponse,
	envelope: Envelope | undefined,
): AnswerKind | undefined {
	const message = envelope ? envelope.message : body;
	if (typeof message !== 'string' || message.length > LONGEST_MESSAGE) return undefined;
	const words = message
		.toLowerCase()
		.replace(/[^a-z]+|\b(an?|the|your|please)\b/g, ' ')
		.replace(/ +/g, ' ')
		.trim();
	const known = KINDS_OF_MESSAGE.filter(
		({ statuses }) => isSuccess(statusCode) || statuses.includes(statusCode),
	);
	const kind = known.find((entry) => entry.words.test(words))?.kind;
	return kind === 'rateLimited' && hasRequestsLeft(headers) ? undefined : kind;
}

/** What a failure says after the name of the service, where the service has no words of its own. */
const WORDS: Readonly<Record<AnswerKind, (answer: HttpResponse) => string>> = {
	rateLimited: () => 'received too many requests',
	refused: () => 'refused the request without a reason',
	unauthorised: () => 'refused the API key',
	unavailable: ({ statusCode }) => `is not available (status ${statusCode})`,
	unreadable: (answer) =>
		`was expected to answer, but ${whatCame(answer)} came (status ${answer.statusCode})`,
};

/** The advice for a refusal of which nothing is known but that the service refused it. */
export const NO_REASON_KNOWN = 'Check the values that the step sends';

export const CHECK_ADDRESS = 'Check the base URL in the credential, and that the service is up';

/** What the user can do about it. */
function adviceFor(
	kind: AnswerKind,
	statusCode: number,
	message = '',
	format: ResponseFormat,
): string {
	if (kind === 'rateLimited') {
		return 'Lower Requests per Minute in the credential if other programs use the same key';
	}
	if (kind === 'unauthorised' || (kind === 'refused' && format.mayMeanKey?.(message))) {
		return (
			format.keyAdvice ??
			'Check the API key in the credential: it may be mistyped, expired or replaced'
		);
	}
	if (kind === 'unavailable' || (kind === 'refused' && isServerError(statusCode))) {
		return 'Try again later; the service, or the proxy before it, is down for the moment';
	}
	if (kind === 'refused') return NO_REASON_KNOWN;
	if (isRedirect(statusCode)) {
		return 'Enter the address at which the service itself answers as base URL in the credential';
	}
	if (isSuccess(statusCode) || isServerError(statusCode)) return CHECK_ADDRESS;
	return 'Check the base URL in the credential; if other operations work with it, check the values of this step';
}

/** What answered in place of this API, but never its content. */
function whatCame({ body, statusCode, headers }: HttpResponse): string {
	if (isRedirect(statusCode)) return `a redirect${redirectTarget(headers.location)}`;
	if (isRecord(body) || Array.isArray(body)) return 'JSON of another kind';
	const text = typeof body === 'string' ? body.trim() : '';
	if (text === '') return 'an empty answer';
	if (text.startsWith('<')) return 'a web page';
	return /^[[{]/.test(text) ? 'cut-off JSON' : 'plain text';
}

/** Where a redirect leads, without what may hold the key: its query, and a user name or password. */
const redirectTarget = (location: unknown): string =>
	typeof location === 'string' ? ` to ${location.replace(/[?#].*$|(?<=\/\/)[^/]*@/g, '')}` : '';

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isServerError = (statusCode: number): boolean => statusCode >= 500;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
