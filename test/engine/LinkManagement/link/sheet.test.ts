import type { IncomingMessage } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { serve } from '../../../loopback.ts';
import type { StageResult } from '../../helpers/support.ts';
import {
	Stage,
	byId,
	inContrastingDialects,
	like,
	onStage,
	recordsOf,
	textOf,
} from '../../helpers/support.ts';

/** A sheet as marketing teams write it, run as often as they like. */

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const MAPPED: INodeParameters = { mappingMode: 'autoMapInputData' };
const LIST = 'GET /api/urls';
const CREATE = 'POST /api/url/add';

async function bodyIn(request: IncomingMessage): Promise<IDataObject> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text === '' ? {} : (JSON.parse(text) as IDataObject);
}

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const outcomesIn = ({ json }: StageResult): unknown[] => json.map(({ outcome }) => outcome);

/** What happened to a row: its outcome, or the first words of its error. */
const told = ({ json }: StageResult): unknown[] =>
	json.map(({ outcome, error }) =>
		outcome === 'failed' ? textOf(error).replace(/[,.:] .*/s, '') : outcome,
	);

inContrastingDialects((stage) => {
	test('the second run of a sheet says for every row what happened to it', async () => {
		const name = (text: string) => `${text}-${stage.unique('x')}`;
		const [campaign, channel, twice] = [name('Sommer Aktion'), name('News'), name('doppelt')];
		const campaignId = await stage.make('/api/campaign/add', { name: campaign });
		await stage.make('/api/channel/add', { name: channel });
		const page = (path: string) => `https://example.com/${stage.unique('p')}/${path}`;
		const plain = { Kampagne: 'left alone', Campaign: '', Channel: '', Expiry: '' };
		const rows: IDataObject[] = [
			{ ...plain, URL: page('straße?für=dich'), Alias: name('umlaut') },
			{ ...plain, URL: ` ${page('leer')} `, Alias: ` ${name('leer')} `, Expiry: '31.12.2099' },
			{ ...plain, URL: page('a'), Alias: twice, Campaign: campaign.toUpperCase() },
			{ ...plain, URL: page('b'), Alias: twice },
			{ ...plain, URL: 'example dot com', Alias: name('falsch') },
			{ ...plain, URL: page('datum'), Alias: name('datum'), Expiry: '1.6.2099 18:00' },
			{ ...plain, URL: page('tag'), Alias: name('tag'), Expiry: '46000' },
			{ ...plain, URL: page('kanal'), Alias: name('kanal'), Channel: channel.toLowerCase() },
			{ ...plain, URL: page('fehlt'), Alias: name('fehlt'), Campaign: 'Winter' },
		];
		const run = async () => await stage.link('link.upsert', MAPPED, { rows, settings: CONTINUE });
		const failed: Record<number, string | undefined> = {
			3: `Custom Alias ${twice} is already in item 3`,
			4: 'Column "URL" must be a web address',
			6: 'Column "Expiry" must be a date and time',
			8: 'There is no campaign "Winter"',
		};
		const expected = (outcome: string) => rows.map((_, at) => failed[at] ?? outcome);

		const first = await run();
		expect(told(first)).toEqual(expected('created'));
		expect(first.json[8]?.error).toMatch(
			/If the column "Campaign" does not name the campaign of the link, enter it under Columns to Ignore/,
		);
		expect(first.json.map((row) => row.Kampagne)).toEqual(rows.map(() => 'left alone'));
		const link = Number(first.json[2]?.id);
		expect(sentIn(first)).toContain(`POST /api/campaign/${campaignId}/assign/${link}`);

		const second = await run();
		expect(told(second)).toEqual(expected('unchanged'));
		expect(sentIn(second).filter((request) => !request.startsWith('GET '))).toEqual([]);
		expect(second.json[0]).toMatchObject({ clicks: 0, date: like(/^\d{4}-/) });
	});
});

