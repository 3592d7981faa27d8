// What the rows of a run with one credential share: sending, which ends when the key is refused or the service seems down, and
// the lists that were read.

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Clock } from '../http/clock';
import type { ApiRequest, Connection, Send, ServiceResponse } from '../http/connection';
import { MAX_REFUSALS } from '../http/request';
import type { NamedList } from '../lists/knownRecords';
import { type RecordIndex, recordIndexOf } from '../lists/recordIndex';
import { Failure, type FailureKind, toFailure } from '../values/failure';

/** So many requests in a row that get no usable response, or 403, are no chance. */
const MAX_DOUBTFUL = 5;

const ENDS_OF_RUN: Partial<Record<FailureKind, string>> = {
	unauthorized: 'refused the API key',
	noAccess: 'refused the account',
	notAsAsked: 'did not give a link its alias',
	rateLimited: `refused one request ${MAX_REFUSALS} times for its rate limit`,
};

const LONGEST_OUTAGE_MS = 60_000;
const FIRST_OUTAGE_PAUSE_MS = 500;
const LONGEST_OUTAGE_PAUSE_MS = 20_000;

/** A service that is away. The requests of a run share it, so that a short outage fails few of them. */
export class Outage {
	private since: number | undefined;
	private pauseMs = FIRST_OUTAGE_PAUSE_MS;

	constructor(private readonly clock: Clock) {}

	/** When the run gives up; Infinity while the service responds. */
	get endsAt(): number {
		return this.since === undefined ? Infinity : this.since + LONGEST_OUTAGE_MS;
	}

	begin(): void {
		this.since ??= this.clock.now();
	}

	end(): void {
		this.since = undefined;
		this.pauseMs = FIRST_OUTAGE_PAUSE_MS;
	}

	/** During an outage, each request waits twice as long as the one before it. */
	async pause(): Promise<void> {
		if (this.since === undefined) return;
		const pauseMs = Math.min(this.pauseMs, this.endsAt - this.clock.now());
		this.pauseMs = Math.min(LONGEST_OUTAGE_PAUSE_MS, 2 * this.pauseMs);
		await this.clock.sleep(Math.ceil(pauseMs));
	}
}

export class Session {
	/** Why nothing more is sent. */
	private end: Failure | undefined;
	private doubtful = 0;
	private readonly lists = new Map<NamedList, RecordIndex>();

	constructor(
		readonly connection: Connection,
		/** What the user set on the node: a proxy, a timeout, and whether any certificate is accepted. */
		readonly requestOptions: Partial<IHttpRequestOptions>,
		private readonly sendNow: Send,
		private readonly outage: Outage,
	) {}

	readonly send = async (request: ApiRequest): Promise<ServiceResponse> => {
		await this.outage.pause();
		if (this.end) throw this.end;
		try {
			const response = await this.sendNow(request);
			this.outage.end();
			this.doubtful = 0;
			return response;
		} catch (error) {
			const failure = await this.judged(toFailure(error));
			this.end ??= this.endAfter(failure);
			throw failure;
		}
	};

	/** Counts a failure. A 403 may be about the key: at each fifth in a row, the account says so. */
	private async judged(failure: Failure): Promise<Failure> {
		const { isOutage } = failure.consequences;
		const isForbidden = failure.kind === 'forbidden';
		if (isOutage !== 'any') this.outage.end();
		this.doubtful = isForbidden || isOutage === 'thisRequest' ? this.doubtful + 1 : 0;
		if (!isForbidden || this.doubtful % MAX_DOUBTFUL > 0) return failure;
		const account = { method: 'GET', path: this.connection.service.testPath } as const;
		return await this.sendNow(account).then(() => failure, toFailure);
	}

	stopAfter(failure: Failure): Failure {
		this.end ??= this.endAfter(failure);
		return failure;
	}

	private endAfter(failure: Failure): Failure | undefined {
		const { endsRun, isOutage } = failure.consequences;
		if (endsRun) return this.notSent(failure, ENDS_OF_RUN[failure.kind]);
		if (this.connection.clock.now() >= this.outage.endsAt)
			return this.notSent(failure, 'did not respond for a minute');
		if (isOutage === 'thisRequest' && this.doubtful >= MAX_DOUBTFUL)
			return this.notSent(failure, `gave no usable response ${MAX_DOUBTFUL} times in a row`);
		return undefined;
	}

	/** Without the service's words, which may be about one row. */
	private notSent({ kind, httpCode }: Failure, reason = 'failed'): Failure {
		return new Failure({
			kind: 'notSent',
			message: `Not sent: ${this.connection.service.serviceName} ${reason}`,
			advice:
				kind === 'unauthorized'
					? 'Correct the API key in the credential, then run the items that were not sent'
					: 'Run the items that were not sent again later',
			// The next try would find the same.
			mayRetry: kind !== 'notAsAsked',
			...(httpCode === undefined ? {} : { httpCode }),
		});
	}

	readonly list = (list: NamedList): RecordIndex => {
		const index = this.lists.get(list) ?? recordIndexOf(list, this.send, this.connection.baseUrl);
		this.lists.set(list, index);
		return index;
	};

	forget(list: NamedList): void {
		this.lists.delete(list);
	}
}

/** What the rows of a session share beyond it: made for the first of them that needs it. */
export function perSession<T extends object>(
	make: (session: Session) => T,
): (session: Session) => T {
	const made = new WeakMap<Session, T>();
	return (session) => {
		const known = made.get(session) ?? make(session);
		made.set(session, known);
		return known;
	};
}
