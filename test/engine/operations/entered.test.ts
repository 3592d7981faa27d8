import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { nodeType } from '../engine.ts';
import type { StageResult } from '../support.ts';
import { Stage, byId, like, onStage } from '../support.ts';

/** What is entered is what is sent, and what is said is what happened: where one field decides about another. */

const stage = onStage(new Stage());

const SECRET = '  sp aced  ';
const URL_FIELD = { url: 'https://example.com/' };
const CREATED = (additionalFields: INodeParameters): INodeParameters => ({
	...URL_FIELD,
	additionalFields,
});

/** What is entered, and the members of what is sent that the case is about. */
const SENT: Array<[what: string, operation: string, entered: INodeParameters, body: object]> = [
	[
		'the password of an account as it was entered',
		'account.update',
		{ updateFields: { password: SECRET } },
		{ password: SECRET },
	],
	[
		'the password of a link as it was entered',
		'link.create',
		CREATED({ password: SECRET }),
		{ password: SECRET },
	],
	[
		'the name and the password of a Wi-Fi as they were entered',
		'qrCode.create',
		{ qrType: 'wifi', ssid: SECRET, wifiPassword: SECRET },
		{ data: { ssid: SECRET, encryption: 'WPA', pass: SECRET } },
	],
	[
		'no Wi-Fi password without encryption',
		'qrCode.create',
		{ qrType: 'wifi', ssid: 'x', encryption: 'nopass', wifiPassword: SECRET },
		{ data: { ssid: 'x', encryption: 'nopass', pass: '' } },
	],
	[
		'the text of a QR code as it was entered',
		'qrCode.create',
		{ qrType: 'text', text: ' two\nlines ' },
		{ data: ' two\nlines ' },
	],
	[
		'as content what an expression gives as plain text',
		'qrCode.create',
		{ qrType: 'text', dataMode: 'json', dataJson: '={{ $json.text }}' },
		{ data: 'Table 7' },
	],
	[
		'as content what an expression gives as JSON',
		'qrCode.create',
		{ qrType: 'sms', dataMode: 'json', dataJson: '={ "phone": "{{ $json.phone }}" }' },
		{ data: { phone: '1' } },
	],
	[
		'UTM tags alone',
		'link.create',
		CREATED({ utm: { source: ' mail ', term: 7 } }),
		{
			...URL_FIELD,
			parameters: [
				{ name: 'utm_source', value: 'mail' },
				{ name: 'utm_term', value: '7' },
			],
		},
	],
	[
		'a UTM tag in place of a parameter of that name',
		'link.create',
		CREATED({
			utm: { source: 'new' },
			parameters: {
				parameter: [
					{ name: 'utm_source', value: 'old' },
					{ name: 'a', value: 1 },
				],
			},
		}),
		{
			parameters: [
				{ name: 'a', value: '1' },
				{ name: 'utm_source', value: 'new' },
			],
		},
	],
	[
		'a UTM tag that the long URL has already in the URL alone',
		'link.create',
		{
			url: 'https://example.com/a?utm_source=old&b=%20c&utm_source=older&utm_term=x#utm_source=d',
			additionalFields: { utm: { source: 'new & better', medium: 'email' } },
		},
		{
			url: 'https://example.com/a?b=%20c&utm_term=x&utm_source=new%20%26%20better#utm_source=d',
			parameters: [{ name: 'utm_medium', value: 'email' }],
		},
	],
	[
		'the page to show first, picked beside the redirect type',
		'link.create',
		{ ...URL_FIELD, redirectType: 'customSplash', splashPageId: byId(7) },
		{ type: '7' },
	],
	[
		'the overlay to show, in the format of the options',
		'link.create',
		{
			...{ ...URL_FIELD, redirectType: 'overlay', ctaOverlayId: byId(7) },
			options: { pageIdFormat: 'cta-*' },
		},
		{ type: 'cta-7' },
	],
];

test.each(SENT)('%s', async (_what, operation, parameters, body) => {
	const rows = [{ text: 'Table 7', phone: '1' }];
	const { requests } = await stage.link(operation, parameters, { rows });
	expect(requests).toMatchObject([{ body }]);
});

