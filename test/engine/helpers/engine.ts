import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
	NodeParameterValueType,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import {
	CredentialTestContext,
	DirectoryLoader,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';

import { LinkManagementApi } from '../../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../../dist/credentials/StoreApi.credentials.js';
import { LinkManagement } from '../../../dist/nodes/LinkManagement/LinkManagement.node.js';
import { LinkManagementTrigger } from '../../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { Store } from '../../../dist/nodes/Store/Store.node.js';
import { StoreTrigger } from '../../../dist/nodes/Store/StoreTrigger.node.js';
import './clock.ts';

/**
 * Runs workflow JSON through n8n's own engine, in this process, with the compiled nodes: the same classes that n8n
 * itself uses, bound as its server binds them.
 */

/**
 * n8n gives up a regular expression after 250 ms by the clock, and on a busy machine these can pass before its first step.
 * Not all versions of n8n do.
 */
if ('setSafeRegexEngine' in n8nWorkflow) {
	n8nWorkflow.setSafeRegexEngine({
		exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
		test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
		replace: (pattern, input, flags, text) => input.replace(new RegExp(pattern, flags), text),
		matchAll: (pattern, input, flags = 'g') => [...input.matchAll(new RegExp(pattern, flags))],
		split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
	});
} else if (process.env.LINKSTORE_ENGINE === undefined) {
	throw new Error('n8n-workflow has no setSafeRegexEngine any more: adapt this file');
}

const CREDENTIAL_TYPES: Record<string, ICredentialType> = {
	linkManagementApi: new LinkManagementApi(),
	storeApi: new StoreApi(),
};

/** A node of the tests' own. */
const nodeOf = (
	inputs: INodeType['description']['inputs'],
	properties: INodeProperties[],
	execute: NonNullable<INodeType['execute']>,
): INodeType => ({
	description: {
		displayName: 'Test',
		name: 'test',
		group: ['transform'],
		version: 1,
		description: 'For tests',
		defaults: { name: 'Test' },
		inputs,
		outputs: ['main'],
		properties,
	},
	execute,
});

/** Its data is pinned. */
const rowsNode = nodeOf([], [], async () => await Promise.resolve([[]]));

/** n8n's server gives a declarative node this method, and the parameter *Request Options*, when it loads it. */
function executable(node: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	node.execute = async function (this: IExecuteFunctions) {
		// The server, too, hands its context over as the class that only n8n-core knows.
		const context = this as ConstructorParameters<typeof RoutingNode>[0];
		return (await new RoutingNode(context, node).runNode()) ?? [];
	};
	return node;
}

/** The node as n8n offers it to an AI agent. */
function asTool(node: INodeType): INodeType {
	const { description } = node;
	const name = `${description.name}Tool`;
	node.description = { ...description, name, inputs: [], outputs: ['ai_tool'] };
	return executable(node);
}

const jsonField = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'json',
	default: {},
});

/**
 * In place of an agent: calls its one tool with the arguments of each of its `calls`, those of one call at the same time.
 * Gives an item a call, with the answers or what was thrown.
 */
const agentNode = nodeOf(
	['main', { type: 'ai_tool', displayName: 'Tool' }],
	[jsonField('calls')],
	async function (this: IExecuteFunctions) {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Array<{
			invoke(args: IDataObject): Promise<string>;
		}>;
		const items: INodeExecutionData[] = [];
		for (const together of this.getNodeParameter('calls', 0) as IDataObject[][]) {
			const answers = together.map(async (args) => await tool?.invoke(args).catch(String));
			items.push({ json: { answers: await Promise.all(answers) } });
		}
		return [items];
	},
);

type AuthenticatedRequest = (type: string, options: IDataObject) => Promise<IDataObject>;

/** n8n's HTTP Request node with a *predefined credential type*: sends what the user entered, with either of n8n's helpers. */
const httpRequestNode = nodeOf(
	['main'],
	[jsonField('options')],
	async function (this: IExecuteFunctions) {
		const [type = ''] = Object.keys(this.getNode().credentials ?? {});
		const entered = this.getNodeParameter('options', 0);
		const name = 'uri' in entered ? 'requestWithAuthentication' : 'httpRequestWithAuthentication';
		const helpers = this.helpers as unknown as Record<typeof name, AuthenticatedRequest>;
		return [[{ json: { json: await helpers[name].call(this, type, entered) } }]];
	},
);

const NODE_TYPES: Record<string, INodeType> = {
	'n8n-nodes-base.httpRequest': httpRequestNode,
	rows: rowsNode,
	'n8n-nodes-base.manualTrigger': rowsNode,
	agent: agentNode,
	'n8n-nodes-linkstore.linkManagementTool': asTool(new LinkManagement()),
	'n8n-nodes-linkstore.linkManagement': executable(new LinkManagement()),
	'n8n-nodes-linkstore.linkManagementTrigger': new LinkManagementTrigger(),
	'n8n-nodes-linkstore.store': executable(new Store()),
	'n8n-nodes-linkstore.storeTrigger': new StoreTrigger(),
};

