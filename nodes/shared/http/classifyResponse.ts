// What a response means: a success, or which kind of failure, with its message and advice.

import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { Failure, type FailureKind } from '../values/failure';
import { integerIn, isRecord, mapIn, textIn } from '../values/json';
import { addressWithoutSecrets } from '../values/webAddress';
import type { HttpResponse } from './exchange';

export interface Envelope {
	/** `unknown` if the response is JSON, but not from this API. */
	outcome: 'success' | 'failure' | 'unknown';
	message: string | undefined;
}

export interface ResponseFormat {
	/** As in messages: `the service`. */
	serviceName: string;
	envelopeOf(body: IDataObject): Envelope;
	/** A whole message that may mean that the key is wrong. */
	keyMessage?: RegExp;
	keyAdvice: string;
}

type ResponseKind = keyof typeof WORDS | 'misrouted' | 'otherRefusal' | 'unreadable';

/** Statuses that say enough, whatever the body is. */
const KIND_OF_STATUS: Readonly<Record<number, ResponseKind>> = {
	401: 'unauthorized',
	403: 'forbidden',
	408: 'unavailable',
	502: 'unavailable',
	503: 'unavailable',
	504: 'unavailable',
};

const KEY = '(valid )?(api ?key|(access )?token)';
const REFUSED = '(invalid|not valid|missing|required|wrong|unknown|expired|revoked)';
const CLOSED = '(disabled|inactive|suspended|banned|blocked|not (activated|active|enabled))';
const LATER = '(try again|retry|later|in|after|few|seconds?|minutes?| )*';

/**
 * What messages mean if the status is 2xx or one of these. `words` is compared with the whole message, in lower case and
 * without articles and punctuation: a part may be what the user entered, such as an alias `rate-limit`.
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
			kind: 'unauthorized',
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

export const CHECK_ADDRESS = 'Check the base URL in the credential and that the service is up';
const TRY_LATER = 'Try again later; the service or a proxy in front of it is down';
const ENTER_OWN_ADDRESS =
	'Enter the address of the service itself as the base URL in the credential';
const TURN_CHECK_OFF =
	'Ask the hosting company to turn off the check for /api, or add an Extra Header to the credential, such as a Cookie or User-Agent that passes the check';
const allowMethod = (method: string): string =>
	`The server in front of the service refuses the method. Ask the hosting company to allow ${method} for /api`;
const GONE = 'It may have been deleted, or belong to another account';
const NO_REASON = 'refused the request without a reason';

/** What to say after the service's name if it gives no message, and what the user can do. */
const WORDS = {
	forbidden: [NO_REASON, 'Check the API key in the credential and the permissions of its account'],
	noAccess: [
		'refused the account',
		'The API key is right. Check in the service that the account is active and its plan includes the API',
	],
	rateLimited: [
		'received too many requests',
		'Lower Requests per Minute in the credential if other programs use the same key',
	],
	missing: [NO_REASON, ''],
	refused: [NO_REASON, ''],
	serverError: [NO_REASON, ''],
	unauthorized: ['refused the API key', ''],
	unavailable: ['is not available', TRY_LATER],
} as const satisfies Partial<Record<FailureKind, readonly [message: string, advice: string]>>;

const hasWords = (kind: ResponseKind): kind is keyof typeof WORDS => kind in WORDS;

const ADVICE: Readonly<Record<number, string>> = {
	402: "Check what the account's plan includes",
	404: GONE,
	409: 'Enter another value, or use the record that already has it',
	410: GONE,
	413: 'Enter shorter texts',
};

const adviceForStatus = (status: number): string =>
	ADVICE[status] ?? (status >= 500 ? TRY_LATER : 'Check the values you entered');

/** What `classifyResponse` has to know of a request. */
interface JudgedRequest {
	method: IHttpRequestMethods;
	/** Whether it took nothing but the key. */
	isAccount: boolean;
}

/** The body of a successful response, or a Failure. */
export function classifyResponse(
	response: HttpResponse,
	format: ResponseFormat,
	{ method, isAccount }: JudgedRequest,
): IDataObject | Failure {
	const { body, statusCode: httpCode } = response;
	const { serviceName, keyAdvice, keyMessage } = format;
	const envelope = isRecord(body) ? format.envelopeOf(body) : undefined;
	const kind = kindOf(response, envelope);
	if (kind === 'success') return mapIn(body);
	if (!hasWords(kind) || (kind === 'serverError' && !envelope)) {
		const [what, advice] = describeUnexpected(response, method);
		const message = `Expected a response from ${serviceName}, but got ${what} (status ${httpCode})`;
		return new Failure({ kind, message, advice, httpCode });
	}
	const { message } = envelope ?? {};
	const isKey =
		kind === 'unauthorized' ||
		(kind === 'forbidden' && isAccount) ||
		keyMessage?.test(message ?? '') === true;
	const [words, advice] = WORDS[kind];
	const status = kind === 'unavailable' ? ` (status ${httpCode})` : '';
	return new Failure({
		kind: isKey && isAccount ? 'unauthorized' : kind,
		message: message ?? `${serviceName.replace('the', 'The')} ${words}${status}`,
		advice: isKey ? keyAdvice : advice || adviceForStatus(httpCode),
		httpCode,
	});
}

