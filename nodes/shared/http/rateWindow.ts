/** What "requests per minute" is about, and the window that the link service documents, in milliseconds. */
const MINUTE_MS = 60_000;

/** The wait after a refusal is at least this, and doubles with each further one: a service may ask to wait 0 seconds. */
const SHORTEST_REFUSAL_WAIT_MS = 200;

/** Services tell times in whole seconds: two ends that differ by less are of one window, if its limit is the same. */
const RESOLUTION_MS = 1000;

/** A request without an answer for this long is no reason any more to hold back others. */
const OVERDUE_MS = 10_000;

/** Requests of each window that stay free for people, while somebody is about: dropdowns and credential tests. */
const RESERVED_FOR_PEOPLE = 2;

/** Somebody is about for this long after a dropdown or a credential test: 10 minutes, in milliseconds. */
const ATTENDED_MS = 600_000;

/** Requests per minute of a credential count for this long after its last request, and so in each minute with one. */
const PACE_MS = 2 * MINUTE_MS;

/** A limit below this is too small to keep anything of it free. */
const SMALLEST_LIMIT_WITH_RESERVE = 10;

/** What an answer says of the service's limit. */
export interface RateReport {
	/** How many requests a window takes. */
	limit: number;
	/** How many of them are left. */
	remaining: number;
	/** When the window ends, in milliseconds from the answer on; undefined if that is not told. */
	resetInMs: number | undefined;
}

/** What an answer says to the limiter. */
export interface RateAnswer {
	report: RateReport | undefined;
	/** Whether the service refused the request because of its limit. */
	isRefusal: boolean;
	/** How long it then asks to wait, in milliseconds. */
	waitMs: number | undefined;
}

/** A request that wants to be sent. */
export interface Candidate {
	/** What its credential allows; 0 = as much as the service does. */
	requestsPerMinute: number;
	/** Whether a person waits for it. */
	urgent: boolean;
}

/** A request that was sent. */
export interface SentRequest {
	readonly sentAt: number;
}

/** A window as the service told it last. */
interface ServiceWindow {
	limit: number;
	resetAt: number;
	/** When the request was sent whose answer told it. */
	sentAt: number;
}

/**
 * What is known of a service's rate limit, learned from its answers, and what that allows. Pure: `now` is an argument, in
 * milliseconds of a clock that only goes forward, so that setting this machine's clock opens and closes nothing.
 *
 * - Where the service tells its limit, its own count decides, whoever used it up. The first request of a window that
 *   nothing is known of goes alone, and its answer tells how many may follow.
 * - Where it tells none, or a higher one than the credential, the credential's requests per minute count: those of this
 *   process, in any 60 seconds. Of credentials with the same key the strictest one counts that sent lately.
 * - After a refusal nothing is sent until the wait that it asks for is over, else until the window is.
 */
export class RateWindow {
	/** Sent and not answered, the oldest first. */
	private readonly inFlight = new Set<SentRequest>();
	/** When the requests of the last minute were answered, the oldest first. */
	private readonly answers: number[] = [];
	/** When each number of requests per minute was last used. */
	private readonly paces = new Map<number, number>();
	/** A window that is over still tells its limit. One of a service that tells none has no limit, and no end. */
	private told: ServiceWindow | undefined;
	/** Requests of the current window: what the service counted, and what is under way. */
	private used = 0;
	private closedUntil = -Infinity;
	/** Refusals in a row. */
	private refusals = 0;
	private lastPersonAt = -Infinity;

	/**
	 * From when on a request may be sent, as far as is known now; each answer can change it. `urgent` ones, which a person
	 * waits for, may use the reserve, and set it up: a run that nobody watches has the whole limit, and the first person
	 * to come waits for the next window at most.
	 */
	opensAt(now: number, { requestsPerMinute, urgent }: Candidate): number {
		if (urgent) this.lastPersonAt = now;
		this.forgetOld(now);
		const pace = Math.min(requestsPerMinute || Infinity, ...this.paces.keys());
		if (pace === Infinity) return this.closedUntil;
		return Math.max(
			this.closedUntil,
			this.serviceAllowsAt(now, urgent),
			this.paceAllowsAt(now, pace, urgent),
		);
	}

