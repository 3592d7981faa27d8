import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';

import axios from 'axios';
import type { ResponseType } from 'axios';
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
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonRecord;
	credentials?: Record<string, { id?: string | null; name: string }>;
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
	/** References to its files */
	binary: JsonRecord;
}

/** One run of one node. */
export interface NodeRun {
	/** Items by output: `outputs[0]` is the first or only output */
	outputs: OutputItem[][];
	error: ExecutionError | undefined;
	executionTimeMs: number;
}

export interface ExecutionError {
	message: string;
	/** The node that failed */
	node: string | undefined;
}

export interface ExecutionResult {
	/** `success`, `error`, `canceled`, `crashed` */
	status: string;
	/** The error that ended the execution, if one did */
	error: ExecutionError | undefined;
	/** All runs of a node, by the node's name */
	runs: Record<string, NodeRun[]>;
	/** The items of the first output of the node's last run. @throws Error when the node did not run or failed */
	items(node: string): OutputItem[];
}

export type ExecutionSummary = Record<'id' | 'status', string>;

const ALL_RUNS_TIMEOUT_MS = 600_000;
const WEBHOOK_TIMEOUT_MS = 10_000;
const UNFINISHED = ['new', 'running', 'waiting'];
/** Every status is an answer, and there is no proxy on loopback. */
const QUIETLY = { validateStatus: () => true, proxy: false as const };

/** A client for the interface that n8n's own editor uses. */
export class N8nClient {
	readonly url: string;
	/** From the login. */
	#cookie = '';

