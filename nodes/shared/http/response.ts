import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { integerIn, isRecord } from '../values/json';

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
	/** Whether a message of the service is its way to say that the key is wrong, where that is not plain. */
	mayMeanKey?(message: string): boolean;
}

const RATE_LIMIT_WORDS = /rate.?limit|too many requests/i;
const KEY_WORDS = /\bapi.?key\b|\bunauthori[sz]ed\b|\bunauthenticated\b|\binvalid token\b/i;

const ADVICE = {
	key: 'Check the API key in the credential: it may be mistyped, expired or replaced',
	address: 'Check the base URL in the credential, and that the service is up',
	addressOrValues:
		'Check the base URL in the credential; if other operations work with it, check the values of this step',
	redirect: 'Enter the address at which the service itself answers as base URL in the credential',
	later: 'Try again later; the service, or the proxy before it, is down for the moment',
	values: 'Check the values that the step sends',
	limit: 'Lower Requests per Minute in the credential if other programs use the same key',
} as const;

/** The body of an answer that is a success of this API, else what went wrong. */
export function classifyResponse(
	answer: HttpResponse,
	reader: ResponseFormat,
): IDataObject | Failure {
	const { body } = answer;
	if (!isRecord(body)) return failureWithoutJson(answer, reader);
	return failureInJson(answer, body, reader) ?? body;
}

function failureInJson(
	answer: HttpResponse,
	body: IDataObject,
	reader: ResponseFormat,
): Failure | undefined {
	const { statusCode } = answer;
	const envelope = reader.readEnvelope(body);
	if (isSuccess(statusCode) && envelope.outcome === 'success') return undefined;

	const message = envelope.message;
	const failed = !isSuccess(statusCode) || envelope.outcome === 'failure';
	if (
		statusCode === 429 ||
		body.error === 429 ||
		(failed && RATE_LIMIT_WORDS.test(message ?? ''))
	) {
		return rateLimited(answer, reader, message);
	}
	if (!failed || isRedirect(statusCode)) return unreadable(answer, reader);
	if (isAboutKey(statusCode, message)) return unauthorised(statusCode, reader, message);
	if (isUnavailable(statusCode)) return unavailable(statusCode, reader, message);
	return new Failure({
		kind: 'refused',
		message: message ?? `${capitalized(reader.serviceName)} refused the request without a reason`,
		advice: refusalAdvice(statusCode, message, reader),
		httpCode: statusCode,
		outcomeUnknown: statusCode >= 500,
	});
}

function refusalAdvice(statusCode: number, message = '', reader: ResponseFormat): string {
	if (reader.mayMeanKey?.(message)) return ADVICE.key;
	return statusCode >= 500 ? ADVICE.later : ADVICE.values;
}

function failureWithoutJson(answer: HttpResponse, reader: ResponseFormat): Failure {
	const { statusCode, body } = answer;
	const text = typeof body === 'string' ? body : '';
	if (statusCode === 429 || (text.length < 500 && !isMarkup(text) && RATE_LIMIT_WORDS.test(text))) {
		return rateLimited(answer, reader, undefined);
	}
	if (isAboutKey(statusCode, undefined)) return unauthorised(statusCode, reader, undefined);
	if (isUnavailable(statusCode)) return unavailable(statusCode, reader, undefined);
	return unreadable(answer, reader);
}

function rateLimited(
	answer: HttpResponse,
	reader: ResponseFormat,
	message: string | undefined,
): Failure {
	const waitMs = retryAfter(answer);
	return new Failure({
		kind: 'rateLimited',
		message: message ?? `${capitalized(reader.serviceName)} received too many requests`,
		advice: ADVICE.limit,
		httpCode: answer.statusCode,
		...(waitMs === undefined ? {} : { waitMs }),
	});
}

function unauthorised(
	statusCode: number,
	reader: ResponseFormat,
	message: string | undefined,
): Failure {
	return new Failure({
		kind: 'unauthorised',
		message: message ?? `${capitalized(reader.serviceName)} refused the API key`,
		advice: ADVICE.key,
		httpCode: statusCode,
	});
}

