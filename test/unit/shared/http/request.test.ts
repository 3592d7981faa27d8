import { SsrfBlockedIpError } from '@n8n/backend-network';

import { maskOf } from '../../../../dist/nodes/shared/http/mask.js';
import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import type { ApiRequest, HttpResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import {
	interactiveOptions,
	sendRequest,
	senderOf,
} from '../../../../dist/nodes/shared/http/request.js';
import { pagesOf, requestFirstPage } from '../../../../dist/nodes/shared/lists/pages.js';
import {
	Failure,
	type FailureKind,
	inputFailure,
} from '../../../../dist/nodes/shared/values/failure.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

const KEY = 'k3y/with+signs';

const answer = (
	statusCode: number,
	body: unknown,
	headers: HttpResponse['headers'] = {},
): HttpResponse => ({ statusCode, headers, body });

const ok = answer(200, { error: 0, id: 1 });

const networkError = (code: string): Error =>
	Object.assign(new Error(`failed with ${KEY}`), { code });

type Answer = HttpResponse | Error | 'none';

interface Outcome {
	requests: number;
	/** How long each was allowed to take, in milliseconds. */
	timeouts: number[];
	waited: number;
	body?: unknown;
	answeredAt?: number;
	failure?: Failure;
}

const START = Date.UTC(2030, 0, 1);
const WRITE = { isRead: false };
const WRITE_ONCE = { isRead: false, once: true };
const READ = { isRead: true };
const WRITE_OF_A_RUN = { isRead: false, urgent: false };

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

const connectionAt = (time: VirtualTime): Connection => ({
	service: linkService,
	limiter: new RateLimiter(time),
	requestsPerMinute: 0,
	clock: time,
	sendOnce: async () => await Promise.resolve(ok),
	baseUrl: 'https://links.example.com',
	timezone: 'UTC',
	isForOwnNodes: false,
	extraHeader: {},
	secrets: [KEY],
	mask: maskOf([KEY]),
	connectionKey: 'the service and the key',
	apiKey: KEY,
});

/** Gives the answers in turn, the last one for good, and tells how the request ended. */
async function ask(
	answers: Answer[],
	{
		isRead = true,
		urgent = false,
		service = linkService,
		timeoutMs = 0,
		path = '/api/urls',
		method = 'GET' as ApiRequest['method'],
		once = false,
		isProof = false,
		random = 0.5,
		/** Milliseconds after which nothing more is sent. */
		within = Infinity,
		/** Whether a read in flight ends then, too. */
		endsReads = undefined as boolean | undefined,
		/** Milliseconds for all attempts. */
		retryMs = undefined as number | undefined,
		/** Milliseconds after which the execution is stopped. */
		stoppedAfter = Infinity,
	} = {},
): Promise<Outcome> {
	const time = new VirtualTime(START);
	const timeouts: number[] = [];
	const stop = new AbortController();
	const send = async (_request: unknown, timeout: number): Promise<HttpResponse> => {
		const next = answers[Math.min(timeouts.length, answers.length - 1)] ?? ok;
		timeouts.push(timeout);
		if (next === 'none') await time.sleep(Math.min(timeout, stoppedAfter));
		if (next === 'none') throw networkError('ECONNABORTED');
		return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(next));
	};
	const connection = { ...connectionAt(time), service, sendOnce: send };
	jest.spyOn(Math, 'random').mockReturnValue(random);
	if (stoppedAfter < Infinity) void time.sleep(stoppedAfter).then(() => stop.abort());
	const work = sendRequest(
		connection,
		{ method, path, once, isProof },
		{
			...(urgent ? interactiveOptions(connection) : { isRead, urgent }),
			signal: stoppedAfter < Infinity ? stop.signal : undefined,
			...(timeoutMs ? { timeoutMs } : {}),
			...(retryMs === undefined ? {} : { retryMs }),
			...(within < Infinity ? { until: START + within } : {}),
			...(endsReads === undefined ? {} : { endsReads }),
		},
	);
	const outcome = await time.run(work).catch((error: unknown) => {
		if (error instanceof Failure) return error;
		throw error;
	});
	return {
		requests: timeouts.length,
		timeouts,
		waited: time.now() - START,
		...(outcome instanceof Failure ? { failure: outcome } : outcome),
	};
}

