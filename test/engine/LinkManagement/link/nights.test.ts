import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	A_NUMBER,
	inContrastingDialects,
	like,
	newDomain,
	onStage,
	outcomesIn,
	recordsOf,
	Stage,
	textOf,
	writesIn,
} from '../../helpers/support.ts';
import { seeded } from '../../../seeds.ts';
import { type Settings, sheet, SHARED, storedLink, url } from './sheet.ts';

/** A sheet that is run every night, its results written back: no link is lost, doubled or on a wrong host. */

const DIALECTS: Settings[] = [
	{},
	{ aliases: 'per-domain', readsShort: 'no' },
	{ aliases: 'per-domain', aliasForm: 'as-sent', linkUpdate: 'merges', createReadsPlaces: 'no' },
	{ sameUrl: 'existing', maxLimit: '7' },
];
const MAINS = ['api', 'other'] as const;
const CASES = DIALECTS.flatMap((dialect) =>
	MAINS.map((mainDomain): Settings => ({ ...dialect, mainDomain, sharedDomains: 'unlisted' })),
);

/** Only the service knows that an alias is taken on another domain, or that it keeps one link for each URL. */
const isRefused = ({ error }: IDataObject): boolean =>
	typeof error === 'string' && /taken|older link/.test(error);

/** Three nights. *Dry Run* says before each what then happens. @returns the rows of the last night */
async function threeNights(stage: Stage, rows: IDataObject[]): Promise<IDataObject[]> {
	const isElsewhere = stage.dialect.mainDomain === 'other';
	const main = isElsewhere ? 'https://main.example.net' : stage.sandbox.linkUrl;
	const settings = { credential: isElsewhere ? { shortDomain: 'main.example.net' } : {} };
	let written = rows;
	let before: unknown;
	for (const night of [1, 2, 3]) {
		const dry = await sheet(stage, written, { options: { dryRun: true } }, settings);
		expect(writesIn(dry)).toEqual([]);
		const real = await sheet(stage, written, {}, settings);
		const said = outcomesIn(dry).map((outcome) => textOf(outcome).replace('would be ', ''));
		for (const [n, row] of real.json.entries()) {
			if (isRefused(row)) continue;
			expect([night, n, said[n]]).toEqual([night, n, row.outcome]);
			if (row.outcome === 'failed') continue;
			expect(textOf(row.shorturl).startsWith(`${textOf(rows[n]?.domain ?? main)}/`)).toBe(true);
			expect(storedLink(stage, row.id).longurl).toBe(rows[n]?.url);
		}
		const links = await recordsOf(stage, '/api/urls');
		if (night > 1) expect(links).toEqual(before);
		before = links;
		written = real.json;
	}
	return written;
}

const ROWS = fc.array(
	fc.record(
		{
			url: fc.constantFrom('a', 'b', 'c').map((page) => `${url}${page}`),
			alias: fc.constantFrom('spring sale', 'spring-sale', 'Spring_Sale', 'menu'),
			domain: fc.constantFrom('BRANDED', SHARED),
			title: fc.constantFrom('One', 'Two'),
		},
		{ requiredKeys: ['url'] },
	),
	{ minLength: 1, maxLength: 6 },
);

test.each(CASES)(
	'any sheet, where %j',
	async (dialect) => {
		await using stage = await Stage.opened(dialect);
		const property = fc.asyncProperty(ROWS, async (drawn) => {
			stage.enter();
			const branded = await newDomain(stage);
			await threeNights(
				stage,
				drawn.map((row) => ({
					...row,
					...(row.alias === undefined ? {} : { alias: stage.unique(row.alias) }),
					...(row.domain === 'BRANDED' ? { domain: branded } : {}),
				})),
			);
		});
		await fc.assert(property, seeded(4));
	},
	600_000,
);

