import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeSettings, StageResult } from '../../helpers/support.ts';
import {
	CONTINUE,
	RETRY,
	Stage,
	byId,
	idsOf,
	inContrastingDialects,
	like,
	named,
	newDomain,
	onStage,
	outcomesIn,
	pairs,
	recordsOf,
	sentIn,
	writesIn,
} from '../../helpers/support.ts';

/** *Create or Update*: which link a row means, what is written, and what becomes of a write whose response is lost. */

const LIST = 'GET /api/urls';
const CREATE = 'POST /api/url/add';
const ASSIGN = '/api/channel/:channelid/assign/:type/:itemid';

const PARAMETERS: INodeParameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };
const ON_DOMAIN = { domain: named('name', '={{ $json.domain }}') };
const DRY = { options: { dryRun: true } };

const upsert = async (
	stage: Stage,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	settings: NodeSettings['settings'] = {},
): Promise<StageResult> =>
	await stage.link('link.upsert', { ...PARAMETERS, ...parameters }, { rows, settings });

const row = (alias: string, url = `https://example.com/${alias}`) => ({ alias, url });

/** Rows with an alias of their own. */
const rowsOf = (stage: Stage, ...names: string[]) => names.map((name) => row(stage.unique(name)));

inContrastingDialects((stage) => {
	test.each([
		['created', {}],
		['would be created', DRY],
	])('the second row of an alias is refused, unless it says the same: %s', async (made, how) => {
		const [alias, other] = [stage.unique('twice'), stage.unique('once')];
		const rows = [row(alias), row(other), row(alias), row(alias, 'https://example.com/new')];
		const result = await upsert(stage, rows, how, CONTINUE);
		expect(outcomesIn(result)).toEqual([made, made, 'unchanged', 'failed']);
		expect(result.json[3]?.error).toMatch(/^The link \S+ is already in item 1\. /);
		expect(result.json[2]).toMatchObject({ id: result.json[0]?.id ?? null, alias });
		expect(writesIn(result)).toEqual(how === DRY ? [] : [CREATE, CREATE]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }]);
	});

	test.each([
		['created', {}],
		['would be created', DRY],
	])(
		'a row that finds the link of one before it may say less, but nothing else: %s',
		async (made, how) => {
			const url = `https://example.com/${stage.unique('page')}`;
			const title = 'Spring';
			const rows = [
				{ ...row(stage.unique('first'), url), title },
				{ url, title },
				{ url },
				{ url, title: 'Autumn' },
				{ ...row(stage.unique('own'), url), title: 'Winter' },
			];
			const parameters = { mappingMode: 'autoMapInputData', ...how };
			const result = await upsert(stage, rows, parameters, CONTINUE);
			expect(outcomesIn(result)).toEqual([made, 'unchanged', 'unchanged', 'failed', made]);
			expect(result.json[3]?.error).toMatch(/^The link \S+ is already in item [12]\. /);
		},
	);

	test('a run that stops at such a row has sent nothing, and says how to see all', async () => {
		const alias = stage.unique('twice');
		const rows = [row(alias), row(alias, 'https://example.com/new'), { url: 'no address' }];
		const result = await upsert(stage, rows);
		expect(result.requests).toEqual([]);
		expect(result.error?.message).toContain(`The link ${alias} is`);
		expect(result.error?.message).toMatch(
			/ is already in item 1 \[item 2\] \(nothing was sent; 2 items have errors, which 'On Error: Continue' shows\)$/,
		);
	});

	test('rows are matched by alias, and those without one by their long URL', async () => {
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = [{ url }, row(stage.unique('a'), url), { url: `${url}?utm_source=mail` }, { url }];
		const first = await upsert(stage, rows);
		expect(outcomesIn(first)).toEqual(['created', 'created', 'created', 'unchanged']);
		const again = await upsert(stage, rows);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(idsOf(again.json)).toEqual(idsOf(first.json));
		expect(new Set(sentIn(again))).toEqual(new Set([LIST]));
	});

	test('Keep It outputs a link as it is, whatever its row says', async () => {
		const rows = rowsOf(stage, 'a', 'b');
		const first = await upsert(stage, rows);
		const changed = rows.map(({ alias }) => row(alias, 'https://example.com/changed'));
		const additionalFields = { campaignId: named('name', 'Nowhere') };
		for (const options of [{}, { dryRun: true }]) {
			const given = { ifExists: 'keep', additionalFields, options };
			const kept = await upsert(stage, changed, given);
			const links = first.json.map((link) => ({ ...link, outcome: 'unchanged', clicks: 0 }));
			expect(kept.json).toMatchObject(links);
			expect(new Set(sentIn(kept))).toEqual(new Set([LIST]));
		}
	});
});

