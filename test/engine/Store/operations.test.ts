import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { nodeType } from '../helpers/engine.ts';
import type { NodeSettings } from '../helpers/support.ts';
import { Stage, like, onStage } from '../helpers/support.ts';

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

/** A store that gives one answer to every code. */
const answering = async (status: number, body: unknown) =>
	await serve(({ method }, response) => {
		response.writeHead(method === 'GET' ? 200 : status, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify(method === 'GET' ? { status: 'success', data: { username: 'ada' } } : body),
		);
	});

const CODE = '7f3a9c52-1b8e-4d60-9a47-ff00c5e2f0d8';

describe('a purchase code', () => {
	const stage = onStage(new Stage());

	test.each([
		[500, { status: 'error', msg: 'Server error' }],
		[200, '<html>'],
	])('is not sent after five requests in a row got status %i with %j', async (status, body) => {
		const server = await answering(status, body);
		const codes = Array.from({ length: 12 }, (_, row) => `code-${row}`);
		const settings = { onError: 'continueRegularOutput' } as const;
		const credential = { baseUrl: server.url };
		const { json } = await validate(stage, codes, {}, { settings, credential });
		await server.stop();
		expect(json).toHaveLength(12);
		// Five are in flight at once.
		expect(json.slice(9)).toEqual(
			codes.slice(9).map((code) => ({ error: like(/^Not sent, because the service/), code })),
		);
	});
});

describe('the answer of the store', () => {
	const stage = onStage(new Stage());

	test.each([undefined, null, [], {}, { username: null, email: '' }, 'ok'])(
		'an account of %j proves no key, so no code is invalid',
		async (data) => {
			const server = await serve(({ method }, response) => {
				const invalid = { status: 'error', msg: 'Invalid purchase code' };
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify(method === 'GET' ? { status: 'success', data } : invalid));
			});
			const { json, error } = await validate(
				stage,
				[CODE],
				{},
				{
					credential: { baseUrl: server.url },
				},
			);
			await server.stop();
			expect(json).toEqual([]);
			expect(error?.message).toContain('The response has no "data"');
		},
	);

	test.each([200, 401, 403, 404, 422])(
		'"No items found" with status %i is an empty list, if the key is right',
		async (status) => {
			const server = await serve(({ url }, response) => {
				const isList = url?.startsWith('/api/items/all');
				response.writeHead(isList ? status : 200, { 'content-type': 'application/json' });
				const none = { status: 'error', msg: 'No items found' };
				const account = { status: 'success', data: { username: 'ada' } };
				response.end(JSON.stringify(isList ? none : account));
			});
			const credential = { baseUrl: server.url };
			const result = await stage.store('item.getAll', { returnAll: true }, { credential });
			await server.stop();
			expect([result.error, result.json]).toEqual([undefined, []]);
		},
	);

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

	test('with status 403 costs two looks at the account, however many codes are invalid', async () => {
		await using other = await Stage.opened();
		const body = { status: 'error', msg: 'Invalid purchase code' };
		const method = 'POST';
		other.sandbox.faults.add({ kind: 'respond', method, status: 403, body, times: 8 });
		const codes = Array.from({ length: 8 }, (_, row) => `never-sold-${row}`);
		const { json, requests } = await validate(other, codes);
		expect(json.map(({ valid }) => valid)).toEqual(codes.map(() => false));
		expect(requests.filter(({ request }) => request.startsWith('GET'))).toHaveLength(2);
		expect(requests).toHaveLength(codes.length + 2);
	});

	test.each([
		['a web page', () => `${stage.sandbox.storeUrl}/shop`, /web page \(status 404\)$/],
		['nothing', () => 'http://127.0.0.1:1', /nothing is listening there/],
	])('is an error: %s', async (_what, baseUrl, message) => {
		const credential = { baseUrl: baseUrl() };
		const { error, json } = await validate(stage, [buy(stage)], {}, { credential });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(message);
	});
});

describe('the API key of the store', () => {
	const stage = onStage(new Stage({ storeKeyPlace: 'any' }));

	test('goes into the header that the credential names', async () => {
		const credential = { apiKeyLocation: 'header', apiKeyHeader: 'X-API-Key' };
		const { json } = await stage.store('account.get', {}, { credential });
		expect(json).toHaveLength(1);
		const { headers } = stage.sandbox.requests[0] ?? {};
		expect(headers).toMatchObject({ 'x-api-key': stage.storeAccount.apiKey });
		expect(headers).not.toHaveProperty('api_key');
	});
});

test.each([
	['store', true],
	['storeTool', true],
])('Simplify is, for the node %s, %s', (name, simplify) => {
	const type = { ...nodeType('n8n-nodes-linkstore.store').description, name };
	const given = { resource: 'item', operation: 'get' };
	const opened = [type.properties, given, true, false, { typeVersion: 1 }, type] as const;
	expect(NodeHelpers.getNodeParameters(...opened)).toMatchObject({ simplify });
});

describe('an operation that there is not', () => {
	const stage = onStage(new Stage());

	test.each([
		['store', 'purchase.check'],
		['store', 'order.get'],
		['linkManagement', 'pixel.find'],
	] as const)('is refused by the node %s: %s', async (node, name) => {
		const { error, requests } = await stage.run(node, name);
		expect(error?.message).toBe('There is no such Resource or Operation');
		expect(requests).toEqual([]);
	});
});

describe('a store that compares codes without case and accents', () => {
	const stage = onStage(new Stage());

	test.each([
		['as it is stored', 'Ab-7é', 'Ab-7é'],
		['as it was sent', 'aB-7E', undefined],
	])('writes the code %s', async (_how, written, stored_code) => {
		const sent = 'aB-7E';
		const { store, faults } = stage.sandbox;
		store.addPurchase(store.addItem(stage.storeAccount.id), { code: sent });
		const change = (body: string) => body.replace(sent, written);
		faults.add({ kind: 'respond', method: 'POST', change });
		const { json } = await validate(stage, [sent]);
		expect(json).toMatchObject([{ valid: true, purchase_code: sent }]);
		expect(json.map((item) => item.stored_code)).toEqual([stored_code]);
		store.removePurchase(sent);
	});
});
