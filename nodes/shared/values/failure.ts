// Failure, the error of this package: its kinds, and what each means for retries, runs and polls. Also `quoted`, for values in
// messages.

import { type IDataObject, jsonStringify } from 'n8n-workflow';

/** What follows from a kind of failure. What a row of `KINDS` leaves out is no. */
interface Consequences {
	/** Whether the request is sent again: any request, at once when the limit allows it or after a pause; or only a read. */
	retry?: 'afterWindow' | 'any' | 'reads';
	/** Whether the service does not work: for any request, or maybe only for this one. */
	isOutage?: 'any' | 'thisRequest';
	endsRun?: true;
	endsPoll?: true;
	/** Whether the service understood the request and refused it, for instance because the record does not exist. */
	isRefusal?: true;
	/** Whether a list may be read with a smaller `limit`, or without one. */
	retryWithSmallerLimit?: true;
	/** Whether the service may have carried out a write. */
	mayHaveBeenApplied?: true;
}

const KINDS = {
	input: {},
	unauthorized: { endsRun: true, endsPoll: true },
	/** A 403: the key, its account or plan, or only this request is refused. */
	forbidden: {},
	refused: { isRefusal: true, retryWithSmallerLimit: true },
	missing: { isRefusal: true },
	/** The service has none of what was asked for: see `ApiRequest.isNone`. */
	none: { isRefusal: true },
	/** A status 4xx in a form that is not the service's: of its web server, or of a proxy before it. */
	otherRefusal: {},
	/** The service carried out a write in another way than it was asked to, and would do so with the next one. */
	notAsAsked: { endsRun: true },
	/** An earlier request ended the run. */
	notSent: { endsRun: true },
	/** Too many requests; the service did nothing. */
	rateLimited: { retry: 'afterWindow', endsRun: true, endsPoll: true },
	/** The caller's time ended before the rate limit let the request through; it was not sent. */
	outOfTime: { endsPoll: true },
	/** The service failed: a status 5xx, except for those of `unavailable`. */
	serverError: { isOutage: 'thisRequest', retryWithSmallerLimit: true, mayHaveBeenApplied: true },
	/** The service, or a proxy before it, is down for the moment (408, 502, 503, 504). */
	unavailable: {
		retry: 'reads',
		isOutage: 'any',
		mayHaveBeenApplied: true,
	},
	noResponse: {
		retry: 'reads',
		isOutage: 'any',
		mayHaveBeenApplied: true,
	},
	/** There was no connection, at least for the moment, so nothing was sent. */
	unreachable: { retry: 'any', isOutage: 'any' },
	/** The address does not lead to the service: an unknown host, a wrong certificate, a redirect. */
	misrouted: { isOutage: 'any' },
	/** The response cannot be used: incomplete, or not from this service. */
	unreadable: { isOutage: 'thisRequest', mayHaveBeenApplied: true },
	/** The execution was cancelled, maybe while a response was awaited. */
	cancelled: { mayHaveBeenApplied: true },
	unexpected: { mayHaveBeenApplied: true },
} as const satisfies Record<string, Consequences>;

/** Kinds of `Failure`, the one error of this package; `nodeError` makes n8n's error of it. */
export type FailureKind = keyof typeof KINDS;

interface FailureDetails {
	kind: FailureKind;
	/** What happened, in the service's own words if it has any. One sentence without a full stop. */
	message: string;
	advice?: string;
	httpCode?: number;
	/** Whether the message is the service's own. */
	isQuoted?: boolean;
	/** Whether the service may have carried out a write, although no response says so. */
	outcomeUnknown?: boolean;
	/** Whether the request took about a minute, with all its attempts. */
	isTriedOut?: boolean;
	/** Whether *Retry On Fail* may send it again. Default: unless it may have been carried out. */
	mayRetry?: boolean;
	/** What was written before it failed, for the columns of the row. */
	written?: IDataObject;
	cause?: unknown;
}

