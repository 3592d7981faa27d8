// Every request with the key goes through `sendRequest`: it waits for the rate limiter, sends, judges the response, and sends
// again where that is safe. `createSend` binds it to a run, a poll or a dropdown, and asks for the account after many 403.
// `interactiveOptions` is for when a person waits.

import { Failure, toFailure } from '../values/failure';
import type { ApiRequest, Connection, Send, ServiceResponse } from './connection';
import { rateInfoIn, serverTime } from './rateHeaders';
import { classifyResponse, connectionFailure, type HttpResponse } from './response';
import { RequestBudget, type RateLimiter, type Release } from './rateLimiter';

interface RequestOptions {
	/** Nothing is sent after this time, on the connection's clock. */
	until?: number;
	/** Whether it changes nothing, so it may be sent twice. Default: whether it is a GET. */
	isSafe?: boolean | undefined;
	/** Whether a person waits for it: then it goes first. */
	urgent: boolean;
	/** Whether a person watches the run: then a service that does not answer is reported soon. */
	isWatched?: boolean;
	/** With whose requests it takes turns. Default: it is a run of its own. */
	budget?: RequestBudget;
	signal?: AbortSignal | undefined;
	/** The longest wait for a response. Default: by what is sent, and whether a person watches. */
	timeoutMs?: number | undefined;
}

export const READ_TIMEOUT_MS = 30_000;
/** n8n's default: giving up earlier would leave more writes whose outcome is unknown. */
const WRITE_TIMEOUT_MS = 300_000;
const PERSON_TIMEOUT_MS = 10_000;

/** How long people wait for the rate limit: a little longer than the documented window of a minute. */
const PATIENCE_MS = 61_000;

/** What is sent again is said by `retry` of each kind of failure. */
const RETRY = {
	/** Time for all attempts of one read. */
	forMs: 60_000,
	forPeopleMs: 10_000,
	/** Each pause doubles up to the longest, times a random 0.5 to 1.5, so that programs do not all retry at once. */
	firstPauseMs: 500,
	longestPauseMs: 10_000,
	/** Of a request that is refused for the rate limit, which other programs may use up. */
	refusals: 20,
} as const;

/** For requests that a person waits for, with one deadline for all of them. */
export const interactiveOptions = ({ clock }: Connection): RequestOptions => ({
	isSafe: true,
	urgent: true,
	isWatched: true,
	until: clock.now() + PATIENCE_MS,
});

/** @throws Failure whose message is for users, and never contains the key */
export async function sendRequest(
	connection: Connection,
	request: ApiRequest,
	options: RequestOptions,
): Promise<ServiceResponse> {
	const { limiter, requestsPerMinute, clock } = connection;
	const { urgent, budget = new RequestBudget(), signal, until = Infinity } = options;
	const isSafe = options.isSafe ?? request.method === 'GET';
	const { timeoutMs, retryMs } = timeLimits(request, options, isSafe);
	const permitRequest = { requestsPerMinute, urgent, budget, signal, until };
	if (request.remainingPages !== undefined)
		budget.expected = Math.max(budget.expected, 1 + request.remainingPages);
	let endsAt: number | undefined;
	let pauseMs: number = RETRY.firstPauseMs;
	for (let refusals = 0; ;) {
		const release = await limiter.acquire(permitRequest);
		if (!release) throw rateLimitUsedUp(connection, permitRequest);
		endsAt ??= Math.min(until, clock.now() + retryMs);
		const leftMs = isSafe ? Math.max(1, Math.ceil(until - clock.now())) : Infinity;
		const longestMs = Math.min(timeoutMs, leftMs);
		const outcome = await attempt(connection, request, release, longestMs, signal);
		if (!(outcome instanceof Failure)) return outcome;
		const { retry, mayHaveBeenApplied } = outcome.consequences;
		if (retry === 'any' && refusals < RETRY.refusals) {
			// The limiter waits.
			refusals += 1;
			endsAt = undefined;
			continue;
		}
		if (!isSafe) throw mayHaveBeenApplied ? unknownOutcome(outcome) : outcome;
		const waitMs = pauseMs * (0.5 + Math.random());
		if (outcome.kind === 'noResponse' && clock.now() >= until)
			throw outcome.with({ kind: 'outOfTime' });
		if (retry !== 'reads' || clock.now() + waitMs > endsAt) throw outcome;
		pauseMs = Math.min(RETRY.longestPauseMs, 2 * pauseMs);
		await clock.sleep(waitMs);
	}
}

