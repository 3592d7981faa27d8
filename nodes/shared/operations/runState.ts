import type { ApiRequest, Connection } from '../http/connection';
import { FATAL, type Send, type ServiceResponse } from '../http/request';
import { pagesOf } from '../lists/pages';
import { type NamedList, RecordIndex } from '../lists/recordIndex';
import { Failure, type FailureKind, toFailure } from '../values/failure';
import { KeyProof } from './keyProof';

/** What items with one credential share in a run, kept by `BatchRun`: whether to go on sending, and the lists that were read. */
export class RunState {
	private end: Failure | undefined;
	private outages = 0;
	readonly account: { read?: Promise<unknown> } = {};
	readonly keyProof = new KeyProof((failure) => {
		this.end = notSent(failure);
	});
	private readonly indexes = new Map<NamedList, RecordIndex>();

	async send(request: ApiRequest, send: Send): Promise<ServiceResponse> {
		if (this.end) throw this.end;
		try {
			const response = await send(request);
			this.outages = 0;
			return response;
		} catch (error) {
			const failure = toFailure(error);
			this.outages = meansDown(failure) ? this.outages + 1 : 0;
			const isOver = FATAL.includes(failure.kind) || this.outages >= MAX_OUTAGES;
			if (isOver) this.end = notSent(failure);
			throw failure;
		}
	}

	indexOf(connection: Connection, list: NamedList, send: Send): RecordIndex {
		const index =
			this.indexes.get(list) ?? new RecordIndex(list, pagesOf(connection, list.source, send));
		this.indexes.set(list, index);
		return index;
	}
}

/** After this many requests in a row without a usable response, the service counts as down. */
const MAX_OUTAGES = 5;

/** Whether a service that is down may respond like this. A write with status 500 does not count: its row may be the cause. */
const meansDown = ({ kind, outcomeUnknown, httpCode = 0 }: Failure): boolean =>
	kind === 'unavailable' ||
	kind === 'unreachable' ||
	(!outcomeUnknown && (httpCode >= 500 || (kind === 'unreadable' && httpCode < 400)));

const WHY: Partial<Record<FailureKind, string>> = {
	input: 'the API key could not be proved',
	noAccess: 'the account was refused',
	rateLimited: 'the rate limit is used up',
	unauthorized: 'the API key was refused',
};

/** Without the service's words, which may be about one row. */
function notSent({ kind, httpCode }: Failure): Failure {
	const status = httpCode === undefined ? '' : ` (status ${httpCode})`;
	const why = WHY[kind] ?? `${MAX_OUTAGES} requests in a row failed`;
	return new Failure({
		...{ kind, message: `Not sent, because ${why}${status}` },
		advice: 'See the error of the first row that failed, and run the rest later',
	});
}