function unavailable(
	statusCode: number,
	reader: ResponseFormat,
	message: string | undefined,
): Failure {
	return new Failure({
		kind: 'unavailable',
		message:
			message ?? `${capitalized(reader.serviceName)} is not available (status ${statusCode})`,
		advice: ADVICE.later,
		httpCode: statusCode,
		outcomeUnknown: true,
	});
}

/** Something answered, but not this API: the message says what, never its content. */
function unreadable(answer: HttpResponse, reader: ResponseFormat): Failure {
	const { statusCode } = answer;
	return new Failure({
		kind: 'unreadable',
		message: `${capitalized(reader.serviceName)} was expected to answer, but ${whatCame(answer)} came (status ${statusCode})`,
		advice: unreadableAdvice(statusCode),
		httpCode: statusCode,
		outcomeUnknown: isSuccess(statusCode) || statusCode >= 500,
	});
}

function unreadableAdvice(statusCode: number): string {
	if (isRedirect(statusCode)) return ADVICE.redirect;
	return isSuccess(statusCode) || statusCode >= 500 ? ADVICE.address : ADVICE.addressOrValues;
}

function whatCame({ body, statusCode, headers }: HttpResponse): string {
	if (isRedirect(statusCode)) return `a redirect${redirectTarget(headers.location)}`;
	if (isRecord(body) || Array.isArray(body)) return 'JSON of another kind';
	if (typeof body !== 'string' || body.trim() === '') return 'an empty answer';
	if (isMarkup(body)) return 'a web page';
	return /^\s*[[{]/.test(body) ? 'cut-off JSON' : 'plain text';
}

/** Where a redirect leads, without its query: that may hold the key. */
function redirectTarget(location: unknown): string {
	if (typeof location !== 'string') return '';
	if (!URL.canParse(location)) return ` to ${location.replace(/[?#].*$/, '')}`;
	const { origin, pathname } = new URL(location);
	return ` to ${origin}${pathname}`;
}

/**
 * Milliseconds that a refusal asks to wait: `Retry-After` as header (seconds or an HTTP date) or as a member of the
 * body, which the documents leave open.
 */
function retryAfter({ headers, body }: HttpResponse): number | undefined {
	const asked = headers['retry-after'] ?? (isRecord(body) ? bodyRetryAfter(body) : undefined);
	const seconds = integerIn(asked);
	if (seconds !== undefined) return Math.max(0, seconds) * 1000;
	if (typeof asked !== 'string' || typeof headers.date !== 'string') return undefined;
	// Both moments are the server's, so that a difference between its clock and this machine's does not matter.
	const wait = Date.parse(asked) - Date.parse(headers.date);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function bodyRetryAfter(body: IDataObject): unknown {
	return Object.entries(body).find(([name]) => /^retry.?after$/i.test(name))?.[1];
}

function isAboutKey(statusCode: number, message: string | undefined): boolean {
	return statusCode === 401 || statusCode === 403 || KEY_WORDS.test(message ?? '');
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
const isUnavailable = (statusCode: number): boolean => [502, 503, 504].includes(statusCode);
const isMarkup = (text: string): boolean => text.trimStart().startsWith('<');
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * A record that a service's document says is there.
 * @throws Failure if it is not, because then another service may have answered
 */
export function requireRecord(body: IDataObject, name: string): IDataObject {
	const record = body[name];
	if (isRecord(record)) return record;
	throw missingMember(name);
}

/**
 * A list that a service's document says is there.
 * @throws Failure as `requireRecord`
 */
export function requireList(body: IDataObject, name: string): unknown[] {
	const list: unknown = body[name];
	if (Array.isArray(list)) return list;
	throw missingMember(name);
}

const missingMember = (name: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The answer holds no "${name}"`,
		advice: 'Check the base URL in the credential: another service may answer there',
	});
