// What became of an item and of each of its writes, kept so that Retry On Fail writes nothing twice. Also waits for the proof of
// the key.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';

/** What an operation makes of an item. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

export type Outcome = INodeExecutionData[] | Failure;

/** An item or one of its writes: what became of it, for the next try. */
class Step<Result> {
	/** In this try or the last; undefined if it was not its turn. */
	outcome: Promise<Result | Failure> | undefined;

	/** The outcome, unless it may be done again. */
	async lasting(): Promise<Result | Failure | undefined> {
		const outcome = await this.outcome;
		return outcome instanceof Failure && outcome.mayRetry ? undefined : outcome;
	}

	/** Does it, unless it must not be done again. */
	async once(work: () => Promise<Result>): Promise<Result | Failure> {
		const known = await this.lasting();
		if (known) return known;
		this.outcome = work().catch(toFailure);
		return await this.outcome;
	}
}

/** What became of an item, as a whole and of each of its writes: kept for the next try, so that nothing is written twice. */
export class Steps {
	readonly whole = new Step<INodeExecutionData[]>();
	private readonly writes = new Map<string, Step<IDataObject>>();
	private refusal: Promise<Failure | undefined> | undefined;

	/** Sends a write, known by its name, once. @throws Failure, of an earlier try if it must not be repeated */
	async write(name: string, send: () => Promise<IDataObject>): Promise<IDataObject> {
		const step = this.writes.get(name) ?? new Step<IDataObject>();
		this.writes.set(name, step);
		const outcome = await step.once(send);
		if (outcome instanceof Failure) throw outcome;
		return outcome;
	}

	/** Holds the results back until the key is proved. The turn of the item ends meanwhile, so no other item waits for that. */
	awaitProof(proved: Promise<void>): void {
		this.refusal = proved.then(() => undefined, toFailure);
	}

	/** The outcome of the item, once the key is proved. */
	async proved(outcome: Outcome): Promise<Outcome> {
		return (await this.refusal) ?? outcome;
	}

	/** What became of the item, in this try or the last; undefined if it had no turn. */
	async outcome(): Promise<Outcome | undefined> {
		const outcome = await this.whole.outcome;
		return outcome && (await this.proved(outcome));
	}
}
