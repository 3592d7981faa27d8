import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { StageResult } from '../../helpers/support.ts';
import {
	CONTINUE,
	Stage,
	inContrastingDialects,
	like,
	onStage,
	sentIn,
	textOf,
	writesIn,
} from '../../helpers/support.ts';

/** A sheet as marketing teams write it, run as often as they like: *Create or Update* with *Map Automatically*. */

const MAPPED: INodeParameters = { mappingMode: 'autoMapInputData' };
const CREATE = 'POST /api/url/add';

const runSheet = async (
	stage: Stage,
	rows: IDataObject[],
	options: INodeParameters = {},
): Promise<StageResult> =>
	await stage.link('link.upsert', { ...MAPPED, options }, { rows, settings: CONTINUE });

/** What happened to a row: its outcome, or the first words of its error. */
const told = ({ json }: StageResult): unknown[] =>
	json.map(({ outcome, error }) =>
		outcome === 'failed' ? textOf(error).replace(/[,.:] .*/s, '') : outcome,
	);

inContrastingDialects((stage) => {
	test('the second run of a sheet says for every row what happened to it, and writes nothing', async () => {
		const name = (text: string) => `${text}-${stage.unique('x')}`;
		const [campaign, channel, twice] = [name('Sommer Aktion'), name('News'), name('doppelt')];
		await stage.make('/api/campaign/add', { name: campaign });
		await stage.make('/api/channel/add', { name: channel });
		const page = (path: string) => `https://example.com/${stage.unique('p')}/${path}`;
		const plain = { Kampagne: 'left alone', Campaign: '', Channel: '', Expiry: '' };
		const rows: IDataObject[] = [
			{ ...plain, URL: page('straße?für=dich'), Alias: name('umlaut') },
			{ ...plain, URL: ` ${page('leer')} `, Alias: ` ${name('leer')} `, Expiry: '31.12.2099' },
			{ ...plain, URL: page('a'), Alias: twice, Campaign: campaign.toUpperCase() },
			{ ...plain, URL: page('b'), Alias: twice },
			{ ...plain, URL: 'example dot com', Alias: name('falsch') },
			{ ...plain, URL: page('ohne'), Alias: '' },
			{ ...plain, URL: page('ohne?utm_source=alt'), Alias: '', 'UTM Source': 'mail' },
			{ ...plain, URL: page('kanal'), Alias: name('kanal'), Channel: channel.toLowerCase() },
			{ ...plain, URL: page('fehlt'), Alias: name('fehlt'), Campaign: 'Winter' },
			{ ...plain, URL: '', Alias: '' },
			{ ...plain, URL: page('tag').slice(8), Alias: name('tag'), Expiry: 72_850.75 },
		];
		const failed: Record<number, string> = {
			3: like(/^The link \S+ is already in item 3$/) as string,
			4: 'Column "URL" must be a web address',
			8: 'There is no campaign "Winter"',
			9: 'skipped',
		};
		const expected = (outcome: string) => rows.map((_, at) => failed[at] ?? outcome);

		const dry = await runSheet(stage, rows, { dryRun: true });
		expect(told(dry)).toEqual(expected('would be created'));
		expect(writesIn(dry)).toEqual([]);
		const first = await runSheet(stage, rows);
		expect(told(first)).toEqual(expected('created'));
		expect(first.json.map((row) => row.Kampagne)).toEqual(rows.map(() => 'left alone'));
		const second = await runSheet(stage, rows);
		expect(told(second)).toEqual(expected('unchanged'));
		expect(writesIn(second)).toEqual([]);
		expect(second.json[0]).toMatchObject({ clicks: 0 });
	});
});

const stage = onStage(new Stage());
const url = 'https://example.com/';

/** The bodies of the links that it creates. */
const bodiesIn = ({ requests }: StageResult): unknown[] =>
	requests.filter(({ request }) => request === CREATE).map(({ body }) => body);

