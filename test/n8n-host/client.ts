import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';

import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { parse as parseFlatted } from 'flatted';

import type { JsonRecord } from './json.ts';
import { isRecord, list, optionalText, record, text, texts } from './json.ts';
import { until } from './until.ts';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export interface CredentialInput {
	name: string;
	/** The credential type's name, for example `linkManagementApi` */
	type: string;
	data: JsonRecord;
}

export type CredentialRef = Record<'id' | 'name' | 'type', string>;

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonRecord;
	credentials?: Record<string, { id?: string | null; name: string }>;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[setting: string]: unknown;
}

/** A workflow as n8n exports it. */
export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: JsonRecord;
	settings?: JsonRecord;
}

export type SavedWorkflow = Record<'id' | 'name', string>;

/** One item that a node gave out. */
export interface OutputItem {
	json: JsonRecord;
	/** Item numbers of the input that this item came from; absent when n8n recorded none */
	pairedItems?: number[];
	/** The item's error, in *Continue (using error output)* */
	error?: unknown;
}

/** One run of one node. */
export interface NodeRun {
	/** Items by output: `outputs[0]` is the first or only output */
	outputs: OutputItem[][];
	/** What an agent gave to its model or tool; empty for other nodes */
	given: OutputItem[][];
	error?: ExecutionError;
	executionTimeMs: number;
}

export interface ExecutionError {
	message: string;
	description: string | undefined;
	/** The node that failed */
	node: string | undefined;
}

export interface ExecutionResult {
	/** `success`, `error`, `canceled`, `crashed` */
	status: string;
	/** The error that ended the execution, if one did */
	error?: ExecutionError;
	/** All runs of a node, by the node's name */
	runs: Record<string, NodeRun[]>;
	/** The items of the node's last run. @throws Error when the node did not run or failed */
	items(node: string, output?: number): OutputItem[];
	/** The answer as it came, to search it for what must not be there */
	raw: string;
}

export type ExecutionSummary = Record<'id' | 'status' | 'mode', string>;

export interface NodeTypeSummary {
	/** With its package: `n8n-nodes-linkstore.store` */
	name: string;
	displayName: string;
	/** The newest version */
	version: number;
	description: JsonRecord;
}

const ALL_RUNS_TIMEOUT_MS = 600_000;
const WEBHOOK_TIMEOUT_MS = 10_000;
const UNFINISHED = ['new', 'running', 'waiting'];

/** A client for the interface that n8n's own editor uses. */
export class N8nClient {
	readonly url: string;
	readonly #http: AxiosInstance;
	/** The session's */
	#cookie = '';

