import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { addAbortSignal } from 'node:stream';

import { CHOICES } from '../../sandbox/dialects.ts';
import { testCredential } from './engine.ts';
import { Stage, byId, like, onStage } from './support.ts';

/** How a run, a dropdown and a credential test meet the rate limit, and what is mistaken for it. */

const PACED = { requestsPerMinute: 30 };
const NEXT_HOUR = { requests: 1, windowSeconds: 3600 };
const USED_UP = like(/^The rate limit of the link service is used up until \d\d:\d\d:\d\d UTC/);

describe.each(CHOICES.rateLimited.values)('a refusal for the rate limit as %s', (rateLimited) => {
	const rateLimit = { requests: 2, windowSeconds: 1 };
	const stage = onStage(new Stage({ rateLimited, clockSkew: -4000 }, { rateLimit }));

	test('is waited out by a write, which is sent once more and written once', async () => {
		stage.sandbox.faults.add({ kind: 'limit-exhausted', path: '/api/url/add' });
		const { json, requests } = await stage.link(
			'link.create',
			{ url: '={{ $json.url }}', additionalFields: {} },
			{
				rows: [{ url: 'https://example.com/1' }, { url: 'https://example.com/2' }],
				credential: PACED,
			},
		);
		expect(json).toHaveLength(2);
		expect(requests).toHaveLength(3);
	});
});

describe.each(['http200', 'http4xx'] as const)(
	'where failures come as %s, words of the user that look like another failure',
	(failureStatus) => {
		const stage = onStage(new Stage({ failureStatus }));
		const ALIASES = ['rate-limit', 'too-many-requests', 'api-key', 'unauthorized'];

		test('fail their own row alone, at once', async () => {
			const row = (alias: string) => ({ url: 'https://example.com/', alias });
			const rows = ALIASES.flatMap((alias) => [row(alias), row(alias)]);
			const { json, requests } = await stage.link(
				'link.create',
				{ url: '={{ $json.url }}', additionalFields: { customAlias: '={{ $json.alias }}' } },
				{ rows, settings: { onError: 'continueRegularOutput' } },
			);
			expect(requests).toHaveLength(rows.length);
			expect(json.map(({ error }) => error)).toEqual(
				ALIASES.flatMap((alias) => [undefined, like(new RegExp(`^The alias ${alias} is`))]),
			);
		});
	},
);

describe('a limit that is used up for an hour', () => {
	const stage = onStage(new Stage({}, { rateLimit: NEXT_HOUR }));

	test('fails a dropdown at once, which says until when', async () => {
		await stage.api('GET /api/account');
		await expect(stage.search('searchLinks', { credential: PACED })).rejects.toMatchObject({
			message: USED_UP,
			description: like(/^Workflows that are running, or other programs with the same key/),
		});
		expect(stage.sent()).toHaveLength(1);
	});

	test('fails a credential test at once, which says so, too', async () => {
		await stage.api('GET /api/account');
		const data = { ...stage.credentials.linkManagementApi, ...PACED };
		expect(await testCredential('linkManagement', 'linkManagementApi', data)).toMatchObject({
			status: 'Error',
			message: USED_UP,
		});
	});
});

test.each(['-1', '2,5', '10 per minute'])(
	'%s requests per minute are refused by a credential test',
	async (requestsPerMinute) => {
		const data = { baseUrl: 'https://links.example.com', apiKey: 'key', requestsPerMinute };
		expect(await testCredential('linkManagement', 'linkManagementApi', data)).toEqual({
			status: 'Error',
			message: `Requests per Minute must be a number from 0 up, but is "${requestsPerMinute}". Enter a whole number in the credential, or 0 for as fast as possible.`,
		});
	},
);

describe('a request without an answer', () => {
	const stage = onStage(new Stage());

	test('holds back what else is sent with its key for 10 seconds at most', async () => {
		const id = await stage.make('/api/url/add', { url: 'https://example.com/' });
		stage.sandbox.faults.add({ kind: 'delay', milliseconds: 14_000, path: '/api/account' });
		const start = Date.now();
		const silent = stage.link('account.get', {}, { credential: PACED });
		const { json } = await stage.link('link.get', { linkId: byId(id) }, { credential: PACED });
		expect(json).toHaveLength(1);
		expect(Date.now() - start).toBeLessThan(12_000);
		expect((await silent).json).toHaveLength(1);
	});

	test.each([
		['account.get', {}, 30_000],
		['link.create', { url: 'https://example.com/', additionalFields: {} }, 300_000],
		['account.get', { requestOptions: { timeout: 90_000 } }, 90_000],
	] as const)('%s with %j is waited for %i ms', async (operation, parameters, milliseconds) => {
		const waits = jest.spyOn(AbortSignal, 'timeout');
		const { error } = await stage.link(operation, parameters);
		const { calls } = waits.mock;
		waits.mockRestore();
		expect(error).toBeUndefined();
		expect(calls).toEqual([[milliseconds]]);
	});

	test('is given up after the Timeout of the node, also when bytes go on coming', async () => {
		const stop = new AbortController();
		const server = createServer((socket) => {
			addAbortSignal(stop.signal, socket);
			socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
			const drip = setInterval(() => socket.write(' '), 100);
			socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
		});
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		const { port } = server.address() as AddressInfo;
		const { error } = await stage.link(
			'link.create',
			{ url: 'https://example.com/', additionalFields: {}, requestOptions: { timeout: 500 } },
			{ credential: { baseUrl: `http://127.0.0.1:${port}` } },
		);
		server.close();
		stop.abort();
		expect(error).toMatchObject({
			message: 'No answer from the link service: no answer came in time',
			description: like(/^It may have been carried out all the same/),
		});
	});
});