test.each(MAINS)(
	'40 rows over the own host, a branded and a shared domain: %s',
	async (mainDomain) => {
		await using stage = await Stage.opened({ mainDomain, sharedDomains: 'unlisted' });
		const hosts = [{}, { domain: await newDomain(stage) }, { domain: SHARED }];
		const rows = Array.from({ length: 40 }, (_, n) => ({
			url: `${url}${n}`,
			...(n % 4 === 0 ? {} : { alias: `row_${n}` }),
			...hosts[n % 3],
		}));
		const last = await threeNights(stage, rows);
		expect(last.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unchanged'));
	},
);

/** A cell as a sheet holds it. */
const cell = (value: unknown): string => {
	if (value === null || value === undefined) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
};

/** All columns, as text. */
const asText = (row: IDataObject, columns: readonly string[]): IDataObject =>
	Object.fromEntries(columns.map((name) => [name, cell(row[name])]));

/** How a service stores what the node gave, and gives it back. */
const STORES: Record<string, typeof asText> = {
	'Google Sheets': asText,
	/** No empty cell. */
	Airtable: (row) =>
		Object.fromEntries(Object.entries(row).filter(([, value]) => cell(value) !== '')),
};

describe.each(Object.entries(STORES))('a sheet in %s', (_name, stored) => {
	const stage = onStage(new Stage());

	/** The rows of the next week: columns that no row had are added behind the others. */
	async function aWeek(rows: IDataObject[]) {
		const result = await sheet(stage, rows, { additionalFields: { createQrCode: true } });
		const { json } = result;
		const columns = [...new Set([...rows, ...json].flatMap((row) => Object.keys(row)))];
		const next = json.map((row) => stored(row, columns));
		return { json, next, outcomes: outcomesIn(result), writes: writesIn(result) };
	}

	test('is the same after four weeks, but for what changed', async () => {
		const kept = { date: '2026-01-02', status: 'running' };
		const own = { ...kept, id: 'A-7', clicks: 'about ten' };
		const beside = { input_id: 'A-7', input_clicks: 'about ten' };
		const first = await aWeek([
			{ URL: `${url}one`, Alias: 'one', outcome: '', ...own },
			{ URL: 'example dot com', Alias: 'two', outcome: '', ...own },
		]);
		expect(first.json).toMatchObject([
			{ ...kept, outcome: 'created', id: A_NUMBER, qr_code: like(/^http/), ...beside },
			{ ...own, outcome: 'failed', error: like(/must be a web address/) },
		]);
		const [one = {}, two = {}] = first.next;
		const second = await aWeek([one, { ...two, URL: `${url}two` }]);
		expect(second.json).toMatchObject([
			{ ...kept, outcome: 'unchanged', ...beside },
			{ ...kept, outcome: 'created', shorturl: like(/two/), qr_code: like(/^http/) },
		]);
		expect(second.json[1]).not.toHaveProperty('error');
		const third = await aWeek(second.next);
		const fourth = await aWeek(third.next);
		expect([third.writes, fourth.writes]).toEqual([[], []]);
		expect(fourth.next).toEqual(third.next);
		expect(third.outcomes).toEqual(['unchanged', 'unchanged']);
		const columns = ['shorturl', 'qr_code', 'qr_code_id', 'id', 'date', 'clicks'];
		const keptIn = ({ json }: typeof third) => json.map((row) => asText(row, columns));
		expect(keptIn(third)).toEqual(keptIn(second));
	});
});

/** What happened to a row: its outcome, or the first words of its error. */
const told = ({ json }: Awaited<ReturnType<typeof sheet>>): unknown[] =>
	json.map(({ outcome, error }) =>
		outcome === 'failed' ? textOf(error).replace(/[,.:] .*/s, '') : outcome,
	);

inContrastingDialects((stage) => {
	test('a second run says for every row of a team what happened to it, and writes nothing', async () => {
		const name = (text: string) => `${text}-${stage.unique('x')}`;
		const [campaign, channel, twice] = [name('Sommer Aktion'), name('News'), name('doppelt')];
		await stage.make('/api/campaign/add', { name: campaign });
		await stage.make('/api/channel/add', { name: channel });
		const page = (path: string) => `${url}${stage.unique('p')}/${path}`;
		const rows = [
			{ URL: page('straße?für=dich'), Alias: name('umlaut') },
			{ URL: ` ${page('leer')} `, Alias: ` ${name('leer')} `, Expiry: '31.12.2099' },
			{ URL: page('a'), Alias: twice, Campaign: campaign.toUpperCase() },
			{ URL: page('b'), Alias: twice },
			{ URL: 'example dot com', Alias: name('falsch') },
			{ URL: page('ohne?utm_source=alt'), 'UTM Source': 'mail' },
			{ URL: page('kanal'), Alias: name('kanal'), Channel: channel.toLowerCase() },
			{ URL: page('fehlt'), Alias: name('fehlt'), Campaign: 'Winter' },
			{ URL: '', Alias: '' },
			{ URL: page('tag').slice(8), Alias: name('tag'), Expiry: 72_850.75 },
		].map((row): IDataObject => ({ Kampagne: 'left alone', ...row }));
		const failed: Record<number, unknown> = {
			3: like(/^The link \S+ is already in item 3$/),
			4: 'Column "URL" must be a web address',
			7: 'There is no campaign "Winter"',
			8: 'skipped',
		};
		const expected = (outcome: string) => rows.map((_, at) => failed[at] ?? outcome);
		const run = async (parameters: INodeParameters = {}) => await sheet(stage, rows, parameters);
		expect(told(await run({ options: { dryRun: true } }))).toEqual(expected('would be created'));
		const first = await run();
		expect(told(first)).toEqual(expected('created'));
		expect(first.json.map((row) => row.Kampagne)).toEqual(rows.map(() => 'left alone'));
		const second = await run();
		expect([told(second), writesIn(second)]).toEqual([expected('unchanged'), []]);
		expect(second.json[0]).toMatchObject({ clicks: 0 });
	});
});
