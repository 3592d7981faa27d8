// Every request with the key is sent by what `createSend` makes for a run, a poll or a dropdown: it waits for the rate limiter,
// sends, judges the response, and sends again where `Attempts` says so.

import { Failure } from '../values/failure';
import type { Clock } from './clock';
import type { Connection } from './connection';
import type { ApiRequest, Send, ServiceResponse } from './service';
import { connectionFailure } from './connectionFailure';
import { rateInfoIn, serverTime } from './rateHeaders';
import { classifyResponse, type HttpResponse } from './response';
import type { PermitRequest, Release } from './rateLimiter';

interface RequestOptions {
	urgent: boolean;
	/** Whether it changes nothing, so it may be sent twice. Default: whether it is a GET. */
	isSafe?: boolean | undefined;
	/** Nothing is sent after this time, on the connection's clock. */
	until?: number | undefined;
	/** The longest wait for a response. Default: by what is sent, and whether somebody watches. */
	timeoutMs?: number | undefined;
	isWatched?: boolean;
	/** How long after the first attempt another one may begin. Default: a minute. */
	retryMs?: number | undefined;
	signal?: AbortSignal | undefined;
}

export const READ_TIMEOUT_MS = 30_000;
/** n8n's default: giving up earlier would leave more writes whose outcome is unknown. */
const WRITE_TIMEOUT_MS = 300_000;
const WATCHED_WRITE_TIMEOUT_MS = 60_000;
const RETRY_MS = 60_000;
/** While a person waits: for all attempts of a request, and while they watch, for the response to a read. */
export const PERSON_MS = 10_000;
/** Each pause doubles up to the longest, times a random 0.5 to 1.5, so that programs do not all retry at once. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** How often a request may be refused for the rate limit, which other programs may use up. A plan may be used up, too. */
const MAX_REFUSALS = 20;
const MAX_WRITE_REFUSALS = 5;

/** A wait that n8n's log says. */
const LONG_WAIT_MS = 10_000;

/** How long people wait for the rate limit: a little longer than the documented window of a minute. */
export const PATIENCE_MS = 61_000;

export const interactiveOptions = ({ clock }: Connection): RequestOptions => ({
	isSafe: true,
	urgent: true,
	timeoutMs: PERSON_MS,
	retryMs: PERSON_MS,
	until: clock.now() + PATIENCE_MS,
});

/** What it sends throws a Failure whose message is for users, and never contains the key. */
export function createSend(connection: Connection, options: RequestOptions): Send {
	const { clock, pace } = connection;
	const { urgent, signal, until = Infinity } = options;
	const permitRequest = { pace, urgent, signal, until };
	return async (request) => {
		const attempts = new Attempts(clock, request, options);
		for (;;) {
			const asked = clock.now();
			const release = await connection.limiter.acquire(permitRequest);
			if (!release) throw rateLimitUsedUp(connection, permitRequest);
			const waitedMs = clock.now() - asked;
			if (waitedMs > LONG_WAIT_MS)
				log(connection, request, `waited ${Math.round(waitedMs / 1000)} s for the rate limit`);
			const outcome = await attempt(connection, request, release, attempts.begin(), signal);
			if (!(outcome instanceof Failure)) return outcome;
			const delayMs = attempts.delayAfter(outcome);
			log(connection, request, `is sent again: ${outcome.message}`);
			await clock.sleep(delayMs);
		}
	};
}

/** So that who runs n8n sees why a workflow takes long. A message is redacted already. */
function log({ logger, service }: Connection, { method, path }: ApiRequest, what: string): void {
	logger?.info(`${service.credentialType}: ${method} ${path} ${what}`);
}

async function attempt(
	connection: Connection,
	request: ApiRequest,
	release: Release,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse | Failure> {
	const { sendOnce, service, clock, redact, baseUrl } = connection;
	const { serviceName } = service;
	let response: HttpResponse;
	try {
		response = await sendOnce(request, timeoutMs);
	} catch (error) {
		release(undefined);
		return connectionFailure(error, { serviceName, baseUrl }, signal).redacted(redact);
	}
	const body = classifyResponse(response, service, request);
	const answeredAt = serverTime(response.headers, clock.epoch());
	const isRefused = body instanceof Failure && body.kind === 'rateLimited';
	release(rateInfoIn(response, isRefused, answeredAt));
	if (!(body instanceof Failure)) return { body, answeredAt };
	const failure = request.isNone?.(body) ? body.with({ kind: 'none' }) : body;
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

function defaultTimeout(isSafe: boolean, isWatched: boolean): number {
	if (isWatched) return isSafe ? PERSON_MS : WATCHED_WRITE_TIMEOUT_MS;
	return isSafe ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
}

class Attempts {
	private readonly isSafe: boolean;
	private readonly until: number;
	private readonly timeoutMs: number;
	private readonly retryMs: number;
	private endsAt: number | undefined;
	private pauseMs = FIRST_PAUSE_MS;
	private refusals = 0;

	constructor(
		private readonly clock: Clock,
		{ method, noRetry = false }: ApiRequest,
		options: RequestOptions,
	) {
		const { isSafe, isWatched = false, until = Infinity, timeoutMs, retryMs = RETRY_MS } = options;
		this.isSafe = isSafe ?? method === 'GET';
		this.until = until;
		this.timeoutMs = timeoutMs ?? defaultTimeout(this.isSafe, isWatched);
		this.retryMs = noRetry ? 0 : retryMs;
	}

	/** Begins an attempt. @returns how long to wait for its response, in ms */
	begin(): number {
		const now = this.clock.now();
		this.endsAt ??= Math.min(this.until, now + this.retryMs);
		const leftMs = Math.max(1, Math.ceil(this.until - now));
		return this.isSafe ? Math.min(this.timeoutMs, leftMs) : this.timeoutMs;
	}

	/** @returns how long to wait before the next attempt, in ms @throws the failure, if there is none */
	delayAfter(failure: Failure): number {
		const { retry } = failure.consequences;
		if (retry === 'afterWindow') return this.delayAfterRefusal(failure);
		const delayMs = this.pauseMs * (0.5 + Math.random());
		this.pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.pauseMs);
		const isRepeatable = retry === 'any' || (retry === 'reads' && this.isSafe);
		const isTooLate = this.clock.now() + delayMs > (this.endsAt ?? Infinity);
		const isTriedOut = this.clock.now() + delayMs > (this.endsAt ?? 0) - this.retryMs + RETRY_MS;
		if (!isRepeatable || isTooLate) throw this.final(failure.with({ isTriedOut }));
		return delayMs;
	}

	/** None: the rate limiter waits. The time spent on it counts for no attempt. */
	private delayAfterRefusal(failure: Failure): number {
		const most = this.isSafe ? MAX_REFUSALS : MAX_WRITE_REFUSALS;
		if (this.refusals >= most) throw failure;
		this.refusals += 1;
		this.endsAt = undefined;
		return 0;
	}

	private final(failure: Failure): Failure {
		if (!this.isSafe)
			return failure.consequences.mayHaveBeenApplied ? unknownOutcome(failure) : failure;
		const isLate = failure.kind === 'noResponse' && this.clock.now() >= this.until;
		return isLate ? failure.with({ kind: 'outOfTime' }) : failure;
	}
}

function unknownOutcome(failure: Failure): Failure {
	const doubt =
		'It may still have been carried out, so it was not sent again. Check the service before you run it again.';
	const advice = `${doubt} ${failure.advice}`.trim();
	return failure.with({ advice, outcomeUnknown: true });
}
