import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../../../dist/nodes/shared/http/clock.js';
import type { Fault } from '../../../sandbox/faults.ts';
import { page } from '../../../sandbox/faults.ts';
import { clock, pass } from '../helpers/clock.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** A service that is away for a while, or does not work, in the middle of a run. */

const stage = onStage(new Stage());

/** Makes campaigns, and goes on after a failure. */
async function makeCampaigns(count: number, credential = {}) {
	const rows = Array.from({ length: count }, (_, row) => ({ name: `Campaign ${row}` }));
	const given = { rows, credential, settings: { onError: 'continueRegularOutput' as const } };
	const { json } = await stage.link(
		'campaign.create',
		{ campaignName: '={{ $json.name }}' },
		given,
	);
	return json.map(({ error }) => error);
}

test('503 for three seconds fails few of 60 rows, and all others are written', async () => {
	stage.sandbox.faults.add({ kind: 'delay', milliseconds: 0, times: 20 });
	stage.sandbox.faults.add({ kind: 'http-503', times: 3 });
	const from = clock();
	const errors = await makeCampaigns(60);
	expect(errors.filter((error) => error !== undefined)).toHaveLength(3);
	expect(clock() - from).toBeGreaterThanOrEqual(3500);
	expect(stage.sent()).toHaveLength(60);
});

test.each(['account.get', 'link.getAll', 'campaign.getAll'])('%s asks again', async (operation) => {
	stage.sandbox.faults.add({ kind: 'http-503' });
	const { error, requests } = await stage.link(operation);
	expect([error, requests.length]).toEqual([undefined, 2]);
});

test('a service that stays away for a minute ends the run, and the rest says so', async () => {
	stage.sandbox.faults.add({ kind: 'http-503', times: 999 });
	const errors = await makeCampaigns(60);
	expect(stage.sent().length).toBeLessThan(12);
	expect(errors.at(-1)).toBe(
		'Not sent: the service did not respond for a minute. Run the items that were not sent again later.',
	);
});

test.each<[what: string, fault: Partial<Fault>]>([
	['500', page(500)],
	['200', page(200)],
])('a web page with %s for every write ends the run at the fifth', async (_status, fault) => {
	stage.sandbox.faults.add({ kind: 'respond', times: 999, ...fault });
	const errors = await makeCampaigns(8);
	expect(stage.sent()).toHaveLength(5);
	expect(errors[4]).toMatch(/It may still have been carried out/);
	expect(errors[5]).toMatch(/^Not sent: the service gave no usable response 5 times in a row\./);
});

test('a refused connection wrote nothing, so a write waits until the service is back', async () => {
	const server = createServer((_request, response) => response.end('{"error":0,"id":1}'));
	const listen = async (port: number): Promise<AddressInfo> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return server.address() as AddressInfo;
	};
	const { port } = await listen(0);
	server.close();
	const pauses = jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
		await new Promise((turn) => setImmediate(turn));
		pass(milliseconds);
		if (!server.listening && milliseconds > 3000) await listen(port);
	});
	const errors = await makeCampaigns(2, { baseUrl: `http://127.0.0.1:${port}` });
	pauses.mockRestore();
	server.closeAllConnections();
	server.close();
	expect(errors).toEqual([undefined, undefined]);
});

describe('a plan that is used up', () => {
	const full = { status: 400, body: { error: 1, message: 'Your plan is full' } };

	test('ends the run at the fifth create that is refused in the same words', async () => {
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/campaign/add', times: 99, ...full });
		const errors = await makeCampaigns(8);
		expect(stage.sent()).toHaveLength(5);
		expect(errors[5]).toMatch(/^Not sent: .+ refused 5 records in a row .+ plan is used up\.$/);
	});

	test('is no reason for one that was refused before another was created', async () => {
		for (const skips of [4, 1]) {
			stage.sandbox.faults.add({ kind: 'respond', path: '/api/campaign/add', times: 4, ...full });
			stage.sandbox.faults.add({ kind: 'delay', milliseconds: 0, times: skips });
		}
		expect(await makeCampaigns(14)).not.toContainEqual(expect.stringMatching(/^Not sent/));
	});

	test('is waited for only some minutes if it is a rate limit', async () => {
		const refused = { status: 429, body: { error: 1, message: 'Monthly limit' } };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/campaign/add', times: 99, ...refused });
		const from = clock();
		const errors = await makeCampaigns(3);
		expect(clock() - from).toBeLessThan(6 * 60_000);
		expect(errors[2]).toMatch(/^Not sent: .+ plan is used up\.$/);
	});
});
