import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { createSend } from '../../../../dist/nodes/shared/http/request.js';
import type { HttpResponse } from '../../../../dist/nodes/shared/http/response.js';
import { toFailure } from '../../../../dist/nodes/shared/values/failure.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What the engine tests cannot see of a request that is sent again: n8n's log, and odd turns. */

const KEY = 'k3y/with+signs';

const answer = (statusCode: number, message = '', headers: IDataObject = {}): HttpResponse => ({
	statusCode,
	headers,
	body: { error: statusCode === 200 ? 0 : 1, id: 1, message },
});
const networkError = (code: string): Error => Object.assign(new Error(`Odd ${KEY}`), { code });

/** Gives the answers in turn, the last one for good, and says how the request ended. */
async function ask(answers: Array<HttpResponse | Error>, isSafe?: boolean) {
	const time = new VirtualTime();
	const start = time.now();
	const logged: string[] = [];
	let requests = 0;
	const credential = { baseUrl: 'https://a.example', apiKey: KEY, requestsPerMinute: 0 };
	const connection: Connection = {
		...connectionWith(linkService, credential, async () => await Promise.resolve()),
		clock: time,
		limiter: new RateLimiter(time),
		logger: { info: (line) => void logged.push(line) },
		async sendOnce() {
			const next = answers[Math.min(requests, answers.length - 1)] ?? answer(200);
			requests += 1;
			return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(next));
		},
	};
	const send = createSend(connection, { urgent: false, isSafe });
	const sent = send({ method: 'GET', path: '/api/urls' }).then(() => undefined, toFailure);
	const failure = await time.run(sent);
	return { requests, waited: time.now() - start, logged, failure };
}

test('the log of n8n says what is sent again and why a request waits, without the key', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const { logged } = await ask([
		networkError('ECONNRESET'),
		answer(429, `Slow, ${KEY}`),
		answer(200),
	]);
	jest.restoreAllMocks();
	const request = 'linkManagementApi: GET /api/urls';
	expect(logged).toEqual([
		`${request} is sent again: No response from the service: the connection was closed before the response`,
		`${request} is sent again: Slow, ***`,
		`${request} waited 60 s for the rate limit`,
	]);
});

test('a message is masked before it is cut', async () => {
	const { failure } = await ask([answer(400, `${'a'.repeat(995)}${KEY}`)]);
	expect(failure?.message).toMatch(/^a{995}\*\*\*$/);
});

test('the rate limit does not count for the minute in which a read is tried', async () => {
	const refusal = answer(429, '', { 'retry-after': '90' });
	expect(await ask([refusal, answer(503), answer(200)])).toMatchObject({
		requests: 3,
		failure: undefined,
	});
});

test('a read is tried for a minute; a write that waited that long for the limit is not', async () => {
	const read = await ask([answer(503)]);
	expect(read.failure).toMatchObject({ kind: 'unavailable', isTriedOut: true });
	const written = await ask([answer(429, '', { 'retry-after': '90' }), answer(503)], false);
	expect(written.failure).toMatchObject({ kind: 'unavailable', isTriedOut: false });
});

test('an error of this machine is no missing response: a read is not sent again, and of a write, nobody knows', async () => {
	const error = networkError('ERR_INVALID_THING');
	const { failure, requests } = await ask([error]);
	expect(requests).toBe(1);
	expect(failure).toMatchObject({ kind: 'unexpected', outcomeUnknown: false });
	expect(failure?.message).toMatch(/^The request could not be sent, .*: Odd \*\*\*$/);
	expect((await ask([error], false)).failure?.outcomeUnknown).toBe(true);
});
