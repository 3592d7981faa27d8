import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import type { CredentialRef, ExecutionResult } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, withCredentials } from '../n8n-host/instance.ts';
import { agentWorkflow, fromModel } from './agent.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, including, like, listWith } from './matchers.ts';
import type { ScriptedModel } from './model.ts';
import { lastToolResult, startModel } from './model.ts';
import { theStage } from './stage.ts';
import { linkManagement, store, TRIGGER } from './workflow.ts';

const LINK_TOOL = 'Shorten_a_URL';
const STORE_TOOL = 'Check_a_purchase_code';
const LONG_URL = 'https://example.com/asked-for-by-an-agent';
const ALIAS = 'by-an-agent';
const LAST_WORD = 'Your link is ready, and the purchase is valid.';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
let model: ScriptedModel;
let credentials: CredentialRef[];
let result: ExecutionResult;

/** An agent that may use both nodes as tools. */
const agent = agentWorkflow(
	'E2E agent',
	`Shorten ${LONG_URL} as ${ALIAS}, and check ${DEMO.purchaseCodes.valid}.`,
	[
		linkManagement('Shorten a URL', 'link.create', {
			url: fromModel('url', 'The long URL'),
			additionalFields: { customAlias: fromModel('alias', 'The words at the end') },
		}),
		store('Check a purchase code', 'purchase.validate', {
			purchaseCode: fromModel('code', 'The code that the buyer got'),
			options: {},
		}),
	],
);

beforeAll(async () => {
	model = await startModel([
		{ tool: LINK_TOOL, input: { url: LONG_URL, alias: ALIAS } },
		{ tool: STORE_TOOL, input: { code: DEMO.purchaseCodes.valid } },
		{ say: LAST_WORD },
	]);
	await client.login(DEMO_OWNER);
	await client.saveCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: KEYS.model, url: model.url, header: false },
	});
	credentials = await client.credentials();
	result = await client.run(withCredentials(agent, credentials), TRIGGER);
});

afterAll(async () => {
	await model.stop();
});

test('the agent ends well, with the last word of its model', () => {
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	expect(result.items('Agent').map(({ json }) => json)).toEqual([{ output: LAST_WORD }]);
});

test('the model is offered both nodes as tools, with the parameters that it is to fill', () => {
	const [first] = model.requests;
	const tools = Object.fromEntries(
		(first?.tools ?? []).map(({ name, ...tool }) => [name, tool] as const),
	);
	expect(Object.keys(tools).sort()).toEqual([STORE_TOOL, LINK_TOOL]);
	expect(tools[LINK_TOOL]).toMatchObject({
		description: like(/link/i),
		parameters: {
			properties: { url: including({ type: 'string' }), alias: including({ type: 'string' }) },
			required: ['url', 'alias'],
		},
	});
	expect(tools[STORE_TOOL]).toMatchObject({
		description: like(/purchase/i),
		parameters: { properties: { code: including({ type: 'string' }) }, required: ['code'] },
	});
});

test('the link that the model asked for is in the service', async () => {
	const { data } = await axios.get<unknown>(`${stage.linkUrl}/api/urls`, {
		params: { order: 'date', limit: 100 },
		headers: { Authorization: `Bearer ${stage.linkApiKey}` },
		proxy: false,
	});
	expect(data).toMatchObject({
		data: { urls: listWith(including({ alias: ALIAS, longurl: LONG_URL })) },
	});
});

test('what the tools gave out goes back to the model', () => {
	const results = model.requests.slice(1).map(lastToolResult);
	expect(results).toMatchObject([
		[{ id: A_NUMBER, shorturl: `${stage.linkUrl}/${ALIAS}` }],
		[{ valid: true, purchase_code: DEMO.purchaseCodes.valid, support_active: true }],
	]);
});

test('the execution keeps what each tool was given and what it gave out', () => {
	const [shorten] = result.runs['Shorten a URL'] ?? [];
	expect(JSON.stringify(shorten?.given)).toContain(LONG_URL);
	expect(JSON.stringify(shorten?.outputs)).toContain(`${stage.linkUrl}/${ALIAS}`);
	const [check] = result.runs['Check a purchase code'] ?? [];
	expect(JSON.stringify(check?.outputs)).toContain('support_days_left');
	expect(result.runs.Model).toHaveLength(3);
	expect(JSON.stringify(result.runs.Model?.at(-1)?.given)).toContain('support_days_left');
});
