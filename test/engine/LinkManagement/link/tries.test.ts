import {
	byId,
	CONTINUE,
	idsOf,
	inContrastingDialects,
	like,
	named,
	onStage,
	outcomesIn,
	recordsOf,
	RETRY,
	sentIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';
import { CREATE, CREATE_MISSING, sheet, storedLink, url } from './sheet.ts';

/** *Create or Update* that stops, tries again, or runs several times at once: nothing is written twice. */

const ROWS = ['a', 'b'].map((alias) => ({ url: `${url}${alias}`, alias }));

inContrastingDialects((stage) => {
	test('Keep It outputs a link as it is, whatever its row says', async () => {
		const rows = ROWS.map((row) => ({ ...row, alias: stage.unique(row.alias) }));
		const first = await sheet(stage, rows);
		const changed = rows.map(({ alias }) => ({ url: `${url}changed`, alias, Campaign: 'Nowhere' }));
		for (const options of [{}, { dryRun: true }]) {
			const kept = await sheet(stage, changed, { ifExists: 'keep', options });
			expect(idsOf(kept.json)).toEqual(idsOf(first.json));
			expect(kept.json).toMatchObject(
				rows.map((row) => ({ outcome: 'unchanged', longurl: row.url, clicks: 0 })),
			);
			expect(new Set(sentIn(kept))).toEqual(new Set(['GET /api/urls']));
		}
	});
});

describe('a try', () => {
	const stage = onStage(new Stage());
	const again = { settings: { ...CONTINUE, ...RETRY } };

	test('that stops at a second row about a link has sent nothing, and says how to see all', async () => {
		const rows = [...ROWS.slice(0, 1), { url: `${url}new`, alias: 'a' }, { url: 'no address' }];
		const result = await sheet(stage, rows, {}, { settings: {} });
		expect(result.requests).toEqual([]);
		expect(result.error?.message).toMatch(
			/^The link a is already in item 1 \[item 2\] \(nothing was sent; 2 items have errors, which 'On Error: Continue' shows\)$/,
		);
	});

	test('after the first still refuses such a row', async () => {
		const alias = stage.unique('sale');
		const rows = [
			{ url, alias },
			{ url: `${url}other`, alias: alias.toUpperCase() },
		];
		stage.sandbox.faults.add({ kind: 'http-503', path: '/api/url/add' });
		const result = await sheet(stage, rows, {}, again);
		expect(outcomesIn(result)).toEqual(['created', 'failed']);
		expect(storedLink(stage, result.json[0]?.id).longurl).toBe(url);
	});

	test.each(['drop-after', 'http-503', 'cut-json'] as const)(
		'finds what the one before has made, or makes it, never twice: %s',
		async (kind) => {
			stage.sandbox.faults.add({ kind, path: '/api/url/add' });
			const rows = ROWS.map((row) => ({ ...row, alias: stage.unique(row.alias) }));
			const channel = await stage.make('/api/channel/add', { name: 'Mail' });
			const additionalFields = { channelId: byId(channel), createQrCode: true };
			const result = await sheet(stage, rows, { additionalFields }, again);
			expect(outcomesIn(result)).toEqual(['created', 'created']);
			expect(await recordsOf(stage, '/api/urls')).toHaveLength(2);
			const links = idsOf(result.json).map((id) => storedLink(stage, id));
			expect(links).toMatchObject([{ channel }, { channel }]);
			expect(await recordsOf(stage, '/api/qr')).toHaveLength(2);
			expect(outcomesIn(await sheet(stage, rows))).toEqual(['unchanged', 'unchanged']);
		},
	);

	test('does not repeat a create without an alias: nothing would refuse a second link', async () => {
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add' });
		const lost = await sheet(stage, [{ url: `${url}late` }], {}, again);
		expect(lost.json).toMatchObject([{ error: like(/Run the workflow again/) }]);
		expect(writesIn(lost)).toEqual([CREATE]);
		expect(outcomesIn(await sheet(stage, [{ url: `${url}late` }]))).toEqual(['unchanged']);
	});
});

describe('three executions or tool calls at once', () => {
	// All three have read the whole list before one of them writes.
	const stage = onStage(new Stage({ readsShort: 'no' }));

	async function atOnce(...aliases: string[]) {
		stage.sandbox.faults.add({ kind: 'delay', milliseconds: 50, times: 99 });
		const additionalFields = {
			campaignId: named('name', 'Spring'),
			channelId: named('name', 'News'),
		};
		const runs = aliases.map(async (customAlias) => {
			const parameters = { url, customAlias, additionalFields, ...CREATE_MISSING };
			return await stage.link('link.upsert', parameters, { settings: CONTINUE });
		});
		return (await Promise.all(runs)).flatMap(outcomesIn);
	}

	test.each([
		[['one', 'two', 'three'], 3],
		[['same', 'same', 'same'], 1],
	])('make one campaign and channel of a name, and one link of an alias: %j', async (...given) => {
		const [aliases, links] = given;
		const outcomes = await atOnce(...aliases);
		expect(outcomes).not.toContain('failed');
		expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(links);
		expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
		expect(await recordsOf(stage, '/api/channels')).toHaveLength(1);
		expect(await recordsOf(stage, '/api/urls')).toHaveLength(links);
	});
});
