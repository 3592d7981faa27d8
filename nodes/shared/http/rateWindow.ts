import type { IDataObject } from 'n8n-workflow';

import { integerIn } from '../values/json';

/** The window that the link service documents: 30 requests a minute. */
const DOCUMENTED_WINDOW_MS = 60_000;

/** A reset further away than this is a misread one, for instance a local time in an unknown zone. */
const LONGEST_BELIEVABLE_WINDOW_MS = 3_600_000;

/** Added to the end of a window, because timers and clocks are not exact to the millisecond. */
const RESET_MARGIN_MS = 10;

/** The shortest wait after a refusal, so that a service which asks to wait 0 seconds is not asked in a tight loop. */
const SHORTEST_REFUSAL_WAIT_MS = 200;

/** A window that ended this recently was still open when the service refused: its answer was under way. */
const JUST_ENDED_MS = 1000;

/** Requests of each window that stay free for people, while somebody is about: dropdowns and credential tests. */
const RESERVED_FOR_PEOPLE = 2;

/** Somebody is about for this long after a dropdown or a credential test: 10 minutes, in milliseconds. */
const ATTENDED_MS = 600_000;

/** A limit below this is too small to keep anything of it free. */
const SMALLEST_LIMIT_WITH_RESERVE = 10;

/** Whether a request may be sent now; if not, when to ask again: at a moment, or when an answer has come. */
export type Admission = { now: true } | { at: number } | { afterAnswer: true };

interface RateHeaders {
	limit: number;
	remaining: number;
	/** Local time at which the window ends, in epoch milliseconds. */
	resetAt: number;
}

/**
 * What is known of the service's current rate limit window, learned from its answers. Pure: the time is an argument,
 * in epoch milliseconds of this machine.
 *
 * The first request of an unknown window goes alone; its answer tells how many may follow. A service that sends no
 * rate limit headers is paced by the credential's requests per minute.
 */
export class RateWindow {
	/** Requests per minute that the user allows; 0 = as many as the service does. */
	requestsPerMinute: number;

	private inFlight = 0;
	private known: RateHeaders | undefined;
	/** Requests of the current window: what the service counted, and what is under way. */
	private used = 0;
	private closedUntil = 0;
	private lastPersonAt = Number.NEGATIVE_INFINITY;
	private readonly clockSkew = new ClockSkew();

	constructor(requestsPerMinute: number) {
		this.requestsPerMinute = requestsPerMinute;
	}

	/**
	 * Whether a request may be sent. `urgent` ones, which a person waits for, may use the reserve, and set it up: a run
	 * that nobody watches has the whole limit, and the first to come waits for the next window at most.
	 */
	admit(now: number, urgent: boolean): Admission {
		if (urgent) this.lastPersonAt = now;
		if (now < this.closedUntil) return { at: this.closedUntil };
		if (this.requestsPerMinute === 0) return { now: true };
		if (this.known === undefined || now >= this.known.resetAt) {
			return this.inFlight === 0 ? { now: true } : { afterAnswer: true };
		}
		if (this.used < this.usable(this.known.limit, now, urgent)) return { now: true };
		return { at: this.known.resetAt };
	}

	/** Notes that a request is being sent. */
	sent(now: number): void {
		if (this.known !== undefined && now >= this.known.resetAt) this.known = undefined;
		if (this.known === undefined) this.used = 0;
		this.inFlight += 1;
		this.used += 1;
	}

	/** Notes the answer to a request; undefined if none came. */
	answered(now: number, sentAt: number, headers: IDataObject | undefined): void {
		this.inFlight -= 1;
		if (headers === undefined) return;
		this.clockSkew.observe(headers.date, sentAt, now);
		const read = this.readHeaders(headers, now);
		if (read) {
			this.used = Math.max(
				read.limit - read.remaining + this.inFlight,
				this.sameWindow(read) ? this.used : 0,
			);
			this.known = read;
		} else if (this.known === undefined && this.requestsPerMinute > 0) {
			this.known = {
				limit: this.requestsPerMinute,
				remaining: this.requestsPerMinute - 1,
				resetAt: now + DOCUMENTED_WINDOW_MS,
			};
		}
	}

