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
 * - `unexpected`: an error that nobody foresaw, in this package or in n8n
 */
export type FailureKind =
	| 'input'
	| 'unauthorised'
	| 'refused'
	| 'rateLimited'
	| 'unavailable'
	| 'unreachable'
	| 'unreadable'
	| 'cancelled'
	| 'unexpected';

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
	/** What was thrown, where nobody foresaw it. */
	cause?: unknown;
}

/** The one failure that travels inside this package; it never carries a request, because that holds the key. */
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly advice: string;
	readonly httpCode: number | undefined;
	readonly outcomeUnknown: boolean;

	constructor(private readonly details: FailureDetails) {
		super(details.message, { cause: details.cause });
		this.name = 'Failure';
		this.kind = details.kind;
		this.advice = details.advice ?? '';
		this.httpCode = details.httpCode;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
	}

	/** All of it in one text: what happened, then what to do. */
	get explanation(): string {
		return [this.message, this.advice].filter(Boolean).map(asSentence).join(' ');
	}

	/** The same failure, said in other words. */
	with(words: Pick<Partial<FailureDetails>, 'message' | 'advice' | 'outcomeUnknown'>): Failure {
		return new Failure({ ...this.details, ...words });
	}
}

/** A value that the user gave and that cannot be sent. */
export function inputFailure(message: string, advice = ''): Failure {
	return new Failure({ kind: 'input', message, advice });
}

/** The failure inside whatever was thrown: n8n wraps what its own parts throw, this package's failures too. */
export function failureIn(thrown: unknown): Failure | undefined {
	if (thrown instanceof Failure) return thrown;
	return thrown instanceof Error ? failureIn(thrown.cause) : undefined;
}

/** Whatever was thrown, as a failure: an error that nobody foresaw keeps its words, and itself as the cause. */
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

/** Whether a service understood a request and did not do it: it says that the record or the page is not there, say. */
export function isRefusal(failure: Failure | undefined): boolean {
	return failure?.kind === 'refused' && (failure.httpCode ?? 0) < 500;
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
