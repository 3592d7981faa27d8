import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ApiRequest, Connection } from '../http/connection';
import type { Send, ServiceResponse } from '../http/request';
import { pagesOf } from '../lists/pages';
import type { NamedList } from '../lists/recordIndex';
import { RecordIndex } from '../lists/recordIndex';
import type { Failure } from '../values/failure';
import { failureOf } from '../values/failure';
import { Outage } from './outage';

/** An item of the output, before it is paired. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What is to be done for one input item. */
export interface PreparedItem {
	/** Whether it changes something at the service. */
	isWrite: boolean;
	/** @throws Failure */
	perform(): Promise<ItemResult[]>;
}

export interface BatchRunOptions {
	/** Input items of the node. */
	itemCount: number;
	/** Whether the node's setting *On Error* lets the other items go on. */
	continueOnFail: boolean;
}

type Outcome = { results: ItemResult[] } | { failure: Failure };

/** An item whose turn came, in this or in an earlier try. */
interface Attempt {
	isWrite: boolean;
	outcome: Promise<Outcome>;
}

/** A request that several items need. */
interface SharedRequest {
	/** How many items have yet to ask for it. */
	uses: number;
	response?: Promise<ServiceResponse>;
}

/** The most reads of one run that are in flight at once. */
const READS_IN_FLIGHT = 5;

/** The most checks at once. Each reads the credential, and thousands of reads at once time out in n8n's database. */
const CHECKS_AT_ONCE = 10;

/**
 * One orderly run of a node's items. n8n starts them all at once, none knows of the others, and after a failure it still
 * sends the rest. So each item calls first `prepare`, then `inOrder`:
 *
 * - Unless the node continues on error, every item is checked before anything is sent, and the first failure stops the rest.
 * - Writes go one at a time in the order of the items; reads go a few at a time.
 *
 * With *Retry On Fail* n8n runs all items again. A write that succeeded, or that may have been carried out, is not sent
 * again: its outcome of the earlier try counts, remembered by the item's place in the input.
 */
export class BatchRun {
	private readonly attempts: Map<number, Attempt>;
	/** The results of the writes that succeeded, by item and name; see `ItemContext.step`. */
	private readonly steps: Map<string, IDataObject>;
	private readonly checks: Array<Promise<unknown>> = [];
	private checked: Promise<void> | undefined;
	private readonly shared = new Map<string, SharedRequest>();
	private readonly accounts = new Map<string, Promise<ServiceResponse>>();
	private readonly outages = new Map<string, Outage>();
	private readonly indexes = new Map<NamedList, Map<string, RecordIndex>>();
	/** Resolves when n8n has started the items: thousands block the process so long that a credential's read would time out. */
	private readonly begun = sleep(0);
	private readonly inCheckOrder = limited(CHECKS_AT_ONCE);
	private readonly inWriteOrder = limited(1);
	private readonly inReadOrder = limited(READS_IN_FLIGHT);
	private started: () => void = () => undefined;
	/** Resolves when n8n has started the last item. Never, if it stops before: an expression of a later item failed. */
	private readonly allStarted = new Promise<void>((resolve) => {
		this.started = resolve;
	});
	/** Index of the item that n8n started last; it starts them in their order. */
	private lastStarted = -1;
	/** Whether an item has failed, and the node does not continue on error. */
	private hasEnded = false;
	/** The failures after which nothing more is sent with a connection, by its key. */
	private readonly endOf = new Map<string, Failure>();

	/** @param previous the last try, if n8n runs the same items again */
	constructor(
		private readonly options: BatchRunOptions,
		previous?: BatchRun,
	) {
		const written = [...(previous?.attempts ?? [])].filter(([, { isWrite }]) => isWrite);
		this.attempts = new Map(written);
		this.steps = previous?.steps ?? new Map<string, IDataObject>();
	}

	/** Whether the run has started this item or a later one. If n8n starts it again, that is the next try. */
	isPast(item: number): boolean {
		return item <= this.lastStarted;
	}

	/**
	 * Checks an item, and waits until the others are checked.
	 * @param check reads what the user entered, and sends nothing
	 * @throws Failure of the check
	 */
	async prepare<T>(item: number, check: () => Promise<T>): Promise<T> {
		this.lastStarted = item;
		if (item === this.options.itemCount - 1) this.started();
		const checked = this.inCheckOrder(async () => {
			await this.begun;
			return await check();
		});
		// A failure is noted at once, so that it is known before the first request.
		this.checks.push(checked.catch(() => this.noteFailure()));
		await (this.checked ??= this.allChecked());
		return await checked.catch(async (error: unknown) => {
			throw await this.failed(failureOf(error), item);
		});
	}

	/** Resolves when all items are checked; of a node that continues on error, those that n8n has started together. */
	private async allChecked(): Promise<void> {
		await (this.options.continueOnFail ? sleep(0) : this.allStarted);
		this.checked = undefined;
		await Promise.all(this.checks.splice(0));
	}

	/**
	 * Does an item's work when its turn comes.
	 * @returns its results; none, if the run ended before its turn
	 * @throws Failure of this item
	 */
	async inOrder(item: number, work: PreparedItem): Promise<ItemResult[]> {
		const atTurn = work.isWrite ? this.inWriteOrder : this.inReadOrder;
		const outcome = await atTurn(async () => await this.outcomeAtTurn(item, work));
		if (outcome === undefined) return [];
		if ('results' in outcome) return outcome.results;
		throw await this.failed(outcome.failure, item);
	}

