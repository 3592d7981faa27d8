import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import { Failure, toFailure } from '../values/failure';
import { RunState } from './runState';

export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

type Perform = () => Promise<ItemResult[]>;

interface BatchRunOptions {
	itemCount: number;
	continueOnFail: boolean;
	isWrite: boolean;
}

/**
 * Runs all items of a node in order. By itself, n8n starts all of them at once, and after a failure it still sends the rest.
 * - Every item is checked before anything is sent. Unless the node continues on error, the first failure stops the rest.
 * - Writes go one at a time; reads go a few at a time.
 * - With *Retry On Fail* n8n runs all items again. A write that succeeded, or may have been carried out, is not sent again.
 * - Results that a wrong key may cause, too, are held back until the key is proved; see `KeyProof`.
 */
export class BatchRun {
	/** By item: of this try, and of the writes of earlier tries. */
	private readonly outcomes: Map<number, Promise<ItemResult[] | Failure>>;
	/** By item and name; see `ItemContext.step`. */
	private readonly steps: Map<string, IDataObject>;
	private readonly connections = new Map<string, RunState>();
	/** By item whose results are held back. */
	private readonly keyProofs = new Map<number, Promise<void>>();
	private turnsLeft = 0;
	private readonly checks: Array<Promise<unknown>> = [];
	private readonly allChecked: Promise<unknown>;
	/** After n8n has started the items, which may block the process so long that reading a credential times out. */
	private readonly begun = sleep(0);
	private resolveStarted: () => void = () => undefined;
	/** Never resolves if an expression of an item fails: n8n then stops before the last one. */
	private readonly allStarted = new Promise<void>((resolve) => {
		this.resolveStarted = resolve;
	});
	private readonly inCheckOrder = limited(CHECKS_AT_ONCE);
	private readonly inOrder: ReturnType<typeof limited>;
	/** n8n starts the items in their order. */
	private lastStarted = -1;
	private isStopped = false;

	/** @param previous the last try, if n8n runs the same items again */
	constructor(
		private readonly options: BatchRunOptions,
		previous?: BatchRun,
	) {
		const { continueOnFail, isWrite } = options;
		this.inOrder = limited(isWrite ? 1 : READS_IN_FLIGHT);
		this.outcomes =
			(isWrite ? previous?.outcomes : undefined) ??
			new Map<number, Promise<ItemResult[] | Failure>>();
		this.steps = previous?.steps ?? new Map<string, IDataObject>();
		this.allChecked = (continueOnFail ? this.begun : this.allStarted).then(
			async () => await Promise.all(this.checks),
		);
	}

	/** Whether n8n has already started the item; if so, it now belongs to the next try. */
	isPast(item: number): boolean {
		return item <= this.lastStarted;
	}

	/** Prepares an item, and performs it at its turn. @returns no results if another item failed before */
	async run(item: number, prepare: () => Promise<Perform>): Promise<ItemResult[]> {
		this.lastStarted = item;
		this.turnsLeft += 1;
		const prepared = this.inCheckOrder(async () => {
			await this.begun;
			return await prepare();
		});
		// Noted at once, so that it is known before the first request.
		this.checks.push(prepared.catch(() => this.noteFailure()));
		if (item === this.options.itemCount - 1) this.resolveStarted();
		try {
			await this.inOrder(async () => {
				await this.allChecked;
				await this.performOnce(item, await prepared);
			}).finally(() => this.endTurn());
			const outcome = (await this.outcomes.get(item)) ?? [];
			if (!(outcome instanceof Failure)) return outcome;
			this.noteFailure();
			throw outcome;
		} catch (error) {
			throw await this.withProgress(toFailure(error), item);
		}
	}

	connection({ connectionKey }: Pick<Connection, 'connectionKey'>): RunState {
		const shared = this.connections.get(connectionKey) ?? new RunState();
		this.connections.set(connectionKey, shared);
		return shared;
	}

	async step(item: number, name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const key = `${item} ${name}`;
		const result = this.steps.get(key) ?? (await write());
		this.steps.set(key, result);
		return result;
	}

	/** Holds the results of an item back until the key is proved. Its turn ends meanwhile, so no other row waits for that. */
	awaitProof(item: number, proved: Promise<void>): void {
		// Awaited at the end of its turn.
		proved.catch(() => undefined);
		this.keyProofs.set(item, proved);
	}

	private async performOnce(item: number, perform: Perform): Promise<void> {
		let outcome = await this.outcomes.get(item);
		if (!outcome || (outcome instanceof Failure && outcome.mayRetry)) {
			if (this.isStopped) return;
			const attempt = perform().catch(toFailure);
			this.outcomes.set(item, this.onceProved(item, attempt));
			outcome = await attempt;
		}
		if (outcome instanceof Failure) this.noteFailure();
	}

	private async onceProved(
		item: number,
		attempt: Promise<ItemResult[] | Failure>,
	): Promise<ItemResult[] | Failure> {
		const outcome = await attempt;
		const failure = await this.keyProofs.get(item)?.then(() => undefined, toFailure);
		return failure ?? outcome;
	}

	/** Every item has one turn, and all are started before the first. */
	private endTurn(): void {
		this.turnsLeft -= 1;
		if (this.turnsLeft > 0) return;
		for (const { keyProof } of this.connections.values()) void keyProof.end();
	}

	private noteFailure(): void {
		this.isStopped ||= !this.options.continueOnFail;
	}

	private async withProgress(failure: Failure, item: number): Promise<Failure> {
		const { itemCount, continueOnFail } = this.options;
		if (continueOnFail || itemCount === 1 || failure.kind === 'cancelled') return failure;
		// Reads may still be in flight. No further one begins.
		const outcomes = await Promise.all(this.outcomes.values());
		const succeeded = outcomes.filter((outcome) => !(outcome instanceof Failure)).length;
		const progress =
			outcomes.length === 0
				? 'nothing was sent'
				: `${succeeded} succeeded, ${itemCount - outcomes.length} not sent`;
		return failure.with({
			message: `${failure.message} (item ${item + 1} of ${itemCount}: ${progress})`,
		});
	}
}

/** Each check reads the credential. If thousands did so at once, n8n's database would time out. */
const CHECKS_AT_ONCE = 10;
const READS_IN_FLIGHT = 5;

/** Runs at most `permits` pieces of work at a time, first come, first served. */
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