describe('a sheet to which the results were written back', () => {
	const stage = onStage(new Stage());
	const run = async (rows: IDataObject[], settings: object = CONTINUE) =>
		await stage.link('link.upsert', MAPPED, { rows, settings });

	test('keeps its columns: those of the last run are replaced', async () => {
		const row = { URL: 'https://example.com/back', Alias: stage.unique('back'), note: 'Spring' };
		const [first = {}] = (await run([row])).json;
		expect(first).toMatchObject({ ...row, outcome: 'created' });
		const [second = {}] = (await run([{ ...first, clicks: 7, error: 'of last week' }])).json;
		expect(second).toMatchObject({ ...row, clicks: 0, outcome: 'unchanged' });
		expect(Object.keys(second)).toEqual(Object.keys(first));
	});

	test('its own columns for URL and alias count, not those of the last run', async () => {
		const [slug, moved] = [stage.unique('slug'), 'https://example.com/moved'];
		const sheet = { 'Target URL': 'https://example.com/first', Slug: slug };
		const [{ longurl, alias, ...first } = {}] = (await run([sheet])).json;
		const changed = { longurl, alias, ...first, 'Target URL': moved };
		expect((await run([changed])).json).toMatchObject([{ outcome: 'updated', longurl: moved }]);
		const renamed = { ...changed, Slug: `${slug}-2` };
		expect((await run([renamed])).json).toMatchObject([{ outcome: 'created', longurl: moved }]);
	});

	test('a failed row keeps its link, and says that it failed', async () => {
		const row = { URL: 'https://example.com/kept', Alias: stage.unique('kept') };
		const [first = {}] = (await run([row])).json;
		const [failed] = (await run([{ ...first, URL: 'nowhere' }])).json;
		expect(failed).toEqual({
			...first,
			URL: 'nowhere',
			outcome: 'failed',
			error: like(/web address/),
		});
	});

	test.each([
		['Continue', CONTINUE],
		['Stop Workflow', {}],
	])('a blank row is skipped, On Error: %s', async (_title, settings) => {
		const row = { URL: 'https://example.com/full', Alias: stage.unique('full') };
		const blank = { URL: ' ', Alias: '\u00a0', note: 'a heading' };
		const { json, requests } = await run([blank, row], settings);
		const link = { id: null, shorturl: null, longurl: null, alias: null, clicks: null, date: null };
		expect(json[0]).toEqual({ ...blank, ...link, outcome: 'skipped' });
		expect(requests).toHaveLength(2);
	});
});

describe('a row that cannot be sent', () => {
	const stage = onStage(new Stage());
	const good = (alias = 'good') => ({
		URL: 'https://example.com/good',
		Alias: stage.unique(alias),
	});

	test.each([
		[{ URL: '#REF!' }, /^Column "URL" has a formula error, "#REF!"\. Correct the formula /],
		[{ Alias: ' #n/a ' }, /^Column "Alias" has a formula error, "#n\/a"\./],
		[{ 'UTM Campaign': '#BEZUG!' }, /^Column "UTM Campaign" has a formula error, "#BEZUG!"/],
		[{ Campaign: '#NV' }, /^Column "Campaign" has a formula error, "#NV"/],
		[{ URL: ' ' }, /^URL is empty\. Enter one in this row, or empty the whole row/],
		[{ Alias: '' }, /^Custom Alias is empty\. .+ or set Match By to Long URL\./],
		[{ URL: 'WAHR' }, /^Column "URL" must be a web address, but is "WAHR"\. Start it with /],
		[{ URL: true }, /^Column "URL" must be a web address, but is "true"\. /],
		[{ Expiry: '12/31/2099' }, /^Column "Expiry" .+ "12\/31\/2099"\. Write it like 2030-12-31/],
		[{ Expiry: 46000 }, /^Column "Expiry" .+ is "46000"\. It is the day number of a spreadsheet/],
		[{ Alias: 'a b' }, /^Column "Alias" is "a b": custom must have 1 to 64 letters/],
		[
			{ Domain: 'nowhere.example' },
			/^Column "Domain": nowhere\.example is not a domain of this account\. /,
		],
		[{ Channel: 'Nowhere' }, /^There is no channel "Nowhere"\. .+ under Columns to Ignore/],
	])('says which column, which value and what to do: %j', async (cells, error) => {
		const rows = [{ ...good(), ...cells }, good('better')];
		const { json } = await stage.link('link.upsert', MAPPED, { rows, settings: CONTINUE });
		expect(json[0]?.error).toMatch(error);
		expect(json[1]).toMatchObject({ outcome: 'created' });
	});

	test('blanks around values, also those that nobody sees, and numbers change nothing', async () => {
		const alias = stage.unique('7');
		const rows = [
			{
				URL: '\u00a0https://example.com/x\u200b',
				Alias: `\u2060 ${alias}\t\ufeff`,
				'UTM\u00a0Source': 7,
			},
			{ URL: '\u00a0', Alias: '\u200b' },
		];
		const { json } = await stage.link('link.upsert', MAPPED, { rows, settings: CONTINUE });
		expect(json).toMatchObject([
			{ outcome: 'created', alias, longurl: 'https://example.com/x?utm_source=7' },
			{ outcome: 'skipped' },
		]);
	});

	test('a formula error in a field of the panel is refused, too', async () => {
		const parameters = { url: 'https://example.com/', customAlias: '={{ $json.alias }}' };
		const { error, requests } = await stage.link('link.create', parameters, {
			rows: [{ alias: '#WERT!' }],
		});
		expect(error?.message).toBe('Custom Alias has a formula error, "#WERT!"');
		expect(requests).toEqual([]);
	});

	test('a row without a URL is told apart from a sheet without one, by its own columns to ignore', async () => {
		const rows = [
			{ ...good(), skipped: 'url' },
			{ Alias: stage.unique('bare'), skipped: '' },
		];
		const options = { ignoredColumns: '={{ $json.skipped }}' };
		const parameters = { ...MAPPED, options };
		const { json } = await stage.link('link.upsert', parameters, { rows, settings: CONTINUE });
		expect(json).toMatchObject([
			{ error: like(/^No item has a URL: the column "URL" is empty, or to be ignored/) },
			{ error: like(/^URL is empty/) },
		]);
	});

	test('stops the run, and says how many others there are', async () => {
		const bad = { URL: 'nowhere', Alias: 'bad' };
		const run = async (rows: IDataObject[]) => await stage.link('link.upsert', MAPPED, { rows });
		const { error, requests } = await run([
			good(),
			bad,
			{ ...bad, Alias: 'bad-2' },
			good('better'),
			bad,
		]);
		expect(error?.message).toMatch(/ \(item 2 of 5: nothing was sent\)$/);
		expect(error?.description).toBe(
			'Start it with http:// or https://. 2 more items have an error: to see each, set On Error to Continue in the settings of the node',
		);
		expect(requests).toEqual([]);
		const alone = await run([good(), bad]);
		expect(alone.error?.description).toBe('Start it with http:// or https://');
	});
});

