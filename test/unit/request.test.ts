import { SsrfBlockedIpError } from '@n8n/backend-network';

import type { HttpResponse } from '../../dist/nodes/shared/http/response.js';
import { sendRequest } from '../../dist/nodes/shared/http/request.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';
import { RateLimiter } from '../../dist/nodes/shared/http/rateLimiter.js';
import { linkService } from '../../dist/nodes/LinkManagement/envelope.js';
import { storeService } from '../../dist/nodes/Store/envelope.js';
import { VirtualTime } from './virtualTime.ts';

const KEY = 'k3y/with+signs';

const ok: HttpResponse = { statusCode: 200, headers: {}, body: { error: 0, id: 1 } };

const answer = (
	statusCode: number,
	body: unknown,
	headers: HttpResponse['headers'] = {},
): HttpResponse => ({
	statusCode,
	headers,
	body,
});

const networkError = (code: string): Error =>
	Object.assign(new Error(`failed with ${KEY}`), { code });

type Answer = HttpResponse | Error | 'none';

interface Outcome {
	requests: number;
	/** How long each was allowed to take, in milliseconds. */
	timeouts: number[];
	waited: number;
	body?: unknown;
	failure?: Failure;
}

/** Gives the answers in turn, the last one for good, and tells how the request ended. */
async function ask(
	answers: Answer[],
	{ repeatable = true, urgent = false, service = linkService, timeoutMs = 0, random = 0.5 } = {},
): Promise<Outcome> {
	const time = new VirtualTime();
	const start = time.now();
	const timeouts: number[] = [];
	const send = async (_request: unknown, timeout: number): Promise<HttpResponse> => {
		const next = answers[Math.min(timeouts.length, answers.length - 1)] ?? ok;
		timeouts.push(timeout);
		if (next === 'none') await time.sleep(timeout);
		if (next === 'none') throw networkError('ECONNABORTED');
		return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(next));
	};
	const connection = {
		service,
		limiter: new RateLimiter(time),
		requestsPerMinute: 0,
		time,
		send,
		baseUrl: 'https://links.example.com',
		timezone: 'UTC',
		connectionKey: 'the service and the key',
		apiKey: KEY,
		random: () => random,
	};
	const work = sendRequest(
		connection,
		{ method: 'GET', path: '/api/account' },
		{ repeatable, urgent, signal: undefined, ...(timeoutMs ? { timeoutMs } : {}) },
	);
	const outcome = await time.run(work).catch((error: unknown) => {
		if (error instanceof Failure) return error;
		throw error;
	});
	return {
		requests: timeouts.length,
		timeouts,
		waited: time.now() - start,
		...(outcome instanceof Failure ? { failure: outcome } : { body: outcome.body }),
	};
}

describe('success', () => {
	test.each([0, '0', false, null])('is `error` as %j', async (error) => {
		expect(await ask([answer(200, { error, id: 1 })])).toMatchObject({
			requests: 1,
			body: { id: 1 },
		});
	});

	test('is not taken for a refusal because a member is called as one', async () => {
		const written = { error: 0, id: 1, status: 429 };
		expect(await ask([answer(200, written)], { repeatable: false })).toMatchObject({
			requests: 1,
			body: written,
		});
	});

	test('needs no `error` where the answer is one of the service, as its overlay list', async () => {
		expect((await ask([answer(200, { data: { cta: [] } })])).failure).toBeUndefined();
	});
});

describe('a failure that the service states', () => {
	test.each([
		[200, { error: 1, message: 'Alias is taken' }],
		[200, { error: '1', message: 'Alias is taken' }],
		[200, { error: true, message: 'Alias is taken' }],
		[400, { error: 1, message: 'Alias is taken' }],
		[422, { message: 'Alias is taken' }],
		[200, { error: 'Alias is taken' }],
	])('with status %i and %j keeps its words, and is sent once', async (statusCode, body) => {
		const { requests, failure } = await ask([answer(statusCode, body)], { repeatable: false });
		expect(requests).toBe(1);
		expect(failure).toMatchObject({
			kind: 'refused',
			message: 'Alias is taken',
			httpCode: statusCode,
			outcomeUnknown: false,
		});
		expect(failure?.advice).not.toBe('');
	});

	const KEY_MESSAGES = [
		'Invalid API key',
		'Missing or invalid api_key!',
		'The API key is not valid.',
		'An API key is required.',
		'Your API-key has expired',
		'Unauthorized.',
		'Unauthenticated',
		'Invalid token',
	];

	test.each<[number, unknown]>([
		[401, { error: 1, message: 'No' }],
		[403, { error: 1, message: 'No' }],
		[401, '<html>Unauthorized</html>'],
		...KEY_MESSAGES.map((message): [number, unknown] => [200, { error: 1, message }]),
		...KEY_MESSAGES.map((message): [number, unknown] => [400, { error: 1, message }]),
	])('about the key (%i %j) tells the user to check it', async (statusCode, body) => {
		const { failure } = await ask([answer(statusCode, body)]);
		expect(failure?.kind).toBe('unauthorised');
		expect(failure?.advice).toContain('Check the API key');
	});
});

