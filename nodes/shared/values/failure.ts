/**
 * What can go wrong, as far as the nodes act on it differently:
 * - `input`: the user's value was refused here, nothing was sent
 * - `unauthorised`: the key was refused; every further request would be, too
 * - `refused`: the service answered, and its answer is no
 * - `rateLimited`: too many requests; the service did nothing
 * - `unavailable`: the service, or a proxy before it, is down for the moment (502, 503, 504)
 * - `unreachable`: no answer came
 * - `unreadable`: something answered, but not this service
 * - `cancelled`: the execution was stopped
 */
export type FailureKind =
	| 'input'
	| 'unauthorised'
	| 'refused'
	| 'rateLimited'
	| 'unavailable'
	| 'unreachable'
	| 'unreadable'
	| 'cancelled';

interface FailureDetails {
	kind: FailureKind;
	/** What happened, the service's own words first. One sentence without a full stop. */
	message: string;
	/** What the user can do about it. */
	advice?: string;
	/** Status of the answer, if one came. */
	httpCode?: number;
	/** Whether the service may have done what was asked although no proper answer came. */
	outcomeUnknown?: boolean;
	/** Milliseconds that the service asks to wait, if it said so. */
	waitMs?: number;
}

/** The one failure that travels inside this package; it never carries a request, because that holds the key. */
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly advice: string;
	readonly httpCode: number | undefined;
	readonly outcomeUnknown: boolean;
	readonly waitMs: number | undefined;

	constructor(details: FailureDetails) {
		super(details.message);
		this.name = 'Failure';
		this.kind = details.kind;
		this.advice = details.advice ?? '';
		this.httpCode = details.httpCode;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
		this.waitMs = details.waitMs;
	}

	/** All of it in one text: what happened, then what to do. */
	get explanation(): string {
		const message = /[.!?]$/.test(this.message) ? this.message : `${this.message}.`;
		return this.advice === '' ? message : `${message} ${this.advice}.`;
	}

	/** The same failure, said in other words. */
	with(words: { message?: string; advice?: string; outcomeUnknown?: boolean }): Failure {
		return new Failure({
			kind: this.kind,
			message: words.message ?? this.message,
			advice: words.advice ?? this.advice,
			outcomeUnknown: words.outcomeUnknown ?? this.outcomeUnknown,
			...(this.httpCode === undefined ? {} : { httpCode: this.httpCode }),
			...(this.waitMs === undefined ? {} : { waitMs: this.waitMs }),
		});
	}
}

/** A value that the user gave and that cannot be sent. */
export function inputFailure(message: string, advice?: string): Failure {
	return new Failure({ kind: 'input', message, ...(advice === undefined ? {} : { advice }) });
}

/** A failure that nobody foresaw; its words are those of whatever was thrown. */
export function unforeseenFailure(thrown: unknown): Failure {
	return new Failure({
		kind: 'input',
		message: thrown instanceof Error ? thrown.message : 'The step failed for an unknown reason',
	});
}

/** The failure inside whatever was thrown: n8n wraps what its own parts throw, this package's failures too. */
export function failureIn(thrown: unknown): Failure | undefined {
	if (thrown instanceof Failure) return thrown;
	return thrown instanceof Error ? failureIn(thrown.cause) : undefined;
}
