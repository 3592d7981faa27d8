import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Expression } from 'n8n-workflow';

import { byId, onStage, Stage } from '../helpers/support.ts';

/** How often an expression in a field is evaluated, which takes most of the time of a large run. */

const stage = onStage(new Stage());

/** n8n itself evaluates each property of the node twice for each item; the node reads it once. */
const TIMES = 3;

const rows: IDataObject[] = [1, 2, 3].map((row) => ({
	id: 900_000 + row,
	url: `https://example.com/${row}`,
	alias: `evaluated-${row}`,
	code: `code-${row}`,
}));

async function evaluations(
	node: 'link' | 'store',
	operation: string,
	parameters: INodeParameters,
	expression: string,
): Promise<number> {
	const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await stage[node](operation, parameters, { rows, settings });
	const asked = resolve.mock.calls.filter(([value]) => value === expression);
	resolve.mockRestore();
	expect(items).toHaveLength(rows.length);
	return asked.length / rows.length;
}

const ID = '={{ $json.id }}';
const URL = '={{ $json.url }}';
const ALIAS = '={{ $json.alias }}';
const byAlias = { __rl: true, mode: 'alias', value: ALIAS };

test.each<['link' | 'store', string, INodeParameters, string]>([
	['link', 'link.get', { linkId: byId(ID) }, ID],
	['link', 'link.delete', { linkId: byAlias }, ALIAS],
	['link', 'link.update', { linkId: byId(ID), updateFields: { url: URL } }, ID],
	['link', 'link.update', { linkId: byId(ID), updateFields: { url: URL } }, URL],
	['link', 'link.create', { url: URL, customAlias: ALIAS }, URL],
	['link', 'link.create', { url: URL, customAlias: ALIAS }, ALIAS],
	['link', 'link.create', { url: URL, additionalFields: { metaTitle: ALIAS } }, ALIAS],
	['link', 'link.upsert', { url: URL, customAlias: ALIAS }, ALIAS],
	['link', 'campaign.assignLink', { campaignId: byId(ID), assignedLinkId: byId(1) }, ID],
	['store', 'purchase.validate', { purchaseCode: '={{ $json.code }}' }, '={{ $json.code }}'],
	['store', 'item.get', { itemId: byId(ID) }, ID],
])('%s %s with %j evaluates %s at most three times for each item', async (...given) => {
	expect(await evaluations(...given)).toBeLessThanOrEqual(TIMES);
});
