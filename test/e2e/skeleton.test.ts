import axios from 'axios';
import type { AxiosInstance } from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import type {
	CredentialInput,
	CredentialRef,
	ExecutionResult,
	WorkflowJson,
} from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	readWorkflow,
	sandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, A_STRING, including, like } from './matchers.ts';
import { theStage } from './stage.ts';
import { startWebsite } from './website.ts';
import { byId, chain, link, purchase, TRIGGER } from './workflow.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
let credentials: CredentialRef[];

/** The link service as anybody else sees it. */
const links: AxiosInstance = axios.create({
	baseURL: `${stage.linkUrl}/api`,
	headers: { Authorization: `Bearer ${stage.linkApiKey}` },
	validateStatus: () => true,
	proxy: false,
});

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	credentials = await client.credentials();
});

async function run(workflow: WorkflowJson): Promise<ExecutionResult> {
	return await client.run(withCredentials(workflow, credentials), TRIGGER);
}

async function linkFromService(id: unknown): Promise<JsonRecord> {
	const { data } = await links.get<unknown>(`/url/${String(id)}`);
	return record(data);
}

test('n8n lists the package among its community nodes', async () => {
	const packages = await client.communityPackages();
	expect(
		packages.map(({ packageName, failedLoading = false }) => [packageName, failedLoading]),
	).toEqual([['n8n-nodes-linkstore', false]]);
});

describe('a workflow of three rows', () => {
	const rows = [
		{ title: 'Spring', address: 'https://example.com/spring' },
		{ title: 'Summer', address: 'https://example.com/summer?colour=green&size=xl' },
		{ title: 'Autumn', address: 'https://example.com/autumn' },
	];
	let ids: number[];

	test('creates, reads and updates three links', async () => {
		const result = await run(
			chain('E2E create, read, update', rows, [
				link('Create', 'create', {
					url: '={{ $json.address }}',
					additionalFields: { metaTitle: '={{ $json.title }}' },
				}),
				link('Get', 'get', { linkId: byId('={{ $json.id }}') }),
				link('Update', 'update', {
					linkId: byId("={{ $('Create').item.json.id }}"),
					updateFields: { metaTitle: "={{ $('Rows').item.json.title + ' is here' }}" },
				}),
			]),
		);

		expect(result.status).toBe('success');
		const created = result.items('Create');
		expect(created).toEqual(
			rows.map(({ address }, index) => ({
				json: {
					...{ id: A_NUMBER, shorturl: like(/^https?:\/\//) },
					...{ longurl: address, alias: like(/./) },
				},
				pairedItems: [index],
			})),
		);
		ids = created.map(({ json }) => Number(json.id));

		const read = result.items('Get');
		expect(read.map(({ json }) => json.longurl)).toEqual(rows.map(({ address }) => address));
		expect(read.map(({ pairedItems }) => pairedItems)).toEqual([[0], [1], [2]]);
		for (const { json } of read) {
			expect(json).not.toHaveProperty('error');
			expect(json).toHaveProperty('statistics');
		}

		const updated = result.items('Update');
		expect(updated.map(({ json }) => json.id)).toEqual(ids);
		expect(updated.map(({ pairedItems }) => pairedItems)).toEqual([[0], [1], [2]]);

		for (const [index, id] of ids.entries()) {
			const { title, address } = rows[index] ?? {};
			expect(await linkFromService(id)).toMatchObject({
				details: { id, longurl: address, title: `${title} is here` },
			});
		}
	});

	test('deletes the three links', async () => {
		const result = await run(
			chain(
				'E2E delete',
				ids.map((id) => ({ id })),
				[link('Delete', 'delete', { linkId: byId('={{ $json.id }}') })],
			),
		);

		expect(result.items('Delete')).toEqual(
			ids.map((id, index) => ({ json: { deleted: true, id }, pairedItems: [index] })),
		);
		for (const id of ids) {
			expect(await linkFromService(id)).not.toHaveProperty('details');
		}
	});

	test('with a faulty row gives two links and one error that still carries its row', async () => {
		const mixed = [rows[0], { title: 'Mistyped', address: 'example dot com' }, rows[2]];
		const result = await run(
			chain('E2E error output', mixed.map(record), [
				{
					...link('Create', 'create', { url: '={{ $json.address }}' }),
					onError: 'continueErrorOutput',
				},
			]),
		);

		expect(result.status).toBe('success');
		expect(result.items('Create', 0).map(({ pairedItems }) => pairedItems)).toEqual([[0], [2]]);
		const failed = result.items('Create', 1);
		expect(failed).toHaveLength(1);
		expect(failed[0]?.json).toMatchObject({ title: 'Mistyped', address: 'example dot com' });
	});
});

test.each(['1.123', '2.40'])('a workflow saved in the editor of n8n %s runs', async (release) => {
	const saved = await readWorkflow(`test/engine/saved-in-n8n-${release}.json`);
	const result = await client.run(withCredentials(saved, credentials), 'Rows');
	expect(result.error).toBeUndefined();
	const [newest] = result.items('Newest');
	expect(newest?.json).toMatchObject({ title: 'Saved in the editor' });
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
		{
			json: including({ valid: true, support_active: true }),
			pairedItems: [0],
		},
		{
			json: { valid: false, purchase_code: codes[1], reason: A_STRING },
			pairedItems: [1],
		},
	]);
});

describe.each(['linkManagementApi', 'storeApi'])('the test of a %s credential', (type) => {
	function credential(changes: JsonRecord): CredentialInput {
		const found = sandboxCredentials(stage).find((input) => input.type === type);
		if (found === undefined) throw new Error(`No credential of type ${type}`);
		return { ...found, data: { ...found.data, ...changes } };
	}

	test('succeeds with the right key', async () => {
		expect(await client.testCredential(credential({}))).toMatchObject({ status: 'OK' });
	});

	test('fails with a wrong key, and says so', async () => {
		const { status, message } = await client.testCredential(credential({ apiKey: KEYS.mistyped }));
		expect(status).toBe('Error');
		expect(message).toMatch(/key/i);
		expect(message).not.toContain(KEYS.mistyped);
		expect(message).not.toContain('..');
	});

	test('fails at an address where nothing listens, and says so', async () => {
		const [port] = await freePorts(1);
		const { status, message } = await client.testCredential(
			credential({ baseUrl: `http://127.0.0.1:${port}` }),
		);
		expect(status).toBe('Error');
		expect(message).toMatch(/address|url|connect|refused|reach/i);
	});

	test('fails at an address that answers with a web page, and says so', async () => {
		const website = await startWebsite();
		try {
			const { status, message } = await client.testCredential(credential({ baseUrl: website.url }));
			expect(status).toBe('Error');
			expect(message).toMatch(/address|url|web page|HTML/i);
			expect(message).not.toContain('<h1>');
		} finally {
			await website.stop();
		}
	});
});
