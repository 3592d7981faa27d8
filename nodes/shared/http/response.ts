// What a response means, or that none came: a success, or which kind of failure, with its message and advice.

import type { IDataObject } from 'n8n-workflow';

import {
	cancelledFailure,
	Failure,
	type FailureKind,
	findFailure,
	toFailure,
} from '../values/failure';
import { integerIn, isRecord, mapIn, textIn } from '../values/json';
import { addressWithoutSecrets } from '../values/webAddress';

/** A response before `classifyResponse` decides whether it is a success. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	/** Parsed JSON, or the text if it is not JSON. */
	body: unknown;
}

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

/** The words that services of this kind use, as whole messages: a part may be what the user entered, such as an alias. */
const MESSAGE_PATTERNS: ReadonlyArray<[FailureKind, RegExp]> = [
	['rateLimited', /^(api )?rate limit (was |has been )?(exceeded|reached)|^too many requests/],
	[
		'unauthorized',
		/^(invalid|missing|wrong|expired) (api key|token)$|^unauth(orized|orised|enticated)$/,
	],
	[
		'unauthorized',
		/^(valid )?api key (is |has )?(required|invalid|missing|expired)( to use this service)?$/,
	],
	['noAccess', /^you (do not|don t) have permission to use api$|^activate account$/],
	[
		'noAccess',
		/^(api( service| access)?|account) (is |has been )?(disabled|inactive|suspended|not enabled)$/,
	],
];

const CHECK_ADDRESS =
	'Check the base URL in the credential. A login, a check for bots or a proxy may respond there; an Extra Header in the credential may pass it';
const NO_API =
	'Check the base URL in the credential. Another program may respond there, or the service may have its API switched off';
const TRY_LATER = 'Try again later; the service or a proxy in front of it is down';

/** What to say after the service's name if it gives no message, and what the user can do. */
const DEFAULT_MESSAGES: Partial<Record<FailureKind, readonly [message: string, advice: string]>> = {
	forbidden: [
		'refused the request',
		'Check the ID, the API key and the permissions of its account',
	],
	missing: ['does not have it', 'It may have been deleted, or belong to another account'],
	noAccess: [
		'refused the account',
		'The API key is right. Check in the service that the account is active and its plan includes the API',
	],
	rateLimited: [
		'received too many requests',
		'Lower Requests per Minute in the credential if other programs use the same key',
	],
	refused: ['refused the request without a reason', 'Check the values you entered'],
	serverError: ['failed', TRY_LATER],
	unauthorized: ['refused the API key', ''],
	unavailable: ['is not available', TRY_LATER],
};

/** The body of a successful response, or a Failure. @param isAccount whether the request took nothing but the key */
export function classifyResponse(
	response: HttpResponse,
	format: ResponseFormat,
	isAccount: boolean,
): IDataObject | Failure {
	const { body, statusCode: httpCode } = response;
	const { serviceName, keyMessage, keyAdvice } = format;
	const envelope = isRecord(body) ? format.envelopeOf(body) : undefined;
	const kind = kindOf(response, envelope);
	if (kind === 'success') return mapIn(body);
	const [words, advice = ''] = DEFAULT_MESSAGES[kind] ?? [];
	if (words === undefined || (kind === 'serverError' && !envelope)) {
		const message = `Expected a response from ${serviceName}, but got ${describe(response)} (status ${httpCode})`;
		return new Failure({
			kind,
			message,
			advice: adviceFor(httpCode),
			httpCode,
		});
	}
	const { message = `${serviceName.replace('the', 'The')} ${words} (status ${httpCode})` } =
		envelope ?? {};
	const isKey = kind === 'unauthorized' || keyMessage?.test(message) === true;
	// Nothing but the key can be missing or wrong there.
	const isBadRequest = httpCode === 400 && envelope?.outcome === 'failure';
	const isRefused = isAccount && (isKey || kind === 'forbidden' || isBadRequest);
	return new Failure({
		kind: isRefused ? 'unauthorized' : kind,
		message,
		advice: isKey || isRefused ? keyAdvice : advice,
		httpCode,
	});
}

/** For a response that is not the service's. */
function adviceFor(httpCode: number): string {
	if (httpCode >= 500) return TRY_LATER;
	return httpCode === 404 ? NO_API : CHECK_ADDRESS;
}