describe('a write whose response is lost', () => {
	const stage = onStage(new Stage());

	test.each(['drop-after', 'http-503', 'cut-json'] as const)(
		'is found by the next try, or made by it, never twice: %s',
		async (kind) => {
			stage.sandbox.faults.add({ kind, path: '/api/url/add' });
			const rows = rowsOf(stage, 'a', 'b');
			const channel = await stage.make('/api/channel/add', { name: 'Mail' });
			const additionalFields = { channelId: byId(channel), createQrCode: true };
			const result = await upsert(stage, rows, { additionalFields }, RETRY);
			expect(outcomesIn(result)).toEqual(['created', 'created']);
			expect(await recordsOf(stage, '/api/urls')).toHaveLength(2);
			const links = idsOf(result.json).map((id) => stage.sandbox.stored('links', Number(id)));
			expect(links).toMatchObject([{ channel }, { channel }]);
			expect(await recordsOf(stage, '/api/qr')).toHaveLength(2);
			expect(outcomesIn(await upsert(stage, rows))).toEqual(['unchanged', 'unchanged']);
		},
	);

	test('is not sent again without an alias: nothing would refuse a second link', async () => {
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add' });
		const rows = [{ url: 'https://example.com/late' }];
		const lost = await upsert(stage, rows, {}, RETRY);
		expect(lost.error?.description).toContain('Run the workflow again');
		expect(writesIn(lost)).toEqual([CREATE]);
		expect(outcomesIn(await upsert(stage, rows))).toEqual(['unchanged']);
	});
});

describe('of links that are found', () => {
	const stage = onStage(new Stage({ aliasForm: 'as-sent', listOrder: 'desc', sameUrl: 'new' }));

	test.each([
		['R&D', 'R&D'],
		['gro\u0308ße', 'größe'],
		['%41%', 'A%'],
		['a?b#c', 'a?b#c'],
		['promo/spring', 'promo/spring'],
	])(
		'%s is found on a domain and without one as %s, after a dry run that says so',
		async (name, decoded) => {
			const [domain, alias] = [await newDomain(stage), `${name}-${stage.unique('x')}`];
			const rows = ['', domain, `${domain}/`].map((written) => ({
				...row(alias, 'https://example.com/'),
				domain: written,
			}));
			const dry = await upsert(stage, rows, { ...ON_DOMAIN, ...DRY }, CONTINUE);
			expect(outcomesIn(dry)).toEqual(['would be created', 'would be created', 'unchanged']);
			const first = await upsert(stage, rows, ON_DOMAIN, CONTINUE);
			expect(outcomesIn(first)).toEqual(['created', 'created', 'unchanged']);
			const written = alias.replace(name, decoded);
			expect(first.json.map((link) => link.alias)).toEqual(rows.map(() => written));
			const again = await upsert(stage, rows, ON_DOMAIN);
			expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		},
	);

	test('those by long URL have the same tags, and are on the domain of the row', async () => {
		const domain = await newDomain(stage);
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = [
			{ url, source: 'mail', domain: '' },
			{ url, source: 'two words & more', domain: '' },
			{ url, source: 'mail', domain },
		];
		const additionalFields = { utm: { source: '={{ $json.source }}' } };
		const given = { matchBy: 'longUrl', ...ON_DOMAIN, customAlias: '', additionalFields };
		const first = await upsert(stage, rows, given);
		expect(outcomesIn(first)).toEqual(['created', 'created', 'created']);
		const longurl = `${url}?utm_source=two%20words%20%26%20more`;
		expect(first.json[1]).toMatchObject({ longurl });
		const again = await upsert(stage, rows, given);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(idsOf(again.json)).toEqual(idsOf(first.json));
	});
});

