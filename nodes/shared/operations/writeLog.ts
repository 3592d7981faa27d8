// What became of a row and of its writes, so that *Retry On Fail* repeats no write that may have been carried out.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';

/** Work by its name, which the next try does not repeat, unless it failed and may be done again. */
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
