import type { IDataObject, INodeParameters } from 'n8n-workflow';

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
		test('asks once for a code that comes more than once, and answers every row', async () => {
			const code = buy(stage);
			const result = await validate(stage, [code, 'never-sold', code, ` ${code} `, 'never-sold']);
			expect(result.json.map(({ valid }) => valid)).toEqual([true, false, true, true, false]);
			expect(pairs(result)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
			expect(result.requests.map(({ body }) => body)).toEqual([
				{ purchase_code: code },
				{ purchase_code: 'never-sold' },
			]);
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

describe('an answer that says nothing of the code', () => {
	const stage = onStage(new Stage());
	test.each([401, 403])('is an error, whatever its words: status %i', async (status) => {
		const server = await serve((_request, response) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ status: 'error', msg: 'Invalid purchase code' }));
		});
		const credential = { baseUrl: server.url };
		const { error, json } = await validate(stage, ['any'], {}, { credential });
		await server.stop();
		expect(json).toEqual([]);
		expect(error).toMatchObject({ httpCode: String(status) });
	});

	test.each([
		['a web page', () => `${stage.sandbox.storeUrl}/shop`, /web page came \(status 404\)$/],
		['nothing', () => 'http://127.0.0.1:1', /nothing listens at that address/],
	])('is an error: %s', async (_what, baseUrl, message) => {
		const credential = { baseUrl: baseUrl() };
		const { error, json } = await validate(stage, [buy(stage)], {}, { credential });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(message);
	});
});

describe('the API key of the store', () => {
	const stage = onStage(new Stage());

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
