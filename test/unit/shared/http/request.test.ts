import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import type { ApiRequest } from '../../../../dist/nodes/shared/http/service.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { createSend, interactiveOptions } from '../../../../dist/nodes/shared/http/request.js';
import type { HttpResponse } from '../../../../dist/nodes/shared/http/response.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What is sent again, and how long a request takes. */

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
	noRetry?: boolean;
	options?: Partial<Parameters<typeof createSend>[1]>;
	isForPerson?: boolean;
}

/** Gives the answers in turn, the last one for good, and says how the request ended. */
async function ask(answers: Answer[], asked: Asked = {}) {
	const { noRetry = false, isForPerson = false } = asked;
	const time = new VirtualTime(START);
	const timeouts: number[] = [];
	const credential = { baseUrl: 'https://a.example', apiKey: KEY, requestsPerMinute: 0 };
	const connection: Connection = {
		...connectionWith(linkService, credential, async () => await Promise.resolve(undefined)),
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
	const logged: string[] = [];
	connection.logger = { info: (line) => void logged.push(line) };
	const options = {
		...(isForPerson ? interactiveOptions(connection) : { urgent: false }),
		...asked.options,
	};
	const request: ApiRequest = { method: 'GET', path: '/api/urls', noRetry };
	const outcome = await time
		.run(createSend(connection, options)(request))
		.catch((error: unknown) => error);
	return {
		requests: timeouts.length,
		timeouts,
		waited: time.now() - START,
		logged,
		failure: outcome instanceof Failure ? outcome : undefined,
		outcome,
	};
}

const WRITE: Asked = { options: { isSafe: false } };

test('a response that is no refusal leaves open what became of a write', async () => {
	const cases: Array<[HttpResponse, boolean]> = [
		[answer(500, '<html>'), true],
		[answer(200, '<html>'), true],
		[answer(303, '', { location: '/made/7' }), true],
		[answer(302, '', { location: '/login' }), false],
		[answer(422, said('No')), false],
		[answer(404, '<html>'), false],
	];
	for (const [response, isUnknown] of cases) {
		const { failure, requests } = await ask([response], WRITE);
		expect([response, failure?.outcomeUnknown, requests]).toEqual([response, isUnknown, 1]);
		expect((await ask([response])).failure?.outcomeUnknown).toBe(false);
	}
});

describe('the rate limit', () => {
	test.each<[HttpResponse, waitMs: number]>([
		[answer(429, 'Slow down', { 'retry-after': '47' }), 47_000],
		[answer(429, { error: 429, message: 'Too many requests', 'Retry-After': 47 }), 47_000],
		[answer(200, { error: '429', message: 'x', 'Retry-After': 47 }), 47_000],
		[answer(429, '', { 'retry-after': '1893999999' }), 60_000],
	])('%j is waited out, also by a write', async (refusal, waited) => {
		const outcome = { requests: 2, waited, failure: undefined };
		expect(await ask([refusal, ok], WRITE)).toMatchObject(outcome);
	});

	test('does not count for the minute in which a read is tried', async () => {
		const refusal = answer(429, '', { 'retry-after': '90' });
		const { requests, failure } = await ask([refusal, answer(503, ''), ok]);
		expect([requests, failure]).toEqual([3, undefined]);
	});

	test('ends the request when it is exceeded again and again', async () => {
		const refusal = answer(429, '', { 'retry-after': '1' });
		const [read, write] = [await ask([refusal]), await ask([refusal], WRITE)];
		expect([read.requests, read.failure?.kind]).toEqual([21, 'rateLimited']);
		expect([write.requests, write.failure?.kind]).toEqual([6, 'rateLimited']);
	});
});

describe('a service that does not answer costs', () => {
	test.each<[string, Asked, object]>([
		['a read a minute in total', {}, { timeouts: [30_000, 30_000], waited: 60_500 }],
		['a person ten seconds', { isForPerson: true }, { timeouts: [10_000], waited: 10_000 }],
		['a read that is sent once half a minute', { noRetry: true }, { timeouts: [30_000] }],
		['no more than until a deadline', { options: { until: START + 5000 } }, { waited: 5000 }],
	])('%s', async (_what, asked, expected) => {
		const { failure, ...rest } = await ask(['none'], asked);
		expect(rest).toMatchObject(expected);
		// The next poll goes on.
		const isCut = asked.options?.until !== undefined;
		expect(failure?.kind).toBe(isCut ? 'outOfTime' : 'noResponse');
		expect(failure?.message).toBe('No response from the service: the request timed out');
	});
});

test('a read asks a service that is down for a minute, with pauses that grow to ten seconds', async () => {
	const { requests, waited } = await ask([answer(503, '')]);
	expect([requests, waited]).toEqual([10, 15_500 + 4 * 10_000]);
});

describe('a connection error', () => {
	test('of this machine is no missing response, and a read is not sent again', async () => {
		const error = Object.assign(new TypeError(`Odd ${KEY}`), { code: 'ERR_INVALID_THING' });
		const { failure, requests } = await ask([error]);
		expect([requests, failure?.kind]).toEqual([1, 'unexpected']);
		expect(failure?.message).toMatch(/^The request could not be sent, .*: Odd \*\*\*$/);
		// Nobody knows whether it was sent.
		expect((await ask([error], WRITE)).failure?.outcomeUnknown).toBe(true);
	});

	test('that was refused wrote nothing: a write is sent again for a minute', async () => {
		const refused = networkError('ECONNREFUSED');
		const { failure, waited } = await ask([refused], WRITE);
		expect(failure).toMatchObject({ kind: 'unreachable', outcomeUnknown: false });
		expect(waited).toBe(55_500);
	});
});

test('the log of n8n says what is sent again and why a request waits, without the key', async () => {
	const { logged } = await ask([networkError('ECONNRESET'), answer(429, said(`Slow, ${KEY}`)), ok]);
	const request = 'linkManagementApi: GET /api/urls';
	expect(logged).toEqual([
		`${request} is sent again: No response from the service: the connection was closed before the response`,
		`${request} is sent again: Slow, ***`,
		`${request} waited 60 s for the rate limit`,
	]);
});

test('a message is masked before it is cut', async () => {
	const { failure } = await ask([answer(400, said(`${'a'.repeat(995)}${KEY}`))]);
	expect(failure?.message).toMatch(/^a{995}\*\*\*$/);
});
