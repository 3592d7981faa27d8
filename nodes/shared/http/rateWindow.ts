/** The minute of *Requests per Minute*, and the window that the service's document states, in milliseconds. */
const MINUTE_MS = 60_000;

/** The shortest wait after a refusal; it doubles with each further one. Some services say to wait 0 seconds. */
const SHORTEST_REFUSAL_WAIT_MS = 200;

/** Services state times in whole seconds. */
const RESOLUTION_MS = 1000;

/** A request that has had no response for this long no longer holds back others. */
const OVERDUE_MS = 10_000;

/** Requests of each window that are reserved for dropdowns and credential tests while a person is working in n8n. */
const RESERVED_FOR_PEOPLE = 2;

/** A person counts as working for 10 minutes after a dropdown or a credential test; in milliseconds. */
const ATTENDED_MS = 600_000;

/** A smaller limit has no reserve: too little would be left of it. */
const SMALLEST_LIMIT_WITH_RESERVE = 10;

/** Requests that others may send for each of this process, at most, so that every process gets a share. */
const MOST_OTHERS = 4;

/** Requests in flight for each response of the window, at most: the first ones say how many others send. */
const RAMP = 2;

/** The service's limit, as a response states it. */
export interface RateReport {
	/** How many requests a window takes. */
	limit: number;
	/** How many of them are left. */
	remaining: number;
	/** Milliseconds from the response to the end of the window; undefined if unknown. */
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
	/** What its credential allows; 0 = only a refusal holds it back. */
	requestsPerMinute: number;
	/** Whether a person waits for it. */
	urgent: boolean;
}

/** A request that was sent. */
export interface SentRequest {
	readonly sentAt: number;
}

/** A window of the service's limit, from its responses. */
interface ServiceWindow {
	limit: number;
	/** When the first response of the window came. */
	openedAt: number;
	resetAt: number;
	/** When the request was sent whose response was read last. */
	sentAt: number;
	/** Requests that the service has counted. */
	used: number;
	/** Requests of this process among them. */
	own: number;
	/** Requests of others for each of this process, in the last window or in this one: the greater counts. */
	othersPerOwn: number;
}

/**
 * Decides when a request may be sent, from what the service's responses say about its rate limit. Pure: `now` is an argument,
 * in milliseconds of a clock that only goes forward, because the wall clock may be set.
 *
 * - A credential with 0 requests per minute waits only after a refusal.
 * - If the service states its limit, its count decides, which includes other programs. While nothing is known of the current
 *   window, one request goes alone, and its response says how many are left. Each request then leaves room for those of
 *   other programs that the service has not counted yet.
 * - If it states none, or a higher one than the credential, at most the credential's requests per minute are sent in any
 *   60 seconds.
 * - After a refusal nothing is sent until the stated wait is over; if none is stated, until the window ends.
 */
export class RateWindow {
	/** Requests without a response so far, the oldest first. */
	private readonly running = new Set<SentRequest>();
	/** When the responses of the last minute came, the oldest first. */
	private readonly finished: number[] = [];
	/** The last window, also when it is over. If the service states no limit, neither the limit nor the window ends. */
	private last: ServiceWindow | undefined;
	private closedUntil = -Infinity;
	/** Refusals in a row. */
	private refusals = 0;
	private lastPersonAt = -Infinity;

	/** The earliest time at which a request may be sent; each response can change it. Urgent requests start the reserve. */
	readyAt(now: number, { requestsPerMinute, urgent }: Candidate): number {
		if (urgent) this.lastPersonAt = now;
		this.forgetOld(now);
		if (requestsPerMinute === 0) return this.closedUntil;
		return Math.max(
			this.closedUntil,
			this.serviceReadyAt(now, urgent),
			this.paceReadyAt(now, requestsPerMinute, urgent),
		);
	}

	/** Counts a request that is being sent. */
	start(now: number): SentRequest {
		const request = { sentAt: now };
		this.running.add(request);
		return request;
	}

	/** Takes in the response to a request; undefined if none came. */
	finish(request: SentRequest, now: number, info: RateInfo | undefined): void {
		this.settle(request, now, info?.report);
		if (!info) return;
		const { report, isRefusal, waitMs } = info;
		if (report) this.learn(report, request, now);
		if (isRefusal) this.close(waitMs, now);
		else this.refusals = 0;
		if (!report && !isRefusal && !this.openWindow(now)) {
			const unlimited = { limit: Infinity, resetAt: Infinity, used: 0, own: 1, othersPerOwn: 0 };
			this.last = { ...unlimited, openedAt: now, sentAt: request.sentAt };
		}
	}

