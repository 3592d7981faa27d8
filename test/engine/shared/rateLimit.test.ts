import { CHOICES } from '../../../sandbox/choices.ts';
import type { Dialect } from '../../../sandbox/dialects.ts';
import { serve } from '../../loopback.ts';
import { clock } from '../helpers/clock.ts';
import { Stage, like, onStage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** How a run, a dropdown and a credential test meet the rate limit, and what is mistaken for it. */

const PACED = { requestsPerMinute: 30 };

const CAMPAIGN = { campaignName: '={{ $json.name }}' };

test('a refusal for the rate limit, in whatever form, is waited out by a write, which is sent once more and written once', async () => {
	const forms = CHOICES.rateLimited;
	// Most of it is waiting, so all of them wait together.
	const runs = forms.map(async (rateLimited) => {
		const rateLimit = { requests: 2, windowSeconds: 1 };
		await using stage = await Stage.opened({ rateLimited, clockSkew: -4000 }, { rateLimit });
		stage.sandbox.faults.add({ kind: 'limit-exhausted', path: '/api/campaign/add' });
		const rows = ['1', '2'].map((name) => ({ name }));
		const given = { rows, credential: PACED };
		const run = await stage.link('campaign.create', CAMPAIGN, given);
		return [rateLimited, run.json.length, run.requests.length];
	});
	expect(await Promise.all(runs)).toEqual(forms.map((form) => [form, 2, 3]));
});

test('a limit that is used up for longer than people wait fails a dropdown and a credential test at once, which say until when', async () => {
	await using stage = await Stage.opened({}, { rateLimit: { requests: 1, windowSeconds: 100 } });
	const message = like(/^The rate limit of the service is used up until \d\d:\d\d:\d\d UTC/);
	await stage.api('GET /api/account');
	await expect(stage.search('searchLinks', { credential: PACED })).rejects.toMatchObject({
		message,
		description: like(/^Running workflows or other programs with the same key/),
	});
	expect(stage.sent()).toHaveLength(1);
	const tested = await stage.testCredential('linkManagement', PACED);
	expect(tested).toMatchObject({ status: 'Error', message });
});

test.each<
	[what: string, Partial<Dialect>, limit: number, pace: number, least: number, most: number]
>([
	['are two windows of 30', {}, 30, 30, 50_000, 75_000],
	['take a higher limit of the service, if nobody changed theirs', {}, 60, 30, 0, 30_000],
	['keep to a limit of their own that is lower', {}, 60, 40, 60_000, 75_000],
])('45 rows %s, and none is refused', async (_what, dialect, requests, pace, least, most) => {
	await using stage = await Stage.opened(dialect, { rateLimit: { requests, windowSeconds: 60 } });
	const rows = Array.from({ length: 45 }, (_, row) => ({ name: `Campaign ${row}` }));
	const given = { rows, credential: { requestsPerMinute: pace } };
	const from = clock();
	const run = await stage.link('campaign.create', CAMPAIGN, given);
	expect([run.json.length, run.requests.length]).toEqual([45, 45]);
	expect(clock() - from).toBeGreaterThanOrEqual(least);
	expect(clock() - from).toBeLessThan(most);
});

test('a poll leaves the last requests of a window to people', async () => {
	const rateLimit = { requests: 30, windowSeconds: 60 };
	await using stage = await Stage.opened({}, { rateLimit });
	stage.sandbox.links.addLinks(stage.linkAccount.id, 250);
	for (let others = 0; others < 28; others += 1) await stage.api('GET /api/account');
	const { linkManagementApi = {} } = stage.credentials;
	const credentials = { linkManagementApi: { ...linkManagementApi, ...PACED } };
	stage.sandbox.clearRequests();
	await triggersOf('linkManagementTrigger')({ credentials }, { event: 'linkClicked' }).activate();
	expect(stage.sent()).toHaveLength(1);
});

describe('a request without an answer', () => {
	const stage = onStage(new Stage());

	/** How long the responses to this are waited for, in ms. */
	async function waitsOf(work: () => Promise<{ error?: unknown }>): Promise<Set<number>> {
		const waits = jest.spyOn(AbortSignal, 'timeout');
		expect((await work()).error).toBeUndefined();
		const { calls } = waits.mock;
		waits.mockRestore();
		return new Set(calls.flat());
	}

	test.each([
		['account.get', {}, 'trigger', 30_000],
		['account.get', {}, 'webhook', 30_000],
		['account.get', {}, 'manual', 10_000],
		['account.get', { requestOptions: { timeout: 90_000 } }, 'manual', 90_000],
		['account.get', { requestOptions: { timeout: -1 } }, 'trigger', 30_000],
		// What no timer holds means none: 24 days.
		['account.get', { requestOptions: { timeout: 3e9 } }, 'trigger', 2 ** 31 - 1],
		['campaign.create', { campaignName: 'New' }, 'trigger', 300_000],
		['campaign.create', { campaignName: 'New' }, 'manual', 60_000],
	] as const)(
		'%s with %j, mode %s, is waited for %i ms',
		async (operation, parameters, mode, ms) => {
			const run = async () => await stage.link(operation, parameters, { mode });
			expect(await waitsOf(run)).toEqual(new Set([ms]));
		},
	);

	test('in a poll, a fifth of its 55 seconds is for one response', async () => {
		const trigger = triggersOf('linkManagementTrigger')(stage, { event: 'linkCreated' });
		const poll = async () => {
			await trigger.activate();
			return {};
		};
		expect(await waitsOf(poll)).toEqual(new Set([11_000]));
	});

	test.each([
		['manual', [{}], 5],
		['webhook', [{}], 5],
		['webhook', [{}, {}], 14],
		['trigger', [{}], 10],
	] as const)(
		'in a run of mode %s on %j, a service that is down is asked %i times',
		async (mode, rows, count) => {
			jest.spyOn(Math, 'random').mockReturnValue(0.5);
			stage.sandbox.faults.add({ kind: 'http-503', times: 99 });
			const given = { mode, rows: [...rows] };
			const { error, requests } = await stage.link('account.get', {}, given);
			jest.restoreAllMocks();
			expect(error?.message).toMatch(/^The service is not available/);
			expect(requests).toHaveLength(count);
		},
	);

	test('is waited for one minute by whoever waits for one row, if the limit is used up', async () => {
		const refused = { status: 429, body: { error: 1, message: 'Slow down' } };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/account', times: 99, ...refused });
		const before = clock();
		const { error } = await stage.link('account.get', {}, { mode: 'webhook' });
		expect(error?.message).toMatch(/rate limit/);
		expect(clock() - before).toBeLessThan(70_000);
	});

	test('is given up after the Timeout of the node, also when bytes go on coming', async () => {
		const server = await serve((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 100);
			response.on('close', () => clearInterval(drip));
		});
		const { error } = await stage.link(
			'campaign.create',
			{ campaignName: 'New', requestOptions: { timeout: 500 } },
			{ credential: { baseUrl: server.url } },
		);
		await server.stop();
		expect(error).toMatchObject({
			message: 'No response from the service: the request timed out',
			description: like(/^It may still have been carried out/),
		});
	});
});
