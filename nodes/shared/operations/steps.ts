import type { INodeExecutionData } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';

export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

export type Outcome = ItemResult[] | Failure;

/** What became of an item, as a whole and of each of its writes: kept for the next try, so that nothing is written twice. */
export class Steps {
	private readonly outcomes = new Map<string, Promise<Outcome>>();

	get(name: string): Promise<Outcome> | undefined {
		return this.outcomes.get(name);
	}

	/** The outcome of a step that must not be repeated. */
	async lasting(name: string): Promise<Outcome | undefined> {
		const outcome = await this.outcomes.get(name);
		return outcome instanceof Failure && outcome.mayRetry ? undefined : outcome;
	}

	/**
	 * Does a step, unless that must not be repeated.
	 * @param proved what its outcome waits for after the work; it fails if that does
	 */
	async once(
		name: string,
		work: () => Promise<ItemResult[]>,
		proved: () => Promise<void> = async () => await Promise.resolve(),
	): Promise<Outcome> {
		const known = await this.lasting(name);
		if (known) return known;
		const done = work().catch(toFailure);
		const outcome = done.then(async (result) => {
			const failure = await proved().then(() => undefined, toFailure);
			return failure ?? result;
		});
		this.outcomes.set(name, outcome);
		return await done;
	}
}
