// Runs all input items of a node: checks them before anything is sent, then performs them in order, writes one at a time and
// reads a few. Stops at a failure unless the node continues. Remembers what an earlier try did.

import { type INode, type INodeExecutionData, sleep } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { SendWithin } from '../http/connection';
import { LimitedRun } from '../http/rateLimiter';
import { Failure, toFailure } from '../values/failure';
import { InputItems } from './inputItems';
import { RunState } from './runState';
import { type Outcome, Steps } from './steps';

interface BatchRunOptions {
	/** n8n copies it each time it is asked for it. */
	node: INode;
	/** All that n8n gives the node. */
	items: readonly INodeExecutionData[];
	/** How many of them are run. */
	itemCount: number;
	continueOnFail: boolean;
	isWrite: boolean;
}

/**
 * Runs all items of a node in order. By itself, n8n starts all of them at once, and after a failure it still sends the rest.
 * - Every item is checked before anything is sent. Unless the node continues on error, the first failure stops the rest.
 * - Writes go one at a time; reads go a few at a time.
 * - With *Retry On Fail* n8n runs all items again. A write that succeeded, or may have been carried out, is not sent again.
 * - Results that a wrong key may cause, too, are held back until the key is proved; see `KeyProof`.
 */
export class BatchRun {
	readonly node: INode;
	readonly items: InputItems;
	/** By their `connectionKey`. */
	readonly connections = new Map<string, Connection>();
	/** By item: what became of it in this try, and of its writes in earlier tries. */
	private readonly steps: Map<number, Steps>;
	/** By the `connectionKey` of their connections. */
	private readonly shared = new Map<string, RunState>();
	private turnsLeft = 0;
	private readonly checks: Array<Promise<unknown>> = [];
	/**
	 * Resolves when n8n has started the last item; with *Continue*, the first batch of items. Never resolves if an expression of
	 * an item fails, because n8n then stops before the last one.
	 */
	private readonly started: Promise<unknown>;
	private readonly allChecked: Promise<unknown>;
	private noteLastStarted: () => void = () => undefined;
	private readonly inCheckOrder = limited(CHECKS_AT_ONCE);
	private readonly inOrder: ReturnType<typeof limited>;
	/** n8n starts the items in their order. */
	private lastStarted = -1;
	private isStopped = false;

	/** @param previous the last try, if n8n runs the same items again */
	constructor(
		private readonly options: BatchRunOptions,
		previous?: BatchRun,
	) {
		const { node, items, continueOnFail, isWrite } = options;
		this.node = node;
		this.items = new InputItems(items);
		this.inOrder = limited(isWrite ? 1 : READS_IN_FLIGHT);
		this.steps = (isWrite ? previous?.steps : undefined) ?? new Map<number, Steps>();
		const lastStarted = new Promise<void>((resolve) => {
			this.noteLastStarted = resolve;
		});
		this.started = continueOnFail ? sleep(0) : lastStarted;
		this.allChecked = this.started.then(async () => await Promise.all(this.checks));
	}

	/** Whether n8n has already started the item; if so, it now belongs to the next try. */
	isPast(item: number): boolean {
		return item <= this.lastStarted;
	}

	/** Checks an item, and performs it at its turn. @returns no results if another item failed before */
	async run<Checked>(
		item: number,
		check: () => Promise<Checked>,
		perform: (checked: Checked, steps: Steps) => Promise<INodeExecutionData[]>,
	): Promise<Outcome> {
		this.lastStarted = item;
		this.turnsLeft += 1;
		const steps = this.stepsOf(item);
		const checking = this.inCheckOrder(async () => {
			// Starting thousands of items may block the process so long that reading a credential times out.
			await this.started;
			return await check();
		}).catch((error: unknown) => this.failed(toFailure(error)));
		this.checks.push(checking);
		if (item === this.options.itemCount - 1) this.noteLastStarted();
		const performed = await this.inOrder(async () => {
			await this.allChecked;
			const checked = await checking;
			if (checked instanceof Failure) return checked;
			if (this.isStopped) return (await steps.whole.lasting()) ?? [];
			const done = await steps.whole.once(async () => await perform(checked, steps));
			return done instanceof Failure ? this.failed(done) : done;
		}).finally(() => this.endTurn());
		const outcome = await steps.proved(performed);
		return outcome instanceof Failure
			? await this.withProgress(this.failed(outcome), item)
			: outcome;
	}

	/** What the items with one credential share. @param sendWith makes what sends their requests, which take turns as one run */
	sharedBy(connectionKey: string, sendWith: (run: LimitedRun) => SendWithin): RunState {
		const known = this.shared.get(connectionKey);
		if (known) return known;
		const shared = new RunState(sendWith(new LimitedRun(this.options.itemCount)));
		this.shared.set(connectionKey, shared);
		return shared;
	}

	private stepsOf(item: number): Steps {
		const steps = this.steps.get(item) ?? new Steps();
		this.steps.set(item, steps);
		return steps;
	}

	/** Every item has one turn, and all are started before the first. */
	private endTurn(): void {
		this.turnsLeft -= 1;
		if (this.turnsLeft > 0) return;
		for (const { keyProof } of this.shared.values()) void keyProof.end();
	}

	private failed(failure: Failure): Failure {
		this.isStopped ||= !this.options.continueOnFail;
		return failure;
	}

	private async withProgress(failure: Failure, item: number): Promise<Failure> {
		const { itemCount, continueOnFail } = this.options;
		if (continueOnFail || itemCount === 1 || failure.kind === 'cancelled') return failure;
		// Reads may still be in flight. No further one begins.
		const all = await Promise.all(
			[...this.steps.values()].map(async (steps) => await steps.outcome()),
		);
		const outcomes = all.filter((outcome) => outcome !== undefined);
		const place = `item ${item + 1} of ${itemCount}`;
		if (outcomes.length === 0) return await this.withInvalid(failure, place);
		const succeeded = outcomes.filter((outcome) => !(outcome instanceof Failure)).length;
		const progress = `${succeeded} succeeded, ${itemCount - outcomes.length} not sent`;
		return failure.with({ message: `${failure.message} (${place}: ${progress})` });
	}

	/** Nothing was sent, because of this failure and maybe of others: nobody should have to find them one run at a time. */
	private async withInvalid(failure: Failure, place: string): Promise<Failure> {
		const checked = await Promise.all(this.checks);
		const others = checked.filter((check) => check instanceof Failure).length - 1;
		const message = `${failure.message} (${place}: nothing was sent)`;
		if (others < 1) return failure.with({ message });
		const have = others === 1 ? '1 more item has' : `${others} more items have`;
		const seeAll = `${have} an error: to see each, set On Error to Continue in the settings of the node`;
		return failure.with({ message, advice: [failure.advice, seeAll].filter(Boolean).join('. ') });
	}
}

/** Each check reads the credential. If thousands did so at once, n8n's database would time out. */
const CHECKS_AT_ONCE = 10;
const READS_IN_FLIGHT = 5;

/** Runs at most `permits` pieces of work at a time, first come, first served. */
function limited(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
	let free = permits;
	const waiting: Array<() => void> = [];
	return async (work) => {
		if (free > 0) free -= 1;
		else await new Promise<void>((go) => waiting.push(go));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free += 1;
		}
	};
}
