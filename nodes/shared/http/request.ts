import type { IDataObject } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import type { ApiRequest, Connection } from './connection';
import { connectionFailure } from './connectionError';
import { readRateInfo, serverTime } from './rateHeaders';
import type { Release } from './rateLimiter';
import { CHECK_ADDRESS, classifyResponse, type HttpResponse } from './response';

/** How `sendRequest`, the one way for every request, waits for the rate limit, sends, and sends again. */
interface RequestOptions {
	/** Whether it changes nothing, so it may be sent twice. Default: whether it is a GET. */
	isRead?: boolean | undefined;
	/** Whether a person waits for it: then it goes first, and may use the requests reserved for people. */
	urgent: boolean;
	signal?: AbortSignal | undefined;
	/** The longest wait for a response. Default: `READ_TIMEOUT_MS` or `WRITE_TIMEOUT_MS`. */
	timeoutMs?: number | undefined;
	/** Nothing is sent after this time on the connection's clock. */
	until?: number;
}

export interface ServiceResponse {
	body: IDataObject;
	/** In epoch milliseconds, by the service's clock if it says so, else by this machine's. */
	answeredAt: number;
}

export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

/** For writes n8n's default: giving up earlier would leave more of them whose outcome is unknown. */
export const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 300_000;
/** For a read that is sent `once`, such as a smaller page than the one that timed out. */
const ONCE_TIMEOUT_MS = 10_000;

/** The longest time for all attempts of one read, pauses included; twice the timeout if that is longer. */
const LONGEST_OUTAGE_MS = 60_000;

/** For requests that a person waits for: one deadline for all of them, a little after the documented window of a minute. */
const PATIENCE_MS = 61_000;
export const interactiveOptions = ({ clock }: Connection): RequestOptions => ({
	isRead: true,
	urgent: true,
	until: clock.now() + PATIENCE_MS,
});

/** How often a request is sent again after a refusal for the rate limit, which other programs may use up. */
const MAX_REFUSALS = 20;

/** While the service is down. Each pause doubles, times a random 0.5 to 1.5, so that programs do not all retry at once. */
const MAX_REPEATS = 3;
const FIRST_PAUSE_MS = 500;

/**
 * The one way for every request: waits for the rate limiter, sends, and sends again where that is safe.
 * @throws Failure whose message is for users, and never contains the key
 */
export async function sendRequest(
	connection: Connection,
	request: ApiRequest,
	options: RequestOptions,
): Promise<ServiceResponse> {
	const { limiter, requestsPerMinute, clock } = connection;
	const { urgent, signal, until = Infinity } = options;
	const isRead = options.isRead ?? request.method === 'GET';
	const longestMs = options.timeoutMs ?? (isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
	const timeoutMs = request.once ? Math.min(longestMs, ONCE_TIMEOUT_MS) : longestMs;
	let outageLeftMs = Math.max(LONGEST_OUTAGE_MS, 2 * timeoutMs);
	let refusals = 0;
	let repeats = 0;
	for (;;) {
		const release = await limiter.acquire({ requestsPerMinute, urgent, signal, until });
		if (!release) throw rateLimitUsedUp(connection, urgent);
		const sentAt = clock.now();
		const timeout = Math.ceil(Math.min(timeoutMs, outageLeftMs));
		const outcome = await attempt(connection, request, release, timeout, signal);
		if (!(outcome instanceof Failure)) return outcome;
		if (outcome.consequences.sentAgain === 'any') {
			// The service did nothing, so a write is sent again, too. The limiter waits.
			refusals += 1;
			if (refusals <= MAX_REFUSALS) continue;
			throw outcome;
		}
		const { sentAgain, mayBeDone } = outcome.consequences;
		if (!isRead) throw mayBeDone ? unknownOutcome(outcome) : outcome;
		const pauseMs = FIRST_PAUSE_MS * 2 ** repeats * (0.5 + Math.random());
		outageLeftMs -= clock.now() - sentAt + pauseMs;
		const isInTime = outageLeftMs > 0 && clock.now() + pauseMs <= until;
		if (request.once || !sentAgain || repeats === MAX_REPEATS || !isInTime) throw outcome;
		repeats += 1;
		await clock.sleep(pauseMs);
	}
}

/**
 * Sends requests with the same options. After a 403 with an unknown message it reads the account: if that works, the refusal
 * is about that request alone.
 * @param account shared by those who share the key, so that it is read once
 */
export function senderOf(
	connection: Connection,
	options: RequestOptions,
	account: { read?: Promise<unknown> } = {},
): Send {
	const readAccount: ApiRequest = { method: 'GET', path: connection.service.testPath };
	return async (request) => {
		try {
			return await sendRequest(connection, request, options);
		} catch (error) {
			const failure = toFailure(error);
			if (request.isOwnRefusal?.(failure)) throw failure.with({ kind: 'refused' });
			if (failure.kind !== 'forbidden') throw failure;
			account.read ??= sendRequest(connection, readAccount, options);
			const refusal = await account.read.then(() => undefined, toFailure);
			if (!refusal) throw failure.with({ kind: 'refused', advice: NOT_ALLOWED });
			throw refusal.consequences.endsRun ? refusal : failure;
		}
	};
}

const NOT_ALLOWED =
	'The API key works, but this is not allowed: the record may belong to another account';

async function attempt(
	{ send, service, clock, mask }: Connection,
	request: ApiRequest,
	release: Release,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse | Failure> {
	let response: HttpResponse;
	try {
		response = await send(request, timeoutMs, signal);
	} catch (error) {
		release(undefined);
		const from = service.serviceName;
		return connectionFailure(error, { from, advice: CHECK_ADDRESS, signal }).masked(mask);
	}
	const body = classifyResponse(response, service, {
		method: request.method,
		isAccount: request.path === service.testPath,
	});
	const epoch = clock.epoch();
	release(readRateInfo(response, body instanceof Failure && body.kind === 'rateLimited', epoch));
	// Body and headers are masked already, but the address of a redirect was normalized since.
	if (body instanceof Failure) return body.masked(mask);
	return { body, answeredAt: serverTime(response.headers) ?? epoch };
}

function unknownOutcome(failure: Failure): Failure {
	const doubt =
		'It may still have been carried out, so it was not sent again. Check the service before you run it again.';
	const advice = `${doubt} ${failure.advice}`.trim();
	return failure.with({ advice, outcomeUnknown: true });
}

function rateLimitUsedUp(connection: Connection, urgent: boolean): Failure {
	const { limiter, requestsPerMinute, service, clock } = connection;
	const waitMs = limiter.waitMs({ requestsPerMinute, urgent });
	const end = new Date(clock.epoch() + waitMs).toISOString().slice(11, 19);
	return new Failure({
		kind: 'outOfTime',
		message: `The rate limit of ${service.serviceName} is used up until ${end} UTC`,
		advice:
			'Running workflows or other programs with the same key use it. Try again after that time',
	});
}
