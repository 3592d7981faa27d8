import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { ApiRequest, Connection } from '../../../../dist/nodes/shared/http/connection.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { interactiveOptions, sendRequest } from '../../../../dist/nodes/shared/http/request.js';
import type { HttpResponse } from '../../../../dist/nodes/shared/http/response.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What a response means, and what is sent again. */

const KEY = 'k3y/with+signs';
const START = Date.UTC(2030, 0, 1);

const answer = (statusCode: number, body: unknown, headers: IDataObject = {}): HttpResponse => ({
	statusCode,
	headers,
	body,
});
const said = (message: string) => ({ error: 1, message });
const ok = answer(200, { error: 0, id: 1 });
const networkError = (code: string): Error =>
	Object.assign(new Error(`failed with ${KEY}`), { code });

/** What came, or `none`: nothing until the request times out. */
type Answer = HttpResponse | Error | 'none';

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

interface Asked {
	service?: Connection['service'];
	once?: boolean;
	options?: Partial<Parameters<typeof sendRequest>[2]>;
	isForPerson?: boolean;
}

/** Gives the answers in turn, the last one for good, and says how the request ended. */
async function ask(answers: Answer[], asked: Asked = {}) {
	const { service = linkService, once = false, isForPerson = false } = asked;
	const time = new VirtualTime(START);
	const timeouts: number[] = [];
	const credential = { baseUrl: 'https://a.example', apiKey: KEY, requestsPerMinute: 0 };
	const connection: Connection = {
		...connectionWith(service, credential, async () => await Promise.resolve(undefined)),
		clock: time,
		limiter: new RateLimiter(time),
		async sendOnce(_request, timeoutMs) {
			const next = answers[Math.min(timeouts.length, answers.length - 1)] ?? ok;
			timeouts.push(timeoutMs);
			if (next === 'none') {
				await time.sleep(timeoutMs);
				throw networkError('ECONNABORTED');
			}
			return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(next));
		},
	};
	const options = {
		...(isForPerson ? interactiveOptions(connection) : { urgent: false }),
		...asked.options,
	};
	const request: ApiRequest = { method: 'GET', path: '/api/urls', once };
	const outcome = await time
		.run(sendRequest(connection, request, options))
		.catch((error: unknown) => error);
	return {
		requests: timeouts.length,
		timeouts,
		waited: time.now() - START,
		failure: outcome instanceof Failure ? outcome : undefined,
		outcome,
	};
}

const WRITE: Asked = { options: { isRead: false } };

test.each([
	...[0, '0', false, null, []].map((error) => ({ error, id: 1 })),
	...['id', 'link', 'message', 'short', 'short_url', 'shorturl'].map((name) => ({ [name]: 'x' })),
	{ data: { cta: [] } },
])('%j is a success', async (body) => {
	const { outcome } = await ask([answer(200, body)], WRITE);
	expect(outcome).toMatchObject({ body });
});

const KEY_ADVICE = /Check the API key in the credential: it may be mistyped/;
const NO_ACCESS = /The API key is right\. Check in the service that the account is active/;
const NOT_THE_SERVICE = /^Expected a response from the service, but got .* Check the base URL/;
const REDIRECT = { location: 'https://ann:pw@sso.example.com/login?key=1#a' };

test.each<[kind: string, words: RegExp, ...answers: HttpResponse[]]>([
	[
		'refused',
		/^Alias is taken\. Check the values you entered\.$/,
		answer(200, { error: '1', message: 'Alias is taken' }),
		answer(200, { error: true, message: 'Alias is taken' }),
		answer(200, { error: 'Alias is taken' }),
		answer(422, { message: 'Alias is taken' }),
	],
	['refused', /^The service refused the request without a reason/, answer(200, { error: 1 })],
	[
		'refused',
		/./,
		// Whole messages decide: a part may be what the user entered.
		answer(200, said('The alias rate-limit is taken')),
		answer(400, said('unauthorized.example is no domain of this account')),
	],
	['missing', /It may have been deleted/, answer(404, said('Not found'))],
	[
		'unauthorized',
		KEY_ADVICE,
		answer(401, said('No')),
		answer(401, '<html>Unauthorized</html>'),
		...['Invalid API key', 'An API key is required.', 'Your API-key has expired'].map((words) =>
			answer(200, said(words)),
		),
		answer(403, said('A valid API key is required to use this service.')),
	],
	[
		'noAccess',
		NO_ACCESS,
		answer(403, said('You do not have the permission to use the API.')),
		answer(200, said('Please activate your account.')),
		answer(403, said('API service is disabled.')),
	],
	['forbidden', /Check the ID, the API key and the permissions/, answer(403, said('No'))],
	['serverError', /^Database is gone\. .*Try again later/, answer(500, said('Database is gone'))],
	['serverError', /^Expected a response .* Try again later/, answer(500, '<h1>Oops</h1>')],
	['otherRefusal', NOT_THE_SERVICE, answer(404, '<html>'), answer(405, 'Not Allowed')],
	[
		'unreadable',
		NOT_THE_SERVICE,
		...['<html>', '', '{"error":0,"da', [1], { hello: 'world' }].map((body) => answer(200, body)),
	],
	['unreadable', /a redirect to .* \(status 303\)/, answer(303, '', REDIRECT)],
	[
		'misrouted',
		/a redirect to https:\/\/sso\.example\.com\/login \(status 302\)\. Check the base URL/,
		answer(302, '', REDIRECT),
	],
])('%s: %s', async (kind, words, ...answers) => {
	for (const each of answers) {
		const { failure, requests } = await ask([each], WRITE);
		expect([each, failure, requests]).toMatchObject([each, { kind }, 1]);
		expect(failure?.explanation).toMatch(words);
		// A response that is no refusal leaves open what became of a write.
		const isDoubtful = ['serverError', 'unreadable'].includes(kind);
		expect(failure?.outcomeUnknown).toBe(isDoubtful);
		expect((await ask([each])).failure?.outcomeUnknown).toBe(false);
	}
});

