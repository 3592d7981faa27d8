// One input item: checked first, then performed at its turn. Item is what `perform` of an operation gets.

import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
} from 'n8n-workflow';

import { connect, type Connection } from '../http/connection';
import type { Send } from '../http/exchange';
import { senderOf } from '../http/request';
import { type Failure, inputFailure, toFailure } from '../values/failure';
import { mapIn } from '../values/json';
import type { GetParameter } from '../values/input';
import { fillPath } from '../values/path';
import type { BatchRun } from './batchRun';
import type { Claim } from './claims';
import { contentOf } from './content';
import { maxWaitOption } from './fields';
import type { Form } from './form';
import type { Content, ItemRequest, RunnableOperation } from './operationPlan';
import type { LookUp } from './references';
import type { RunState } from './runState';
import { endingAt } from './sharedReads';
import type { ItemResult, Steps } from './steps';
import { type WebClient, webClientOf } from './webClient';

/** What n8n's routing made of the node: the options of the HTTP client are used. */
type Routed = DeclarativeRestApiSettings.ResultOptions['options'];

interface CheckedItem<Checked> {
	connection: Connection;
	form: Form;
	/** Undefined if there is nothing to do for the item. */
	content: Content<Checked> | undefined;
	shared: RunState;
	web: WebClient;
}

/** Reads the credential and every field of an input item. Nothing is sent. */
export async function checkItem<Checked>(
	node: IExecutePaginationFunctions,
	routed: Routed,
	form: Form,
	operation: RunnableOperation<Checked>,
	run: BatchRun,
): Promise<CheckedItem<Checked>> {
	const { proxy } = routed;
	const skipSslCertificateValidation = routed.skipSslCertificateValidation === true;
	const clientOptions = { ...(proxy && { proxy }), skipSslCertificateValidation };
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(node, operation.service, clientOptions, run.connections);
	form.serviceZone = connection.timezone;
	const content = contentOf(form, operation);
	const timeoutMs = timeoutIn(form.parameter);
	// n8n 1 gives declarative nodes no signal.
	const signal = 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined;
	const shared = run.sharedBy(connection.connectionKey, (turns) =>
		senderOf(connection, {
			isRead: operation.plan.isRead,
			urgent: false,
			run: turns,
			signal,
			timeoutMs,
		}),
	);
	const web = webClientOf(node, clientOptions, timeoutMs, signal);
	const checked = { connection, form, content, shared, web };
	takeClaim(node.getItemIndex(), checked, operation);
	return checked;
}

/** @throws Failure if an earlier item changes the same, and says something else */
function takeClaim<Checked>(
	itemIndex: number,
	{ connection, content, shared }: CheckedItem<Checked>,
	{ plan }: RunnableOperation<Checked>,
): void {
	const claim = content && plan.claim?.(content, connection);
	if (claim) shared.claims.take(itemIndex, claim);
}

/** Looks names up, builds the request, and lets the operation perform it. @returns undefined if there is nothing to do */
export async function performItem<Checked>(
	itemIndex: number,
	checkedItem: CheckedItem<Checked>,
	operation: RunnableOperation<Checked>,
	steps: Steps,
): Promise<ItemResult[] | undefined> {
	const { plan, method, url, locators } = operation;
	const { content, form } = checkedItem;
	if (!content) return undefined;
	// Again, because an earlier item may have been checked after this one.
	takeClaim(itemIndex, checkedItem, operation);
	const { body, query, words, checked, maxWaitMs } = content;
	const item = new Item(checkedItem, itemIndex, steps, maxWaitMs);
	try {
		await form.references.lookUp(item.lookUp, method);
		const ids = form.references.idsOf(locators);
		const path = fillPath(url, { ...ids, ...words });
		const request: ItemRequest = { method, path, ids, query, body };
		const results = await plan.perform(request, item, checked);
		if (results.length > MAX_RESULTS) throw tooMany();
		form.references.note(item.shared.indexOf, request, results[0]?.json);
		return results;
	} catch (error) {
		const failure = limitExplained(error, maxWaitMs);
		throw plan.explained?.(failure, body, form) ?? failure;
	}
}

/** An input item at its turn: what an operation can use while it performs it. */
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
		{ form, connection, shared, web }: CheckedItem<unknown>,
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
	readonly send: Send = async (request) => await this.run.send(request, endingAt(this.until));

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
function limitExplained(error: unknown, maxWaitMs: number): Failure {
	const failure = toFailure(error);
	if (failure.kind !== 'outOfTime' || maxWaitMs === Infinity) return failure;
	const limit = `${maxWaitOption.displayName}, ${maxWaitMs / 1000} s`;
	return failure.with({ message: `Not finished in time (${limit}): ${failure.message}` });
}

const tooMany = (): Failure =>
	inputFailure(
		`The list has more than ${MAX_RESULTS.toLocaleString('en')} records, which is more than n8n can take`,
		'Set a Limit, or use filters to read the list in parts',
	);

/** The user's *Timeout* in milliseconds. n8n's own option is five minutes, even for reads; Node.js timers have a limit. */
function timeoutIn(parameter: GetParameter): number | undefined {
	const timeout = Math.floor(Number(mapIn(parameter('requestOptions')).timeout));
	return timeout > 0 && timeout < 2 ** 31 ? timeout : undefined;
}

/** n8n fails on about 126,000 records in one item's results, and does not say why. */
export const MAX_RESULTS = 100_000;
