import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import type { NodeSettings } from '../../helpers/support.ts';
import {
	CONTINUE,
	like,
	newDomain,
	outcomesIn,
	RETRY,
	Stage,
	writesIn,
} from '../../helpers/support.ts';

/** Which link a row of *Create or Update* means: the one with its alias, or its long URL, on its host. */

const MAPPED = { mappingMode: 'autoMapInputData' };
const url = 'https://example.com/';

type Dialect = Exclude<Parameters<typeof Stage.opened>[0], string | undefined>;

/** As installations behave, and as the document reads. */
const READINGS: ReadonlyArray<[string, Dialect]> = [
	['as installed', { aliases: 'per-domain' }],
	[
		'as documented',
		{
			aliases: 'per-domain',
			aliasForm: 'as-sent',
			readsShort: 'no',
			createReadsPlaces: 'no',
			linkUpdate: 'merges',
		},
	],
];

async function sheet(
	stage: Stage,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	settings: NodeSettings = { settings: CONTINUE },
) {
	return await stage.link('link.upsert', { ...MAPPED, ...parameters }, { rows, ...settings });
}

const longUrlOf = (stage: Stage, id: unknown) => record(stage.sandbox.stored('links', id)).longurl;

describe.each(READINGS)('%s', (_reading, dialect) => {
	test('a bare alias never means a link on a branded domain, though all links are there', async () => {
		await using stage = await Stage.opened(dialect);
		const domain = await newDomain(stage);
		const branded = await stage.make('/api/url/add', { url, custom: 'menu', domain });
		const rows = [{ url: `${url}new`, alias: 'menu' }];
		const dry = await sheet(stage, rows, { options: { dryRun: true } });
		expect(outcomesIn(dry)).toEqual(['would be created']);
		expect(outcomesIn(await sheet(stage, rows))).toEqual(['created']);
		expect(longUrlOf(stage, branded)).toBe(url);
	});

	test.each([
		['the column shorturl', (domain: string) => ({ shorturl: `${domain}/menu`, alias: 'menu' })],
		['the alias', (domain: string) => ({ alias: `${domain}/menu` })],
	])('a whole short URL in %s says the domain', async (_place, rowOf) => {
		await using stage = await Stage.opened(dialect);
		const domain = await newDomain(stage);
		const own = await stage.make('/api/url/add', { url, custom: 'menu' });
		const branded = await stage.make('/api/url/add', { url, custom: 'menu', domain });
		const result = await sheet(stage, [{ url: `${url}new`, ...rowOf(domain) }]);
		expect(result.json).toMatchObject([{ outcome: 'updated', id: branded }]);
		expect([longUrlOf(stage, own), longUrlOf(stage, branded)]).toEqual([url, `${url}new`]);
	});

	test('a second row about one link stays refused in the tries after the first', async () => {
		await using stage = await Stage.opened(dialect);
		const rows = [
			{ url, alias: 'spring_sale' },
			{ url: `${url}other`, alias: 'Spring-Sale' },
		];
		stage.sandbox.faults.add({ kind: 'respond', status: 503, path: '/api/url/add', times: 1 });
		const result = await sheet(stage, rows, {}, { settings: RETRY });
		expect(result.error?.message).toMatch(/^The link Spring-Sale is already in item 1/);
		expect(writesIn(result)).toEqual([]);
		const each = await sheet(stage, rows, {}, { settings: { ...RETRY, ...CONTINUE } });
		expect(outcomesIn(each)).toEqual(['created', 'failed']);
		expect(longUrlOf(stage, each.json[0]?.id)).toBe(url);
	});

	test('a domain is sent as the list spells it', async () => {
		await using stage = await Stage.opened({ ...dialect, domainScheme: 'http' });
		const domain = await newDomain(stage);
		const rows = [{ url, alias: 'menu', domain }];
		const first = await sheet(stage, rows);
		const sent = first.requests.find(({ request }) => request === 'POST /api/url/add')?.body;
		expect(sent).toMatchObject({ domain: domain.replace('https:', 'http:') });
		expect(first.json).toMatchObject([{ outcome: 'created', shorturl: `${domain}/menu` }]);
		const again = await sheet(stage, rows);
		expect([outcomesIn(again), writesIn(again)]).toEqual([['unchanged'], []]);
	});

	test('a shared domain that the list leaves out is used, and a dry run says that it is left out', async () => {
		await using stage = await Stage.opened({ ...dialect, sharedDomains: 'unlisted' });
		const domain = 'https://shared.example.net';
		const rows = [{ url, alias: stage.unique('menu'), domain }];
		const dry = await sheet(stage, rows, { options: { dryRun: true } });
		expect(dry.json).toMatchObject([
			{ outcome: 'would be created', note: like(/list of domains does not have shared/) },
		]);
		expect((await sheet(stage, rows)).json).toMatchObject([
			{ shorturl: like(/^https:\/\/shared/) },
		]);
		expect(outcomesIn(await sheet(stage, rows))).toEqual(['unchanged']);
	});

	test('a link may not lead to itself where links without a domain are', async () => {
		await using stage = await Stage.opened({ ...dialect, mainDomain: 'other' });
		const credential = { shortDomain: 'main.example.net' };
		const rows = [{ url: 'https://main.example.net/menu', alias: 'menu' }];
		const refused = await sheet(stage, rows, {}, { credential, settings: CONTINUE });
		expect(refused.json).toMatchObject([{ error: like(/^The link would lead to itself/) }]);
		expect(refused.requests).toEqual([]);
	});

	test('a create that lands on another host says which one to enter, and ends the run', async () => {
		await using stage = await Stage.opened({ ...dialect, mainDomain: 'other' });
		const rows = ['a', 'b'].map((alias) => ({ url: `${url}${alias}`, alias }));
		const result = await sheet(stage, rows);
		expect(result.json).toMatchObject([
			{
				outcome: 'failed',
				shorturl: 'https://main.example.net/a',
				error: like(/^The link is now .+ Enter main.example.net as 'Short Link Domain'/),
			},
			{ outcome: 'failed', error: like(/^Not sent/) },
		]);
		expect(writesIn(result)).toHaveLength(1);
	});

	test('matched by its long URL, a link keeps its alias', async () => {
		await using stage = await Stage.opened(dialect);
		const id = await stage.make('/api/url/add', { url, custom: 'printed' });
		const rows = [{ url, alias: 'other', 'Meta Title': 'New' }];
		const result = await sheet(stage, rows, { matchBy: 'longUrl' });
		expect(result.json).toMatchObject([{ outcome: 'updated', id, alias: 'printed' }]);
		expect(stage.sandbox.stored('links', id)).toMatchObject({ alias: 'printed' });
	});
});

