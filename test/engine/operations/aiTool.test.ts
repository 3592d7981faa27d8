import { byId, inEveryDialect } from '../support.ts';

/** As n8n's agent calls the node: the model fills the parameters, and all that it gives is text. */
const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const given = (values: Record<string, string>) => ({ rows: [{ query: values }] });

inEveryDialect((stage) => {
	test('an ID that the model gives as text finds the link', async () => {
		const id = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const result = await stage.link(
			'link.get',
			{ linkId: byId(fromModel('Link')) },
			given({ Link: String(id) }),
		);
		expect(result.json).toMatchObject([{ id, longurl: 'https://example.com/' }]);
		expect(result.requests).toEqual([stage.expected('link', `GET /api/url/${id}`)]);
	});

	test('a link is created from the texts of the model', async () => {
		const alias = stage.unique('agent');
		const result = await stage.link(
			'link.create',
			{
				url: fromModel('URL'),
				additionalFields: { customAlias: fromModel('Alias'), expiry: fromModel('Expiry') },
			},
			given({ URL: 'https://example.com/agent', Alias: alias, Expiry: '2030-01-01 12:00' }),
		);
		expect(result.json).toEqual([
			{ id: result.json[0]?.id, shorturl: `${stage.sandbox.linkUrl}/${alias}` },
		]);
		expect(result.requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/agent', custom: alias, expiry: '2030-01-01 12:00:00' },
		]);
	});

	test('both IDs of an assignment may be texts', async () => {
		const campaign = await stage.make('/api/campaign/add', { name: 'Agent' });
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const { json } = await stage.link(
			'campaign.assignLink',
			{ campaignId: byId(fromModel('Campaign')), linkId: byId(fromModel('Link')) },
			given({ Campaign: String(campaign), Link: ` ${link}` }),
		);
		expect(json).toMatchObject([{ success: true, campaignId: campaign, linkId: link }]);
	});

	test('a limit given as text is kept to, so that the result stays small', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 10);
		const { json, requests } = await stage.link(
			'link.getAll',
			{ limit: fromModel('Limit'), options: {} },
			given({ Limit: '3' }),
		);
		expect(json).toHaveLength(3);
		expect(requests.map(({ query }) => query)).toEqual([{ limit: '3', page: '1' }]);
	});

	test('Return All given as text is understood', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 60);
		const { json } = await stage.link(
			'link.getAll',
			{ returnAll: fromModel('Return_All'), options: {} },
			given({ Return_All: 'true' }),
		);
		expect(json).toHaveLength(60);
	});

	test.each([
		['true', true],
		['false', false],
	])('a switch given as the text %s is understood', async (text, starred) => {
		const channel = await stage.link(
			'channel.create',
			{ name: 'Agent', additionalFields: { starred: fromModel('Starred') } },
			given({ Starred: text }),
		);
		const campaign = await stage.link(
			'campaign.create',
			{ name: 'Agent', additionalFields: { public: fromModel('Public') } },
			given({ Public: text.toUpperCase() }),
		);
		expect(channel.requests.map(({ body }) => body)).toEqual([{ name: 'Agent', starred }]);
		expect(campaign.requests.map(({ body }) => body)).toEqual([{ name: 'Agent', public: starred }]);
	});

	test('an ID that the model made up is refused before any request, in words that help it', async () => {
		const { error, requests } = await stage.link(
			'link.get',
			{ linkId: byId(fromModel('Link')) },
			given({ Link: 'the spring link' }),
		);
		expect(error).toMatchObject({
			message: 'Link ID must be a positive whole number, but is "the spring link"',
			description: 'Pick one from the list, or give its id as a number',
		});
		expect(requests).toEqual([]);
	});

	test('the store takes an item and a purchase code as texts', async () => {
		const item = stage.sandbox.store.addItem(stage.storeAccount.id);
		const code = stage.sandbox.store.addPurchase(item);
		const read = await stage.store(
			'item.get',
			{ itemId: byId(fromModel('Item')) },
			given({ Item: String(item) }),
		);
		const validated = await stage.store(
			'purchase.validate',
			{ purchaseCode: fromModel('Code'), options: { expectedItemId: fromModel('Item') } },
			given({ Code: code, Item: String(item) }),
		);
		expect(read.json).toMatchObject([{ id: item }]);
		expect(validated.json).toMatchObject([{ valid: true, item_matches: true }]);
	});
});
