/** What "requests per minute" is about, and the window that the link service documents, in milliseconds. */
const MINUTE_MS = 60_000;

/** An end of a window or of a wait further away than this is a misread one, for instance a time in an unknown zone. */
const LONGEST_WAIT_MS = 3_600_000;

/** So is one that is further in the past: an answer takes some seconds at most. */
const LONGEST_TRANSIT_MS = 5000;

/** Added to each end, because timers and clocks are not exact to the millisecond. */
const MARGIN_MS = 10;

/** The wait after a refusal is at least this, and doubles with each further one: a service may ask to wait 0 seconds. */
const SHORTEST_REFUSAL_WAIT_MS = 200;

/** Services tell times in whole seconds: two ends of a window that differ by less are one. */
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

/** What this machine's two clocks show. */
export interface Moment {
	/** Milliseconds on a clock that only goes forward. */
	now: number;
	/** Epoch milliseconds by the wall clock, which may be wrong, and may be set at any time. */
	epoch: number;
}

/** A moment as a service tells it: milliseconds after its answer, or epoch milliseconds by its own clock. */
export type RemoteMoment = { inMs: number } | { at: number };

/** What an answer says of the service's limit. */
export interface RateAnswer {
	/** The service's clock when it answered, cut to the second; epoch milliseconds. */
	remoteTime: number | undefined;
	/** How many requests a window takes, how many are left of it, and when it ends. */
	report: { limit: number; remaining: number; reset: RemoteMoment | undefined } | undefined;
	/** Given if the service refused the request because of its limit; `wait` if it said until when. */
	refusal?: { wait: RemoteMoment | undefined } | undefined;
}

/** A request that wants to be sent. */
export interface Candidate {
	/** What its credential allows; 0 = as much as the service does. */
	requestsPerMinute: number;
	/** Whether a person waits for it. */
	urgent: boolean;
}

/** A request that was sent: when, on the clock that only goes forward. */
export interface SentRequest {
	readonly sentAt: number;
}

interface ServiceWindow extends SentRequest {
	limit: number;
	resetAt: number;
}

