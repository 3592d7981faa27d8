import { setTimeout as sleep } from 'node:timers/promises';
import { call, callLink, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';

const LIMIT = { requests: 3, windowSeconds: 2 };

const headersOf = ({ headers }: Answer) => ({
	limit: headers['x-ratelimit-limit'],
	remaining: headers['x-ratelimit-remaining'],
	reset: headers['x-ratelimit-reset'],
});

describe('The rate limit', () => {
	const sandbox = sandboxForTests({ rateLimit: LIMIT });
	const get = (key?: string) =>
		callLink(sandbox(), 'GET /api/account', key === undefined ? {} : { key });

	test('counts down in every answer, failures too, and ends when Reset says', async () => {
		const answers = [
			await get(),
			await callLink(sandbox(), 'GET /api/url/99999'),
			await callLink(sandbox(), 'POST /api/url/add', { body: '{broken' }),
			await get(),
			await get(),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 429, 429]);
		expect(answers.map((answer) => headersOf(answer).remaining)).toEqual(['2', '1', '0', '0', '0']);
		expect(answers.map((answer) => headersOf(answer).limit)).toEqual(Array(5).fill('3'));
		const recorded = sandbox().requests.slice(-5);
		expect(recorded.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
		await sleep(Number(headersOf(answers[4] ?? (await get())).reset) * 1000 - Date.now());
		expect((await get()).status).toBe(200);
	});

	test('is of each key its own', async () => {
		const { apiKey } = await sandbox().register({ email: 'second@example.com' });
		const answer = await get(apiKey);
		expect([answer.status, headersOf(answer).remaining]).toEqual([200, '2']);
	});

	test('is told to those without a key and on unknown addresses', async () => {
		expect(headersOf(await call(sandbox().linkUrl, 'GET /api/account')).limit).toBe('3');
		expect(headersOf(await call(sandbox().linkUrl, 'GET /api/nothing')).limit).toBe('3');
	});

	test('does not concern the store', async () => {
		expect(headersOf(await call(sandbox().storeUrl, 'GET /api/items/all')).limit).toBeUndefined();
	});
});
