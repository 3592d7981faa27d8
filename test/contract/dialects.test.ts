import { CHOICES } from '../../sandbox/choices.ts';
import { CHOICE_NAMES, type ChoiceName, type Dialect, dialectOf } from '../../sandbox/dialects.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { call, demoSandbox, member } from './clients.ts';

/** Each value of each setting gives other responses than the others to these requests. */

type Request = [endpoint: string, sent?: Parameters<typeof call>[2]];

const url = 'https://example.com/new';
const LINK: Request[] = [
	['GET /api/urls?limit=200'],
	['GET /api/urls?limit=20&page=2'],
	['GET /api/urls?limit=20&page=3'],
	['GET /api/urls?q=spring'],
	['GET /api/urls?short=http://go.example.com/none'],
	['GET /api/domains'],
	['GET /api/overlay'],
	['GET /api/campaigns'],
	['GET /api/url/1'],
	['GET /api/url/37'],
	['GET /api/url/999'],
	['PUT /api/url/40/update', { body: { url } }],
	['GET /api/url/40'],
	['PUT /api/url/37/update', { body: { url, metaimage: 'https://example.com/a.gif' } }],
	['POST /api/url/add', { body: { url } }],
	['POST /api/url/add', { body: { url, custom: 'once-more' } }],
	['POST /api/url/add', { body: { url, custom: 'twice_' } }],
	['POST /api/url/add', { body: { url, custom: 'twice_', domain: 'go.example.com' } }],
	['POST /api/url/add', { body: { url, custom: 'far', domain: 'far.example' } }],
	['POST /api/url/add', { body: { url, custom: 'shared', domain: 'shared.example.net' } }],
	['PUT /api/campaign/1/update', { body: { name: "Ann's" } }],
	['POST /api/channel/1/assign/qr/1'],
	['POST /api/pixel/add', { body: { type: 'forum', name: 'Talk', tag: 'F-1' } }],
	['DELETE /api/pixel/999/delete'],
	['POST /api/qr/add', { body: { type: 'phone', data: '+1 (2)', name: 'Desk' } }],
	['GET /api/qr/1'],
	['GET /api/qr/5'],
	['GET /api/urls', { headers: { Authorization: 'Bearer wrong' } }],
];

const api_key = DEMO.store.apiKey;
const ONE_ITEM = 'key-of-an-account-with-one-item';
const purchase = { purchase_code: DEMO.purchaseCodes.valid };
const inCapitals = { purchase_code: DEMO.purchaseCodes.valid.toUpperCase() };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const STORE: Request[] = [
	['GET /api/account/details'],
	['GET /api/account/details', { query: { api_key: 'wrong' } }],
	['GET /api/account/details', { query: { api_key }, body: { api_key } }],
	['GET /api/items/all', { query: { api_key: DEMO.emptyStore.apiKey } }],
	['GET /api/items/all', { query: { api_key: ONE_ITEM } }],
	['GET /api/items/all', { query: { api_key } }],
	['POST /api/purchases/validation', { query: { api_key }, body: purchase }],
	['POST /api/purchases/validation', { headers: { api_key }, body: purchase }],
	['POST /api/purchases/validation', { body: { api_key, ...purchase } }],
	['POST /api/purchases/validation', { body: { api_key, ...inCapitals } }],
	['POST /api/purchases/validation', { headers: form, body: { api_key, ...purchase } }],
];

type Service = 'link' | 'store';

/** Settings of both services tell in the responses of the link service. */
const serviceOf = (setting: ChoiceName): Service =>
	/^store|^(purchasePlace|noItems)$/.test(setting) ? 'store' : 'link';

async function responsesIn(service: Service, dialect: Partial<Dialect>): Promise<string> {
	const NOON = Date.UTC(2030, 0, 2, 12);
	await using sandbox = await demoSandbox({
		rateLimit: { requests: 1000, windowSeconds: 60 },
		clock: () => NOON,
		dialect: { ...dialectOf('documented'), ...dialect },
	});
	const { id } = sandbox.register('store', { email: 'one@store.example', apiKey: ONE_ITEM });
	sandbox.store.addItem(id);
	const responses: unknown[] = [];
	const send = async (baseUrl: string, [endpoint, sent = {}]: Request) => {
		const headers = { Authorization: `Bearer ${DEMO.link.apiKey}`, ...sent.headers };
		const { status, headers: told, data } = await call(baseUrl, endpoint, { ...sent, headers });
		responses.push(endpoint, status, data, told['x-ratelimit-reset']);
		return data;
	};
	if (service === 'store') {
		for (const request of STORE) await send(sandbox.storeUrl, request);
	} else {
		for (const request of LINK) await send(sandbox.linkUrl, request);
		const code = await send(sandbox.linkUrl, ['GET /api/qr/1']);
		const picture = URL.parse(String(member(code, 'details', 'link')))?.pathname ?? '';
		await send(sandbox.linkUrl, [`GET ${picture}/download/png/1000`]);
		sandbox.faults.add({ kind: 'limit-exhausted' });
		await send(sandbox.linkUrl, ['GET /api/account']);
	}
	return JSON.stringify(responses)
		.replaceAll(sandbox.linkUrl, '')
		.replaceAll(/\b[0-9a-f]{6}[0-9a-z]{1,2}\b/g, 'random');
}

/** With the first value of each setting. */
let documented: Record<Service, Promise<string>>;

beforeAll(() => {
	documented = { link: responsesIn('link', {}), store: responsesIn('store', {}) };
});

test.each(CHOICE_NAMES)('every value of %s tells', async (setting) => {
	const service = serviceOf(setting);
	const responses = CHOICES[setting].map(
		async (value) => await responsesIn(service, { [setting]: value }),
	);
	const [first, ...others] = await Promise.all(responses);
	expect(first).toBe(await documented[service]);
	expect(new Set([first, ...others]).size).toBe(CHOICES[setting].length);
});
