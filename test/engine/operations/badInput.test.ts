import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testCredential } from '../engine.ts';
import { Stage, byId, like, onStage } from '../support.ts';

const stage = onStage(new Stage());

/** A row for each value; the node goes on after each, so that one run shows what becomes of all. */
const goOn = (values: unknown[]) => ({
	rows: values.map((value) => ({ value }) as IDataObject),
	settings: { onError: 'continueRegularOutput' as const },
});

const VALUE = '={{ $json.value }}';

describe('an ID that is none', () => {
	const BAD = [
		'0',
		'-1',
		'1.5',
		'1e3',
		'0x1',
		'abc',
		'..',
		'../..',
		'1/delete',
		'1?x=1',
		'%31',
		7.5,
		-7,
		true,
	];
	const OPERATIONS: Array<[string, string, INodeParameters]> = [
		['campaign.update', 'campaignId', { name: 'x', updateFields: {} }],
		['campaign.delete', 'campaignId', {}],
		['campaign.assignLink', 'campaignId', { linkId: byId(1) }],
		['campaign.assignLink', 'linkId', { campaignId: byId(1) }],
		['channel.getItems', 'channelId', { returnAll: true }],
		['channel.update', 'channelId', { updateFields: { starred: true } }],
		['channel.delete', 'channelId', {}],
		['channel.assignItem', 'channelId', { itemType: 'links', itemId: byId(1) }],
		['channel.assignItem', 'itemId', { itemType: 'links', channelId: byId(1) }],
		['domain.update', 'domainId', { updateFields: { rootRedirect: '' } }],
		['domain.delete', 'domainId', {}],
		['link.get', 'linkId', {}],
		['link.update', 'linkId', { updateFields: { metaTitle: 'x' } }],
		['link.delete', 'linkId', {}],
		['pixel.update', 'pixelId', { tag: 'x', updateFields: {} }],
		['pixel.delete', 'pixelId', {}],
		['qrCode.get', 'qrCodeId', {}],
		[
			'qrCode.update',
			'qrCodeId',
			{ qrType: 'text', dataMode: 'fields', text: 'x', updateFields: {} },
		],
		['qrCode.delete', 'qrCodeId', {}],
	];
	const LABELS: Record<string, string> = {
		campaignId: 'Campaign ID',
		channelId: 'Channel ID',
		domainId: 'Domain ID',
		itemId: 'Item ID',
		linkId: 'Link ID',
		pixelId: 'Pixel ID',
		qrCodeId: 'QR Code ID',
	};

	test.each(OPERATIONS)(
		'is refused by %s before any request, naming %s and the value',
		async (operation, name, others) => {
			const values = [...BAD, '', ' ', null];
			const { json, requests } = await stage.link(
				operation,
				{ ...others, [name]: byId(VALUE) },
				goOn(values),
			);
			const label = LABELS[name] ?? '';
			const told = [...BAD.map((value) => `"${String(value)}"`), 'empty', like(/./), 'empty'];
			expect(json).toHaveLength(values.length);
			for (const [index, { error }] of json.entries()) {
				if (typeof told[index] !== 'string') continue;
				expect(error).toBe(
					`${label} must be a positive whole number, but is ${told[index]}. Pick one from the list, or give its id as a number.`,
				);
			}
			expect(json.every(({ error }) => typeof error === 'string')).toBe(true);
			expect(requests).toEqual([]);
		},
	);

	test('is refused by the store before any request', async () => {
		const { json, requests } = await stage.store('item.get', { itemId: byId(VALUE) }, goOn(BAD));
		expect(json).toEqual(
			BAD.map((value) => ({
				error: `Item ID must be a positive whole number, but is "${String(value)}". Pick one from the list, or give its id as a number.`,
			})),
		);
		expect(requests).toEqual([]);
	});

	test('is refused as expected item before any request', async () => {
		const { error, requests } = await stage.store('purchase.validate', {
			purchaseCode: 'any',
			options: { expectedItemId: 'abc' },
		});
		expect(error?.message).toBe('Expected Item ID must be a positive whole number, but is "abc"');
		expect(requests).toEqual([]);
	});

	test('is refused as splash page or overlay before any request', async () => {
		for (const additionalFields of [
			{ redirectType: 'customSplash', splashPageId: byId('../1') },
			{ redirectType: 'overlay', ctaOverlayId: byId('../1') },
			{ redirectType: 'overlay' },
		]) {
			const parameters = { url: 'https://example.com', additionalFields };
			const { error, requests } = await stage.link('link.create', parameters);
			expect(error?.message).toMatch(
				/^(Splash Page|CTA Overlay) ID must be a positive whole number/,
			);
			expect(requests).toEqual([]);
		}
	});

	test('of another type is refused: an item type that a channel cannot hold', async () => {
		const { error, requests } = await stage.link(
			'channel.assignItem',
			{ channelId: byId(1), itemType: VALUE, itemId: byId(1) },
			{ rows: [{ value: '../links' }] },
		);
		expect(error?.message).toBe('Item Type must be one of links, bio, qr, but is "../links"');
		expect(requests).toEqual([]);
	});

	test.each([[' 1 '], ['1'], [1]])('but %j is one', async (value) => {
		const { requests } = await stage.link('link.get', { linkId: byId(VALUE) }, goOn([value]));
		expect(requests.map(({ request }) => request)).toEqual(['GET /api/url/1']);
	});
});

