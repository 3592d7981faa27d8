import type { IDataObject } from 'n8n-workflow';

import type { FailureKind } from '../values/failure';
import { Failure } from '../values/failure';
import type { ApiRequest, Connection } from './connection';
import { connectionFailure } from './connectionError';
import { readRateAnswer, serverTime } from './rateHeaders';
import type { Permit } from './rateLimiter';
import { pause } from './rateLimiter';
import type { HttpResponse } from './response';
import { classifyResponse } from './response';

/** How one request is handled. */
export interface RequestOptions {
	/** Whether repeating it changes nothing at the service: reads may be sent again, writes never. */
	repeatable: boolean;
	/** Whether a person waits for it: it then goes first, and may use the permits reserved for people. */
	urgent: boolean;
	/** Ends every wait. */
	signal: AbortSignal | undefined;
	/** The longest wait for an answer, in milliseconds. Default: `READ_TIMEOUT_MS` or `WRITE_TIMEOUT_MS`. */
	timeoutMs?: number | undefined;
}

export const FOR_A_PERSON: RequestOptions = { repeatable: true, urgent: true, signal: undefined };

/** A successful answer. */
export interface ServiceResponse {
	body: IDataObject;
	/** When the service answered by its own clock, where it says so, else by this machine's; epoch milliseconds. */
	answeredAt: number;
}

/**
 * Sends a request in the way of whoever asks, and returns the successful response.
 * @throws Failure
 */
export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

/** The longest wait for an answer to a read, in milliseconds. */
export const READ_TIMEOUT_MS = 30_000;

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
 * the rate limiter, sends, reads the answer, and sends again what is safe.
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
		if (!permit) throw usedUp(connection);
		const sentAt = time.now();
		const timeout = Math.ceil(Math.min(timeoutMs, outageLeftMs));
		const outcome = await attempt(connection, request, permit, timeout, signal);
		if (!(outcome instanceof Failure)) return outcome;

		const retry = retryAfter(outcome, repeatable);
		const times = (retry && sentAgain.get(retry)) ?? 0;
		const pauseMs = (retry?.firstPauseMs ?? 0) * 2 ** times * (0.5 + connection.random());
		if (retry === OUTAGE) outageLeftMs -= time.now() - sentAt + pauseMs;
		const most = urgent ? retry?.timesForPerson : retry?.times;
		if (!retry || times === most || outageLeftMs <= 0)
			throw explained(outcome, connection, options);
		sentAgain.set(retry, times + 1);
		await pause(pauseMs, time, signal);
	}
}

function retryAfter({ kind, outcomeUnknown }: Failure, repeatable: boolean): Retry | undefined {
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
		return connectionFailure(error, service.serviceName, signal);
	}
	const body = classifyResponse(response, service);
	const epoch = time.epoch();
	const isRefusal = body instanceof Failure && body.kind === 'rateLimited';
	permit.release(readRateAnswer(response, isRefusal, epoch));
	if (body instanceof Failure) return body;
	return { body, answeredAt: serverTime(response.headers) ?? epoch };
}

/** The failure as the user gets to read it: without the key, and for a write with word on whether it was done. */
function explained(
	failure: Failure,
	connection: Connection,
	{ repeatable, urgent }: RequestOptions,
): Failure {
	if (urgent && failure.kind === 'rateLimited') return usedUp(connection);
	const message = withoutKey(failure.message, connection.apiKey);
	if (repeatable || !failure.outcomeUnknown)
		return failure.with({ message, outcomeUnknown: false });
	const doubt =
		'It may have been carried out all the same, so it was not sent again. Look in the service before you run it again.';
	return failure.with({ message, advice: `${doubt} ${failure.advice}`.trim() });
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

/** In case the service, or the HTTP client, repeats it. */
const withoutKey = (message: string, apiKey: string): string =>
	message.replaceAll(apiKey, '***').replaceAll(encodeURIComponent(apiKey), '***');
