import { call, callLink, sandboxForTests } from './clients.ts';

const NEW_LINK = { body: { url: 'https://example.com/fault' } };

describe('Faults on demand', () => {
	const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });
	const addLink = () => callLink(sandbox(), 'POST /api/url/add', NEW_LINK);

	// What each other fault does to a request, the matrix of the engine's tests sees.
	test('a delay delays', async () => {
		sandbox().faults.add({ kind: 'delay', milliseconds: 300 });
		const start = Date.now();
		expect((await addLink()).status).toBe(200);
		expect(Date.now() - start).toBeGreaterThanOrEqual(299);
	});

	test('a skewed clock moves Date and Reset alike', async () => {
		sandbox().faults.add({ kind: 'skewed-clock', seconds: -600 });
		const { headers } = await callLink(sandbox(), 'GET /api/account');
		const date = Date.parse(String(headers.date)) / 1000;
		expect(Date.now() / 1000 - date).toBeGreaterThan(598);
		expect(Number(headers['x-ratelimit-reset']) - date).toBeLessThanOrEqual(61);
	});

	test('befall only the matching requests, as many as told', async () => {
		sandbox().faults.add({ kind: 'http-503', times: 2, service: 'store' });
		sandbox().faults.add({ kind: 'http-502', method: 'put', path: '/api/account/:any' });
		const statusOf = async (endpoint: string) =>
			(await callLink(sandbox(), endpoint, { body: { password: 'x' } })).status;
		const store = async () => (await call(sandbox().storeUrl, 'GET /api/items/all')).status;
		expect(await statusOf('GET /api/account')).toBe(200);
		expect(await statusOf('PUT /api/account/update')).toBe(502);
		expect(await statusOf('PUT /api/account/update')).toBe(200);
		expect([await store(), await store(), await store()]).toEqual([503, 503, 401]);
	});

	test('requests are recorded in order of arrival, dropped ones with status 0', async () => {
		sandbox().clearRequests();
		sandbox().faults.add({ kind: 'drop-before' });
		await expect(addLink()).rejects.toThrow();
		await callLink(sandbox(), 'GET /api/account');
		const seen = sandbox().requests.map(({ method, path, status }) => [method, path, status]);
		expect(seen).toEqual([
			['POST', '/api/url/add', 0],
			['GET', '/api/account', 200],
		]);
	});
});

describe('The control address', () => {
	const sandbox = sandboxForTests();
	const control = (method: string, body?: object, headers?: Record<string, string>) =>
		call(sandbox().linkUrl, `${method} /sandbox/faults`, { body, headers });

	test('adds, lists and clears faults', async () => {
		const fault = { kind: 'delay', times: 2, path: '/api/urls', milliseconds: 5 };
		expect((await control('POST', fault)).data).toEqual([fault]);
		await callLink(sandbox(), 'GET /api/urls');
		expect((await control('GET')).data).toEqual([{ ...fault, times: 1 }]);
		expect((await control('DELETE')).data).toEqual([]);
	});

	test.each([
		['an unknown kind', { kind: 'flood' }, {}],
		['no kind', {}, {}],
		['a number of times below 1', { kind: 'delay', times: 0 }, {}],
		['a page of another site', { kind: 'delay' }, { Origin: 'https://evil.example' }],
		['another host name', { kind: 'delay' }, { Host: 'evil.example' }],
	])('refuses %s', async (_what, body, headers) => {
		const { status, data } = await control('POST', body, headers);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(data).toMatchObject({ error: 1 });
		expect((await control('GET')).data).toEqual([]);
	});
});
