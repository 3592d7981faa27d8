// Decides when the next request may be sent, from the service's rate limit headers and Requests per Minute. Reserves some
// requests for people, and leaves some to other programs. See docs/decisions/4-sharing-a-rate-limit.md.

/** How long a window lasts if the service does not say so, and that of *Requests per Minute*. */
const MINUTE_MS = 60_000;

/** A request without a response for this long holds back no other. */
const OVERDUE_MS = 10_000;

/** Services state times in whole seconds. */
const RESOLUTION_MS = 1000;

/** A tenth of each window, but at most this many requests, is kept for people and short runs until the window's last tenth. */
const MAX_KEPT = 3;
const keptOf = (limit: number): number => Math.min(MAX_KEPT, Math.floor(limit / 10));
const LAST_TENTH_AT = 0.9;

/** The most requests to leave to other processes: for each one of this process, and in the first second of a window. */
const MAX_LEFT_TO_OTHERS = 4;
const SMALLEST_LIMIT_TO_SHARE = 10;

interface RateReport {
	limit: number;
	remaining: number;
	/** From the response to the end of the window. */
	resetInMs: number | undefined;
}

export interface RateInfo {
	report: RateReport | undefined;
	isRefused: boolean;
	waitMs: number | undefined;
}

export interface PacedRequest {
	requestsPerMinute: number;
	/** Whether a person waits for it. */
	urgent: boolean;
	/** How many requests its run still wants to send, this one included. */
	wanted: number;
}

type SentRequest = Pick<ServiceWindow, 'sentAt'>;

/** A window of the service, as the last response shows it. */
interface ServiceWindow {
	limit: number;
	/** When this process first saw it. */
	openedAt: number;
	resetAt: number;
	/** When the request of the last response was sent. */
	sentAt: number;
	/** How many requests the service has counted, whoever sent them. */
	counted: number;
	/** How many of them this process has sent. */
	ours: number;
	/** How many requests to leave to other processes for each one that this process sends. */
	leftToOthers: number;
}

/** The window of one service and key: what is left of it, and for whom. */
export class RateWindow {
	private readonly inFlight = new Set<SentRequest>();
	private readonly finishedAt: number[] = [];
	/** The last window, even if it is over. If the service states no limit, the window is unlimited and never ends. */
	private last: ServiceWindow | undefined;
	private closedUntil = -Infinity;
	private refusalsInARow = 0;

	/** The earliest time at which the request may be sent, in ms, as far as is known now. */
	allowedAt(now: number, request: PacedRequest): number {
		this.forgetOld(now);
		if (request.requestsPerMinute === 0) return this.closedUntil;
		return Math.max(
			this.closedUntil,
			this.serviceAllowsAt(now, request),
			this.paceAllowsAt(now, request),
		);
	}

	/** Counts a request. @returns a function for its response, undefined if none came */
	start(now: number): (now: number, info: RateInfo | undefined) => void {
		const request = { sentAt: now };
		this.inFlight.add(request);
		return (finishedAt, info) => this.finish(request, finishedAt, info);
	}

	private finish(request: SentRequest, now: number, info: RateInfo | undefined): void {
		this.countFinished(request, now, info?.report !== undefined);
		if (!info) return;
		const { report, isRefused, waitMs } = info;
		if (report) this.learn(report, request, now);
		if (isRefused) this.pauseAfterRefusal(waitMs, now);
		else this.refusalsInARow = 0;
		if (!report && !isRefused && !this.openWindow(now)) {
			this.last = {
				limit: Infinity,
				openedAt: now,
				resetAt: Infinity,
				sentAt: request.sentAt,
				counted: 0,
				ours: 1,
				leftToOthers: 0,
			};
		}
	}

	private learn(report: RateReport, { sentAt }: SentRequest, now: number): void {
		const { limit, remaining, resetInMs = MINUTE_MS } = report;
		const resetAt = now + resetInMs;
		const open = this.openWindow(now);
		const inexactMs = RESOLUTION_MS + now - sentAt;
		const isSame = open?.limit === limit && Math.abs(open.resetAt - resetAt) < inexactMs;
		// Responses overtake each other. The later request knows the newer window; in one window the higher count is newer.
		if (open && !isSame && sentAt < open.sentAt) return;
		const reported = limit - Math.min(limit, remaining);
		const counted = isSame ? Math.max(open.counted, reported) : reported;
		const ours = open?.ours ?? 1;
		const before = open ? open.leftToOthers : shareOfOthers(this.last?.counted, this.last?.ours);
		this.last = {
			limit,
			openedAt: open?.openedAt ?? now,
			// The service cuts its times to the second, so the earliest end of one window is the most exact.
			resetAt: isSame ? Math.min(open.resetAt, resetAt) : resetAt,
			sentAt,
			counted,
			ours,
			// The service may have counted requests that are in flight.
			leftToOthers: Math.max(before, shareOfOthers(counted - this.inFlight.size, ours)),
		};
	}

