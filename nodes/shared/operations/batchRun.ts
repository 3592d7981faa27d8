import type { IDataObject } from 'n8n-workflow';

import { Failure, failureIn, unforeseenFailure } from '../values/failure';

/** What is to be sent for one input item. */
export interface ItemWork {
	/** Which key at which service: two items may have two, see `Connection.connectionKey`. */
	connectionKey: string;
	/** Whether it changes something at the service. */
	isWrite: boolean;
	/** Whether one answer serves all items of the run that ask the same. */
	deduplicate: boolean;
	/** Tells this work from any other: the same text means the same request. */
	requestKey: string;
	/** Sends it. Failure: see there. */
	perform(): Promise<IDataObject[]>;
}

export interface BatchRunOptions {
	/** Items that n8n starts at once, where that can be known. */
	itemCount: number | undefined;
	/** Whether the node's setting *On Error* lets the other items go on. */
	continueOnFail: boolean;
	/** Resolves when n8n has started all items that it starts at once. */
	allStarted: Promise<void>;
	/** The run of the same items that n8n repeats with this one. */
	previous: BatchRun | undefined;
}

type Outcome = { results: IDataObject[] } | { failure: Failure };

/** Reads of one run that are under way at once. */
const READS_IN_FLIGHT = 5;

/**
 * The items of one run of a node. n8n starts them all at once, none knows of the others, and a failure of one does not
 * keep back the rest. Here they become one orderly whole:
 *
 * - Every item is checked before anything is sent: one bad value in a sheet stops the run before its first request,
 *   unless the node continues on error.
 * - Writes go one at a time in the order of the items, so that records are made in the order of the rows; reads go a
 *   few at a time.
 * - Unless the node continues on error, the first failure stops what has not been sent, and says how far the run came.
 * - When n8n runs the node once more (its setting *Retry On Fail*), writes that succeeded are not sent again, and
 *   neither is one that may have been carried out: what became of them the first time counts.
 */
export class BatchRun {
	private readonly started = new Set<number>();
	private readonly checks: Array<Promise<unknown>> = [];
	private readonly outcomes = new Map<string, Outcome>();
	private readonly asked = new Map<string, Promise<IDataObject[]>>();
	private readonly writes = new Semaphore(1);
	private readonly reads = new Semaphore(READS_IN_FLIGHT);
	private readonly ready: Promise<void>;
	/** What ended the run: nothing more is sent after it. */
	private end: Failure | undefined;
	/** What ended it for an connectionKey alone. */
	private readonly endOf = new Map<string, Failure>();
	private hasFailed = false;
	private isAbandoned = false;
	/** Items whose turn came, and those of them that went well. */
	private taken = 0;
	private succeeded = 0;

	constructor(private readonly options: BatchRunOptions) {
		this.ready = this.everythingChecked();
	}

	/** Whether this run already has that item: then n8n has begun the next run. */
	has(itemIndex: number): boolean {
		return this.started.has(itemIndex);
	}

	/** The run to take up when n8n repeats this one: undefined if nothing in it failed, for then it is no repeat. */
	get toRepeat(): BatchRun | undefined {
		return this.hasFailed ? this : undefined;
	}

	/**
	 * Does the work of one item when its turn comes.
	 * @param check looks at what the user entered, without sending anything. Failure: input
	 * @returns the item's results; nothing, if the run ended before its turn
	 * @throws Failure of this item
	 */
	async item(itemIndex: number, check: () => Promise<ItemWork>): Promise<IDataObject[]> {
		this.started.add(itemIndex);
		const checked = this.settled(check);
		this.checks.push(checked);
		await this.ready;

		const outcome = await this.outcomeOf(itemIndex, await checked);
		if ('results' in outcome) return outcome.results;
		if (this.options.continueOnFail) throw outcome.failure;
		await Promise.all([this.writes.idle(), this.reads.idle()]);
		throw this.withProgress(outcome.failure, itemIndex);
	}

	private async everythingChecked(): Promise<void> {
		await this.options.allStarted;
		const { itemCount, continueOnFail } = this.options;
		// An expression that fails in a later item makes n8n drop the run without a word to the items before it.
		this.isAbandoned = !continueOnFail && itemCount !== undefined && this.started.size < itemCount;
		await Promise.all(this.checks);
	}

