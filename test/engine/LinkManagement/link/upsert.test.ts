import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../../sandbox/faults.ts';
import type { StageResult } from '../../helpers/support.ts';
import {
	Stage,
	byId,
	inContrastingDialects,
	like,
	onStage,
	pairs,
	recordsOf,
} from '../../helpers/support.ts';

/** *Create or Update*: which link a row means, what is written, and what becomes of a write whose response is lost. */

const LIST = 'GET /api/urls';
const CREATE = 'POST /api/url/add';
const DOMAINS = 'GET /api/domains';

const PARAMETERS: INodeParameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };
const ON_DOMAIN = { domain: { __rl: true, mode: 'name', value: '={{ $json.domain }}' } };
const BY_URL = { matchBy: 'longUrl' };
const KEEP = { ifExists: 'keep' };
const DRY = { options: { dryRun: true } };
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

async function upsert(
	stage: Stage,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	settings = {},
): Promise<StageResult> {
	return await stage.link('link.upsert', { ...PARAMETERS, ...parameters }, { rows, settings });
}

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const outcomesIn = ({ json }: StageResult): unknown[] => json.map(({ outcome }) => outcome);
const row = (alias: string, url = `https://example.com/${alias}`) => ({ alias, url });

async function newDomain(stage: Stage): Promise<string> {
	const domain = `https://${stage.unique('go')}.example.com`;
	await stage.make('/api/domain/add', { domain });
	return domain;
}

inContrastingDialects((stage) => {
	test('the second row of an alias is refused, unless it says the same; a dry run says so before', async () => {
		const [alias, other] = [stage.unique('twice'), stage.unique('once')];
		const rows = [row(alias), row(other), row(alias), row(alias, 'https://example.com/new')];
		const refused = like(/^The link \S+ is already in item 1\. /);
		const dry = await upsert(stage, rows, DRY, CONTINUE);
		expect(outcomesIn(dry)).toEqual([
			'would be created',
			'would be created',
			'unchanged',
			'failed',
		]);
		expect(dry.json[3]?.error).toEqual(refused);
		const result = await upsert(stage, rows, {}, CONTINUE);
		expect(outcomesIn(result)).toEqual(['created', 'created', 'unchanged', 'failed']);
		expect(result.json[3]?.error).toEqual(refused);
		expect(result.json[2]).toMatchObject({ id: result.json[0]?.id, alias });
		expect(sentIn(result).filter((request) => request !== LIST)).toEqual([CREATE, CREATE]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }]);
	});

	test('rows are matched by alias, and those without one by their long URL', async () => {
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = [{ url }, row(stage.unique('a'), url), { url: `${url}?utm_source=mail` }, { url }];
		const first = await upsert(stage, rows);
		expect(outcomesIn(first)).toEqual(['created', 'created', 'created', 'unchanged']);
		const again = await upsert(stage, rows);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(again.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id));
		expect(sentIn(again).filter((request) => request !== LIST)).toEqual([]);
	});

	test('Keep It outputs a link as it is', async () => {
		const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
		const first = await upsert(stage, rows);
		const changed = rows.map(({ alias }) => row(alias, 'https://example.com/changed'));
		const kept = await upsert(stage, changed, KEEP);
		expect(kept.json).toEqual(
			first.json.map((link) => ({ ...link, outcome: 'unchanged', clicks: 0 })),
		);
		expect(sentIn(kept).filter((request) => request !== LIST)).toEqual([]);
	});
});

describe('a write whose response is lost', () => {
	const stage = onStage(new Stage());

	test.each<[FaultKind]>([['drop-after'], ['http-503'], ['cut-json']])(
		'is found by the next try, or made by it, never twice: %s',
		async (kind) => {
			stage.sandbox.faults.add({ kind, method: 'POST', path: '/api/url/add' });
			const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
			const channel = await stage.make('/api/channel/add', { name: 'Mail' });
			const additionalFields = { channelId: byId(channel), createQrCode: true };
			const result = await upsert(stage, rows, { additionalFields }, RETRY);
			expect(outcomesIn(result)).toEqual(['created', 'created']);
			expect(await recordsOf(stage, '/api/urls')).toHaveLength(2);
			const links = result.json.map(({ id }) => stage.sandbox.stored('links', Number(id)));
			expect(links).toMatchObject([{ channel }, { channel }]);
			expect(await recordsOf(stage, '/api/qr')).toHaveLength(2);
			expect(outcomesIn(await upsert(stage, rows))).toEqual(['unchanged', 'unchanged']);
		},
	);

	test('is not sent again without an alias: nothing would refuse a second link', async () => {
		stage.sandbox.faults.add({ kind: 'drop-after', method: 'POST', path: '/api/url/add' });
		const rows = [{ url: 'https://example.com/late' }];
		const lost = await upsert(stage, rows, {}, RETRY);
		expect(lost.error?.description).toContain('Run the workflow again');
		expect(sentIn(lost).filter((request) => request === CREATE)).toHaveLength(1);
		expect(outcomesIn(await upsert(stage, rows))).toEqual(['unchanged']);
	});
});