test.each(['page', '403', '404', '500', 'redirect', 'no'] as const)(
	'where a look-up is answered by %s, the list says which links there are',
	async (readsShort) => {
		await using stage = await Stage.opened({ readsShort });
		const known = await stage.make('/api/url/add', { url, custom: 'known' });
		for (const [alias, outcome] of [
			['new', 'created'],
			['known', 'updated'],
		]) {
			const result = await sheet(stage, [{ url: `${url}new`, alias }]);
			expect(outcomesIn(result)).toEqual([outcome]);
		}
		expect(longUrlOf(stage, known)).toBe(`${url}new`);
	},
);

test('a service that is down is no service that cannot look up', async () => {
	await using stage = await Stage.opened();
	stage.sandbox.faults.add({ kind: 'respond', status: 503, method: 'GET', times: 99 });
	const result = await sheet(stage, [{ url, alias: 'new' }]);
	expect(result.json).toMatchObject([{ outcome: 'failed' }]);
	expect(writesIn(result)).toEqual([]);
});

test.each(['yes', 'no'] as const)(
	'among 30,000 links, 20 new rows take 41 requests, and 3 in the next night: look-ups %s',
	async (readsShort) => {
		await using stage = await Stage.opened({ readsShort });
		stage.sandbox.links.addLinks(stage.linkAccount.id, 30_000, 1);
		const rows = Array.from({ length: 20 }, (_, n) => ({ url: `${url}${n}`, alias: `new-${n}` }));
		const first = await sheet(stage, rows);
		expect(outcomesIn(first)).toEqual(rows.map(() => 'created'));
		expect(first.requests.length).toBeLessThanOrEqual(41);
		const again = await sheet(stage, rows);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(again.requests.length).toBeLessThanOrEqual(3);
	},
);
