import type { IDataObject } from 'n8n-workflow';

import type { FailureKind } from '../values/failure';
import { Failure } from '../values/failure';
import { idIn } from '../values/json';
import type { ApiRequest, Connection } from './connection';
import { connectionFailure } from './connectionError';
import { readRateInfo, serverTime } from './rateHeaders';
import type { Permit } from './rateLimiter';
import { pause } from './rateLimiter';
import type { HttpResponse } from './response';
import { classifyResponse } from './response';

/** How one request is handled. */
export interface RequestOptions {
	/**
	 * Whether it can be sent twice without harm, as a read can. A write is sent again only if the service refused it because
	 * of its rate limit.
	 */
	repeatable: boolean;
	/** Whether a person waits for it: then it goes first, and may use the requests reserved for people. */
	urgent: boolean;
	/** Ends the waits for a permit and before a repeat. */
	signal: AbortSignal | undefined;
	/** The longest wait for a response, in milliseconds. Default: `READ_TIMEOUT_MS`, or `WRITE_TIMEOUT_MS` if not repeatable. */
	timeoutMs?: number | undefined;
	/** Nothing is sent after this time on the connection's clock. Default: no end. */
	until?: number;
}

/** A successful response. */
export interface ServiceResponse {
	body: IDataObject;
	/** When the service answered, in epoch milliseconds: by its own clock if it says so, else by this machine's. */
	answeredAt: number;
}

/**
 * `sendRequest` with the connection and the options of an operation, a dropdown or a trigger.
 * @throws Failure
 */
export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

/** The longest wait for the response to a read, in milliseconds. */
export const READ_TIMEOUT_MS = 30_000;

/** The longest wait for the response to a write, in milliseconds: n8n's default. After less, nobody knows what became of it. */
const WRITE_TIMEOUT_MS = 300_000;

/** What a timer holds: with more, it fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A timeout that a user set, in milliseconds; undefined if no timer can wait that long, or that short. */
export function timeoutIn(value: unknown): number | undefined {
	const milliseconds = idIn(value) ?? Infinity;
	return milliseconds <= LONGEST_TIMEOUT_MS ? milliseconds : undefined;
}

/** Time budget for all attempts of one read, pauses included, in milliseconds; longer only if two timeouts are. */
const LONGEST_OUTAGE_MS = 60_000;

/** How long a person waits for the rate limit, in milliseconds: the documented window of a minute, and a little more. */
const PATIENCE_MS = 61_000;

/** The options of what a person waits for now. All requests that have them wait together as long as one. */
export const forAPerson = ({ time }: Connection): RequestOptions => ({
	repeatable: true,
	urgent: true,
	signal: undefined,
	until: time.now() + PATIENCE_MS,
});

/** How a request is sent again. */
interface Retry {
	/** The most repeats, for a run and for a person. */
	times: number;
	timesForPerson: number;
	/** Milliseconds before the first repeat, 0.5 to 1.5 times as long by chance; doubled for each further one. */
	firstPauseMs: number;
	/** Whether a write is sent again, too. */
	isForWrites: boolean;
}

const OUTAGE: Retry = { times: 3, timesForPerson: 3, firstPauseMs: 500, isForWrites: false };

/** After which failures a request is sent again; after `unreachable` only if the service may have received it. */
const RETRIES: Readonly<Partial<Record<FailureKind, Retry>>> = {
	// A refused request was not carried out. The limiter waits, so no pause. Others may use up the limit again and again.
	rateLimited: { times: 20, timesForPerson: 1, firstPauseMs: 0, isForWrites: true },
	unavailable: OUTAGE,
	unreachable: OUTAGE,
};

/**
 * Sends a request to a service; operations, dropdowns, credential tests and triggers all send through it. It waits for a
 * permit of the rate limiter, sends, reads the response, and sends again where that is safe: see `RETRIES`.
 * @throws Failure whose message is for users, and never contains the key
 */
export async function sendRequest(
	connection: Connection,
	request: ApiRequest,
	options: RequestOptions,
): Promise<ServiceResponse> {
	const { limiter, requestsPerMinute, time } = connection;
	const { repeatable, urgent, signal, until = Infinity } = options;
	const timeoutMs = options.timeoutMs ?? (repeatable ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
	const sentAgain = new Map<Retry, number>();
	let outageLeftMs = Math.max(LONGEST_OUTAGE_MS, 2 * timeoutMs) * (request.timeShare ?? 1);
	for (;;) {
		const permit = await limiter.acquire({ requestsPerMinute, urgent, signal, until });
		if (!permit) throw timeUp(connection, urgent);
		const sentAt = time.now();
		const timeout = Math.ceil(Math.min(timeoutMs, outageLeftMs));
		const outcome = await attempt(connection, request, permit, timeout, signal);
		if (!(outcome instanceof Failure)) return outcome;

		const retry = retryAfter(outcome, repeatable);
		const times = (retry && sentAgain.get(retry)) ?? 0;
		const pauseMs = (retry?.firstPauseMs ?? 0) * 2 ** times * (0.5 + connection.random());
		if (retry === OUTAGE) outageLeftMs -= time.now() - sentAt + pauseMs;
		const most = urgent ? retry?.timesForPerson : retry?.times;
		if (!retry || times === most || outageLeftMs <= 0 || time.now() + pauseMs > until)
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
		response = await send(request, timeoutMs, signal);
	} catch (error) {
		permit.release(undefined);
		return connectionFailure(error, service.serviceName, signal);
	}
	const body = classifyResponse(response, service);
	const epoch = time.epoch();
	const isRefusal = body instanceof Failure && body.kind === 'rateLimited';
	permit.release(readRateInfo(response, isRefusal, epoch));
	if (body instanceof Failure) {
		// The account takes nothing but the key.
		const isKey = body.kind === 'forbidden' && request.path === service.testPath;
		return isKey ? body.with({ kind: 'unauthorised', advice: service.keyAdvice }) : body;
	}
	return { body, answeredAt: serverTime(response.headers) ?? epoch };
}

/** The failure as users read it: without the key, and after a write with whether it may have been carried out. */
function explained(
	failure: Failure,
	connection: Connection,
	{ repeatable, urgent }: RequestOptions,
): Failure {
	if (urgent && failure.kind === 'rateLimited') return timeUp(connection, urgent);
	const message = connection.mask(failure.message);
	if (repeatable || !failure.outcomeUnknown)
		return failure.with({ message, outcomeUnknown: false });
	const doubt =
		'It may still have been carried out, so it was not sent again. Check the service before you run it again.';
	return failure.with({ message, advice: `${doubt} ${failure.advice}`.trim() });
}

/** The rate limit lasts longer than the caller can wait. */
function timeUp(
	{ limiter, requestsPerMinute, service, time }: Connection,
	urgent: boolean,
): Failure {
	const waitMs = limiter.waitMs({ requestsPerMinute, urgent });
	const end = new Date(time.epoch() + waitMs).toISOString().slice(11, 19);
	return new Failure({
		kind: 'timeUp',
		message: `The rate limit of ${service.serviceName} is used up until ${end} UTC`,
		advice:
			'Running workflows or other programs with the same key use it. Try again after that time',
	});
}
