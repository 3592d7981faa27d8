import { withCredentials } from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import type { ExampleStage } from './exampleStage.ts';
import { like } from './matchers.ts';
import { startModel } from './model.ts';

export function testAgent(getStage: () => ExampleStage): void {
	test('campaign-link-agent.json finds no such campaign, makes a link in a new one, another one there, and says so in the chat', async () => {
		await using stack = new AsyncDisposableStack();
		const stage = getStage();
		const { client } = stage.n8n;
		const asked = 'A link to https://example.com/tour for our summer tour, for the newsletter';
		const utm = { source: 'newsletter', campaign: 'summer-tour' };
		const title = 'Summer tour, newsletter';
		const campaignName = 'Summer tour';
		const link = { url: 'https://example.com/tour', campaignName, title, ...utm, medium: 'null' };
		let known: unknown[] = [];
		const model = await startModel(stack, [
			{ tool: 'Create_a_link', input: { ...link, url: 'exa mple.com' } },
			{ tool: 'Find_the_campaigns', input: {} },
			(campaigns) => {
				known = campaigns.map(({ name }) => name);
				return { tool: 'Create_a_link', input: link };
			},
			{ tool: 'Create_a_link', input: { ...link, campaignName: 'summer TOUR', source: 'posters' } },
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
			'GET /api/campaigns',
			// Another run may have made a campaign of that name at the same moment.
			...['GET /api/campaigns', 'POST /api/campaign/add', 'GET /api/campaigns'],
			...['GET /api/urls', 'POST /api/url/add'],
			...['GET /api/campaigns', 'GET /api/urls', 'POST /api/url/add'],
		]);
		const longUrl = (source: string): string =>
			`${link.url}?utm_source=${source}&utm_campaign=${utm.campaign}`;
		const [first, second] = stage.bodiesOf('/api/url/add').map(record);
		const campaign = first?.campaign;
		expect(campaign).toEqual(expect.any(Number));
		expect(first).toEqual({ url: longUrl('newsletter'), metatitle: title, campaign });
		expect(second).toEqual({ url: longUrl('posters'), metatitle: title, campaign });

		// What the model is told.
		const [beginning] = model.requests;
		const answers = list(model.requests.at(-1)?.messages)
			.map(record)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		expect(answers[0]).toEqual(like(/'URL' must be a web address, but is \\?"exa mple\.com/));
		expect(JSON.stringify(beginning?.messages)).toContain(asked);
	});
}