	/** Notes that a request is being sent. */
	sent(now: number, { requestsPerMinute }: Candidate): SentRequest {
		const request = { sentAt: now };
		this.inFlight.add(request);
		this.used = this.openWindow(now) ? this.used + 1 : 1;
		if (requestsPerMinute > 0) this.paces.set(requestsPerMinute, now);
		return request;
	}

	/** Notes the answer to a request; undefined if none came. */
	answered(request: SentRequest, now: number, answer: RateAnswer | undefined): void {
		this.settle(request, now);
		if (!answer) return;
		const { report, isRefusal, waitMs } = answer;
		if (report) this.learn(report, request, now);
		if (isRefusal) this.close(waitMs, now);
		else this.refusals = 0;
		if (!report && !isRefusal && !this.openWindow(now)) {
			this.told = { limit: Infinity, resetAt: Infinity, sentAt: request.sentAt };
		}
	}

	private learn(report: RateReport, { sentAt }: SentRequest, now: number): void {
		const { limit, remaining } = report;
		const resetAt = now + (report.resetInMs ?? MINUTE_MS);
		const known = this.openWindow(now);
		const isSame = known?.limit === limit && Math.abs(known.resetAt - resetAt) < RESOLUTION_MS;
		// Answers overtake each other: the later request knows the newer window; within one the higher count is the newer.
		if (known && !isSame && sentAt < known.sentAt) return;
		const counted = limit - Math.min(limit, remaining) + this.inFlight.size;
		this.used = isSame ? Math.max(this.used, counted) : counted;
		// The service's clock is cut to the second, so of one window the earliest end is the most exact.
		this.told = { limit, resetAt: isSame ? Math.min(known.resetAt, resetAt) : resetAt, sentAt };
	}

	private close(waitMs: number | undefined, now: number): void {
		const end = this.told?.resetAt ?? Infinity;
		// A window that has just ended was still open when the service refused: its answer was under way.
		const isCurrent = end > now - RESOLUTION_MS && end < Infinity;
		const wait = waitMs ?? (isCurrent ? end - now : MINUTE_MS);
		if (now >= this.closedUntil) this.refusals += 1;
		const shortest = Math.min(MINUTE_MS, SHORTEST_REFUSAL_WAIT_MS * 2 ** (this.refusals - 1));
		this.closedUntil = Math.max(this.closedUntil, now + Math.max(shortest, wait));
		if (this.told) this.told = { ...this.told, resetAt: now };
	}

	private serviceAllowsAt(now: number, urgent: boolean): number {
		const window = this.openWindow(now);
		if (!window) return this.answerDueAt(now);
		return this.used < this.usable(window.limit, now, urgent) ? now : window.resetAt;
	}

	private paceAllowsAt(now: number, pace: number, urgent: boolean): number {
		if (this.told && this.told.limit <= pace) return now;
		const left = this.usable(pace, now, urgent) - this.inFlight.size;
		if (this.answers.length < left) return now;
		const last = left > 0 ? this.answers.at(-left) : undefined;
		return last === undefined ? this.answerDueAt(now) : last + MINUTE_MS;
	}

	private usable(limit: number, now: number, urgent: boolean): number {
		const isAttended = now - this.lastPersonAt < ATTENDED_MS;
		const hasReserve = isAttended && limit >= SMALLEST_LIMIT_WITH_RESERVE;
		return urgent || !hasReserve ? limit : limit - RESERVED_FOR_PEOPLE;
	}

	/** When an answer has come, or is overdue; now, if none is to come. */
	private answerDueAt(now: number): number {
		const [oldest] = this.inFlight;
		return oldest ? oldest.sentAt + OVERDUE_MS : now;
	}

	private forgetOld(now: number): void {
		for (const request of this.inFlight) {
			if (request.sentAt + OVERDUE_MS <= now) this.settle(request, now);
		}
		while ((this.answers[0] ?? now) + MINUTE_MS <= now) this.answers.shift();
		for (const [pace, usedAt] of this.paces) {
			if (usedAt + PACE_MS <= now) this.paces.delete(pace);
		}
	}

	/** Counts a request as answered at the latest when it is overdue. */
	private settle(request: SentRequest, now: number): void {
		if (this.inFlight.delete(request)) this.answers.push(now);
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return this.told && now < this.told.resetAt ? this.told : undefined;
	}
}