describe('a sheet from another tool', () => {
	const tagged = `${url}?utm_source=a&utm_campaign=b`;
	const day = '2099-01-01';
	const expiry = `${day} 23:59:59`;

	test.each<[string, IDataObject, IDataObject]>([
		['ours', { URL: url, Alias: 'a' }, { url, custom: 'a' }],
		['Bitly', { link: 'https://bit.ly/1', long_url: url, 'Back-half': 'a' }, { url, custom: 'a' }],
		['Dub', { 'Short link': 'a.b/1', 'Destination URL': url, 'Expires at': day }, { url, expiry }],
		['Rebrandly', { destination: url, slashtag: 'a' }, { url, custom: 'a' }],
		['Shlink', { shortCode: 'a', longUrl: url, validUntil: day }, { url, custom: 'a', expiry }],
		['Short.io', { originalURL: url, path: 'b' }, { url }],
		['YOURLS', { keyword: 'b', url }, { url }],
		['Google Ads', { 'Final URL': url }, { url }],
		['a form', { 'URL (required)': url, 'Alias (optional)': 'a' }, { url, custom: 'a' }],
		['a form', { url, alias: 'old', 'Alias (optional)': 'a' }, { url, custom: 'a' }],
		['anybody', { 'URL (old)': `${url}old`, 'Alias*': 'b', URL: url }, { url }],
		['anybody', { '\ufeffURL': url, Title: 'Spring' }, { url, metatitle: 'Spring' }],
		['a program', { URL: url, Alias: 'null', Title: 'None', Expiry: 'NaN' }, { url }],
		[
			'Google',
			{ 'Website URL': url, 'Campaign Source': 'a', 'Campaign Name': 'b' },
			{ url: tagged },
		],
		['UTM', { 'Landing Page': url, utm_source: 'a', utm_campaign: 'b' }, { url: tagged }],
		['links', { LINK: url, '\ufeffExpiry\u200b Date': day }, { url, expiry }],
	])('of %s fills the fields: %j', async (_tool, row, body) => {
		expect(bodiesIn(await runSheet(stage, [row]))).toEqual([body]);
	});

	test('Campaign is the campaign, also beside the tag of that name', async () => {
		const name = stage.unique('Spring');
		const id = await stage.make('/api/campaign/add', { name });
		const result = await runSheet(stage, [{ url, Campaign: name, 'Campaign Name': 'tag' }]);
		expect(result.json).toMatchObject([{ longurl: `${url}?utm_campaign=tag` }]);
		expect(sentIn(result)).toContain(
			`POST /api/campaign/${id}/assign/${Number(result.json[0]?.id)}`,
		);
	});

	test('has a whole short URL as its alias', async () => {
		const alias = stage.unique('whole');
		const { json } = await runSheet(stage, [{ url, Slug: `${stage.sandbox.linkUrl}/${alias}` }]);
		expect(json).toMatchObject([{ outcome: 'created', alias, shorturl: like(/whole/) }]);
	});

	test('is told which of its columns filled nothing, by a dry run', async () => {
		const row = { url, status: 'new', 'Short Link': 'x', id: 1 };
		const { json } = await runSheet(stage, [row], { dryRun: true });
		expect(json).toMatchObject([
			{ outcome: 'would be created', unused_columns: 'status, Short Link' },
		]);
	});
});

test('a sheet to which the results were written back keeps its columns, and these count', async () => {
	const [Slug, longurl] = [stage.unique('slug'), `${url}moved`];
	const row = { Link: `${url}first`, Slug, note: 'Spring' };
	const [first] = (await runSheet(stage, [row])).json;
	expect(first).toMatchObject({ ...row, outcome: 'created' });
	const changed = { ...first, Link: longurl, clicks: 7, error: 'of last week' };
	const [updated] = (await runSheet(stage, [changed])).json;
	expect(updated).toMatchObject({ Slug, note: 'Spring', outcome: 'updated', longurl, clicks: 0 });
	expect(updated).not.toHaveProperty('error');
	const renamed = await runSheet(stage, [{ ...changed, Slug: `${Slug}-2` }]);
	expect(renamed.json).toMatchObject([{ outcome: 'created', longurl }]);
});

