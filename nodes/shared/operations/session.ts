// What the rows of a run with one credential share: sending, which ends when the key is refused or the service seems down, the
// lists that were read, and which row claims which record.

import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import {
	type ApiRequest,
	connect,
	type Connection,
	type Send,
	type Service,
	type ServiceResponse,
} from '../http/connection';
import { RequestBudget } from '../http/rateLimiter';
import { createSend } from '../http/request';
import { pagesOf } from '../lists/pages';
import { type LookedUp, type NamedList, RecordIndex } from '../lists/recordIndex';
import { Failure, toFailure } from '../values/failure';
import type { Batch } from './batch';

/** After this many requests in a row without a usable response, the service counts as down. */
const MAX_OUTAGES = 5;

/** A row, as messages name it, and what it says of the record that it claims. */
export interface Claim {
	label: string;
	value: string;
}

export class Session {
	private end: Failure | undefined;
	private outages = 0;
	private readonly lists = new Map<NamedList, RecordIndex>();
	private readonly claims = new Map<string, Claim>();

	constructor(
		readonly connection: Connection,
		/** What the user set on the node: a proxy, a timeout, and whether any certificate is accepted. */
		readonly requestOptions: Partial<IHttpRequestOptions>,
		private readonly sendNow: Send,
	) {}

	readonly send = async (request: ApiRequest): Promise<ServiceResponse> => {
		if (this.end) throw this.end;
		try {
			// A read that failed was tried for a minute. Until one succeeds, the others do not take a minute each.
			const noRetry = request.noRetry === true || this.outages > 0;
			const response = await this.sendNow({ ...request, noRetry });
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
	readonly list = (list: NamedList): RecordIndex => {
		const index =
			this.lists.get(list) ??
			new RecordIndex(
				list,
				pagesOf(list.source, this.send),
				list.lookUp && (async (name) => await this.lookUp(list, name)),
			);
		this.lists.set(list, index);
		return index;
	};

	private async lookUp({ lookUp }: NamedList, name: string): Promise<LookedUp> {
		return await lookUp?.(name, this.send, this.connection.baseUrl);
	}

	/** Lets a list be read again when it is needed next. */
	forget(list: NamedList): void {
		this.lists.delete(list);
	}

	/** Claims a record for a row. @returns the claim of an earlier row of the run */
	claim(key: string, claim: Claim): Claim | undefined {
		const first = this.claims.get(key);
		if (!first) this.claims.set(key, claim);
		return first;
	}
}

/** Without the service's words, which may be about one row. */
const notSent = ({ kind, httpCode }: Failure): Failure =>
	new Failure({
		kind,
		message: 'Not sent, because the service refused the key or failed on earlier items',
		advice: 'See the error of the first item that failed, and run the rest later',
		...(httpCode === undefined ? {} : { httpCode }),
	});

interface Shared {
	connections: Map<string, Connection>;
	sessions: Map<Connection, Session>;
}

const shared = new WeakMap<Batch, Shared>();

function sharedBy(run: Batch): Shared {
	const known = shared.get(run) ?? { connections: new Map(), sessions: new Map() };
	shared.set(run, known);
	return known;
}

/** The session of a row. n8n resolves expressions in a credential for each item, so two rows may have two keys. */
export async function sessionOf(
	node: IExecutePaginationFunctions,
	routed: DeclarativeRestApiSettings.ResultOptions['options'],
	service: Service,
	isSafe: boolean | undefined,
	run: Batch,
): Promise<Session> {
	const { proxy } = routed;
	const skipSslCertificateValidation = routed.skipSslCertificateValidation === true;
	// n8n's own option is five minutes, even for reads.
	const entered = Number(node.getNodeParameter('requestOptions.timeout', 0));
	const timeoutMs = entered > 0 ? entered : undefined;
	const timeout = timeoutMs && { timeout: timeoutMs };
	const client = { ...(proxy && { proxy }), ...timeout, skipSslCertificateValidation };
	const { connections, sessions } = sharedBy(run);
	const connection = await connect(node, service, client, connections);
	const known = sessions.get(connection);
	if (known) return known;
	const send = createSend(connection, {
		isSafe,
		urgent: false,
		isWatched: node.getMode() === 'manual',
		budget: new RequestBudget(run.options.rowCount),
		signal: cancelSignalOf(node),
		timeoutMs,
	});
	const session = new Session(connection, client, send);
	sessions.set(connection, session);
	return session;
}

/** Aborted when the execution is cancelled; n8n 1 gives declarative nodes none. */
const cancelSignalOf = (node: IExecutePaginationFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined;
