import type { IDataObject } from 'n8n-workflow';

import type { FailureKind } from '../values/failure';
import { Failure, failureIn } from '../values/failure';
import type { ApiRequest, Connection } from './connection';
import { readRateHeaders, readRetryAfter, serverTime } from './rateHeaders';
import type { Permit } from './rateLimiter';
import { cancelled, pause } from './rateLimiter';
import type { HttpResponse, ResponseFormat } from './response';
import { CHECK_ADDRESS, classifyResponse } from './response';

/** How one request is handled. */
export interface RequestOptions {
	/** Whether repeating it changes nothing at the service: reads may be sent again, writes never. */
	repeatable: boolean;
	/** Whether a person waits for it. */
	urgent: boolean;
	/** Ends every wait. */
	signal: AbortSignal | undefined;
	/** The longest wait for an answer, in milliseconds. Default: `READ_TIMEOUT_MS` or `WRITE_TIMEOUT_MS`. */
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

/** The longest wait for an answer to a read, in milliseconds. */
const READ_TIMEOUT_MS = 30_000;

/** For an answer to a write, in milliseconds: n8n's own. Whoever gives up earlier does not know what became of it. */
const WRITE_TIMEOUT_MS = 300_000;

/** What a service that is down costs a read, in milliseconds: all its tries, and the pauses between them. */
const LONGEST_OUTAGE_MS = 60_000;

/** What a person waits for the rate limit, in milliseconds: the window of the link service's document, and a bit. */
const PATIENCE_MS = 61_000;

/** How a request is sent again. */
interface Retry {
	/** How often, for a run and for a person. */
	times: number;
	timesForPerson: number;
	/** Milliseconds before the first time; they double with each further one. */
	firstPauseMs: number;
	/** Whether a write is, too. */
	isForWrites: boolean;
}

const OUTAGE: Retry = { times: 3, timesForPerson: 3, firstPauseMs: 500, isForWrites: false };

/** After which failures a request is sent again; a connection error only if the connection was lost. */
const RETRIES: Readonly<Partial<Record<FailureKind, Retry>>> = {
	// It was not carried out. The limiter waits; other programs may use up the limit again and again.
	rateLimited: { times: 20, timesForPerson: 1, firstPauseMs: 0, isForWrites: true },
	unavailable: OUTAGE,
	unreachable: OUTAGE,
};

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
	const { limiter, requestsPerMinute, time } = connection;
	const { repeatable, urgent, signal } = options;
	const timeoutMs = options.timeoutMs ?? (repeatable ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
	const until = urgent ? time.now() + PATIENCE_MS : Infinity;
	const sentAgain = new Map<Retry, number>();
	let outageLeftMs = Math.max(LONGEST_OUTAGE_MS, timeoutMs);
	for (;;) {
		const permit = await limiter.acquire({ requestsPerMinute, urgent, signal, until });
		if (permit === undefined) throw usedUp(connection);
		const sentAt = time.now();
		const timeout = Math.ceil(Math.min(timeoutMs, outageLeftMs));
		const outcome = await attempt(connection, request, permit, timeout, signal);
		if (!(outcome instanceof Failure)) return outcome;

		const retry = retryAfter(outcome, options);
		const times = (retry && sentAgain.get(retry)) ?? 0;
		const pauseMs = (retry?.firstPauseMs ?? 0) * 2 ** times * (0.5 + connection.random());
		if (retry === OUTAGE) outageLeftMs -= time.now() - sentAt + pauseMs;
		const most = urgent ? retry?.timesForPerson : retry?.times;
		if (!retry || times === most || outageLeftMs <= 0) {
			throw explained(outcome, connection, options);
		}
		sentAgain.set(retry, times + 1);
		await pause(pauseMs, time, signal);
	}
}

function retryAfter(
	{ kind, outcomeUnknown }: Failure,
	{ repeatable }: RequestOptions,
): Retry | undefined {
	const retry = kind === 'unreachable' && !outcomeUnknown ? undefined : RETRIES[kind];
	return repeatable || retry?.isForWrites ? retry : undefined;
}

async function attempt(
	{ send, service, time }: Connection,
	request: ApiRequest,
	permit: Permit,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse | Failure> {
	let response: HttpResponse;
	try {
		response = await send(request, timeoutMs);
	} catch (error) {
		permit.release(undefined);
		return connectionFailure(error, service, signal);
	}
	const { headers } = response;
	const body = classifyResponse(response, service);
	const epoch = time.epoch();
	permit.release({
		report: readRateHeaders(headers, epoch),
		isRefusal: body instanceof Failure && body.kind === 'rateLimited',
		waitMs: readRetryAfter(headers, response.body, epoch),
	});
	if (body instanceof Failure) return body;
	return { body, answeredAt: serverTime(headers) ?? epoch };
}

/** The failure as the user gets to read it: without the key, and for a write with word on whether it was done. */
function explained(
	failure: Failure,
	connection: Connection,
	{ repeatable, urgent }: RequestOptions,
): Failure {
	if (urgent && failure.kind === 'rateLimited') return usedUp(connection);
	const message = withoutKey(failure.message, connection.apiKey);
	if (repeatable) return failure.with({ message, outcomeUnknown: false });
	const advice = failure.outcomeUnknown
		? `It may have been carried out all the same, so it was not sent again. Look in the service before you run it again. ${failure.advice}`
		: failure.advice;
	return failure.with({ message, advice: advice.trim() });
}

/** What a person reads instead of waiting on. */
function usedUp({ limiter, requestsPerMinute, service, time }: Connection): Failure {
	const waitMs = limiter.waitMs({ requestsPerMinute, urgent: true });
	const end = new Date(time.epoch() + waitMs).toISOString().slice(11, 19);
	return new Failure({
		kind: 'rateLimited',
		message: `The rate limit of ${service.serviceName} is used up until ${end} UTC`,
		advice:
			'Workflows that are running, or other programs with the same key, use it. Try again after that time',
	});
}

function withoutKey(message: string, apiKey: string): string {
	const forms = [apiKey, encodeURIComponent(apiKey)].filter((form) => form !== '');
	return forms.reduce((text, form) => text.replaceAll(form, '***'), message);
}

const LOST = 'the connection was closed before an answer came';
const LATE = 'no answer came in time';
const UNTRUSTED = 'its TLS certificate is signed by an unknown authority';
const BLOCKED = "n8n's own protection (SSRF) refuses that address; whoever runs n8n can allow it";

/** What stands in connection errors after which the request may have got to the service, and how people say that. */
const CONNECTION_LOST: Readonly<Record<string, string>> = {
	ECONNRESET: LOST,
	EPIPE: LOST,
	ECONNABORTED: LATE,
	ETIMEDOUT: LATE,
	ERR_BAD_RESPONSE: 'the answer broke off',
};

/** What stands in those after which it surely did not. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at that address and port',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'there is no host of that name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
	EPROTO: 'it does not speak TLS; perhaps the address begins with http://',
	SsrfBlocked: BLOCKED,
	'The request was blocked because': BLOCKED,
};

function connectionFailure(
	error: unknown,
	{ serviceName }: ResponseFormat,
	signal: AbortSignal | undefined,
): Failure {
	const own = failureIn(error);
	if (own) return own;
	if (signal?.aborted) return cancelled().with({ outcomeUnknown: true });
	const texts = textsOf(error).join(' ');
	const wordsIn = (table: Readonly<Record<string, string>>): string | undefined =>
		Object.entries(table).find(([code]) => texts.includes(code))?.[1];
	const lost = wordsIn(CONNECTION_LOST);
	const notConnected = lost === undefined ? wordsIn(NOT_CONNECTED) : undefined;
	const words = lost ?? notConnected ?? (error instanceof Error ? error.message : 'no answer came');
	return new Failure({
		kind: 'unreachable',
		message: `No answer from ${serviceName}: ${words}`,
		advice: CHECK_ADDRESS,
		outcomeUnknown: notConnected === undefined,
	});
}

/** Names, codes and messages of an error and its causes: n8n wraps the errors of its HTTP client, each version in its way. */
function textsOf(error: unknown): string[] {
	if (!(error instanceof Error)) return [];
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	return [error.name, code, wrappedCode(error) ?? '', error.message, ...textsOf(error.cause)];
}

/**
 * Before n8n 2.38 the wrapper keeps no cause. Its `httpCode` is the code then; or the status, of an answer that began well
 * and broke off.
 */
function wrappedCode(error: Error): string | undefined {
	if (!('httpCode' in error) || typeof error.httpCode !== 'string') return undefined;
	return /^\d+$/.test(error.httpCode) ? 'ERR_BAD_RESPONSE' : error.httpCode;
}