/**
 * What is known of a service's rate limit, learned from its answers, and what that allows. Pure: the time is an
 * argument, on a clock that only goes forward, so that setting this machine's clock opens and closes nothing.
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
	/** What the service told last. A window that is over still tells its limit. */
	private told: ServiceWindow | 'nothing' | undefined;
	/** Requests of the current window: what the service counted, and what is under way. */
	private used = 0;
	private closedUntil = Number.NEGATIVE_INFINITY;
	/** Refusals in a row. */
	private refusals = 0;
	private lastPersonAt = Number.NEGATIVE_INFINITY;
	private readonly remoteClock = new RemoteClock();

	/**
	 * From when on a request may be sent, as far as is known now; each answer can change it. `urgent` ones, which a person
	 * waits for, may use the reserve, and set it up: a run that nobody watches has the whole limit, and the first person
	 * to come waits for the next window at most.
	 */
	opensAt(now: number, { requestsPerMinute, urgent }: Candidate): number {
		if (urgent) this.lastPersonAt = now;
		this.forgetOld(now);
		const pace = Math.min(
			requestsPerMinute === 0 ? Infinity : requestsPerMinute,
			...this.paces.keys(),
		);
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
	answered(request: SentRequest, moment: Moment, answer: RateAnswer | undefined): void {
		this.settle(request, moment.now);
		if (answer === undefined) return;
		this.remoteClock.observe(answer.remoteTime, request.sentAt, moment.now);
		if (answer.report) this.learn(answer.report, request, moment);
		if (answer.refusal) {
			this.close(answer.refusal.wait, moment);
			return;
		}
		this.refusals = 0;
		if (!answer.report && !this.openWindow(moment.now)) this.told = 'nothing';
	}

	private learn(
		{ limit, remaining, reset }: NonNullable<RateAnswer['report']>,
		{ sentAt }: SentRequest,
		moment: Moment,
	): void {
		const resetAt = (this.local(reset, moment) ?? moment.now + MINUTE_MS) + MARGIN_MS;
		const known = this.openWindow(moment.now);
		const isSame = known !== undefined && Math.abs(known.resetAt - resetAt) < RESOLUTION_MS;
		// Answers overtake each other: the later request knows the newer window; within one the higher count is the newer.
		if (known !== undefined && !isSame && sentAt < known.sentAt) return;
		const counted = limit - Math.min(limit, Math.max(0, remaining));
		this.used = Math.max(counted + this.inFlight.size, isSame ? this.used : 0);
		this.told = { limit, resetAt, sentAt };
	}

	private close(wait: RemoteMoment | undefined, moment: Moment): void {
		const { now } = moment;
		const known = typeof this.told === 'object' ? this.told : undefined;
		// A window that has just ended was still open when the service refused: its answer was under way.
		const end = known && known.resetAt > now - RESOLUTION_MS ? known.resetAt : undefined;
		const until = earlierIfSame(this.local(wait, moment), end) ?? now + MINUTE_MS;
		if (now >= this.closedUntil) this.refusals += 1;
		const shortest = Math.min(MINUTE_MS, SHORTEST_REFUSAL_WAIT_MS * 2 ** (this.refusals - 1));
		this.closedUntil = Math.max(this.closedUntil, until, now + shortest);
		this.told = known && { ...known, resetAt: now };
	}

	private serviceAllowsAt(now: number, urgent: boolean): number {
		if (this.told === 'nothing') return now;
		const window = this.openWindow(now);
		if (window === undefined) return this.answerDueAt(now);
		return this.used < this.usable(window.limit, now, urgent) ? now : window.resetAt;
	}

	private paceAllowsAt(now: number, pace: number, urgent: boolean): number {
		if (typeof this.told === 'object' && this.told.limit <= pace) return now;
		const left = this.usable(pace, now, urgent) - this.inFlight.size;
		if (this.answers.length < left) return now;
		const last = left > 0 ? this.answers.at(-left) : undefined;
		return last === undefined ? this.answerDueAt(now) : last + MINUTE_MS + MARGIN_MS;
	}

	private usable(limit: number, now: number, urgent: boolean): number {
		const isAttended = now - this.lastPersonAt < ATTENDED_MS;
		const hasReserve = isAttended && limit >= SMALLEST_LIMIT_WITH_RESERVE;
		return urgent || !hasReserve ? limit : limit - RESERVED_FOR_PEOPLE;
	}

	/** When an answer has come, or is overdue; now, if none is to come. */
	private answerDueAt(now: number): number {
		const [oldest] = this.inFlight;
		return oldest === undefined ? now : oldest.sentAt + OVERDUE_MS;
	}

	private forgetOld(now: number): void {
		for (const request of this.inFlight) {
			if (request.sentAt + OVERDUE_MS <= now) this.settle(request, now);
		}
		while ((this.answers[0] ?? now) + MINUTE_MS + MARGIN_MS <= now) this.answers.shift();
		for (const [pace, usedAt] of this.paces) {
			if (usedAt + PACE_MS <= now) this.paces.delete(pace);
		}
	}

	/** Counts a request as answered at the latest when it is overdue. */
	private settle(request: SentRequest, now: number): void {
		if (this.inFlight.delete(request)) this.answers.push(now);
	}

	private openWindow(now: number): ServiceWindow | undefined {
		return typeof this.told === 'object' && now < this.told.resetAt ? this.told : undefined;
	}

	/** A moment that the service told, on this machine's clock; undefined if there is none, or none to be believed. */
	private local(told: RemoteMoment | undefined, { now, epoch }: Moment): number | undefined {
		if (told === undefined) return undefined;
		const at = 'at' in told ? this.remoteClock.toLocal(told.at, epoch - now) : now + told.inMs;
		return at >= now - LONGEST_TRANSIT_MS && at <= now + LONGEST_WAIT_MS ? at : undefined;
	}
}

/** A service asks to wait whole seconds; where its window is known to end within the last of them, that counts. */
function earlierIfSame(asked: number | undefined, end: number | undefined): number | undefined {
	if (asked === undefined || end === undefined) return asked ?? end;
	return end < asked && asked - end < RESOLUTION_MS ? end : asked;
}

/**
 * How far the service's clock is from this machine's that only goes forward, learned from the times in its answers.
 * They have whole seconds, so each gives bounds, and several narrow them.
 */
class RemoteClock {
	/** Milliseconds to add to a local time to get the service's: at least, and at most. */
	private least = Number.NEGATIVE_INFINITY;
	private most = Number.POSITIVE_INFINITY;

	observe(remoteTime: number | undefined, sentAt: number, receivedAt: number): void {
		if (remoteTime === undefined) return;
		const least = remoteTime - receivedAt;
		const most = remoteTime + RESOLUTION_MS - sentAt;
		const isConsistent = least <= this.most && most >= this.least;
		this.least = isConsistent ? Math.max(this.least, least) : least;
		this.most = isConsistent ? Math.min(this.most, most) : most;
	}

	/**
	 * When the service's clock shows at least `remoteTime`.
	 * @param wall what the wall clock is ahead; it is exact, so it counts unless the service's is known to differ
	 */
	toLocal(remoteTime: number, wall: number): number {
		const isSame = this.least <= wall && this.most >= wall;
		return remoteTime - (isSame ? wall : this.least);
	}
}