describe('campaign and channel, where lists do not show them', () => {
	const stage = onStage(new Stage({ createReadsPlaces: 'no', readsShort: 'no' }));

	test('take a link that is written, and no other', async () => {
		const campaign = await stage.make('/api/campaign/add', { name: stage.unique('Spring') });
		const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
		const additionalFields = { campaignId: byId(campaign), channelId: byId(channel) };
		const rows = rowsOf(stage, 'a', 'b');
		const [id] = await Promise.all(
			rows.map(async ({ url, alias }) => await stage.make('/api/url/add', { url, custom: alias })),
		);
		const moved = [{ ...rows[0], url: 'https://example.com/moved' }, rows[1] ?? {}];
		const result = await upsert(stage, moved, { additionalFields });
		expect(outcomesIn(result)).toEqual(['updated', 'unchanged']);
		const assign = `POST /api/channel/${channel}/assign/links/${id}`;
		expect(sentIn(result)).toEqual([
			LIST,
			`GET /api/url/${id}`,
			`PUT /api/url/${id}/update`,
			`POST /api/campaign/${campaign}/assign/${id}`,
			assign,
		]);
		// The service refuses what is in the channel already.
		const again = await upsert(stage, [{ ...rows[0], url: 'https://example.com/again' }], {
			additionalFields,
		});
		expect(outcomesIn(again)).toEqual(['updated']);
		expect(sentIn(again).slice(-2)).toEqual([assign, `GET /api/channel/${channel}`]);
	});

	test.each([
		['created', CREATE],
		['updated', like(/^PUT /)],
	])('take a link that was %s by an earlier try', async (outcome, write) => {
		const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
		const rows = rowsOf(stage, 'a');
		if (outcome === 'updated')
			await upsert(stage, [row(stage.unique('a'), 'https://example.com/')]);
		stage.sandbox.faults.add({ kind: 'http-503', path: ASSIGN });
		const additionalFields = { channelId: byId(channel) };
		const result = await upsert(stage, rows, { additionalFields }, RETRY);
		expect(outcomesIn(result)).toEqual([outcome]);
		const assign = `POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`;
		expect(writesIn(result)).toEqual([write, assign, assign]);
	});

	test.each(['drop-after', 'http-503'] as const)(
		'that do not exist are created once a run if wanted, not in a dry run: %s',
		async (kind) => {
			const additionalFields = {
				campaignId: named('name', '={{ $json.campaign }}'),
				channelId: named('name', '={{ $json.mail }}'),
			};
			const campaigns = ['Summer', 'SUMMER'];
			const rows = rowsOf(stage, 'a', 'b').map((each, n) => ({
				...each,
				campaign: campaigns[n],
				mail: 'Mail',
			}));
			const refused = await upsert(stage, rows, { additionalFields }, CONTINUE);
			expect(refused.json[0]?.error).toMatch(/^There is no campaign "Summer"/);
			const twice = await upsert(stage, [...rows, ...rows], { additionalFields, ...DRY });
			expect(outcomesIn(twice)).toEqual(Array(4).fill('failed'));
			const options = { createMissing: true };
			const dryRun = { additionalFields, options: { ...options, dryRun: true } };
			const dry = await upsert(stage, rows, dryRun);
			expect(outcomesIn(dry)).toEqual(['would be created', 'would be created']);
			expect(await recordsOf(stage, '/api/campaigns')).toEqual([]);

			stage.sandbox.faults.add({ kind, path: '/api/campaign/add' });
			const again = { ...rows[0], campaign: 'summer' };
			const result = await upsert(stage, [...rows, again], { additionalFields, options }, RETRY);
			expect(outcomesIn(result)).toEqual(['created', 'created', 'unchanged']);
			expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
			expect(await recordsOf(stage, '/api/channels')).toHaveLength(1);
			expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(4);
		},
	);
});

test.each(['nested', 'without-id', 'short_url'] as const)(
	'the short URL that is known is kept where the answer is %s',
	async (linkAnswer) => {
		await using stage = await Stage.opened({ linkAnswer });
		const [alias, domain] = [stage.unique('a'), await newDomain(stage)];
		const [first] = (await upsert(stage, [{ ...row(alias), domain }], ON_DOMAIN)).json;
		const moved = [{ ...row(alias, 'https://example.com/new'), domain }];
		const changed = await upsert(stage, moved, ON_DOMAIN);
		const shorturl = `${domain}/${alias}`;
		expect([first, changed.json[0]]).toMatchObject([{ shorturl }, { shorturl, alias }]);
		expect(outcomesIn(changed)).toEqual(['updated']);
	},
);