const said = (message: string) => ({ error: 1, message });

test.each([
	{ error: 0, id: 1 },
	{ error: '0', id: 1 },
	{ error: false, id: 1 },
	{ error: null, id: 1 },
	{ error: [], id: 1 },
	// The overlay list has no `error`.
	{ data: { cta: [] } },
	// Members are called so that are none of the rate limit.
	{ error: 0, id: 1, status: 429 },
])('%j is a success', async (body) => {
	const date = 'Tue, 01 Jan 2030 00:00:10 GMT';
	const outcome = { requests: 1, body, answeredAt: START + 10_000 };
	expect(await ask([answer(200, body, { date })], WRITE)).toMatchObject(outcome);
	expect(await ask([answer(299, body)])).toMatchObject({ ...outcome, answeredAt: START });
});

const KEY_MESSAGES = [
	...['Invalid API key', 'Missing or invalid api_key!', 'The API key is not valid.'],
	...['An API key is required.', 'Your API-key has expired', 'Unauthorized.', 'Unauthenticated'],
	...['Invalid token', 'A valid API key is required to use this service.'],
];

const ACCOUNT_MESSAGES = [
	...['You do not have the permission to use the API.', 'Please activate your account.'],
	...['API service is disabled.', 'Your account has been suspended!', 'API access is not enabled'],
];

const all = (statuses: number[], ...bodies: unknown[]): HttpResponse[] =>
	bodies.flatMap((body) => statuses.map((status) => answer(status, body)));
const REDIRECT = { location: 'https://ann:pw@sso.example.com/login?key=1#a' };
const KEY_ADVICE = /Check the API key in the credential: it may be mistyped.* remove the Author/;

/** @param kind that of all statuses, or of each, with that of the others last */
const meaning = (
	kind: string | ReadonlyArray<[status: number | 'other', kind: string]>,
	words: RegExp,
	...answers: HttpResponse[]
) => ({
	kindOf: (status: number): string =>
		typeof kind === 'string'
			? kind
			: (kind.find(([each]) => each === status || each === 'other')?.[1] ?? ''),
	words,
	answers,
});

/** A body in another form than the service's. */
const FOREIGN: ReadonlyArray<[number | 'other', string]> = [
	[403, 'otherRefusal'],
	[404, 'otherRefusal'],
	[405, 'otherRefusal'],
	[500, 'serverError'],
	[503, 'serverError'],
	[300, 'misrouted'],
	[302, 'misrouted'],
	[399, 'misrouted'],
	['other', 'unreadable'],
];