describe('a message that repeats the words of the user', () => {
	test.each([
		[200, 'The alias rate-limit is already taken'],
		[400, 'The alias too-many-requests is already taken'],
		[422, 'Rate limit'],
		[409, 'Rate limit exceeded'],
		[404, 'Too many requests'],
		[200, 'Rate limit exceeded is no domain of this account'],
		[200, 'The alias api-key is already taken'],
		[400, 'Domain unauthorized: links.example.com'],
		[400, 'unauthorized.example is no domain of this account'],
		[422, 'Invalid API key'],
		[200, 'There is no campaign "Invalid token"'],
	])('is a refusal of this request alone: %i %s', async (statusCode, message) => {
		for (const repeatable of [true, false]) {
			const { requests, failure } = await ask([answer(statusCode, { error: 1, message })], {
				repeatable,
			});
			expect(requests).toBe(1);
			expect(failure).toMatchObject({ kind: 'refused', message });
		}
	});

	test('is no refusal for the rate limit where requests are left', async () => {
		const left = { 'x-ratelimit-remaining': '1' };
		const body = { error: 1, message: 'Rate limit exceeded' };
		expect(await ask([answer(200, body, left)])).toMatchObject({
			requests: 1,
			failure: { kind: 'refused' },
		});
	});

	test('is no web page that tells of a limit', async () => {
		const { requests, failure } = await ask([answer(200, '<p>Too many requests</p>')]);
		expect([requests, failure?.kind]).toEqual([1, 'unreadable']);
	});
});

describe('what is not the service', () => {
	test.each([
		[200, '<!doctype html><h1>Welcome</h1>', 'a web page'],
		[200, '', 'an empty answer'],
		[200, undefined, 'an empty answer'],
		[200, '{"error":0,"data":{"urls":[{"id"', 'cut-off JSON'],
		[200, 'It works!', 'plain text'],
		[200, { hello: 'world' }, 'JSON of another kind'],
		[200, [1, 2], 'JSON of another kind'],
		[404, '<html>Not found</html>', 'a web page'],
		[500, '<html>Error</html>', 'a web page'],
	])('status %i with %j is said to be %s', async (statusCode, body, what) => {
		const { requests, failure } = await ask([answer(statusCode, body)]);
		expect(requests).toBe(1);
		expect(failure).toMatchObject({ kind: 'unreadable', httpCode: statusCode });
		expect(failure?.message).toBe(
			`The link service was expected to answer, but ${what} came (status ${statusCode})`,
		);
		expect(failure?.advice).toContain('base URL');
	});

	test('a redirect is not followed, and named without its query', async () => {
		const location = `https://sso.example.com/login?next=/api&api_key=${KEY}`;
		const { failure } = await ask([answer(302, '', { location })]);
		expect(failure?.message).toContain(
			'a redirect to https://sso.example.com/login came (status 302)',
		);
		expect(failure?.message).not.toContain(KEY);
	});
});

