import { json } from 'node:stream/consumers';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { serve } from '../loopback.ts';
import type { CredentialInput } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record } from '../n8n-host/json.ts';
import { until } from '../n8n-host/until.ts';
import type { ExampleStage } from './exampleStage.ts';
import { including, like } from './exampleStage.ts';
import { KEYS } from './keys.ts';

/** The examples that speak to language models. */

/** What the model says at its turn: that a tool be called, or its last word. */
type Turn = { tool: string; input: JsonRecord } | { say: string };

/** A language model that follows a script, behind the interface that OpenAI's models have. */
async function startModel(stack: AsyncDisposableStack, script: Turn[]) {
	const requests: JsonRecord[] = [];
	const server = await serve((request, response) => {
		void json(request).then((sent) => {
			const turn = script[requests.length] ?? { say: 'I have nothing more to say.' };
			requests.push(record(sent));
			const message = messageOf(turn, requests.length);
			const choice = { index: 0, finish_reason: 'stop', message };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ object: 'chat.completion', choices: [choice] }));
		});
	});
	stack.defer(async () => await server.stop());
	const data = { apiKey: KEYS.model, url: `${server.url}/v1`, header: false };
	const credential: CredentialInput = { name: 'OpenAI account', type: 'openAiApi', data };
	return { credential, requests };
}

function messageOf(turn: Turn, number: number): JsonRecord {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const called = { name: turn.tool, arguments: JSON.stringify(turn.input) };
	const call = { index: 0, id: `call_${number}`, type: 'function', function: called };
	return { role: 'assistant', content: null, tool_calls: [call] };
}

/** An assistant that has this server in its settings. */
async function connect(stack: AsyncDisposableStack, url: string, token: string): Promise<Client> {
	const headers = { authorization: `Bearer ${token}` };
	const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
	const client = new Client({ name: 'assistant', version: '1.0.0' });
	await client.connect(transport);
	stack.defer(async () => await client.close());
	return client;
}

export function testAssistants(getStage: () => ExampleStage): void {
	const stack = new AsyncDisposableStack();
	afterAll(async () => await stack.disposeAsync());

	test('campaign-link-agent.json finds no such campaign, makes a link in a new one, another one there, and says so in the chat', async () => {
		const { client, n8n, ready, runWorkflow, sent, bodiesOf } = getStage();
		const asked = 'A link to https://example.com/tour for our summer tour, for the newsletter';
		const title = 'Summer tour, newsletter';
		const link = {
			url: 'https://example.com/tour',
			campaignName: 'Summer tour',
			title,
			source: 'newsletter',
			campaign: 'summer-tour',
			medium: 'null',
		};
		const posters = { ...link, campaignName: 'summer TOUR', source: 'posters' };
		const model = await startModel(stack, [
			{ tool: 'Create_a_link', input: { ...link, url: 'exa mple.com' } },
			{ tool: 'Find_the_campaigns', input: {} },
			{ tool: 'Create_a_link', input: link },
			{ tool: 'Create_a_link', input: posters },
			{ say: 'The newsletter has its link.' },
		]);
		n8n.credentials.push(await client.createCredential(model.credential));
		const workflow = await ready('campaign-link-agent.json');
		const message = { json: { action: 'sendMessage', chatInput: asked, sessionId: 'tour' } };
		const trigger = workflow.nodes.find(({ type }) => type.endsWith('chatTrigger'));
		const result = await runWorkflow({
			...workflow,
			pinData: { [String(trigger?.name)]: [message] },
		});
		expect(result.json('Campaign agent')).toEqual([{ output: 'The newsletter has its link.' }]);
		expect(sent()).toEqual([
			'GET /api/campaigns',
			// Another run may have made a campaign of that name at the same moment.
			...['GET /api/campaigns', 'POST /api/campaign/add', 'GET /api/campaigns'],
			...['GET /api/urls', 'POST /api/url/add'],
			...['GET /api/campaigns', 'GET /api/urls', 'POST /api/url/add'],
		]);
		const longUrl = (source: string): string =>
			`${link.url}?utm_source=${source}&utm_campaign=summer-tour`;
		const [first, second] = bodiesOf('/api/url/add');
		const campaign = first?.campaign;
		expect(campaign).toEqual(expect.any(Number));
		expect(first).toEqual({ url: longUrl('newsletter'), metatitle: title, campaign });
		expect(second).toEqual({ url: longUrl('posters'), metatitle: title, campaign });

		// What the model is told.
		expect(JSON.stringify(model.requests[0]?.messages)).toContain(asked);
		const told = list(model.requests.at(-1)?.messages)
			.map(record)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		expect(told[0]).toEqual(like(/'URL' must be a web address, but is \\?"exa mple\.com/));
		for (const name of ['Spring Sale', 'Newsletter', 'Conference']) expect(told[1]).toContain(name);
	});

	test('links-as-mcp-server.json lets an assistant with the token create, find and count links', async () => {
		const { client, publish } = getStage();
		const id = await publish('links-as-mcp-server.json');
		const url = `${client.url}/mcp/short-links`;
		const refusal = async () =>
			await connect(stack, url, KEYS.mistyped).then(() => 'connected', String);
		// n8n calls a workflow published a moment before its address is there.
		await until(async () => !(await refusal()).includes('not registered'), url);
		expect(await refusal()).toMatch(/Authorization/);

		const assistant = await connect(stack, url, KEYS.assistant);
		const { tools } = await assistant.listTools();
		const required = tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]);
		expect(Object.fromEntries(required)).toEqual({
			Create_a_link: ['url'],
			Find_links: [],
			Get_a_link: ['linkId'],
			Get_the_clicks_on_a_link: ['linkId'],
		});
		/** The text of a tool's result */
		const told = async (name: string, input: JsonRecord): Promise<string> => {
			const { content } = await assistant.callTool({ name, arguments: input });
			return String(record(list(content)[0]).text);
		};
		/** The first of the items in it */
		const use = async (name: string, input: JsonRecord): Promise<JsonRecord> =>
			record([JSON.parse(await told(name, input)) as unknown].flat()[0]);
		const link = { url: 'https://example.com/mcp', alias: 'from-mcp', source: 'newsletter' };
		const made = await use('Create_a_link', link);
		expect(made).toEqual(including({ alias: 'from-mcp', outcome: 'created' }));
		const other = { ...link, url: `${link.url}/other` };
		expect(await told('Create_a_link', other)).toMatch(/already taken/);
		const again = await use('Create_a_link', { ...link, alias: 'mcp-again' });
		expect(again).toEqual(including({ id: made.id, alias: 'from-mcp' }));
		const longurl = `${link.url}?utm_source=newsletter`;
		const found = await use('Find_links', { search: 'from-mcp' });
		expect(found).toEqual(including({ id: made.id, longurl }));
		const got = await use('Get_a_link', { linkId: found.id });
		expect(got).toEqual(including({ id: made.id }));
		await client.deactivate(id);
	});
}