/** What responses mean that are no success: the kind, what users read, and the responses. */
const FAILURES = {
	'is a refusal if the service says so': meaning(
		'refused',
		/^Alias is taken\. Check the values you entered\.$/,
		...['1', true].map((error) => answer(200, { error, message: 'Alias is taken' })),
		answer(200, { error: 'Alias is taken' }),
		...all([400, 422], said('Alias is taken')),
		answer(422, { message: 'Alias is taken' }),
	),
	'is a refusal without a reason': meaning(
		[
			[404, 'missing'],
			['other', 'refused'],
		],
		/^The service refused the request without a reason\. (Check|It may)/,
		...[answer(200, { error: 1 }), answer(404, { error: 1, message: ' ' }), answer(0, {})],
	),
	'is a failure of the service itself, in its words': meaning(
		'serverError',
		/^Database is gone\. Try again later; the service or a proxy/,
		...all([500, 501, 599], said('Database is gone'), { error: 429, message: 'Database is gone' }),
	),
	'is a refusal by its status, although its body holds that of the rate limit': meaning(
		[
			[404, 'missing'],
			['other', 'refused'],
		],
		/^I am a teapot\. (Check the values|It may have been deleted)/,
		...all([404, 418, 422], { error: 429, message: 'I am a teapot' }),
		answer(418, { error: 1, status: '429', message: 'I am a teapot' }),
	),
	'is about the key': meaning(
		'unauthorized',
		KEY_ADVICE,
		answer(401, said('No')),
		...all([200, 400, 403], ...KEY_MESSAGES.map(said)),
		answer(200, said('Invalid token'), { 'x-ratelimit-remaining': '1' }),
	),
	'is about the key, without a word': meaning(
		'unauthorized',
		/^The service refused the API key\. Check the API key/,
		answer(401, '<html>Unauthorized</html>'),
	),
	'is about the account': meaning(
		'noAccess',
		/. The API key is right. Check in the service that the account is/,
		...all([200, 401, 403], ...ACCOUNT_MESSAGES.map(said)),
	),
	'is about the key or about this request': meaning(
		'forbidden',
		/. Check the API key in the credential and the permissions of its/,
		...all([403], said('No'), { error: 1 }, '<h1>Forbidden</h1>'),
		...all([403], said('The link "activate account" is not yours')),
	),
	'is a check for bots': meaning(
		FOREIGN,
		/but got a web page that checks for bots .* add an Extra Header/,
		...all([200, 403, 503], ' <html><script>document.cookie="a=1"</script>'),
		answer(403, '<HTML><SCRIPT src="/challenge.js"></SCRIPT>'),
	),
	'is a refusal of this request alone, although it repeats words of the user': meaning(
		[
			[404, 'missing'],
			['other', 'refused'],
		],
		/./,
		...all([200, 400], said('The alias rate-limit is taken'), said('The alias api-key is taken')),
		...all([404, 409, 422], said('Rate limit exceeded')),
		...all([200], said('Rate limit exceeded is no domain of this account')),
		...all([400], said('unauthorized.example is no domain of this account')),
		...all([422], said('Invalid API key')),
		...all([200], said('There is no "Invalid token"')),
		...all([200], said(`Rate limit exceeded${'!'.repeat(200)}`)),
		answer(200, said('Rate limit exceeded'), { 'x-ratelimit-remaining': '1' }),
	),
	'is a web page': meaning(
		FOREIGN,
		/^Expected a .* but got a web page \(status \d+\)\. Check the base/,
		...all([200, 404, 500], ' <!doctype html><h1>Hi</h1>'),
		...all([200], '<p>Rate limited</p>', '<p>challenge</p>', '<script>a = 1</script>'),
		answer(200, `<p>${'.'.repeat(20_000)}</p><script>document.cookie</script>`),
	),
	'is empty': meaning(
		'unreadable',
		/but got an empty response \(status 200\)\. .* the service is up/,
		...all([200], '', ' ', undefined),
	),
	'is cut off': meaning(
		'unreadable',
		/but got incomplete JSON/,
		...all([200], '{"error":0,"data":{"urls":[{"id"', ' [1'),
	),
	'is a text': meaning(
		FOREIGN,
		/but got plain text .* Check the base URL in the credential/,
		...all([404], 'It works! {a} <b>', 'It has a <script> with document.cookie'),
	),
	'is JSON of something else': meaning(
		'unreadable',
		/^Expected a response from the service, but got unexpected JSON/,
		...all([200], { hello: 'world' }, [1, 2]),
	),
	'is a redirect, which is named without what may hold the key': meaning(
		FOREIGN,
		/a redirect to https:\/\/sso.example.com\/login \(.*\)\. Enter the/,
		...[302, 303, 399].map((status) => answer(status, { data: 1 }, REDIRECT)),
	),
	'is a redirect to nowhere': meaning(
		FOREIGN,
		/but got a redirect \(status 300\)/,
		answer(300, '', { location: 7 }),
	),
};

test.each(Object.entries(FAILURES))('a response %s', async (_, { kindOf, words, answers }) => {
	for (const row of answers) {
		const { requests, failure } = await ask([row], WRITE);
		const { statusCode: httpCode } = row;
		const kind = kindOf(httpCode);
		const mayBeDone = httpCode >= 500 || httpCode === 303;
		const outcomeUnknown = mayBeDone || (kind === 'unreadable' && httpCode < 300);
		expect([requests, row, failure]).toMatchObject([1, row, { kind, httpCode, outcomeUnknown }]);
		expect(failure?.explanation.includes('It may still have been carried out')).toBe(
			outcomeUnknown,
		);
		const read = await ask([row], { ...READ, urgent: true });
		expect(read).toMatchObject({ requests: 1, failure: { kind, outcomeUnknown: false } });
		expect(read.failure?.explanation).toMatch(words);
	}
});

