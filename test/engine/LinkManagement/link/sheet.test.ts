import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { StageResult } from '../../helpers/support.ts';
import {
	CONTINUE,
	Stage,
	inContrastingDialects,
	like,
	onStage,
	recordsOf,
	sentIn,
	textOf,
	writesIn,
} from '../../helpers/support.ts';

/** A sheet as marketing teams write it, run as often as they like: *Create or Update* with *Map Automatically*. */

const MAPPED: INodeParameters = { mappingMode: 'autoMapInputData' };
const LIST = 'GET /api/urls';
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
		['Bitly', { 'Long URL': url, 'Custom Bitlink': 'bit.ly/a' }, { url, custom: 'a' }],
		['Dub', { 'Short link': 'a.b/1', 'Destination URL': url, 'Expires at': day }, { url, expiry }],
		['Rebrandly', { destination: url, slashtag: 'a' }, { url, custom: 'a' }],
		['Shlink', { shortCode: 'a', longUrl: url, validUntil: day }, { url, custom: 'a', expiry }],
		['Short.io', { originalURL: url, path: 'b' }, { url }],
		['YOURLS', { keyword: 'b', url }, { url }],
		['Google Ads', { 'Final URL': url }, { url }],
		['a form', { 'URL*': url, 'Alias (optional):': 'a' }, { url, custom: 'a' }],
		[
			'a form',
			{ '*URL': url, '"Alias"': 'a', 'Title（必須）': 'b' },
			{ url, custom: 'a', metatitle: 'b' },
		],
		['a form', { url, alias: 'old', 'Alias (optional)': 'a' }, { url, custom: 'a' }],
		['a form', { 'URL (old)': `${url}old`, 'URL [required]': url, URL: url }, { url }],
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

	test('has tags of its columns beside those of the panel', async () => {
		const additionalFields = { utm: { source: 'mail' } };
		const rows = [{ url, 'UTM Medium': 'email' }];
		const { json } = await stage.link('link.upsert', { ...MAPPED, additionalFields }, { rows });
		expect(json).toMatchObject([{ longurl: `${url}?utm_source=mail&utm_medium=email` }]);
	});

	test('has a source and a medium of its own beside its tags, or one of them alone', async () => {
		const [source, medium] = [{ Source: 'fair' }, { Medium: 'email' }];
		const tagged = `${url}?utm_campaign=a`;
		const rows = [
			{ url, ...source, ...medium, 'UTM Campaign': 'a' },
			{ url: `${tagged}b`, ...source, ...medium },
			{ url, ...source },
		];
		const { json } = await runSheet(stage, rows, { dryRun: true });
		expect(json.map(({ longurl }) => longurl)).toEqual([tagged, `${tagged}b`, url]);
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
		[{ URL: '#REF!' }, /^Column "URL" is the error of a formula: "#REF!"\. Correct /],
		[{ URL: 'https://example.com/stra\ufffde' }, /^Column "URL" was read in the wrong encoding: /],
		[{ Campaign: '#NV' }, /^Column "Campaign" is the error of a formula: "#NV"/],
		[{ URL: ' ' }, /^Column "URL" is empty, but others of the row have a value\. /],
		[{ URL: 'null' }, /^Column "URL" has only "null", but others of the row have a value\. /],
		[{ '\ufeffURL': 'an address', URL: '' }, /^Column "URL" must be a web address, /],
		[{ Alias: 'https://bit.ly/a' }, /^Column "Alias" is a short URL on another domain than /],
		[{ 'UTM Term': '1,701,234' }, /^Column "UTM Term" is a number that a spreadsheet or/],
		[{ Expiry: '2020-01-01' }, /^Column "Expiry" is in the past: "2020-01-01"/],
		[{ Expiry: '01/02/2099' }, /^Column "Expiry" may be 2099-02-01 or 2099-01-02: /],
		[{ Domain: 'n/a' }, /^Column "Domain" is no name, but stands for none: .+ Leave it empty/],
		[{ Campaign: 'none' }, /^Column "Campaign" is no name, but stands for none: "none"/],
		[{ URL: true }, /^Column "URL" must be a web address, but is "true"\. /],
		[
			{ Expiry: '2020-01-01', 'UTM Term': '-' },
			/^Column "UTM Term" is no tag.+\. Column "Expiry" is /,
		],
		[
			{ 'UTM Source': '-', 'UTM Medium': '-' },
			/^Column "UTM Source" is no tag.+Column "UTM Medium" is no tag/,
		],
		[{ Expiry: 'never', Campaign: 'n/a' }, /^Column "Expiry" must be .+ Column "Campaign" is no/],
		[{ Expiry: '13/31/2099' }, /^Column "Expiry" must be a date and time, .+ "13\/31\/2099"/],
		[{ Alias: 'api' }, /^The alias api is reserved\. /],
		[
			{ Source: 'newsletter', Medium: 'email' },
			/^The columns "Source" and "Medium" may be UTM tags, or something else\. Name tags "UTM Source"/,
		],
		[{ Channel: 'Nowhere' }, /^There is no channel "Nowhere"\. /],
		[{ URL: undefined }, /^Column "URL" is empty, but others of the row have a value\. /],
	])('says which column, which value and what to do: %j', async (cells, error) => {
		const row = Object.entries({ ...good(), ...cells }).filter(([, value]) => value !== undefined);
		const rows: IDataObject[] = [Object.fromEntries(row), good('better')];
		const { json } = await runSheet(stage, rows);
		expect(json).toMatchObject([{ outcome: 'failed', error: like(error) }, { outcome: 'created' }]);
	});
});

