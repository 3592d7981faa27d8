import { CONTINUE, named, onStage, outcomesIn, recordsOf, Stage } from '../../helpers/support.ts';

/** Executions and tool calls at the same time. */

// All three have read the whole list before one of them writes.
const stage = onStage(new Stage({ readsShort: 'no' }));
const url = 'https://example.com/';

/** Three at once. Each reads what is there before any of them writes. */
async function atOnce(parametersOf: (n: number) => Parameters<typeof stage.link>[1]) {
	stage.sandbox.faults.add({ kind: 'delay', milliseconds: 50, times: 99 });
	const runs = [0, 1, 2].map(async (n) =>
		stage.link('link.upsert', parametersOf(n), { settings: CONTINUE }),
	);
	return await Promise.all(runs);
}

test('make one campaign and one channel of a name', async () => {
	const additionalFields = {
		campaignId: named('name', 'Spring'),
		channelId: named('name', 'News'),
	};
	const results = await atOnce((n) => ({
		url: `${url}${n}`,
		customAlias: `at-once-${n}`,
		additionalFields,
		options: { createMissing: true },
	}));
	expect(results.flatMap(outcomesIn)).toEqual(['created', 'created', 'created']);
	expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
	expect(await recordsOf(stage, '/api/channels')).toHaveLength(1);
});

test('of several campaigns of one name, the oldest is used', async () => {
	const oldest = await stage.make('/api/campaign/add', { name: 'Twice' });
	await stage.make('/api/campaign/add', { name: 'Twice' });
	const { json } = await stage.link('link.upsert', {
		url,
		additionalFields: { campaignId: named('name', 'Twice') },
		options: { createMissing: true },
	});
	expect(stage.sandbox.stored('links', json[0]?.id)).toMatchObject({ campaign: oldest });
});

test('make one link of an alias, and the others find it', async () => {
	const results = await atOnce(() => ({ url, customAlias: 'same' }));
	expect(results.flatMap(outcomesIn).sort()).toEqual(['created', 'unchanged', 'unchanged']);
	expect(await recordsOf(stage, '/api/urls')).toHaveLength(1);
});
