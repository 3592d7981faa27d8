// The order of a node's rows: all are checked before the first is executed, writes go one at a time, the first failure stops
// the rest, and the next try of Retry On Fail repeats no write.

import { type IDataObject, type INodeExecutionData, sleep } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { integerIn } from '../values/json';
import { WriteLog } from './writeLog';

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

export interface BatchRow {
	index: number;
	label: RowLabel;
	/** Reads the credential. @throws Failure if it cannot be used */
	connect: () => Promise<CheckRow>;
}

/** Checks a row; sends nothing. @throws Failure if it cannot be sent */
export type CheckRow = () => ExecuteRow;

/** @param atEnd takes what is called when all rows were executed, and throws if the items must not be believed */
export type ExecuteRow = (
	writes: WriteLog,
	atEnd: (check: () => Promise<void>) => void,
) => Promise<INodeExecutionData[]>;

type Outcome = INodeExecutionData[] | Failure;

interface WaitingRow extends BatchRow {
	resolve: (outcome: Outcome) => void;
}

/** If thousands of credentials were read at once, n8n's database would time out. */
const CREDENTIALS_AT_ONCE = 10;
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
	private readonly ends = new Map<number, () => Promise<void>>();
	private waiting: WaitingRow[] = [];
	private running: Promise<unknown> = Promise.resolve();
	private lastRow = -1;
	private isStopped = false;

	constructor(
		private readonly options: BatchOptions,
		previousTry?: Batch,
	) {
		const known = options.isWrite ? previousTry?.writeLogs : undefined;
		this.writeLogs = known ?? new Map<number, WriteLog>();
	}

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
		const checked = await this.checkedRows(this.waiting.splice(0));
		const invalid = checked.flatMap(({ row, execute }) => (execute instanceof Failure ? row : []));
		const atOnce = this.options.isWrite ? 1 : READS_AT_ONCE;
		const executed = await inTurns(checked, atOnce, async ({ row, execute }) => {
			const outcome =
				execute instanceof Failure
					? this.located(row, execute, this.nothingSent(invalid))
					: await this.execute(row, execute);
			return { row, outcome };
		});
		for (const { row, outcome } of executed) row.resolve(await this.confirmed(row, outcome));
	}

	/** Of two rows about one record, the first is checked first. */
	private async checkedRows(rows: readonly WaitingRow[]) {
		const connected = await inTurns(rows, CREDENTIALS_AT_ONCE, async (row) => {
			const check = await row.connect().catch((error: unknown) => this.stop(error));
			return { row, check };
		});
		return connected.map(({ row, check }) => {
			try {
				return { row, execute: check instanceof Failure ? check : check() };
			} catch (error) {
				return { row, execute: this.stop(error) };
			}
		});
	}

	private async execute(row: BatchRow, execute: ExecuteRow): Promise<Outcome> {
		if (this.isStopped) return [];
		const { index } = row;
		const writes = this.writeLogs.get(index) ?? new WriteLog();
		this.writeLogs.set(index, writes);
		const atEnd = (check: () => Promise<void>) => this.ends.set(index, check);
		const outcome = await writes.row.once(async () => await execute(writes, atEnd));
		if (!(outcome instanceof Failure)) return outcome;
		return this.located(row, this.stop(outcome), this.progressAt(index));
	}

	private async confirmed(row: BatchRow, outcome: Outcome): Promise<Outcome> {
		const check = this.ends.get(row.index);
		if (outcome instanceof Failure || !check) return outcome;
		return await check().then(
			() => outcome,
			(error: unknown) => this.located(row, toFailure(error), ''),
		);
	}

	private stop(error: unknown): Failure {
		this.isStopped ||= !this.options.continues;
		return toFailure(error);
	}

	private nothingSent(invalid: readonly BatchRow[]): string {
		if (invalid.length < 2) return 'nothing was sent';
		const numbers = invalid.slice(0, MOST_NAMED).map(({ label }) => label.number);
		const others = invalid.length > MOST_NAMED ? ', …' : '';
		return `nothing was sent; ${invalid.length} items have errors: ${numbers.join(', ')}${others}; ${this.options.showsAll} shows all`;
	}

	/** Writes go in order, so those before it succeeded, and those behind it were not sent. */
	private progressAt(row: number): string {
		const { isWrite, rowCount } = this.options;
		return isWrite ? `${row} succeeded, ${rowCount - row - 1} not sent` : '';
	}

	private located({ label }: BatchRow, failure: Failure, progress: string): Failure {
		const { continues, rowCount } = this.options;
		if (continues || rowCount === 1 || failure.kind === 'cancelled') return failure;
		const where = progress === '' ? `[${label.text}]` : `[${label.text}] (${progress})`;
		return failure.with({ message: `${failure.message} ${where}` });
	}
}

/** Does the work for each of these, so many at a time, first come, first served. */
async function inTurns<T, R>(
	all: readonly T[],
	atOnce: number,
	work: (one: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const left = all.entries();
	const worker = async (): Promise<void> => {
		for (const [at, one] of left) results[at] = await work(one);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}
