import type { IDataObject } from 'n8n-workflow';

import type { FailureKind } from '../values/failure';
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
	/** How messages call the service: `the service`. */
	serviceName: string;
	readEnvelope(body: IDataObject): Envelope;
	/** Whether the service may mean by this message that the key is wrong. It gets the whole message. */
	mayMeanKey?(message: string): boolean;
	/** The advice when the key is refused. */
	keyAdvice: string;
}

/** The kind of a response that is no success. */
type ResponseKind = Extract<
	FailureKind,
	| 'forbidden'
	| 'noAccess'
	| 'rateLimited'
	| 'refused'
	| 'unauthorised'
	| 'unavailable'
	| 'unreadable'
>;

/** Statuses that decide the kind. */
const KIND_OF_STATUS: Readonly<Record<number, ResponseKind>> = {
	401: 'unauthorised',
	403: 'forbidden',
	502: 'unavailable',
	503: 'unavailable',
	504: 'unavailable',
};

/** How many characters of a page are searched for a bot check. */
const LONGEST_CHECK = 20_000;

/** A longer text is none of the messages below, and may be a page of megabytes. */
const LONGEST_MESSAGE = 200;

const KEY = '(valid )?(api ?key|(access )?token)';
const REFUSED = '(invalid|not valid|missing|required|wrong|unknown|expired|revoked)';
const CLOSED = '(disabled|inactive|suspended|banned|blocked|not (activated|active|enabled))';
const LATER = '(try again|retry|later|in|after|few|seconds?|minutes?| )*';

/**
 * What a service means by a message, for 2xx and the statuses given here. Only the whole message counts, in lower case,
 * without articles and punctuation: the service may repeat what the user entered, such as an alias `rate-limit` or a domain
 * `unauthorized.example`.
 */
const MEANINGS: ReadonlyArray<{ kind: ResponseKind; statuses: readonly number[]; words: RegExp }> =
	[
		{
			kind: 'rateLimited',
			statuses: [400, 403, 503],
			words: new RegExp(
				`^(((api|request) )?rate limit(ed| (is |was |has been )?(exceeded|reached))|too many requests)${LATER}$`,
			),
		},
		{
			kind: 'unauthorised',
			statuses: [400, 403],
			words: new RegExp(
				`^(${REFUSED}( or ${REFUSED})? ${KEY}|${KEY} (is |has |has been )?${REFUSED}( or ${REFUSED})?( to use this service)?|unauthori[sz]ed|unauthenticated)$`,
			),
		},
		{
			kind: 'noAccess',
			statuses: [400, 401, 402, 403],
			words: new RegExp(
				`^((you )?(do not|don t) have permission to (use|access) (this )?api|(first )?activate account( first)?|(api( service| access)?|account) (is |has been )?${CLOSED})$`,
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
		message: ownWords ?? wordsFor(kind, response, format.serviceName),
		advice: adviceFor(kind, response, ownWords, format),
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
	if (isBotCheck(response.body)) return 'unreadable';
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
	const known = MEANINGS.filter(
		({ statuses }) => isSuccess(statusCode) || statuses.includes(statusCode),
	);
	const kind = known.find((entry) => entry.words.test(words))?.kind;
	return kind === 'rateLimited' && hasRequestsLeft(headers) ? undefined : kind;
}

/** The message after the name of the service, if the service gives none. */
const WORDS: Readonly<Record<Exclude<ResponseKind, 'unreadable' | 'unavailable'>, string>> = {
	forbidden: 'refused the request without a reason',
	noAccess: 'refused the account',
	rateLimited: 'received too many requests',
	refused: 'refused the request without a reason',
	unauthorised: 'refused the API key',
};

function wordsFor(kind: ResponseKind, response: HttpResponse, serviceName: string): string {
	const status = `(status ${response.statusCode})`;
	if (kind === 'unreadable') {
		return `Expected a response from ${serviceName}, but got ${whatCame(response)} ${status}`;
	}
	const words = kind === 'unavailable' ? `is not available ${status}` : WORDS[kind];
	return `${capitalized(serviceName)} ${words}`;
}

export const CHECK_ADDRESS = 'Check the base URL in the credential and that the service is up';
const TRY_LATER = 'Try again later; the service or a proxy in front of it is down';

/** What the user can do about it; nothing for a refusal that the service itself explains. */
function adviceFor(
	kind: ResponseKind,
	{ statusCode, body }: HttpResponse,
	message = '',
	format: ResponseFormat,
): string {
	switch (kind) {
		case 'rateLimited':
			return 'Lower Requests per Minute in the credential if other programs use the same key';
		case 'unauthorised':
			return format.keyAdvice;
		case 'noAccess':
			return 'The API key is right. Check in the service that the account is active and its plan includes the API';
		case 'forbidden':
			return 'Check the API key in the credential and the permissions of its account';
		case 'unavailable':
			return TRY_LATER;
		case 'refused':
			if (isServerError(statusCode)) return TRY_LATER;
			return format.mayMeanKey?.(message) ? format.keyAdvice : '';
		case 'unreadable':
			if (isBotCheck(body)) {
				return 'Ask the hosting company to turn off the check for /api, or add an Extra Header to the credential, such as a Cookie or User-Agent that passes the check';
			}
			return isRedirect(statusCode)
				? 'Enter the address of the service itself as the base URL in the credential'
				: CHECK_ADDRESS;
	}
}

/** What came in place of a response of this API; none of its content, which may be secret. */
function whatCame({ body, statusCode, headers }: HttpResponse): string {
	const target =
		typeof headers.location === 'string' ? ` to ${shownAddress(headers.location)}` : '';
	if (isRedirect(statusCode)) return `a redirect${target}`;
	if (isRecord(body) || Array.isArray(body)) return 'unexpected JSON';
	const text = typeof body === 'string' ? body.trim() : '';
	if (text === '') return 'an empty response';
	if (isBotCheck(text)) return 'a web page that checks for bots';
	if (text.startsWith('<')) return 'a web page';
	return /^[[{]/.test(text) ? 'incomplete JSON' : 'plain text';
}

/** Whether it is the page of a hosting company that lets a client through once its script has set a cookie. */
function isBotCheck(body: unknown): boolean {
	const page = typeof body === 'string' ? body.slice(0, LONGEST_CHECK).trim().toLowerCase() : '';
	return (
		page.startsWith('<') &&
		page.includes('<script') &&
		(page.includes('document.cookie') || page.includes('challenge'))
	);
}

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isServerError = (statusCode: number): boolean => statusCode >= 500;
export const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
