import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/sandbox.ts';
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

const isoOf = (text: string) => (text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);

// Exact to the second; that waiting until then is enough is tested above, by waiting.
test.each([
	['epoch-seconds', (text: string) => Number(text) * 1000],
	['epoch-milliseconds', Number],
	['seconds-left', (text: string) => Date.now() + Number(text) * 1000],
	['iso', (text: string) => Date.parse(isoOf(text))],
	['datetime', (text: string) => Date.parse(isoOf(text))],
] as const)('X-RateLimit-Reset tells the end of the window as %s', async (resetFormat, endOf) => {
	const before = Date.now();
	const sandbox = await startSandbox({ seed: 'demo', rateLimit: LIMIT, dialect: { resetFormat } });
	const end = endOf(String(headersOf(await callLink(sandbox, 'GET /api/account')).reset));
	await sandbox.stop();
	expect(end).toBeGreaterThan(before + 1000);
	expect(end).toBeLessThanOrEqual(Date.now() + 3000);
});

const FAILURE = { error: 1, message: 'Rate limit exceeded' };
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
/** More than 55 of the 60 seconds, or an epoch. */
const SECONDS = like(/^(5[5-9]|60)$/);
const EPOCH = like(/^\d{10}$/);

test.each([
	['retry-after', 429, FAILURE, { 'retry-after': SECONDS }],
	['body', 429, { error: 429, 'Retry-After': expect.any(Number) as unknown }, {}],
	['failure', 429, FAILURE, {}],
	['text', 429, 'Too Many Requests', { 'content-type': like(/^text\/plain/) }],
	['http200', 200, FAILURE, {}],
	['epoch', 429, FAILURE, { 'retry-after': EPOCH }],
	['absurd', 200, { error: '429', 'Retry-After': '999999999999' }, {}],
] as const)('over the limit comes the answer %s', async (rateLimited, status, data, headers) => {
	const sandbox = await startSandbox({
		seed: 'demo',
		rateLimit: { requests: 1, windowSeconds: 60 },
		dialect: { rateLimited },
	});
	await callLink(sandbox, 'GET /api/account');
	const answer = await callLink(sandbox, 'GET /api/account');
	await sandbox.stop();
	expect(answer).toMatchObject({ status, data, headers });
	expect('retry-after' in answer.headers).toBe('retry-after' in headers);
});
