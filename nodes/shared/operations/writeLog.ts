// What became of a row and of its writes, so that *Retry On Fail* repeats no write that may have been carried out.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';

/** Work that the next try does not repeat, unless it failed and may be done again. */
class LoggedWrite<T> {
	private outcome: Promise<T | Failure> | undefined;

	async isDone(): Promise<boolean> {
		const outcome = await this.outcome;
		return outcome !== undefined && !(outcome instanceof Failure);
	}

	/** @throws Failure, maybe of an earlier try */
	async once(work: () => Promise<T>): Promise<T> {
		const known = await this.outcome;
		if (known && !(known instanceof Failure && known.mayRetry)) return succeeded(known);
		this.outcome = work().catch(toFailure);
		return succeeded(await this.outcome);
	}
}

function succeeded<T>(outcome: T | Failure): T {
	if (outcome instanceof Failure) throw outcome;
	return outcome;
}

export class WriteLog {
	readonly row = new LoggedWrite<INodeExecutionData[]>();
	private readonly writes = new Map<string, LoggedWrite<IDataObject>>();

	/** Whether this or an earlier try sent the write. */
	hasTried(name: string): boolean {
		return this.writes.has(name);
	}

	/** Whether an earlier try sent it, and it succeeded. */
	async hasDone(name: string): Promise<boolean> {
		return (await this.writes.get(name)?.isDone()) === true;
	}

	/** Sends a write, unless an earlier try did and it may have been carried out. @throws Failure, maybe of an earlier try */
	async once(name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const logged = this.writes.get(name) ?? new LoggedWrite<IDataObject>();
		this.writes.set(name, logged);
		return await logged.once(write);
	}
}