interface BadValue {
	what: string;
	operation: string;
	parameters: INodeParameters;
	/** How the message names the field. */
	label: string;
	values: unknown[];
}

const COLORS = ['red', '#12', '#gggggg', 'rgb(300,0,0)', 'rgb(1,2)', '12'];
const ADDRESSES = [
	'example.com',
	'ftp://example.com',
	'javascript:alert(1)',
	'https://',
	'no address',
	7,
];
const DATES = ['tomorrow', '2026-02-30', '31.12.2026', '2026-13-01 00:00:00', '12:00', true];
const FLAGS = ['maybe', '', 2, null];
const qr = { qrType: 'text', dataMode: 'fields', text: 'x' };
const target = (name: string, link: string) => ({
	target: [{ [name]: { __rl: true, mode: 'name', value: 'x' }, link }],
});

const BAD_VALUES: BadValue[] = [
	...['channel.create', 'channel.update'].map((operation) => ({
		what: 'colour',
		operation,
		parameters: {
			channelId: byId(1),
			name: 'x',
			[operation === 'channel.create' ? 'additionalFields' : 'updateFields']: { color: VALUE },
		},
		label: 'Color',
		values: COLORS,
	})),
	...['Background', 'Foreground'].flatMap((label) => [
		{
			what: 'colour',
			operation: 'qrCode.create',
			parameters: { ...qr, additionalFields: { [label.toLowerCase()]: VALUE } },
			label,
			values: COLORS,
		},
		{
			what: 'colour',
			operation: 'qrCode.update',
			parameters: { qrCodeId: byId(1), ...qr, updateFields: { [label.toLowerCase()]: VALUE } },
			label,
			values: COLORS,
		},
	]),
	{
		what: 'URL',
		operation: 'link.create',
		parameters: { url: VALUE, additionalFields: {} },
		label: 'URL',
		values: ADDRESSES,
	},
	{
		what: 'URL',
		operation: 'link.update',
		parameters: { linkId: byId(1), updateFields: { url: VALUE } },
		label: 'URL',
		values: ADDRESSES,
	},
	{
		what: 'image URL',
		operation: 'link.create',
		parameters: { url: 'https://example.com', additionalFields: { metaImage: VALUE } },
		label: 'Meta Image',
		values: ADDRESSES,
	},
	...['location', 'device', 'language'].map((name) => ({
		what: `${name} target`,
		operation: 'link.create',
		parameters: {
			url: 'https://example.com',
			additionalFields: {
				[`${name === 'location' ? 'geo' : name}Targets`]: target(name, VALUE),
			},
		},
		label: 'The link of a target',
		values: ADDRESSES,
	})),
	{
		what: 'domain',
		operation: 'domain.create',
		parameters: { domain: VALUE, additionalFields: {} },
		label: 'Domain',
		values: ADDRESSES,
	},
	{
		what: 'root redirect',
		operation: 'domain.update',
		parameters: { domainId: byId(1), updateFields: { rootRedirect: VALUE } },
		label: 'Root Redirect',
		values: ADDRESSES,
	},
	{
		what: 'not found redirect',
		operation: 'domain.create',
		parameters: { domain: 'https://go.example.com', additionalFields: { notFoundRedirect: VALUE } },
		label: 'Not Found Redirect',
		values: ADDRESSES,
	},
	{
		what: 'QR code URL',
		operation: 'qrCode.create',
		parameters: { qrType: 'link', dataMode: 'fields', url: VALUE, additionalFields: {} },
		label: 'URL',
		values: ADDRESSES,
	},
	...['create', 'update'].map((action) => ({
		what: 'expiry',
		operation: `link.${action}`,
		parameters: {
			url: 'https://example.com',
			linkId: byId(1),
			[action === 'create' ? 'additionalFields' : 'updateFields']: { expiry: VALUE },
		},
		label: 'Expiry',
		values: DATES,
	})),
];

