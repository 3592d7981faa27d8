import { readFile } from 'node:fs/promises';

import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, ExecutionResult } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, A_STRING, including, like } from './matchers.ts';
import { saveOwnCredentials } from './ownCredentials.ts';
import { theStage } from './stage.ts';
import type { Step } from './workflow.ts';
import { byId, chain, linkManagement, ROWS, store, TRIGGER } from './workflow.ts';

/**
 * Each resource is one workflow, its operations one after another, two rows through all of them. What they give out is
 * what the tests of the engine expect of them.
 */

const DATETIME = like(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const FROM_INPUT = byId('={{ $json.id }}');
const ALL = { returnAll: true };

const client = new N8nClient(theStage().n8nUrl);
/** Every operation that has run, as `campaign.create` */
const done = new Set<string>();
let sandbox: Sandbox;
let credentials: CredentialRef[];
let linkAccountId: number;
const email = 'every@links.example';

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 'demo', rateLimit: { requests: 0, windowSeconds: 1 } });
	const account = await sandbox.register({ email, apiKey: KEYS.everyOperation });
	linkAccountId = account.id;
	await client.login(DEMO_OWNER);
	credentials = await saveOwnCredentials(client, sandbox, {
		suffix: 'without a limit',
		linkApiKey: account.apiKey,
		data: { requestsPerMinute: 0 },
	});
});

afterAll(async () => {
	await sandbox.stop();
});

/** Runs the steps one after another, which must all go well. */
async function run(what: string, rows: JsonRecord[], steps: Step[]): Promise<ExecutionResult> {
	const workflow = chain(`E2E every operation: ${what}`, rows, steps);
	const result = await client.run(withCredentials(workflow, credentials), TRIGGER);
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	for (const step of steps) {
		const { type, parameters } = step;
		done.add(`${type} ${String(parameters.resource)}.${String(parameters.operation)}`);
		await expectMembersOfEngine(step, result);
	}
	return result;
}

const FOLDERS: Record<string, string> = { linkManagement: 'LinkManagement', store: 'Store' };

/** The sample outputs are what the tests of the engine pin, so both levels have to agree on the members. */
async function expectMembersOfEngine(
	{ name, type, parameters }: Step,
	result: ExecutionResult,
): Promise<void> {
	const folder = FOLDERS[type.split('.').at(-1) ?? ''] ?? type;
	const { resource, operation } = parameters;
	const path = `nodes/${folder}/__schema__/v1.0.0/${String(resource)}/${String(operation)}.json`;
	const schema = record(JSON.parse(await readFile(path, 'utf8')));
	const members = Object.keys(record(schema.properties));
	const given = Object.keys(result.items(name)[0]?.json ?? {});
	expect({ name, missing: members.filter((member) => !given.includes(member)) }).toEqual({
		name,
		missing: [],
	});
}

/** A step that runs once, whatever comes in. */
function once(step: Step): Step {
	return { ...step, executeOnce: true };
}

function json(result: ExecutionResult, node: string): JsonRecord[] {
	return result.items(node).map((item) => item.json);
}

function ids(result: ExecutionResult, node = 'Create'): number[] {
	return json(result, node).map(({ id }) => Number(id));
}

function byIds(records: JsonRecord[]): JsonRecord[] {
	return [...records].sort((a, b) => Number(a.id) - Number(b.id));
}

/** Each of two rows has come through with one result. */
function expectPairs(result: ExecutionResult, ...nodes: string[]): void {
	for (const node of nodes) {
		const pairs = result.items(node).map(({ pairedItems }) => pairedItems);
		expect({ node, pairs }).toEqual({ node, pairs: [[0], [1]] });
	}
}

const fromCreate = byId("={{ $('Create').item.json.id }}");

test('account', async () => {
	const result = await run(
		'account',
		[{}],
		[
			linkManagement('Get', 'account.get'),
			linkManagement('Update', 'account.update', { updateFields: { email } }),
		],
	);
	expect(json(result, 'Get')).toEqual([
		{
			id: linkAccountId,
			email,
			username: 'every',
			avatar: A_STRING,
			status: 'pro',
			expires: DATETIME,
			registered: DATETIME,
		},
	]);
	expect(json(result, 'Update')).toEqual([{ success: true, message: A_STRING }]);
});

