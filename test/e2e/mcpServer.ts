import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { list, record } from '../n8n-host/json.ts';
import { until } from '../n8n-host/until.ts';
import type { ExampleStage } from './exampleStage.ts';
import { KEYS } from './keys.ts';
import { including } from './matchers.ts';

/** An assistant that has this server in its settings. */
async function connect(stack: AsyncDisposableStack, url: string, token: string): Promise<Client> {
	const headers = { authorization: `Bearer ${token}` };
	const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
	const client = new Client({ name: 'assistant', version: '1.0.0' });
	await client.connect(transport);
	stack.defer(async () => await client.close());
	return client;
}

/** The text of a tool's result. */
async function told(client: Client, name: string, input: Record<string, unknown>) {
	const { content } = await client.callTool({ name, arguments: input });
	return String(record(list(content)[0]).text);
}

/** The items that a tool gave, which are in that text. */
async function use(...call: Parameters<typeof told>) {
	return [JSON.parse(await told(...call)) as unknown].flat().map(record);
}

export function testMcpServer(getStage: () => ExampleStage): void {
	test('links-as-mcp-server.json lets an assistant with the token create, find and count links', async () => {
		await using stack = new AsyncDisposableStack();
		const stage = getStage();
		const id = await stage.publish('links-as-mcp-server.json');
		const url = `${stage.n8n.client.url}/mcp/short-links`;
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
		const link = { url: 'https://example.com/mcp', alias: 'from-mcp', source: 'newsletter' };
		const [made] = await use(assistant, 'Create_a_link', link);
		expect(made).toEqual(including({ alias: 'from-mcp', outcome: 'created' }));
		const other = { ...link, url: `${link.url}/other` };
		expect(await told(assistant, 'Create_a_link', other)).toMatch(/already taken/);
		const [again] = await use(assistant, 'Create_a_link', { ...link, alias: 'mcp-again' });
		expect(again).toEqual(including({ id: made?.id, alias: 'from-mcp' }));
		const [found] = await use(assistant, 'Find_links', { search: 'from-mcp' });
		expect(found).toEqual(
			including({ id: made?.id, longurl: `${link.url}?utm_source=newsletter` }),
		);
		const [got] = await use(assistant, 'Get_a_link', { linkId: found?.id });
		expect(got).toEqual(including({ id: made?.id }));
		await stage.n8n.client.deactivate(id);
	});
}
