import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters, IPollFunctions, Workflow } from 'n8n-workflow';
import { PollContext } from 'n8n-core';

import type { Credentials } from './engine.ts';
import { additionalData, nodeType, workflowOf } from './engine.ts';
import type { Stage } from './support.ts';

/** Whether this n8n has durable cursors and gives each poll a time limit, which older ones do not. */
const HAS_DURABLE_POLLS = Object.hasOwn(PollContext.prototype, 'getWorkflowStaticData');
if (!HAS_DURABLE_POLLS && process.env.LINKSTORE_ENGINE === undefined) {
	throw new Error('PollContext of n8n-core has no getWorkflowStaticData any more: adapt this file');
}

/** Without durable cursors, and with them where n8n has them. */
export const DURABLE = HAS_DURABLE_POLLS ? [false, true] : [false];

/** A test of what needs them; on an older n8n it counts as absent. */
export const testOfDurablePolls = HAS_DURABLE_POLLS ? test : test.skip;

export interface TriggerSettings {
	/** `linkManagementTrigger` or `storeTrigger`. */
	type: string;
	parameters: INodeParameters;
	credentials: Credentials;
	/**
	 * Whether n8n has durable cursors: then a poll gets a copy of what is stored, and n8n stores what it changed after it,
	 * in one transaction with what it gave out; but not if the first poll of an activation gave out nothing. Otherwise n8n
	 * holds the state in memory, and stores it when a poll gives out something, and when the workflow was activated.
	 */
	isDurable?: boolean;
	/** Milliseconds that n8n gives a poll. */
	budgetMs?: number;
}

/** A workflow that begins with a polling trigger, as n8n has it while it is active. */
export class ActiveTrigger {
	/** The node's state as n8n's database has it. */
	stored: IDataObject = {};
	/** What becomes of the state and the records of a poll with durable cursors: n8n stores both together, after it. */
	storing: 'done' | 'pending' | 'failed' = 'done';
	/** Whether the last poll or test wrote into its state, which n8n would store for that. */
	wroteState = false;
	private pending: IDataObject | undefined;
	/** Of its own for each process of n8n, which knows nothing of the one before. */
	private workflowId = randomUUID();
	private readonly settings: TriggerSettings;
	private workflow: Workflow;

	constructor(settings: TriggerSettings) {
		this.settings = settings;
		this.workflow = this.load();
	}

	/** The first poll, which n8n runs while it activates the workflow. */
	async activate(): Promise<IDataObject[]> {
		const records = await this.poll(true);
		this.store();
		return records;
	}

	/** One poll. Rejects with what n8n would show. */
	async poll(isActivation = false): Promise<IDataObject[]> {
		const { isDurable = false } = this.settings;
		const before = JSON.stringify(this.stored);
		const snapshot = structuredClone(this.stored);
		const records = await this.run('trigger', () =>
			isDurable ? snapshot : this.workflow.getStaticData('node', this.node),
		);
		const isChanged = JSON.stringify(snapshot) !== before;
		const isKept = isChanged && (records.length > 0 || !isActivation);
		if (!isDurable && records.length > 0) this.store();
		if (isDurable && isKept && this.storing !== 'failed') this.pending = snapshot;
		if (this.storing === 'done') this.storePending();
		return records;
	}

	/** n8n gets to store what the last poll left. */
	storePending(): void {
		this.stored = this.pending ?? this.stored;
		this.pending = undefined;
	}

	/** What *Fetch Test Event* in the editor shows. */
	async test(): Promise<IDataObject[]> {
		return await this.run('manual', () => this.workflow.getStaticData('node', this.node));
	}

	/** n8n ends without notice, and starts again: memory is lost. */
	crash(): void {
		this.workflowId = randomUUID();
		this.workflow = this.load();
	}

	/** The user changes the node or its credential, and n8n loads it again. */
	change(changes: Partial<TriggerSettings>): void {
		Object.assign(this.settings, changes);
		this.workflow = this.load();
	}

	/** The state that the next poll finds. */
	get state(): IDataObject {
		const { isDurable = false } = this.settings;
		const state = isDurable ? this.stored : this.workflow.getStaticData('node', this.node);
		return JSON.parse(JSON.stringify(state)) as IDataObject;
	}

	private get node(): INode {
		const node = this.workflow.getNode('Node');
		if (!node) throw new Error('The workflow has no trigger');
		return node;
	}

	private load(): Workflow {
		const { type, parameters, credentials, isDurable = false, budgetMs } = this.settings;
		if ((isDurable || budgetMs !== undefined) && !HAS_DURABLE_POLLS) {
			throw new Error('This n8n would ignore isDurable and budgetMs');
		}
		const staticData = { 'node:Node': structuredClone(this.stored) };
		const workflow = workflowOf(type, parameters, credentials, {}, staticData);
		workflow.id = this.workflowId;
		return workflow;
	}

	private store(): void {
		if (!this.settings.isDurable) this.stored = this.state;
	}

	private async run(
		mode: 'trigger' | 'manual',
		staticData: () => IDataObject,
	): Promise<IDataObject[]> {
		const { type, credentials, budgetMs } = this.settings;
		const node = nodeType(`n8n-nodes-linkstore.${type}`);
		const unused = (): void => undefined;
		const context = new PollContext(
			this.workflow,
			this.node,
			additionalData(credentials, this.workflow),
			mode,
			mode === 'manual' ? 'manual' : 'activate',
			unused,
			unused,
			undefined,
			undefined,
			staticData,
			...(budgetMs === undefined ? [] : [() => budgetMs]),
		);
		this.workflow.staticData.__dataChanged = false;
		// Only the type of a workflow's name differs between the two.
		const polled = node.poll?.call(context as IPollFunctions);
		const result = await polled?.finally(() => {
			this.wroteState = this.workflow.staticData.__dataChanged === true;
		});
		if (result?.[0]?.length === 0) throw new Error('n8n would start the workflow with nothing');
		return (result?.[0] ?? []).map(({ json }) => json);
	}
}

/** Triggers of a type, with the credentials of a stage. */
export const triggersOf =
	(type: string) =>
	(
		{ credentials }: Pick<Stage, 'credentials'>,
		parameters: INodeParameters,
		settings: Partial<TriggerSettings> = {},
	): ActiveTrigger =>
		new ActiveTrigger({ type, parameters, credentials, ...settings });

let linksMade = 0;

/** Makes links, one after another, each with a long URL of its own. @returns their IDs */
export async function makeLinks(stage: Stage, count: number): Promise<number[]> {
	const ids: number[] = [];
	while (ids.length < count) {
		linksMade += 1;
		ids.push(await stage.make('/api/url/add', { url: `https://example.com/${linksMade}` }));
	}
	return ids;
}

/** The result of the work, and how many requests it takes. */
export async function counted<T>(stage: Stage, work: () => Promise<T>): Promise<[T, number]> {
	stage.sandbox.clearRequests();
	const result = await work();
	return [result, stage.sandbox.requests.length];
}
