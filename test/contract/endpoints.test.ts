import { Accounts } from '../../sandbox/accounts.ts';
import { openDatabase } from '../../sandbox/database.ts';
import { presetDialect } from '../../sandbox/dialects.ts';
import { linkServiceRoutes } from '../../sandbox/link/server.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { storeServiceRoutes } from '../../sandbox/store/routes.ts';
import type { Answer } from './clients.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import type { Presence } from './manifest.ts';
import { departures } from './shapes.ts';

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

const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });

test.each(Object.entries(LINK_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
	const { status, data } = await callLink(sandbox(), name, endpoint.example);
	expect([status, departures(endpoint.answer, data)]).toEqual([200, []]);
});

test.each(Object.entries(STORE_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
	const { status, data } = await callStore(sandbox(), name, endpoint.example);
	expect([status, departures(endpoint.answer, data)]).toEqual([200, []]);
	expect(member(data, 'status')).toBe('success');
});

test.each([
	[401, 'GET /api/urls', { key: '' }],
	[404, 'GET /api/nothing', {}],
	[404, 'PATCH /api/url/1', {}],
])('the failure with status %i of %s has the documented members', async (status, name, request) => {
	const { data, ...answer } = await callLink(sandbox(), name, request);
	expect(answer.status).toBe(status);
	expect(data).toMatchObject({ error: 1, message: expect.stringMatching(/\w/) as unknown });
});

test('a failure of the store has the documented members', async () => {
	const { status, data } = await callStore(sandbox(), 'GET /api/items/all', {}, 'wrong');
	expect([status, member(data, 'status')]).toEqual([401, 'error']);
	const unknown = await callStore(sandbox(), 'GET /api/nothing');
	expect(unknown.data).toMatchObject({ status: 'error', msg: 'Invalid request' });
});

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
