// Every request with the key goes through `sendRequest`: it waits for the rate limiter, sends, judges the response, and sends
// again where that is safe. `senderOf` also finds out what a 403 means; `interactiveOptions` is for when a person waits.

import { Failure, toFailure } from '../values/failure';
import { isFromCache } from './cacheHeaders';
import { CHECK_ADDRESS, classifyResponse } from './classifyResponse';
import { type Connection, proofRequest } from './connection';
import { connectionFailure } from './connectionFailure';
import type { ApiRequest, HttpResponse, SendWithin, ServiceResponse, TimeLimit } from './exchange';
import { KeyCheck } from './keyCheck';
import { rateInfoIn, serverTime } from './rateHeaders';
import { LimitedRun, type RateLimiter, type Release } from './rateLimiter';

/** How a request waits, and whether it is sent again. */
interface RequestOptions extends TimeLimit {
	/** Whether it changes nothing, so it may be sent twice. Default: whether it is a GET. */
	isRead?: boolean | undefined;
	/** Whether a person waits for it: then it goes first, and may use the requests that are kept for people. */
	urgent: boolean;
	/** With whose requests it takes turns. Default: it is a run of its own. */
	run?: LimitedRun;
	signal?: AbortSignal | undefined;
	/** The longest wait for a response. Default: `READ_TIMEOUT_MS` or `WRITE_TIMEOUT_MS`. */
	timeoutMs?: number | undefined;
	/** Time budget for all attempts of one read, pauses included. Default: a minute, or twice the timeout if that is longer. */
	retryMs?: number;
}

/** For writes n8n's default: giving up earlier would leave more of them whose outcome is unknown. */
export const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 300_000;
/** For a read that is sent `once`, such as a smaller page than the one that timed out. */
const ONCE_TIMEOUT_MS = 10_000;

/** What is sent again is said by `sentAgain` of each kind of failure. */
const RETRY = {
	/** Time budget for all attempts of one read. */
	forMs: 60_000,
	forPeopleMs: 10_000,
	/** Each pause doubles up to the longest, times a random 0.5 to 1.5, so that programs do not all retry at once. */
	firstPauseMs: 500,
	longestPauseMs: 10_000,
	/** Of a request that is refused for the rate limit, which other programs may use up. */
	refusals: 20,
} as const;

/** How long people wait for the rate limit: a little longer than the documented window of a minute. */
const PATIENCE_MS = 61_000;

/** For requests that a person waits for, with one deadline for all of them. */
export const interactiveOptions = ({ clock }: Connection): RequestOptions => ({
	isRead: true,
	urgent: true,
	run: new LimitedRun(),
	timeoutMs: RETRY.forPeopleMs,
	retryMs: RETRY.forPeopleMs,
	until: clock.now() + PATIENCE_MS,
});