test('link', async () => {
	const rows = ['one', 'two'].map((name) => ({ name, url: `https://example.com/${name}` }));
	const result = await run('link', rows, [
		linkManagement('Create', 'link.create', {
			url: '={{ $json.url }}',
			additionalFields: { metaTitle: '={{ $json.name }}', expiry: '2099-01-01T00:00:00' },
		}),
		linkManagement('Update', 'link.update', {
			linkId: FROM_INPUT,
			updateFields: { metaDescription: "={{ 'About ' + $('Rows').item.json.name }}" },
		}),
		linkManagement('Get', 'link.get', { linkId: FROM_INPUT }),
		once(linkManagement('Get Many', 'link.getAll', { ...ALL, options: { order: 'date' } })),
		linkManagement('Delete', 'link.delete', { linkId: FROM_INPUT }),
	]);
	const created = json(result, 'Create');
	expect(created).toEqual(rows.map(() => ({ id: A_NUMBER, shorturl: like(/^http/) })));
	expect(json(result, 'Update')).toEqual(created);
	expect(json(result, 'Get')).toEqual(
		rows.map(({ name, url }, index) => ({
			...created[index],
			longurl: url,
			title: name,
			description: `About ${name}`,
			location: {},
			device: {},
			expiry: '2099-01-01 00:00:00',
			date: DATETIME,
			statistics: including({ clicks: 0, uniqueClicks: 0 }),
		})),
	);
	expect(byIds(json(result, 'Get Many'))).toEqual(
		rows.map(({ name, url }, index) => ({
			...created[index],
			alias: A_STRING,
			longurl: url,
			clicks: 0,
			title: name,
			description: `About ${name}`,
			date: DATETIME,
		})),
	);
	expect(byIds(json(result, 'Delete'))).toEqual(ids(result).map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Update', 'Get');
});

test('campaign', async () => {
	const rows = ['Spring', 'Summer'].map((name) => ({ name, url: `https://example.com/${name}` }));
	const result = await run('campaign', rows, [
		linkManagement('Create', 'campaign.create', {
			name: '={{ $json.name }}',
			additionalFields: { slug: '={{ $json.name.toLowerCase() }}', public: true },
		}),
		linkManagement('Link', 'link.create', { url: "={{ $('Rows').item.json.url }}" }),
		linkManagement('Assign', 'campaign.assignLink', { campaignId: fromCreate, linkId: FROM_INPUT }),
		linkManagement('Update', 'campaign.update', {
			campaignId: fromCreate,
			name: "={{ $('Rows').item.json.name + ' sale' }}",
			updateFields: { public: false },
		}),
		once(linkManagement('Get Many', 'campaign.getAll', ALL)),
		linkManagement('Delete', 'campaign.delete', { campaignId: FROM_INPUT }),
	]);
	const campaign = (index: number, name: string, isPublic: boolean) => ({
		id: ids(result)[index],
		name,
		public: isPublic,
		rotator: `${sandbox.linkUrl}/r/${['spring', 'summer'][index] ?? ''}`,
		list: `${sandbox.linkUrl}/campaign/${ids(result)[index] ?? 0}`,
	});
	const updated = [campaign(0, 'Spring sale', false), campaign(1, 'Summer sale', false)];
	expect(json(result, 'Create')).toEqual([
		campaign(0, 'Spring', true),
		campaign(1, 'Summer', true),
	]);
	expect(json(result, 'Assign')).toEqual(
		ids(result).map((campaignId, index) => ({
			success: true,
			campaignId,
			linkId: ids(result, 'Link')[index],
			message: 'The link has been assigned to the campaign.',
		})),
	);
	expect(json(result, 'Update')).toEqual(updated.map((fields) => ({ success: true, ...fields })));
	expect(byIds(json(result, 'Get Many'))).toEqual(updated);
	expect(byIds(json(result, 'Delete'))).toEqual(ids(result).map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Assign', 'Update');
});

test('channel', async () => {
	const rows = ['Mail', 'Print'].map((name) => ({ name }));
	const result = await run('channel', rows, [
		linkManagement('Create', 'channel.create', {
			name: '={{ $json.name }}',
			additionalFields: { description: 'Posts', color: '#ff9900', starred: true },
		}),
		linkManagement('Link', 'link.create', { url: 'https://example.com/in-a-channel' }),
		linkManagement('Assign', 'channel.assignItem', {
			channelId: fromCreate,
			itemType: 'links',
			itemId: FROM_INPUT,
		}),
		linkManagement('Items', 'channel.getItems', { channelId: fromCreate, ...ALL }),
		linkManagement('Update', 'channel.update', {
			channelId: fromCreate,
			updateFields: { description: '', starred: false },
		}),
		once(linkManagement('Get Many', 'channel.getAll', ALL)),
		linkManagement('Delete', 'channel.delete', { channelId: FROM_INPUT }),
	]);
	const channels = ids(result);
	const created = rows.map(({ name }, index) => ({
		id: channels[index],
		name,
		description: 'Posts',
		color: '#ff9900',
		starred: true,
	}));
	expect(json(result, 'Create')).toEqual(created);
	expect(json(result, 'Assign')).toEqual(
		channels.map((channelId, index) => ({
			success: true,
			channelId,
			itemId: ids(result, 'Link')[index],
			message: 'The item has been assigned to the channel.',
		})),
	);
	expect(json(result, 'Items')).toEqual(
		ids(result, 'Link').map((id) => ({
			type: 'links',
			id,
			title: 'example.com',
			preview: like(/^http.*\.svg$/),
			link: like(/^http/),
			date: like(/^\d{4}-\d\d-\d\d$/),
		})),
	);
	expect(json(result, 'Update')).toEqual(
		channels.map((id) => ({ success: true, id, message: 'The channel has been updated.' })),
	);
	expect(byIds(json(result, 'Get Many'))).toEqual(
		created.map((channel) => ({ ...channel, description: '', starred: false })),
	);
	expect(byIds(json(result, 'Delete'))).toEqual(channels.map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Assign', 'Items', 'Update');
});

test('domain', async () => {
	const rows = ['a', 'b'].map((name) => ({ domain: `https://${name}.every.example` }));
	const result = await run('domain', rows, [
		linkManagement('Create', 'domain.create', {
			domain: '={{ $json.domain }}',
			additionalFields: { rootRedirect: 'https://example.com/root' },
		}),
		linkManagement('Update', 'domain.update', {
			domainId: FROM_INPUT,
			updateFields: { notFoundRedirect: 'https://example.com/404' },
		}),
		once(linkManagement('Get Many', 'domain.getAll', ALL)),
		linkManagement('Delete', 'domain.delete', { domainId: FROM_INPUT }),
	]);
	expect(json(result, 'Create')).toEqual(rows.map(() => ({ id: A_NUMBER })));
	expect(json(result, 'Update')).toEqual(
		ids(result).map((id) => ({ success: true, id, message: 'The domain has been updated.' })),
	);
	expect(byIds(json(result, 'Get Many'))).toEqual(
		rows.map(({ domain }, index) => ({
			id: ids(result)[index],
			domain,
			redirectroot: 'https://example.com/root',
			redirect404: 'https://example.com/404',
		})),
	);
	expect(byIds(json(result, 'Delete'))).toEqual(ids(result).map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Update');
});

test('pixel', async () => {
	const rows = ['One', 'Two'].map((name) => ({ name }));
	const result = await run('pixel', rows, [
		linkManagement('Create', 'pixel.create', {
			pixelType: 'tagmanagerpixel',
			name: '={{ $json.name }}',
			tag: 'GTM-1',
		}),
		linkManagement('Update', 'pixel.update', {
			pixelId: FROM_INPUT,
			tag: 'GTM-2',
			updateFields: { name: "={{ $('Rows').item.json.name + ' renamed' }}" },
		}),
		once(linkManagement('Get Many', 'pixel.getAll', ALL)),
		linkManagement('Delete', 'pixel.delete', { pixelId: FROM_INPUT }),
	]);
	expect(json(result, 'Create')).toEqual(rows.map(() => ({ id: A_NUMBER })));
	expect(json(result, 'Update')).toEqual(
		ids(result).map((id) => ({ success: true, id, message: 'The pixel has been updated.' })),
	);
	expect(byIds(json(result, 'Get Many'))).toEqual(
		rows.map(({ name }, index) => ({
			id: ids(result)[index],
			type: 'tagmanagerpixel',
			name: `${name} renamed`,
			tag: 'GTM-2',
			date: DATETIME,
		})),
	);
	expect(byIds(json(result, 'Delete'))).toEqual(ids(result).map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Update');
});

test('qrCode', async () => {
	const rows = ['Table 7', 'Table 8'].map((text) => ({ text }));
	const result = await run('qrCode', rows, [
		linkManagement('Create', 'qrCode.create', {
			qrType: 'text',
			dataMode: 'fields',
			text: '={{ $json.text }}',
			additionalFields: { foreground: '#143c78' },
		}),
		linkManagement('Update', 'qrCode.update', {
			qrCodeId: FROM_INPUT,
			qrType: 'text',
			dataMode: 'fields',
			text: "={{ $('Rows').item.json.text + ' by the window' }}",
			updateFields: {},
		}),
		linkManagement('Get', 'qrCode.get', { qrCodeId: FROM_INPUT }),
		once(linkManagement('Get Many', 'qrCode.getAll', ALL)),
		linkManagement('Delete', 'qrCode.delete', { qrCodeId: FROM_INPUT }),
	]);
	const records = ids(result).map((id, index) => ({
		id,
		link: json(result, 'Create')[index]?.link,
		scans: 0,
		name: 'Text QR code',
		date: DATETIME,
	}));
	expect(json(result, 'Create')).toEqual(rows.map(() => ({ id: A_NUMBER, link: like(/\/qr\//) })));
	expect(json(result, 'Update')).toEqual(
		ids(result).map((id) => ({ success: true, id, message: 'The QR code has been updated.' })),
	);
	expect(json(result, 'Get')).toEqual(
		records.map((fields) => ({
			...fields,
			statistics: including({ clicks: 0, uniqueClicks: 0 }),
		})),
	);
	expect(byIds(json(result, 'Get Many'))).toEqual(records);
	expect(byIds(json(result, 'Delete'))).toEqual(ids(result).map((id) => ({ deleted: true, id })));
	expectPairs(result, 'Create', 'Update', 'Get');
});

test('splashPage and ctaOverlay', async () => {
	const splashId = sandbox.links.addSplashPage(linkAccountId, 'Wait');
	const overlayId = sandbox.links.addOverlay(linkAccountId, 'Sale', 'message');
	const result = await run(
		'pages',
		[{}],
		[
			linkManagement('Splash pages', 'splashPage.getAll', ALL),
			linkManagement('Overlays', 'ctaOverlay.getAll', ALL),
		],
	);
	expect(json(result, 'Splash pages')).toEqual([{ id: splashId, name: 'Wait', date: DATETIME }]);
	expect(json(result, 'Overlays')).toEqual([
		{ id: overlayId, type: 'message', name: 'Sale', date: DATETIME },
	]);
});

test('the store: account, item and purchase', async () => {
	const { valid, invalid } = DEMO.purchaseCodes;
	const result = await run(
		'store',
		[{ code: valid }, { code: invalid }],
		[
			store('Validate', 'purchase.validate', {
				purchaseCode: `={{ $('${ROWS}').item.json.code }}`,
				options: { expectedItemId: '1' },
			}),
			once(store('Account', 'account.get')),
			once(store('Items', 'item.getAll', ALL)),
			store('Item', 'item.get', { itemId: FROM_INPUT }),
		],
	);
	const item = {
		id: A_NUMBER,
		name: A_STRING,
		description: A_STRING,
		category: A_STRING,
		sub_category: A_STRING,
		options: expect.any(Array) as unknown,
		version: A_STRING,
		demo_link: like(/^http/),
		tags: expect.any(Array) as unknown,
		media: including({ thumbnail: like(/^http/) }),
		price: { regular: A_NUMBER, extended: A_NUMBER },
		currency: A_STRING,
		published_at: A_STRING,
	};
	expect(json(result, 'Validate')).toEqual([
		{
			valid: true,
			purchase_code: valid,
			license_type: A_STRING,
			price: 59,
			currency: A_STRING,
			item: including({ id: 1, name: 'Aurora Shop Theme' }),
			supported_until: A_STRING,
			downloaded: true,
			date: A_STRING,
			support_active: true,
			support_days_left: 180,
			item_matches: true,
		},
		{ valid: false, purchase_code: invalid, reason: 'Invalid purchase code' },
	]);
	expect(json(result, 'Account')).toEqual([
		{
			name: { firstname: 'Dana', lastname: 'Merchant', full_name: 'Dana Merchant' },
			username: A_STRING,
			email: DEMO.store.email,
			balance: 1280.5,
			currency: A_STRING,
			profile: including({ contact: { email: DEMO.store.email } }),
			registered_at: A_STRING,
		},
	]);
	const items = json(result, 'Items');
	expect(items).toEqual([item, item, item, item]);
	expect(json(result, 'Item')).toEqual(items);
	expectPairs(result, 'Validate');
});

test('no operation that the nodes offer has been left out', async () => {
	const offered: string[] = [];
	for (const { name, description } of await client.nodeTypes('n8n-nodes-linkstore.')) {
		if (/Tool$|Trigger$/.test(name)) continue;
		for (const property of list(description.properties).map(record)) {
			if (property.name !== 'operation') continue;
			const { show } = record(property.displayOptions);
			const [resource] = list(record(show).resource);
			for (const { value } of list(property.options).map(record)) {
				// n8n offers one of its own with every node: it points to the HTTP Request node.
				if (value === '__CUSTOM_API_CALL__') continue;
				offered.push(`${name} ${String(resource)}.${String(value)}`);
			}
		}
	}
	expect([...done].sort()).toEqual(offered.sort());
	expect(done.size).toBe(33 + 4);
});
