import { DEMO } from '../../sandbox/demo.ts';
import type { ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, withCredentials } from '../n8n-host/instance.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, including, like } from './matchers.ts';
import type { ScriptedModel } from './model.ts';
import { lastToolResult, startModel } from './model.ts';
import { theStage } from './stage.ts';
import { inLine, linkManagement, store, TRIGGER } from './workflow.ts';

const LINK_TOOL = 'Shorten_a_URL';
const STORE_TOOL = 'Check_a_purchase_code';
const LONG_URL = 'https://example.com/asked-for-by-an-agent';
const ALIAS = 'by-an-agent';
const CODE = DEMO.purchaseCodes.valid;
const LAST_WORD = 'Your link is ready, and the purchase is valid.';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
let model: ScriptedModel;
let result: ExecutionResult;

/** Lets the model fill a parameter. */
const fromModel = (name: string, description: string): string =>
	`={{ $fromAI('${name}', '${description}', 'string') }}`;

const TOOLS = [
	linkManagement('Shorten a URL', 'link.create', {
		url: fromModel('url', 'The long URL'),
		additionalFields: { customAlias: fromModel('alias', 'The words at the end') },
	}),
	store('Check a purchase code', 'purchase.validate', {
		purchaseCode: fromModel('code', 'The code that the buyer got'),
		options: {},
	}),
];

const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });

/** An agent that may use both nodes as tools. */
const agent: WorkflowJson = {
	...inLine('E2E agent', [
		{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: {
				promptType: 'define',
				text: `Shorten ${LONG_URL} as ${ALIAS}, and check ${CODE}.`,
				options: {},
			},
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: { name: 'Scripted model' } },
		},
		...TOOLS.map((tool) => ({ ...tool, type: `${tool.type}Tool` })),
	]),
	connections: {
		[TRIGGER]: to('main'),
		Model: to('ai_languageModel'),
		...Object.fromEntries(TOOLS.map(({ name }) => [name, to('ai_tool')])),
	},
};

beforeAll(async () => {
	model = await startModel([
		{ tool: LINK_TOOL, input: { url: LONG_URL, alias: ALIAS } },
		{ tool: STORE_TOOL, input: { code: CODE } },
		{ say: LAST_WORD },
	]);
	await client.login(DEMO_OWNER);
	await client.saveCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: KEYS.model, url: model.url, header: false },
	});
	result = await client.run(withCredentials(agent, await client.credentials()), TRIGGER);
});

afterAll(async () => {
	await model.stop();
});

test('the agent ends well, with the last word of its model', () => {
	expect(result.error).toBeUndefined();
	expect(result.items('Agent').map(({ json }) => json)).toEqual([{ output: LAST_WORD }]);
});

test('the model is offered both nodes as tools, with the parameters that it is to fill', () => {
	const tools = Object.fromEntries(
		model.requests[0]?.tools.map(({ name, ...tool }) => [name, tool]) ?? [],
	);
	const aString = including({ type: 'string' });
	expect(tools).toMatchObject({
		[LINK_TOOL]: {
			description: like(/link/i),
			parameters: { properties: { url: aString, alias: aString }, required: ['url', 'alias'] },
		},
		[STORE_TOOL]: {
			description: like(/purchase/i),
			parameters: { properties: { code: aString }, required: ['code'] },
		},
	});
});

test('what the tools did in the services goes back to the model', () => {
	const results = model.requests.slice(1).map(lastToolResult);
	expect(results).toMatchObject([
		[{ id: A_NUMBER, shorturl: `${stage.linkUrl}/${ALIAS}` }],
		[{ valid: true, purchase_code: CODE, support_active: true }],
	]);
});

test('the execution keeps what each tool was given and what it gave out', () => {
	const [shorten] = result.runs['Shorten a URL'] ?? [];
	expect(JSON.stringify(shorten?.given)).toContain(LONG_URL);
	expect(JSON.stringify(shorten?.outputs)).toContain(`${stage.linkUrl}/${ALIAS}`);
	const [check] = result.runs['Check a purchase code'] ?? [];
	expect(JSON.stringify(check?.outputs)).toContain('support_days_left');
	expect(result.runs.Model).toHaveLength(3);
});
