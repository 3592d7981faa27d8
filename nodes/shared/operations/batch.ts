// The order of a node's rows: all are checked before the first is executed, writes go one at a time, the first failure stops
// the rest, and the next try of Retry On Fail repeats no write.

import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { integerIn } from '../values/json';

/** How messages name a row, and its number there. */
export interface RowLabel {
	text: string;
	number: number;
}

/** By the number of the row in its sheet, if a node for sheets gave one; else by that of the item. */
export function rowLabel({ row_number }: IDataObject, index: number): RowLabel {
	const number = integerIn(row_number);
	return number === undefined
		? { text: `item ${index + 1}`, number: index + 1 }
		: { text: `row ${number}`, number };
}

export interface ExecuteRow {
	(writes: WriteLog): Promise<INodeExecutionData[]>;
	/** Called when all rows are checked. @throws Failure if the row cannot be sent beside the others */
	recheck?: (() => void) | undefined;
}

/** Checks a row. @throws Failure if it cannot be sent */
type CheckRow = () => ExecuteRow;

/** Each check reads the credential. If thousands did so at once, n8n's database would time out. */
const CHECKS_AT_ONCE = 10;
const READS_AT_ONCE = 5;

const MOST_NAMED = 10;

export interface BatchOptions {
	rowCount: number;
	isWrite: boolean;
	/** Whether a failed row stops no other. */
	continues: boolean;
	/** The option that shows the errors of all rows, as messages name it. */
	showsAll: string;
}

/** n8n calls a declarative node once for each row, all at the same time. The calls of one try are a batch. */
export class Batch {
	/** By row; shared with the tries before. */
	private readonly writeLogs: Map<number, WriteLog>;
	private readonly checks = new Semaphore(CHECKS_AT_ONCE);
	private readonly executions: Semaphore;
	/** Of each row that was checked, its label if it cannot be sent. */
	private readonly invalidLabels: Array<Promise<RowLabel[]>> = [];
	private markAllStarted = (): void => undefined;
	/** Resolves when n8n has called for the last row: after an expression that fails in a row it calls for no further one. */
	private readonly allStarted: Promise<unknown>;
	private readonly invalidRows: Promise<RowLabel[]>;
	private lastStarted = -1;
	private lastCheck: Promise<unknown> = Promise.resolve();
	private isStopped = false;

	constructor(
		private readonly options: BatchOptions,
		previousTry?: Batch,
	) {
		const { isWrite, continues } = options;
		this.executions = new Semaphore(isWrite ? 1 : READS_AT_ONCE);
		this.writeLogs = (isWrite ? previousTry?.writeLogs : undefined) ?? new Map<number, WriteLog>();
		const lastStarted = new Promise<void>((resolve) => (this.markAllStarted = resolve));
		this.allStarted = continues ? sleep(0) : lastStarted;
		this.invalidRows = this.findInvalidRows();
	}

	/** Whether n8n has already called for the row; if so, it now calls for the next try. */
	isPast(row: number): boolean {
		return row <= this.lastStarted;
	}

	/** @param connectRow sends nothing @returns no items if another row failed before */
	async run(
		row: number,
		label: RowLabel,
		connectRow: () => Promise<CheckRow>,
	): Promise<INodeExecutionData[] | Failure> {
		this.lastStarted = row;
		const check = this.check(connectRow, this.lastCheck);
		this.lastCheck = check;
		const checked = this.recheck(check);
		this.invalidLabels.push(checked.then((each) => (each instanceof Failure ? [label] : [])));
		if (row === this.options.rowCount - 1) this.markAllStarted();
		return await this.executions.run(async () => await this.execute(row, label, await checked));
	}

	/** For a row that is being executed: goes on when all other rows have been. */
	async yieldTurn(): Promise<void> {
		await this.executions.yield();
	}

	/** A credential is read faster or slower, but of two rows about one record, the first is checked first. */
	private async check(
		connectRow: () => Promise<CheckRow>,
		before: Promise<unknown>,
	): Promise<ExecuteRow | Failure> {
		const check = async (): Promise<ExecuteRow> => {
			await this.allStarted;
			const checkRow = await connectRow();
			await before;
			return checkRow();
		};
		return await this.checks.run(check).catch((error: unknown) => this.stop(error));
	}

