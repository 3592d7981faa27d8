import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { Stage, byId, inEveryDialect, like, onStage, pairs } from '../support.ts';

const HOUR = 3_600_000;
const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const TIMESTAMP = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

inEveryDialect((stage) => {
	const addItem = (name: string) => stage.sandbox.store.addItem(stage.storeAccount.id, { name });
	const media = (path: string) => `${stage.sandbox.storeUrl}/media/${path}`;
	const item = (id: number, name: string) => ({
		id,
		name,
		description: `${name}, ready to use.`,
		category: 'Themes',
		sub_category: 'Shop',
		options: ['Documentation', 'Responsive'],
		version: '1.0.0',
		demo_link: `https://demo.example/${name.toLowerCase()}`,
		tags: ['shop', 'theme'],
		media: {
			thumbnail: media(`items/${id}/thumbnail.svg`),
			preview_image: media(`items/${id}/preview.svg`),
		},
		price: { regular: 29, extended: 249 },
		currency: 'USD',
		published_at: TIMESTAMP,
	});

	describe('account.get', () => {
		test('gives the account of the key for each row, one request each', async () => {
			const result = await stage.store('account.get', {}, { rows: [{}, {}] });
			const { email } = stage;
			const pictures = media(`accounts/${stage.storeAccount.id}`);
			const account = {
				name: { firstname: 'Robin', lastname: 'Vale', full_name: 'Robin Vale' },
				username: email.split('@')[0],
				email,
				balance: 0,
				currency: 'USD',
				profile: {
					heading: 'Small tools, well made',
					description: 'Themes, scripts and sounds for web shops.',
					contact: { email },
					social_links: { facebook: 'robinvale', website: 'https://robinvale.example' },
					media: { avatar: `${pictures}/avatar.svg`, cover: `${pictures}/cover.svg` },
				},
				registered_at: TIMESTAMP,
			};
			expect(result.json).toEqual([account, account]);
			expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
			const request = stage.expected('store', 'GET /api/account/details');
			expect(result.requests).toEqual([request, request]);
		});
	});

	describe('item.get', () => {
		test('gives the item of each row, its ID in the query', async () => {
			const ids = [addItem('Aurora'), addItem('Borealis')];
			const result = await stage.store(
				'item.get',
				{ itemId: byId('={{ $json.id }}') },
				{ rows: ids.map((id) => ({ id })) },
			);
			expect(result.json).toEqual([item(ids[0] ?? 0, 'Aurora'), item(ids[1] ?? 0, 'Borealis')]);
			expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
			expect(result.requests).toHaveLength(2);
			expect(result.requests).toEqual(
				expect.arrayContaining(
					ids.map((id) =>
						stage.expected('store', 'GET /api/items/item', { query: { item_id: String(id) } }),
					),
				),
			);
		});
	});

	describe('item.getAll', () => {
		test('lists all items for each row in one request each', async () => {
			const ids = [addItem('Aurora'), addItem('Borealis')];
			const result = await stage.store('item.getAll', { returnAll: true }, { rows: [{}, {}] });
			const all = [item(ids[1] ?? 0, 'Borealis'), item(ids[0] ?? 0, 'Aurora')];
			expect(result.json).toEqual([...all, ...all]);
			expect(pairs(result)).toEqual([0, 0, 1, 1].map((index) => ({ item: index })));
			const request = stage.expected('store', 'GET /api/items/all');
			expect(result.requests).toEqual([request, request]);
		});

		test('keeps to the limit', async () => {
			for (const name of ['One', 'Two', 'Three']) addItem(name);
			const result = await stage.store('item.getAll', { returnAll: false, limit: 2 });
			expect(result.json.map(({ name }) => name)).toEqual(['Three', 'Two']);
			expect(result.requests).toHaveLength(1);
		});

		test('gives no items for an account that has none, and no error', async () => {
			const { json, error, requests } = await stage.store('item.getAll', { returnAll: true });
			expect(error).toBeUndefined();
			expect(json).toEqual([]);
			expect(requests).toHaveLength(1);
		});
	});

	describe('purchase.validate', () => {
		const buy = (supportedIn: number | null, name = 'Aurora') => {
			const supportedUntil = supportedIn === null ? null : iso(Date.now() + supportedIn);
			const id = addItem(name);
			return { id, code: stage.sandbox.store.addPurchase(id, { supportedUntil }) };
		};
		const validate = async (codes: unknown[], options: IDataObject = {}) =>
			await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}', options: options as Record<string, string> },
				{ rows: codes.map((code) => ({ code }) as IDataObject) },
			);

		test('gives the purchase of a valid code and the reason for an invalid one', async () => {
			const { id, code } = buy(9.5 * 24 * HOUR);
			const result = await validate([code, 'never-sold']);
			expect(result.json).toEqual([
				{
					valid: true,
					purchase_code: code,
					license_type: 'Regular License',
					price: 29,
					currency: 'USD',
					item: item(id, 'Aurora'),
					supported_until: TIMESTAMP,
					downloaded: false,
					date: TIMESTAMP,
					support_active: true,
					support_days_left: 10,
				},
				{ valid: false, purchase_code: 'never-sold', reason: 'Invalid purchase code' },
			]);
			expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
			expect(result.requests).toEqual(
				[code, 'never-sold'].map((asked) =>
					stage.expected('store', 'POST /api/purchases/validation', {
						body: { purchase_code: asked },
					}),
				),
			);
		});

		test('counts the days of support by the clock of the store', async () => {
			const { code } = buy(60_000);
			const { json } = await validate([code]);
			const isOver = stage.dialect.clockSkew > 60;
			expect(json).toMatchObject([
				{ valid: true, support_active: !isOver, support_days_left: isOver ? 0 : 1 },
			]);
		});

		test('a code without support, or whose support has ended, is valid', async () => {
			const { json } = await validate([buy(null).code, buy(-2 * HOUR).code]);
			expect(json).toMatchObject([
				{ valid: true, support_active: false, support_days_left: 0 },
				{ valid: true, support_active: false, support_days_left: 0 },
			]);
			expect(json[0]).not.toHaveProperty('supported_until');
		});

		test('asks once for a code that comes more than once, and answers every row', async () => {
			const { code } = buy(null);
			const result = await validate([code, 'never-sold', code, ` ${code} `, 'never-sold']);
			expect(result.json.map(({ valid }) => valid)).toEqual([true, false, true, true, false]);
			expect(pairs(result)).toEqual([0, 1, 2, 3, 4].map((index) => ({ item: index })));
			expect(result.requests.map(({ body }) => body)).toEqual([
				{ purchase_code: code },
				{ purchase_code: 'never-sold' },
			]);
		});

		test('asks again in the next run', async () => {
			const { code } = buy(null);
			await validate([code]);
			stage.sandbox.store.removePurchase(code);
			const { json, requests } = await validate([code]);
			expect(json).toMatchObject([{ valid: false }]);
			expect(requests).toHaveLength(1);
		});

		test.each([
			['as a number', (id: number) => id, true],
			['as a text', (id: number) => String(id), true],
			['of another item', (id: number) => id + 1, false],
		])('says whether the code is for the expected item, given %s', async (_how, given, matches) => {
			const { id, code } = buy(null);
			const { json } = await validate([code, 'never-sold'], { expectedItemId: given(id) });
			expect(json[0]).toMatchObject({ valid: true, item_matches: matches });
			expect(json[1]).toEqual({
				valid: false,
				purchase_code: 'never-sold',
				reason: 'Invalid purchase code',
			});
		});

		test('says nothing of an item if none is expected', async () => {
			const { json } = await validate([buy(null).code], { expectedItemId: '' });
			expect(json[0]).not.toHaveProperty('item_matches');
		});

		test('a code of another account is invalid', async () => {
			const other = await stage.sandbox.registerStoreAccount({
				email: `${stage.unique('other')}@example.com`,
			});
			const code = stage.sandbox.store.addPurchase(stage.sandbox.store.addItem(other.id));
			expect((await validate([code])).json).toMatchObject([{ valid: false }]);
		});

		test('an invalid code is a failure where the option says so', async () => {
			const { code } = buy(null);
			const result = await validate([code, 'never-sold'], { onInvalid: 'error' });
			expect(result.error?.message).toMatch(
				/^Invalid purchase code.*\(item 2 of 2: 1 succeeded, 0 not sent\)/,
			);
			const { outputs } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}', options: { onInvalid: 'error' } },
				{ rows: [{ code: 'never-sold' }, { code }], settings: { onError: 'continueErrorOutput' } },
			);
			expect(outputs[0]?.map(({ json, pairedItem }) => [json.valid, pairedItem])).toEqual([
				[true, { item: 1 }],
			]);
			expect(outputs[1]).toMatchObject([
				{
					json: { code: 'never-sold', error: like(/^Invalid purchase code/) },
					pairedItem: { item: 0 },
				},
			]);
		});

		test('a refused key is a failure, never an invalid code', async () => {
			const { code } = buy(null);
			stage.sandbox.expireKey('store', stage.storeAccount.id);
			const { error, json, requests } = await validate([code]);
			expect(error).toMatchObject({
				message: 'The API key has expired.',
				description: like(/^Check the API key in the credential/),
				httpCode: stage.dialect.keyRefused,
			});
			expect(json).toEqual([]);
			expect(requests).toHaveLength(1);
		});

		test('a wrong base URL is a failure, never an invalid code', async () => {
			const { code } = buy(null);
			const run = { rows: [{ code }], credential: { baseUrl: `${stage.sandbox.storeUrl}/shop` } };
			const parameters = { purchaseCode: '={{ $json.code }}', options: {} };
			const { error, json } = await stage.store('purchase.validate', parameters, run);
			expect(error).toMatchObject({
				message: 'The store was expected to answer, but a web page came (status 404)',
				httpCode: '404',
			});
			expect(json).toEqual([]);
		});
	});
});

