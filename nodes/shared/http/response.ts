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
type AnswerKind =
	'rateLimited' | 'redirect' | 'refused' | 'unauthorised' | 'unavailable' | 'unreadable';

/** Statuses that say by themselves what the answer is. A 403 may be about one record: that is for the caller to tell. */
const KIND_OF_STATUS: Readonly<Record<number, AnswerKind>> = {
	401: 'unauthorised',
	403: 'unauthorised',
	429: 'rateLimited',
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

/** The advice for a refusal of which nothing is known but that the service refused it. */
export const NO_REASON_KNOWN = 'Check the values that the step sends';

export const CHECK_ADDRESS = 'Check the base URL in the credential, and that the service is up';

/** What a failure says after the name of the service, where the service has no words of its own, and what to do. */
const WORDINGS: Readonly<
	Record<AnswerKind, { says(answer: HttpResponse): string; advice: string }>
> = {
	rateLimited: {
		says: () => 'received too many requests',
		advice: 'Lower Requests per Minute in the credential if other programs use the same key',
	},
	redirect: {
		says: unexpected,
		advice: 'Enter the address at which the service itself answers as base URL in the credential',
	},
	refused: { says: () => 'refused the request without a reason', advice: NO_REASON_KNOWN },
	unauthorised: {
		says: () => 'refused the API key',
		advice: 'Check the API key in the credential: it may be mistyped, expired or replaced',
	},
	unavailable: {
		says: ({ statusCode }) => `is not available (status ${statusCode})`,
		advice: 'Try again later; the service, or the proxy before it, is down for the moment',
	},
	unreadable: { says: unexpected, advice: CHECK_ADDRESS },
};

/** The body of an answer that is a success of this API, else what went wrong. */
export function classifyResponse(
	answer: HttpResponse,
	reader: ResponseFormat,
): IDataObject | Failure {
	const { body, statusCode } = answer;
	const envelope = isRecord(body) ? reader.readEnvelope(body) : undefined;
	const kind = kindOf(answer, envelope);
	if (kind === 'success') return mapIn(body);

	const wording = WORDINGS[kind];
	const isOurs = kind !== 'unreadable' && kind !== 'redirect';
	const ownWords = isOurs ? envelope?.message : undefined;
	return new Failure({
		kind: kind === 'redirect' ? 'unreadable' : kind,
		message: ownWords ?? `${capitalized(reader.serviceName)} ${wording.says(answer)}`,
		advice: adviceInstead(kind, statusCode, ownWords, reader) ?? wording.advice,
		httpCode: statusCode,
		outcomeUnknown:
			kind !== 'rateLimited' &&
			(isServerError(statusCode) || (kind === 'unreadable' && isSuccess(statusCode))),
	});
}

/** What an answer is. Its status and documented members decide; its message only where they do not. */
function kindOf(answer: HttpResponse, envelope: Envelope | undefined): AnswerKind | 'success' {
	const { statusCode, body } = answer;
	// What says that it was carried out must not be sent again, whatever else it holds.
	const saysSuccess = isSuccess(statusCode) && envelope?.outcome === 'success';
	if (saysSuccess && mapIn(body).error !== undefined) return 'success';
	if (statusCode === 429 || (isRecord(body) && hasLimitMember(body))) return 'rateLimited';
	if (isRedirect(statusCode)) return 'redirect';
	if (saysSuccess) return 'success';
	if (isSuccess(statusCode) && envelope?.outcome === 'unknown') return 'unreadable';
	return (
		kindOfMessage(answer, envelope) ??
		KIND_OF_STATUS[statusCode] ??
		(envelope ? 'refused' : 'unreadable')
	);
}

/** The documents leave open how a refusal for the rate limit looks; it may give the status as a member of the body. */
const hasLimitMember = ({ error, status }: IDataObject): boolean =>
	[error, status].some((member) => integerIn(member) === 429);

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
	const kind = KINDS_OF_MESSAGE.find(
		({ statuses, words: known }) =>
			(isSuccess(statusCode) || statuses.includes(statusCode)) && known.test(words),
	)?.kind;
	return kind === 'rateLimited' && hasRequestsLeft(headers) ? undefined : kind;
}

/** Where more can be said than the kind of the answer. */
function adviceInstead(
	kind: AnswerKind,
	statusCode: number,
	message: string | undefined,
	reader: ResponseFormat,
): string | undefined {
	const mayMeanKey = kind === 'refused' && reader.mayMeanKey?.(message ?? '') === true;
	const isAboutKey = kind === 'unauthorised' || mayMeanKey;
	if (isAboutKey) return reader.keyAdvice ?? WORDINGS.unauthorised.advice;
	if (kind === 'refused' && isServerError(statusCode)) return WORDINGS.unavailable.advice;
	if (kind === 'unreadable' && statusCode >= 400 && !isServerError(statusCode)) {
		return 'Check the base URL in the credential; if other operations work with it, check the values of this step';
	}
	return undefined;
}

/** Something answered, but not this API: says what, never its content. */
function unexpected(answer: HttpResponse): string {
	return `was expected to answer, but ${whatCame(answer)} came (status ${answer.statusCode})`;
}

function whatCame({ body, statusCode, headers }: HttpResponse): string {
	if (isRedirect(statusCode)) return `a redirect${redirectTarget(headers.location)}`;
	if (isRecord(body) || Array.isArray(body)) return 'JSON of another kind';
	if (typeof body !== 'string' || body.trim() === '') return 'an empty answer';
	if (body.trimStart().startsWith('<')) return 'a web page';
	return /^\s*[[{]/.test(body) ? 'cut-off JSON' : 'plain text';
}

/** Where a redirect leads, without its query: that may hold the key. */
function redirectTarget(location: unknown): string {
	if (typeof location !== 'string') return '';
	if (!URL.canParse(location)) return ` to ${location.replace(/[?#].*$/, '')}`;
	const { origin, pathname } = new URL(location);
	return ` to ${origin}${pathname}`;
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isServerError = (statusCode: number): boolean => statusCode >= 500;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