describe('a value that cannot be sent', () => {
	test.each(BAD_VALUES)(
		'is refused before any request: the $what of $operation',
		async ({ operation, parameters, label, values }) => {
			const { json, requests } = await stage.link(operation, parameters, goOn(values));
			expect(json).toHaveLength(values.length);
			for (const [index, { error }] of json.entries()) {
				expect(error).toMatch(new RegExp(`^${label} must be .+, but is "`));
				expect(error).toContain(`"${String(values[index])}"`);
			}
			expect(requests).toEqual([]);
		},
	);

	test('is refused where nothing was entered: URL, domain, names, tags, and texts of QR codes', async () => {
		const empty = goOn(['', '  ', null]);
		const runs: Array<[string, INodeParameters, string]> = [
			['link.create', { url: VALUE, additionalFields: {} }, 'URL'],
			['link.update', { linkId: byId(1), updateFields: { url: VALUE } }, 'URL'],
			['domain.create', { domain: VALUE, additionalFields: {} }, 'Domain'],
			['channel.create', { name: VALUE, additionalFields: {} }, 'Name'],
			['pixel.create', { pixelType: 'forum', name: VALUE, tag: 'x' }, 'Name'],
			['campaign.update', { campaignId: byId(1), name: VALUE, updateFields: {} }, 'Name'],
			['qrCode.create', { ...qr, text: VALUE, additionalFields: {} }, 'Text'],
			['qrCode.create', { ...qr, qrType: 'link', url: VALUE, additionalFields: {} }, 'URL'],
			['qrCode.create', { ...qr, qrType: 'phone', phone: VALUE, additionalFields: {} }, 'Phone'],
			['qrCode.create', { ...qr, qrType: 'email', email: VALUE, additionalFields: {} }, 'Email'],
			['qrCode.create', { ...qr, qrType: 'sms', phone: VALUE, additionalFields: {} }, 'Phone'],
			[
				'qrCode.create',
				{ ...qr, qrType: 'wifi', ssid: VALUE, additionalFields: {} },
				'Network Name',
			],
		];
		for (const [operation, parameters, label] of runs) {
			const { json, requests } = await stage.link(operation, parameters, empty);
			for (const { error } of json)
				expect([operation, error]).toEqual([operation, like(new RegExp(`^${label} `))]);
			expect(json).toHaveLength(3);
			expect(requests).toEqual([]);
		}
	});

	test.each([
		['channel.create', 'starred', 'Starred', { name: 'x' }],
		['channel.update', 'starred', 'Starred', { channelId: byId(1) }],
		['campaign.create', 'public', 'Public', { name: 'x' }],
		['campaign.update', 'public', 'Public', { campaignId: byId(1), name: 'x' }],
	])(
		'is refused where it is neither true nor false: %s',
		async (operation, name, label, others) => {
			const collection = operation.endsWith('create') ? 'additionalFields' : 'updateFields';
			const parameters = { ...others, [collection]: { [name]: VALUE } };
			const { json, requests } = await stage.link(operation, parameters, goOn(FLAGS));
			expect(json).toEqual(
				['"maybe"', 'empty', '"2"', 'empty'].map((told) => ({
					error: like(new RegExp(`^${label} must be true or false, but is ${told}`)),
				})),
			);
			expect(requests).toEqual([]);
		},
	);

	test('is refused where a contact has no field', async () => {
		const { error, requests } = await stage.link('qrCode.create', {
			...qr,
			qrType: 'vcard',
			vcard: {},
			additionalFields: {},
		});
		expect(error).toMatchObject({
			message: 'The contact is empty',
			description: 'Add at least one field under Contact',
		});
		expect(requests).toEqual([]);
	});

	test.each(['{ "phone": ', "{ 'phone': 1 }", 'phone', '{"a":1,}'])(
		'is refused where the JSON does not parse: %s',
		async (dataJson) => {
			const { error, requests } = await stage.link(
				'qrCode.create',
				{ qrType: 'sms', dataMode: 'json', dataJson: VALUE, additionalFields: {} },
				{ rows: [{ value: dataJson }] },
			);
			expect(error).toMatchObject({
				message: 'Content is no valid JSON',
				description: like(/double quotes/),
			});
			expect(requests).toEqual([]);
		},
	);

	test('is refused where a purchase code is blank', async () => {
		const { json, requests } = await stage.store(
			'purchase.validate',
			{ purchaseCode: VALUE, options: {} },
			goOn(['', '   ', null, '\t']),
		);
		expect(json).toHaveLength(4);
		for (const item of json) {
			expect(item).toEqual({ error: like(/^Purchase Code is empty\. /) });
		}
		expect(requests).toEqual([]);
	});
});

