import { sleep } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { Send, ServiceResponse } from '../http/request';
import { pagesOf } from '../lists/pages';
import type { NamedList } from '../lists/recordIndex';
import { RecordIndex } from '../lists/recordIndex';
import { Failure, failureOf } from '../values/failure';
import type { ItemResult } from './plan';

/** What is to be done for one input item. */
export interface PreparedItem {
	/** Which service with which key: two items may have two, see `Connection.connectionKey`. */
	connectionKey: string;
	/** Whether it changes something at the service. */
	isWrite: boolean;
	/**
	 * Does it.
	 * @throws Failure
	 */
	perform(): Promise<ItemResult[]>;
}

export interface BatchRunOptions {
	/** Input items of the node. */
	itemCount: number;
	/** Items that n8n starts together: all of them, unless the user has set *Batching*. */
	batchSize: number;
	/** Whether the node's setting *On Error* lets the other items go on. */
	continueOnFail: boolean;
}

type Outcome = { results: ItemResult[] } | { failure: Failure };

/** A request of an item that was sent, now or in an earlier try. */
interface Attempt {
	isWrite: boolean;
	outcome: Promise<Outcome>;
}

/** Items that n8n starts together. */
interface Batch {
	checks: Array<Promise<unknown>>;
	/** Resolves when all of them are checked. */
	checked: Promise<void>;
}

/** Reads of one run that are under way at once. */
const READS_IN_FLIGHT = 5;

/**
 * The items of a node as one orderly run. n8n starts them all at once, none knows of the others, and a failure of one
 * does not keep back the rest. Here, for each item, first `prepare`, then `inOrder`:
 *
 * - Every item is checked before anything is sent: one bad value in a sheet stops the run before its first request,
 *   unless the node continues on error.
 * - Writes go one at a time in the order of the items, so that records are made in the order of the rows; reads go a
 *   few at a time.
 * - Unless the node continues on error, the first failure stops what has not been sent, and says how far the run came.
 *
 * With *Retry On Fail* n8n runs all items again, as a new try with the same input. A write that succeeded, or that may
 * have been carried out, is not sent again: what became of it counts, whatever the item's fields hold by now. It is
 * remembered by the item's place in the input, so a try must be given the try before it.
 */
export class BatchRun {
	private readonly attempts: Map<number, Attempt>;
	private readonly batches = new Map<number, Batch>();
	private readonly responses = new Map<string, Promise<ServiceResponse>>();
	private readonly indexes = new Map<NamedList, Map<string, RecordIndex>>();
	private readonly writes = new Semaphore(1);
	private readonly reads = new Semaphore(READS_IN_FLIGHT);
	private started: () => void = () => undefined;
	/** Resolves when n8n has started the last item. */
	private readonly allStarted = new Promise<void>((resolve) => {
		this.started = resolve;
	});
	/** Place of the item that n8n started last; it starts them in their order. */
	private lastStarted = -1;
	/** What ended the run: nothing more is sent after it. */
	private end: Failure | undefined;
	/** What ended it for one connection alone, by its key. */
	private readonly endOf = new Map<string, Failure>();
	/** Whether n8n has given up this try. */
	private isAbandoned = false;

	/** @param previous the try before, if n8n runs the same items again */
	constructor(
		private readonly options: BatchRunOptions,
		previous?: BatchRun,
	) {
		const written = [...(previous?.attempts ?? [])].filter(([, { isWrite }]) => isWrite);
		this.attempts = new Map(written);
		if (previous) previous.isAbandoned = true;
	}

	/** Whether the run has begun that item or one after it: then n8n has begun the next try. */
	isPast(item: number): boolean {
		return item <= this.lastStarted;
	}

	/**
	 * Checks an item, and waits until all that n8n starts with it are checked.
	 * @param check looks at what the user entered, without sending anything
	 * @returns undefined if n8n has given up the try
	 * @throws Failure of the check
	 */
	async prepare<T>(item: number, check: () => Promise<T>): Promise<T | undefined> {
		this.lastStarted = item;
		if (item === this.options.itemCount - 1) this.started();
		const checked = this.settled(check);
		const batch = this.batchOf(item);
		batch.checks.push(checked);
		await batch.checked;
		const result = await checked;
		if (this.isAbandoned) return undefined;
		if (result instanceof Failure) throw await this.failed(result, item);
		return result.value;
	}

