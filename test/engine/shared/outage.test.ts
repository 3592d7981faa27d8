import type { Fault } from '../../../sandbox/faults.ts';
import { page } from '../../../sandbox/faults.ts';
import { clock } from '../helpers/clock.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** A service that is away for a while, or does not work, in the middle of a run. */

const stage = onStage(new Stage());

/** Makes campaigns, and goes on after a failure. */
async function makeCampaigns(count: number) {
	const rows = Array.from({ length: count }, (_, row) => ({ name: `Campaign ${row}` }));
	const given = { rows, settings: { onError: 'continueRegularOutput' as const } };
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
