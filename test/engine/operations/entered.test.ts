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
const created = (additionalFields: INodeParameters) => ({ ...URL_FIELD, additionalFields });
const named = (value: string) => ({ __rl: true, mode: 'name', value });
const pair = (name: string, value: unknown) => ({ name, value }) as INodeParameters;

type Body = Record<string, unknown>;

/** By operation: what is said of it, what is entered, and the members of what is sent that the case is about. */
const SENT: Record<string, Array<[what: string, entered: INodeParameters, body: Body]>> = {
	'account.update': [
		[
			'the password of an account as it was entered',
			{ updateFields: { password: SECRET } },
			{ password: SECRET },
		],
	],
	'link.create': [
		[
			'the password of a link as it was entered',
			created({ password: SECRET }),
			{ password: SECRET },
		],
		[
			'each of several targets',
			created({
				geoTargets: {
					target: ['Germany', 'France'].map((name) => ({ location: named(name), link: 'a:b' })),
				},
			}),
			{ geotarget: ['Germany', 'France'].map((location) => ({ location, link: 'a:b' })) },
		],
		[
			'a UTM tag in place of a parameter of that name',
			created({
				utm: { source: 'new' },
				parameters: { parameter: [pair('utm_source', 'old'), pair('a', 1)] },
			}),
			{ url: 'https://example.com/?utm_source=new', parameters: [pair('a', '1')] },
		],
		[
			'UTM tags in the long URL, in place of those that it has',
			{
				url: 'https://example.com/a?utm_source=old&b=%20c&utm_source=older&utm_term=x#utm_source=d',
				additionalFields: { utm: { source: 'new & better', medium: 'email' } },
			},
			{
				url: 'https://example.com/a?utm_source=new%20%26%20better&b=%20c&utm_term=x&utm_medium=email#utm_source=d',
			},
		],
		[
			'the page to show first, picked beside the redirect type',
			{ ...URL_FIELD, redirectType: 'customSplash', splashPageId: byId(7) },
			{ type: '7' },
		],
		[
			'the overlay to show, in another format',
			{
				...{ ...URL_FIELD, redirectType: 'overlay', ctaOverlayId: byId(7) },
				additionalFields: { pageIdFormat: 'cta-*' },
			},
			{ type: 'cta-7' },
		],
		[
			'an expiry of Luxon as the service writes it, in its summer',
			created({ expiry: "={{ DateTime.fromISO('2030-06-01T12:00:00Z') }}" }),
			{ expiry: '2030-06-01 14:00:00' },
		],
		[
			'an expiry of JavaScript as the service writes it, in its winter',
			created({ expiry: '={{ new Date(Date.UTC(2030, 11, 1, 12)) }}' }),
			{ expiry: '2030-12-01 13:00:00' },
		],
	],
	'link.update': [
		[
			'an empty list for each that was added without an entry',
			{
				linkId: byId(1),
				updateFields: {
					...{ ...URL_FIELD, geoTargets: {}, deviceTargets: {}, languageTargets: {} },
					...{ parameters: {}, utm: {} },
				},
			},
			{ geotarget: [], devicetarget: [], languagetarget: [], parameters: [] },
		],
	],
	'qrCode.create': [
		[
			'the name and the password of a Wi-Fi as they were entered',
			{ qrType: 'wifi', ssid: SECRET, wifiPassword: SECRET },
			{ data: { ssid: SECRET, encryption: 'WPA', pass: SECRET } },
		],
		[
			'no Wi-Fi password without encryption',
			{ qrType: 'wifi', ssid: 'x', encryption: 'nopass', wifiPassword: SECRET },
			{ data: { ssid: 'x', encryption: 'nopass', pass: '' } },
		],
		[
			'the text of a QR code as it was entered',
			{ qrType: 'text', text: ' two\nlines ' },
			{ data: ' two\nlines ' },
		],
		[
			'as content the text that JSON holds',
			{ qrType: 'sms', dataMode: 'json', dataJson: '"as it is"' },
			{ data: 'as it is' },
		],
		[
			'as content what an expression gives as plain text',
			{ qrType: 'text', dataMode: 'json', dataJson: '={{ $json.text }}' },
			{ data: 'Table 7' },
		],
		[
			'as content what an expression gives as JSON',
			{ qrType: 'sms', dataMode: 'json', dataJson: '={ "phone": "{{ $json.phone }}" }' },
			{ data: { phone: '1' } },
		],
	],
};