	/**
	 * Notes that the service refused a request because of its limit, and closes the window.
	 * @param waitMs what the service asked to wait, in milliseconds; else the window's end counts
	 */
	exhausted(now: number, waitMs: number | undefined): void {
		const end = this.known?.resetAt;
		const resetAt = end !== undefined && end > now - JUST_ENDED_MS ? end : undefined;
		const until =
			waitMs === undefined
				? (resetAt ?? now + DOCUMENTED_WINDOW_MS)
				: exactEnd(now + waitMs, resetAt);
		this.closedUntil = Math.max(this.closedUntil, until, now + SHORTEST_REFUSAL_WAIT_MS);
		this.known = undefined;
	}

	private usable(limit: number, now: number, urgent: boolean): number {
		const allowed = Math.min(limit, this.requestsPerMinute);
		const isAttended = now - this.lastPersonAt < ATTENDED_MS;
		return urgent || !isAttended || allowed < SMALLEST_LIMIT_WITH_RESERVE
			? allowed
			: allowed - RESERVED_FOR_PEOPLE;
	}

	/** Answers overtake each other: within one window the higher count is the newer one. */
	private sameWindow(read: RateHeaders): boolean {
		return this.known !== undefined && Math.abs(this.known.resetAt - read.resetAt) < 1000;
	}

	private readHeaders(headers: IDataObject, now: number): RateHeaders | undefined {
		const limit = integerIn(headers['x-ratelimit-limit']);
		const remaining = integerIn(headers['x-ratelimit-remaining']);
		const resetAt = this.readReset(headers['x-ratelimit-reset'], now);
		if (limit === undefined || limit < 1 || remaining === undefined || resetAt === undefined)
			return undefined;
		return { limit, remaining: Math.max(0, remaining), resetAt };
	}

	/** The documents say `a timestamp`: epoch seconds or milliseconds, seconds from now, ISO 8601 or `YYYY-MM-DD HH:MM:SS`. */
	private readReset(value: unknown, now: number): number | undefined {
		const number = integerIn(value);
		const resetAt =
			number === undefined ? this.readResetText(value) : this.readResetNumber(number, now);
		if (resetAt === undefined) return undefined;
		const believable = resetAt - now <= LONGEST_BELIEVABLE_WINDOW_MS;
		return (believable ? resetAt : now + DOCUMENTED_WINDOW_MS) + RESET_MARGIN_MS;
	}

	private readResetNumber(number: number, now: number): number {
		if (number < 1e8) return now + number * 1000;
		return this.clockSkew.toLocal(number < 1e11 ? number * 1000 : number);
	}

	private readResetText(value: unknown): number | undefined {
		if (typeof value !== 'string') return undefined;
		const text = value.trim().replace(' ', 'T');
		const moment = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
		return Number.isNaN(moment) ? undefined : this.clockSkew.toLocal(moment);
	}
}

/** A service asks to wait whole seconds; where the window is known to end within the last of them, that counts. */
function exactEnd(asked: number, resetAt = asked): number {
	return resetAt < asked && asked - resetAt < 1000 ? resetAt : asked;
}

/**
 * How far the service's clock is from this machine's, learned from the Date header of its answers. That header has
 * whole seconds, so each answer gives bounds, and several answers narrow them.
 */
class ClockSkew {
	/** Milliseconds to add to a local time to get the service's: at least, and at most. */
	private least = Number.NEGATIVE_INFINITY;
	private most = Number.POSITIVE_INFINITY;

	observe(dateHeader: unknown, sentAt: number, receivedAt: number): void {
		const date = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
		if (Number.isNaN(date)) return;
		const least = date - receivedAt;
		const most = date + 1000 - sentAt;
		const consistent = least <= this.most && most >= this.least;
		this.least = consistent ? Math.max(this.least, least) : least;
		this.most = consistent ? Math.min(this.most, most) : most;
	}

	/** The local time at which the service's clock shows at least `serverTime`. */
	toLocal(serverTime: number): number {
		const sameClock = this.least <= 0 && this.most >= 0;
		return sameClock ? serverTime : serverTime - this.least;
	}
}