	/** Sends a request, unless one before had a failure that every further one with this connection would have. */
	async send(
		connectionKey: string,
		send: () => Promise<ServiceResponse>,
	): Promise<ServiceResponse> {
		const end = this.endOf.get(connectionKey);
		if (end) throw end;
		try {
			return await send();
		} catch (error) {
			const failure = failureOf(error);
			if (isFatal(failure)) this.endOf.set(connectionKey, failure);
			throw failure;
		}
	}

	/** Reads the account, once for all items that need to know whether the key may. */
	async account(
		connectionKey: string,
		read: () => Promise<ServiceResponse>,
	): Promise<ServiceResponse> {
		const response = this.accounts.get(connectionKey) ?? read();
		this.accounts.set(connectionKey, response);
		return await response;
	}

	/** Does one of the writes of an item, unless it succeeded in an earlier try; see `ItemContext.step`. */
	async step(item: number, name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const key = `${item} ${name}`;
		const result = this.steps.get(key) ?? (await write());
		this.steps.set(key, result);
		return result;
	}

	/** Says, while an item is checked, that it will send this request with `once`. */
	share(connectionKey: string, request: ApiRequest): void {
		const key = sharedKey(connectionKey, request);
		this.shared.set(key, { uses: (this.shared.get(key)?.uses ?? 0) + 1 });
	}

	/**
	 * Sends a request once for all items that share it; its response, or its failure, is kept until the last of them has it. A
	 * service that is down gets no further one.
	 */
	async once(
		connectionKey: string,
		request: ApiRequest,
		send: () => Promise<ServiceResponse>,
	): Promise<ServiceResponse> {
		const outage = this.outages.get(connectionKey) ?? new Outage();
		this.outages.set(connectionKey, outage);
		const key = sharedKey(connectionKey, request);
		const { uses, response = outage.send(send) } = this.shared.get(key) ?? { uses: 1 };
		if (uses > 1) this.shared.set(key, { uses: uses - 1, response });
		else this.shared.delete(key);
		return await response;
	}

	/** The records of a list by their names, read once for all items that name one. */
	indexOf(connection: Connection, list: NamedList, send: Send): RecordIndex {
		const indexes = this.indexes.get(list) ?? new Map<string, RecordIndex>();
		const { connectionKey } = connection;
		const index =
			indexes.get(connectionKey) ?? new RecordIndex(list, pagesOf(connection, list.source, send));
		this.indexes.set(list, indexes.set(connectionKey, index));
		return index;
	}

	private async outcomeAtTurn(item: number, work: PreparedItem): Promise<Outcome | undefined> {
		const before = await this.attempts.get(item)?.outcome;
		if (before && ('results' in before || before.failure.outcomeUnknown)) {
			if ('failure' in before) this.noteFailure();
			return before;
		}
		if (this.hasEnded) return undefined;
		const outcome = this.outcomeNow(work);
		// The results of a read are not kept: the next try reads again.
		const kept = work.isWrite ? outcome : outcome.then(withoutResults);
		this.attempts.set(item, { isWrite: work.isWrite, outcome: kept });
		return await outcome;
	}

	private async outcomeNow(work: PreparedItem): Promise<Outcome> {
		try {
			return { results: await work.perform() };
		} catch (error) {
			this.noteFailure();
			return { failure: failureOf(error) };
		}
	}

	private noteFailure(): void {
		this.hasEnded ||= !this.options.continueOnFail;
	}

	/** The failure of an item. Unless the node continues on error, its message says how far the run came. */
	private async failed(failure: Failure, item: number): Promise<Failure> {
		const { itemCount, continueOnFail } = this.options;
		if (continueOnFail || itemCount === 1 || failure.kind === 'cancelled') return failure;
		// Reads may still be in flight. No further one begins.
		const outcomes = await Promise.all(
			[...this.attempts.values()].map(async ({ outcome }) => await outcome),
		);
		const succeeded = outcomes.filter((outcome) => 'results' in outcome).length;
		const progress =
			outcomes.length === 0
				? 'nothing was sent'
				: `${succeeded} succeeded, ${itemCount - outcomes.length} not sent`;
		return failure.with({
			message: `${failure.message} (item ${item + 1} of ${itemCount}: ${progress})`,
		});
	}
}

/** Whether every further item of the connection would fail the same way. */
const isFatal = ({ kind }: Failure): boolean =>
	['rateLimited', 'unauthorised', 'noAccess'].includes(kind);

const sharedKey = (connectionKey: string, request: ApiRequest): string =>
	JSON.stringify([connectionKey, request]);

const withoutResults = (outcome: Outcome): Outcome =>
	'results' in outcome ? { results: [] } : outcome;

/** Runs at most so many pieces of work at a time, in the order in which they came. */
function limited(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
	let free = permits;
	const waiting: Array<() => void> = [];
	return async (work) => {
		if (free > 0) free -= 1;
		else await new Promise<void>((go) => waiting.push(go));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free += 1;
		}
	};
}
