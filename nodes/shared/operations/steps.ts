// What became of an item and its writes, so that Retry On Fail writes nothing twice.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { mapIn } from '../values/json';

export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

export type Outcome = ItemResult[] | Failure;

/** The name of the step that stands for the whole item. */
export const WHOLE = 'item';

/** What became of an item, as a whole and of each of its writes: kept for the next try, so that nothing is written twice. */
export class Steps {
	private readonly outcomes = new Map<string, Promise<Outcome>>();
	private refusal: Promise<Failure | undefined> | undefined;

	/** The outcome of a step that must not be repeated. */
	async lasting(name: string): Promise<Outcome | undefined> {
		const outcome = await this.outcomes.get(name);
		return outcome instanceof Failure && outcome.mayRetry ? undefined : outcome;
	}

	/** Does a step, unless it must not be repeated. */
	async once(name: string, work: () => Promise<ItemResult[]>): Promise<Outcome> {
		const known = await this.lasting(name);
		if (known) return known;
		const outcome = work().catch(toFailure);
		this.outcomes.set(name, outcome);
		return await outcome;
	}

	/** Sends a write, known by its name, once. @throws Failure, of an earlier try if it must not be repeated */
	async write(name: string, send: () => Promise<IDataObject>): Promise<IDataObject> {
		const outcome = await this.once(name, async () => [{ json: await send() }]);
		if (outcome instanceof Failure) throw outcome;
		return mapIn(outcome[0]?.json);
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
	async whole(): Promise<Outcome | undefined> {
		const outcome = await this.outcomes.get(WHOLE);
		return outcome && (await this.proved(outcome));
	}
}