	constructor(url: string) {
		this.url = url;
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
	async findCredential(wanted: CredentialInput) {
		const found = (await this.credentials()).find(
			({ name, type }) => name === wanted.name && type === wanted.type,
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
		const saved = existing
			? await this.patch(`/credentials/${existing.id}`, input)
			: await this.post('/credentials', input);
		return credentialRef(saved);
	}

	async workflows(): Promise<SavedWorkflow[]> {
		return list(await this.get('/workflows')).map(savedWorkflow);
	}

	/** Creates the workflow, or replaces the existing one of that name. */
	async importWorkflow(workflow: WorkflowJson): Promise<SavedWorkflow> {
		const existing = (await this.workflows()).find(({ name }) => name === workflow.name);
		const content = { settings: {}, ...workflow };
		const saved = existing
			? await this.patch(`/workflows/${existing.id}?forceSave=true`, content)
			: await this.post('/workflows', { ...content, active: false });
		return savedWorkflow(saved);
	}

	/** Saves the workflow, runs it by hand from one of its triggers, and waits for the end. */
	async run(workflow: WorkflowJson, triggerName: string): Promise<ExecutionResult> {
		const { id } = await this.importWorkflow(workflow);
		const { executionId } = record(await this.#start(id, triggerName));
		return await this.finished(text(executionId, 'executionId'));
	}

	async #start(id: string, triggerName: string, more: JsonRecord = {}): Promise<unknown> {
		const workflowData = await this.get(`/workflows/${id}`);
		const triggerToStartFrom = { name: triggerName };
		return await this.post(`/workflows/${id}/run`, { workflowData, triggerToStartFrom, ...more });
	}

	/** Saves the workflow, opens the editor's chat beside it, sends one message to its chat trigger, and waits for the end. */
	async chat(
		workflow: WorkflowJson,
		triggerName: string,
		chatInput: string,
	): Promise<ExecutionResult> {
		const { id } = await this.importWorkflow(workflow);
		const sessionId = randomUUID();
		await this.#start(id, triggerName, { chatSessionId: sessionId });
		const message = { action: 'sendMessage', chatInput, sessionId };
		await this.#send('POST', `${this.url}/webhook-test/${id}/${sessionId}`, message);
		const [newest] = await this.executions(id);
		return await this.finished(text(newest?.id, 'the execution that the message started'));
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
		return list(answer.results).map((execution) => texts(execution, 'id', 'status'));
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
		const call = async () => {
			const { status, data } = await axios.post<unknown>(url, body, QUIETLY);
			// n8n calls a workflow published a moment before its webhook is there.
			if (status < 400 || status === 404) return status < 400;
			throw new Error(`n8n answered POST ${url} with ${status}: ${JSON.stringify(data)}`);
		};
		await until(call, url, WEBHOOK_TIMEOUT_MS);
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

	/** The content of a file of an item. */
	async file(id: string): Promise<Buffer> {
		const path = `/binary-data?id=${encodeURIComponent(id)}&action=download`;
		return (await this.#send('GET', path, undefined, 'arraybuffer')) as Buffer;
	}

	/** The descriptions of all node types. */
	async nodeDescriptions(): Promise<JsonRecord[]> {
		return list(await this.#send('GET', `${this.url}/types/nodes.json`)).map(record);
	}

	/** The names of all node types, each with its package: `n8n-nodes-linkstore.store`. */
	async nodeTypes(): Promise<string[]> {
		return (await this.nodeDescriptions()).map((type) => texts(type, 'name').name);
	}

	async get(path: string): Promise<unknown> {
		return record(await this.#send('GET', path)).data;
	}

	async post(path: string, body: unknown): Promise<unknown> {
		return record(await this.#send('POST', path, body)).data;
	}

	async patch(path: string, body: unknown): Promise<unknown> {
		return record(await this.#send('PATCH', path, body)).data;
	}

	/** @throws Error with n8n's own message when the answer is not a success */
	async #send(
		method: string,
		path: string,
		body?: unknown,
		responseType: ResponseType = 'json',
	): Promise<unknown> {
		const { headers, status, data } = await axios.request<unknown>({
			...QUIETLY,
			method,
			baseURL: `${this.url}/rest`,
			url: path,
			data: body,
			responseType,
			// n8n ties a session to the browser that began it.
			headers: { cookie: this.#cookie, 'browser-id': 'n8n-nodes-linkstore' },
			timeout: 60_000,
			// n8n ends idle connections after a while, also just when the next request is on its way.
			httpAgent: new Agent({ keepAlive: false }),
		});
		const set = headers['set-cookie'] ?? [];
		if (set.length > 0) this.#cookie = set.map((line) => line.split(';')[0]).join('; ');
		if (status < 400) return data;
		const message = optionalText(record(data).message) ?? JSON.stringify(data);
		throw new Error(`n8n answered ${method} ${path} with ${status}: ${message}`);
	}
}

const credentialRef = (value: unknown): CredentialRef => texts(value, 'id', 'name', 'type');
const savedWorkflow = (value: unknown): SavedWorkflow => texts(value, 'id', 'name');

function executionResult(status: string, data: string): ExecutionResult {
	const { runData, error } = record(record(parseFlatted(data)).resultData);
	const runs: Record<string, NodeRun[]> = {};
	for (const [node, all] of Object.entries(record(runData))) {
		runs[node] = list(all).map(record).map(nodeRun);
	}
	return {
		status,
		error: executionError(error),
		runs,
		items(node) {
			const run = runs[node]?.at(-1);
			if (run === undefined) throw new Error(`The node "${node}" did not run`);
			if (run.error) throw new Error(`The node "${node}" failed: ${run.error.message}`);
			return run.outputs[0] ?? [];
		},
	};
}

/** A node's items are under the type of its connection: `main`, or, with an agent, `ai_tool` and the like. */
function nodeRun({ data, error, executionTime }: JsonRecord): NodeRun {
	const [outputs] = Object.values(record(data));
	return {
		outputs: list(outputs).map((items) => list(items).map(record).map(outputItem)),
		error: executionError(error),
		executionTimeMs: Number(executionTime ?? 0),
	};
}

const outputItem = ({ json, binary }: JsonRecord): OutputItem => ({
	json: record(json),
	binary: record(binary),
});

function executionError(error: unknown): ExecutionError | undefined {
	if (!isRecord(error)) return undefined;
	const { message = 'no message', description = '', node } = error;
	return {
		message: `${String(message)} ${String(description)}`.trim(),
		node: optionalText(record(node).name),
	};
}