const LONGEST_MESSAGE = 1000;

/** The error that all code of this package throws. It never holds a request, which holds the key. */
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly advice: string;
	readonly httpCode: number | undefined;
	readonly isQuoted: boolean;
	readonly outcomeUnknown: boolean;
	readonly isTriedOut: boolean;
	readonly mayRetry: boolean;
	readonly written: IDataObject | undefined;

	constructor(private readonly details: FailureDetails) {
		super(shortened(details.message, LONGEST_MESSAGE), { cause: details.cause });
		this.kind = details.kind;
		this.advice = details.advice ?? '';
		this.httpCode = details.httpCode;
		this.isQuoted = details.isQuoted ?? false;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
		this.isTriedOut = details.isTriedOut ?? false;
		this.mayRetry = details.mayRetry ?? !this.outcomeUnknown;
		this.written = details.written;
	}

	get consequences(): Consequences {
		return KINDS[this.kind];
	}

	/** Whether the service may have refused this request alone. A 403 may mean the key or the request. */
	get mayBeRefusal(): boolean {
		return this.consequences.isRefusal ?? this.kind === 'forbidden';
	}

	get explanation(): string {
		return [this.message, this.advice].filter(Boolean).map(asSentence).join(' ');
	}

	with(changes: Partial<FailureDetails>): Failure {
		return new Failure({ ...this.details, ...changes });
	}

	/** The same without secrets. Redacted before it is cut, so that no part of a secret is left. */
	redacted(redact: (text: string) => string): Failure {
		return this.with({ message: redact(this.details.message) });
	}
}

export const inputFailure = (message: string, advice = ''): Failure =>
	new Failure({ kind: 'input', message, advice });

/** n8n's guide wants the names of fields in single quotes. A column has quotes already. */
export const fieldFailure = (label: string, what: string, advice = ''): Failure =>
	inputFailure(`${label.endsWith('"') ? label : `'${label}'`} ${what}`, advice);

/** One failure that says all that these say, of the kind of the first; undefined if there are none. */
export function together(failures: readonly Failure[]): Failure | undefined {
	const [first] = failures;
	const isAlike = failures.every(({ advice }) => advice === first?.advice);
	if (isAlike) return first?.with({ message: failures.map((each) => each.message).join('. ') });
	const message = failures.map((each) => each.explanation).join(' ');
	return first?.with({ message, advice: '' });
}

/** Runs all of these. @throws Failure that names all that failed */
export function runAll(reads: ReadonlyArray<() => void>): void {
	const failures = reads.flatMap((read) => {
		try {
			read();
			return [];
		} catch (error) {
			return [toFailure(error)];
		}
	});
	const failure = together(failures);
	if (failure) throw failure;
}

/** n8n recognizes a cancelled execution by the word "canceled". */
export const cancelledFailure = (): Failure =>
	new Failure({ kind: 'cancelled', message: 'The execution was canceled' });

/** The failure that was thrown, even if n8n has wrapped it; undefined for any other error. */
export function findFailure(thrown: unknown): Failure | undefined {
	if (thrown instanceof Failure) return thrown;
	return thrown instanceof Error ? findFailure(thrown.cause) : undefined;
}

export function toFailure(thrown: unknown): Failure {
	const message =
		thrown instanceof Error ? thrown.message : 'The node failed for an unknown reason';
	return findFailure(thrown) ?? new Failure({ kind: 'unexpected', message, cause: thrown });
}

export const isOutOfTime = (error: unknown): boolean => findFailure(error)?.kind === 'outOfTime';

export function quoted(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	const shown =
		typeof value === 'string' ? value : jsonStringify(value, { replaceCircularRefs: true });
	return `"${shortened(shown, 80).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, '⏎')}"`;
}

const shortened = (text: string, length: number): string =>
	text.length > length ? `${text.slice(0, length)}…` : text;

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
