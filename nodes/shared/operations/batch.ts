// The order of a node's rows: all are checked before the first is executed, writes go one at a time, the first failure stops
// the rest, and the next try of Retry On Fail repeats no write.

import { type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import type { RowLabel } from './output';
import { Semaphore } from './semaphore';
import { WriteLog } from './writeLog';

interface BatchOptions {
	rowCount: number;
	isWrite: boolean;
	/** Whether a failed row stops no other. */
	continues: boolean;
	/** Whether an AI agent calls the node as a tool. */
	isToolCall: boolean;
}

/** Sends the requests of a row. @throws Failure */
type ExecuteRow = (writes: WriteLog) => Promise<INodeExecutionData[]>;

/** Reads and checks a row, and sends nothing. @throws Failure */
type CheckRow = () => Promise<ExecuteRow>;

/** Each check reads the credential. If thousands did so at once, n8n's database would time out. */
const CHECKS_AT_ONCE = 10;
const READS_AT_ONCE = 5;

/** n8n calls a declarative node once for each row, all at the same time. The calls of one try are a batch. */
export class Batch {
	/** By row; shared with the tries before. */
	private readonly writeLogs: Map<number, WriteLog>;
	private readonly checks = new Semaphore(CHECKS_AT_ONCE);
	private readonly executions: Semaphore;
	private readonly checkedRows: Array<Promise<{ label: RowLabel; isInvalid: boolean }>> = [];
	private markAllStarted = (): void => undefined;
	/** Resolves when n8n has called for the last row: after an expression that fails in a row it calls for no further one. */
	private readonly allStarted: Promise<unknown>;
	/** The rows that cannot be sent, once all are checked. */
	private readonly invalidRows: Promise<RowLabel[]>;
	private lastStarted = -1;
	private isStopped = false;

	/** @param previous the last try, if n8n runs the same rows again */
	constructor(
		readonly options: BatchOptions,
		previous?: Batch,
	) {
		const { isWrite, continues } = options;
		this.executions = new Semaphore(isWrite ? 1 : READS_AT_ONCE);
		this.writeLogs = (isWrite ? previous?.writeLogs : undefined) ?? new Map<number, WriteLog>();
		const lastStarted = new Promise<void>((resolve) => (this.markAllStarted = resolve));
		this.allStarted = continues ? sleep(0) : lastStarted;
		this.invalidRows = this.findInvalidRows();
	}

	/** Whether n8n has already called for the row; if so, it now belongs to the next try. */
	isPast(row: number): boolean {
		return row <= this.lastStarted;
	}

	/** @param label how messages name the row @returns no items if another row failed before */
	async run(
		row: number,
		label: RowLabel,
		checkRow: CheckRow,
	): Promise<INodeExecutionData[] | Failure> {
		this.lastStarted = row;
		const checked = this.check(checkRow);
		this.checkedRows.push(checked.then((each) => ({ label, isInvalid: each instanceof Failure })));
		if (row === this.options.rowCount - 1) this.markAllStarted();
		return await this.executions.run(async () => await this.execute(row, label, await checked));
	}

	/** For a row that is being executed: goes on when all other rows have been. */
	async yieldTurn(): Promise<void> {
		await this.executions.yield();
	}

	private async check(checkRow: CheckRow): Promise<ExecuteRow | Failure> {
		const checked = this.checks.run(async () => {
			await this.allStarted;
			return await checkRow();
		});
		return await checked.catch((error: unknown) => this.stop(error));
	}

	private async findInvalidRows(): Promise<RowLabel[]> {
		await this.allStarted;
		const checked = await Promise.all(this.checkedRows);
		return checked.filter(({ isInvalid }) => isInvalid).map(({ label }) => label);
	}

	private async execute(
		row: number,
		label: RowLabel,
		checked: ExecuteRow | Failure,
	): Promise<INodeExecutionData[] | Failure> {
		const invalidRows = await this.invalidRows;
		if (checked instanceof Failure) return this.located(label, checked, nothingSent(invalidRows));
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

	/** Writes go in order, so those before it succeeded, and those behind it were not sent. */
	private progressAt(row: number): string {
		const { isWrite, rowCount } = this.options;
		return isWrite ? `${row} succeeded, ${rowCount - row - 1} not sent` : '';
	}

	/** The failure, naming its row if it stops the run. */
	private located(label: RowLabel, failure: Failure, progress: string): Failure {
		const { continues, rowCount } = this.options;
		if (continues || rowCount === 1 || failure.kind === 'cancelled') return failure;
		const where = progress === '' ? `[${label.text}]` : `[${label.text}] (${progress})`;
		return failure.with({ message: `${failure.message} ${where}` });
	}
}

const MOST_NAMED = 10;

function nothingSent(invalidRows: readonly RowLabel[]): string {
	if (invalidRows.length < 2) return 'nothing was sent';
	const numbers = invalidRows.slice(0, MOST_NAMED).map(({ number }) => number);
	const others = invalidRows.length > MOST_NAMED ? ', …' : '';
	return `nothing was sent; ${invalidRows.length} items have errors: ${numbers.join(', ')}${others}; 'On Error: Continue' shows all`;
}