test.each(
	Object.entries(SENT).flatMap(([operation, cases]) =>
		cases.map(([what, entered, body]) => ({ what, operation, entered, body })),
	),
)('$operation sends $what', async ({ operation, entered, body }) => {
	const rows = [{ text: 'Table 7', phone: '1' }];
	const credential = { timezone: 'Europe/Berlin' };
	const { requests } = await stage.link(operation, entered, { rows, credential });
	expect(requests).toMatchObject([{ body }]);
});

describe('an update of a link', () => {
	const updated = async (updateFields: INodeParameters): Promise<StageResult> => {
		const url = 'https://example.com/a?utm_term=old';
		const id = await stage.make('/api/url/add', { url, parameters: [pair('ref', 'x')] });
		return await stage.link('link.update', { linkId: byId(id), updateFields });
	};

	test.each<[string, INodeParameters, Body]>([
		[
			'UTM tags in the present long URL, and no parameters',
			{ utm: { source: 'mail', term: 'new' } },
			{ url: 'https://example.com/a?utm_term=new&utm_source=mail' },
		],
		[
			'parameters alone',
			{ parameters: { parameter: [pair('utm_source', 'x')] } },
			{
				url: 'https://example.com/a?utm_term=old',
				parameters: [pair('utm_source', 'x')],
			},
		],
		[
			'no parameters where no UTM tag has a value',
			{
				...{ url: 'https://example.com/b', metaTitle: 'Spring' },
				utm: { source: '', medium: '', campaign: '={{ null }}', term: '={{ undefined }}' },
			},
			{ url: 'https://example.com/b', metatitle: 'Spring' },
		],
	])('changes %s', async (_what, updateFields, body) => {
		const { error, requests } = await updated(updateFields);
		expect(error).toBeUndefined();
		expect(requests.at(-1)?.body).toEqual(body);
		expect(requests).toHaveLength('url' in updateFields ? 1 : 2);
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
			expect(error?.message).toMatch(/has no ID for the new record/);
		}
	});

	test('a link whose details have no long URL is not updated', async () => {
		const answer = { error: 0, details: { id: 7, longurl: '' }, data: {} };
		const parameters = { linkId: byId(7), updateFields: { metaTitle: 'x' } };
		const { error, sent } = await answering(answer, 'link.update', parameters);
		expect(error).toMatchObject({
			message: like(/have no long URL/),
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
});

describe('Simplify', () => {
	test.each([
		['store', false],
		['storeTool', true],
	])('is, for the node %s, %s', (name, simplify) => {
		const type = { ...nodeType('n8n-nodes-linkstore.store').description, name };
		const given = { resource: 'item', operation: 'get' };
		const opened = [type.properties, given, true, false, { typeVersion: 1 }, type] as const;
		expect(NodeHelpers.getNodeParameters(...opened)).toMatchObject({ simplify });
	});

	test.each(['item.get', 'item.getAll', 'purchase.validate'])(
		'makes %s short',
		async (operation) => {
			const { store } = stage.sandbox;
			const itemId = store.addItem(stage.storeAccount.id, { screenshots: true });
			const purchaseCode = store.addPurchase(itemId, {});
			const parameters = { itemId: byId(itemId), purchaseCode };
			const given = await stage.store(operation, { ...parameters, simplify: '={{ "true" }}' });
			const saved = await stage.store(operation, parameters);
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