describe('a row that cannot be sent', () => {
	const good = (alias = 'good') => ({ URL: `${url}good`, Alias: stage.unique(alias) });

	test.each([
		[{ URL: '#REF!' }, /^Column "URL" is an error instead of a value: "#REF!"\. /],
		[{ URL: 'https://example.com/stra\ufffde' }, /^Column "URL" was read in the wrong encoding: /],
		[{ Campaign: '#NV' }, /^Column "Campaign" is an error instead of a value: "#NV"/],
		[{ URL: ' ' }, /^'URL' is empty\. /],
		[{ '\ufeffURL': 'an address', URL: '' }, /^Column "URL" must be a web address, /],
		[{ 'UTM Term': '4.91E+11' }, /^Column "UTM Term" is a number that a spreadsheet or/],
		[{ Expiry: '2020-01-01' }, /^Column "Expiry" is in the past: "2020-01-01"/],
		[{ Expiry: '01/02/2099' }, /^Column "Expiry" must be a date that .+ "01\/02\/2099"/],
		[
			{ Expiry: 'never', Alias: '___' },
			/^Column "(Alias" has no letter.+ Column "Expiry|Expiry" must be .+ Column "Alias)" /,
		],
		[{ Alias: 'api' }, /^The alias api is reserved\. /],
		[{ Channel: 'Nowhere' }, /^There is no channel "Nowhere"\. /],
		[{ URL: undefined }, /^'URL' is empty\. /],
	])('says which column, which value and what to do: %j', async (cells, error) => {
		const row = Object.entries({ ...good(), ...cells }).filter(([, value]) => value !== undefined);
		const rows: IDataObject[] = [Object.fromEntries(row), good('better')];
		const { json } = await runSheet(stage, rows);
		expect(json).toMatchObject([{ outcome: 'failed', error: like(error) }, { outcome: 'created' }]);
	});
});

describe('a table without a column for the long URL', () => {
	test.each<[IDataObject, string]>([
		[{ 'Ziel-URL': url, Kurz: 'a' }, '"Ziel-URL", "Kurz"'],
		[{ '\ufeffurl;alias': `${url};a` }, '"url;alias"'],
		[{}, 'none'],
	])('is refused, with its columns: %j', async (row, columns) => {
		const { json, requests } = await runSheet(stage, [row, {}]);
		const message = `No column has the long URLs; the columns are ${columns}. `;
		const error = expect.stringContaining(message) as unknown;
		expect(json).toMatchObject([
			{ outcome: 'failed', error },
			{ outcome: 'failed', error },
		]);
		expect(requests).toEqual([]);
	});

	test.each(['null', 'None', 'undefined', 'NaN', '[object Object]'])(
		'is one whose cells say %s: nothing of it is sent, whatever the column',
		async (word) => {
			const names = ['Alias', 'Domain', 'Expiry', 'Password', 'Title', 'Meta Description'];
			const columns = [...names, 'Meta Image', 'Campaign', 'Channel', 'UTM Source', 'UTM Term'];
			const row = Object.fromEntries(columns.map((name) => [name, word]));
			const page = `${url}${stage.unique('p')}`;
			const rows = [page, word].map((URL) => ({ ...row, URL }));
			const result = await runSheet(stage, rows);
			expect(told(result)).toEqual(['created', 'skipped']);
			expect(bodiesIn(result)).toEqual([{ url: page }]);
		},
	);

	test('is no table in which another row has one', async () => {
		const rows = [{ note: 'Week 32' }, { note: 'a', url }];
		expect(told(await runSheet(stage, rows))).toEqual(['skipped', 'created']);
	});
});
