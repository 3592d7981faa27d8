import { json as bodyIn } from 'node:stream/consumers';

import axios from 'axios';

import type { Fault } from '../../sandbox/faults.ts';
import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { serve } from '../loopback.ts';
import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	demoAccess,
	readExamples,
	saveSandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, optionalText, record, texts } from '../n8n-host/json.ts';
import { until } from '../n8n-host/until.ts';
import { linksOf, theStage } from './stage.ts';

/** One run of an example by hand, what went before it, and what comes of it. */
export interface Run {
	does: string;
	/** Rows of its table that somebody changes before: those whose column has that value */
	changes?: [column: string, value: string, data: JsonRecord];
	/** Rows that somebody adds to it before */
	adds?: JsonRecord[];
	faults?: Fault[];
	given?: (stage: ExampleStage) => unknown;
	/** Nodes that wait for values of one's own: they are switched on, and these are entered */
	enters?: (stage: ExampleStage) => Entered[];
	/** The account, if not that with everything in it */
	as?: (stage: ExampleStage) => Promise<CredentialRef[]>;
	/** The node whose error ends it. Default: it ends well */
	failsIn?: string;
	/** Requests to the services, in their order, as `POST /api/url/add` */
	sends?: unknown[];
	/** Bodies of the requests to a path */
	bodies?: Record<string, unknown[]>;
	/** Items of nodes */
	gives?: Record<string, unknown>;
	/** Some rows of its table, by their place from the end */
	rows?: unknown[];
	/** Columns of the table that hold what they held before */
	keeps?: string[];
	/** Messages in the chat */
	posts?: unknown[];
	also?: (outcome: Outcome) => unknown;
}

/** A form that is filled in, and what comes of it. */
export interface Call {
	does: string;
	sends: JsonRecord;
	faults?: Fault[];
	/** Status and page of the ending */
	responds: [status: number, body: unknown];
	posts?: unknown[];
}

export interface Outcome {
	stage: ExampleStage;
	result: ExecutionResult;
	/** Of its table, those made first before the others; none where it has no table */
	rows: JsonRecord[];
}

export type Entered = [node: string, parameters: JsonRecord];

/** By which the requests of the tests are told from those of the examples */
const OBSERVER = 'examples-test';

export type ExampleStage = Awaited<ReturnType<typeof openExamples>>;

/** The examples in an n8n, and all that they speak to: both services and a chat. */
export async function openExamples() {
	const client = new N8nClient(theStage().n8nUrl);
	await client.login(DEMO_OWNER);
	const examples = await readExamples();
	const rateLimit = { requests: 30, windowSeconds: 2 };
	const sandbox = await startSandbox({ seed: 'demo', rateLimit });
	/** What was posted to a chat with an incoming webhook, as team chats have it. */
	const posts: unknown[] = [];
	const chat = await serve((request, response) => {
		// Somebody looks whether it is there.
		if (request.method !== 'POST') response.end();
		else void bodyIn(request).then((body) => response.end(`${posts.push(body)}`));
	});
	const access = demoAccess(sandbox);
	const credentials = await saveSandboxCredentials(client, access, { suffix: 'of the examples' });
	const requests = (): RecordedRequest[] =>
		sandbox.requests.filter(({ headers }) => headers['user-agent'] !== OBSERVER);

	return {
		client,
		sandbox,
		chat: { ...chat, posts },
		examples,
		credentials,
		requests,
		sent: () => requests().map(({ method, path }) => `${method} ${path}`),
		bodiesOf: (path: string) =>
			requests().flatMap((request) => (request.path === path ? [request.body] : [])),
		/** The links of the account, the newest first; asking for them does not count as sent by an example. */
		links: async () =>
			(await linksOf(access, OBSERVER)).sort((a, b) => Number(b.id) - Number(a.id)),
		/** The example with its credentials picked, else as it is. */
		imported: (file: string, picked = credentials): WorkflowJson => {
			const example = examples.get(file);
			if (example === undefined) throw new Error(`There is no examples/${file}`);
			return withCredentials(example, picked);
		},
		/** The table that a workflow makes, once it has run; undefined for one that makes none. */
		tableOf: async ({ nodes }: WorkflowJson) => {
			const [name] = nodes.flatMap(({ parameters }) => optionalText(parameters.tableName) ?? []);
			return name === undefined ? undefined : await tableNamed(client, name);
		},
		/** A store in which these codes are valid, and that stops for good after so many responses. */
		storeThatStops: async (codes: string[], responses: number) => {
			let left = responses;
			const store = await startSandbox({
				seed: 'demo',
				onRequest: ({ path }) => {
					left -= path.includes('validation') ? 1 : 0;
					if (left === 0) void store.stop();
				},
			});
			for (const code of codes) store.store.addPurchase(1, { code });
			// What n8n keeps of a request that fails must not show its key.
			const data = { apiKeyLocation: 'query' };
			return await saveSandboxCredentials(client, demoAccess(store), {
				suffix: 'that stops',
				data,
			});
		},
		/** The ending of the form of the published example. */
		call: async (file: string, sends: JsonRecord): Promise<[status: number, body: unknown]> => {
			const { nodes = [] } = examples.get(file) ?? {};
			const trigger = nodes.find(({ type }) => type.endsWith('formTrigger'));
			const { path } = texts(record(trigger?.parameters.options), 'path');
			return await submitted(`${client.url}/form/${path}`, sends);
		},
		close: async () => await Promise.all([sandbox.stop(), chat.stop()]),
	};
}