	constructor(url: string) {
		this.url = url;
		this.#http = axios.create({
			baseURL: `${url}/rest`,
			// n8n ties a session to the browser that began it.
			headers: { 'browser-id': 'n8n-nodes-linkstore' },
			timeout: 60_000,
			validateStatus: () => true,
			proxy: false,
			// n8n ends idle connections after a while, also just when the next request is on its way.
			httpAgent: new Agent({ keepAlive: false }),
		});
	}

	/** Makes the owner account of a new n8n, or logs in to it where it exists already. */
	async setUpOwner(owner: Owner): Promise<void> {
		const settings = record(await this.get('/settings'));
		if (record(settings.userManagement).showSetupOnFirstLoad === true) {
			await this.post('/owner/setup', owner);
		} else {
			await this.login(owner);
		}
	}

	async login({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.post('/login', { emailOrLdapLoginId: email, password });
	}

	async credentials(): Promise<CredentialRef[]> {
		return list(await this.get('/credentials')).map(credentialRef);
	}

	/** The credential of that name and type with its data; n8n puts placeholders in place of secrets. */
	async findCredential({
		name,
		type,
	}: Pick<CredentialInput, 'name' | 'type'>): Promise<
		(CredentialRef & { data: JsonRecord }) | undefined
	> {
		const found = (await this.credentials()).find(
			(credential) => credential.name === name && credential.type === type,
		);
		if (found === undefined) return undefined;
		const full = record(await this.get(`/credentials/${found.id}?includeData=true`));
		return { ...found, data: record(full.data) };
	}

	/**
	 * Creates the credential, or gives the existing one of that name and type the new data. Placeholders that n8n gave
	 * out in place of secrets leave these as they are.
	 */
	async saveCredential(input: CredentialInput): Promise<CredentialRef> {
		const existing = await this.findCredential(input);
		return credentialRef(
			existing === undefined
				? await this.post('/credentials', input)
				: await this.patch(`/credentials/${existing.id}`, input),
		);
	}

	async deleteCredential({ id }: Pick<CredentialRef, 'id'>): Promise<void> {
		await this.#send('DELETE', `/credentials/${id}`);
	}

	async workflows(): Promise<SavedWorkflow[]> {
		return list(await this.get('/workflows')).map(savedWorkflow);
	}

	/** Creates the workflow, or replaces the existing one of that name. */
	async importWorkflow(workflow: WorkflowJson): Promise<SavedWorkflow> {
		const existing = (await this.workflows()).find(({ name }) => name === workflow.name);
		const content = { settings: {}, ...workflow };
		return savedWorkflow(
			existing === undefined
				? await this.post('/workflows', { ...content, active: false })
				: await this.patch(`/workflows/${existing.id}?forceSave=true`, content),
		);
	}

	/** Saves the workflow, runs it by hand from one of its triggers, and waits for the end. */
	async run(workflow: WorkflowJson, triggerName: string): Promise<ExecutionResult> {
		const { id } = await this.importWorkflow(workflow);
		return await this.#start(id, { id, ...workflow }, triggerName);
	}

	/** Runs a workflow as it is saved, by hand from one of its triggers, and waits for the end. */
	async runSaved(id: string, triggerName: string): Promise<ExecutionResult> {
		return await this.#start(id, await this.get(`/workflows/${id}`), triggerName);
	}

	async #start(id: string, workflowData: unknown, triggerName: string): Promise<ExecutionResult> {
		const triggerToStartFrom = { name: triggerName };
		const started = await this.post(`/workflows/${id}/run`, { workflowData, triggerToStartFrom });
		return await this.finished(text(record(started).executionId, 'executionId'));
	}

	/**
	 * Saves the workflow, opens the editor's chat beside it, sends one message, and waits for the end.
	 *
	 * @param triggerName its chat trigger
	 */
	async chat(
		workflow: WorkflowJson,
		triggerName: string,
		message: string,
	): Promise<ExecutionResult> {
		const { id } = await this.importWorkflow(workflow);
		const sessionId = randomUUID();
		await this.post(`/workflows/${id}/run`, {
			workflowData: { id, ...workflow },
			triggerToStartFrom: { name: triggerName },
			chatSessionId: sessionId,
		});
		await this.#send('POST', `${this.url}/webhook-test/${id}/${sessionId}`, {
			action: 'sendMessage',
			chatInput: message,
			sessionId,
		});
		const [newest] = await this.executions(id);
		if (newest === undefined) throw new Error('The message started no execution');
		return await this.finished(newest.id);
	}

	/** Waits until an execution has ended, in whatever way. */
	async finished(executionId: string): Promise<ExecutionResult> {
		return await until(async () => {
			const execution = record(await this.get(`/executions/${executionId}`));
			const status = text(execution.status, 'status');
			if (UNFINISHED.includes(status)) return undefined;
			const result = executionResult(status, text(execution.data, 'execution data'));
			// n8n 1 saves that an execution has ended a moment before what it gave; a crashed one gave nothing.
			const isSaved = Object.keys(result.runs).length > 0 || result.error !== undefined;
			return isSaved || status === 'crashed' ? result : undefined;
		}, `the end of execution ${executionId}`);
	}

	/** Newest first. */
	async executions(workflowId?: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const answer = record(await this.get(`/executions?filter=${filter}&limit=100`));
		return list(answer.results).map((execution) => texts(execution, 'id', 'status', 'mode'));
	}

	/** Waits until at least `count` executions of the workflow have begun and all of them have ended. */
	async allEnded(workflowId: string, count: number): Promise<ExecutionSummary[]> {
		return await until(
			async () => {
				const executions = await this.executions(workflowId);
				const isEnded = executions.every(({ status }) => !UNFINISHED.includes(status));
				return executions.length >= count && isEnded ? executions : undefined;
			},
			`the end of ${count} executions`,
			ALL_RUNS_TIMEOUT_MS,
		);
	}

	/**
	 * Calls the webhook of a published workflow, and waits for its answer, however long that takes.
	 *
	 * @throws Error when the answer is not a success
	 */
	async callWebhook(path: string, body: JsonRecord): Promise<void> {
		const url = `${this.url}/webhook/${path}`;
		await until(
			async () => {
				const { status, data } = await axios.post<unknown>(url, body, {
					validateStatus: () => true,
					proxy: false,
				});
				// n8n calls a workflow published a moment before its webhook is there.
				if (status < 400 || status === 404) return status < 400;
				throw new Error(`n8n answered POST ${url} with ${status}: ${JSON.stringify(data)}`);
			},
			url,
			WEBHOOK_TIMEOUT_MS,
		);
	}

	/** Imports the workflow and publishes it. Gives its id. */
	async publish(workflow: WorkflowJson): Promise<string> {
		const { id } = await this.importWorkflow(workflow);
		await this.activate(id);
		return id;
	}

	/** Publishes the workflow as saved, so that its triggers run. */
	async activate(workflowId: string): Promise<void> {
		const { versionId = '' } = record(await this.get(`/workflows/${workflowId}`));
		await this.post(`/workflows/${workflowId}/activate`, { versionId });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.post(`/workflows/${workflowId}/deactivate`, {});
	}

	/** The node types whose name starts so, as the editor is told them. */
	async nodeTypes(prefix: string): Promise<NodeTypeSummary[]> {
		const answer = await this.#send('GET', `${this.url}/types/nodes.json`);
		return list(answer.data)
			.filter(isRecord)
			.filter((type) => String(type.name).startsWith(prefix))
			.map(nodeTypeSummary);
	}

	/** The packages listed under *Settings > Community nodes*. */
	async communityPackages(): Promise<JsonRecord[]> {
		return list(await this.get('/community-packages')).filter(isRecord);
	}

	async get(path: string): Promise<unknown> {
		return dataOf(await this.#send('GET', path));
	}

	async post(path: string, body: unknown): Promise<unknown> {
		return dataOf(await this.#send('POST', path, body));
	}

	async patch(path: string, body: unknown): Promise<unknown> {
		return dataOf(await this.#send('PATCH', path, body));
	}

	/** @throws Error with n8n's own message when the answer is not a success */
	async #send(method: string, path: string, body?: unknown): Promise<AxiosResponse<unknown>> {
		const answer = await this.#http.request<unknown>({
			method,
			url: path,
			data: body,
			headers: { cookie: this.#cookie },
		});
		const set = answer.headers['set-cookie'] ?? [];
		if (set.length > 0) this.#cookie = set.map((line) => line.split(';')[0]).join('; ');
		if (answer.status >= 400) {
			const message = optionalText(record(answer.data).message) ?? JSON.stringify(answer.data);
			throw new Error(`n8n answered ${method} ${path} with ${answer.status}: ${message}`);
		}
		return answer;
	}
}