describe('where nobody listens', () => {
	const stage = onStage(new Stage());

	test('a purchase code is not called invalid', async () => {
		const closed = new Stage();
		await closed.open();
		const baseUrl = closed.sandbox.storeUrl;
		await closed.close();
		const { error, json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: 'any', options: {} },
			{ credential: { baseUrl } },
		);
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/store/i);
		expect(error?.message).not.toMatch(/invalid/i);
	});
});

describe('the API key of the store', () => {
	const stage = onStage(new Stage());
	const PLACES = [
		{ apiKeyLocation: 'query', get: ['query'], post: ['query'] },
		{ apiKeyLocation: 'header', get: ['header'], post: ['header'] },
		{ apiKeyLocation: 'body', get: ['query'], post: ['body'] },
	];

	test.each(PLACES)(
		'goes where the credential says: $apiKeyLocation',
		async ({ get, post, ...credential }) => {
			const read = await stage.store('account.get', {}, { credential });
			const validated = await stage.store(
				'purchase.validate',
				{ purchaseCode: 'any', options: {} },
				{ credential },
			);
			expect(read.requests.map(({ keyIn }) => keyIn)).toEqual([get]);
			expect(validated.requests.map(({ keyIn }) => keyIn)).toEqual([post]);
			expect(validated.json).toMatchObject([{ valid: false }]);
		},
	);

	test('goes into the header that the credential names', async () => {
		const credential = { apiKeyLocation: 'header', apiKeyHeader: 'X-API-Key' };
		const { json } = await stage.store('account.get', {}, { credential });
		expect(json).toHaveLength(1);
		const { headers } = stage.sandbox.requests[0] ?? {};
		expect(headers).toMatchObject({ 'x-api-key': stage.storeAccount.apiKey });
		expect(headers).not.toHaveProperty('api_key');
	});
});

describe('an answer that calls the code invalid, but with a status that says otherwise', () => {
	const stage = onStage(new Stage());
	let server: Server;
	let statusCode: number;

	beforeAll(async () => {
		server = createServer((_request, response) => {
			response.writeHead(statusCode, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ status: 'error', msg: 'Invalid purchase code' }));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});

	afterAll(() => {
		server.close();
	});

	test.each([401, 403, 503])('is an error with %i, not an invalid code', async (status) => {
		statusCode = status;
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		const { error, json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: 'any', options: {} },
			{ credential: { baseUrl: `http://127.0.0.1:${String(port)}` } },
		);
		expect(json).toEqual([]);
		expect(error).toMatchObject({ httpCode: String(status) });
	});
});