const QUIETLY = { validateStatus: () => true, proxy: false as const };

/** Fills in a form as a browser does, its fields in their order, and gives the page that it ends with. */
async function submitted(url: string, fields: JsonRecord): Promise<[number, unknown]> {
	const page = await until(async () => {
		const { status, data } = await axios.get<string>(url, QUIETLY);
		return status === 200 && data;
	}, url);
	const labels = Object.keys(fields).sort((a, b) => page.indexOf(`>${a}`) - page.indexOf(`>${b}`));
	const form = new FormData();
	labels.forEach((label, index) => form.append(`field-${index}`, String(fields[label])));
	const { data } = await axios.post<unknown>(url, form, QUIETLY);
	const waiting = new URL(String(record(data).formWaitingUrl));
	const status = new URL(waiting);
	status.pathname += '/n8n-execution-status';
	await until(
		async () => (await axios.get(status.href, QUIETLY)).data === 'form-waiting',
		'the ending',
	);
	const ending = await axios.get<unknown>(waiting.href, QUIETLY);
	return [ending.status, ending.data];
}

/** One of n8n's data tables, as the editor shows and changes it; undefined if there is none of that name. */
async function tableNamed(client: N8nClient, name: string) {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data: all } = record(await client.get(`/data-tables-global?filter=${filter}`));
	const table = list(all)
		.map(record)
		.find((each) => each.name === name);
	if (table === undefined) return undefined;
	const { projectId, id } = texts(table, 'projectId', 'id');
	const path = `/projects/${projectId}/data-tables/${id}`;
	return {
		/** In the order in which they were made. */
		async rows(): Promise<JsonRecord[]> {
			const { data } = record(await client.get(`${path}/rows?sortBy=id:asc&take=250`));
			return list(data).map(record);
		},
		add: async (rows: JsonRecord[]) => await client.post(`${path}/insert`, { data: rows }),
		/** Changes the rows whose column has that value. */
		async change(columnName: string, value: string, data: JsonRecord) {
			const filters = [{ columnName, condition: 'eq', value }];
			await client.patch(`${path}/rows`, { filter: { type: 'and', filters }, data });
		},
	};
}

/** With these nodes switched on, and the values entered. */
export function withEntered(workflow: WorkflowJson, entered: Entered[]): WorkflowJson {
	const values = new Map(entered);
	const nodes = workflow.nodes.map((node) =>
		values.has(node.name)
			? { ...node, disabled: false, parameters: { ...node.parameters, ...values.get(node.name) } }
			: node,
	);
	return { ...workflow, nodes };
}

export function triggerOf({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`"${name}" has no trigger`);
	return trigger.name;
}

export function json(result: ExecutionResult, node: string): JsonRecord[] {
	return result.items(node).map((item) => item.json);
}
