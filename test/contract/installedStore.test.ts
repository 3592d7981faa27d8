import { DEMO } from '../../sandbox/sandbox.ts';
import { call, sandboxForTests } from './clients.ts';

/** What the store of the default dialect does beyond the documents, as its responses show it. */

const sandbox = sandboxForTests({ storeRateLimit: { requests: 25, windowSeconds: 60 } });

const text: unknown = expect.any(String);

const api_key = DEMO.store.apiKey;

const ACCOUNT = 'GET /api/account/details';
const ITEM = 'GET /api/items/item';
const VALIDATION = 'POST /api/purchases/validation';
const INVALID = 'Código de compra inválido';

test('a valid purchase, under another spelling of its code', async () => {
	const purchase_code = DEMO.purchaseCodes.valid.toUpperCase();
	const body = { api_key, purchase_code };
	const { data } = await call(sandbox().storeUrl, VALIDATION, { body });
	expect(data).toMatchObject({
		status: 'sucesso',
		item: {
			purchase_code: DEMO.purchaseCodes.valid,
			license_type: 'Licença regular',
			price: '29.00',
			date: expect.stringMatching(/T\d\d:\d\d:\d\d\.000000Z$/) as unknown,
			item: { id: 1000, tags: 'shop,theme', media: { screenshots: { 0: text } } },
		},
	});
});

test.each<[number, string, string, object]>([
	[404, INVALID, VALIDATION, { purchase_code: 'x' }],
	[404, INVALID, VALIDATION, { api_key: 'wrong', purchase_code: 'x' }],
	[400, 'O campo código de compra é obrigatório.', VALIDATION, {}],
	[400, 'O campo ID do item é obrigatório.', ITEM, { item_id: 'x' }],
	[404, 'Item não encontrado', ITEM, { item_id: 9 }],
	[404, 'Nenhum item encontrado', 'GET /api/items/all', { api_key: DEMO.emptyStore.apiKey }],
	[401, 'Pedido inválido', ACCOUNT, { api_key: 'wrong' }],
	[400, 'O campo chave da API é obrigatório.', ACCOUNT, { api_key: '' }],
])('status %i and the words %s', async (status, msg, endpoint, body) => {
	const request = { body: { api_key, ...body }, headers: { api_key } };
	const answer = await call(sandbox().storeUrl, endpoint, request);
	expect(answer).toMatchObject({ status, data: { status: 'erro', msg } });
});

test('whoever tries a trigger publishes, buys and refunds in a browser', async () => {
	const { storeUrl } = sandbox();
	const open = async (path: string) => await (await fetch(`${storeUrl}${path}`)).text();
	const id = /^Published: item (\d+)$/.exec(await open('/publish'))?.[1];
	const { data } = await call(storeUrl, ITEM, { query: { api_key, item_id: id ?? 0 } });
	expect(data).toMatchObject({ item: { id: Number(id) } });
	const code =
		/^Bought: purchase code (.+), with 180 days of support$/.exec(await open('/buy'))?.[1] ?? '';
	const validate = async () =>
		(await call(storeUrl, VALIDATION, { body: { api_key, purchase_code: code } })).status;
	expect(await validate()).toBe(200);
	expect(await open(`/refund?code=${code}`)).toBe(`Refunded: purchase code ${code}`);
	expect(await validate()).toBe(404);
	const account = await call(storeUrl, ACCOUNT, { query: { api_key } });
	expect(account.data).toMatchObject({ data: { balance: '29.00' } });
	expect(await open(`/refund?code=${code}`)).toBe('There is no such purchase code');
});

test('one item is no list, and a record that cannot be shown is a web page', async () => {
	const account = sandbox().register('store', { email: 'one@store.example' });
	const query = { api_key: account.apiKey };
	const list = async () => await call(sandbox().storeUrl, 'GET /api/items/all', { query });
	const first = sandbox().store.addItem(account.id);
	expect(await list()).toMatchObject({ status: 404, data: { status: 'erro' } });
	const broken = sandbox().store.addItem(account.id, { broken: true });
	expect((await list()).data).toMatchObject({ items: [{ id: broken }, { id: first }] });
	const item = { query: { ...query, item_id: broken } };
	expect(await call(sandbox().storeUrl, ITEM, item)).toMatchObject({ status: 500 });
});

test('an account, and more requests of an address than its limit', async () => {
	const { apiKey } = sandbox().register('store', { email: 'new@store.example' });
	const query = { api_key: apiKey };
	const { data, headers } = await call(sandbox().storeUrl, ACCOUNT, { query });
	expect(data).toMatchObject({ data: { balance: '0.00', profile: { social_links: null } } });
	expect(headers).toMatchObject({ 'x-ratelimit-limit': '25', 'x-ratelimit-remaining': text });
	expect(headers).not.toHaveProperty('x-ratelimit-reset');
	const more = Array.from({ length: 25 }, async (_, at) => {
		return await call(sandbox().storeUrl, ACCOUNT, { query: { api_key: `key-${at}` } });
	});
	const limited = (await Promise.all(more)).find(({ status }) => status === 429);
	expect(limited).toMatchObject({
		data: { status: 'erro' },
		headers: { 'retry-after': text, 'x-ratelimit-reset': text },
	});
});
