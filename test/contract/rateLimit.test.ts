import { setTimeout as sleep } from 'node:timers/promises';
import { call, callLink, member, sandboxForTests } from './clients.ts';
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
		expect(
			sandbox()
				.requests.slice(-5)
				.map(({ status }) => status),
		).toEqual([200, 404, 400, 429, 429]);
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

describe('X-RateLimit-Reset', () => {
	const formats = {
		'epoch-seconds': sandboxForTests({ rateLimit: LIMIT }),
		'seconds-left': sandboxForTests({
			rateLimit: LIMIT,
			dialect: { resetFormat: 'seconds-left' },
		}),
		'epoch-milliseconds': sandboxForTests({
			rateLimit: LIMIT,
			dialect: { resetFormat: 'epoch-milliseconds' },
		}),
		iso: sandboxForTests({ rateLimit: LIMIT, dialect: { resetFormat: 'iso' } }),
		datetime: sandboxForTests({ rateLimit: LIMIT, dialect: { resetFormat: 'datetime' } }),
	};
	const resetOf = async (format: keyof typeof formats): Promise<string> =>
		String(headersOf(await callLink(formats[format](), 'GET /api/account')).reset);

	// Exact to the second; that waiting until then is enough is tested above, by waiting.
	test('tells the end of the window in each format', async () => {
		const before = Date.now();
		const ends = [
			Number(await resetOf('epoch-seconds')) * 1000,
			Number(await resetOf('epoch-milliseconds')),
			before + Number(await resetOf('seconds-left')) * 1000,
			Date.parse(await resetOf('iso')),
			Date.parse(`${(await resetOf('datetime')).replace(' ', 'T')}Z`),
		];
		for (const end of ends) {
			expect(end).toBeGreaterThan(before + 1000);
			expect(end).toBeLessThanOrEqual(Date.now() + 3000);
		}
	});
});

describe('Over the limit', () => {
	const one = { requests: 1, windowSeconds: 60 };
	const kinds = {
		'retry-after': sandboxForTests({ rateLimit: one }),
		body: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'body' } }),
		failure: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'failure' } }),
		text: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'text' } }),
		http200: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'http200' } }),
		epoch: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'epoch' } }),
		absurd: sandboxForTests({ rateLimit: one, dialect: { rateLimited: 'absurd' } }),
	};
	const refused = async (kind: keyof typeof kinds): Promise<Answer> => {
		await callLink(kinds[kind](), 'GET /api/account');
		return callLink(kinds[kind](), 'GET /api/account');
	};
	const failure = { error: 1, message: 'Rate limit exceeded' };

	test('comes each known answer', async () => {
		const withHeader = await refused('retry-after');
		expect([withHeader.status, withHeader.data]).toEqual([429, failure]);
		expect(Number(withHeader.headers['retry-after'])).toBeGreaterThan(55);

		const withBody = await refused('body');
		expect(withBody.headers['retry-after']).toBeUndefined();
		expect(member(withBody.data, 'error')).toBe(429);
		expect(member(withBody.data, 'Retry-After')).toBeGreaterThan(55);

		const plain = await refused('failure');
		expect([plain.status, plain.data]).toEqual([429, failure]);
		expect(plain.headers['retry-after']).toBeUndefined();

		const text = await refused('text');
		expect([text.status, text.data]).toEqual([429, 'Too Many Requests']);
		expect(text.headers['content-type']).toMatch(/^text\/plain/);

		const http200 = await refused('http200');
		expect([http200.status, http200.data]).toEqual([200, failure]);

		const epoch = await refused('epoch');
		expect([epoch.status, epoch.data]).toEqual([429, failure]);
		expect(Number(epoch.headers['retry-after']) - Date.now() / 1000).toBeGreaterThan(50);

		const absurd = await refused('absurd');
		expect([absurd.status, member(absurd.data, 'error')]).toEqual([200, '429']);
		expect(member(absurd.data, 'Retry-After')).toBe('999999999999');
	});
});
