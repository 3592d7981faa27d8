import type { IDataObject } from 'n8n-workflow';

import type { HttpResponse, ResponseFormat } from './response';
import { classifyResponse } from './response';
import { readRateHeaders, readRetryAfter, serverTime } from './rateHeaders';
import { Failure, failureIn } from '../values/failure';
import type { ApiRequest, Connection } from './connection';
import { cancelled, pause } from './rateLimiter';

/** How one request is handled. */
export interface RequestOptions {
	/** Whether repeating it changes nothing at the service: reads may be sent again, writes never. */
	repeatable: boolean;
	/** Whether a person waits for it. */
	urgent: boolean;
	/** Ends every wait. */
	signal: AbortSignal | undefined;
	/** The longest wait for an answer, in milliseconds; n8n's own if not said. */
	timeoutMs?: number;
}

/** A person waits for the answer: such requests go first, and may use the permits reserved for people. */
export const FOR_A_PERSON: RequestOptions = { repeatable: true, urgent: true, signal: undefined };

/** A successful answer. */
export interface ServiceResponse {
	body: IDataObject;
	/** When the service answered by its own clock, where it says so, else by this machine's; epoch milliseconds. */
	answeredAt: number;
}

/** Times a read is sent again when no answer came or the service was down. */
const REPEATS = 3;

/** The wait before the first repeat, in milliseconds; it doubles with each further one. */
const FIRST_REPEAT_MS = 500;

/** Windows that a request waits out before it gives up: other programs may use up the limit again and again. */
const RATE_LIMIT_WAITS = 20;

/** n8n's own timeout, in milliseconds. */
const ANSWER_TIMEOUT_MS = 300_000;

/**
 * Sends a request to a service, as every operation, dropdown, credential test and trigger does: waits for a permit of
 * the rate limiter, sends, reads the answer, and sends again what is safe. A request that the service refused because of
 * its limit was not carried out, so even a write is sent again then; a write that may have been carried out is not.
 *
 * @throws Failure
 */
export async function sendRequest(
	connection: Connection,
	request: ApiRequest,
	options: RequestOptions,
): Promise<ServiceResponse> {
	let repeats = 0;
	let rateLimitWaits = 0;
	for (;;) {
		const outcome = await attempt(connection, request, options);
		if (!(outcome instanceof Failure)) return outcome;
		if (outcome.kind === 'rateLimited' && rateLimitWaits < RATE_LIMIT_WAITS) {
			rateLimitWaits += 1;
		} else if (options.repeatable && isTransient(outcome) && repeats < REPEATS) {
			const wait = FIRST_REPEAT_MS * 2 ** repeats * (0.5 + connection.random());
			repeats += 1;
			await pause(wait, connection.time, options.signal);
		} else {
			throw explained(outcome, connection, options);
		}
	}
}

async function attempt(
	connection: Connection,
	request: ApiRequest,
	{ urgent, signal, timeoutMs = ANSWER_TIMEOUT_MS }: RequestOptions,
): Promise<ServiceResponse | Failure> {
	const { limiter, requestsPerMinute, service, time } = connection;
	const permit = await limiter.acquire({ requestsPerMinute, urgent, signal });
	let response: HttpResponse;
	try {
		response = await connection.send(request, timeoutMs);
	} catch (error) {
		permit.release(undefined);
		return connectionFailure(error, service, signal);
	}
	const body = classifyResponse(response, service);
	const { headers } = response;
	const isRefusal = body instanceof Failure && body.kind === 'rateLimited';
	permit.release({
		...readRateHeaders(headers),
		refusal: isRefusal ? { wait: readRetryAfter(headers, response.body) } : undefined,
	});
	if (body instanceof Failure) return body;
	return { body, answeredAt: serverTime(headers) ?? time.epoch() };
}

function isTransient({ kind, outcomeUnknown }: Failure): boolean {
	return kind === 'unavailable' || (kind === 'unreachable' && outcomeUnknown);
}

/** The failure as the user gets to read it: without the key, and for a write with word on whether it was done. */
function explained(
	failure: Failure,
	{ apiKey }: Connection,
	{ repeatable }: RequestOptions,
): Failure {
	const message = withoutKey(failure.message, apiKey);
	if (repeatable) return failure.with({ message, outcomeUnknown: false });
	const advice = failure.outcomeUnknown
		? `It may have been carried out all the same, so it was not sent again. Look in the service before you run it again. ${failure.advice}`
		: failure.advice;
	return failure.with({ message, advice: advice.trim() });
}

function withoutKey(message: string, apiKey: string): string {
	const forms = [apiKey, encodeURIComponent(apiKey)].filter((form) => form !== '');
	return forms.reduce((text, form) => text.replaceAll(form, '***'), message);
}

/** Connection errors of Node.js that mean that the request never got to the service, and how people say that. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at that address and port',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'there is no host of that name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is signed by an unknown authority',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is signed by an unknown authority',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
	EPROTO: 'it does not speak TLS; perhaps the address begins with http://',
};

/** Those after which the request may have got there. */
const CONNECTION_LOST: Readonly<Record<string, string>> = {
	ECONNRESET: 'the connection was closed before an answer came',
	EPIPE: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	ERR_BAD_RESPONSE: 'the answer broke off',
};

function connectionFailure(
	error: unknown,
	{ serviceName }: ResponseFormat,
	signal: AbortSignal | undefined,
): Failure {
	const own = failureIn(error);
	if (own) return own;
	const code = codeIn(error) ?? '';
	if (signal?.aborted) {
		return cancelled().with({ outcomeUnknown: true });
	}
	const notConnected = NOT_CONNECTED[code];
	const lost = CONNECTION_LOST[code];
	const words = notConnected ?? lost ?? (error instanceof Error ? error.message : 'no answer came');
	return new Failure({
		kind: 'unreachable',
		message: `No answer from ${serviceName}: ${words}`,
		advice: 'Check the base URL in the credential, and that the service is up',
		outcomeUnknown: notConnected === undefined,
	});
}

/** The code of the innermost error that has one: n8n wraps the errors of its HTTP client. */
function codeIn(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	return (
		codeIn(error.cause) ??
		('code' in error && typeof error.code === 'string' ? error.code : wrappedCode(error))
	);
}

/**
 * Before n8n 2.38 the wrapper keeps no cause. Its `httpCode` is the code then; or the status, of an answer that began well
 * and broke off.
 */
function wrappedCode(error: Error): string | undefined {
	if (!('httpCode' in error) || typeof error.httpCode !== 'string') return undefined;
	return /^\d+$/.test(error.httpCode) ? 'ERR_BAD_RESPONSE' : error.httpCode;
}