	private async recheck(check: Promise<ExecuteRow | Failure>): Promise<ExecuteRow | Failure> {
		await this.allStarted;
		// Each check waits for the one before it.
		await this.lastCheck;
		const execute = await check;
		if (execute instanceof Failure) return execute;
		try {
			execute.recheck?.();
			return execute;
		} catch (error) {
			return this.stop(error);
		}
	}

	private async findInvalidRows(): Promise<RowLabel[]> {
		await this.allStarted;
		return (await Promise.all(this.invalidLabels)).flat();
	}

	private async execute(
		row: number,
		label: RowLabel,
		checked: ExecuteRow | Failure,
	): Promise<INodeExecutionData[] | Failure> {
		const invalidRows = await this.invalidRows;
		if (checked instanceof Failure)
			return this.located(label, checked, this.nothingSent(invalidRows));
		if (this.isStopped) return [];
		const writes = this.writeLogs.get(row) ?? new WriteLog();
		this.writeLogs.set(row, writes);
		const outcome = await writes.row.once(async () => await checked(writes));
		if (!(outcome instanceof Failure)) return outcome;
		return this.located(label, this.stop(outcome), this.progressAt(row));
	}

	private stop(error: unknown): Failure {
		this.isStopped ||= !this.options.continues;
		return toFailure(error);
	}

	private nothingSent(invalidRows: readonly RowLabel[]): string {
		if (invalidRows.length < 2) return 'nothing was sent';
		const numbers = invalidRows.slice(0, MOST_NAMED).map(({ number }) => number);
		const others = invalidRows.length > MOST_NAMED ? ', …' : '';
		return `nothing was sent; ${invalidRows.length} items have errors: ${numbers.join(', ')}${others}; ${this.options.showsAll} shows all`;
	}

	/** Writes go in order, so those before it succeeded, and those behind it were not sent. */
	private progressAt(row: number): string {
		const { isWrite, rowCount } = this.options;
		return isWrite ? `${row} succeeded, ${rowCount - row - 1} not sent` : '';
	}

	private located(label: RowLabel, failure: Failure, progress: string): Failure {
		const { continues, rowCount } = this.options;
		if (continues || rowCount === 1 || failure.kind === 'cancelled') return failure;
		const where = progress === '' ? `[${label.text}]` : `[${label.text}] (${progress})`;
		return failure.with({ message: `${failure.message} ${where}` });
	}
}

/** Work that the next try does not repeat, unless it failed and may be done again. */
class LoggedWrite<T> {
	private outcome: Promise<T | Failure> | undefined;

	async once(work: () => Promise<T>): Promise<T | Failure> {
		const known = await this.outcome;
		if (known && !(known instanceof Failure && known.mayRetry)) return known;
		this.outcome = work().catch(toFailure);
		return await this.outcome;
	}
}

/** What became of a row and of its writes, so that *Retry On Fail* repeats no write that may have been carried out. */
export class WriteLog {
	readonly row = new LoggedWrite<INodeExecutionData[]>();
	private readonly writes = new Map<string, LoggedWrite<IDataObject>>();

	/** Whether this or an earlier try sent the write. */
	hasTried(name: string): boolean {
		return this.writes.has(name);
	}

	/** Sends a write, unless an earlier try did and it may have been carried out. @throws Failure, maybe of an earlier try */
	async once(name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const logged = this.writes.get(name) ?? new LoggedWrite<IDataObject>();
		this.writes.set(name, logged);
		const outcome = await logged.once(write);
		if (outcome instanceof Failure) throw outcome;
		return outcome;
	}
}

/** Runs so many pieces of work at a time, first come, first served. */
class Semaphore {
	private free: number;
	private readonly waiting = new Set<() => void>();
	private readonly yielded: Array<() => void> = [];

	constructor(private readonly permits: number) {
		this.free = permits;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((start) => this.waiting.add(start));
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	/** Gives the permit of the running work to others, and gets one back when nobody else has or wants one. */
	async yield(): Promise<void> {
		const idle = new Promise<void>((resume) => this.yielded.push(resume));
		this.release();
		await idle;
		this.free -= 1;
	}

	private release(): void {
		const [next] = this.waiting;
		if (next) {
			this.waiting.delete(next);
			next();
			return;
		}
		this.free += 1;
		if (this.free < this.permits) return;
		for (const resume of this.yielded.splice(0)) resume();
	}
}
