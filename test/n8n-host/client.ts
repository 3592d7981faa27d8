import { Agent } from 'node:http';

import axios from 'axios';
import type { ResponseType } from 'axios';
import { parse as parseFlatted } from 'flatted';
import type { INodeExecutionData, IRunExecutionData, IWorkflowBase } from 'n8n-workflow';

import type { JsonRecord } from './json.ts';
import { list, record, text, texts } from './json.ts';
import { until } from './until.ts';

export type Owner = Record<'email' | 'password' | 'firstName' | 'lastName', string>;

export interface CredentialInput {
	name: string;
	/** The credential type's name, for example `linkManagementApi` */
	type: string;
	data: JsonRecord;
}

export type CredentialRef = Record<'id' | 'name' | 'type', string>;

/** A workflow as n8n exports it. */
export type WorkflowJson = Pick<
	IWorkflowBase,
	'name' | 'nodes' | 'connections' | 'settings' | 'pinData'
>;

export type ExecutionResult = ReturnType<typeof executionResult>;

type ExecutionSummary = Record<'id' | 'status', string>;

const ALL_RUNS_TIMEOUT_MS = 600_000;
const WEBHOOK_TIMEOUT_MS = 10_000;
const UNFINISHED = ['new', 'running', 'waiting'];
/** Every status is an answer, and there is no proxy on loopback. */
export const QUIETLY = { validateStatus: () => true, proxy: false as const };

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
			const { email, password } = owner;
			await this.post('/login', { emailOrLdapLoginId: email, password });
		}
	}

	async createCredential(input: CredentialInput): Promise<CredentialRef> {
		return texts(await this.post('/credentials', input), 'id', 'name', 'type');
	}

	async createCredentials(inputs: CredentialInput[]): Promise<CredentialRef[]> {
		return await Promise.all(inputs.map((input) => this.createCredential(input)));
	}

	async createWorkflow(workflow: WorkflowJson): Promise<{ id: string }> {
		return texts(await this.post('/workflows', { settings: {}, ...workflow }), 'id');
	}

	/** Saves the workflow, runs it by hand from its trigger, and waits for the end. */
	async run(workflow: WorkflowJson): Promise<ExecutionResult> {
		const { id } = await this.createWorkflow(workflow);
		const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
		const started = await this.post(`/workflows/${id}/run`, {
			workflowData: await this.get(`/workflows/${id}`),
			triggerToStartFrom: { name: trigger?.name },
		});
		return await this.finished(text(record(started).executionId, 'executionId'));
	}

	/** Waits until an execution has ended, in whatever way. */
	async finished(executionId: string): Promise<ExecutionResult> {
		return await until(async () => {
			const execution = record(await this.get(`/executions/${executionId}`));
			const status = text(execution.status, 'status');
			if (UNFINISHED.includes(status)) return undefined;
			return executionResult(status, text(execution.data, 'execution data'));
		}, `the end of execution ${executionId}`);
	}

	/** Newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
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

	/** Saves the workflow and publishes it, so that its triggers run. Gives its id. */
	async publish(workflow: WorkflowJson): Promise<string> {
		const { id } = await this.createWorkflow(workflow);
		await this.activate(id);
		return id;
	}

	async activate(workflowId: string): Promise<void> {
		const { versionId = '' } = record(await this.get(`/workflows/${workflowId}`));
		await this.post(`/workflows/${workflowId}/activate`, { versionId });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.post(`/workflows/${workflowId}/deactivate`, {});
	}

	/** The content of a file of an item. */
	async file(id = ''): Promise<Buffer> {
		const path = `/binary-data?id=${encodeURIComponent(id)}&action=download`;
		return (await this.#send('GET', path, undefined, 'arraybuffer')) as Buffer;
	}

	/** The names of all node types, each with its package: `n8n-nodes-linkstore.store`. */
	async nodeTypes(): Promise<string[]> {
		const types = list(await this.#send('GET', `${this.url}/types/nodes.json`));
		return types.map((type) => texts(type, 'name').name);
	}

	async get(path: string): Promise<unknown> {
		return record(await this.#send('GET', path)).data;
	}

	async post(path: string, body: unknown): Promise<unknown> {
		return record(await this.#send('POST', path, body)).data;
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
		throw new Error(`n8n answered ${method} ${path} with ${status}: ${JSON.stringify(data)}`);
	}
}

/** @param status `success`, `error`, `canceled`, `crashed` */
function executionResult(status: string, data: string) {
	const { runData: runs, error } = (parseFlatted(data) as IRunExecutionData).resultData;
	/** Those of the first output of the node's last run. @throws Error when the node did not run or failed */
	const items = (node: string): INodeExecutionData[] => {
		const run = runs[node]?.at(-1);
		if (run === undefined) throw new Error(`The node "${node}" did not run`);
		if (run.error) throw new Error(`The node "${node}" failed: ${run.error.message}`);
		return run.data?.main?.[0] ?? [];
	};
	return {
		status,
		/** Of the error that ended the execution; empty if none did */
		error: [error?.message, error?.description].join(' ').trim(),
		runs,
		items,
		json: (node: string): JsonRecord[] => items(node).map(({ json }) => json),
	};
}