test('a 403 for the account is about the key', async () => {
	const { failure } = await ask([answer(403, said('No'))], { path: '/api/account' });
	expect(failure).toMatchObject({ kind: 'unauthorized', advice: linkService.keyAdvice });
});

test.each([
	[200, { status: 'error', msg: 'Item Not Found' }, 'refused', 'Item Not Found.'],
	[404, { status: 'error', msg: 'Item Not Found' }, 'missing', 'Item Not Found. It may have'],
	// What it says when the key is wrong.
	[400, { status: 'error', msg: 'Invalid request' }, 'refused', 'Send API Key In'],
	[401, { status: 'error', msg: 'No' }, 'unauthorized', 'Send API Key In'],
	[200, { message: 'Welcome' }, 'unreadable', 'Expected a response from the store'],
	[200, { data: {} }, 'unreadable', 'Expected a response from the store, but got unexpected JSON'],
])('the store answers %i with %j', async (statusCode, body, kind, words) => {
	const { failure } = await ask([answer(statusCode, body)], { service: storeService });
	expect(failure).toMatchObject({ kind });
	expect(failure?.explanation).toContain(words);
});

test.each(['PUT', 'DELETE', 'POST', 'GET'] as const)(
	'a page with status 405 after a %s says who refuses it',
	async (method) => {
		const { failure } = await ask([answer(405, '<h1>Not Allowed</h1>')], { method });
		const isRefused = method === 'PUT' || method === 'DELETE';
		const what = isRefused ? `a page that refuses ${method} requests` : 'a web page';
		expect(failure?.message).toBe(
			`Expected a response from the service, but got ${what} (status 405)`,
		);
		expect(failure?.advice.includes(`The server in front of the service refuses`)).toBe(isRefused);
	},
);

describe('the rate limit', () => {
	test.each<[string, HttpResponse]>([
		['Retry-After header', answer(429, 'Slow down', { 'retry-after': '47' })],
		['member', answer(429, { error: 429, message: 'Too many requests', 'Retry-After': 47 })],
		['status 200 with error 429', answer(200, { error: 429, message: 'x', 'Retry-After': 47 })],
		['status 200 with error 429 as text', answer(200, { error: '429', retry_after: '47' })],
		['status 200 with status 429', answer(200, { status: 429, message: 'x', retryAfter: 47 })],
	])('is waited out as it says, also by a write: %s', async (_name, refusal) => {
		const outcome = { requests: 2, waited: 47_000, body: ok.body };
		expect(await ask([refusal, ok], WRITE)).toMatchObject(outcome);
	});

	test.each([
		answer(429, said('Rate limit exceeded')),
		answer(200, said('Rate limit exceeded')),
		answer(200, said('API rate limit reached. Please try again later!')),
		answer(400, said('Rate limited')),
		answer(403, said('Too many requests, retry in 20 seconds')),
		answer(429, 'Too Many Requests', { 'x-ratelimit-remaining': '3' }),
		answer(503, 'Rate limit exceeded'),
		answer(429, '', { 'retry-after': '1893999999' }),
	])('is waited out for a window when it says nothing: %j', async (refusal) => {
		expect(await ask([refusal, ok], WRITE)).toMatchObject({ requests: 2, waited: 60_000 });
	});

	test('ends the wait when it has been exceeded again and again', async () => {
		const refusal = answer(503, 'Rate limit exceeded', { 'retry-after': '1' });
		const { requests, failure } = await ask([refusal], WRITE);
		expect(requests).toBe(21);
		expect(failure).toMatchObject({ kind: 'rateLimited', httpCode: 503, outcomeUnknown: false });
		expect(failure?.explanation).toMatch(
			/^The service received too many requests\. Lower Requests per Minute/,
		);
	});

	test.each([
		['20', 4, 60_000, '00:01:20'],
		['60', 2, 60_000, '00:02:00'],
		['90', 1, 0, '00:01:30'],
		['3600', 1, 0, '01:00:00'],
	])(
		'keeps a person for a minute at most: Retry-After %s, %i requests',
		async (seconds, requests, waited, end) => {
			const refusal = answer(429, said('x'), { 'retry-after': seconds });
			const outcome = await ask([refusal], { urgent: true });
			expect(outcome).toMatchObject({ requests, waited, failure: { kind: 'outOfTime' } });
			expect(outcome.failure?.explanation).toMatch(
				RegExp(`^The rate limit of the service is used up until ${end} UTC. Running .* Try again`),
			);
		},
	);

	test('fails a caller at once whose time ends before it does', async () => {
		const refusal = answer(429, '', { 'retry-after': '20' });
		const outcome = { requests: 1, waited: 0, failure: { kind: 'outOfTime' } };
		expect(await ask([refusal, ok], { within: 19_999 })).toMatchObject(outcome);
		expect(await ask([refusal, ok], { within: 20_000 })).toMatchObject({ requests: 2 });
	});

	test('keeps a person no longer for many requests than for one', async () => {
		const time = new VirtualTime(START);
		const connection = { ...connectionAt(time), requestsPerMinute: 1 };
		const options = interactiveOptions(connection);
		const request = { method: 'GET', path: '/api/urls' } as const;
		const read = async () => await sendRequest(connection, request, options);
		await time.run(read());
		await time.run(read());
		await expect(time.run(read())).rejects.toMatchObject({ kind: 'outOfTime' });
		expect(time.now() - START).toBe(60_000);
	});
});

