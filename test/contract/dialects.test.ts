import { CHOICES, type ChoiceName, type Dialect } from '../../sandbox/dialects.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call } from './clients.ts';

/** Each value of each setting gives other responses than the others to these requests; without it, the first one holds. */

type Request = [endpoint: string, sent?: Parameters<typeof call>[2]];

const url = 'https://example.com/new';
const LINK: Request[] = [
	['GET /api/urls?limit=200'],
	['GET /api/urls?limit=20&page=2'],
	['GET /api/urls?limit=20&page=3'],
	['GET /api/domains'],
	['GET /api/url/1'],
	['GET /api/url/37'],
	['GET /api/url/999'],
	['PUT /api/url/37/update', { body: { url } }],
	['POST /api/url/add', { body: { url, custom: 'twice' } }],
	['POST /api/url/add', { body: { url, custom: 'twice', domain: 'go.example.com' } }],
	['GET /api/urls', { headers: { Authorization: 'Bearer wrong' } }],
];

const api_key = DEMO.store.apiKey;
const purchase = { purchase_code: DEMO.purchaseCodes.valid };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const STORE: Request[] = [
	['GET /api/account/details'],
	['GET /api/items/all', { query: { api_key: DEMO.emptyStore.apiKey } }],
	['POST /api/purchases/validation', { query: { api_key }, body: purchase }],
	['POST /api/purchases/validation', { headers: { api_key }, body: purchase }],
	['POST /api/purchases/validation', { body: { api_key, ...purchase } }],
	['POST /api/purchases/validation', { headers: form, body: { api_key, ...purchase } }],
];

async function responsesIn(dialect: Partial<Dialect>): Promise<string> {
	const NOON = Date.UTC(2030, 0, 2, 12);
	const sandbox = await startSandbox({ seed: 'demo', clock: () => NOON, dialect });
	const responses: unknown[] = [];
	const send = async (baseUrl: string, [endpoint, sent = {}]: Request) => {
		const headers = { Authorization: `Bearer ${DEMO.link.apiKey}`, ...sent.headers };
		const { status, data } = await call(baseUrl, endpoint, { ...sent, headers });
		responses.push(endpoint, status, data);
	};
	for (const request of LINK) await send(sandbox.linkUrl, request);
	for (const request of STORE) await send(sandbox.storeUrl, request);
	sandbox.faults.add({ kind: 'limit-exhausted' });
	await send(sandbox.linkUrl, ['GET /api/account']);
	await sandbox.stop();
	return JSON.stringify(responses)
		.replaceAll(sandbox.linkUrl, '')
		.replaceAll(/\b[0-9a-f]{6}[0-9a-z]{1,2}\b/g, 'random');
}

test.each(Object.keys(CHOICES) as ChoiceName[])('every value of %s tells', async (setting) => {
	const values = CHOICES[setting].map((value) => ({ [setting]: value }));
	const responses = await Promise.all([{}, ...values].map(responsesIn));
	expect(new Set(responses).size).toBe(values.length);
});
