// The order of a node's rows: all are checked before the first is executed, writes go one at a time, and the first failure stops
// the rest.

import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { integerIn } from '../values/json';

/** How messages name a row: by its number in its sheet, if a node for sheets gave one; else by that of the item. */
export function rowLabel({ row_number }: IDataObject, index: number): string {
	const number = integerIn(row_number);
	return number === undefined ? `item ${index + 1}` : `row ${number}`;
}

export interface BatchRow {
	index: number;
	label: string;
	/** What became of the row in an earlier try. */
	writes: WriteLog;
	/** Reads the credential. @throws Failure if it cannot be used */
	connect: () => Promise<void>;
	/** Sends nothing. @throws Failure if the row cannot be sent */
	check: () => RowTask;
}

export interface RowTask {
	execute: () => Promise<INodeExecutionData[]>;
	/** Done when all rows were executed. @throws Failure if the items must not be believed */
	readonly checks: ReadonlyArray<() => Promise<void>>;
}

type Outcome = INodeExecutionData[] | Failure;

interface WaitingRow extends BatchRow {
	task?: RowTask;
	outcome: Outcome;
	resolve: (outcome: Outcome) => void;
}

/** If thousands of credentials were read at once, n8n's database would time out. */
const CREDENTIALS_AT_ONCE = 10;
const READS_AT_ONCE = 5;

export interface BatchOptions {
	rowCount: number;
	isWrite: boolean;
	/** Whether a failed row stops no other. */
	continues: boolean;
}

/** n8n calls a declarative node once for each row, all at the same time. The calls of one try are a batch. */
export class Batch {
	private waiting: WaitingRow[] = [];
	private running: Promise<unknown> = Promise.resolve();
	private lastRow = -1;
	private isStopped = false;

	constructor(private readonly options: BatchOptions) {}

	/** Whether n8n has already called for the row; if so, it now calls for the next try. */
	isPast(row: number): boolean {
		return row <= this.lastRow;
	}

	/**
	 * After an expression that fails in a row, n8n calls for no further one. So without *Continue*, nothing is sent before the last row
	 * has come; with it, whatever has come is executed. @returns no items if another row failed before
	 */
	async run(row: BatchRow): Promise<Outcome> {
		const { rowCount, continues } = this.options;
		this.lastRow = row.index;
		const outcome = new Promise<Outcome>((resolve) =>
			this.waiting.push({ ...row, outcome: [], resolve }),
		);
		const isFirst = this.waiting.length === 1;
		if (continues && isFirst) void sleep(0).then(() => this.runNext());
		if (!continues && row.index === rowCount - 1) this.runNext();
		return await outcome;
	}

	private runNext(): void {
		this.running = this.running.then(async () => await this.runWaiting());
	}

	private async runWaiting(): Promise<void> {
		const rows = this.waiting.splice(0);
		await this.each(rows, CREDENTIALS_AT_ONCE, async (row) => await row.connect());
		// Of two rows about one record, the first is checked first.
		await this.each(rows, 1, (row) => void (row.task = row.check()));
		const invalid = rows.filter(({ outcome }) => outcome instanceof Failure).length;
		await this.each(rows, this.options.isWrite ? 1 : READS_AT_ONCE, async (row) => {
			const { writes, label, task } = row;
			if (task && !this.isStopped)
				row.outcome = await writes.rows.once(label, () => task.execute());
		});
		await this.each(rows, 1, async ({ task }) => {
			for (const check of task?.checks ?? []) await check();
		});
		for (const row of rows) row.resolve(this.located(row, invalid));
	}

	/** Takes a step with each row that has not failed, first come, first served. @param atOnce how many at a time */
	private async each(
		rows: readonly WaitingRow[],
		atOnce: number,
		step: (row: WaitingRow) => Promise<void> | void,
	): Promise<void> {
		const left = rows.filter(({ outcome }) => !(outcome instanceof Failure)).values();
		const worker = async (): Promise<void> => {
			for (const row of left)
				try {
					await step(row);
				} catch (error) {
					row.outcome = toFailure(error);
					this.isStopped ||= !this.options.continues;
				}
		};
		await Promise.all(Array.from({ length: atOnce }, worker));
	}

	/** Writes go in order, so those before the one that failed succeeded, and those behind it were not sent. */
	private located({ outcome, label, index }: WaitingRow, invalid: number): Outcome {
		const { continues, rowCount, isWrite } = this.options;
		const isAlone = continues || rowCount === 1;
		if (!(outcome instanceof Failure) || isAlone || outcome.kind === 'cancelled') return outcome;
		const sent = isWrite ? ` (${index} succeeded, ${rowCount - index - 1} not sent)` : '';
		const progress = invalid > 0 ? nothingSent(invalid) : sent;
		return outcome.with({ message: `${outcome.message} [${label}]${progress}` });
	}
}

const nothingSent = (invalid: number): string =>
	invalid < 2
		? ' (nothing was sent)'
		: ` (nothing was sent; ${invalid} items have errors, which 'On Error: Continue' shows)`;

/** What became of work by its name: *Retry On Fail* repeats none that may have been carried out. */
class Log<T> {
	private readonly outcomes = new Map<string, Promise<T>>();

	/** Whether this or an earlier try sent the write. */
	hasTried(name: string): boolean {
		return this.outcomes.has(name);
	}

	/** Whether an earlier try sent it, and it succeeded. */
	async hasDone(name: string): Promise<boolean> {
		const done = this.outcomes.get(name)?.then(() => true);
		return (await done?.catch(() => false)) ?? false;
	}

	/** Does it, unless an earlier try did and it may have been carried out. @throws Failure, maybe of an earlier try */
	async once(name: string, work: () => Promise<T>): Promise<T> {
		const known = this.outcomes.get(name);
		const isFinal = await known?.then(
			() => true,
			(error: unknown) => !toFailure(error).mayRetry,
		);
		const outcome = known && isFinal === true ? known : work();
		this.outcomes.set(name, outcome);
		return await outcome;
	}
}

export class WriteLog extends Log<IDataObject> {
	/** The row itself. */
	readonly rows = new Log<INodeExecutionData[]>();
}
