import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { DEMO } from '../../sandbox/sandbox.ts';
import type { Answer } from './clients.ts';
import { call, callLink, firstRecords, linkFailure, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS } from './manifest.ts';

/** What a single response does not show: accounts, the rate limit, faults, visits. */

const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });

test('accounts see and change nothing of one another', async () => {
	const { apiKey: key } = await sandbox().register({ email: 'stranger@example.com' });
	const list = await callLink(sandbox(), 'GET /api/urls', { key });
	expect(list.data).toMatchObject({ error: '0', data: { result: 0, maxpage: 1, urls: [] } });
	// Every endpoint of a record, with the demo account's first one.
	const ofRecords = Object.entries(LINK_ENDPOINTS).filter(([name]) => name.includes('/:'));
	for (const [endpoint, { example }] of ofRecords) {
		const params = firstRecords(endpoint);
		const answer = await callLink(sandbox(), endpoint, { key, params, body: example?.body });
		expect([endpoint, answer.status]).toEqual([endpoint, 404]);
	}
	const code = { api_key: DEMO.store.apiKey, purchase_code: DEMO.purchaseCodes.otherAccount };
	const validation = { body: code };
	const { data } = await call(sandbox().storeUrl, 'POST /api/purchases/validation', validation);
	expect(data).toEqual({ status: 'error', msg: 'Invalid purchase code' });
});

test('a key ends with its rotation, or when it expires', async () => {
	const { id, apiKey } = await sandbox().register({ email: 'rotating@example.com' });
	const newKey = sandbox().rotateKey('link', id);
	const account = (key: string) => callLink(sandbox(), 'GET /api/account', { key });
	expect([(await account(apiKey)).status, (await account(newKey)).status]).toEqual([401, 200]);
	sandbox().expireKey('link', id);
	expect(linkFailure(await account(newKey))).toMatch(/expired/);
});

describe('The rate limit', () => {
	const limited = sandboxForTests({ rateLimit: { requests: 3, windowSeconds: 2 } });
	const get = (key?: string) => callLink(limited(), 'GET /api/account', key ? { key } : {});
	const limitIn = ({ headers }: Answer) => headers['x-ratelimit-limit'];
	const remaining = ({ headers }: Answer) => headers['x-ratelimit-remaining'];

	test('is of each key, counts failures, too, and ends when Reset says', async () => {
		const answers = [
			await get(),
			await callLink(limited(), 'GET /api/url/99999'),
			await callLink(limited(), 'POST /api/url/add', { body: '{broken' }),
			await get(),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 429]);
		expect(answers.map(remaining)).toEqual(['2', '1', '0', '0']);
		const { apiKey } = await limited().register({ email: 'second@example.com' });
		expect(remaining(await get(apiKey))).toBe('2');
		await sleep(Number(answers[3]?.headers['x-ratelimit-reset']) * 1000 - Date.now());
		expect((await get()).status).toBe(200);
	});

	test('refuses a request before a fault can hit it', async () => {
		limited().faults.add({ kind: 'limit-exhausted' });
		await get('unknown');
		limited().faults.add({ kind: 'http-503' });
		expect((await get('unknown')).status).toBe(429);
		expect(limited().requests.at(-1)).toMatchObject({ status: 429 });
	});

	test('is shown without a key and on unknown addresses, but not by the store', async () => {
		expect(limitIn(await call(limited().linkUrl, 'GET /api/account'))).toBe('3');
		expect(limitIn(await call(limited().linkUrl, 'GET /api/nothing'))).toBe('3');
		expect(limitIn(await call(limited().storeUrl, 'GET /api/items/all'))).toBeUndefined();
	});
});

// What the other faults do to a request, the matrix of the engine tests shows.
describe('A fault', () => {
	test('hits only the matching requests, as many as ordered', async () => {
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
});

const visit = (url: string) =>
	axios.get<string>(url, { maxRedirects: 0, validateStatus: () => true, proxy: false });

test('a short link leads to its long URL and counts the visit', async () => {
	const body = { url: 'https://example.com/target' };
	const { data: added } = await callLink(sandbox(), 'POST /api/url/add', { body });
	const { headers } = await visit(String(member(added, 'shorturl')));
	expect(headers.location).toBe('https://example.com/target');
	const { data } = await callLink(sandbox(), `GET /api/url/${String(member(added, 'id'))}`);
	expect(member(data, 'data', 'clicks')).toBe(1);
	expect((await visit(`${sandbox().linkUrl}/no-such-alias`)).status).toBe(404);
});

test('a link keeps its branded domain until that is deleted', async () => {
	const body = { url: 'https://example.com', domain: 'https://go.example.com', custom: 'brand' };
	const { data: added } = await callLink(sandbox(), 'POST /api/url/add', { body });
	expect(member(added, 'shorturl')).toBe('https://go.example.com/brand');
	await callLink(sandbox(), 'DELETE /api/domain/1/delete');
	const { data } = await callLink(sandbox(), `GET /api/url/${String(member(added, 'id'))}`);
	expect(member(data, 'details', 'shorturl')).toBe(`${sandbox().linkUrl}/brand`);
});