export function nodeType(name: string): INodeType {
	const type = NODE_TYPES[name];
	if (!type) throw new Error(`There is no node type "${name}"`);
	return type;
}

const nodeTypes: INodeTypes = {
	getByName: nodeType,
	getByNameAndVersion: nodeType,
	getKnownTypes: () => ({}),
};

/** Credentials by the name of their type, as a user would have entered them. */
export type Credentials = Record<string, ICredentialDataDecryptedObject>;

type Decrypt = ICredentialsHelper['getDecrypted'];

/**
 * What n8n's server does with credentials, without its database. `onRead` is called each time one is asked for: the server
 * then reads its database and decrypts.
 */
function credentialsInMemory(credentials: Credentials, onRead: () => unknown): ICredentialsHelper {
	const helper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: (type: string) => CREDENTIAL_TYPES[type]?.properties ?? [],
		preAuthentication: () => undefined,
		async authenticate(
			data: ICredentialDataDecryptedObject,
			type: string,
			request: IHttpRequestOptions,
		) {
			const authenticate = CREDENTIAL_TYPES[type]?.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`${type} cannot authenticate`);
			return await authenticate(data, request);
		},
		async getDecrypted(...[, , type, mode, executeData, , item]: Parameters<Decrypt>) {
			const data = credentials[type];
			if (!data) throw new Error(`There is no credential of type "${type}"`);
			await onRead();
			return await Promise.resolve(item ? resolved(data, item, mode, executeData) : { ...data });
		},
	};
	// The engine asks for nothing else.
	return helper as unknown as ICredentialsHelper;
}

/** A credential whose expressions are resolved for one item, as the server does it. */
function resolved(
	data: ICredentialDataDecryptedObject,
	item: ICredentialsExpressionResolveValues,
	mode: Parameters<Decrypt>[3],
	executeData: Parameters<Decrypt>[4],
): ICredentialDataDecryptedObject {
	const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = item;
	const at = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData] as const;
	const evaluated = (value: string) =>
		workflow.expression.getParameterValue(value, ...at, mode, {}, executeData);
	const fields = Object.entries(data).map(([name, value]) => [
		name,
		typeof value === 'string' ? evaluated(value) : value,
	]);
	return Object.fromEntries(fields) as ICredentialDataDecryptedObject;
}

export interface NodeRun {
	/** `linkManagement` or `store`. */
	type: string;
	parameters: INodeParameters;
	/** One input item each. Default: one empty row. */
	rows?: IDataObject[];
	credentials: Credentials;
	/** The node's settings, as workflow JSON has them: `onError`, `retryOnFail`, … */
	settings?: Partial<INode>;
	/** Called each time n8n reads the credential, with how often it did, and awaited; may throw in place of n8n's database. */
	onCredentialRead?: (reads: number) => unknown;
	/** Default: of a workflow that runs by itself. */
	mode?: 'manual' | 'trigger' | 'webhook';
	/** Gets the running execution, to cancel it. */
	onStart?: (execution: { cancel(): void }) => void;
}

export type NodeResult = Awaited<ReturnType<typeof runNode>>;

/** Runs one node on some rows, in a workflow of two nodes. */
export async function runNode(given: NodeRun) {
	const { type, parameters, rows = [{}], credentials, settings = {}, onCredentialRead } = given;
	const workflow = workflowOf(type, parameters, credentials, settings);
	let credentialReads = 0;
	const data = additionalData(credentials, workflow, () => {
		credentialReads += 1;
		return onCredentialRead?.(credentialReads);
	});
	const running = started(data, workflow, rows, given.mode);
	given.onStart?.({ cancel: () => running.cancel() });
	const run = await running;
	const [task] = run.data.resultData.runData.Node ?? [];
	/** Items of the node's outputs: main, then, if on, error. */
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const items = outputs[0] ?? [];
	const json = items.map((item) => item.json);
	return { run, outputs, items, json, error: run.data.resultData.error };
}

/**
 * Lets an agent call the Link Management node as its tool.
 * @param calls the arguments of each call; those in one list are called at the same time
 * @returns what each call was answered, or the message of its error
 */