describe('a service that does not answer', () => {
	test.each<[string, Parameters<typeof ask>[1], Partial<Outcome>]>([
		['a read a minute in total', {}, { timeouts: [30_000, 29_500], waited: 60_000 }],
		['a write five minutes', WRITE, { timeouts: [300_000], waited: 300_000 }],
		[
			'what the user allows, if that is more',
			{ timeoutMs: 90_000 },
			{ timeouts: [90_000, 89_500] },
		],
		['a person ten seconds', { urgent: true }, { timeouts: [10_000], waited: 10_000 }],
		['no more than its budget', { retryMs: 0 }, { timeouts: [30_000] }],
		['a read that is sent once ten seconds', { once: true }, { timeouts: [10_000] }],
		['a write as much as ever', WRITE_ONCE, { timeouts: [300_000], waited: 300_000 }],
		['no repeat that would come too late', { timeoutMs: 1000, within: 3499 }, { requests: 2 }],
		['a repeat that comes just in time', { timeoutMs: 1000, within: 3500 }, { requests: 3 }],
	])('costs %s', async (_, options, outcome) => {
		const { failure, ...rest } = await ask(['none'], options);
		expect(rest).toMatchObject(outcome);
		expect(failure).toMatchObject({
			message: 'No response from the service: the request timed out',
			outcomeUnknown: options?.isRead === false,
		});
	});

	test.each([
		['at all', 0, [100, 100, 50, 25, 10, undefined], 100_000],
		['to large pages', 10, [100, 100, 50, 25, 10], 80_000],
	])('%s costs a list at most 100 seconds', async (_, largest, limits, waited) => {
		const time = new VirtualTime(START);
		const requested: unknown[] = [];
		const send = async ({ query }: ApiRequest, timeout: number) => {
			requested.push(query?.limit);
			if (Number(query?.limit ?? Infinity) <= largest) return answer(200, { error: 0, urls: [] });
			await time.sleep(timeout);
			throw networkError('ECONNABORTED');
		};
		const connection = { ...connectionAt(time), sendOnce: send };
		const options = { isRead: true, urgent: false, signal: undefined };
		const list = { path: '/api/urls', listName: 'urls' };
		const requestPage = pagesOf(
			list,
			async (request) => await sendRequest(connection, request, options),
		);
		const page = time.run(requestFirstPage(requestPage, 100).then((first) => first.page));
		if (largest > 0) expect(await page).toMatchObject({ records: [] });
		else await expect(page).rejects.toThrow('the request timed out');
		expect([requested, time.now() - START]).toEqual([limits, waited]);
	});

	test('is given a whole number of milliseconds, which is all that a timer takes', async () => {
		const { timeouts } = await ask(['none'], { timeoutMs: 25_000, random: 0.1234 });
		expect(timeouts).toEqual([25_000, 25_000, expect.any(Number)]);
		expect(timeouts.every(Number.isInteger)).toBe(true);
	});

	test('is no reason to give up a wait for the rate limit, nor is that one to give up earlier', async () => {
		const refusal = answer(429, '', { 'retry-after': '50' });
		const answers: Answer[] = ['none', refusal, refusal, networkError('EPIPE'), ok];
		expect(await ask(answers)).toMatchObject({ requests: 5, body: ok.body });
	});

	test('is not waited for when the execution is stopped', async () => {
		const cancelled = { kind: 'cancelled', message: 'The execution was canceled' };
		const write = await ask(['none'], { ...WRITE, stoppedAfter: 700 });
		expect(write).toMatchObject({ waited: 700, failure: { ...cancelled, outcomeUnknown: true } });
		const paused = await ask([networkError('EPIPE')], { stoppedAfter: 700 });
		expect(paused).toMatchObject({ requests: 2, failure: { ...cancelled, outcomeUnknown: false } });
		expect(paused.waited).toBeLessThanOrEqual(1500);
	});
});