	private learn(report: RateReport, { sentAt }: SentRequest, now: number): void {
		const { limit, remaining } = report;
		const resetAt = now + (report.resetInMs ?? MINUTE_MS);
		const open = this.openWindow(now);
		const inexactMs = RESOLUTION_MS + now - sentAt;
		const isSame = open?.limit === limit && Math.abs(open.resetAt - resetAt) < inexactMs;
		// Responses overtake each other. The later request knows the newer window; in one window the higher count is newer.
		if (open && !isSame && sentAt < open.sentAt) return;
		const reported = limit - Math.min(limit, remaining);
		const used = isSame ? Math.max(open.used, reported) : reported;
		const own = open?.own ?? 1;
		const before = open ? open.othersPerOwn : othersPerOwn(this.last, 0);
		const window = { limit, sentAt, used, own, openedAt: open?.openedAt ?? now };
		this.last = {
			...window,
			// The service cuts its times to the second, so the earliest end of one window is the most exact.
			resetAt: isSame ? Math.min(open.resetAt, resetAt) : resetAt,
			othersPerOwn: Math.max(before, othersPerOwn(window, this.running.size)),
		};
	}

	private close(waitMs: number | undefined, now: number): void {
		const end = this.last?.resetAt ?? Infinity;
		// A window that has just ended was still open when the service refused: the response took its time.
		const isCurrent = end > now - RESOLUTION_MS && end < Infinity;
		const wait = waitMs ?? (isCurrent ? end - now : MINUTE_MS);
		if (now >= this.closedUntil) this.refusals += 1;
		const shortest = Math.min(MINUTE_MS, SHORTEST_REFUSAL_WAIT_MS * 2 ** (this.refusals - 1));
		this.closedUntil = Math.max(this.closedUntil, now + Math.max(shortest, wait));
		if (this.last) this.last = { ...this.last, resetAt: now };
	}

	private serviceReadyAt(now: number, urgent: boolean): number {
		const window = this.openWindow(now);
		if (!window) return this.responseDueAt(now);
		const { limit, openedAt, resetAt, used, own } = window;
		const running = this.running.size;
		const needed = used + running + 1 + (urgent ? 0 : this.roomForOthers(window));
		// Times are in whole seconds, so other processes may find the window open that much later.
		const opensToAllAt = openedAt + RESOLUTION_MS;
		const usable = this.usable(limit, now, urgent, now < opensToAllAt);
		if (running < RAMP * own && needed <= usable) return now;
		// A response may make room.
		if (running > 0) return Math.min(resetAt, this.responseDueAt(now));
		return needed <= this.usable(limit, now, urgent) ? Math.min(resetAt, opensToAllAt) : resetAt;
	}

	/** Requests of others that may be in flight beside one more of this process. */
	private roomForOthers({ own, used, othersPerOwn: share }: ServiceWindow): number {
		const running = this.running.size;
		if (running === 0) return share;
		const seen = Math.max(0, used - own - running);
		return share * (running + 1) + Math.max(0, share * own - seen);
	}

	private paceReadyAt(now: number, pace: number, urgent: boolean): number {
		if (this.last && this.last.limit <= pace) return now;
		const left = this.usable(pace, now, urgent) - this.running.size;
		if (this.finished.length < left) return now;
		const last = left > 0 ? this.finished.at(-left) : undefined;
		return last === undefined ? this.responseDueAt(now) : last + MINUTE_MS;
	}

	/** The limit without what is reserved for people, and in a new window for other processes. */
	private usable(limit: number, now: number, urgent: boolean, isOpening = false): number {
		if (urgent || limit < SMALLEST_LIMIT_WITH_RESERVE) return limit;
		const isAttended = now - this.lastPersonAt < ATTENDED_MS;
		return limit - Math.max(isAttended ? RESERVED_FOR_PEOPLE : 0, isOpening ? MOST_OTHERS : 0);
	}

	/** When the oldest request without a response is overdue; now, if there is none. */
	private responseDueAt(now: number): number {
		const [oldest] = this.running;
		return oldest ? oldest.sentAt + OVERDUE_MS : now;
	}

	private forgetOld(now: number): void {
		for (const request of this.running) {
			if (request.sentAt + OVERDUE_MS <= now) this.settle(request, now);
		}
		while ((this.finished[0] ?? now) + MINUTE_MS <= now) this.finished.shift();
	}

	/** Counts a request as answered: its response came, or is overdue. */
	private settle(request: SentRequest, now: number, report?: RateReport): void {
		if (!this.running.delete(request)) return;
		this.finished.push(now);
		const window = this.openWindow(now);
		if (!window) return;
		// The service may have counted a request of whose response nothing is known.
		this.last = { ...window, own: window.own + 1, used: window.used + (report ? 0 : 1) };
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return this.last && now < this.last.resetAt ? this.last : undefined;
	}
}

/** @param inFlight requests of this process that the service may have counted, too */
function othersPerOwn(
	window: Pick<ServiceWindow, 'used' | 'own'> | undefined,
	inFlight: number,
): number {
	const { used, own } = window ?? { used: 1, own: 1 };
	return Math.min(MOST_OTHERS, Math.max(0, used - own - inFlight) / own);
}
