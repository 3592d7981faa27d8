import { jsonStringify } from 'n8n-workflow';

/** Kinds of `Failure`, the one error of this package; `nodeError` makes n8n's error of it. */
export type FailureKind =
	| 'input' // what the user entered cannot be used
	| 'unauthorized' // the service refused the key
	| 'noAccess' // the key is right, but its account or plan may not use the API
	| 'forbidden' // a 403 with an unknown message: the key or only this request is refused
	| 'refused' // the service refused the request
	| 'rateLimited' // too many requests; the service did nothing
	| 'outOfTime' // the caller's time ended before the rate limit let the request through; it was not sent
	| 'unavailable' // the service, or a proxy before it, is down for the moment (502, 503, 504)
	| 'unreachable' // no response came
	| 'unreadable' // the response cannot be used: too large, incomplete, or not from this service
	| 'cancelled' // the execution was cancelled
	| 'unexpected'; // any other error, of this package or of n8n

interface FailureDetails {
	kind: FailureKind;
	/** What happened, in the service's own words if it has any. One sentence without a full stop. */
	message: string;
	advice?: string;
	httpCode?: number;
	/** Whether the service may have carried out the request, although no response says so. */
	outcomeUnknown?: boolean;
	cause?: unknown;
}

export const LONGEST_MESSAGE = 1000;

/** The error that all code of this package throws. It never holds a request, because that holds the key. */
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly advice: string;
	readonly httpCode: number | undefined;
	readonly outcomeUnknown: boolean;

	constructor(private readonly details: FailureDetails) {
		super(shortened(details.message, LONGEST_MESSAGE), { cause: details.cause });
		this.name = 'Failure';
		this.kind = details.kind;
		this.advice = shortened(details.advice ?? '', LONGEST_MESSAGE);
		this.httpCode = details.httpCode;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
	}

	get explanation(): string {
		return [this.message, this.advice].filter(Boolean).map(asSentence).join(' ');
	}

	with(changes: Partial<FailureDetails>): Failure {
		return new Failure({ ...this.details, ...changes });
	}

	/** The same without secrets. Masked before it is cut, so that no part of a secret is left. */
	masked(mask: (text: string) => string): Failure {
		return this.with({ message: mask(this.details.message) });
	}
}

export const inputFailure = (message: string, advice = ''): Failure =>
	new Failure({ kind: 'input', message, advice });

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

/** Whether the service understood the request, but refused it, for instance because the record does not exist. */
export const isRefusal = (failure: Failure | undefined): boolean =>
	failure?.kind === 'refused' && (failure.httpCode ?? 0) < 500;

export function quoted(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	// In a list, a function becomes null instead of undefined.
	const json = () => jsonStringify([value], { replaceCircularRefs: true }).slice(1, -1);
	return `"${shortened(typeof value === 'string' ? value : json(), 80)}"`;
}

const shortened = (text: string, length: number): string =>
	text.length > length ? `${text.slice(0, length)}…` : text;

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