	/** The work, or why there is none; noted at once, so that it is known before the first request. */
	private async settled(check: () => Promise<ItemWork>): Promise<ItemWork | Failure> {
		try {
			return await check();
		} catch (error) {
			return this.note(failureOf(error));
		}
	}

	private async outcomeOf(itemIndex: number, checked: ItemWork | Failure): Promise<Outcome> {
		if (this.isAbandoned) return { results: [] };
		if (checked instanceof Failure) return { failure: checked };
		const gate = checked.isWrite ? this.writes : this.reads;
		return await gate.pass(async () => await this.outcomeAtTurn(itemIndex, checked));
	}

	private async outcomeAtTurn(itemIndex: number, work: ItemWork): Promise<Outcome> {
		const end = this.end ?? this.endOf.get(work.connectionKey);
		if (end) return this.options.continueOnFail ? { failure: end } : { results: [] };
		this.taken += 1;
		const key = `${itemIndex} ${work.requestKey}`;
		const outcome = this.outcomeBefore(key, work) ?? (await this.outcomeNow(work));
		if (work.isWrite) this.outcomes.set(key, outcome);
		if ('results' in outcome) this.succeeded += 1;
		return outcome;
	}

	/** What became of a write in the run that this one repeats, if it must not be sent again. */
	private outcomeBefore(key: string, work: ItemWork): Outcome | undefined {
		if (!work.isWrite) return undefined;
		const before = this.options.previous?.outcomes.get(key);
		if (before === undefined || 'results' in before) return before;
		if (!before.failure.outcomeUnknown) return undefined;
		this.note(before.failure, work);
		return before;
	}

	private async outcomeNow(work: ItemWork): Promise<Outcome> {
		try {
			return { results: await this.perform(work) };
		} catch (error) {
			return { failure: this.note(failureOf(error), work) };
		}
	}

	private async perform(work: ItemWork): Promise<IDataObject[]> {
		const question = `${work.connectionKey} ${work.requestKey}`;
		const asked = work.deduplicate ? this.asked.get(question) : undefined;
		if (asked) return await asked;
		const answer = work.perform();
		if (work.deduplicate) this.asked.set(question, answer);
		return await answer;
	}

	private note(failure: Failure, work?: ItemWork): Failure {
		this.hasFailed = true;
		if (!this.options.continueOnFail || failure.kind === 'cancelled') this.end ??= failure;
		else if (work && isFatal(failure)) this.endOf.set(work.connectionKey, failure);
		return failure;
	}

	private withProgress(failure: Failure, itemIndex: number): Failure {
		const total = this.options.itemCount ?? this.started.size;
		if (total <= 1 || failure.kind === 'cancelled') return failure;
		const progress =
			this.taken === 0
				? 'nothing was sent'
				: `${this.succeeded} succeeded, ${Math.max(0, total - this.taken)} not sent`;
		return failure.with({
			message: `${failure.message} (item ${itemIndex + 1} of ${total}: ${progress})`,
		});
	}
}

/** Whether every further item of the connectionKey would fail the same way. A 403 may be about one record only. */
function isFatal({ kind, httpCode }: Failure): boolean {
	return kind === 'unauthorised' && httpCode !== 403;
}

function failureOf(error: unknown): Failure {
	return failureIn(error) ?? unforeseenFailure(error);
}

/** Lets a number of things happen at a time, in the order in which they came. */
class Semaphore {
	private active = 0;
	private readonly waiting: Array<() => void> = [];
	private readonly idleWaiters: Array<() => void> = [];

	constructor(private readonly width: number) {}

	async pass<T>(work: () => Promise<T>): Promise<T> {
		if (this.active < this.width) this.active += 1;
		else await new Promise<void>((admitted) => this.waiting.push(admitted));
		try {
			return await work();
		} finally {
			this.leave();
		}
	}

	/** Resolves when nothing is under way and nothing waits. */
	async idle(): Promise<void> {
		if (this.active === 0) return;
		await new Promise<void>((idle) => this.idleWaiters.push(idle));
	}

	private leave(): void {
		const next = this.waiting.shift();
		if (next) {
			next();
			return;
		}
		this.active -= 1;
		if (this.active === 0) this.idleWaiters.splice(0).forEach((idle) => idle());
	}
}
