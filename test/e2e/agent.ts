import { withCredentials } from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import type { ExampleStage } from './exampleStage.ts';
import { including, like } from './matchers.ts';
import { startModel } from './model.ts';

export function testAgent(getStage: () => ExampleStage): void {
	test('campaign-link-agent.json finds no such campaign, creates it, makes the link and assigns it, and says so in the chat', async () => {
		await using stack = new AsyncDisposableStack();
		const stage = getStage();
		const { client } = stage.n8n;
		const asked = 'A link to https://example.com/tour for our summer tour, for the newsletter';
		const utm = { source: 'newsletter', campaign: 'summer-tour' };
		const title = 'Summer tour, newsletter';
		const link = { url: 'https://example.com/tour', title, ...utm, medium: 'null' };
		let known: unknown[] = [];
		let campaignId: unknown;
		let linkId: unknown;
		const model = await startModel(stack, [
			{ tool: 'Create_a_campaign', input: { name: 'null' } },
			{ tool: 'Create_a_link', input: { ...link, url: 'exa mple.com' } },
			{ tool: 'Find_the_campaigns', input: {} },
			(campaigns) => {
				known = campaigns.map(({ name }) => name);
				return { tool: 'Create_a_campaign', input: { name: 'Summer tour' } };
			},
			([campaign]) => {
				campaignId = campaign?.id;
				return { tool: 'Create_a_link', input: link };
			},
			([made]) => {
				linkId = made?.id;
				return { tool: 'Assign_a_link_to_a_campaign', input: { campaignId, linkId } };
			},
			{ say: 'The newsletter has its link.' },
		]);
		const openAi = await client.createCredential(model.credential);
		const workflow = withCredentials(await stage.ready('campaign-link-agent.json'), [openAi]);
		const message = { json: { action: 'sendMessage', chatInput: asked, sessionId: 'tour' } };
		const trigger = workflow.nodes.find(({ type }) => type.endsWith('chatTrigger'));
		const pinData = { [String(trigger?.name)]: [message] };

		stage.sandbox.clearRequests();
		const result = await client.run({ ...workflow, pinData });
		expect(result.error).toBe('');
		expect(result.json('Campaign agent')).toEqual([{ output: 'The newsletter has its link.' }]);
		expect(known).toEqual(expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']));
		expect(stage.sent()).toEqual([
			...['GET /api/campaigns', 'POST /api/campaign/add', 'GET /api/urls', 'POST /api/url/add'],
			`POST /api/campaign/${String(campaignId)}/assign/${String(linkId)}`,
		]);
		const tags = Object.entries(utm).map(([name, value]) => `utm_${name}=${value}`);
		const longUrl = `${link.url}?${tags.join('&')}`;
		expect(stage.bodiesOf('/api/url/add')).toEqual([{ url: longUrl, metatitle: link.title }]);

		// What the model is told by and of a tool.
		const [first] = model.requests;
		const answers = list(model.requests.at(-1)?.messages)
			.map(record)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		expect(answers.slice(0, 2)).toEqual([
			like(/'Name' is empty\. Enter a value/),
			like(/'URL' has a blank in its host: .+ Remove the blank/),
		]);
		expect(JSON.stringify(first?.messages)).toContain(asked);
		const tools = list(first?.tools).map((tool) => record(record(tool).function));
		const tool = tools.find(({ name }) => name === 'Create_a_link');
		const properties = Object.keys(link).map((name) => [name, including({ type: 'string' })]);
		expect(tool).toMatchObject({
			description: like(/link/i),
			parameters: { properties: Object.fromEntries(properties) as unknown },
		});
	});
}
