/**
 * The kinds of failure that are handled differently:
 * - `input`: what the user entered cannot be used
 * - `unauthorised`: the service refused the key
 * - `noAccess`: the key is right, but its account or plan may not use the API
 * - `forbidden`: a 403 with an unknown message: the key or only this request is refused
 * - `refused`: the service refused the request
 * - `rateLimited`: there were too many requests; the service did nothing
 * - `timeUp`: the caller's time ended before the rate limit let the request through; it was not sent
 * - `unavailable`: the service, or a proxy before it, is down for the moment (502, 503, 504)
 * - `unreachable`: no response came
 * - `unreadable`: the response is not from this service
 * - `cancelled`: the execution was cancelled
 * - `unexpected`: any other error, of this package or of n8n
 */
export type FailureKind =
	| 'input'
	| 'unauthorised'
	| 'noAccess'
	| 'forbidden'
	| 'refused'
	| 'rateLimited'
	| 'timeUp'
	| 'unavailable'
	| 'unreachable'
	| 'unreadable'
	| 'cancelled'
	| 'unexpected';

interface FailureDetails {
	kind: FailureKind;
	/** What happened, in the service's own words if it has any. One sentence without a full stop. */
	message: string;
	/** What the user can do about it. */
	advice?: string;
	/** Status of the response, if one came. */
	httpCode?: number;
	/** Whether the service may have carried out the request, although no response says so. */
	outcomeUnknown?: boolean;
	/** What was thrown, of an `unexpected` failure. */
	cause?: unknown;
}

/** A service may send a message of any length, and n8n keeps it with each item. */
const LONGEST_MESSAGE = 1000;

const shortened = (message: string): string =>
	message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;

/** The error that all code of this package throws. It never holds a request, which would hold the key. */
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly advice: string;
	readonly httpCode: number | undefined;
	readonly outcomeUnknown: boolean;

	constructor(private readonly details: FailureDetails) {
		super(shortened(details.message), { cause: details.cause });
		this.name = 'Failure';
		this.kind = details.kind;
		this.advice = details.advice ?? '';
		this.httpCode = details.httpCode;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
	}

	/** Message and advice in one text. */
	get explanation(): string {
		return [this.message, this.advice].filter(Boolean).map(asSentence).join(' ');
	}

	/** A copy with these details changed. */
	with(changes: Partial<FailureDetails>): Failure {
		return new Failure({ ...this.details, ...changes });
	}
}

/** The failure for a value of the user's that cannot be sent. */
export function inputFailure(message: string, advice = ''): Failure {
	return new Failure({ kind: 'input', message, advice });
}

/** The failure in whatever was thrown: n8n wraps some errors, this package's failures too. */
export function failureIn(thrown: unknown): Failure | undefined {
	if (thrown instanceof Failure) return thrown;
	return thrown instanceof Error ? failureIn(thrown.cause) : undefined;
}

/** Whatever was thrown, as a failure. Any other error becomes an `unexpected` one with its message, and is its cause. */
export function failureOf(thrown: unknown): Failure {
	return (
		failureIn(thrown) ??
		new Failure({
			kind: 'unexpected',
			message: thrown instanceof Error ? thrown.message : 'The step failed for an unknown reason',
			cause: thrown,
		})
	);
}

/** Whether the service understood the request and refused it, for instance because the record does not exist. */
export function isRefusal(failure: Failure | undefined): boolean {
	return failure?.kind === 'refused' && (failure.httpCode ?? 0) < 500;
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
