/** The minute of *Requests per Minute*, and the window that the link service's document states, in milliseconds. */
const MINUTE_MS = 60_000;

/** The shortest wait after a refusal; it doubles with each further one. Some services say to wait 0 seconds. */
const SHORTEST_REFUSAL_WAIT_MS = 200;

/** Services state times in whole seconds, so two ends that differ by less belong to one window, if the limit is the same. */
const RESOLUTION_MS = 1000;

/** A request that has had no response for this long no longer holds back others. */
const OVERDUE_MS = 10_000;

/** Requests of each window that are kept for dropdowns and credential tests, while a person is working in n8n. */
const RESERVED_FOR_PEOPLE = 2;

/** A person counts as working for 10 minutes after a dropdown or a credential test; in milliseconds. */
const ATTENDED_MS = 600_000;

/** How long a credential's *Requests per Minute* counts after its last request, also for others with the same key. */
const PACE_MS = 2 * MINUTE_MS;

/** A smaller limit has no reserve: too little would be left of it. */
const SMALLEST_LIMIT_WITH_RESERVE = 10;

/** The service's limit, as a response states it. */
export interface RateReport {
	/** How many requests a window takes. */
	limit: number;
	/** How many of them are left. */
	remaining: number;
	/** When the window ends, in milliseconds from the response on; undefined if it does not say. */
	resetInMs: number | undefined;
}

/** What a response says about the rate limit. */
export interface RateInfo {
	report: RateReport | undefined;
	/** Whether the service refused the request because of its limit. */
	isRefusal: boolean;
	/** How long it says to wait, in milliseconds. */
	waitMs: number | undefined;
}

/** A request that wants to be sent. */
export interface Candidate {
	/** What its credential allows; 0 = it is held back only after a refusal. */
	requestsPerMinute: number;
	/** Whether a person waits for it. */
	urgent: boolean;
}

/** A request that was sent. */
export interface SentRequest {
	readonly sentAt: number;
}

/** A window as the last response described it. */
interface ServiceWindow {
	limit: number;
	resetAt: number;
	/** When the request of that response was sent. */
	sentAt: number;
}

/**
 * Decides when a request may be sent, by what the service's responses say about its rate limit. Pure: `now` is an argument,
 * in milliseconds of a clock that only goes forward, because this machine's clock may be set.
 *
 * - If no credential with this key has any requests per minute (0), only a refusal holds requests back.
 * - If the service states its limit, its own count decides, which includes other programs. While nothing is known of the
 *   current window, one request goes alone, and its response says how many may follow.
 * - If it states none, or a higher one than the credential, the credential's requests per minute limit what this process
 *   sends in any 60 seconds. Of several credentials with the same key, the strictest that was used lately counts.
 * - After a refusal nothing is sent until the stated wait is over; if none is stated, until the window ends.
 */
export class RateWindow {
	/** Requests without a response so far, the oldest first. */
	private readonly inFlight = new Set<SentRequest>();
	/** When the responses of the last minute came, the oldest first. */
	private readonly answers: number[] = [];
	/** When each *Requests per Minute* was last used. */
	private readonly paces = new Map<number, number>();
	/** The last known window, also when it is over. If the service states no limit, it has none, and no end. */
	private told: ServiceWindow | undefined;
	/** Requests of the current window: those that the service counted, and those in flight. */
	private used = 0;
	private closedUntil = -Infinity;
	/** Refusals in a row. */
	private refusals = 0;
	private lastPersonAt = -Infinity;

	/**
	 * From when on a request may be sent, as far as is known now; each response can change it. An urgent one may use the
	 * reserve. It also starts the reserve: until then a bulk run has the whole limit, so the first person to come may have to
	 * wait for the next window.
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

	/** Counts a request that is being sent. */
	sent(now: number, { requestsPerMinute }: Candidate): SentRequest {
		const request = { sentAt: now };
		this.inFlight.add(request);
		this.used = this.openWindow(now) ? this.used + 1 : 1;
		if (requestsPerMinute > 0) this.paces.set(requestsPerMinute, now);
		return request;
	}

	/** Takes in the response to a request; undefined if none came. */
	answered(request: SentRequest, now: number, answer: RateInfo | undefined): void {
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
		// Responses overtake each other. The later request knows the newer window; in one window the higher count is newer.
		if (known && !isSame && sentAt < known.sentAt) return;
		const counted = limit - Math.min(limit, remaining) + this.inFlight.size;
		this.used = isSame ? Math.max(this.used, counted) : counted;
		// The service cuts its times to the second, so the earliest end of one window is the most exact.
		this.told = { limit, resetAt: isSame ? Math.min(known.resetAt, resetAt) : resetAt, sentAt };
	}

	private close(waitMs: number | undefined, now: number): void {
		const end = this.told?.resetAt ?? Infinity;
		// A window that has just ended was still open when the service refused: the response took its time.
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

	/** When the oldest request without a response is overdue; now, if there is none. */
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

	/** Counts a request as answered: its response came, or is overdue. */
	private settle(request: SentRequest, now: number): void {
		if (this.inFlight.delete(request)) this.answers.push(now);
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return this.told && now < this.told.resetAt ? this.told : undefined;
	}
}