/** Status and documented members decide; the message only if they do not. */
function kindOf({ statusCode, body }: HttpResponse, envelope?: Envelope): FailureKind | 'success' {
	const isGood = isSuccess(statusCode);
	const holds429 = statusCode < 500 && integerIn(mapIn(body).error) === 429;
	if (statusCode === 429 || holds429) return 'rateLimited';
	if (isGood && envelope?.outcome === 'success') return 'success';
	if (statusCode === 401) return 'unauthorized';
	// 303 leads to what was made; other redirects lead elsewhere, often to a login.
	if (isRedirect(statusCode)) return statusCode === 303 ? 'unreadable' : 'misrouted';
	const isOwn = envelope !== undefined && !(isGood && envelope.outcome === 'unknown');
	const said = comparableMessage(envelope ? envelope.message : body);
	const found =
		isOwn || !isGood ? MESSAGE_PATTERNS.find(([, words]) => words.test(said)) : undefined;
	if (found) return found[0];
	if (statusCode === 403) return 'forbidden';
	if ([408, 502, 503, 504].includes(statusCode)) return 'unavailable';
	if (statusCode >= 500) return 'serverError';
	if (!isOwn) return isGood ? 'unreadable' : 'otherRefusal';
	if (![404, 410].includes(statusCode)) return 'refused';
	// A program without this API answers any path with 404.
	const isUnsaid = envelope.outcome !== 'failure' && envelope.message === undefined;
	return isUnsaid || envelope.outcome === 'unknown' ? 'otherRefusal' : 'missing';
}

const comparableMessage = (text: unknown): string =>
	typeof text !== 'string' || text.length > 200
		? ''
		: text
				.toLowerCase()
				.replace(/[^a-z]|\b(an?|the|your|please|first)\b/g, ' ')
				.replace(/ +/g, ' ')
				.trim();

/** Without the content, which may be secret. */
function describe({ body, statusCode, headers }: HttpResponse): string {
	const location = isRedirect(statusCode) ? textIn(headers.location) : undefined;
	if (location !== undefined) return `a redirect to ${addressWithoutSecrets(location)}`;
	if (body === undefined || body === '') return 'an empty response';
	if (typeof body !== 'string') return 'unexpected JSON';
	return /^\s*</.test(body) ? 'a web page' : 'plain text';
}

/** By what the errors of n8n's HTTP client hold. With any other, the service may have received the request. */
const CAUSES: ReadonlyArray<[kind: FailureKind, codes: RegExp, words: string]> = [
	['noResponse', /ECONNRESET|EPIPE|aborted/, 'the connection was closed before the response'],
	['noResponse', /ECONNABORTED|ETIMEDOUT/, 'the request timed out'],
	['unreachable', /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, 'nothing is listening there'],
	['unreachable', /EAI_AGAIN/, 'the host name could not be resolved'],
	['misrouted', /ENOTFOUND/, 'no host has that name'],
	['misrouted', /CERT|SIGNATURE/, 'its TLS certificate is not valid'],
	['misrouted', /EPROTO/, 'it does not use TLS; its address may begin with http://'],
	[
		'misrouted',
		/SsrfBlocked|was blocked/,
		"n8n's SSRF protection blocks that address, unless N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES has it",
	],
];

/** Why no response came. */
export function connectionFailure(
	error: unknown,
	serviceName: string,
	signal: AbortSignal | undefined,
): Failure {
	const own = findFailure(error);
	if (own) return own;
	if (signal?.aborted) return cancelledFailure();
	const texts = textsOf(error).join(' ');
	const found = CAUSES.find(([, codes]) => codes.test(texts));
	const [kind, , words] = found ?? ['noResponse' as const, '', toFailure(error).message];
	const message = `No response from ${serviceName}: ${words}`;
	return new Failure({ kind, message, advice: 'Check the address, and that the service is up' });
}

/** Each version of n8n wraps its HTTP client's errors differently: before 2.38, `httpCode` holds the code. */
function textsOf(error: unknown): unknown[] {
	if (!(error instanceof Error)) return [];
	const { code, httpCode } = mapIn(error);
	return [error.name, code, httpCode, error.message, ...textsOf(error.cause)];
}

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