	/**
	 * Does an item's work when its turn comes.
	 * @returns its results; none, if the run ended before its turn
	 * @throws Failure of this item
	 */
	async inOrder(item: number, work: PreparedItem): Promise<ItemResult[]> {
		const semaphore = work.isWrite ? this.writes : this.reads;
		const outcome = await semaphore.run(async () => await this.outcomeAtTurn(item, work));
		if (outcome === undefined) return [];
		if ('results' in outcome) return outcome.results;
		throw await this.failed(outcome.failure, item);
	}

	/** Sends a request once for all items that need the same; later ones get the same response, or the same failure. */
	async once(requestKey: string, send: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		const response = this.responses.get(requestKey) ?? send();
		this.responses.set(requestKey, response);
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

	private batchOf(item: number): Batch {
		const { batchSize, itemCount } = this.options;
		const number = Math.floor(item / batchSize);
		const last = Math.min(itemCount, (number + 1) * batchSize) - 1;
		const checks: Batch['checks'] = [];
		const batch = this.batches.get(number) ?? { checks, checked: this.allChecked(last, checks) };
		this.batches.set(number, batch);
		return batch;
	}

	private async allChecked(last: number, checks: Batch['checks']): Promise<void> {
		// n8n starts the items of a batch without a pause between them.
		await sleep(0);
		// An expression that fails in a later item makes n8n drop the run without a word to the items before it.
		if (!this.options.continueOnFail && this.lastStarted < last) this.isAbandoned = true;
		await Promise.all(checks);
	}

	/** The result of a check, or why there is none; noted at once, so that it is known before the first request. */
	private async settled<T>(check: () => Promise<T>): Promise<{ value: T } | Failure> {
		try {
			return { value: await check() };
		} catch (error) {
			return this.note(failureOf(error));
		}
	}

	private async outcomeAtTurn(item: number, work: PreparedItem): Promise<Outcome | undefined> {
		const before = await this.attempts.get(item)?.outcome;
		if (before && ('results' in before || before.failure.outcomeUnknown)) {
			if ('failure' in before) this.note(before.failure);
			return before;
		}
		if (this.isAbandoned) return undefined;
		const end = this.end ?? this.endOf.get(work.connectionKey);
		if (end) return this.options.continueOnFail ? { failure: end } : undefined;

		const outcome = this.outcomeNow(work);
		this.attempts.set(item, { isWrite: work.isWrite, outcome });
		return await outcome;
	}

	private async outcomeNow(work: PreparedItem): Promise<Outcome> {
		try {
			return { results: await work.perform() };
		} catch (error) {
			return { failure: this.note(failureOf(error), work.connectionKey) };
		}
	}

	private note(failure: Failure, connectionKey?: string): Failure {
		// For the other items it is certain: they were not sent.
		const unsent = failure.outcomeUnknown ? failure.with({ advice: '' }) : failure;
		if (!this.options.continueOnFail || failure.kind === 'cancelled') this.end ??= unsent;
		else if (connectionKey && isFatal(failure)) this.endOf.set(connectionKey, unsent);
		return failure;
	}

	/** The failure of an item, with word on how far the run came, once that is certain. */
	private async failed(failure: Failure, item: number): Promise<Failure> {
		const { itemCount, continueOnFail } = this.options;
		if (continueOnFail) return failure;
		// n8n looks at failures only after it has started all items, and a rejection before that would be an unhandled one.
		await this.allStarted;
		if (itemCount === 1 || failure.kind === 'cancelled') return failure;
		// Others may still be under way, also of the try before. None begins any more.
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

/** Whether every further item of the connection would fail the same way. A 403 may be about one record only. */
function isFatal({ kind, httpCode }: Failure): boolean {
	return kind === 'rateLimited' || (kind === 'unauthorised' && httpCode !== 403);
}

/** Lets a number of things happen at a time, in the order in which they came. */
class Semaphore {
	private active = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly permits: number) {}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.active < this.permits) this.active += 1;
		else await new Promise<void>((acquired) => this.waiting.push(acquired));
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	private release(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.active -= 1;
	}
}