/** Status and documented members decide; the message only if they do not. */
function kindOf(response: HttpResponse, envelope: Envelope | undefined): ResponseKind | 'success' {
	const { statusCode, body } = response;
	const { error, status } = mapIn(body);
	const saysSuccess = isSuccess(statusCode) && envelope?.outcome === 'success';
	// A request that was carried out must not be sent again, whatever else the response holds.
	if (saysSuccess && error !== undefined) return 'success';
	// The documents leave open how a refusal for the rate limit looks. Its body may hold the status.
	const holds429 = [integerIn(error), integerIn(status)].includes(429);
	if (statusCode === 429 || (holds429 && mayMean('rateLimited', statusCode))) return 'rateLimited';
	if (saysSuccess) return 'success';
	const isOther = isSuccess(statusCode) && envelope?.outcome === 'unknown';
	if (isOther || isBotCheck(body)) return kindOfClass(statusCode, false);
	return (
		kindOfMessage(response, envelope) ??
		KIND_OF_STATUS[statusCode] ??
		kindOfClass(statusCode, envelope !== undefined)
	);
}

/** @param isOwn whether the body is JSON of the service */
function kindOfClass(statusCode: number, isOwn: boolean): ResponseKind {
	// 303 leads to what was made; other redirects lead elsewhere, often to a login.
	if (isRedirect(statusCode)) return statusCode === 303 ? 'unreadable' : 'misrouted';
	if (statusCode >= 500) return 'serverError';
	if (!isOwn) return isSuccess(statusCode) ? 'unreadable' : 'otherRefusal';
	return [404, 410].includes(statusCode) ? 'missing' : 'refused';
}

const mayMean = (kind: ResponseKind, statusCode: number): boolean =>
	isSuccess(statusCode) ||
	MEANINGS.some((meaning) => meaning.kind === kind && meaning.statuses.includes(statusCode));

function kindOfMessage(
	{ statusCode, headers, body }: HttpResponse,
	envelope: Envelope | undefined,
): ResponseKind | undefined {
	const message = envelope ? envelope.message : body;
	// A longer text may be a page of megabytes.
	if (typeof message !== 'string' || message.length > 200) return undefined;
	const words = message
		.toLowerCase()
		.replace(/[^a-z]|\b(an?|the|your|please)\b/g, ' ')
		.replace(/ +/g, ' ')
		.trim();
	const known = MEANINGS.filter(({ kind }) => mayMean(kind, statusCode));
	const kind = known.find((meaning) => meaning.words.test(words))?.kind;
	const requestsLeft = integerIn(headers['x-ratelimit-remaining']) ?? 0;
	return kind === 'rateLimited' && requestsLeft > 0 ? undefined : kind;
}

/** Without the content, which may be secret. */
function describeUnexpected(
	response: HttpResponse,
	method: IHttpRequestMethods,
): [what: string, advice: string] {
	const { body, statusCode, headers } = response;
	if (isRedirect(statusCode)) {
		const location = textIn(headers.location);
		const to = location === undefined ? '' : ` to ${addressWithoutSecrets(location)}`;
		return [`a redirect${to}`, ENTER_OWN_ADDRESS];
	}
	if (isBotCheck(body)) return ['a web page that checks for bots', TURN_CHECK_OFF];
	if (isRecord(body) || Array.isArray(body)) return ['unexpected JSON', CHECK_ADDRESS];
	const text = typeof body === 'string' ? body.trim() : '';
	if (text === '') return ['an empty response', CHECK_ADDRESS];
	const isMethod = statusCode === 405 && ['PUT', 'DELETE'].includes(method);
	if (isMethod) return [`a page that refuses ${method} requests`, allowMethod(method)];
	if (text.startsWith('<')) return ['a web page', CHECK_ADDRESS];
	return [/^[[{]/.test(text) ? 'incomplete JSON' : 'plain text', CHECK_ADDRESS];
}

/** A page of the hosting company, whose script sets a cookie that later requests need. */
function isBotCheck(body: unknown): boolean {
	const page = typeof body === 'string' ? body.slice(0, 20_000).trim().toLowerCase() : '';
	return (
		page.startsWith('<') &&
		page.includes('<script') &&
		(page.includes('document.cookie') || page.includes('challenge'))
	);
}

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
export const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
