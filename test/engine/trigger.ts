import type { IDataObject, INode, INodeParameters, IPollFunctions, Workflow } from 'n8n-workflow';
import { PollContext } from 'n8n-core';

import type { Credentials } from './engine.ts';
import { additionalData, nodeType, workflowOf } from './engine.ts';

/** Whether this n8n has durable cursors and gives each poll a time limit, which older ones do not. */
export const HAS_DURABLE_POLLS = Object.hasOwn(PollContext.prototype, 'getWorkflowStaticData');

/** A test of what needs them; on an older n8n it counts as absent. */
export function testOfDurablePolls(...args: Parameters<jest.It>): void {
	(HAS_DURABLE_POLLS ? test : test.skip)(...args);
}

export interface TriggerSettings {
	/** `linkManagementTrigger` or `storeTrigger`. */
	type: string;
	parameters: INodeParameters;
	credentials: Credentials;
	/**
	 * Whether n8n has durable cursors: then it stores the state after every poll, in one transaction with what the
	 * poll gave out. Otherwise it holds the state in memory, and stores it when a poll gives out something, and when the
	 * workflow was activated.
	 */
	isDurable?: boolean;
	/** Milliseconds that n8n gives a poll. */
	budgetMs?: number;
}

/** A workflow that begins with a polling trigger, as n8n has it while it is active. */
export class ActiveTrigger {
	/** The node's state as n8n's database has it. */
	stored: IDataObject = {};
	private readonly settings: TriggerSettings;
	private workflow: Workflow;

	constructor(settings: TriggerSettings) {
		this.settings = settings;
		this.workflow = this.load();
	}

	/** The first poll, which n8n runs while it activates the workflow. */
	async activate(): Promise<IDataObject[]> {
		const records = await this.poll();
		this.store();
		return records;
	}

	/** One poll. Rejects with what n8n would show. */
	async poll(): Promise<IDataObject[]> {
		const { isDurable = false } = this.settings;
		const snapshot = structuredClone(this.stored);
		const records = await this.run('trigger', () =>
			isDurable ? snapshot : this.workflow.getStaticData('node', this.node),
		);
		if (isDurable) this.stored = structuredClone(snapshot);
		else if (records.length > 0) this.store();
		return records;
	}

	/** What *Fetch Test Event* in the editor shows. */
	async test(): Promise<IDataObject[]> {
		return await this.run('manual', () => this.workflow.getStaticData('node', this.node));
	}

	/** n8n ends without notice, and starts again: memory is lost. */
	crash(): void {
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
		return workflowOf(type, parameters, credentials, {}, staticData);
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
		// Only the type of a workflow's name differs between the two.
		const result = await node.poll?.call(context as IPollFunctions);
		return (result?.[0] ?? []).map(({ json }) => json);
	}
}