describe('the rate limit', () => {
	const refusals: Array<[string, HttpResponse]> = [
		['Retry-After header', answer(429, 'Slow down', { 'retry-after': '47' })],
		[
			'Retry-After date',
			answer(429, '', {
				'retry-after': 'Tue, 01 Jan 2030 00:00:57 GMT',
				date: 'Tue, 01 Jan 2030 00:00:10 GMT',
			}),
		],
		[
			'Retry-After in the body',
			answer(429, { error: 429, message: 'Too many requests', 'Retry-After': 47 }),
		],
		['status 200 with error 429', answer(200, { error: 429, message: 'x', 'Retry-After': 47 })],
		['status 200 with error 429 as text', answer(200, { error: '429', retry_after: '47' })],
		['status 200 with status 429', answer(200, { status: 429, message: 'x', retryAfter: 47 })],
		['an epoch', answer(429, '', { 'retry-after': String(Date.UTC(2030, 0, 1) / 1000 + 47) })],
		[
			'an epoch of a clock that is wrong',
			answer(429, '', { 'retry-after': '1000000047', date: new Date(1e12).toUTCString() }),
		],
	];

	test.each(refusals)('is waited out as it says: %s, also by a write', async (_name, refusal) => {
		const { requests, waited, body } = await ask([refusal, ok], { repeatable: false });
		expect(body).toEqual(ok.body);
		expect(requests).toBe(2);
		expect(waited).toBe(47_000);
	});

	test.each([
		answer(429, { error: 1, message: 'Rate limit exceeded' }),
		answer(200, { error: 1, message: 'Rate limit exceeded' }),
		answer(200, { error: 1, message: 'API rate limit reached. Please try again later!' }),
		answer(403, { error: 1, message: 'Too many requests, retry in 20 seconds' }),
		answer(429, 'Too Many Requests', { 'x-ratelimit-remaining': '3' }),
		answer(503, 'Rate limit exceeded'),
		answer(429, '', { 'retry-after': '1893999999' }),
	])('is waited out for a window when it says nothing', async (refusal) => {
		const { requests, waited } = await ask([refusal, ok]);
		expect(requests).toBe(2);
		expect(waited).toBe(60_000);
	});

	test('ends the wait when it has been exceeded again and again', async () => {
		const { requests, failure } = await ask([answer(429, '', { 'retry-after': '1' })]);
		expect(requests).toBe(21);
		expect(failure).toMatchObject({ kind: 'rateLimited', httpCode: 429 });
	});
});

describe('a person', () => {
	test.each([
		['20', 2, 20_000, '00:00:40'],
		['60', 2, 60_000, '00:02:00'],
		['90', 1, 0, '00:01:30'],
		['3600', 1, 0, '01:00:00'],
	])(
		'waits for one window at most: Retry-After %s, %i requests',
		async (seconds, requests, waited, end) => {
			const refusal = answer(429, { error: 1, message: 'x' }, { 'retry-after': seconds });
			const outcome = await ask([refusal], { urgent: true });
			expect(outcome).toMatchObject({ requests, waited });
			expect(outcome.failure).toMatchObject({
				kind: 'rateLimited',
				message: `The rate limit of the link service is used up until ${end} UTC`,
			});
			expect(outcome.failure?.advice).toMatch(/^Workflows .* or other programs .* Try again/);
		},
	);
});

describe('a service that does not answer', () => {
	test('costs a read a minute in total', async () => {
		const { waited, timeouts, failure } = await ask(['none']);
		expect(timeouts).toEqual([30_000, 29_500]);
		expect(waited).toBe(60_000);
		expect(failure?.message).toBe('No answer from the link service: no answer came in time');
	});

	test('is given a whole number of milliseconds, which is all that a timer takes', async () => {
		const { timeouts } = await ask(['none'], { timeoutMs: 25_000, random: 0.1234 });
		expect(timeouts).toEqual([25_000, 25_000, expect.any(Number)]);
		expect(timeouts.every(Number.isInteger)).toBe(true);
	});

	test('costs what the user allows it, where that is more', async () => {
		expect(await ask(['none'], { timeoutMs: 90_000 })).toMatchObject({ timeouts: [90_000] });
		const short = await ask(['none'], { timeoutMs: 1000 });
		expect(short).toMatchObject({ requests: 4, waited: 4 * 1000 + 500 + 1000 + 2000 });
	});

	test('costs a write five minutes', async () => {
		const { waited, requests, failure } = await ask(['none'], { repeatable: false });
		expect([requests, waited, failure?.outcomeUnknown]).toEqual([1, 300_000, true]);
	});

	test('is no reason to give up a wait for the rate limit', async () => {
		const refusal = answer(429, '', { 'retry-after': '50' });
		const answers: Answer[] = ['none', refusal, refusal, ok];
		expect(await ask(answers)).toMatchObject({ requests: 4, body: ok.body });
	});
});

