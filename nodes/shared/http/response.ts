import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { integerIn, isRecord, mapIn } from '../values/json';
import { shownAddress } from '../values/webAddress';
import { hasRequestsLeft } from './rateHeaders';

/** A response, from the service or from whatever answered in its place. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	/** Parsed if it was JSON, else the text. */
	body: unknown;
}

/** What the envelope of a response says; each API has its own. */
export interface Envelope {
	/** `unknown` if the response is JSON, but not from this API. */
	outcome: 'success' | 'failure' | 'unknown';
	/** The service's own words, if it has any. */
	message: string | undefined;
}

/** How the responses of one API are read; see `service.ts` of each node. */
export interface ResponseFormat {
	/** How messages call the service: `the link service`. */
	serviceName: string;
	readEnvelope(body: IDataObject): Envelope;
	/** Whether the service may mean by this message that the key is wrong. It gets the whole message. */
	mayMeanKey?(message: string): boolean;
	/** The advice when the key is refused, in place of the usual one. */
	keyAdvice?: string;
}

/** The kind of a response that is no success; see `FailureKind`. */
type ResponseKind = 'rateLimited' | 'refused' | 'unauthorised' | 'unavailable' | 'unreadable';

/** Statuses that decide the kind. A 403 may mean one record only, which the caller has to find out. */
const KIND_OF_STATUS: Readonly<Record<number, ResponseKind>> = {
	401: 'unauthorised',
	403: 'unauthorised',
	502: 'unavailable',
	503: 'unavailable',
	504: 'unavailable',
};

/** A longer text is none of the messages below, and may be a page of megabytes. */
const LONGEST_MESSAGE = 200;

const KEY = '(api ?key|(access )?token)';
const REFUSED = '(invalid|not valid|missing|required|wrong|unknown|expired|revoked)';
const LATER = '(try again|retry|later|in|after|few|seconds?|minutes?| )*';

/**
 * Messages that decide the kind if the status does not: for 2xx, and for the statuses given here. Only the whole message is
 * compared, in lower case, without articles and punctuation: the service may repeat what the user entered, such as an alias
 * `rate-limit` or a domain `unauthorized.example`.
 */
const KINDS_OF_MESSAGE: ReadonlyArray<{
	kind: ResponseKind;
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

/** The body of a successful response of this API, else what went wrong. */
export function classifyResponse(
	response: HttpResponse,
	format: ResponseFormat,
): IDataObject | Failure {
	const { body, statusCode } = response;
	const envelope = isRecord(body) ? format.readEnvelope(body) : undefined;
	const kind = kindOf(response, envelope);
	if (kind === 'success') return mapIn(body);

	// If something else than the service answered, its words are of no use.
	const ownWords = kind === 'unreadable' ? undefined : envelope?.message;
	const isDoubtful = isServerError(statusCode) || (kind === 'unreadable' && isSuccess(statusCode));
	return new Failure({
		kind,
		message: ownWords ?? `${capitalized(format.serviceName)} ${WORDS[kind](response)}`,
		advice: adviceFor(kind, statusCode, ownWords, format),
		httpCode: statusCode,
		outcomeUnknown: isDoubtful && kind !== 'rateLimited',
	});
}

/** The kind of a response. Its status and documented members decide; its message only if they do not. */
function kindOf(response: HttpResponse, envelope: Envelope | undefined): ResponseKind | 'success' {
	const { statusCode } = response;
	const { error, status } = mapIn(response.body);
	const saysSuccess = isSuccess(statusCode) && envelope?.outcome === 'success';
	// A request that was carried out must not be sent again, whatever else the response holds.
	if (saysSuccess && error !== undefined) return 'success';
	// The documents do not say how a refusal because of the rate limit looks. Its body may hold the status.
	if ([statusCode, integerIn(error), integerIn(status)].includes(429)) return 'rateLimited';
	if (saysSuccess) return 'success';
	if (isRedirect(statusCode)) return 'unreadable';
	if (isSuccess(statusCode) && envelope?.outcome === 'unknown') return 'unreadable';
	return (
		kindOfMessage(response, envelope) ??
		KIND_OF_STATUS[statusCode] ??
		(envelope ? 'refused' : 'unreadable')
	);
}

function kindOfMessage(
	{ statusCode, headers, body }: HttpResponse,
	envelope: Envelope | undefined,
): ResponseKind | undefined {
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

/** The message after the name of the service, if the service gives none. */
const WORDS: Readonly<Record<ResponseKind, (response: HttpResponse) => string>> = {
	rateLimited: () => 'received too many requests',
	refused: () => 'refused the request without a reason',
	unauthorised: () => 'refused the API key',
	unavailable: ({ statusCode }) => `is not available (status ${statusCode})`,
	unreadable: (response) =>
		`was expected to answer, but ${whatCame(response)} came (status ${response.statusCode})`,
};

/** The advice if only is known that the service refused the request. */
export const NO_REASON_KNOWN = 'Check the values that the step sends';

export const CHECK_ADDRESS = 'Check the base URL in the credential, and that the service is up';

/** What the user can do about it. */
function adviceFor(
	kind: ResponseKind,
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

/** What came in place of a response of this API; none of its content, which may be secret. */
function whatCame({ body, statusCode, headers }: HttpResponse): string {
	const target =
		typeof headers.location === 'string' ? ` to ${shownAddress(headers.location)}` : '';
	if (isRedirect(statusCode)) return `a redirect${target}`;
	if (isRecord(body) || Array.isArray(body)) return 'JSON of another kind';
	const text = typeof body === 'string' ? body.trim() : '';
	if (text === '') return 'an empty answer';
	if (text.startsWith('<')) return 'a web page';
	return /^[[{]/.test(text) ? 'cut-off JSON' : 'plain text';
}

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isServerError = (statusCode: number): boolean => statusCode >= 500;
export const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