describe('a table without a column for the long URL', () => {
	const USUAL = 'Name the column with the long URLs "url"';

	test.each<[IDataObject, string, RegExp | string]>([
		[{ 'Ziel-URL': url, Kurz: 'a' }, '"Ziel-URL", "Kurz"', USUAL],
		[{ '\ufeffurl;alias': `${url};a` }, '"url;alias"', /has ";" between .+ set 'Delimiter' to it/],
		[
			{ 'Name\turl': `a\t${url}` },
			'"Name⇥url"',
			/has a tab between .+ 'Delimiter' to the expression \{\{ '\\t' \}\}/,
		],
		[{ 'Ziel-URL;Kurz': `${url};a` }, '"Ziel-URL;Kurz"', /has ";" between its columns/],
		[{ 'Ziel|Kurz': `${url}|a` }, '"Ziel|Kurz"', /has "\|" between its columns/],
		[{ body: { url } }, '"body"', /inside "body": output only that/],
		[{ body: [{ url }] }, '"body"', /inside "body": put a Split Out node/],
		[{ body: { data: { url } } }, '"body"', /inside "body\.data": output only that/],
		[{ body: { data: [{ url }] } }, '"body"', /inside "body\.data": put a Split Out node/],
		[{ body: `{"url":"${url}"}` }, '"body"', /in the text of "body": output it with JSON\.parse/],
		[{ 'Links 2030': 'No.', '': 'Note' }, '"Links 2030", empty', /in a row below the first/],
		[
			{ 'Links 2030': 'URL', __EMPTY: 'Alias' },
			'"Links 2030", "__EMPTY"',
			/in a row below the first/,
		],
		[{ 'https://example.com/1': url, a: 'b' }, `"${url}1", "a"`, /The first row was read as the/],
		[{ Campaign: 'Spring', url_new: url }, '"Campaign", "url_new"', USUAL],
		[{ 'Ziel-URL': url, Alias: '' }, '"Ziel-URL", "Alias"', USUAL],
		[{ 'Ziel, neu': url, Kurz: 'a' }, '"Ziel, neu", "Kurz"', USUAL],
		[{}, 'none', USUAL],
	])('is refused, with its columns and the likely cause: %j', async (row, columns, advice) => {
		const { json, requests } = await runSheet(stage, [row, {}]);
		const message = `No column has the long URLs; the columns are ${columns}. `;
		expect(json).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }]);
		const told = json.map(({ error }) => textOf(error).slice(0, message.length));
		expect(told).toEqual([message, message]);
		expect(json[0]?.error).toMatch(advice);
		expect(requests).toEqual([]);
	});

	test.each(['null', 'None', 'NIL', 'undefined', 'NaN', '\\N', '[object Object]', '(null)'])(
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

	test('has its names in a row below the first, and every row says so', async () => {
		const rows = ['Marketing plan 2030', 'url', url].map((cell) => ({ plan: cell }));
		const { json } = await runSheet(stage, rows);
		const below = { error: like(/in a row below the first: remove the rows above them/) };
		expect(json).toMatchObject([below, below, below]);
	});

	test('is no table in which another row has one', async () => {
		const rows = [{ note: 'Week 32' }, { note: 'a', url }];
		expect(told(await runSheet(stage, rows))).toEqual(['skipped', 'created']);
	});
});

test('a sheet of 300 rows takes the pages of the list once, and a request for each row that differs', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 300, 0);
	const links = await recordsOf(stage, '/api/urls');
	const rows = links.map(({ alias, longurl }, at) => ({
		alias: at % 2 === 0 ? String(alias) : '',
		url: String(longurl),
	}));
	const changed = rows.map((row, at) => (at % 30 === 0 ? { ...row, url: `${row.url}/new` } : row));
	const result = await runSheet(stage, changed);
	expect(told(result)).toEqual(rows.map((_row, at) => (at % 30 === 0 ? 'updated' : 'unchanged')));
	// Three pages, the first look-up, its record of the list, and for each link its details and its update.
	expect(sentIn(result).filter((request) => request === LIST)).toHaveLength(5);
	expect(sentIn(result).length).toBeLessThanOrEqual(5 + 20);
});