describe('a connection error', () => {
	const wrapped = (inner: Error) => new Error('The connection failed', { cause: inner });
	const blocked = new SsrfBlockedIpError('10.0.0.1', 'links.example.com');

	test.each<[string, Error, string, boolean]>([
		['by its code', networkError('ECONNREFUSED'), 'nothing listens', false],
		['by the code of its cause', wrapped(networkError('ENOTFOUND')), 'no host of that name', false],
		['by its message', new Error('read ECONNRESET'), 'the connection was closed', true],
		['by a message within', wrapped(new Error('connect ETIMEDOUT')), 'no answer came', true],
		['of n8n', blocked, "n8n's own protection (SSRF)", false],
		['of n8n, wrapped', wrapped(blocked), "n8n's own protection (SSRF)", false],
		['of n8n, reworded', new Error(blocked.message), "n8n's own protection (SSRF)", false],
		['that nobody knows', new Error('odd'), 'odd', true],
		['of two codes', wrapped(new Error('ECONNREFUSED after EPIPE')), 'was closed before', true],
	])('is told %s', async (_, error, words, outcomeUnknown) => {
		const { requests, failure } = await ask([error], { repeatable: false });
		expect(requests).toBe(1);
		expect(failure).toMatchObject({ kind: 'unreachable', outcomeUnknown });
		expect(failure?.message).toContain(`No answer from the link service: `);
		expect(failure?.message).toContain(words);
	});
});

describe('a service that is down for the moment', () => {
	test.each([502, 503, 504])('is asked again by a read after status %i', async (statusCode) => {
		const { requests, waited, body } = await ask([answer(statusCode, '<html>'), ok]);
		expect(body).toEqual(ok.body);
		expect(requests).toBe(2);
		expect(waited).toBe(500);
	});

	test('is given up after three repeats', async () => {
		const { requests, waited, failure } = await ask([answer(503, '')]);
		expect(requests).toBe(4);
		expect(waited).toBe(500 + 1000 + 2000);
		expect(failure).toMatchObject({ kind: 'unavailable', httpCode: 503, outcomeUnknown: false });
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED'])(
		'is asked again by a read after %s',
		async (code) => {
			expect(await ask([networkError(code), ok])).toMatchObject({ requests: 2 });
		},
	);

	test.each([
		answer(503, ''),
		answer(500, '<html>'),
		networkError('ECONNRESET'),
		networkError('ETIMEDOUT'),
		answer(200, ''),
	])('is never sent a write twice, and the user is told to look', async (first) => {
		const { requests, failure } = await ask([first, ok], { repeatable: false });
		expect(requests).toBe(1);
		expect(failure?.outcomeUnknown).toBe(true);
		expect(failure?.advice).toMatch(/^It may have been carried out all the same/);
	});

	test.each(['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED'])(
		'%s is certain: nothing was done',
		async (code) => {
			const { requests, failure } = await ask([networkError(code)], { repeatable: false });
			expect(requests).toBe(1);
			expect(failure).toMatchObject({ kind: 'unreachable', outcomeUnknown: false });
			expect(failure?.message).toMatch(/^No answer from the link service: /);
		},
	);
});

test('the key never stands in a message, even when the service repeats it', async () => {
	for (const text of [`Key ${KEY} is wrong`, `Key ${encodeURIComponent(KEY)} is wrong`]) {
		const { failure } = await ask([answer(200, { error: 1, message: text })]);
		expect(failure?.message).toBe('Key *** is wrong');
	}
	expect((await ask([networkError('EOTHER')])).failure?.message).toBe(
		'No answer from the link service: failed with ***',
	);
});

describe('the store', () => {
	test.each([
		[200, { status: 'error', msg: 'Item Not Found' }],
		[404, { status: 'error', msg: 'Item Not Found' }],
	])('states a failure with %i', async (statusCode, body) => {
		const { failure } = await ask([answer(statusCode, body)], { service: storeService });
		expect(failure).toMatchObject({ kind: 'refused', message: 'Item Not Found' });
	});

	test('says "Invalid request" when the key is wrong', async () => {
		const body = { status: 'error', msg: 'Invalid request' };
		const { failure } = await ask([answer(400, body)], { service: storeService });
		expect(failure?.message).toBe('Invalid request');
		expect(failure?.advice).toContain('Check the API key');
	});

	test('an answer without a status is not the store', async () => {
		const { failure } = await ask([answer(200, { data: {} })], { service: storeService });
		expect(failure).toMatchObject({ kind: 'unreadable' });
	});
});
