import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { REFUNDED } from '../../../sandbox/store/purchases.ts';
import { serve } from '../../loopback.ts';
import type { NodeSettings } from '../support.ts';
import { Stage, inEveryDialect, like, onStage, pairs } from '../support.ts';

const validate = async (
	stage: Stage,
	codes: string[],
	options: INodeParameters = {},
	settings: NodeSettings = {},
) =>
	await stage.store(
		'purchase.validate',
		{ purchaseCode: '={{ $json.code }}', options },
		{ rows: codes.map((code): IDataObject => ({ code })), ...settings },
	);

const buy = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

inEveryDialect((stage) => {
	describe('purchase.validate', () => {
		test('answers every row, also with a code that comes more than once', async () => {
			const code = buy(stage);
			const result = await validate(stage, [code, 'never-sold', code, ` ${code} `]);
			expect(result.json.map(({ valid }) => valid)).toEqual([true, false, true, true]);
			expect(pairs(result)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		});

		test('asks again in the next run', async () => {
			const code = buy(stage);
			await validate(stage, [code]);
			stage.sandbox.store.removePurchase(code);
			const { json, requests } = await validate(stage, [code]);
			expect(json).toMatchObject([{ valid: false }]);
			expect(requests).toHaveLength(1);
		});

		test('fails for an invalid code where the option says so', async () => {
			const codes = ['never-sold', buy(stage)];
			const { outputs } = await validate(
				stage,
				codes,
				{ onInvalid: 'error' },
				{ settings: { onError: 'continueErrorOutput' } },
			);
			expect(outputs).toMatchObject([
				[{ json: { valid: true }, pairedItem: { item: 1 } }],
				[
					{
						json: { code: 'never-sold', error: like(/^Invalid purchase code/) },
						pairedItem: { item: 0 },
					},
				],
			]);
		});
	});
});

/** A store that gives one answer to everything. */
const answering = async (status: number, body: unknown) =>
	await serve((_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	});

const CODE = '7f3a9c52-1b8e-4d60-9a47-ff00c5e2f0d8';

describe('a purchase code', () => {
	const stage = onStage(new Stage());

	beforeEach(() => {
		const { store } = stage.sandbox;
		store.removePurchase(CODE);
		store.addPurchase(store.addItem(stage.storeAccount.id), { code: CODE });
	});

	test.each([
		['with a ligature', CODE.replace('ff', '\ufb00')],
		['with typographic dashes', '7f3a9c52\u20101b8e\u20114d60\u20139a47\u2212ff00c5e2f0d8'],
		[
			'with what nobody sees',
			`\ufeff\u202a7f3a\u200b9c52\u00ad-\u2060${CODE.slice(9)}\u00a0\u2069`,
		],
		['with blanks around it, and a line break within', ` 7f3a9c52-1b8e-\r\n${CODE.slice(14)}\t`],
		['in full-width characters', CODE.replace('7f', '\uff17\uff46').replace('-', '\uff0d')],
	])('is found as it was pasted: %s', async (_what, pasted) => {
		const { json, requests } = await validate(stage, [pasted]);
		expect(json).toMatchObject([{ valid: true, purchase_code: CODE }]);
		expect(requests).toMatchObject([{ body: { purchase_code: CODE } }]);
	});

	test('has the columns of a valid one when it is invalid, also simplified', async () => {
		for (const simplify of [false, true]) {
			const { json } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}', simplify, options: { expectedItemId: '1' } },
				{ rows: [{ code: CODE }, { code: 'never-sold' }] },
			);
			const [valid = [], invalid = []] = json.map((item) => Object.keys(item).sort());
			expect(invalid).toEqual(valid);
		}
	});

	const BLANK = ['', '\u200b \u00a0'];
	test('that is blank is refused before any request, or invalid where the option says so', async () => {
		const refused = await validate(stage, [CODE, ...BLANK]);
		expect(refused.error?.message).toMatch(/^Purchase Code is empty \(item 2 of 3/);
		expect(refused.requests).toEqual([]);
		const { json, requests } = await validate(stage, [...BLANK, CODE], { onBlank: 'invalid' });
		const blank = { valid: false, purchase_code: '', reason: 'The purchase code is blank' };
		expect(json).toMatchObject([blank, blank, { valid: true }]);
		expect(requests).toHaveLength(1);
		const options = { onBlank: 'invalid', onInvalid: 'error' };
		const { error } = await validate(stage, BLANK.slice(1), options);
		expect(error?.message).toBe('The purchase code is blank');
	});

	test('that the store refuses in other words fails its own row, and is named', async () => {
		const { store } = stage.sandbox;
		const refunded = store.addPurchase(store.addItem(stage.storeAccount.id), { license: REFUNDED });
		const settings = { settings: { onError: 'continueRegularOutput' } } as const;
		const codes = [refunded, CODE, 'never-sold'];
		const { json } = await validate(stage, codes, {}, settings);
		expect(json).toEqual([
			{
				error: `This purchase was refunded (purchase code "${refunded}"). If these words mean that the code is invalid, enter them as Invalid Code Message in the credential.`,
			},
			expect.objectContaining({ valid: true }),
			expect.objectContaining({ valid: false }),
		]);
		const credential = { invalidCodeMessage: 'this purchase was refunded.' };
		const allowed = await validate(stage, codes, {}, { credential });
		expect(allowed.json.map(({ valid }) => valid)).toEqual([false, true, false]);
	});

	test('is not sent after five requests in a row got no response', async () => {
		const codes = Array.from({ length: 12 }, (_, row) => `code-${row}`);
		const settings = { settings: { onError: 'continueRegularOutput' } } as const;
		const closed = await answering(200, {});
		await closed.stop();
		const { json } = await validate(
			stage,
			codes,
			{},
			{ ...settings, credential: { baseUrl: closed.url } },
		);
		expect(json).toHaveLength(12);
		// Five are in flight at once.
		expect(json.slice(9)).toEqual(
			[9, 10, 11].map(() => ({ error: like(/^Not sent, because 5 requests in a row failed/) })),
		);
	});

	test('is sent again after others that the store refused, and after single failures', async () => {
		const { store } = stage.sandbox;
		const item = store.addItem(stage.storeAccount.id);
		const refunded = Array.from({ length: 7 }, () =>
			store.addPurchase(item, { license: REFUNDED }),
		);
		const settings = { settings: { onError: 'continueRegularOutput' } } as const;
		const { json } = await validate(stage, [...refunded, CODE], {}, settings);
		expect(json.at(-1)).toMatchObject({ valid: true });
	});
});

