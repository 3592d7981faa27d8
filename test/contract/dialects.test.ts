import type { ChoiceName } from '../../sandbox/dialects.ts';
import { CHOICES, CHOICE_NAMES } from '../../sandbox/dialects.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, member, sandboxForTests } from './clients.ts';

/** Each value of each setting changes the response to a request as its comment says. */

/** What is asked. Those of the store begin with `store`. */
interface Asked {
	body?: object;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	/** Requests that are sent before. */
	after?: Array<[request: string, body?: object]>;
}

type Row = [
	setting: ChoiceName,
	request: string,
	/** On the way to a member of the response. */
	path: string,
	/** What it is, by the value of the setting. */
	values: Record<string, unknown>,
	asked?: Asked,
];

const url = 'https://example.com/x';
const ADDRESS: unknown = expect.stringMatching(/^http/);
const ADD = 'POST /api/url/add';
const UPDATE = 'PUT /api/url/1/update';
const LINKS = 'GET /api/urls?limit=500';
const LAST = 'GET /api/urls?limit=20&page=2';
const BEHIND = 'GET /api/urls?limit=20&page=3';
const KEY = { api_key: DEMO.store.apiKey };
const CODE = DEMO.purchaseCodes.valid;
const VALIDATE = 'store POST /api/purchases/validation';
const validate = (purchase_code: string): Asked => ({
	query: KEY,
	body: { ...KEY, purchase_code },
});
const PURCHASE = validate(CODE);
const WRONG_KEY = { headers: { Authorization: 'Bearer wrong' } };
const STORE_ACCOUNT = 'store GET /api/account/details';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BEFORE: Asked = { after: [['GET /api/account']] };
const TWICE: Asked = {
	after: [[ADD, { url, custom: 'twice' }]],
	body: { url, custom: 'twice', domain: 'https://go.example.com' },
};
const KNOWN: Asked = { body: { url: 'https://www.example.com/spring' } };

const ROWS: Row[] = [
	['failureStatus', 'GET /api/url/999', 'status', { http4xx: 404, http200: 200 }],
	['keyRefused', LINKS, 'status', { 401: 401, 403: 403, 200: 200 }, WRONG_KEY],
	['types', 'GET /api/url/1', 'data.details.id', { documented: 1, integers: '1', strings: '1' }],
	['types', 'GET /api/channels', 'data.data.channels.2.starred', { integers: true, strings: '1' }],
	['extraMembers', LINKS, 'data.data.campaign', { none: undefined, some: null }],
	['errorMember', LINKS, 'data.error', { 'as-documented': '0', boolean: false }],
	['rateLimited', 'GET /api/account', 'headers.retry-after', { 'retry-after': '60' }, BEFORE],
	['rateLimited', 'GET /api/account', 'data.Retry-After', { body: 60, 'body-200': 60 }, BEFORE],
	['rateLimited', 'GET /api/account', 'status', { body: 429, 'body-200': 200 }, BEFORE],
	['rateLimited', 'GET /api/account', 'status', { failure: 429, http200: 200 }, BEFORE],
	['rateLimited', 'GET /api/account', 'data', { text: 'Too Many Requests' }, BEFORE],
	['resetFormat', LINKS, 'headers.x-ratelimit-reset', { 'epoch-seconds': '1893585660' }],
	['resetFormat', LINKS, 'headers.x-ratelimit-reset', { datetime: '2030-01-02 12:01:00' }],
	['maxLimit', LINKS, 'data.data.perpage', { unlimited: 500, 100: 100, 25: 25, ignored: 15 }],
	['maxLimit', LINKS, 'status', { 'refused-above-50': 422 }],
	['listOrder', 'GET /api/channels', 'data.data.channels.0.name', { desc: 'Partners' }],
	['listOrder', 'GET /api/channels', 'data.data.channels.0.name', { asc: 'Social' }],
	['listOrder', 'GET /api/channels', 'data.data.channels.2.name', { name: 'Social' }],
	['pageNumbers', LAST, 'data.data.nextpage', { documented: 2, 'last-null': null, echoed: 3 }],
	['pageNumbers', LAST, 'data.data.result', { echoed: 40, few: undefined, 'of-page': 20 }],
	['pageBeyond', BEHIND, 'data.data.urls.0.id', { empty: undefined, first: 40 }],
	['pageBeyond', BEHIND, 'status', { error: 404 }],
	['topStatistics', 'GET /api/url/40', 'data.data.topOs', { 'as-documented': 0, integer: 0 }],
	['topStatistics', 'GET /api/url/37', 'data.data.topOs.Windows', { 'as-documented': '3' }],
	['topStatistics', 'GET /api/url/37', 'data.data.topOs', { integer: 1 }],
	['emptyMaps', 'GET /api/url/1', 'data.details.location', { object: {}, array: [] }],
	['campaignName', 'GET /api/campaigns', 'data.data.campaigns.0.domain', { swapped: undefined }],
	[
		'campaignName',
		'GET /api/campaigns',
		'data.data.campaigns.1.name',
		{ 'as-documented': 'Newsletter' },
	],
	['linkAnswer', UPDATE, 'data.short', { 'as-documented': ADDRESS }, { body: { url } }],
	['linkAnswer', UPDATE, 'data.shorturl', { shorturl: ADDRESS }, { body: { url } }],
	['linkAnswer', UPDATE, 'data.data.shorturl', { nested: ADDRESS }, { body: { url } }],
	['linkAnswer', UPDATE, 'data.id', { 'without-id': undefined }, { body: { url } }],
	['linkAnswer', ADD, 'data.short', { 'without-id': ADDRESS }, { body: { url } }],
	['linkAnswer', ADD, 'data.short_url', { short_url: ADDRESS }, { body: { url } }],
	['aliases', ADD, 'status', { unique: 409, 'per-domain': 200 }, TWICE],
	['sameUrl', ADD, 'data.id', { new: 41, existing: 37 }, KNOWN],
	['storeKeyPlace', STORE_ACCOUNT, 'status', { any: 200, query: 200, header: 401 }, { query: KEY }],
	['storeKeyPlace', STORE_ACCOUNT, 'status', { body: 200, form: 200 }, { query: KEY }],
	['storeKeyPlace', STORE_ACCOUNT, 'status', { header: 200, query: 401 }, { headers: KEY }],
	[
		'storeKeyPlace',
		VALIDATE,
		'status',
		{ body: 200, form: 401, query: 401 },
		{ body: { ...KEY, purchase_code: CODE } },
	],
	[
		'storeKeyPlace',
		VALIDATE,
		'status',
		{ form: 200 },
		{ headers: FORM, body: new URLSearchParams({ ...KEY, purchase_code: CODE }) },
	],
	['storeKeyWords', STORE_ACCOUNT, 'data.msg', { endpoint: 'Invalid request' }],
	['storeKeyWords', STORE_ACCOUNT, 'data.msg', { own: expect.stringMatching(/API key/) }],
	['invalidPurchase', VALIDATE, 'status', { 404: 404, 200: 200, 403: 403 }, validate('never-sold')],
	[
		'purchasePlace',
		VALIDATE,
		'data.data.purchase.purchase_code',
		{ 'data.purchase': CODE },
		PURCHASE,
	],
	['purchasePlace', VALIDATE, 'data.data.purchase_code', { data: CODE }, PURCHASE],
	['purchasePlace', VALIDATE, 'data.purchase.purchase_code', { purchase: CODE }, PURCHASE],
	['purchasePlace', VALIDATE, 'data.item.purchase_code', { item: CODE }, PURCHASE],
	[
		'noItems',
		'store GET /api/items/all',
		'data.items',
		{ empty: [] },
		{ query: { api_key: DEMO.emptyStore.apiKey } },
	],
	[
		'noItems',
		'store GET /api/items/all',
		'data.msg',
		{ error: 'No items found' },
		{ query: { api_key: DEMO.emptyStore.apiKey } },
	],
];