/** @throws Failure whose message is for users, and never contains the key */
export async function sendRequest(
	connection: Connection,
	request: ApiRequest,
	options: RequestOptions,
): Promise<ServiceResponse> {
	const { limiter, requestsPerMinute, clock } = connection;
	const { urgent, run = new LimitedRun(), signal, until = Infinity, endsReads = false } = options;
	const isRead = options.isRead ?? request.method === 'GET';
	const longestMs = options.timeoutMs ?? (isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
	const isBrief = isRead && request.once === true;
	const timeoutMs = isBrief ? Math.min(longestMs, ONCE_TIMEOUT_MS) : longestMs;
	const permitRequest = { requestsPerMinute, urgent, run, signal, until };
	let leftMs = isBrief ? 0 : (options.retryMs ?? Math.max(RETRY.forMs, 2 * timeoutMs));
	let refusals = 0;
	let repeats = 0;
	for (;;) {
		const release = await limiter.acquire(permitRequest);
		if (!release) throw rateLimitUsedUp(connection, permitRequest);
		const sentAt = clock.now();
		const timeout = repeats === 0 ? timeoutMs : Math.ceil(Math.min(timeoutMs, leftMs));
		const untilMs = isRead && endsReads ? Math.max(1, Math.ceil(until - sentAt)) : Infinity;
		const longest = Math.min(timeout, untilMs);
		const outcome = await attempt(connection, request, release, longest, signal);
		if (!(outcome instanceof Failure)) return outcome;
		if (untilMs < timeout && outcome.kind === 'noResponse')
			throw outcome.with({ kind: 'outOfTime' });
		const { sentAgain, mayBeDone } = outcome.consequences;
		if (sentAgain === 'any') {
			// The limiter waits.
			refusals += 1;
			if (refusals > RETRY.refusals) throw outcome;
			continue;
		}
		if (!isRead) throw mayBeDone ? unknownOutcome(outcome) : outcome;
		const pauseMs = pauseBefore(repeats);
		leftMs -= clock.now() - sentAt + pauseMs;
		if (!sentAgain || leftMs <= 0 || clock.now() + pauseMs > until) throw outcome;
		repeats += 1;
		await clock.sleep(pauseMs);
	}
}

const pauseBefore = (repeats: number): number =>
	Math.min(RETRY.longestPauseMs, RETRY.firstPauseMs * 2 ** repeats) * (0.5 + Math.random());

/** Sends the requests of a run, a poll or a dropdown with the same options, and finds out what a 403 of one of them means. */
export function senderOf(connection: Connection, options: RequestOptions): SendWithin {
	const { run = new LimitedRun() } = options;
	const keyCheck = new KeyCheck();
	return async (request, limit) => {
		const limited = { ...options, ...limit, run };
		try {
			const response = await sendRequest(connection, request, limited);
			keyCheck.noteSuccess();
			return response;
		} catch (error) {
			const failure = toFailure(error);
			if (request.isOwnRefusal?.(failure)) throw failure.with({ kind: 'refused' });
			const proof = proofRequest(connection.service);
			const asRead = { ...limited, isRead: true };
			throw await keyCheck.explained(
				failure,
				async () => await sendRequest(connection, proof, asRead),
			);
		}
	};
}

async function attempt(
	{ sendOnce, service, clock, mask }: Connection,
	request: ApiRequest,
	release: Release,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse | Failure> {
	let response: HttpResponse;
	try {
		response = await sendOnce(request, timeoutMs, signal);
	} catch (error) {
		release(undefined);
		const from = service.serviceName;
		return connectionFailure(error, { from, advice: CHECK_ADDRESS, signal }).masked(mask);
	}
	const body = classifyResponse(response, service, {
		method: request.method,
		isAccount: request.path === service.testPath,
	});
	const answeredAt = serverTime(response.headers, clock.epoch());
	const isRefused = body instanceof Failure && body.kind === 'rateLimited';
	release(rateInfoIn(response, isRefused, answeredAt));
	// Body and headers are masked already, but the address of a redirect was normalized since.
	if (body instanceof Failure) return body.masked(mask);
	if (request.isProof && isFromCache(response.headers)) return fromCache(service.serviceName);
	return { body, answeredAt };
}

const fromCache = (serviceName: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `A cache answered in place of ${serviceName}, which does not prove the API key`,
		advice: 'Exclude /api from the cache in front of the service',
	});

function unknownOutcome(failure: Failure): Failure {
	const doubt =
		'It may still have been carried out, so it was not sent again. Check the service before you run it again.';
	const advice = `${doubt} ${failure.advice}`.trim();
	return failure.with({ advice, outcomeUnknown: true });
}

function rateLimitUsedUp(
	{ limiter, service, clock }: Connection,
	permitRequest: Parameters<RateLimiter['waitMs']>[0],
): Failure {
	const waitMs = limiter.waitMs(permitRequest);
	if (waitMs === 0)
		return new Failure({ kind: 'outOfTime', message: 'There was no time left for a request' });
	const end = new Date(clock.epoch() + waitMs).toISOString().slice(11, 19);
	return new Failure({
		kind: 'outOfTime',
		message: `The rate limit of ${service.serviceName} is used up until ${end} UTC`,
		advice:
			'Running workflows or other programs with the same key use it. Try again after that time',
	});
}
