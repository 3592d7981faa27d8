import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import type { Answer } from './clients.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import type { Presence } from './manifest.ts';
import { departures } from './shapes.ts';

/** The endpoints of the sandbox, and what they answer, are those of the documents. What the nodes make of each, the engine tests show. */

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

const sandbox = sandboxForTests({
	rateLimit: { requests: 1000, windowSeconds: 60 },
	dialect: 'documented',
});

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
	const { apiKey } = sandbox().register('link', { email: 'stranger@example.com' });
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

/** By how the document marks a field: a value that the endpoint refuses. */
const REFUSED: Record<Presence, unknown> = {
	required: undefined,
	optional: { '': {} },
	refused: 'x',
};

/** The example of each endpoint with one field that is refused, which shows that the sandbox reads the field. */
const REFUSALS = Object.entries(LINK_ENDPOINTS).flatMap(([name, { body = {}, example }]) =>
	Object.entries(body).map(([field, presence]) => {
		return [name, field, { ...example?.body, [field]: REFUSED[presence] }] as const;
	}),
);

test.each(REFUSALS)('%s reads %s', async (name, field, body) => {
	const { data } = await callLink(sandbox(), firstRecord(name), { body });
	expect(data).toMatchObject({ error: 1, message: expect.stringContaining(field) as unknown });
});
