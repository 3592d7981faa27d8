// Every request with the key is sent by what `createSend` makes for a run, a poll or a dropdown: it waits for the rate limiter,
// sends, judges the response, and sends again where `Attempts` says so.

import { Failure } from '../values/failure';
import type { ApiRequest, Connection, Send, ServiceResponse } from './connection';
import { connectionFailure } from './connectionFailure';
import { rateInfoIn, serverTime } from './rateHeaders';
import { classifyResponse } from './response';
import type { HttpResponse } from './responseKind';
import { Attempts, type RetryOptions } from './retry';
import type { PermitRequest, Release } from './rateLimiter';

interface RequestOptions extends RetryOptions {
	/** Whether a person waits for it: then it goes first. */
	urgent: boolean;
	/** How many requests are sent, as far as is known. */
	expected?: number;
	signal?: AbortSignal | undefined;
}

/** How long people wait for the rate limit: a little longer than the documented window of a minute. */
const PATIENCE_MS = 61_000;

/** For requests that a person waits for, with one deadline for all of them. */
export const interactiveOptions = ({ clock }: Connection): RequestOptions => ({
	isSafe: true,
	urgent: true,
	isWatched: true,
	until: clock.now() + PATIENCE_MS,
});

/** What it sends throws a Failure whose message is for users, and never contains the key. */
export function createSend(connection: Connection, options: RequestOptions): Send {
	const { limiter, clock, pace } = connection;
	const { urgent, expected = 1, signal, until = Infinity } = options;
	const permitRequest = { pace, urgent, budget: { expected }, signal, until };
	return async (request) => {
		const attempts = new Attempts(clock, request, options);
		for (;;) {
			const release = await limiter.acquire(permitRequest);
			if (!release) throw rateLimitUsedUp(connection, permitRequest);
			const outcome = await attempt(connection, request, release, attempts.begin(), signal);
			if (!(outcome instanceof Failure)) return outcome;
			await clock.sleep(attempts.delayAfter(outcome));
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
	const body = classifyResponse(response, service, request);
	const answeredAt = serverTime(response.headers, clock.epoch());
	const isRefused = body instanceof Failure && body.kind === 'rateLimited';
	release(rateInfoIn(response, isRefused, answeredAt));
	if (!(body instanceof Failure)) return { body, answeredAt };
	const failure = request.isOwnRefusal?.(body) ? body.with({ kind: 'refused' }) : body;
	// Body and headers are redacted already, but the address of a redirect was normalized since.
	return failure.redacted(redact);
}

function rateLimitUsedUp(
	{ limiter, service, clock }: Connection,
	permitRequest: PermitRequest,
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
