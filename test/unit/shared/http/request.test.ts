import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { ApiRequest, Connection } from '../../../../dist/nodes/shared/http/connection.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import {
	interactiveOptions,
	sendRequest,
	senderOf,
} from '../../../../dist/nodes/shared/http/request.js';
import type { HttpResponse } from '../../../../dist/nodes/shared/http/response.js';
import { Failure, inputFailure } from '../../../../dist/nodes/shared/values/failure.js';
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
	path?: string;
	once?: boolean;
	options?: Partial<Parameters<typeof sendRequest>[2]>;
	isForPerson?: boolean;
}

/** Gives the answers in turn, the last one for good, and says how the request ended. */
async function ask(answers: Answer[], asked: Asked = {}) {
	const { service = linkService, path = '/api/urls', once = false, isForPerson = false } = asked;
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
	const request: ApiRequest = { method: 'GET', path, once };
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

test.each([0, '0', false, null, []])('an error of %j is a success', async (error) => {
	const { outcome } = await ask([answer(200, { error, id: 1 })]);
	expect(outcome).toMatchObject({ body: { id: 1 }, answeredAt: START });
});

test('a list without "error" is a success, and the service says when it answered', async () => {
	const headers = { date: 'Tue, 01 Jan 2030 00:00:10 GMT' };
	const { outcome } = await ask([answer(200, { data: { cta: [] } }, headers)]);
	expect(outcome).toMatchObject({ answeredAt: START + 10_000 });
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

test('a 403 for the account is about the key', async () => {
	const { failure } = await ask([answer(403, said('No'))], { path: '/api/account' });
	expect(failure).toMatchObject({ kind: 'unauthorized', advice: linkService.keyAdvice });
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

	test('ends the request when it is exceeded again and again', async () => {
		const { requests, failure } = await ask([answer(429, '', { 'retry-after': '1' })], WRITE);
		expect([requests, failure?.kind]).toEqual([21, 'rateLimited']);
	});

	test('that is used up longer than people wait is said at once, with its end', async () => {
		const refusal = answer(429, '', { 'retry-after': '600' });
		const { waited, failure } = await ask([refusal, ok], { isForPerson: true });
		expect([waited, failure?.kind]).toEqual([0, 'outOfTime']);
		expect(failure?.message).toBe('The rate limit of the service is used up until 00:10:00 UTC');
	});
});

describe('a service that does not answer costs', () => {
	test.each<[string, Asked, object]>([
		['a read a minute in total', {}, { timeouts: [30_000, 30_000], waited: 60_500 }],
		['a write five minutes', WRITE, { timeouts: [300_000] }],
		['what the user allows', { options: { timeoutMs: 90_000 } }, { timeouts: [90_000, 90_000] }],
		['a person ten seconds', { isForPerson: true }, { timeouts: [10_000], waited: 10_000 }],
		['a watched read as much', { options: { isWatched: true } }, { timeouts: [10_000] }],
		['a watched write, too', { options: { isWatched: true, isRead: false } }, { waited: 10_000 }],
		['a read that is sent once half a minute', { once: true }, { timeouts: [30_000] }],
		['no more than until a deadline', { options: { until: START + 5000 } }, { waited: 5000 }],
	])('%s', async (_what, asked, expected) => {
		const { failure, ...rest } = await ask(['none'], asked);
		expect(rest).toMatchObject(expected);
		expect(failure?.message).toBe('No response from the service: the request timed out');
		expect(failure?.outcomeUnknown).toBe(asked.options?.isRead === false);
	});
});

describe('a service that is down', () => {
	test('is asked again by a read for a minute, with pauses that grow to ten seconds', async () => {
		const { requests, waited, failure } = await ask([answer(503, '')]);
		expect([requests, waited]).toEqual([10, 15_500 + 4 * 10_000]);
		expect(failure?.explanation).toMatch(
			/^The service is not available \(status 503\)\. Try again/,
		);
	});

	test.each([502, 503, 504])('with status %i is asked again', async (statusCode) => {
		const outcome = { requests: 2, waited: 500, failure: undefined };
		expect(await ask([answer(statusCode, '<html>'), ok])).toMatchObject(outcome);
	});

	test('is asked again by a person for ten seconds', async () => {
		const { requests } = await ask([networkError('ECONNREFUSED')], { isForPerson: true });
		expect(requests).toBe(5);
	});

	test.each([answer(503, ''), networkError('ECONNRESET'), networkError('ETIMEDOUT')])(
		'is never sent a write twice, and the user is told to look',
		async (first) => {
			const { requests, failure } = await ask([first, ok], WRITE);
			expect([requests, failure?.outcomeUnknown]).toEqual([1, true]);
			expect(failure?.advice).toMatch(/^It may still have been carried out/);
		},
	);
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

	test('is none where a value was refused before anything was sent', async () => {
		const { failure } = await ask([wrapped(inputFailure('The API key is empty'))], WRITE);
		expect(failure).toMatchObject({ kind: 'input', message: 'The API key is empty' });
	});
});

test('a message is masked before it is cut', async () => {
	const { failure } = await ask([answer(400, said(`${'a'.repeat(995)}${KEY}`))]);
	expect(failure?.message).toMatch(/^a{995}\*\*\*$/);
});

test('a request whose time has ended is not sent, and says so', async () => {
	const { requests, failure } = await ask([ok], { options: { until: START - 1 } });
	expect([requests, failure?.message]).toEqual([0, 'There was no time left for a request']);
});

describe('after 403s in unknown words', () => {
	/** @param account what the account answers @returns the kinds of so many failures, and the paths */
	async function forbidden(
		count: number,
		account: HttpResponse,
		request: Partial<ApiRequest> = {},
	) {
		const paths: string[] = [];
		const credential = { baseUrl: 'https://a.example', apiKey: KEY, requestsPerMinute: 0 };
		const connection: Connection = {
			...connectionWith(linkService, credential, async () => await Promise.resolve(undefined)),
			async sendOnce({ path }) {
				paths.push(path);
				const isAccount = path === linkService.testPath;
				return await Promise.resolve(isAccount ? account : answer(403, said('No')));
			},
		};
		const send = senderOf(connection, { urgent: false });
		const kinds: unknown[] = [];
		for (let row = 0; row < count; row += 1) {
			const failure = await send({ method: 'POST', path: '/api/x', ...request }).catch(
				(error: unknown) => error,
			);
			kinds.push(failure instanceof Failure && failure.kind);
		}
		return { kinds, accounts: paths.filter((path) => path === linkService.testPath).length };
	}

	test('the account is asked at each fifth in a row', async () => {
		const { kinds, accounts } = await forbidden(30, ok);
		expect(kinds).toEqual(Array(30).fill('forbidden'));
		expect(accounts).toBe(6);
	});

	test('a refused key is noticed by that', async () => {
		const { kinds } = await forbidden(5, answer(401, said('No')));
		expect(kinds.at(-1)).toBe('unauthorized');
	});

	test('a request may know its own refusals: then the account is not asked', async () => {
		const { kinds, accounts } = await forbidden(5, ok, { isOwnRefusal: () => true });
		expect([kinds, accounts]).toEqual([Array(5).fill('refused'), 0]);
	});
});