describe('a date', () => {
	test.each([
		['of a date picker', "={{ '2030-06-01T12:00:00' }}", '2030-06-01 12:00:00'],
		['with a zone', "={{ '2030-06-01T12:00:00+02:00' }}", '2030-06-01 10:00:00'],
		['without a time', "={{ '2030-06-01' }}", '2030-06-01 00:00:00'],
		['of Luxon', "={{ DateTime.fromISO('2030-06-01T12:00:00Z') }}", '2030-06-01 12:00:00'],
		['of JavaScript', '={{ new Date(Date.UTC(2030, 5, 1, 12)) }}', '2030-06-01 12:00:00'],
	])('%s is sent as the service writes it', async (_what, expiry, sent) => {
		const { requests, json } = await stage.link('link.create', {
			url: 'https://example.com',
			additionalFields: { expiry },
		});
		expect(requests.map(({ body }) => (body as IDataObject).expiry)).toEqual([sent]);
		expect(json).toHaveLength(1);
	});

	test('is sent in the time zone of the service', async () => {
		const { requests } = await stage.link(
			'link.create',
			{
				url: 'https://example.com',
				additionalFields: { expiry: '={{ $json.value }}' },
			},
			{
				rows: [{ value: '2030-06-01T12:00:00Z' }, { value: '2030-12-01T12:00:00Z' }],
				credential: { timezone: 'Europe/Berlin' },
			},
		);
		expect(requests.map(({ body }) => (body as IDataObject).expiry)).toEqual([
			'2030-06-01 14:00:00',
			'2030-12-01 13:00:00',
		]);
	});
});

describe('a base URL', () => {
	const baseUrls = (url: string) => [
		url,
		`${url}/`,
		`${url}//`,
		`${url}/api`,
		`${url}/api/`,
		`  ${url}/api  `,
		`${url.replace('http', 'HTTP')}/`,
	];

	test('works with slashes, /api and blanks around it', async () => {
		for (const baseUrl of baseUrls(stage.sandbox.linkUrl)) {
			const { json, requests } = await stage.link('account.get', {}, { credential: { baseUrl } });
			expect([baseUrl, json.length]).toEqual([baseUrl, 1]);
			expect(requests.map(({ request }) => request)).toEqual(['GET /api/account']);
		}
		for (const baseUrl of baseUrls(stage.sandbox.storeUrl)) {
			const { json } = await stage.store('account.get', {}, { credential: { baseUrl } });
			expect([baseUrl, json.length]).toEqual([baseUrl, 1]);
		}
	});

	const testsOf = async (changes: IDataObject) => {
		const { linkManagementApi, storeApi } = stage.credentials;
		const link = { ...linkManagementApi, ...changes } as Record<string, string>;
		const store = { ...storeApi, ...changes } as Record<string, string>;
		return [
			await testCredential('linkManagement', 'linkManagementApi', link),
			await testCredential('store', 'storeApi', store),
		];
	};

	test('that is right passes the credential test, in one request', async () => {
		stage.sandbox.clearRequests();
		for (const result of await testsOf({})) expect(result.status).toBe('OK');
		expect(stage.sent().map(({ request }) => request)).toEqual([
			'GET /api/account',
			'GET /api/account/details',
		]);
	});

	test.each([
		[
			'without a scheme',
			'links.example.com',
			/^The base URL "links\.example\.com" has no http:\/\/ or https:\/\//,
		],
		['that is empty', '', /^The base URL is empty/],
		['that is none', 'http://', /^The base URL "http:\/\/" is no web address/],
	])(
		'%s fails the credential test, which says so, and every operation',
		async (_what, baseUrl, message) => {
			stage.sandbox.clearRequests();
			for (const result of await testsOf({ baseUrl })) {
				expect(result).toEqual({ status: 'Error', message: like(message) });
			}
			const { error } = await stage.link('account.get', {}, { credential: { baseUrl } });
			expect(error?.message).toMatch(message);
			expect(stage.sent()).toEqual([]);
		},
	);

	test.each(['mistyped', 'two words', ''])(
		'with the key %j fails the credential test, which says so',
		async (apiKey) => {
			for (const result of await testsOf({ apiKey })) {
				expect(result).toEqual({ status: 'Error', message: like(/API key/i) });
			}
		},
	);

	test('of another server fails the credential test, which says what came', async () => {
		const { linkUrl } = stage.sandbox;
		for (const result of await testsOf({ baseUrl: `${linkUrl}/somewhere` })) {
			expect(result).toEqual({ status: 'Error', message: like(/a web page came \(status 404\)/) });
		}
	});
});
