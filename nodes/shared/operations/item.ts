// `Item`: what an operation can use while it performs an input item: sending, writes as steps, IDs, lists, claims, and proof of
// the key. Also the error of an item that waited too long.

import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { Send } from '../http/connection';
import { type Failure, toFailure } from '../values/failure';
import type { Claim } from './claims';
import { maxWaitOption } from './fields';
import type { Form } from './form';
import type { LookUp } from './references';
import type { RunState } from './runState';
import type { Steps } from './steps';
import type { WebClient } from './webClient';

/** What an item has from its check on. */
export interface ItemAccess {
	connection: Connection;
	form: Form;
	shared: RunState;
	web: WebClient;
}

/** An input item at its turn. */
export class Item {
	readonly form: Form;
	readonly connection: Connection;
	/** What the run has read for all items: its lists, their ids, and the limits that the service refuses for them. */
	readonly shared: Pick<RunState, 'acceptedLimit' | 'idsOnce' | 'indexOf'>;
	readonly web: WebClient;
	private readonly run: RunState;
	/** On the connection's clock. */
	private readonly until: number;

	/** @param maxWaitMs how long it may take from now on */
	constructor(
		{ form, connection, shared, web }: ItemAccess,
		private readonly index: number,
		private readonly steps: Steps,
		private readonly maxWaitMs: number,
	) {
		this.form = form;
		this.connection = connection;
		this.shared = shared;
		this.web = web;
		this.run = shared;
		this.until = connection.clock.now() + maxWaitMs;
	}

	/** For reads; a write is sent in a `step`. */
	readonly send: Send = async (request) => await this.run.send(request, { until: this.until });

	/** Sends a write, known by its name. *Retry On Fail* repeats it only if it failed, and was not carried out. */
	async step(name: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		return await this.steps.write(name, write);
	}

	/** The id of a record that the form picked. */
	id(name: string): number {
		return this.form.references.id(name);
	}

	/** Notes what the item changes. @throws Failure if an earlier item changes it, too, and says something else */
	claim(claim: Claim): void {
		this.run.claims.take(this.index, claim);
	}

	/** Looks something up in a list, until the limit of the item. */
	readonly lookUp: LookUp = async (list, find) => {
		const { index, reads } = this.run.listOf(list);
		return await reads.within(this.until, async () => await find(index));
	};

	/** Call it before a request is sent, and what it returns if the response proves the key. */
	beginProof(): () => void {
		return this.run.keyProof.begin();
	}

	/** Holds the results of the item back until the key was proved after now; see `KeyProof`. */
	awaitProof(ask: (send: Send) => Promise<unknown>): void {
		const { keyProof, proofReads } = this.run;
		const proved = keyProof.proved(async (isEnd) => {
			// The wait for other rows is not the row's own: at the end of the run, asking has a limit of its own.
			const end = isEnd ? this.connection.clock.now() + this.maxWaitMs : this.until;
			return await proofReads.within(end, async () => await ask(proofReads.send));
		});
		this.steps.awaitProof(
			proved.catch((error: unknown) => {
				throw limitExplained(error, this.maxWaitMs);
			}),
		);
	}
}

/** A failure at the limit of *Wait at Most* says so. */
export function limitExplained(error: unknown, maxWaitMs: number): Failure {
	const failure = toFailure(error);
	if (failure.kind !== 'outOfTime' || maxWaitMs === Infinity) return failure;
	const limit = `${maxWaitOption.displayName}, ${maxWaitMs / 1000} s`;
	return failure.with({ message: `Not finished in time (${limit}): ${failure.message}` });
}