describe('a connection error', () => {
	const wrapped = (cause: Error) => new Error('The connection failed', { cause });
	const blocked = new SsrfBlockedIpError('10.0.0.1', 'links.example.com');
	const oldN8n = (httpCode: unknown) => Object.assign(new Error('x'), { httpCode });

	test.each<[string, Error, string, FailureKind]>([
		['by its code', networkError('ECONNREFUSED'), 'nothing is listening', 'unreachable'],
		[
			'by the code of its cause',
			wrapped(networkError('ENOTFOUND')),
			'no host has that',
			'misrouted',
		],
		['by its message', new Error('read ECONNRESET'), 'the connection was closed', 'noResponse'],
		[
			'by a message within',
			wrapped(new Error('connect ETIMEDOUT')),
			'the request timed out',
			'noResponse',
		],
		['of an older n8n', oldN8n('CERT_HAS_EXPIRED'), 'has expired', 'misrouted'],
		['of an older n8n, with a status', oldN8n('200'), 'the response broke off', 'noResponse'],
		['of n8n', blocked, "n8n's SSRF protection", 'misrouted'],
		['of n8n, wrapped', wrapped(blocked), "n8n's SSRF protection", 'misrouted'],
		['of n8n, reworded', new Error(blocked.message), "n8n's SSRF protection", 'misrouted'],
		['that nobody knows', oldN8n(7), 'x', 'noResponse'],
		[
			'whose code is a number',
			Object.assign(new Error('read EPIPE'), { code: 7 }),
			'closed',
			'noResponse',
		],
		['of an older n8n, with another code', oldN8n('E404'), 'x', 'noResponse'],
		[
			'of two codes',
			wrapped(new Error('ECONNREFUSED after EPIPE')),
			'was closed before',
			'noResponse',
		],
	])('is described %s', async (_, error, words, kind) => {
		const { requests, failure } = await ask([error], WRITE);
		expect([requests, failure]).toMatchObject([1, { kind, outcomeUnknown: kind === 'noResponse' }]);
		expect(failure?.message).toMatch(/^No response from the service: /);
		expect(failure?.message).toContain(words);
		expect((await ask([error], READ)).requests).toBe(kind === 'misrouted' ? 1 : 10);
	});

	test('is none where a value was refused before anything was sent', async () => {
		const own = inputFailure('The API key is empty');
		const { failure } = await ask([wrapped(own)], { ...WRITE, stoppedAfter: 0 });
		expect(failure).toMatchObject({ kind: 'input', message: own.message });
	});
});

