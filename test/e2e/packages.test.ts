import { DEMO } from '../../sandbox/demo.ts';
import { readExample } from '../n8n-host/instance.ts';
import { OwnN8n } from './ownN8n.ts';
import { chain, purchase } from './workflow.ts';

/** The packages for one service, each alone in an n8n. All other suites have the package for both. */

const VALIDATE = {
	...purchase('Validate', 'validate', { purchaseCode: DEMO.purchaseCodes.valid }),
	type: 'n8n-nodes-linkstore-store.store',
};

test.each([
	{
		service: 'links',
		nodes: ['linkManagement', 'linkManagementTool', 'linkManagementTrigger'],
		first: async () => await readExample('links/create-short-link.json'),
	},
	{
		service: 'store',
		nodes: ['store', 'storeTool', 'storeTrigger'],
		first: async () => await Promise.resolve(chain('A purchase', [{}], [VALIDATE])),
	},
] as const)('n8n-nodes-linkstore-$service loads and runs', async ({ service, nodes, first }) => {
	const name = `n8n-nodes-linkstore-${service}`;
	await using stack = new AsyncDisposableStack();
	const n8n = await OwnN8n.open(stack, { name: service, service });
	const own = (await n8n.client.nodeTypes()).filter((type) => type.startsWith(`${name}.`));
	expect(own.sort()).toEqual(nodes.map((node) => `${name}.${node}`));

	const result = await n8n.client.run(n8n.ready(await first()));
	expect(result).toMatchObject({ status: 'success', error: '' });
	expect(n8n.sandbox.requests).not.toEqual([]);
});
