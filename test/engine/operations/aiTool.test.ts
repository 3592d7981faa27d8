import type { INodeParameters } from 'n8n-workflow';

import type { Sent } from '../support.ts';
import { Stage, byId, onStage } from '../support.ts';

/** As n8n's agent calls the nodes: the model fills the parameters, and all that it gives is text. */

const stage = onStage(new Stage());

const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

const CALLS: Array<{
	operation: string;
	parameters: INodeParameters;
	given: Record<string, string>;
	sent: Partial<Sent>;
}> = [
	{
		operation: 'link.get',
		parameters: { linkId: byId(fromModel('Link')) },
		given: { Link: '7' },
		sent: { request: 'GET /api/url/7' },
	},
	{
		operation: 'link.create',
		parameters: {
			url: fromModel('URL'),
			additionalFields: { customAlias: fromModel('Alias'), expiry: fromModel('Expiry') },
		},
		given: { URL: 'https://example.com/', Alias: 'agent', Expiry: '2030-01-01 12:00' },
		sent: {
			body: { url: 'https://example.com/', custom: 'agent', expiry: '2030-01-01 12:00:00' },
		},
	},
	{
		operation: 'campaign.assignLink',
		parameters: { campaignId: byId(fromModel('Campaign')), linkId: byId(fromModel('Link')) },
		given: { Campaign: '7', Link: ' 8' },
		sent: { request: 'POST /api/campaign/7/assign/8' },
	},
	{
		operation: 'link.getAll',
		parameters: { limit: fromModel('Limit') },
		given: { Limit: '3' },
		sent: { query: { limit: '3', page: '1' } },
	},
	{
		operation: 'link.getAll',
		parameters: { returnAll: fromModel('Return_All') },
		given: { Return_All: 'true' },
		sent: { query: { limit: '100', page: '1' } },
	},
	...[true, false].map((starred) => ({
		operation: 'channel.create',
		parameters: { name: 'Agent', additionalFields: { starred: fromModel('Starred') } },
		given: { Starred: String(starred) },
		sent: { body: { name: 'Agent', starred } },
	})),
	...[true, false].map((isPublic) => ({
		operation: 'campaign.create',
		parameters: { name: 'Agent', additionalFields: { public: fromModel('Public') } },
		given: { Public: String(isPublic).toUpperCase() },
		sent: { body: { name: 'Agent', public: isPublic } },
	})),
];

test.each(CALLS)('$operation takes the texts $given', async (call) => {
	const { operation, parameters, given, sent } = call;
	const { requests } = await stage.link(operation, parameters, { rows: [{ query: given }] });
	expect(requests).toMatchObject([sent]);
});

test('the store takes an item and a purchase code as texts', async () => {
	const item = stage.sandbox.store.addItem(stage.storeAccount.id);
	const code = stage.sandbox.store.addPurchase(item);
	const rows = [{ query: { Code: code, Item: String(item) } }];
	const read = await stage.store('item.get', { itemId: byId(fromModel('Item')) }, { rows });
	const options = { expectedItemId: fromModel('Item') };
	const parameters = { purchaseCode: fromModel('Code'), options };
	const validated = await stage.store('purchase.validate', parameters, { rows });
	expect(read.json).toMatchObject([{ id: item }]);
	expect(validated.json).toMatchObject([{ valid: true, item_matches: true }]);
});