/** The clock of the services stands. */
const NOON = Date.UTC(2030, 0, 2, 12);

test.each(
	ROWS.flatMap(([setting, request, path, values, asked = {}]) =>
		Object.entries(values).map(([value, is]) => ({ setting, value, request, path, is, asked })),
	),
)(
	'$setting $value: $request has $path $is',
	async ({ setting, value, request, path, is, asked }) => {
		const sandbox = await startSandbox({
			seed: 'demo',
			clock: () => NOON,
			rateLimit: { requests: setting === 'rateLimited' ? 1 : 100, windowSeconds: 60 },
			dialect: { [setting]: value },
		});
		const send = async (endpoint: string, { headers, ...rest }: Asked) =>
			endpoint.startsWith('store ')
				? await call(sandbox.storeUrl, endpoint.slice(6), { headers, ...rest })
				: await call(sandbox.linkUrl, endpoint, {
						headers: { Authorization: `Bearer ${DEMO.link.apiKey}`, ...headers },
						...rest,
					});
		const { after = [], ...last } = asked;
		for (const [before, body] of after) await send(before, body ? { body } : {});
		const answer = await send(request, last);
		await sandbox.stop();
		expect(member(answer, ...path.split('.'))).toEqual(is);
	},
);

describe('The table of settings', () => {
	test.each(CHOICE_NAMES)('has a row above for each value of %s', (name) => {
		const rows = ROWS.flatMap(([of, , , values]) => (of === name ? Object.keys(values) : []));
		expect([...new Set(rows)].sort()).toEqual([...CHOICES[name]].sort());
	});
});

describe('clockSkew', () => {
	const sandbox = sandboxForTests({ dialect: { clockSkew: 7200 }, clock: () => NOON });

	test('moves the Date header and every new datetime', async () => {
		const headers = { Authorization: `Bearer ${DEMO.link.apiKey}` };
		const added = await call(sandbox().linkUrl, ADD, { body: { url }, headers });
		const { data } = await call(sandbox().linkUrl, 'GET /api/urls', { headers });
		expect(member(data, 'data', 'urls', 0, 'date')).toBe('2030-01-02 14:00:00');
		expect(added.headers.date).toBe('Wed, 02 Jan 2030 14:00:00 GMT');
	});
});