describe('an alias', () => {
	const stage = onStage(new Stage({ aliasForm: 'as-sent', listOrder: 'desc', sameUrl: 'new' }));

	test('without a domain is never that of a link on a branded one', async () => {
		const [domain, alias] = [await newDomain(stage), stage.unique('spring')];
		const rows = [
			{ ...row(alias, 'https://example.com/branded'), domain },
			{ ...row(alias, 'https://example.com/own'), domain: '' },
		];
		const first = await upsert(stage, rows, ON_DOMAIN);
		expect(outcomesIn(first)).toEqual(['created', 'created']);
		expect(sentIn(first).filter((request) => request !== LIST)).toEqual([CREATE, DOMAINS, CREATE]);
		const again = await upsert(stage, rows.toReversed(), ON_DOMAIN);
		expect(outcomesIn(again)).toEqual(['unchanged', 'unchanged']);
		expect(again.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id).toReversed());
	});

	test('is found on the own domain behind a newer link of that alias on a branded one', async () => {
		const [domain, alias] = [await newDomain(stage), stage.unique('spring')];
		const url = 'https://example.com/own';
		const id = await stage.make('/api/url/add', { url, custom: alias });
		stage.sandbox.links.addLinks(stage.linkAccount.id, 150, 0);
		await stage.make('/api/url/add', { url, custom: alias, domain });
		const { json } = await upsert(stage, [row(alias)]);
		expect(json).toMatchObject([{ outcome: 'updated', id }]);
	});

	test('that the link has is not sent, also if the list does not show it', async () => {
		const alias = stage.unique('spring');
		await upsert(stage, [row(alias)]);
		const change = (body: string) => body.replaceAll('"alias"', '"slug"');
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', change });
		const result = await upsert(stage, [row(alias, 'https://example.com/new')]);
		expect(outcomesIn(result)).toEqual(['updated']);
		const written = result.requests.find(({ request }) => request.startsWith('PUT '));
		expect(written?.body).not.toHaveProperty('custom');
	});

	test('is found on the own domain of a service whose API has another host', async () => {
		const rows = [row(stage.unique('spring'))];
		const baseUrl = stage.sandbox.linkUrl.replace('127.0.0.1', 'localhost');
		for (const outcome of ['created', 'unchanged']) {
			const result = await stage.link('link.upsert', PARAMETERS, { rows, credential: { baseUrl } });
			expect(outcomesIn(result)).toEqual([outcome]);
		}
	});

	test.each(['R&D', 'gro\u0308ße', '%41%', 'a?b#c', 'promo/spring'])(
		'%s is found on a domain and without one, after a dry run that says so',
		async (name) => {
			const [domain, alias] = [await newDomain(stage), `${name}-${stage.unique('x')}`];
			const rows = ['', domain, `${domain}/`].map((written) => ({
				...row(alias, 'https://example.com/'),
				domain: written,
			}));
			const dry = await upsert(stage, rows, { ...ON_DOMAIN, ...DRY }, CONTINUE);
			expect(outcomesIn(dry)).toEqual(['would be created', 'would be created', 'unchanged']);
			const first = await upsert(stage, rows, ON_DOMAIN, CONTINUE);
			expect(outcomesIn(first)).toEqual(['created', 'created', 'unchanged']);
			expect(first.json.map((link) => link.alias)).toEqual(rows.map(() => alias));
			const again = await upsert(stage, rows, ON_DOMAIN);
			expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		},
	);
});

describe('by long URL', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain', sameUrl: 'new' }));

	test('links are found with their tags, on their domain', async () => {
		const domain = await newDomain(stage);
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = [
			{ url, source: 'mail', domain: '' },
			{ url, source: 'two words & more', domain: '' },
			{ url, source: 'mail', domain },
		];
		const additionalFields = { utm: { source: '={{ $json.source }}' } };
		const parameters = { ...BY_URL, ...ON_DOMAIN, customAlias: '', additionalFields };
		const first = await upsert(stage, rows, parameters);
		expect(outcomesIn(first)).toEqual(['created', 'created', 'created']);
		expect(first.json[1]).toMatchObject({
			longurl: `${url}?utm_source=two%20words%20%26%20more`,
		});
		const again = await upsert(stage, rows, parameters);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(again.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id));
	});
});

describe('a long URL in another spelling', () => {
	const stage = onStage(new Stage());

	test.each([['a+b', 'a%20b']])('is the same with %s and %s', async (there, here) => {
		const page = `https://example.com/${stage.unique('page')}?q=`;
		await stage.make('/api/url/add', { url: `${page}${there}` });
		const result = await upsert(stage, [{ url: `${page}${here}` }], { ...BY_URL, customAlias: '' });
		expect(outcomesIn(result)).toEqual(['unchanged']);
	});
});