describe('a row with an expiry and targets', () => {
	const stage = onStage(new Stage());
	const additionalFields = {
		expiry: '={{ $json.until }}',
		geoTargets: { target: [{ location: 'Germany', link: '={{ $json.germans }}' }] },
		deviceTargets: { target: [{ device: 'iPhone', link: 'https://example.com/app' }] },
	};
	const parameters = {
		url: 'https://example.com/',
		customAlias: '={{ $json.alias }}',
		additionalFields,
	};
	const row = { alias: '', until: '2099-01-01', germans: 'https://example.com/de' };
	beforeEach(() => {
		row.alias = stage.unique('detailed');
	});
	const run = async (changes: object = {}) =>
		await stage.link('link.upsert', parameters, { rows: [{ ...row, ...changes }] });

	test('is compared with the details of its link, and written only if they differ', async () => {
		expect(outcomesIn(await run())).toEqual(['created']);
		const same = await run();
		expect(outcomesIn(same)).toEqual(['unchanged']);
		expect(sentIn(same)).toEqual([LIST, like(/^GET \/api\/url\/\d+$/)]);
		const browserSame = await run({ germans: 'https://EXAMPLE.com/de' });
		expect(outcomesIn(browserSame)).toEqual(['unchanged']);
		for (const changes of [{ until: '2099-01-02' }, { germans: 'https://example.com/d' }]) {
			const changed = await run(changes);
			expect(outcomesIn(changed)).toEqual(['updated']);
			expect(sentIn(changed)).toEqual([LIST, like(/^GET /), like(/^PUT /)]);
		}
	});

	test('is written without a read if its address has changed', async () => {
		await run();
		const moved = { ...parameters, url: 'https://example.com/moved' };
		const result = await stage.link('link.upsert', moved, { rows: [row] });
		expect(sentIn(result)).toEqual([LIST, like(/^PUT /)]);
	});

	test.each(['password', 'metaTitle'])(
		'and %s is written, because no response shows that',
		async (name) => {
			await run();
			const given = { ...parameters, additionalFields: { ...additionalFields, [name]: 'x' } };
			const result = await stage.link('link.upsert', given, { rows: [row] });
			expect(sentIn(result)).toEqual([LIST, like(/^PUT /)]);
		},
	);
});

