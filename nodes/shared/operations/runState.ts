// What the items of a run with one credential share: sending, which ends when the key is refused or the service seems down;
// lists, claims, and the proof of the key.

import type { ApiRequest, SendWithin, ServiceResponse, TimeLimit } from '../http/connection';
import { type AcceptedLimit, pagesOf } from '../lists/pages';
import { type NamedList, RecordIndex } from '../lists/recordIndex';
import { Failure, type FailureKind, isRefusal, toFailure } from '../values/failure';
import { Claims } from './claims';
import { KeyProof } from './keyProof';
import { SharedReads } from './sharedReads';

/** A list that items look into, and the reads that they wait for. */
interface LookedUpList {
	index: RecordIndex;
	reads: SharedReads;
}

/** What items with one credential share in a run, kept by `BatchRun`: whether to go on sending, and the lists that were read. */
export class RunState {
	readonly keyProof = new KeyProof((failure) => {
		this.end = notSent(failure);
	});
	readonly claims = new Claims();
	readonly proofReads: SharedReads;
	private end: Failure | undefined;
	private outages = 0;
	private readonly lists = new Map<NamedList, LookedUpList>();
	private readonly ids = new Map<string, Promise<Set<number>>>();
	/** By the path of the list. */
	private readonly acceptedLimits = new Map<string, AcceptedLimit>();

	constructor(private readonly sendNow: SendWithin) {
		this.proofReads = new SharedReads(this.send);
	}

	/** Sends a request, unless the run has ended for this key. */
	readonly send = async (request: ApiRequest, limit?: TimeLimit): Promise<ServiceResponse> => {
		if (this.end) throw this.end;
		try {
			// A read that failed was tried for a minute. Until one succeeds, the others do not take a minute each.
			const once = request.once === true || this.outages > 0;
			const response = await this.sendNow({ ...request, once }, limit);
			this.outages = 0;
			return response;
		} catch (error) {
			const failure = toFailure(error);
			this.outages = failure.isOutage ? this.outages + 1 : 0;
			if (failure.consequences.endsRun || this.outages >= MAX_OUTAGES) this.end = notSent(failure);
			throw failure;
		}
	};

	/** A list, read as far as names were looked up in it. */
	listOf(list: NamedList): LookedUpList {
		const known = this.lists.get(list);
		if (known) return known;
		const { source } = list;
		const reads = new SharedReads(this.send);
		const requestPage = pagesOf(source, reads.send);
		const index = new RecordIndex(list, requestPage, this.acceptedLimit(source.path));
		this.lists.set(list, { index, reads });
		return { index, reads };
	}

	/** A list, to note in it what a run changes. */
	readonly indexOf = (list: NamedList): RecordIndex => this.listOf(list).index;

	/**
	 * The ids in a list that is read once, by a key. What a run adds has to be put in. If the read fails, the next asks again, unless the
	 * service refused it: then there is no such list.
	 */
	async idsOnce(key: string, read: () => Promise<number[]>): Promise<Set<number>> {
		const ids = this.ids.get(key) ?? read().then((found) => new Set(found));
		this.ids.set(key, ids);
		ids.catch((error: unknown) => {
			if (!isRefusal(toFailure(error))) this.ids.delete(key);
		});
		return await ids;
	}

	/** What the run knows of the limits that the service refuses for the list at a path. */
	acceptedLimit(path: string): AcceptedLimit {
		const accepted = this.acceptedLimits.get(path) ?? { limit: Infinity };
		this.acceptedLimits.set(path, accepted);
		return accepted;
	}
}

/** After this many requests in a row without a usable response, the service counts as down. */
const MAX_OUTAGES = 5;

const WHY: Partial<Record<FailureKind, string>> = {
	noAccess: 'the account was refused',
	rateLimited: 'the rate limit is used up',
	unauthorized: 'the API key was refused',
	unproved: 'the Known Valid Code of the credential was refused',
};

/** Without the service's words, which may be about one row. */
function notSent({ kind, httpCode }: Failure): Failure {
	const status = httpCode === undefined ? '' : ` (status ${httpCode})`;
	const why = WHY[kind] ?? `${MAX_OUTAGES} requests in a row failed`;
	return new Failure({
		kind,
		message: `Not sent, because ${why}${status}`,
		advice: 'See the error of the first row that failed, and run the rest later',
	});
}
