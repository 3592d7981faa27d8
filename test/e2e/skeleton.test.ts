import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, readWorkflow, withCredentials } from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import { A_NUMBER, A_RECORD, A_STRING, including, like } from './matchers.ts';
import { theStage } from './stage.ts';
import { byId, chain, link, purchase, TRIGGER } from './workflow.ts';

/** Workflows as people build them: what a step gives out is found again by the next ones, row by row. */

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
let credentials: CredentialRef[];

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	credentials = await client.credentials();
});

async function run(workflow: WorkflowJson, trigger = TRIGGER): Promise<ExecutionResult> {
	const result = await client.run(withCredentials(workflow, credentials), trigger);
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	return result;
}

const ROWS = [
	{ title: 'Spring', address: 'https://example.com/spring' },
	{ title: 'Summer', address: 'https://example.com/summer?colour=green&size=xl' },
	{ title: 'Autumn', address: 'https://example.com/autumn' },
];

test('n8n lists the package among its community nodes', async () => {
	const packages = await client.communityPackages();
	expect(
		packages.map(({ packageName, failedLoading = false }) => [packageName, failedLoading]),
	).toEqual([['n8n-nodes-linkstore', false]]);
});

test('three links are created, updated, read and deleted, each with what belongs to its row', async () => {
	const id = byId("={{ $('Create').item.json.id }}");
	const result = await run(
		chain('E2E create, update, read, delete', ROWS, [
			link('Create', 'create', {
				url: '={{ $json.address }}',
				additionalFields: { metaTitle: '={{ $json.title }}' },
			}),
			link('Update', 'update', {
				linkId: byId('={{ $json.id }}'),
				updateFields: { metaTitle: "={{ $('Rows').item.json.title + ' is here' }}" },
			}),
			link('Get', 'get', { linkId: id }),
			link('Delete', 'delete', { linkId: id }),
		]),
	);

	const created = result.items('Create');
	expect(created.map(({ json }) => json)).toEqual(
		ROWS.map(({ address }) => ({
			id: A_NUMBER,
			shorturl: like(/^https?:\/\//),
			longurl: address,
			alias: like(/./),
		})),
	);
	const ids = created.map(({ json }) => json.id);
	expect(result.items('Get').map(({ json }) => json)).toMatchObject(
		ROWS.map(({ title, address }, index) => ({
			id: ids[index],
			longurl: address,
			title: `${title} is here`,
			statistics: A_RECORD,
		})),
	);
	expect(result.items('Delete').map(({ json }) => json)).toEqual(
		ids.map((deleted) => ({ deleted: true, id: deleted })),
	);
	for (const step of ['Create', 'Update', 'Get', 'Delete']) {
		expect(result.items(step).map(({ pairedItems }) => pairedItems)).toEqual([[0], [1], [2]]);
	}

	const { data } = await axios.get<unknown>(`${stage.linkUrl}/api/urls`, {
		params: { limit: 100 },
		headers: { Authorization: `Bearer ${stage.linkApiKey}` },
		proxy: false,
	});
	const left = list(record(record(data).data).urls).map((found) => record(found).id);
	expect(left.filter((found) => ids.includes(found))).toEqual([]);
});

test('a faulty row among others gives an error that still carries its row', async () => {
	const mistyped = { title: 'Mistyped', address: 'example dot com' };
	const result = await run(
		chain('E2E error output', ROWS.with(1, mistyped), [
			{
				...link('Create', 'create', { url: '={{ $json.address }}' }),
				onError: 'continueErrorOutput',
			},
		]),
	);
	expect(result.items('Create', 0).map(({ pairedItems }) => pairedItems)).toEqual([[0], [2]]);
	expect(result.items('Create', 1).map(({ json }) => json)).toEqual([including(mistyped)]);
});

test.each(['1.123', '2.40'])('a workflow saved in the editor of n8n %s runs', async (release) => {
	const saved = await readWorkflow(`test/engine/saved-in-n8n-${release}.json`);
	const result = await run(saved, 'Rows');
	expect(result.items('Newest')[0]?.json).toMatchObject({ title: 'Saved in the editor' });
	expect(result.items('Check')[0]?.json).toMatchObject({ valid: true, item_matches: true });
});

test('a good and a bad purchase code are told apart', async () => {
	const codes = [DEMO.purchaseCodes.valid, DEMO.purchaseCodes.invalid];
	const result = await run(
		chain(
			'E2E purchase codes',
			codes.map((code) => ({ code })),
			[purchase('Validate', 'validate', { purchaseCode: '={{ $json.code }}', options: {} })],
		),
	);
	expect(result.items('Validate')).toEqual([
		{ json: including({ valid: true, support_active: true }), pairedItems: [0] },
		{ json: { valid: false, purchase_code: codes[1], reason: A_STRING }, pairedItems: [1] },
	]);
});
