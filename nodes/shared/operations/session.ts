// What the rows of a run with one credential share: sending, which ends when the key is refused or the service seems down, and
// the lists that were read.

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import { isCreate, USED_UP } from '../http/response';
import type { ApiRequest, Send, ServiceResponse } from '../http/service';
import type { NamedList } from '../lists/namedList';
import { RecordIndex } from '../lists/recordIndex';
import { Failure, type FailureKind, toFailure } from '../values/failure';

/** So many requests in a row that get no usable response, or 403, are no chance. */
const MAX_DOUBTFUL = 5;
/** So many creates in a row that are refused in the same words are no chance, either. */
const MAX_ALIKE = 5;

const ENDS_OF_RUN: Partial<Record<FailureKind, string>> = {
	unauthorized: 'refused the API key',
	notAsAsked: 'put a link elsewhere than asked',
	rateLimited: 'refused one request again and again for its rate limit',
};

/** A read that was tried for a minute ends in this time or later. */
const LONGEST_OUTAGE_MS = 50_000;
/** While the service is away, each request waits twice as long as the one before it, so that a short outage fails few rows. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

export class Session {
	/** Why nothing more is sent. */
	private end: Failure | undefined;
	private doubtful = 0;
	/** What the last create was refused with, and how many in a row. */
	private refused = { words: '', count: 0 };
	private awaySince: number | undefined;
	private pauseMs = FIRST_PAUSE_MS;
	private readonly lists = new Map<NamedList, RecordIndex>();

	constructor(
		readonly connection: Connection,
		/** What the user set on the node: a proxy, a timeout, and whether any certificate is accepted. */
		readonly requestOptions: Partial<IHttpRequestOptions>,
		private readonly sendNow: Send,
		/** One for all tries of a run: see `perRun`. */
		readonly run: object = {},
	) {}

	readonly send = async (request: ApiRequest): Promise<ServiceResponse> => {
		if (this.awaySince !== undefined) await this.pause(this.awaySince);
		if (this.end) throw this.end;
		const begin = this.connection.clock.now();
		try {
			const response = await this.sendNow(request);
			this.awaySince = undefined;
			this.doubtful = 0;
			if (request.method === 'POST') this.refused = { words: '', count: 0 };
			return response;
		} catch (error) {
			const failure = toFailure(error);
			this.count(failure, begin);
			// One with an alias may be refused because that is taken.
			const isWithoutAlias = request.body !== undefined && request.body.custom === undefined;
			throw failure.kind === 'refused' && isWithoutAlias && isCreate(request)
				? this.refusedCreate(failure)
				: this.stopAfter(failure);
		}
	};

	/** Ends the run after several creates in a row that were refused in the same words: the plan may be used up. */
	refusedCreate(failure: Failure): Failure {
		const { message: words } = failure;
		const count = words === this.refused.words ? this.refused.count + 1 : 1;
		this.refused = { words, count };
		return this.stopAfter(failure);
	}

	/** Ends the run, if the failure says that no other request can succeed. */
	stopAfter(failure: Failure): Failure {
		const reason = this.reasonToEnd(failure);
		if (reason !== undefined) this.end ??= this.notSent(failure, reason);
		return failure;
	}

	private async pause(awaySince: number): Promise<void> {
		const { clock } = this.connection;
		const leftMs = Math.max(0, awaySince + LONGEST_OUTAGE_MS - clock.now());
		const pauseMs = Math.min(this.pauseMs, leftMs);
		this.pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.pauseMs);
		await clock.sleep(Math.ceil(pauseMs));
	}

	private count({ kind, consequences }: Failure, begin: number): void {
		const { isOutage } = consequences;
		const isDoubtful = kind === 'forbidden' || isOutage === 'thisRequest';
		this.doubtful = isDoubtful ? this.doubtful + 1 : 0;
		if (this.awaySince === undefined) this.pauseMs = FIRST_PAUSE_MS;
		this.awaySince = isOutage === 'any' ? (this.awaySince ?? begin) : undefined;
	}

	private reasonToEnd({ kind, consequences }: Failure): string | undefined {
		const { awaySince = Infinity, connection, doubtful } = this;
		if (consequences.endsRun) return ENDS_OF_RUN[kind] ?? 'failed';
		if (connection.clock.now() - awaySince >= LONGEST_OUTAGE_MS)
			return 'did not respond for a minute';
		if (this.refused.count >= MAX_ALIKE)
			return `refused ${MAX_ALIKE} records in a row with the same words`;
		return doubtful >= MAX_DOUBTFUL
			? `gave no usable response ${MAX_DOUBTFUL} times in a row`
			: undefined;
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

/** What the rows of a try share: made for the first of them that needs it. */
export const perSession = <T extends object>(make: (session: Session) => T) =>
	keptBy((session) => session, make);

/** The same for all tries of a run. */
export const perRun = <T extends object>(make: (session: Session) => T) =>
	keptBy(({ run }) => run, make);

function keptBy<T extends object>(
	ownerOf: (session: Session) => object,
	make: (session: Session) => T,
): (session: Session) => T {
	const made = new WeakMap<object, T>();
	return (session) => {
		const owner = ownerOf(session);
		const known = made.get(owner) ?? make(session);
		made.set(owner, known);
		return known;
	};
}