describe('the answer of the store', () => {
	const stage = onStage(new Stage());

	test.each([
		...[200, 400, 401, 403, 404, 410, 422].map((status) => [
			status,
			'Invalid purchase code',
			'',
			true,
		]),
		...[500, 502, 503].map((status) => [status, 'Invalid purchase code', '', false]),
		[404, ' INVALID PURCHASE CODE. ', '', true],
		[404, 'Código de compra inválido', '', false],
		[404, 'Código de compra inválido', 'código de compra inválido!', true],
		[401, 'Código de compra inválido', 'Código de compra inválido', true],
		[404, 'Invalid purchase code', 'Código de compra inválido', true],
		[404, 'Too many attempts with an invalid purchase code. Wait 10 minutes', '', false],
		[404, 'Not an invalid purchase code', 'code', false],
		[404, '', '', false],
		[401, 'Invalid API key', '', false],
	] as Array<[number, string, string, boolean]>)(
		'%i "%s" with Invalid Code Message "%s" means invalid: %s',
		async (status, msg, invalidCodeMessage, isInvalid) => {
			const server = await answering(status, { status: 'error', msg });
			const credential = { baseUrl: server.url, invalidCodeMessage };
			const { error, json } = await validate(stage, [CODE], {}, { credential });
			await server.stop();
			const reason = msg.trim();
			const wanted = isInvalid ? [{ valid: false, purchase_code: CODE, reason }] : [];
			expect(json).toMatchObject(wanted);
			expect(Boolean(error)).toBe(!isInvalid);
		},
	);

	test('with status 403 costs one look at the account, however many codes are invalid', async () => {
		const other = new Stage({ invalidPurchase: '403' });
		await other.open();
		await other.enter();
		const codes = Array.from({ length: 8 }, (_, row) => `never-sold-${row}`);
		const { json, requests } = await validate(other, codes);
		await other.close();
		expect(json.map(({ valid }) => valid)).toEqual(codes.map(() => false));
		expect(requests.filter(({ request }) => request.startsWith('GET'))).toHaveLength(1);
		expect(requests).toHaveLength(codes.length + 1);
	});

	const purchase = { purchase_code: CODE, license_type: 'Regular', item: { id: 7, name: 'Theme' } };
	test.each([
		['data.purchase', { data: { purchase } }],
		['data', { data: purchase }],
		['purchase', { purchase }],
		['item', { item: purchase }],
	])('holds the purchase in %s', async (_place, members) => {
		const server = await answering(200, { status: 'success', ...members });
		const credential = { baseUrl: server.url };
		const { json } = await validate(stage, [CODE], { expectedItemId: '7' }, { credential });
		await server.stop();
		expect(json).toMatchObject([{ valid: true, ...purchase, item_matches: true }]);
	});

	test.each([
		['an item', { item: { id: 7, name: 'Theme', price: 3, currency: 'USD' } }],
		['an account', { data: { username: 'dana', currency: 'USD' } }],
		['nothing', {}],
	])('is an error with %s in place of a purchase', async (_what, members) => {
		const server = await answering(200, { status: 'success', ...members });
		const credential = { baseUrl: server.url };
		const { error, json } = await validate(stage, [CODE], {}, { credential });
		await server.stop();
		expect([json, error?.message]).toEqual([[], like(/has no "purchase"/)]);
	});

	test.each([
		['a web page', () => `${stage.sandbox.storeUrl}/shop`, /web page \(status 404\)$/],
		['nothing', () => 'http://127.0.0.1:1', /nothing is listening at that address/],
	])('is an error: %s', async (_what, baseUrl, message) => {
		const credential = { baseUrl: baseUrl() };
		const { error, json } = await validate(stage, [buy(stage)], {}, { credential });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(message);
	});
});

describe('the API key of the store', () => {
	const stage = onStage(new Stage({ storeKeyPlace: 'any', underscoreHeaders: 'kept' }));

	test.each([
		['query', 'query', 'query'],
		['header', 'header', 'header'],
		['body', 'query', 'body'],
	])('goes where the credential says: %s', async (apiKeyLocation, get, post) => {
		const credential = { apiKeyLocation };
		const read = await stage.store('account.get', {}, { credential });
		const validated = await validate(stage, ['any'], {}, { credential });
		expect(read.requests.map(({ keyIn }) => keyIn)).toEqual([[get]]);
		expect(validated.requests.map(({ keyIn }) => keyIn)).toEqual([[post]]);
		expect(validated.json).toMatchObject([{ valid: false }]);
	});

	test('goes into the header that the credential names', async () => {
		const credential = { apiKeyLocation: 'header', apiKeyHeader: 'X-API-Key' };
		const { json } = await stage.store('account.get', {}, { credential });
		expect(json).toHaveLength(1);
		const { headers } = stage.sandbox.requests[0] ?? {};
		expect(headers).toMatchObject({ 'x-api-key': stage.storeAccount.apiKey });
		expect(headers).not.toHaveProperty('api_key');
	});
});