test.each([
	[404, { status: 'error', msg: 'Item Not Found' }, 'missing', 'Item Not Found. It may have'],
	[400, { status: 'error', msg: 'Invalid request' }, 'refused', 'Check the API key'],
	[401, { status: 'error', msg: 'No' }, 'unauthorized', 'Check the API key'],
	[200, { message: 'Welcome' }, 'unreadable', 'Expected a response from the store'],
])('the store answers %i with %j', async (statusCode, body, kind, words) => {
	const { failure } = await ask([answer(statusCode, body)], { service: storeService });
	expect(failure?.kind).toBe(kind);
	expect(failure?.explanation).toContain(words);
});

describe('the rate limit', () => {
	test.each<[HttpResponse, waitMs: number]>([
		[answer(429, 'Slow down', { 'retry-after': '47' }), 47_000],
		[answer(429, { error: 429, message: 'Too many requests', 'Retry-After': 47 }), 47_000],
		[answer(200, { error: '429', message: 'x', 'Retry-After': 47 }), 47_000],
		[answer(200, said('Rate limit exceeded')), 60_000],
		[answer(403, said('Too many requests, retry in 20 seconds')), 60_000],
		[answer(429, '', { 'retry-after': '1893999999' }), 60_000],
	])('%j is waited out, also by a write', async (refusal, waited) => {
		const outcome = { requests: 2, waited, failure: undefined };
		expect(await ask([refusal, ok], WRITE)).toMatchObject(outcome);
	});

	test('leaves a read its minute, however long it waited', async () => {
		const limited = answer(429, '', { 'retry-after': '90' });
		expect(await ask([limited, answer(503, ''), ok])).toMatchObject({
			requests: 3,
			failure: undefined,
		});
	});

	test('ends the request when it is exceeded again and again', async () => {
		const { requests, failure } = await ask([answer(429, '', { 'retry-after': '1' })], WRITE);
		expect([requests, failure?.kind]).toEqual([21, 'rateLimited']);
	});
});

describe('a service that does not answer costs', () => {
	test.each<[string, Asked, object]>([
		['a read a minute in total', {}, { timeouts: [30_000, 30_000], waited: 60_500 }],
		['a person ten seconds', { isForPerson: true }, { timeouts: [10_000], waited: 10_000 }],
		['a read that is sent once half a minute', { once: true }, { timeouts: [30_000] }],
		['no more than until a deadline', { options: { until: START + 5000 } }, { waited: 5000 }],
	])('%s', async (_what, asked, expected) => {
		const { failure, ...rest } = await ask(['none'], asked);
		expect(rest).toMatchObject(expected);
		expect(failure?.message).toBe('No response from the service: the request timed out');
	});
});

describe('a service that is down', () => {
	test('is asked again by a read for a minute, with pauses that grow to ten seconds', async () => {
		const { requests, waited } = await ask([answer(503, '')]);
		expect([requests, waited]).toEqual([10, 15_500 + 4 * 10_000]);
	});

	test.each([408, 502, 503, 504])('with status %i is never sent a write twice', async (status) => {
		const down = answer(status, '<html>');
		expect(await ask([down, ok])).toMatchObject({ requests: 2, failure: undefined });
		const { requests, failure } = await ask([down, ok], WRITE);
		expect([requests, failure?.outcomeUnknown]).toEqual([1, true]);
		expect(failure?.advice).toMatch(/^It may still have been carried out/);
	});
});

describe('a connection error', () => {
	const wrapped = (cause: Error) => new Error('The connection failed', { cause });
	const ofOldN8n = (httpCode: string) => Object.assign(new Error('x'), { httpCode });

	test.each<[words: string, kind: string, error: Error]>([
		['nothing is listening', 'unreachable', networkError('ECONNREFUSED')],
		['no host has that name', 'misrouted', wrapped(networkError('ENOTFOUND'))],
		['the connection was closed', 'noResponse', new Error('read ECONNRESET')],
		['the request timed out', 'noResponse', wrapped(new Error('connect ETIMEDOUT'))],
		['its TLS certificate is not valid', 'misrouted', ofOldN8n('CERT_HAS_EXPIRED')],
		["n8n's SSRF protection", 'misrouted', new Error('The request was blocked')],
		['failed with ***', 'noResponse', networkError('EOTHER')],
	])('%s: %s', async (words, kind, error) => {
		const { failure } = await ask([error], WRITE);
		expect(failure?.message).toContain(`No response from the service: ${words}`);
		expect(failure).toMatchObject({ kind, outcomeUnknown: kind === 'noResponse' });
	});
});

test('a message is masked before it is cut', async () => {
	const { failure } = await ask([answer(400, said(`${'a'.repeat(995)}${KEY}`))]);
	expect(failure?.message).toMatch(/^a{995}\*\*\*$/);
});
