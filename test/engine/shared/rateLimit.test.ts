import { mapIn, recordsIn } from '../../../dist/nodes/shared/values/json.js';
import { CHOICES } from '../../../sandbox/dialects.ts';
import { serve } from '../../loopback.ts';
import { clock } from '../helpers/clock.ts';
import { testCredential } from '../helpers/engine.ts';
import { Stage, like, onStage, textOf } from '../helpers/support.ts';

/** How a run, a dropdown and a credential test meet the rate limit, and what is mistaken for it. */

const PACED = { requestsPerMinute: 30 };
const LONG = { requests: 1, windowSeconds: 3000 };
const USED_UP = like(/^The rate limit of the service is used up until \d\d:\d\d:\d\d UTC/);

describe('a refusal for the rate limit, in whatever form', () => {
	test('is waited out by a write, which is sent once more and written once', async () => {
		const forms = CHOICES.rateLimited;
		// Most of it is waiting, so all of them wait together.
		const runs = forms.map(async (rateLimited) => {
			const rateLimit = { requests: 2, windowSeconds: 1 };
			await using stage = await Stage.opened({ rateLimited, clockSkew: -4000 }, { rateLimit });
			stage.sandbox.faults.add({ kind: 'limit-exhausted', path: '/api/url/add' });
			const rows = ['1', '2'].map((name) => ({ url: `https://example.com/${name}` }));
			const given = { rows, credential: PACED };
			const run = await stage.link('link.create', { url: '={{ $json.url }}' }, given);
			return [rateLimited, run.json.length, run.requests.length];
		});
		expect(await Promise.all(runs)).toEqual(forms.map((form) => [form, 2, 3]));
	});
});

describe('a refusal that says only Retry-After', () => {
	test('is waited out for so long, not for a whole window', async () => {
		const sentAt: number[] = [];
		const server = await serve((_request, response) => {
			sentAt.push(clock());
			const isRefused = sentAt.length === 1;
			response.writeHead(isRefused ? 429 : 200, {
				'Content-Type': 'application/json',
				...(isRefused ? { 'Retry-After': '7' } : {}),
			});
			response.end(JSON.stringify(isRefused ? { error: 1, message: 'Slow down' } : { data: {} }));
		});
		await using stage = await Stage.opened();
		const { error } = await stage.link('account.get', {}, { credential: { baseUrl: server.url } });
		await server.stop();
		expect(error).toBeUndefined();
		const [refusedAt = 0, answeredAt = 0] = sentAt;
		expect(answeredAt - refusedAt).toBeGreaterThanOrEqual(7000);
		expect(answeredAt - refusedAt).toBeLessThan(10_000);
	});
});

describe('a limit that is used up for long', () => {
	const stage = onStage(new Stage({}, { rateLimit: LONG }));

	test('fails a dropdown at once, which says until when', async () => {
		await stage.api('GET /api/account');
		await expect(stage.search('searchLinks', { credential: PACED })).rejects.toMatchObject({
			message: USED_UP,
			description: like(/^Running workflows or other programs with the same key/),
		});
		expect(stage.sent()).toHaveLength(1);
	});

	test('ends a search with what it has found, and scrolling says until when', async () => {
		const rateLimit = { ...LONG, requests: 4 };
		await using paged = await Stage.opened({ maxLimit: '25' }, { rateLimit });
		paged.sandbox.links.addLinks(paged.linkAccount.id, 90);
		const { data } = await paged.api('GET /api/urls');
		const [first] = recordsIn(mapIn(data).urls);
		const search = { credential: PACED, filter: textOf(first?.alias) };
		const { results, paginationToken = '' } = await paged.search('searchLinks', search);
		expect(results.map(({ value }) => value)).toEqual([Number(first?.id)]);
		const more = paged.search('searchLinks', { ...search, paginationToken });
		await expect(more).rejects.toMatchObject({ message: USED_UP });
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

describe('of a window of 30 requests,', () => {
	/** @returns how many seconds the work takes, in a window of its own */
	async function secondsOf(work: (stage: Stage) => Promise<unknown>): Promise<number> {
		const rateLimit = { requests: 30, windowSeconds: 60 };
		await using stage = await Stage.opened({ maxLimit: '25' }, { rateLimit });
		stage.sandbox.links.addLinks(stage.linkAccount.id, 500);
		const from = clock();
		await work(stage);
		return (clock() - from) / 1000;
	}
	const create = (count: number) => async (stage: Stage) => {
		const rows = Array.from({ length: count }, (_, row) => ({ url: `https://example.com/${row}` }));
		const given = { rows, credential: PACED };
		const { json } = await stage.link('link.create', { url: '={{ $json.url }}' }, given);
		expect([json.length, stage.sent().length]).toEqual([count, count]);
	};

	test('a run of 30 rows takes all', async () => {
		expect(await secondsOf(create(30))).toBeLessThan(15);
	});

	test('a run of 45 rows takes a second window, and spreads the rest of the first', async () => {
		expect(await secondsOf(create(45))).toBeLessThan(75);
	});

	test('a list of 20 pages takes them at once', async () => {
		const seconds = await secondsOf(async (stage) => {
			const given = { credential: PACED };
			const { json, requests } = await stage.link('link.getAll', { returnAll: true }, given);
			expect([json.length, requests.length]).toEqual([500, 20]);
		});
		expect(seconds).toBeLessThan(6);
	});
});

describe('a request without an answer', () => {
	const stage = onStage(new Stage());

	test.each([
		['account.get', {}, 30_000],
		['link.create', { url: 'https://example.com/', additionalFields: {} }, 300_000],
		['account.get', { requestOptions: { timeout: 90_000 } }, 90_000],
		['account.get', { requestOptions: { timeout: 0 } }, 30_000],
		['account.get', { requestOptions: { timeout: -1 } }, 30_000],
	] as const)('%s with %j is waited for %i ms', async (operation, parameters, milliseconds) => {
		const waits = jest.spyOn(AbortSignal, 'timeout');
		const { error } = await stage.link(operation, parameters);
		const { calls } = waits.mock;
		waits.mockRestore();
		expect(error).toBeUndefined();
		expect(calls).toEqual([[milliseconds]]);
	});

	test.each(['account.get', 'link.create'])(
		'%s is waited for ten seconds if a person watches the run',
		async (operation) => {
			const waits = jest.spyOn(AbortSignal, 'timeout');
			await stage.link(operation, { url: 'https://example.com/' }, { mode: 'manual' });
			const { calls } = waits.mock;
			waits.mockRestore();
			expect(calls).toEqual([[10_000]]);
		},
	);

	test.each([
		['manual', 5],
		['trigger', 10],
	] as const)(
		'in a run of mode %s, a service that is down is asked %i times',
		async (mode, count) => {
			jest.spyOn(Math, 'random').mockReturnValue(0.5);
			stage.sandbox.faults.add({ kind: 'http-503', times: 99 });
			const { error, requests } = await stage.link('account.get', {}, { mode });
			jest.restoreAllMocks();
			expect(error?.message).toMatch(/^The service is not available/);
			expect(requests).toHaveLength(count);
		},
	);

	test('is given up after the Timeout of the node, also when bytes go on coming', async () => {
		const server = await serve((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 100);
			response.on('close', () => clearInterval(drip));
		});
		const { error } = await stage.link(
			'link.create',
			{ url: 'https://example.com/', requestOptions: { timeout: 500 } },
			{ credential: { baseUrl: server.url } },
		);
		await server.stop();
		expect(error).toMatchObject({
			message: 'No response from the service: the request timed out',
			description: like(/^It may still have been carried out/),
		});
	});
});