	private pauseAfterRefusal(waitMs: number | undefined, now: number): void {
		const end = this.openWindow(now)?.resetAt ?? Infinity;
		const wait = waitMs ?? (end < Infinity ? end - now : MINUTE_MS);
		if (now >= this.closedUntil) this.refusalsInARow += 1;
		// Some services say to wait 0 seconds, again and again.
		const atLeast = Math.min(MINUTE_MS, this.refusalsInARow * RESOLUTION_MS);
		this.closedUntil = Math.max(this.closedUntil, now + Math.max(atLeast, wait));
		if (this.last) this.last = { ...this.last, resetAt: now };
	}

	private serviceAllowsAt(now: number, { urgent, wanted }: PacedRequest): number {
		const window = this.openWindow(now);
		if (!window) return this.overdueAt(now);
		const { limit, openedAt, resetAt, counted, leftToOthers } = window;
		const inFlight = this.inFlight.size;
		const left = limit - counted - inFlight;
		// While ours are on the way, others send as many as they did for each of ours before.
		const toOthers = urgent ? 0 : (inFlight + 1) * leftToOthers;
		if (left < 1 + toOthers) return inFlight > 0 ? Math.min(resetAt, this.overdueAt(now)) : resetAt;
		const isKept = wanted > left && left <= keptOf(limit);
		const keptUntil = Math.ceil(openedAt + (resetAt - openedAt) * LAST_TENTH_AT);
		if (isKept && now < keptUntil) return keptUntil;
		const isPlenty = left - toOthers >= 1 + MAX_LEFT_TO_OTHERS;
		if (urgent || isPlenty || limit < SMALLEST_LIMIT_TO_SHARE) return now;
		// Other processes may find the window open that much later.
		return Math.max(now, Math.min(resetAt, openedAt + RESOLUTION_MS));
	}

	/** Of the sliding minute, the last tenth begins 54 seconds after its oldest request. */
	private paceAllowsAt(now: number, { requestsPerMinute: pace, wanted }: PacedRequest): number {
		if (this.last && this.last.limit <= pace) return now;
		const free = this.hasRoomAt(now, pace);
		const left = pace - this.finishedAt.length - this.inFlight.size;
		if (wanted <= left) return free;
		const [oldest = now] = this.finishedAt;
		const keptUntil = oldest + MINUTE_MS * LAST_TENTH_AT;
		return Math.max(free, Math.min(keptUntil, this.hasRoomAt(now, pace - keptOf(pace))));
	}

	/** When fewer requests than that were sent within a minute. */
	private hasRoomAt(now: number, most: number): number {
		const left = most - this.inFlight.size;
		if (this.finishedAt.length < left) return now;
		const last = left > 0 ? this.finishedAt.at(-left) : undefined;
		return last === undefined ? this.overdueAt(now) : last + MINUTE_MS;
	}

	private overdueAt(now: number): number {
		const [oldest] = this.inFlight;
		return oldest ? oldest.sentAt + OVERDUE_MS : now;
	}

	private forgetOld(now: number): void {
		for (const request of this.inFlight) {
			if (request.sentAt + OVERDUE_MS <= now) this.countFinished(request, now, false);
		}
		while ((this.finishedAt[0] ?? now) + MINUTE_MS <= now) this.finishedAt.shift();
	}

	private countFinished(request: SentRequest, now: number, hasReport: boolean): void {
		if (!this.inFlight.delete(request)) return;
		this.finishedAt.push(now);
		const window = this.openWindow(now);
		if (!window) return;
		// Without a report, the service may have counted it.
		const counted = window.counted + (hasReport ? 0 : 1);
		this.last = { ...window, ours: window.ours + 1, counted };
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return this.last && now < this.last.resetAt ? this.last : undefined;
	}
}

/** Three times as many requests as others sent for each of ours, because some of theirs are in flight. */
const shareOfOthers = (counted = 0, ours = 1): number =>
	Math.min(MAX_LEFT_TO_OTHERS, (3 * Math.max(0, counted - ours)) / ours);
