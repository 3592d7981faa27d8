import { DEMO } from '../../sandbox/demo.ts';
import { readExample } from '../n8n-host/instance.ts';
import { submitted } from './exampleStage.ts';
import { like } from './matchers.ts';
import { OwnN8n } from './ownN8n.ts';
import { chain, purchase } from './workflow.ts';

/** The packages for one service, each alone in an n8n. All other suites have the package for both. */

/** The example of the package that turns a sheet into links, with tabs between the columns of the sheet. */
async function uploadSheet(n8n: OwnN8n): Promise<void> {
	const example = await readExample('links/sheet-in-sheet-out.json');
	await n8n.client.publish(n8n.ready(example));
	const form = example.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const sheet = new Blob(['url\talias\nhttps://example.com/a\ta\nexample dot com\tb']);
	const page = await submitted(`${n8n.client.url}/form/${form?.webhookId}`, [sheet]);
	expect(page).toEqual(like(/1 created, 1 failed/));
}

const VALIDATE = {
	...purchase('Validate', 'validate', { purchaseCode: DEMO.purchaseCodes.valid }),
	type: 'n8n-nodes-linkstore-store.store',
};

async function validateCode(n8n: OwnN8n): Promise<void> {
	const result = await n8n.client.run(n8n.ready(chain('A purchase', [{}], [VALIDATE])));
	expect(result).toMatchObject({ status: 'success', error: '' });
}

test.each([
	{
		service: 'links',
		nodes: ['linkManagement', 'linkManagementTool', 'linkManagementTrigger'],
		run: uploadSheet,
	},
	{
		service: 'store',
		nodes: ['store', 'storeTool', 'storeTrigger'],
		run: validateCode,
	},
] as const)('n8n-nodes-linkstore-$service loads and runs', async ({ service, nodes, run }) => {
	const name = `n8n-nodes-linkstore-${service}`;
	await using stack = new AsyncDisposableStack();
	const n8n = await OwnN8n.open(stack, { name: service, service });
	const own = (await n8n.client.nodeTypes()).filter((type) => type.startsWith(`${name}.`));
	expect(own.sort()).toEqual(nodes.map((node) => `${name}.${node}`));

	await run(n8n);
	expect(n8n.sandbox.requests).not.toEqual([]);
});
