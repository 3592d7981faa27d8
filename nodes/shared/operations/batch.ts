// The order of a node's rows: all are checked before the first is executed, writes go one at a time, and the first failure stops
// the rest.

import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { integerIn } from '../values/json';
import type { Session } from './session';

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
	connect(): Promise<Session>;
	/** Sends nothing. @throws Failure if the row cannot be sent */
	check(session: Session): RowTask;
}

export interface RowTask {
	execute(): Promise<INodeExecutionData[]>;
	/** Done when all rows were executed. @throws Failure if the items must not be believed */
	readonly checks: ReadonlyArray<() => Promise<void>>;
}

type Outcome = INodeExecutionData[] | Failure;

interface WaitingRow extends BatchRow {
	resolve: (outcome: Outcome) => void;
}

/** What a step made of a row, or why it failed. */
interface Step<T> {
	row: WaitingRow;
	value: T | Failure;
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
		const outcome = new Promise<Outcome>((resolve) => this.waiting.push({ ...row, resolve }));
		const isFirst = this.waiting.length === 1;
		if (continues && isFirst) void sleep(0).then(() => this.runNext());
		if (!continues && row.index === rowCount - 1) this.runNext();
		return await outcome;
	}

	private runNext(): void {
		this.running = this.running.then(async () => await this.runWaiting());
	}

	private async runWaiting(): Promise<void> {
		const rows = this.waiting.splice(0).map((row) => ({ row, value: row }));
		const connected = await this.each(
			rows,
			CREDENTIALS_AT_ONCE,
			async (row) => await row.connect(),
		);
		// Of two rows about one record, the first is checked first.
		const checked = await this.each(connected, 1, (session, row) => row.check(session));
		const atOnce = this.options.isWrite ? 1 : READS_AT_ONCE;
		const executed = await this.each(checked, atOnce, async (task, row) => ({
			task,
			items: this.isStopped ? [] : await row.writes.rows.once(row.label, () => task.execute()),
		}));
		const confirmed = await this.each(executed, 1, async ({ task, items }) => {
			for (const check of task.checks) await check();
			return items;
		});
		const invalid = checked.flatMap(({ row, value }) => (value instanceof Failure ? row : []));
		for (const { row, value } of confirmed) {
			const progress = invalid.includes(row) ? nothingSent(invalid) : this.progressAt(row.index);
			row.resolve(value instanceof Failure ? this.located(row, value, progress) : value);
		}
	}

	/** Takes a step with each row that has not failed, first come, first served. @param atOnce how many at a time */
	private async each<T, R>(
		rows: ReadonlyArray<Step<T>>,
		atOnce: number,
		step: (value: T, row: WaitingRow) => R | Promise<R>,
	): Promise<Array<Step<R>>> {
		const results: Array<Step<R>> = [];
		const left = rows.entries();
		const worker = async (): Promise<void> => {
			for (const [at, { row, value }] of left) {
				const next = value instanceof Failure ? value : await this.tried(value, row, step);
				results[at] = { row, value: next };
			}
		};
		await Promise.all(Array.from({ length: atOnce }, worker));
		return results;
	}

	private async tried<T, R>(
		value: T,
		row: WaitingRow,
		step: (value: T, row: WaitingRow) => R | Promise<R>,
	): Promise<R | Failure> {
		try {
			return await step(value, row);
		} catch (error) {
			this.isStopped ||= !this.options.continues;
			return toFailure(error);
		}
	}

	/** Writes go in order, so those before it succeeded, and those behind it were not sent. */
	private progressAt(row: number): string {
		const { isWrite, rowCount } = this.options;
		return isWrite ? ` (${row} succeeded, ${rowCount - row - 1} not sent)` : '';
	}

	private located({ label }: BatchRow, failure: Failure, progress: string): Failure {
		const { continues, rowCount } = this.options;
		if (continues || rowCount === 1 || failure.kind === 'cancelled') return failure;
		return failure.with({ message: `${failure.message} [${label}]${progress}` });
	}
}

const nothingSent = ({ length }: readonly BatchRow[]): string =>
	length < 2
		? ' (nothing was sent)'
		: ` (nothing was sent; ${length} items have errors, which 'On Error: Continue' shows)`;

/** What became of work by its name: *Retry On Fail* repeats none that may have been carried out. */
class Log<T> {
	private readonly outcomes = new Map<string, Promise<T | Failure>>();

	/** Whether this or an earlier try sent the write. */
	hasTried(name: string): boolean {
		return this.outcomes.has(name);
	}

	/** Whether an earlier try sent it, and it succeeded. */
	async hasDone(name: string): Promise<boolean> {
		return this.hasTried(name) && !((await this.outcomes.get(name)) instanceof Failure);
	}

	/** Does it, unless an earlier try did and it may have been carried out. @throws Failure, maybe of an earlier try */
	async once(name: string, work: () => Promise<T>): Promise<T> {
		const known = await this.outcomes.get(name);
		if (known && !(known instanceof Failure && known.mayRetry)) return succeeded(known);
		const outcome = work().catch(toFailure);
		this.outcomes.set(name, outcome);
		return succeeded(await outcome);
	}
}

function succeeded<T>(outcome: T | Failure): T {
	if (outcome instanceof Failure) throw outcome;
	return outcome;
}

export class WriteLog extends Log<IDataObject> {
	/** The row itself. */
	readonly rows = new Log<INodeExecutionData[]>();
}