describe('a service that is down', () => {
	test.each([502, 503, 504])('is asked again by a read after status %i', async (statusCode) => {
		const answers = [answer(statusCode, '<html>'), ok];
		expect(await ask(answers)).toMatchObject({ requests: 2, waited: 500, body: ok.body });
	});

	test('is asked again for a minute, with pauses that grow to ten seconds', async () => {
		const { failure, ...rest } = await ask([answer(503, '')]);
		expect(rest).toMatchObject({ requests: 10, waited: 15_500 + 4 * 10_000 });
		expect(failure).toMatchObject({ kind: 'unavailable', httpCode: 503, outcomeUnknown: false });
		expect(failure?.explanation).toMatch(
			/^The service is not available \(status 503\)\. Try again later/,
		);
	});

	test('is asked again after a restart of half a minute, but by a person for ten seconds only', async () => {
		const down = networkError('ECONNREFUSED');
		// At 0, 0.5, 1.5, 3.5, 7.5, 15.5 and 25.5 seconds.
		const answers = [...Array<Answer>(7).fill(down), ok];
		expect(await ask(answers)).toMatchObject({ requests: 8, waited: 35_500, body: ok.body });
		const outcome = { requests: 5, waited: 7500, failure: { kind: 'unreachable' } };
		expect(await ask(answers, { urgent: true })).toMatchObject(outcome);
	});

	test.each([
		[0, 0.5],
		[1, 1.5],
	])('is asked again after pauses times a random number: %d', async (random, times) => {
		const answers = [...Array<Answer>(3).fill(answer(503, '')), ok];
		expect(await ask(answers, { random })).toMatchObject({ waited: times * 3500 });
	});

	test('is asked again until the deadline of the caller', async () => {
		const late = { requests: 4, waited: 3500, failure: { kind: 'unavailable' } };
		expect(await ask([answer(503, '')], { within: 7499 })).toMatchObject(late);
		expect(await ask([answer(503, '')], { within: 7500 })).toMatchObject({ requests: 5 });
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

test('the key never stands in a message, even when the service repeats it', async () => {
	for (const key of [KEY, encodeURIComponent(KEY)]) {
		const { failure } = await ask([answer(200, said(`Key ${key} is wrong`))]);
		expect(failure?.message).toBe('Key *** is wrong');
	}
	expect((await ask([networkError('EOTHER')])).failure?.message).toBe(
		'No response from the service: failed with ***',
	);
});

test.each([
	['a read ends at the limit of its row', READ, true, 5000, [5000], 'outOfTime'],
	['but not before its own time', READ, true, 30_000, [30_000], 'noResponse'],
	['nor if it may end later', READ, undefined, 5000, [30_000], 'noResponse'],
	['a write is waited for', WRITE, true, 5000, [300_000], 'noResponse'],
] as const)('%s', async (_what, given, endsReads, within, timeouts, kind) => {
	const outcome = await ask(['none'], { ...given, endsReads, within });
	expect([outcome.timeouts, outcome.failure?.kind]).toEqual([timeouts, kind]);
});

test('what fails for another reason at the limit of its row says that', async () => {
	const { failure } = await ask([answer(400, said('No'))], { endsReads: true, within: 5000 });
	expect(failure?.message).toBe('No');
});

test.each([
	[500, 1],
	[501, 2],
])('within %i ms for all attempts, a read is sent %i times', async (retryMs, requests) => {
	const outcome = await ask([answer(503, {}), ok], { retryMs });
	expect(outcome.requests).toBe(requests);
});

test('a request whose time has ended is not sent, and says so', async () => {
	const { requests, failure } = await ask([ok], { within: -1 });
	expect([requests, failure?.kind]).toEqual([0, 'outOfTime']);
	expect(failure?.message).toBe('There was no time left for a request');
});

test('what proves the key has to come from the service', async () => {
	const cached = answer(200, { error: 0 }, { age: '5' });
	expect((await ask([cached])).failure).toBeUndefined();
	const { failure } = await ask([cached], { isProof: true });
	expect(failure?.kind).toBe('unreadable');
	expect(failure?.explanation).toBe(
		'A cache answered in place of the service, which does not prove the API key. Exclude /api from the cache in front of the service.',
	);
});

test('people go first', () => {
	const options = interactiveOptions(connectionAt(new VirtualTime(START)));
	expect(options).toMatchObject({ isRead: true, urgent: true, timeoutMs: 10_000 });
});

test('a request may know its own refusals: then the account is not read', async () => {
	const paths: string[] = [];
	const sendOnce = async ({ path }: ApiRequest) => {
		paths.push(path);
		return await Promise.resolve(answer(403, said('No')));
	};
	const send = senderOf({ ...connectionAt(new VirtualTime()), sendOnce }, WRITE_OF_A_RUN);
	const request = { method: 'POST', path: '/api/x', isOwnRefusal: () => true } as const;
	await expect(send(request)).rejects.toMatchObject({ kind: 'refused', message: 'No' });
	expect(paths).toEqual(['/api/x']);
});

test('after a 403 of a write, the account is read like any read', async () => {
	const answers = [answer(403, said('No')), answer(503, {}), ok];
	const time = new VirtualTime();
	const sendOnce = async () => await Promise.resolve(answers.shift() ?? ok);
	const send = senderOf({ ...connectionAt(time), sendOnce }, WRITE_OF_A_RUN);
	const asked = send({ method: 'POST', path: '/api/x' }).catch((error: unknown) => error);
	expect(await time.run(asked)).toMatchObject({ kind: 'refused' });
	expect(answers).toHaveLength(0);
});

describe('after a 403 in unknown words the account is read,', () => {
	/** @param answers to the requests, in turn; @param account what it answers, in turn, the last one for good */
	function keyAt(answers: readonly number[], ...account: number[]) {
		const paths: string[] = [];
		const advice: string[] = [];
		let at = 0;
		const time = new VirtualTime();
		const send = async ({ path }: ApiRequest) => {
			const isAccount = path === '/api/account';
			const status = isAccount
				? ((account.length > 1 ? account.shift() : account[0]) ?? 0)
				: (answers[at] ?? 403);
			if (!isAccount) at += 1;
			paths.push(path);
			await time.sleep(10);
			return status === 200 ? ok : answer(status, said('No'));
		};
		const ask = senderOf(
			{ ...connectionAt(time), sendOnce: send },
			{ isRead: true, urgent: false },
		);
		const kind = async () =>
			await ask({ method: 'GET', path: '/api/urls' }).then(
				() => 'success',
				(error: unknown) => {
					if (!(error instanceof Failure)) return error;
					advice.push(error.advice);
					return error.kind;
				},
			);
		return {
			paths,
			advice,
			one: async () => await time.run(kind()),
			atOnce: async (count: number) =>
				await time.run(Promise.all(Array.from({ length: count }, kind))),
		};
	}

	test.each([
		[200, 'refused'],
		[401, 'unauthorized'],
		[403, 'unauthorized'],
		[500, 'forbidden'],
	])('and if that answers with %i, the failure is %s', async (account, kind) => {
		const key = keyAt([], account);
		expect([await key.one(), key.paths.length]).toEqual([kind, 2]);
	});

	test('and what it says holds for that request alone: a key may be revoked later', async () => {
		const key = keyAt([403, 200, 200, 200, 403], 200, 401);
		const kinds: unknown[] = [];
		for (let row = 0; row < 5; row += 1) kinds.push(await key.one());
		expect(kinds).toEqual(['refused', 'success', 'success', 'success', 'unauthorized']);
		expect(key.paths).toHaveLength(7);
	});

	test('once for those that wait at the same time', async () => {
		const key = keyAt([], 200, 401);
		expect(await key.atOnce(5)).toEqual(Array(5).fill('refused'));
		expect(key.paths).toHaveLength(6);
	});

	test('for each tenth of many in a row, so hundreds do not double the requests', async () => {
		const key = keyAt([], 200);
		const kinds: unknown[] = [];
		for (let row = 0; row < 300; row += 1) kinds.push(await key.one());
		expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(30);
		// The others do not say that the key works, only that it did.
		expect(kinds.filter((kind) => kind === 'forbidden')).toHaveLength(270);
		expect(key.paths).toHaveLength(330);
		const works = key.advice.filter((words) => words.startsWith('The API key works, but'));
		const worked = key.advice.filter((words) =>
			words.startsWith('The API key worked a moment ago,'),
		);
		expect([works.length, worked.length]).toEqual([30, 270]);
	});

	test('so a key that is revoked among many of them is noticed within ten', async () => {
		const key = keyAt([], 200, 200, 401);
		const kinds: unknown[] = [];
		for (let row = 0; row < 30; row += 1) kinds.push(await key.one());
		expect(kinds.indexOf('unauthorized')).toBe(20);
	});

	test('and if the account cannot be read, none of them says that the key worked', async () => {
		const key = keyAt([], 200, 500);
		for (let row = 0; row < 15; row += 1) await key.one();
		expect(key.advice.map((words) => words.startsWith('Check the API key'))).toEqual([
			...Array<boolean>(10).fill(false),
			...Array<boolean>(5).fill(true),
		]);
	});
});
