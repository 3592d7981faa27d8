// What the rows of a run with one credential share: sending, which ends when the key is refused or the service seems down, and
// the lists that were read.

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import { isCreate, USED_UP } from '../http/response';
import type { ApiRequest, Send, ServiceResponse } from '../http/service';
import type { NamedList } from '../lists/namedList';
import { RecordIndex } from '../lists/recordIndex';
import { Failure, type FailureKind, toFailure } from '../values/failure';

/** So many requests in a row that fail alike are no chance. */
const MOST_ALIKE = 5;
const AWAY = 'did not respond for a minute';
const UNUSABLE = `gave no usable response ${MOST_ALIKE} times in a row`;
const SAME_WORDS = `refused ${MOST_ALIKE} records in a row with the same words`;

const ENDS_OF_RUN: Partial<Record<FailureKind, string>> = {
	unauthorized: 'refused the API key',
	notAsAsked: 'put a link elsewhere than asked',
	rateLimited: 'refused one request again and again for its rate limit',
};

/** While the service is away, each request waits three times as long as the one before it: a short outage fails few rows. */
const FIRST_PAUSE_MS = 1500;

export class Session {
	/** Why nothing more is sent. */
	private end: Failure | undefined;
	/** How the last requests failed, and how many in a row. */
	private alike = { how: '', count: 0 };
	private readonly lists = new Map<NamedList, RecordIndex>();

	constructor(
		readonly connection: Connection,
		/** What the user set on the node: a proxy, a timeout, and whether any certificate is accepted. */
		readonly requestOptions: Partial<IHttpRequestOptions>,
		private readonly sendNow: Send,
		/** One for all tries of a run: what belongs to it is kept by it. */
		readonly run: object = {},
	) {}

	readonly send = async (request: ApiRequest): Promise<ServiceResponse> => {
		const { how, count } = this.alike;
		if (how === AWAY && !this.end)
			await this.connection.clock.sleep(FIRST_PAUSE_MS * 3 ** (count - 1));
		if (this.end) throw this.end;
		const before = this.alike;
		try {
			const response = await this.sendNow(request);
			this.forgetFailures(request.method !== 'GET');
			return response;
		} catch (error) {
			throw this.judged(toFailure(error), request, before === this.alike);
		}
	};

	/**
	 * What was read between two creates does not say that the next one is accepted. A new object in either case, by which requests under
	 * way see that the service answers.
	 */
	private forgetFailures(isWrite = false): void {
		const isOver = isWrite || [AWAY, UNUSABLE].includes(this.alike.how);
		this.alike = isOver ? { how: '', count: 0 } : { ...this.alike };
	}

	/** @param isLatest whether no other request has ended since this one was sent: then the service may be away */
	private judged(failure: Failure, request: ApiRequest, isLatest: boolean): Failure {
		const { kind, consequences } = failure;
		if (consequences.isOutage === 'any') return isLatest ? this.away(failure) : failure;
		if (consequences.isOutage || kind === 'forbidden') return this.endIfAlike(failure, UNUSABLE);
		this.forgetFailures();
		// One with an alias may be refused because that is taken.
		const isWithoutAlias = request.body !== undefined && request.body.custom === undefined;
		const isRefused = kind === 'refused' && isWithoutAlias && isCreate(request);
		return isRefused ? this.refusedCreate(failure) : this.stopAfter(failure);
	}

	private away(failure: Failure): Failure {
		return this.endIfAlike(failure, AWAY, AWAY, failure.isTriedOut ? MOST_ALIKE : 1);
	}

	/** Creates that are refused in the same words: the plan may be used up. */
	refusedCreate(failure: Failure): Failure {
		return this.endIfAlike(failure, SAME_WORDS, failure.message);
	}

	private endIfAlike(failure: Failure, reason: string, how = reason, times = 1): Failure {
		const before = how === this.alike.how ? this.alike.count : 0;
		this.alike = { how, count: before + times };
		if (this.alike.count >= MOST_ALIKE) this.end ??= this.notSent(failure, reason);
		return failure;
	}

	/** Ends the run, if the failure says that no other request can succeed. */
	stopAfter(failure: Failure): Failure {
		if (failure.consequences.endsRun)
			this.end ??= this.notSent(failure, ENDS_OF_RUN[failure.kind] ?? 'failed');
		return failure;
	}

	/** Without the service's words, which may be about one row. */
	private notSent({ kind, httpCode, consequences }: Failure, reason: string): Failure {
		const mayBeFull = ['rateLimited', 'serverError'].includes(kind) || consequences.isRefusal;
		const later = 'Run the items that were not sent again later';
		return new Failure({
			kind: 'notSent',
			message: `Not sent: ${this.connection.service.serviceName} ${reason}`,
			advice:
				kind === 'unauthorized'
					? 'Correct the API key in the credential, then run the items that were not sent'
					: [later, mayBeFull && USED_UP].filter(Boolean).join('. '),
			// The next try would find the same.
			mayRetry: kind !== 'notAsAsked',
			...(httpCode === undefined ? {} : { httpCode }),
		});
	}

	readonly list = (list: NamedList): RecordIndex => {
		const { shortBase } = this.connection;
		const index = this.lists.get(list) ?? new RecordIndex(list, this.send, shortBase);
		this.lists.set(list, index);
		return index;
	};

	forget(list: NamedList): void {
		this.lists.delete(list);
	}
}

/** What an object has beside it, such as a run or a session: made when it is first asked for. */
export function keptBy<K extends object, T>(make: (owner: K) => T): (owner: K) => T {
	const made = new WeakMap<K, T>();
	return (owner) => {
		const known = made.get(owner) ?? make(owner);
		made.set(owner, known);
		return known;
	};
}
