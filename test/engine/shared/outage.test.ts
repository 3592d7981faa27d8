import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../../../dist/nodes/shared/http/clock.js';
import type { Fault } from '../../../sandbox/faults.ts';
import { page } from '../../../sandbox/faults.ts';
import { clock, pass } from '../helpers/clock.ts';
import { CONTINUE, Stage, onStage } from '../helpers/support.ts';

/** A service that is away for a while, or does not work, in the middle of a run. */

const stage = onStage(new Stage());

/** So many creates meet this. */
const meet = (times: number, fault: Partial<Fault>) =>
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/campaign/add', times, ...fault });

/** So many creates go well. */
const goWell = (times: number) => meet(times, { kind: 'delay', milliseconds: 0 });

/** Makes campaigns, and goes on after a failure. @returns their errors */
async function makeCampaigns(count: number, credential = {}) {
	const rows = Array.from({ length: count }, (_, row) => ({ name: `Campaign ${row}` }));
	const parameters = { campaignName: '={{ $json.name }}' };
	const given = { rows, credential, settings: CONTINUE };
	const { json } = await stage.link('campaign.create', parameters, given);
	return json.map(({ error }) => error);
}

const AWAY = { kind: 'http-503' } as const;
const full = { status: 400, body: { error: 1, message: 'Your plan is full' } };

test('503 for three seconds fails few of 60 rows, and all others are written', async () => {
	goWell(20);
	meet(3, AWAY);
	const from = clock();
	const errors = await makeCampaigns(60);
	expect(errors.filter((error) => error !== undefined)).toHaveLength(3);
	expect(clock() - from).toBeGreaterThanOrEqual(3500);
	expect(stage.sent()).toHaveLength(60);
});

test.each<[what: string, fault: Partial<Fault>, sent: number, rest: RegExp]>([
	[
		'503 for a minute',
		AWAY,
		5,
		/did not respond for a minute\. Run the items that were not sent again later\.$/,
	],
	['a web page with 500', page(500), 5, /the service gave no usable response 5 times in a row\./],
	['a web page with 200', page(200), 5, /the service gave no usable response 5 times in a row\./],
	[
		'403 in odd words',
		{ status: 403, body: { error: 1, message: 'Access denied.' } },
		5,
		/the service gave no usable response 5 times in a row\. Run the items that were not sent again/,
	],
	['a plan that is full', full, 5, /refused 5 records in a row .+ plan is used up\.$/],
	[
		'429 again and again',
		{ status: 429, body: { error: 1, message: 'Monthly limit' } },
		6,
		/refused one request again and again .+ plan is used up\.$/,
	],
])('%s for every create ends the run, and the rest says so', async (_what, fault, most, rest) => {
	meet(999, fault);
	const from = clock();
	const errors = await makeCampaigns(20);
	expect(stage.sent().length).toBeLessThanOrEqual(most);
	expect(clock() - from).toBeLessThan(6 * 60_000);
	expect(errors[0]).not.toMatch(/^Not sent/);
	if (rest.source.includes('plan')) expect(errors[0]).toMatch(/plan is used up\.$/);
	expect(errors.at(-1)).toMatch(new RegExp(`^Not sent: .*${rest.source}`));
});

test.each<[what: string, fault: Partial<Fault>]>([
	['503', AWAY],
	['500', page(500)],
	['a refusal in the same words', full],
])('%s in every other create, or in four of five, ends nothing', async (_what, fault) => {
	for (const refused of [1, 4, 1, 4]) {
		goWell(1);
		meet(refused, fault);
	}
	goWell(1);
	expect(await makeCampaigns(20)).not.toContainEqual(expect.stringMatching(/^Not sent/));
	expect(stage.sent()).toHaveLength(20);
});

test('one link that never comes ends nothing while others come', async () => {
	const ids = await Promise.all(
		Array.from({ length: 20 }, async (_, row) => {
			return await stage.make('/api/url/add', { url: `https://example.com/${row}` });
		}),
	);
	const path = `/api/url/${ids[3]}`;
	stage.sandbox.faults.add({ kind: 'http-503', path, times: 999 });
	const rows = ids.map((id) => ({ id }));
	const given = { linkId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };
	const { json } = await stage.link('link.get', given, { rows, settings: CONTINUE });
	expect(json.filter(({ error }) => error !== undefined)).toHaveLength(1);
});

test('refusals that have words of their own end nothing, nor do failures between them', async () => {
	for (let row = 0; row < 20; row += 1) {
		if (row >= 10) meet(1, page(500));
		meet(1, { status: 400, body: { error: 1, message: `Name ${row} is taken` } });
	}
	expect(await makeCampaigns(30)).not.toContainEqual(expect.stringMatching(/^Not sent/));
	expect(stage.sent()).toHaveLength(30);
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
