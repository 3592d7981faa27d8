/** `RateWindow` decides when to send. A window of *Requests per Minute*, or one without a stated end, lasts a minute. */
const MINUTE_MS = 60_000;

/** A request without a response for this long holds back no other. */
const OVERDUE_MS = 10_000;

/** Services state times in whole seconds. */
const RESOLUTION_MS = 1000;

/** Requests of each window that are reserved for people, for 10 minutes after a dropdown or a credential test. */
const RESERVED_FOR_PEOPLE = 2;
const ATTENDED_MS = 600_000;
const SMALLEST_LIMIT_WITH_RESERVE = 10;

/** The most requests to leave to other processes: for each one of this process, and in the first second of a window. */
const MAX_ROOM = 4;

interface RateReport {
	limit: number;
	remaining: number;
	/** From the response to the end of the window. */
	resetInMs: number | undefined;
}

export interface RateInfo {
	report: RateReport | undefined;
	isRefusal: boolean;
	waitMs: number | undefined;
}

export interface PacedRequest {
	requestsPerMinute: number;
	urgent: boolean;
}

type SentRequest = Pick<ServiceWindow, 'sentAt'>;

interface ServiceWindow {
	limit: number;
	openedAt: number;
	resetAt: number;
	/** Of the last response's request. */
	sentAt: number;
	/** Requests that the service has counted, and those of this process among them. */
	used: number;
	own: number;
	/** How many requests to leave to others for each one of this process. */
	room: number;
}

/** Decides when a request may be sent, from what responses say; see docs/decisions/4-sharing-a-rate-limit.md. */
export class RateWindow {
	private readonly inFlight = new Set<SentRequest>();
	private readonly finishedAt: number[] = [];
	/** The last window, even if it is over. If the service states no limit, the window is unlimited and never ends. */
	private last: ServiceWindow | undefined;
	private closedUntil = -Infinity;
	private refusalsInARow = 0;
	private lastPersonAt = -Infinity;

	allowedAt(now: number, { requestsPerMinute, urgent }: PacedRequest): number {
		if (urgent) this.lastPersonAt = now;
		this.forgetOld(now);
		if (requestsPerMinute === 0) return this.closedUntil;
		return Math.max(
			this.closedUntil,
			this.serviceAllowsAt(now, urgent),
			this.paceAllowsAt(now, requestsPerMinute, urgent),
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
		const { report, isRefusal, waitMs } = info;
		if (report) this.learn(report, request, now);
		if (isRefusal) this.pauseAfterRefusal(waitMs, now);
		else this.refusalsInARow = 0;
		if (!report && !isRefusal && !this.openWindow(now)) {
			const unlimited = { limit: Infinity, resetAt: Infinity, used: 0, own: 1, room: 0 };
			this.last = { ...unlimited, openedAt: now, sentAt: request.sentAt };
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
		const used = isSame ? Math.max(open.used, reported) : reported;
		const own = open?.own ?? 1;
		const before = open ? open.room : this.last ? roomFor(this.last.used, this.last.own) : 0;
		this.last = {
			...{ limit, sentAt, used, own, openedAt: open?.openedAt ?? now },
			// The service cuts its times to the second, so the earliest end of one window is the most exact.
			resetAt: isSame ? Math.min(open.resetAt, resetAt) : resetAt,
			// The service may have counted requests that are in flight.
			room: Math.max(before, roomFor(used - this.inFlight.size, own)),
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

	private serviceAllowsAt(now: number, urgent: boolean): number {
		const window = this.openWindow(now);
		if (!window) return this.overdueAt(now);
		const { limit, openedAt, resetAt, used, room } = window;
		const inFlight = this.inFlight.size;
		const needed = (inFlight + 1) * (urgent ? 1 : 1 + room);
		const left = this.usable(limit, now, urgent) - used - needed;
		if (left < 0) return inFlight > 0 ? Math.min(resetAt, this.overdueAt(now)) : resetAt;
		if (urgent || left >= MAX_ROOM || limit < SMALLEST_LIMIT_WITH_RESERVE) return now;
		// Other processes may find the window open that much later.
		return Math.max(now, Math.min(resetAt, openedAt + RESOLUTION_MS));
	}

	private paceAllowsAt(now: number, pace: number, urgent: boolean): number {
		if (this.last && this.last.limit <= pace) return now;
		const left = this.usable(pace, now, urgent) - this.inFlight.size;
		if (this.finishedAt.length < left) return now;
		const last = left > 0 ? this.finishedAt.at(-left) : undefined;
		return last === undefined ? this.overdueAt(now) : last + MINUTE_MS;
	}

	private usable(limit: number, now: number, urgent: boolean): number {
		const isAttended = now - this.lastPersonAt < ATTENDED_MS;
		const isReserved = isAttended && !urgent && limit >= SMALLEST_LIMIT_WITH_RESERVE;
		return isReserved ? limit - RESERVED_FOR_PEOPLE : limit;
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
		this.last = { ...window, own: window.own + 1, used: window.used + (hasReport ? 0 : 1) };
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return this.last && now < this.last.resetAt ? this.last : undefined;
	}
}

/** Three times as many requests as others sent for each of ours, because some of theirs are in flight. */
const roomFor = (used: number, own: number): number =>
	Math.min(MAX_ROOM, (3 * Math.max(0, used - own)) / own);