describe('an update of a link', () => {
	const made = async () =>
		await stage.make('/api/url/add', {
			url: 'https://example.com/a?utm_term=old',
			parameters: [{ name: 'ref', value: 'x' }],
		});
	const updated = async (updateFields: INodeParameters): Promise<StageResult> =>
		await stage.link('link.update', { linkId: byId(await made()), updateFields });
	const pairs = (value: string) => [{ name: 'utm_source', value }];

	test('changes UTM tags alone, and those in the long URL in it', async () => {
		const { error, requests } = await updated({ utm: { source: 'mail', term: 'new' } });
		expect(error).toBeUndefined();
		expect(requests[1]).toMatchObject({
			body: { url: 'https://example.com/a?utm_term=new', parameters: pairs('mail') },
		});
	});

	test('changes parameters alone', async () => {
		const { error, requests } = await updated({
			parameters: { parameter: [{ name: 'utm_source', value: 'x' }] },
		});
		expect(error).toBeUndefined();
		expect(requests[1]).toMatchObject({ body: { parameters: pairs('x') } });
	});

	test('leaves the parameters alone where no UTM tag has a value', async () => {
		const { requests } = await updated({
			...{ url: 'https://example.com/b', metaTitle: 'Spring' },
			utm: {
				source: '',
				medium: '',
				campaign: '={{ null }}',
				term: '={{ undefined }}',
				content: '',
			},
		});
		expect(requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/b', metatitle: 'Spring' },
		]);
	});

	test.each([{ utm: { source: '' } }, { metaTitle: '={{ undefined }}' }, { url: '={{ null }}' }])(
		'with nothing that has a value is refused: %j',
		async (updateFields) => {
			const { error, requests } = await updated(updateFields);
			expect(error).toMatchObject({ message: 'There is nothing to update' });
			expect(requests).toEqual([]);
		},
	);
});

describe('a service that answers in its own way', () => {
	/** Runs an operation against a service that gives this answer to everything. */
	const answering = async (answer: object, operation: string, parameters: INodeParameters) => {
		const sent: string[] = [];
		const server = await serve((request, response) => {
			sent.push(`${request.method ?? ''} ${request.url ?? ''}`);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(answer));
		});
		const credential = { baseUrl: server.url };
		const result = await stage.link(operation, parameters, { credential });
		await server.stop();
		return { ...result, sent };
	};

	test('a campaign without an id is an error, as a pixel is', async () => {
		for (const [operation, parameters] of [
			['campaign.create', { name: 'x' }],
			['pixel.create', { name: 'x', tag: 'x' }],
		] as const) {
			const { error } = await answering({ error: 0, message: 'Done' }, operation, parameters);
			expect(error?.message).toMatch(/holds no ID of the new record/);
		}
	});

	test('a link whose details hold no long URL is not updated', async () => {
		const answer = { error: 0, details: { id: 7, longurl: '' }, data: {} };
		const parameters = { linkId: byId(7), updateFields: { metaTitle: 'x' } };
		const { error, sent } = await answering(answer, 'link.update', parameters);
		expect(error).toMatchObject({
			message: like(/hold no long URL/),
			description: like(/^Add the field URL/),
		});
		expect(sent).toEqual(['GET /api/url/7']);
	});

	test('members that the document does not know are passed on', async () => {
		const answer = {
			error: 0,
			id: '7',
			shorturl: 'https://go.example.com/a/b',
			qr: 'x',
			short: 'y',
		};
		const created = await answering(answer, 'link.create', { url: 'https://example.com/' });
		expect(created.json).toEqual([
			{
				...{ id: 7, shorturl: 'https://go.example.com/a/b', qr: 'x' },
				...{ longurl: 'https://example.com/', alias: 'b' },
			},
		]);
		const updated = { error: 0, message: 'Done', at: 'now' };
		const { json } = await answering(updated, 'channel.assignItem', {
			...{ channelId: byId(1), itemType: 'qr', itemId: byId(2) },
		});
		expect(json).toEqual([
			{ success: true, channelId: 1, itemType: 'qr', itemId: 2, message: 'Done', at: 'now' },
		]);
	});

	test('statistics have one shape', async () => {
		const data = {
			...{
				clicks: '3',
				topCountries: { Germany: '2', France: 1 },
				topReferrers: 0,
				topBrowsers: 5,
			},
			...{ topOs: [], socialCount: { twitter: '1' } },
		};
		const details = { id: 7, shorturl: 'https://go.example.com/spring', location: [], device: [] };
		const { json } = await answering({ error: 0, details, data }, 'link.get', { linkId: byId(7) });
		expect(json).toMatchObject([
			{
				alias: 'spring',
				statistics: {
					...{ clicks: 3, topCountries: { Germany: 2, France: 1 }, topReferrers: {} },
					...{ topBrowsers: {}, topOs: {}, socialCount: { twitter: 1 } },
				},
			},
		]);
	});

	test.each([
		['custom must have 1 to 64 letters', 'Custom Alias (custom) must have 1 to 64 letters'],
		['The metatitle field is required.', 'The Meta Title (metatitle) field is required.'],
		['geotarget[0].link is invalid', 'Geo Targets (geotarget[0].link) is invalid'],
		['"expiry" is in the past', '"expiry" is in the past'],
		['parameters are too many', 'parameters are too many'],
		['Spring is over', 'Spring is over'],
	])('its refusal "%s" names the field of the panel', async (message, told) => {
		const { error } = await answering({ error: 1, message }, 'link.create', URL_FIELD);
		expect(error?.message).toBe(told);
	});

	test('a refused order is named as the panel has it', async () => {
		const message = 'order must be one of: date, click.';
		const { error } = await answering({ error: 1, message }, 'link.getAll', { order: 'size' });
		expect(error?.message).toBe('Order By (order) must be one of: date, click.');
	});

	test.each([
		['custom must have 1 to 64 letters', /^Check Custom Alias$/],
		['There is no link with the id 7.', /^It may have been deleted/],
		['The alias x is already taken.', /^Enter another value/],
		['Your plan allows 5 links: upgrade it', /^See what the plan/],
		['Spring is over', /^Check the values that the step sends$/],
	])('its refusal "%s" comes with advice that fits', async (message, advice) => {
		const { error } = await answering({ error: 1, message }, 'link.create', URL_FIELD);
		expect(error?.description).toMatch(advice);
	});
});