describe('campaign and channel, where lists do not show them', () => {
	const stage = onStage(new Stage({ createReadsPlaces: 'no', readsShort: 'no' }));
	const named = (value: string) => ({ __rl: true, mode: 'name', value });

	test('take a link that is written, and no other', async () => {
		const campaign = await stage.make('/api/campaign/add', { name: stage.unique('Spring') });
		const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
		const places = { campaignId: byId(campaign), channelId: byId(channel), createQrCode: true };
		const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
		const [id] = await Promise.all(
			rows.map(async ({ url, alias }) => await stage.make('/api/url/add', { url, custom: alias })),
		);
		const moved = [{ ...rows[0], url: 'https://example.com/moved' }, rows[1] ?? {}];
		const result = await upsert(stage, moved, { additionalFields: places });
		expect(outcomesIn(result)).toEqual(['updated', 'unchanged']);
		expect(sentIn(result)).toEqual([
			LIST,
			`GET /api/url/${id}`,
			`PUT /api/url/${id}/update`,
			`POST /api/campaign/${campaign}/assign/${id}`,
			`POST /api/channel/${channel}/assign/links/${id}`,
		]);
	});

	test.each(['created', 'updated'])(
		'take a link that was %s by an earlier try',
		async (outcome) => {
			const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
			const additionalFields = { channelId: byId(channel) };
			const rows = [row(stage.unique('a'))];
			if (outcome === 'updated')
				await upsert(stage, [row(stage.unique('a'), 'https://example.com/')]);
			stage.sandbox.faults.add({
				kind: 'http-503',
				path: '/api/channel/:channelid/assign/:type/:itemid',
			});
			const result = await upsert(stage, rows, { additionalFields }, RETRY);
			expect(outcomesIn(result)).toEqual([outcome]);
			const assign = `POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`;
			const write = outcome === 'created' ? CREATE : like(/^PUT /);
			const sent = sentIn(result).filter((request) => !request.startsWith('GET '));
			expect(sent).toEqual([write, assign, assign]);
		},
	);

	test.each(['drop-after', 'http-503'] as const)(
		'that do not exist are created once a run if wanted, not in a dry run: %s',
		async (kind) => {
			const additionalFields = {
				campaignId: named('Summer'),
				channelId: named('={{ $json.mail }}'),
			};
			const rows = ['a', 'b'].map((name) => ({ ...row(stage.unique(name)), mail: 'Mail' }));
			const refused = await upsert(stage, rows, { additionalFields }, CONTINUE);
			expect(refused.json[0]?.error).toMatch(/^There is no campaign "Summer"/);
			const options = { createMissing: true };
			const dryRun = { additionalFields, options: { ...options, dryRun: true } };
			const dry = await upsert(stage, rows, dryRun);
			expect(outcomesIn(dry)).toEqual(['would be created', 'would be created']);
			expect(await recordsOf(stage, '/api/campaigns')).toEqual([]);

			stage.sandbox.faults.add({ kind, path: '/api/campaign/add' });
			const result = await upsert(stage, rows, { additionalFields, options }, RETRY);
			expect(outcomesIn(result)).toEqual(['created', 'created']);
			expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
			expect(await recordsOf(stage, '/api/channels')).toHaveLength(1);
			expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(4);
		},
	);
});

describe('a campaign whose creation gets no response', () => {
	const stage = onStage(new Stage());

	test('is found by the next row, not created again', async () => {
		const campaignId = { __rl: true, mode: 'name', value: 'Summer' };
		const parameters = { additionalFields: { campaignId }, options: { createMissing: true } };
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/campaign/add' });
		const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
		const { json } = await upsert(stage, rows, parameters, CONTINUE);
		expect(json).toMatchObject([
			{ error: like(/^The campaign "Summer" was not created/) },
			{ outcome: 'created' },
		]);
		expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
	});
});

describe('a service that answers a create with an old link', () => {
	const stage = onStage(new Stage({ sameUrl: 'always' }));
	const url = 'https://example.com/';

	test('has made no link of another alias', async () => {
		await stage.make('/api/url/add', { url, custom: stage.unique('old') });
		// A newer link shows that the old one was not made now.
		await stage.make('/api/url/add', { url: `${url}newer` });
		const rows = ['a', 'b'].map((name) => row(stage.unique(name), url));
		for (const operation of ['link.create', 'link.upsert']) {
			const { json } = await stage.link(operation, PARAMETERS, { rows, settings: CONTINUE });
			expect(json).toMatchObject(
				rows.map(({ alias }) => ({ error: like(new RegExp(`"old-\\d+" instead of "${alias}"`)) })),
			);
		}
	});
});

test.each(['nested', 'without-id', 'short_url'] as const)(
	'the short URL that is known is kept where the answer is %s',
	async (linkAnswer) => {
		await using stage = await Stage.opened({ linkAnswer });
		const alias = stage.unique('a');
		const [first] = (await upsert(stage, [row(alias)])).json;
		const changed = await upsert(stage, [row(alias, 'https://example.com/new')]);
		expect(changed.json).toMatchObject([{ shorturl: first?.shorturl, alias, outcome: 'updated' }]);
	},
);
