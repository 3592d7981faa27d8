import { Accounts } from '../../sandbox/accounts.ts';
import { openDatabase } from '../../sandbox/database.ts';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { Dialect } from '../../sandbox/dialects.ts';
import { linkServiceRoutes } from '../../sandbox/link/server.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { storeServiceRoutes } from '../../sandbox/store/routes.ts';
import type { Answer } from './clients.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import type { Presence, Shape } from './manifest.ts';
import { departures, isObject } from './shapes.ts';

/** The endpoints of the sandbox, and what they answer, are those of the documents. What the nodes make of each, the engine tests show. */

const database = openDatabase(':memory:');
const context = { database, dialect: presetDialect('documented'), baseUrl: () => 'http://a.test' };
const linkRoutes = linkServiceRoutes(context, new Accounts(database, 'link'));
const storeRoutes = storeServiceRoutes(context, new Accounts(database, 'store'));
afterAll(() => database.close());

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('the services have the endpoints of their documents and no other', () => {
	const routes = [...linkRoutes, ...storeRoutes].map(nameOf);
	const endpoints = Object.keys({ ...LINK_ENDPOINTS, ...STORE_ENDPOINTS });
	const problems = [
		...endpoints
			.filter((name) => !routes.includes(name))
			.map((name) => `${name} is in manifest.ts, but the sandbox has no route for it`),
		...routes
			.filter((name) => !endpoints.includes(name))
			.map((name) => `${name} is a route of the sandbox, but not in manifest.ts`),
	];
	expect(problems).toEqual([]);
});

test('the arrays of the lists are named as documented, and so are their orders', () => {
	for (const route of linkRoutes) {
		const name = nameOf(route);
		const { list, query } = LINK_ENDPOINTS[name] ?? {};
		expect([name, 'list' in route ? route.list : undefined]).toEqual([name, list]);
		const orders = 'list' in route && route.orders ? ['order'] : [];
		if (query) expect([name, query]).toEqual([name, ['limit', 'page', ...orders]]);
	}
});

/** The answer of this endpoint in this dialect: some write `error` in another way, or not at all. */
function shapeIn(endpoint: string, answer: Shape, dialect: Dialect): Shape {
	if (!isObject(answer)) return answer;
	const { error: _error, ...rest } = answer;
	const isBare = dialect.errorMember === 'as-documented' && endpoint === 'GET /api/overlay';
	if (isBare) return rest;
	const { short, ...others } = answer;
	return short && dialect.linkAnswer === 'shorturl' ? { ...others, shorturl: short } : answer;
}

/** A request to the store with its key in every place where a dialect looks for it. */
async function callStore(
	{ storeUrl }: Sandbox,
	endpoint: string,
	parameters: Readonly<Record<string, string | number>> = {},
	key: string = DEMO.store.apiKey,
): Promise<Answer> {
	const own = { api_key: key };
	const all = { ...parameters, ...own };
	const query = endpoint.startsWith('POST') ? own : all;
	return await call(storeUrl, endpoint, { query, body: all, headers: own });
}

describe.each(DIALECT_NAMES)('in the preset %s', (preset) => {
	const dialect = presetDialect(preset);
	const sandbox = sandboxForTests({ dialect: preset });

	test.each(Object.entries(LINK_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
		const answer = await callLink(sandbox(), name, endpoint.example);
		expect(
			departures(shapeIn(name, endpoint.answer, dialect), answer.data, dialect, 'link'),
		).toEqual([]);
		expect(answer.status).toBe(200);
	});

	test.each(Object.entries(STORE_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
		const answer = await callStore(sandbox(), name, endpoint.example);
		const storeDialect: Dialect = { ...dialect, emptyMaps: 'object' };
		const { item: purchase, ...others } = isObject(answer.data) ? answer.data : {};
		const isElsewhere = name.includes('purchases') && dialect.purchasePlace === 'item';
		const data = isElsewhere ? { ...others, data: { purchase } } : answer.data;
		expect(departures(endpoint.answer, data, storeDialect, 'store')).toEqual([]);
		expect([answer.status, member(answer.data, 'status')]).toEqual([200, 'success']);
	});

	test('a failure has the documented members', async () => {
		const refused = Number(dialect.keyRefused);
		const link = [
			await callLink(sandbox(), 'GET /api/urls', { key: '' }),
			await callLink(sandbox(), 'GET /api/nothing'),
			await callLink(sandbox(), 'PATCH /api/url/1'),
		];
		expect(link[0]?.status).toBe(refused);
		for (const { data } of link) {
			expect(['1', 'true']).toContain(String(member(data, 'error')));
			expect(member(data, 'message')).toMatch(/\w/);
		}
		const store = await callStore(sandbox(), 'GET /api/items/all', {}, 'wrong');
		expect([store.status, member(store.data, 'status')]).toEqual([refused, 'error']);
		const { data } = await callStore(sandbox(), 'GET /api/nothing');
		expect(data).toMatchObject({ status: 'error', msg: 'Invalid request' });
	});
});

const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });

/** Of an endpoint with placeholders, the address of the demo account's first record. */
const firstRecord = (endpoint: string) =>
	endpoint.replace(':type', 'links').replaceAll(/:\w+/g, '1');

test('no endpoint answers without a key, shows another account, or hides the rate limit', async () => {
	const { apiKey } = await sandbox().register({ email: 'stranger@example.com' });
	for (const [name, { example }] of Object.entries(LINK_ENDPOINTS)) {
		const request = { body: example?.body };
		const keyless = await callLink(sandbox(), firstRecord(name), { ...request, key: '' });
		expect([name, keyless.status, keyless.headers['x-ratelimit-limit']]).toEqual([
			name,
			401,
			'1000',
		]);
		if (!name.includes('/:')) continue;
		const { status } = await callLink(sandbox(), firstRecord(name), { ...request, key: apiKey });
		expect([name, status]).toEqual([name, 404]);
	}
});

/** No field takes such a value. */
const WRONG = { '': {} };

/** By how the document marks a field: a value that the endpoint refuses, and what its message says. */
const REFUSED: Record<Presence, [value: unknown, message: string]> = {
	required: [undefined, 'is required'],
	optional: [WRONG, 'must be'],
	refused: ['x', 'cannot be changed'],
};

/** The example of each endpoint with one field that is refused, which shows that the sandbox reads the field. */
const REFUSALS = Object.entries(LINK_ENDPOINTS).flatMap(([name, { body = {}, example }]) =>
	Object.entries(body).map(([field, presence]) => {
		const [value, message] = REFUSED[presence];
		return [name, field, { ...example?.body, [field]: value }, `${field} ${message}`] as const;
	}),
);

test.each(REFUSALS)('%s reads %s', async (name, field, body, message) => {
	const { data } = await callLink(sandbox(), firstRecord(name), { body });
	const isRefused = String(member(data, 'message')).includes(message);
	const what = `${body[field] === undefined ? 'missing' : 'wrong'} ${field}`;
	const problem = `the sandbox does not refuse a ${what}: ${JSON.stringify(data)}`;
	expect(isRefused ? [] : [problem]).toEqual([]);
});
