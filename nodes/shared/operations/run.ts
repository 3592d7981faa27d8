// The order of a node's rows: all are prepared before the first has its turn, writes go one at a time, the first failure stops
// the rest, and the next try of Retry On Fail repeats no write.

import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';

interface RunOptions {
	rowCount: number;
	isWrite: boolean;
	/** Whether a failed row stops no other. */
	continues: boolean;
}

/** Reads and checks a row; sends nothing. @returns what to do at its turn */
type Prepare = () => Promise<(memory: Memory) => Promise<INodeExecutionData[]>>;

/** n8n calls a declarative node once for each row, all at the same time. The calls of one try are a run. */
export class Run {
	/** By row; shared with the tries before. */
	private readonly memories: Map<number, Memory>;
	private readonly preparing: Array<Promise<unknown>> = [];
	private readonly preparation = new Turns(PREPARED_AT_ONCE);
	private readonly turns: Turns;
	private allStarted = (): void => undefined;
	/** Resolves when n8n has called for the last row: after an expression that fails in a row it calls for no further one. */
	private readonly started: Promise<unknown>;
	/** How many rows cannot be sent, once all are prepared. */
	private readonly prepared: Promise<number>;
	private lastStarted = -1;
	private isStopped = false;

	/** @param previous the last try, if n8n runs the same rows again */
	constructor(
		readonly options: RunOptions,
		previous?: Run,
	) {
		const { isWrite, continues } = options;
		this.turns = new Turns(isWrite ? 1 : READS_AT_ONCE);
		this.memories = (isWrite ? previous?.memories : undefined) ?? new Map<number, Memory>();
		const last = new Promise<void>((resolve) => (this.allStarted = resolve));
		this.started = continues ? sleep(0) : last;
		this.prepared = this.started.then(async () => {
			const prepared = await Promise.all(this.preparing);
			return prepared.filter((each) => each instanceof Failure).length;
		});
	}

	/** Whether n8n has already called for the row; if so, it now belongs to the next try. */
	isPast(row: number): boolean {
		return row <= this.lastStarted;
	}

	/** @param place how messages name the row @returns no results if another row failed before */
	async take(
		row: number,
		place: string,
		prepare: Prepare,
	): Promise<INodeExecutionData[] | Failure> {
		this.lastStarted = row;
		const prepared = this.preparation.take(async () => {
			await this.started;
			return await prepare();
		});
		const preparing = prepared.catch((error: unknown) => this.failure(error));
		this.preparing.push(preparing);
		if (row === this.options.rowCount - 1) this.allStarted();
		return await this.turns.take(async () => {
			const bad = await this.prepared;
			const perform = await preparing;
			const others = bad > 1 ? `, ${bad} items have errors` : '';
			if (perform instanceof Failure)
				return this.placed(place, perform, `nothing was sent${others}`);
			if (this.isStopped) return [];
			const memory = this.memories.get(row) ?? new Memory();
			this.memories.set(row, memory);
			const outcome = await memory.whole.once(async () => await perform(memory));
			if (!(outcome instanceof Failure)) return outcome;
			return this.placed(place, this.failure(outcome), this.progress(row));
		});
	}

	/** To be called at the turn of a row: goes on when all other rows have had theirs. */
	async letOthersPass(): Promise<void> {
		await this.turns.pass();
	}

	/** Writes go in order, so those before it succeeded, and those behind it were not sent. */
	private progress(row: number): string {
		const { isWrite, rowCount } = this.options;
		return isWrite ? `${row} succeeded, ${rowCount - row - 1} not sent` : '';
	}

	private failure(error: unknown): Failure {
		this.isStopped ||= !this.options.continues;
		return toFailure(error);
	}

	/** The failure, with the place of its row if it stops the run. */
	private placed(place: string, failure: Failure, progress: string): Failure {
		const { continues, rowCount } = this.options;
		if (continues || rowCount === 1 || failure.kind === 'cancelled') return failure;
		const where = [place, progress].filter(Boolean).join(': ');
		return failure.with({ message: `${failure.message} (${where})` });
	}
}

/** Each preparation reads the credential. If thousands did so at once, n8n's database would time out. */
const PREPARED_AT_ONCE = 10;
const READS_AT_ONCE = 5;

/** So many pieces of work at a time, first come, first served. */
class Turns {
	private free: number;
	private readonly waiting: Array<() => void> = [];
	private readonly passed: Array<() => void> = [];

	constructor(private readonly permits: number) {
		this.free = permits;
	}

	async take<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((go) => this.waiting.push(go));
		try {
			return await work();
		} finally {
			this.end();
		}
	}

	/** Ends a turn, and begins another one when nobody else has or waits for one. */
	async pass(): Promise<void> {
		const others = new Promise<void>((go) => this.passed.push(go));
		this.end();
		await others;
		this.free -= 1;
	}

	private end(): void {
		const next = this.waiting.shift();
		if (next) {
			next();
			return;
		}
		this.free += 1;
		if (this.free === this.permits) for (const go of this.passed.splice(0)) go();
	}
}

/** Work that the next try does not repeat, unless it failed and may be done again. */
class Step<T> {
	private outcome: Promise<T | Failure> | undefined;

	async once(work: () => Promise<T>): Promise<T | Failure> {
		const known = await this.outcome;
		if (known && !(known instanceof Failure && known.mayRetry)) return known;
		this.outcome = work().catch(toFailure);
		return await this.outcome;
	}
}

/** What became of a row, as a whole and of each of its writes. */
export class Memory {
	readonly whole = new Step<INodeExecutionData[]>();
	private readonly writes = new Map<string, Step<IDataObject>>();

	/** Whether this or an earlier try sent the write. */
	hasTried(name: string): boolean {
		return this.writes.has(name);
	}

	/** Sends a write, which *Retry On Fail* repeats only if it was not carried out. @throws Failure, maybe of an earlier try */
	async once(name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const step = this.writes.get(name) ?? new Step<IDataObject>();
		this.writes.set(name, step);
		const outcome = await step.once(write);
		if (outcome instanceof Failure) throw outcome;
		return outcome;
	}
}