describe('campaign, channel and QR code', () => {
	const stage = onStage(new Stage());
	const places = async () => ({
		campaign: await stage.make('/api/campaign/add', { name: stage.unique('Spring') }),
		channel: await stage.make('/api/channel/add', { name: stage.unique('Mail') }),
	});
	const parametersFor = ({ campaign, channel }: { campaign: number; channel: number }) => ({
		url: '={{ $json.url }}',
		customAlias: '={{ $json.alias }}',
		additionalFields: {
			campaignId: byId(campaign),
			channelId: byId(channel),
			createQrCode: true,
		},
	});

	test('a link that exists is put into a channel that lacks it, then into its campaign, and keeps its QR code', async () => {
		const given = await places();
		const rows = ['a', 'b'].map((name) => ({
			url: `https://example.com/${name}`,
			alias: stage.unique(name),
		}));
		const [a, b] = await Promise.all(
			rows.map(async ({ url, alias }) => await stage.make('/api/url/add', { url, custom: alias })),
		);
		await stage.api(`POST /api/channel/${given.channel}/assign/links/${Number(a)}`);
		const result = await stage.link('link.upsert', parametersFor(given), { rows });
		expect(outcomesIn(result)).toEqual(['unchanged', 'updated']);
		expect(result.json.map(({ qr_code }) => qr_code)).toEqual([null, null]);
		expect(sentIn(result)).toEqual([
			LIST,
			`GET /api/channel/${given.channel}`,
			`POST /api/channel/${given.channel}/assign/links/${Number(b)}`,
			`POST /api/campaign/${given.campaign}/assign/${Number(b)}`,
		]);
		const again = await stage.link('link.upsert', parametersFor(given), { rows });
		expect(outcomesIn(again)).toEqual(['unchanged', 'unchanged']);
	});

	test('a link that is updated is put into its campaign, one that is kept into nothing', async () => {
		const given = await places();
		const alias = stage.unique('c');
		const id = await stage.make('/api/url/add', { url: 'https://example.com/c', custom: alias });
		const rows = [{ url: 'https://example.com/new', alias }];
		const kept = await stage.link(
			'link.upsert',
			{ ...parametersFor(given), ifExists: 'keep' },
			{ rows },
		);
		expect(sentIn(kept)).toEqual([LIST]);
		const result = await stage.link('link.upsert', parametersFor(given), { rows });
		expect(sentIn(result)).toEqual([
			LIST,
			`PUT /api/url/${id}/update`,
			`GET /api/channel/${given.channel}`,
			`POST /api/channel/${given.channel}/assign/links/${id}`,
			`POST /api/campaign/${given.campaign}/assign/${id}`,
		]);
	});
});

describe('a domain without its scheme', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain' }));

	test('is sent as the list of the account spells it, which is read once', async () => {
		const host = `${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain: `https://${host}` });
		const rows = ['a', 'b'].map((name) => ({ name }));
		const parameters = {
			url: 'https://example.com/',
			customAlias: '={{ $json.name }}',
			domain: { __rl: true, mode: 'name', value: host.toUpperCase() },
		};
		for (const operation of ['link.create', 'link.upsert']) {
			const { requests } = await stage.link(operation, parameters, {
				rows: rows.map((row) => ({ name: `${operation}-${row.name}`.replace('.', '-') })),
			});
			const bodies = requests.filter(({ request }) => request === CREATE).map(({ body }) => body);
			expect(bodies).toMatchObject([{ domain: `https://${host}` }, { domain: `https://${host}` }]);
			expect(requests.filter(({ request }) => request === 'GET /api/domains')).toHaveLength(1);
		}
		expect((await recordsOf(stage, '/api/urls')).length).toBe(4);
	});
});

