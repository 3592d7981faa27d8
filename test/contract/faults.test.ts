import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../sandbox/faults.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';

const NEW_LINK = { body: { url: 'https://example.com/fault' } };

describe('Faults on demand', () => {
	const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });
	const count = async (): Promise<number> => {
		const { data } = await callLink(sandbox(), 'GET /api/urls');
		return Number(member(data, 'data', 'result'));
	};
	const addLink = () => callLink(sandbox(), 'POST /api/url/add', NEW_LINK);
	/** How many links one creation made under a fault, and what it answered. */
	const underFault = async (fault: Fault) => {
		const before = await count();
		sandbox().faults.add({ path: '/api/url/add', ...fault });
		const answer = await addLink().catch((error: unknown) => error);
		// A dropped connection may be noticed here before the service is done.
		await sleep(20);
		return { answer, made: (await count()) - before };
	};

	test.each([
		['http-500', 500],
		['http-502', 502],
		['http-503', 503],
	] as const)('%s answers with an HTML page and does nothing', async (kind, status) => {
		const { answer, made } = await underFault({ kind });
		expect(answer).toHaveProperty('status', status);
		expect(member(answer, 'data')).toMatch(/^<!doctype html>/);
		expect(made).toBe(0);
	});

	test('a connection dropped before the work leaves nothing', async () => {
		const { answer, made } = await underFault({ kind: 'drop-before' });
		expect(answer).toBeInstanceOf(Error);
		expect(made).toBe(0);
	});

	test('a connection dropped after the work leaves a link', async () => {
		const { answer, made } = await underFault({ kind: 'drop-after' });
		expect(answer).toBeInstanceOf(Error);
		expect(made).toBe(1);
	});

	test('cut-off JSON is no JSON, and an empty body is empty', async () => {
		const cut = await underFault({ kind: 'cut-json' });
		expect(cut).toMatchObject({ made: 1, answer: { status: 200 } });
		expect(member(cut.answer, 'data')).toMatch(/^\{"error":0,/);
		const empty = await underFault({ kind: 'empty-body' });
		expect(empty).toMatchObject({ made: 1, answer: { status: 200, data: '' } });
	});

	test('a redirect leads to a login page', async () => {
		const { answer, made } = await underFault({ kind: 'login-redirect' });
		expect(answer).toMatchObject({ status: 302, headers: { location: '/login' } });
		expect(made).toBe(0);
		const page = await call(sandbox().linkUrl, 'GET /login');
		expect(page.data).toMatch(/password/);
	});

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

	test('someone else uses up the limit', async () => {
		const { apiKey: key } = await sandbox().register({ email: 'shared@example.com' });
		sandbox().faults.add({ kind: 'limit-exhausted' });
		const statuses = [
			(await callLink(sandbox(), 'GET /api/account', { key })).status,
			(await callLink(sandbox(), 'GET /api/account', { key })).status,
		];
		expect(statuses).toEqual([429, 429]);
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
		await underFault({ kind: 'drop-before' });
		const seen = sandbox().requests.map(({ method, path, status }) => [method, path, status]);
		expect(seen).toEqual([
			['GET', '/api/urls', 200],
			['POST', '/api/url/add', 0],
			['GET', '/api/urls', 200],
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

	test('registers accounts', async () => {
		const { data } = await call(sandbox().linkUrl, 'POST /sandbox/accounts', {
			body: { service: 'link', email: 'control@example.com' },
		});
		const key = String(member(data, 'apiKey'));
		expect((await callLink(sandbox(), 'GET /api/account', { key })).status).toBe(200);
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