test.each([0, -1, 2.5, 'many', '0'])('a limit of %j is refused', async (limit) => {
	for (const run of [stage.link('link.getAll', { limit }), stage.store('item.getAll', { limit })]) {
		const { error, requests } = await run;
		expect(error?.message).toBe(`Limit must be a whole number from 1 on, but is "${limit}"`);
		expect(requests).toEqual([]);
	}
});

describe('Simplify', () => {
	test.each([
		['store', false],
		['storeTool', true],
	])('is, for the node %s, %s', (name, simplify) => {
		const { description } = nodeType('n8n-nodes-linkstore.store');
		const given = { resource: 'item', operation: 'get' };
		const node = { typeVersion: 1 };
		const type = { ...description, name };
		const { properties } = description;
		const opened = NodeHelpers.getNodeParameters(properties, given, true, false, node, type);
		expect(opened).toMatchObject({ simplify });
	});

	const item = () => stage.sandbox.store.addItem(stage.storeAccount.id, { screenshots: true });

	test.each(['item.get', 'item.getAll', 'purchase.validate'])(
		'makes %s short',
		async (operation) => {
			const itemId = item();
			const purchaseCode = stage.sandbox.store.addPurchase(itemId, {});
			const parameters = { itemId: byId(itemId), purchaseCode };
			const [given, saved] = [
				await stage.store(operation, { ...parameters, simplify: '={{ "true" }}' }),
				await stage.store(operation, parameters),
			];
			const { item: full = saved.json[0], ...whole } = saved.json[0] ?? {};
			const { item: short = given.json[0], ...members } = given.json[0] ?? {};
			expect(Object.keys(given.json[0] ?? {}).length).toBeLessThanOrEqual(10);
			expect(whole).toMatchObject(members);
			expect(full).toMatchObject(short as IDataObject);
			expect(full).toHaveProperty('media.screenshots');
			expect(short).not.toHaveProperty('media');
		},
	);
});
