import { text as textIn } from 'node:stream/consumers';

import axios, { type AxiosBasicCredentials } from 'axios';

import { serve } from '../loopback.ts';
import type { CredentialInput, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { QUIETLY } from '../n8n-host/client.ts';
import { readExample } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, texts } from '../n8n-host/json.ts';
import { until } from '../n8n-host/until.ts';
import { startGoogle } from './google.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';

/** Where the examples send messages, until somebody enters an address of their own. */
const CHATS = /^=?https:\/\/(?:chat|forum)\.example\.com/;
const SHEET_NODE = 'Get the rows';

/** What an assistant shows to n8n, and support to a form of its own. */
const VISITORS: CredentialInput[] = [
	{ name: 'Bearer Auth account', type: 'httpBearerAuth', data: { token: KEYS.assistant } },
	{
		name: 'Basic Auth account',
		type: 'httpBasicAuth',
		data: { user: 'support', password: KEYS.support },
	},
];

/** Jest's matchers as values of a known type: its own are `any`. */
export const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const including = (fields: JsonRecord): unknown => expect.objectContaining(fields);

export type ExampleStage = Awaited<ReturnType<typeof openExamples>>;

/** An n8n for the examples, and all that they speak to: both services, a chat, and Google. */
export async function openExamples(stack: AsyncDisposableStack, name: string) {
	const rateLimit = { requests: 30, windowSeconds: 2 };
	const google = await startGoogle(stack);
	const n8n = await OwnN8n.open(stack, { name, env: google.env, sandbox: { rateLimit } });
	const { client, sandbox } = n8n;
	n8n.credentials.push(...(await client.createCredentials([google.credential, ...VISITORS])));
	/** What was posted to a chat with an incoming webhook, as team chats have it. The deletion of a role has no body. */
	const posts: unknown[] = [];
	const chat = await serve((request, response) => {
		void textIn(request).then((body) => {
			if (body !== '') posts.push(JSON.parse(body));
			response.end('{}');
		});
	});
	stack.defer(async () => await chat.stop());

	/** The example as somebody uses it: with its credentials picked, and their chat and their sheet entered. */
	const ready = async (file: string): Promise<WorkflowJson> => {
		const example = n8n.ready(await readExample(file));
		for (const { name, parameters } of example.nodes) {
			if (name === SHEET_NODE) Object.assign(parameters, google.picked);
			const { url } = parameters;
			if (typeof url === 'string' && CHATS.test(url)) parameters.url = chat.url;
		}
		return example;
	};
	/** Forgets what was sent before, runs the workflow, and expects that it ends well. */
	const runWorkflow = async (workflow: WorkflowJson): Promise<ExecutionResult> => {
		sandbox.clearRequests();
		posts.length = 0;
		const result = await client.run(workflow);
		expect([workflow.name, result.status, result.error]).toEqual([workflow.name, 'success', '']);
		return result;
	};

	return {
		n8n,
		client,
		sandbox,
		/** Those of the sheet at Google */
		rows: google.rows,
		posts,
		ready,
		runWorkflow,
		run: async (file: string) => await runWorkflow(await ready(file)),
		publish: async (file: string) => await client.publish(await ready(file)),
		sent: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
		bodiesOf: (path: string) =>
			sandbox.requests.filter((request) => request.path === path).map(({ body }) => record(body)),
		table: async (name: string) => await tableNamed(n8n, name),
		submit: async (path: string, fields: string[], auth?: AxiosBasicCredentials) =>
			await submitted(`${client.url}/form/${path}`, fields, auth),
	};
}

/** One of n8n's data tables, as the editor shows and changes it. */
async function tableNamed({ client }: OwnN8n, name: string) {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = record(await client.get(`/data-tables-global?filter=${filter}`));
	const { projectId, id } = texts(list(data)[0], 'projectId', 'id');
	const path = `/projects/${projectId}/data-tables/${id}`;
	return {
		/** In the order in which they were made. */
		async rows(): Promise<JsonRecord[]> {
			const answer = record(await client.get(`${path}/rows?sortBy=id:asc&take=250`));
			return list(answer.data).map(record);
		},
		add: async (...rows: JsonRecord[]) => await client.post(`${path}/insert`, { data: rows }),
	};
}

/** Fills in a published form, field by field. @returns the page that it ends with, or the status if it is refused */
async function submitted(
	url: string,
	fields: string[],
	auth?: AxiosBasicCredentials,
): Promise<unknown> {
	const request = { ...QUIETLY, ...(auth ? { auth } : {}) };
	const form = new FormData();
	for (const [at, field] of fields.entries()) form.append(`field-${at}`, field);
	const { status, data } = await until(async () => {
		const response = await axios.post<unknown>(url, form, request);
		// n8n calls a workflow published a moment before its form is there.
		return response.status !== 404 && response;
	}, url);
	if (status !== 200) return status;
	const { formWaitingUrl } = texts(data, 'formWaitingUrl');
	const state = new URL(formWaitingUrl);
	state.pathname += '/n8n-execution-status';
	const isWaiting = async () => (await axios.get(state.href, request)).data === 'form-waiting';
	await until(isWaiting, 'the ending');
	const ending = await axios.get<unknown>(formWaitingUrl, request);
	// As the page of the ending does, so that the execution ends.
	await axios.post(formWaitingUrl, {}, request);
	return ending.data;
}
