import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import type { Credentials } from './engine.ts';
import { runNode } from './engine.ts';

/**
 * The sample outputs (`__schema__`) that n8n's editor shows before a step has run. They are what the nodes really
 * return against the sandbox: `UPDATE_SCHEMAS=1 jest outputSchema` writes them, and this suite compares them.
 */

type JsonSchema = IDataObject & { type: string };

/** Maps from something a user or visitor chose: their keys are data, not members. */
const MAPS = [
	'location',
	'device',
	'topCountries',
	'topReferrers',
	'topBrowsers',
	'topOs',
	'socialCount',
];

/** The schema of a sample, in the shape that n8n keeps: types and members, nothing else. */
function schemaOf(value: unknown): JsonSchema {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
	if (typeof value !== 'object') return { type: typeof value };
	const properties = Object.entries(value).map(([name, member]) => [
		name,
		MAPS.includes(name) ? { type: 'object', properties: {} } : schemaOf(member),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as IDataObject };
}

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });

let sandbox: Sandbox;
let credentials: Record<'LinkManagement' | 'Store', Credentials>;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 'demo', rateLimit: { requests: 0, windowSeconds: 60 } });
	credentials = {
		LinkManagement: {
			linkManagementApi: {
				baseUrl: sandbox.linkUrl,
				apiKey: DEMO.link.apiKey,
				requestsPerMinute: 0,
			},
		},
		Store: { storeApi: { baseUrl: sandbox.storeUrl, apiKey: DEMO.store.apiKey } },
	};
});

afterAll(async () => {
	await sandbox.stop();
});

/** Runs an operation of the demo account, and returns its first result. */
async function sample(
	node: 'LinkManagement' | 'Store',
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
): Promise<IDataObject> {
	const { json, error } = await runNode({
		type: node === 'Store' ? 'store' : 'linkManagement',
		parameters: { resource, operation, ...parameters },
		credentials: credentials[node],
	});
	const [first] = json;
	if (first === undefined)
		throw new Error(`${resource} ${operation}: ${error?.message ?? 'no result'}`);
	return first;
}

async function created(resource: string, parameters: INodeParameters): Promise<unknown> {
	return (await sample('LinkManagement', resource, 'create', parameters)).id;
}

/** New records, so that every operation can be asked for alone. */
const newCampaign = async () => byId(await created('campaign', { name: 'Spring Sale' }));
const newChannel = async () => byId(await created('channel', { name: 'Newsletter' }));
const newDomain = async () =>
	byId(await created('domain', { domain: `https://go${Date.now()}.example.com` }));
const newLink = async () => byId(await created('link', { url: 'https://www.example.com/spring' }));
const newPixel = async () =>
	byId(
		await created('pixel', { pixelType: 'tagmanagerpixel', name: 'Spring', tag: 'GTM-ABC1234' }),
	);
const newQrCode = async () => byId(await created('qrCode', { qrType: 'text', text: 'Table 7' }));

/** A link of the demo account that has been visited, so that its statistics hold something. */
const visitedLink = async () => {
	const { id } = await sample('LinkManagement', 'link', 'getAll', { options: { order: 'click' } });
	return byId(id);
};

type Operation = [
	node: 'LinkManagement' | 'Store',
	resource: string,
	operation: string,
	parameters: () => Promise<INodeParameters> | INodeParameters,
];

const none = (): INodeParameters => ({});