function dataOf(answer: AxiosResponse<unknown>): unknown {
	return record(answer.data).data;
}

const credentialRef = (value: unknown): CredentialRef => texts(value, 'id', 'name', 'type');
const savedWorkflow = (value: unknown): SavedWorkflow => texts(value, 'id', 'name');

function nodeTypeSummary(type: JsonRecord): NodeTypeSummary {
	const version = Math.max(...[type.version].flat().map(Number));
	return { ...texts(type, 'name', 'displayName'), version, description: type };
}

function executionResult(status: string, raw: string): ExecutionResult {
	const { runData, error } = record(record(parseFlatted(raw)).resultData);
	const runs: ExecutionResult['runs'] = {};
	for (const [node, nodeRuns] of Object.entries(record(runData))) {
		runs[node] = list(nodeRuns).map((run) => nodeRun(record(run)));
	}
	return {
		status,
		...(isRecord(error) ? { error: executionError(error) } : {}),
		runs,
		items: (node, output = 0) => itemsOf(runs, node, output),
		raw,
	};
}

function itemsOf(runs: Record<string, NodeRun[]>, node: string, output: number): OutputItem[] {
	const run = runs[node]?.at(-1);
	if (run === undefined) throw new Error(`The node "${node}" did not run`);
	if (run.error !== undefined) {
		const { message, description = '' } = run.error;
		throw new Error(`The node "${node}" failed: ${message} ${description}`);
	}
	return run.outputs[output] ?? [];
}

function nodeRun(run: JsonRecord): NodeRun {
	return {
		outputs: itemsByOutput(run.data),
		given: itemsByOutput(run.inputOverride),
		...(isRecord(run.error) ? { error: executionError(run.error) } : {}),
		executionTimeMs: Number(run.executionTime ?? 0),
	};
}

/** A node's items are under the type of its connection: `main`, or, with an agent, `ai_tool` and the like. */
function itemsByOutput(data: unknown): OutputItem[][] {
	const [outputs] = Object.values(record(data));
	return list(outputs).map((items) => list(items).map((item) => outputItem(record(item))));
}

function outputItem(item: JsonRecord): OutputItem {
	const paired = item.pairedItem;
	return {
		json: record(item.json),
		...(paired === undefined ? {} : { pairedItems: [paired].flat().map(pairedNumber) }),
		...(item.error === undefined ? {} : { error: item.error }),
	};
}

/** n8n writes a paired item as a number or as `{ item, input? }`. */
function pairedNumber(paired: unknown): number {
	return Number(isRecord(paired) ? paired.item : paired);
}

function executionError({ message, description, node }: JsonRecord): ExecutionError {
	return {
		message: optionalText(message) ?? 'no message',
		description: optionalText(description),
		node: optionalText(record(node).name),
	};
}