/** How long one attempt may take, and how long a read is tried. */
function timeLimits(
	{ noRetry }: ApiRequest,
	{ isWatched = false, timeoutMs: entered }: RequestOptions,
	isSafe: boolean,
): { timeoutMs: number; retryMs: number } {
	const unwatchedMs = isSafe ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
	const timeoutMs = entered ?? (isWatched ? PERSON_TIMEOUT_MS : unwatchedMs);
	if (noRetry) return { timeoutMs, retryMs: 0 };
	const longestMs = isWatched ? RETRY.forPeopleMs : Math.max(RETRY.forMs, 2 * timeoutMs);
	return { timeoutMs, retryMs: longestMs };
}

/** Sends the requests of a run, a poll or a dropdown. A 403 may be about the key: at each fifth in a row, the account says so. */
export function createSend(connection: Connection, options: RequestOptions): Send {
	const account = { method: 'GET', path: connection.service.testPath } as const;
	const { budget = new RequestBudget() } = options;
	let forbidden = 0;
	return async (request) => {
		const own = { ...options, budget };
		try {
			const response = await sendRequest(connection, request, own);
			forbidden = 0;
			return response;
		} catch (error) {
			const failure = toFailure(error);
			if (request.isOwnRefusal?.(failure)) throw failure.with({ kind: 'refused' });
			forbidden = failure.kind === 'forbidden' ? forbidden + 1 : 0;
			if (forbidden > 0 && forbidden % 5 === 0)
				await sendRequest(connection, account, { ...own, isSafe: true });
			throw failure;
		}
	};
}

async function attempt(
	{ sendOnce, service, clock, redact }: Connection,
	request: ApiRequest,
	release: Release,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse | Failure> {
	let response: HttpResponse;
	try {
		response = await sendOnce(request, timeoutMs);
	} catch (error) {
		release(undefined);
		return connectionFailure(error, service.serviceName, signal).redacted(redact);
	}
	const body = classifyResponse(response, service, request.path === service.testPath);
	const answeredAt = serverTime(response.headers, clock.epoch());
	const isRefused = body instanceof Failure && body.kind === 'rateLimited';
	release(rateInfoIn(response, isRefused, answeredAt));
	// Body and headers are masked already, but the address of a redirect was normalized since.
	if (body instanceof Failure) return body.redacted(redact);
	return { body, answeredAt };
}

function unknownOutcome(failure: Failure): Failure {
	const doubt =
		'It may still have been carried out, so it was not sent again. Check the service before you run it again.';
	const advice = `${doubt} ${failure.advice}`.trim();
	return failure.with({ advice, outcomeUnknown: true });
}

function rateLimitUsedUp(
	{ limiter, service, clock }: Connection,
	permitRequest: Parameters<RateLimiter['earliestSendAt']>[1],
): Failure {
	const waitMs = limiter.earliestSendAt(clock.now(), permitRequest) - clock.now();
	if (waitMs <= 0)
		return new Failure({ kind: 'outOfTime', message: 'There was no time left for a request' });
	const end = new Date(clock.epoch() + waitMs).toISOString().slice(11, 19);
	return new Failure({
		kind: 'outOfTime',
		message: `The rate limit of ${service.serviceName} is used up until ${end} UTC`,
		advice:
			'Running workflows or other programs with the same key use it. Try again after that time',
	});
}
