import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { StageResult } from '../../helpers/support.ts';
import { like, onStage, outcomesIn, sentIn, Stage } from '../../helpers/support.ts';
import { CREATE, sheet, url } from './sheet.ts';

/** What *Map Automatically* makes of the columns and cells of a sheet, and what it says of those it cannot use. */

const stage = onStage(new Stage());

const runSheet = async (rows: IDataObject[], options: INodeParameters = {}) =>
	await sheet(stage, rows, { options });

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
		[
			'Airtable or Baserow',
			{
				URL: { id: 7, value: url },
				'UTM Source': [{ name: 'a' }],
				utm_campaign: ['b'],
				Domain: [],
			},
			{ url: tagged },
		],
	])('of %s fills the fields: %j', async (_tool, row, body) => {
		expect(bodiesIn(await runSheet([row]))).toEqual([body]);
	});

	test.each([(name: string): unknown => name, (name: string) => [{ id: 7, value: name }]])(
		'has its campaign in Campaign, also beside the tag of that name: %#',
		async (cellOf) => {
			const name = stage.unique('Spring');
			const id = await stage.make('/api/campaign/add', { name });
			const row = { url, Campaign: cellOf(name), 'Campaign Name': 'tag' } as IDataObject;
			const result = await runSheet([row]);
			expect(result.json).toMatchObject([{ longurl: `${url}?utm_campaign=tag` }]);
			expect(sentIn(result)).toContain(
				`POST /api/campaign/${id}/assign/${Number(result.json[0]?.id)}`,
			);
		},
	);

	test('is told which of its columns filled nothing, by a dry run', async () => {
		const row = { url, status: 'new', 'Short Link': 'x', id: 1 };
		const { json } = await runSheet([row], { dryRun: true });
		expect(json).toMatchObject([
			{ outcome: 'would be created', unused_columns: 'status, Short Link' },
		]);
	});
});

test('a sheet to which the results were written back keeps its columns, and these count', async () => {
	const [Slug, longurl] = [stage.unique('slug%2Fa'), `${url}moved`];
	const row = { Link: `${url}first`, Slug, note: 'Spring' };
	const [first] = (await runSheet([row])).json;
	expect(first).toMatchObject({ ...row, outcome: 'created', alias: stage.unique('slug-a') });
	const changed = { ...first, Link: longurl, clicks: 7, error: 'of last week' };
	const [updated] = (await runSheet([changed])).json;
	expect(updated).toMatchObject({ Slug, note: 'Spring', outcome: 'updated', longurl, clicks: 0 });
	expect(updated).not.toHaveProperty('error');
	const renamed = await runSheet([{ ...changed, Slug: `${Slug}-2` }]);
	expect(renamed.json).toMatchObject([{ outcome: 'created', longurl }]);
});

describe('a row that cannot be sent', () => {
	const good = (alias = 'good') => ({ URL: `${url}good`, Alias: stage.unique(alias) });

	test.each<[IDataObject, RegExp]>([
		[{ URL: '#REF!' }, /^Column "URL" is an error instead of a value: "#REF!"\. /],
		[{ URL: `${url}stra\ufffde` }, /^Column "URL" was read in the wrong encoding: /],
		[{ Campaign: '#NV' }, /^Column "Campaign" is an error instead of a value: "#NV"/],
		[{ URL: ' ' }, /^'URL' is empty\. /],
		[{ '\ufeffURL': 'an address', URL: '' }, /^Column "URL" must be a web address, /],
		[{ URL: [url, `${url}b`] }, /^Column "URL" has 2 values instead of one/],
		[{ Campaign: ['Spring', 'Summer'] }, /^Column "Campaign" has 2 values instead of one/],
		[{ 'UTM Term': '4.91E+11' }, /^Column "UTM Term" is a number that a spreadsheet or/],
		[{ Expiry: '2020-01-01' }, /^Column "Expiry" is in the past: "2020-01-01"/],
		[{ Expiry: '01/02/2099' }, /^Column "Expiry" must be a date that .+ "01\/02\/2099"/],
		[
			{ Expiry: 'never', Alias: '___' },
			/^Column "(Alias" has no letter.+ Column "Expiry|Expiry" must be .+ Column "Alias)" /,
		],
		[{ Alias: 'api' }, /^The alias api is reserved\. /],
		[{ Channel: 'Nowhere' }, /^There is no channel "Nowhere"\. /],
	])('says which column, which value and what to do: %j', async (cells, error) => {
		const { json } = await runSheet([{ ...good(), ...cells }, good('better')]);
		expect(json).toMatchObject([{ outcome: 'failed', error: like(error) }, { outcome: 'created' }]);
	});
});

describe('a table without a column for the long URL', () => {
	test.each<[IDataObject, string]>([
		[{ 'Ziel-URL': url, Kurz: 'a' }, '"Ziel-URL", "Kurz"'],
		[{ '\ufeffurl;alias': `${url};a` }, '"url;alias"'],
		[{}, 'none'],
	])('is refused, with its columns: %j', async (row, columns) => {
		const { json, requests } = await runSheet([row, {}]);
		const message = `No column has the long URLs; the columns are ${columns}. `;
		const error = expect.stringContaining(message) as unknown;
		const failed = { outcome: 'failed', error };
		expect(json).toMatchObject([failed, failed]);
		expect(requests).toEqual([]);
	});

	test.each(['null', 'None', 'undefined', 'NaN', '[object Object]'])(
		'is one whose cells say %s: nothing of it is sent, whatever the column',
		async (word) => {
			const names = ['Alias', 'Domain', 'Expiry', 'Password', 'Title', 'Meta Description'];
			const columns = [...names, 'Meta Image', 'Campaign', 'Channel', 'UTM Source', 'UTM Term'];
			const row = Object.fromEntries(columns.map((name) => [name, word]));
			const result = await runSheet([url, word].map((URL) => ({ ...row, URL })));
			expect(outcomesIn(result)).toEqual(['created', 'skipped']);
			expect(bodiesIn(result)).toEqual([{ url }]);
		},
	);

	test('is no table in which another row has one', async () => {
		const rows = [{ note: 'Week 32' }, { note: 'a', url }];
		expect(outcomesIn(await runSheet(rows))).toEqual(['skipped', 'created']);
	});
});
