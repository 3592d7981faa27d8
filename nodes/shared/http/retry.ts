// When a failed request is sent again, and how long the service has been away for a run.

import type { Failure } from '../values/failure';
import type { Clock } from './clock';

export interface RetryOptions {
	/** Whether it changes nothing, so it may be sent twice. Default: whether it is a GET. */
	isSafe?: boolean | undefined;
	/** Whether a person watches the run: then a service that does not respond is reported soon. */
	isWatched?: boolean;
	/** Nothing is sent after this time, on the connection's clock. */
	until?: number;
	/** The longest wait for a response. Default: by what is sent, and whether a person watches. */
	timeoutMs?: number | undefined;
	outage?: Outage;
}

export const READ_TIMEOUT_MS = 30_000;
/** n8n's default: giving up earlier would leave more writes whose outcome is unknown. */
const WRITE_TIMEOUT_MS = 300_000;
/** Time for all attempts of one request. */
const RETRY_MS = 60_000;
/** The same while a person watches, and for one response. */
const PERSON_MS = 10_000;
/** Each pause doubles up to the longest, times a random 0.5 to 1.5, so that programs do not all retry at once. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** How often a request may be refused for the rate limit, which other programs may use up. */
export const MAX_REFUSALS = 20;

const LONGEST_OUTAGE_MS = 60_000;
const LONGEST_OUTAGE_PAUSE_MS = 20_000;

export class Attempts {
	private readonly isSafe: boolean;
	private readonly until: number;
	private readonly timeoutMs: number;
	private readonly retryMs: number;
	private endsAt: number | undefined;
	private pauseMs = FIRST_PAUSE_MS;
	private refusals = 0;

	constructor(
		private readonly clock: Clock,
		{ method, noRetry = false }: { method: string; noRetry?: boolean },
		private readonly options: RetryOptions,
	) {
		const { isWatched = false, until = Infinity } = options;
		this.isSafe = options.isSafe ?? method === 'GET';
		this.until = until;
		const unwatchedMs = this.isSafe ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
		this.timeoutMs = options.timeoutMs ?? (isWatched ? PERSON_MS : unwatchedMs);
		const retryMs = isWatched ? PERSON_MS : RETRY_MS;
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
		const { retry, isOutage } = failure.consequences;
		const { outage } = this.options;
		if (isOutage === 'any') outage?.begin();
		if (retry === 'afterWindow') return this.delayAfterRefusal(failure);
		const delayMs = this.pauseMs * (0.5 + Math.random());
		this.pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.pauseMs);
		const isRepeatable = retry === 'any' || (retry === 'reads' && this.isSafe);
		// All requests of a run give up an outage at the same time.
		const lastRetryAt = Math.min(this.endsAt ?? Infinity, outage?.endsAt ?? Infinity);
		if (!isRepeatable || this.clock.now() + delayMs > lastRetryAt) throw this.final(failure);
		return delayMs;
	}

	/** None: the rate limiter waits. The time spent on it counts for no attempt. */
	private delayAfterRefusal(failure: Failure): number {
		if (this.refusals >= MAX_REFUSALS) throw failure;
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

/** A service that is away. The requests of a run share it, so that a short outage fails few of them. */
export class Outage {
	private since: number | undefined;
	private pauseMs = FIRST_PAUSE_MS;

	constructor(private readonly clock: Clock) {}

	/** When the run gives up; Infinity while the service responds. */
	get endsAt(): number {
		return this.since === undefined ? Infinity : this.since + LONGEST_OUTAGE_MS;
	}

	begin(): void {
		this.since ??= this.clock.now();
	}

	end(): void {
		this.since = undefined;
		this.pauseMs = FIRST_PAUSE_MS;
	}

	/** During an outage, each request waits twice as long as the one before it. */
	async pause(): Promise<void> {
		if (this.since === undefined) return;
		const pauseMs = Math.min(this.pauseMs, this.endsAt - this.clock.now());
		this.pauseMs = Math.min(LONGEST_OUTAGE_PAUSE_MS, 2 * this.pauseMs);
		if (pauseMs > 0) await this.clock.sleep(Math.ceil(pauseMs));
	}
}