const OPERATIONS: Operation[] = [
	['LinkManagement', 'account', 'get', none],
	['LinkManagement', 'account', 'update', () => ({ updateFields: { email: DEMO.link.email } })],
	[
		'LinkManagement',
		'campaign',
		'assignLink',
		async () => ({ campaignId: await newCampaign(), linkId: await newLink() }),
	],
	['LinkManagement', 'campaign', 'create', () => ({ name: 'Spring Sale' })],
	['LinkManagement', 'campaign', 'delete', async () => ({ campaignId: await newCampaign() })],
	['LinkManagement', 'campaign', 'getAll', none],
	[
		'LinkManagement',
		'campaign',
		'update',
		async () => ({ campaignId: await newCampaign(), name: 'Summer Sale' }),
	],
	[
		'LinkManagement',
		'channel',
		'assignItem',
		async () => ({ channelId: await newChannel(), itemType: 'links', itemId: await newLink() }),
	],
	['LinkManagement', 'channel', 'create', () => ({ name: 'Newsletter' })],
	['LinkManagement', 'channel', 'delete', async () => ({ channelId: await newChannel() })],
	['LinkManagement', 'channel', 'getAll', none],
	[
		'LinkManagement',
		'channel',
		'getItems',
		async () => {
			const channelId = await newChannel();
			await sample('LinkManagement', 'channel', 'assignItem', {
				channelId,
				itemType: 'links',
				itemId: await newLink(),
			});
			return { channelId };
		},
	],
	[
		'LinkManagement',
		'channel',
		'update',
		async () => ({ channelId: await newChannel(), updateFields: { name: 'Mailing' } }),
	],
	['LinkManagement', 'ctaOverlay', 'getAll', none],
	['LinkManagement', 'domain', 'create', () => ({ domain: 'https://schema.example.com' })],
	['LinkManagement', 'domain', 'delete', async () => ({ domainId: await newDomain() })],
	['LinkManagement', 'domain', 'getAll', none],
	[
		'LinkManagement',
		'domain',
		'update',
		async () => ({
			domainId: await newDomain(),
			updateFields: { rootRedirect: 'https://www.example.com' },
		}),
	],
	['LinkManagement', 'link', 'create', () => ({ url: 'https://www.example.com/spring' })],
	['LinkManagement', 'link', 'delete', async () => ({ linkId: await newLink() })],
	['LinkManagement', 'link', 'get', async () => ({ linkId: await visitedLink() })],
	['LinkManagement', 'link', 'getAll', none],
	[
		'LinkManagement',
		'link',
		'update',
		async () => ({ linkId: await newLink(), updateFields: { metaTitle: 'Spring' } }),
	],
	[
		'LinkManagement',
		'pixel',
		'create',
		() => ({ pixelType: 'adspixel', name: 'Spring', tag: 'AW-123' }),
	],
	['LinkManagement', 'pixel', 'delete', async () => ({ pixelId: await newPixel() })],
	['LinkManagement', 'pixel', 'getAll', none],
	[
		'LinkManagement',
		'pixel',
		'update',
		async () => ({ pixelId: await newPixel(), tag: 'GTM-XYZ' }),
	],
	['LinkManagement', 'qrCode', 'create', () => ({ qrType: 'text', text: 'Table 7' })],
	['LinkManagement', 'qrCode', 'delete', async () => ({ qrCodeId: await newQrCode() })],
	['LinkManagement', 'qrCode', 'get', async () => ({ qrCodeId: await newQrCode() })],
	['LinkManagement', 'qrCode', 'getAll', none],
	[
		'LinkManagement',
		'qrCode',
		'update',
		async () => ({ qrCodeId: await newQrCode(), qrType: 'text', text: 'Table 8' }),
	],
	['LinkManagement', 'splashPage', 'getAll', none],
	['Store', 'account', 'get', none],
	[
		'Store',
		'item',
		'get',
		async () => ({ itemId: byId((await sample('Store', 'item', 'getAll')).id) }),
	],
	['Store', 'item', 'getAll', none],
	['Store', 'purchase', 'validate', () => ({ purchaseCode: DEMO.purchaseCodes.valid })],
];

test('there is a sample output for every operation', () => {
	expect(OPERATIONS).toHaveLength(33 + 4);
});

test.each(OPERATIONS)(
	'the sample output of %s %s %s is what it returns',
	async (node, resource, operation, parameters) => {
		const output = await sample(node, resource, operation, await parameters());
		const schema = { ...schemaOf(output), version: 1 };
		const file = join('nodes', node, '__schema__', 'v1.0.0', resource, `${operation}.json`);
		if (process.env.UPDATE_SCHEMAS === '1') {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
		}
		expect(existsSync(file)).toBe(true);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
	},
);