export async function callTool(
	{ parameters, credentials, settings = {} }: Omit<NodeRun, 'type' | 'rows' | 'onStart'>,
	calls: IDataObject[][],
): Promise<string[][]> {
	const { nodes } = workflowOf('linkManagementTool', parameters, credentials, settings);
	const agent = savedNode('Agent', 'agent', { calls: calls as unknown as NodeParameterValueType });
	const connections = {
		Rows: { main: [[{ node: 'Agent', type: 'main' as const, index: 0 }]] },
		Node: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] },
	};
	const saved = { nodes: [...Object.values(nodes), agent], connections, settings: SETTINGS };
	const workflow = new Workflow({ id: 'test', active: false, nodeTypes, ...saved });
	const { data } = await started(additionalData(credentials, workflow), workflow, [{}]);
	if (data.resultData.error) throw data.resultData.error;
	const items = data.resultData.runData.Agent?.[0]?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json.answers as string[]);
}

/**
 * Starts the workflow at its node `Rows`, with these rows. The engines of n8n 1 and of the first 2.x take one by one what
 * later ones take as one object.
 */
function started(
	data: IWorkflowExecuteAdditionalData,
	workflow: Workflow,
	rows: IDataObject[],
	mode: NodeRun['mode'] = 'trigger',
): ReturnType<WorkflowExecute['run']> {
	const execution = new WorkflowExecute(data, mode, createEmptyRunExecutionData());
	const startNode = workflow.getNode('Rows') ?? undefined;
	const pinData = { Rows: rows.map((json) => ({ json })) };
	const run = execution.run.bind(execution) as (...given: unknown[]) => ReturnType<typeof started>;
	return execution.run.length === 1
		? run({ workflow, startNode, pinData })
		: run(workflow, startNode, undefined, pinData);
}

/** A search of a locator's list, as the editor asks for it. */
export interface ListSearch {
	/** What the other fields of the node hold at the moment. */
	parameters?: INodeParameters;
	filter?: string;
	paginationToken?: string;
}

/** Runs the search behind a locator as n8n's server does. Rejects with what the editor would show. */
export async function searchList(
	type: string,
	method: string,
	credentials: Credentials,
	{ parameters: currentNodeParameters = {}, filter, paginationToken }: ListSearch,
): Promise<INodeListSearchResult> {
	const workflow = workflowOf(type, currentNodeParameters, credentials);
	const search = nodeType(`n8n-nodes-linkstore.${type}`).methods?.listSearch?.[method];
	const node = workflow.getNode('Node');
	if (!node || !search) throw new Error(`There is no search "${method}"`);
	const data = { ...additionalData(credentials, workflow), currentNodeParameters };
	const context = new LoadOptionsContext(workflow, node, data, '');
	// Only the type of a workflow's name differs between the two.
	return await search.call(context as ILoadOptionsFunctions, filter, paginationToken);
}

/** Runs the test of a credential as n8n's server does when the user saves it. */
export async function testCredential(
	type: string,
	credentials: Credentials,
): Promise<INodeCredentialTestResult> {
	const [[credentialType, data] = ['', {}]] = Object.entries(credentials);
	const { description, methods } = nodeType(`n8n-nodes-linkstore.${type}`);
	const testedBy = description.credentials?.find(({ name }) => name === credentialType)?.testedBy;
	const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
	if (!test) throw new Error(`Nothing tests ${credentialType}`);
	const workflow = workflowOf(type, {}, credentials);
	const context = new CredentialTestContext(additionalData(credentials, workflow));
	return await test.call(context, { id: 'test', name: 'Test', type: credentialType, data });
}

const SETTINGS: IWorkflowSettings = { executionOrder: 'v1', timezone: 'UTC' };

const savedNode = (name: string, type: string, parameters: INodeParameters): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

/** A workflow of two nodes; `staticData` is what n8n has stored of it. */
export function workflowOf(
	type: string,
	parameters: INodeParameters,
	credentials: Credentials,
	settings: Partial<INode> = {},
	staticData: IDataObject = {},
): Workflow {
	const details = Object.keys(credentials).map((name) => [name, { id: name, name }] as const);
	return new Workflow({
		id: 'test',
		nodes: [
			savedNode('Rows', 'rows', {}),
			{
				...savedNode('Node', `n8n-nodes-linkstore.${type}`, parameters),
				credentials: Object.fromEntries(details),
				...settings,
			},
		],
		connections: { Rows: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes,
		staticData,
		settings: SETTINGS,
	});
}

export function additionalData(
	credentials: Credentials,
	workflow: Workflow,
	onCredentialRead: () => unknown = () => undefined,
): IWorkflowExecuteAdditionalData {
	const workflowData = { id: workflow.id, name: 'Test', settings: workflow.settings };
	const parts = {
		credentialsHelper: credentialsInMemory(credentials, onCredentialRead),
		hooks: new ExecutionLifecycleHooks('manual', 'test', workflowData as IWorkflowBase),
		currentNodeExecutionIndex: 0,
		variables: {},
		executionId: 'test',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
	};
	// The rest of n8n's server is not asked for by these nodes.
	return parts as unknown as IWorkflowExecuteAdditionalData;
}