describe('a service that writes aliases in its own way', () => {
	const stage = onStage(new Stage());
	const links: IDataObject[] = [];
	const requests: string[] = [];
	const linkOf = (id: string | undefined) => links.find((link) => link.id === Number(id));
	/** Whether the next create is carried out, but its response is lost. */
	let losesResponse = false;

	/** Lower case, without marks, one hyphen for blanks. An alias that is taken is refused. */
	const slug = (text: unknown): string =>
		String(text)
			.normalize('NFD')
			.replace(/\p{M}/gu, '')
			.toLowerCase()
			.replace(/[\s_-]+/g, '-');

	const server = serve((request, response) => {
		void bodyIn(request).then((sent) => {
			const [path = ''] = (request.url ?? '').split('?');
			const [, id] = /^\/api\/url\/(\d+)/.exec(path) ?? [];
			requests.push(`${String(request.method)} ${path}`);
			const answer = (): IDataObject => {
				if (path === '/api/urls')
					return {
						error: 0,
						data: {
							result: links.length,
							perpage: 100,
							currentpage: 1,
							nextpage: 1,
							maxpage: 1,
							urls: links,
						},
					};
				if (request.method === 'GET') return { error: 0, details: { ...linkOf(id) }, data: {} };
				if (request.method === 'PUT')
					return {
						error: 0,
						id,
						short: Object.assign(linkOf(id) ?? {}, { longurl: sent.url }).shorturl,
					};
				const alias = slug(sent.custom);
				if (links.some((link) => link.alias === alias))
					return { error: 1, message: 'That alias is taken.' };
				const shorturl = `http://${String(request.headers.host)}/${alias}`;
				links.push({
					id: links.length + 1,
					alias,
					shorturl,
					longurl: sent.url,
					clicks: 0,
					date: '2026-01-01 00:00:00',
				});
				return { error: 0, id: links.length, shorturl };
			};
			const body = JSON.stringify(answer());
			response.setHeader('Content-Type', 'application/json');
			if (!losesResponse || request.method !== 'POST') {
				response.end(body);
				return;
			}
			losesResponse = false;
			response.destroy();
		});
	});
	afterAll(async () => await (await server).stop());
	beforeEach(() => {
		links.length = 0;
	});

	async function run(operation: string, ...rows: IDataObject[]): Promise<StageResult> {
		requests.length = 0;
		const credential = { baseUrl: (await server).url };
		const parameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };
		return await stage.link(operation, parameters, { rows, credential, settings: CONTINUE });
	}
	const url = 'https://example.com/straße';

	test.each(['link.create', 'link.upsert'])('%s outputs the alias that came', async (operation) => {
		const { json } = await run(operation, { url, alias: 'Sömmer  Sale_2' });
		expect(json).toMatchObject([{ id: 1, alias: 'sommer-sale-2' }]);
		expect(requests.at(-1)).toBe('GET /api/url/1');
	});

	test('Create or Update finds that link again, and writes nothing', async () => {
		const row = { url, alias: 'Summer Sale' };
		expect(outcomesIn(await run('link.upsert', row))).toEqual(['created']);
		const again = await run('link.upsert', row);
		expect(again.json).toMatchObject([{ id: 1, alias: 'summer-sale', outcome: 'unchanged' }]);
		expect(requests).toEqual([LIST, CREATE]);
	});

	test('Create or Update says that it created the link whose response was lost', async () => {
		losesResponse = true;
		const { json } = await run('link.upsert', { url, alias: 'Summer Sale' });
		expect(json).toMatchObject([{ id: 1, alias: 'summer-sale', outcome: 'created' }]);
		expect(requests).toEqual([LIST, CREATE, LIST]);
	});

	test('the error names the alias to enter, if that link leads elsewhere', async () => {
		await run('link.upsert', { url, alias: 'Summer Sale' });
		const { json } = await run('link.upsert', {
			url: 'https://example.com/b',
			alias: 'Summer Sale',
		});
		expect(json[0]?.error).toMatch(/^That alias is taken\. .* enter the alias "summer-sale"/);
		expect(links).toMatchObject([{ longurl: 'https://example.com/stra%C3%9Fe' }]);
	});

	test('no row changes the link of another row that is spelled in another way', async () => {
		const rows = ['summer-sale', 'Summer Sale'].map((alias) => ({ url, alias }));
		const other = { url: 'https://example.com/b', alias: 'summer-sale' };
		const { json } = await run('link.upsert', ...rows, other);
		expect(json).toMatchObject([
			{ outcome: 'created' },
			{ error: like(/^The link http\S+ is already in item 1\./) },
			{ error: like(/^Custom Alias summer-sale is already in item 1\./) },
		]);
		expect(links).toHaveLength(1);
	});
});
