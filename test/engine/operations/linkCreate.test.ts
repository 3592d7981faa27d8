import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../engine.ts';
import { recordsOf } from '../operationSample.ts';
import type { NodeSettings, StageResult } from '../support.ts';
import { A_NUMBER, Stage, byId, inEveryDialect, like, onStage, pairs } from '../support.ts';

const CREATE = 'POST /api/url/add';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const url = 'https://example.com/';

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const bodiesIn = ({ requests }: StageResult): unknown[] => requests.map(({ body }) => body);
const named = (value: string): INodeParameters => ({ __rl: true, mode: 'name', value });

describe('Map Automatically', () => {
	const stage = onStage(new Stage());
	const mapped = async (
		rows: IDataObject[],
		parameters: INodeParameters = {},
		{ operation = 'link.create', ...settings }: NodeSettings & { operation?: string } = {},
	): Promise<StageResult> =>
		await stage.link(
			operation,
			{ mappingMode: 'autoMapInputData', ...parameters },
			{ rows, ...settings },
		);

	test('fills the fields from the columns, however they are spelt', async () => {
		const [a, b, c] = ['a', 'b', 'c'].map((name) => stage.unique(name));
		const rows = [
			{ url: `${url}1`, alias: a, utm_source: 'mail', 'UTM-Medium': 'email', owner: 'Ann' },
			{ URL: ' ', 'Long URL': `${url}2`, Slug: 'x', custom_alias: b, meta_title: 'Title' },
			{ 'target-url': `${url}3#top`, custom_alias: '', slug: c, expiry: '2099-01-01', password: 7 },
		];
		const result = await mapped(rows, { additionalFields: { utm: { campaign: 'spring' } } });
		const tags = 'utm_campaign=spring';
		expect(bodiesIn(result)).toEqual([
			{ url: `${url}1?utm_source=mail&utm_medium=email&${tags}`, custom: a },
			{ url: `${url}2?${tags}`, custom: b, metatitle: 'Title' },
			{ url: `${url}3?${tags}#top`, custom: c, expiry: '2099-01-01 00:00:00', password: '7' },
		]);
		expect(result.json).toMatchObject(
			rows.map((row, at) => ({ ...row, id: A_NUMBER, alias: [a, b, c][at] })),
		);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		for (const item of result.json) expect(Object.keys(item).join()).not.toMatch(/input_/);
	});

	test('takes from the panel what a row has no value for', async () => {
		const panel = { redirectType: 'frame', additionalFields: { metaTitle: 'Usual' } };
		const rows = [{ url }, { url, meta_title: 'Own' }, { url, 'Meta Title': '  ' }];
		expect(bodiesIn(await mapped(rows, panel))).toEqual(
			['Usual', 'Own', 'Usual'].map((metatitle) => ({ url, type: 'frame', metatitle })),
		);
	});

	test('passes on rows without any value, and sends nothing for them', async () => {
		const rows = [{ url }, { url: '', owner: 'Ann', error: 'x' }, {}];
		const result = await mapped(rows);
		expect(result.json).toEqual([
			expect.objectContaining({ id: A_NUMBER }),
			{ url: '', owner: 'Ann' },
			{},
		]);
		expect(sentIn(result)).toEqual([CREATE]);
	});

	test.each([
		[[{ alias: 'a' }, { url }], /^URL is empty/],
		[
			[{ link: url, alias: 'a' }, { Owner: 'Ann' }],
			/^No item has a URL.* "link", "alias", "Owner"/,
		],
		[[{ Owner: 'Ann' }], /^No item has a URL; the input has the columns "Owner"/],
		[[{ url: 'example.com' }, { url }], /^URL must be a web address/],
	])('refuses %j before any request', async (rows, message) => {
		const { error, requests } = await mapped(rows as IDataObject[]);
		expect(error?.message).toMatch(message);
		expect(requests).toEqual([]);
	});

	test('keeps the columns of a row that failed', async () => {
		const rows = [{ url: 'example.com', owner: 'Ann' }, { url }];
		const { json } = await mapped(rows, {}, { settings: CONTINUE });
		expect(json).toMatchObject([{ ...rows[0], error: like(/^URL must be/) }, { id: A_NUMBER }]);
	});

	test('is not offered to an AI agent, which fills in the URL', () => {
		const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
		const given = { resource: 'link', operation: 'create' };
		const namesFor = (name: string): string[] => {
			const type = { ...description, name };
			const opened = [type.properties, given, true, false, { typeVersion: 1 }, type] as const;
			return Object.keys(NodeHelpers.getNodeParameters(...opened) ?? {});
		};
		expect(namesFor('linkManagement')).toEqual(expect.arrayContaining(['mappingMode', 'url']));
		expect(namesFor('linkManagementTool')).toContain('url');
		expect(namesFor('linkManagementTool')).not.toContain('mappingMode');
	});

	test('writes nothing for the same sheet on the next night', async () => {
		const operation = 'link.upsert';
		const rows = ['a', 'b'].map((name) => ({
			...{ url: `${url}${name}`, alias: stage.unique(name), utm_source: 'mail', owner: 'Ann' },
		}));
		const first = await mapped(rows, {}, { operation });
		expect(first.json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
		const again = await mapped(rows, {}, { operation });
		expect(again.json).toEqual(first.json.map((link) => ({ ...link, outcome: 'unchanged' })));
		expect(sentIn(again)).toEqual(['GET /api/urls']);
		const byUrl = await mapped(rows, { matchBy: 'longUrl' }, { operation });
		expect(sentIn(byUrl)).toEqual(['GET /api/urls']);
	});
});

inEveryDialect((stage) => {
	describe('an alias that is taken', () => {
		const create = async (custom: string, ifAliasTaken: string): Promise<StageResult> =>
			await stage.link('link.create', { url, customAlias: custom, options: { ifAliasTaken } });

		test.each([
			['suffix', ['', '-2', '-3']],
			['random', ['', undefined]],
			['error', ['']],
		])('with %s is tried as %j', async (choice, suffixes) => {
			const custom = stage.unique('taken');
			for (const suffix of ['', '-2']) {
				await stage.make('/api/url/add', { url, custom: `${custom}${suffix}` });
			}
			const result = await create(custom, choice);
			const tried = suffixes.map((suffix) =>
				suffix === undefined ? undefined : `${custom}${suffix}`,
			);
			expect(bodiesIn(result)).toEqual(
				tried.map((alias) => (alias ? { url, custom: alias } : { url })),
			);
			if (choice === 'error') expect(result.error).toBeDefined();
			else
				expect(result.json).toMatchObject([{ id: A_NUMBER, alias: tried.at(-1) ?? like(/^\w+$/) }]);
		});

		test('that stays taken fails with the first refusal', async () => {
			const custom = stage.unique('taken');
			for (const suffix of ['', '-2', '-3', '-4']) {
				await stage.make('/api/url/add', { url, custom: `${custom}${suffix}` });
			}
			const { error, requests } = await create(custom, 'suffix');
			expect(requests).toHaveLength(4);
			expect(error?.message).toMatch(
				stage.dialect.failureStatus === 'html' ? /./ : new RegExp(`${custom} is`),
			);
		});
	});

	test('a new link is put into its campaign and its channel', async () => {
		const campaign = await stage.make('/api/campaign/add', { name: 'Spring' });
		const channel = await stage.make('/api/channel/add', { name: 'Mail' });
		const rows = [{ where: 'Spring' }, { where: '' }];
		const additionalFields = { campaignId: named('={{ $json.where }}'), channelId: byId(channel) };
		const result = await stage.link('link.create', { url, additionalFields }, { rows });
		const [first, second] = result.json.map(({ id }) => Number(id));
		expect(sentIn(result)).toEqual([
			'GET /api/campaigns',
			...[CREATE, `POST /api/campaign/${campaign}/assign/${first}`],
			`POST /api/channel/${channel}/assign/links/${first}`,
			...[CREATE, `POST /api/channel/${channel}/assign/links/${second}`],
		]);
	});
});

describe('a QR code created with its link', () => {
	const stage = onStage(new Stage());
	const DRAW = 'POST /api/qr/add';
	const additionalFields = { createQrCode: true };

	test('is of the short URL, and its picture has an address', async () => {
		const result = await stage.link('link.create', { url, additionalFields });
		const [{ shorturl, qr_code } = {}] = result.json;
		expect(bodiesIn(result)).toEqual([{ url }, { type: 'link', data: shorturl }]);
		const [code] = await recordsOf(stage, '/api/qr');
		expect(result.json).toMatchObject([{ qr_code_id: Number(code?.id), qr_code: code?.link }]);
		const picture = await fetch(String(qr_code));
		expect(picture.headers.get('content-type')).toMatch(/^image/);
	});

	test.each(['http-503', 'drop-after'] as const)('is not created twice: %s', async (kind) => {
		stage.sandbox.faults.add({ kind, path: '/api/qr/add' });
		const parameters = { url, additionalFields };
		const result = await stage.link('link.create', parameters, { settings: RETRY });
		expect(sentIn(result)).toEqual([CREATE, DRAW]);
		expect(result.error?.message).toMatch(
			/^The link http\S+ \(ID \d+\) was created, but without its QR code: /,
		);
	});
});

describe('a link that cannot be put into its channel', () => {
	const stage = onStage(new Stage());
	const additionalFields = { channelId: byId(999) };

	test('was created, and the error says where it is', async () => {
		const { error } = await stage.link('link.create', { url, additionalFields });
		const [{ id = 0, shorturl = '' } = {}] = await recordsOf(stage, '/api/urls');
		expect(error?.message).toBe(
			`The link ${String(shorturl)} (ID ${String(id)}) was created, but not added to the channel: There is no channel with the id 999.`,
		);
	});

	test.each(['http-503', 'drop-after'] as const)(
		'is not created again by a retry: %s',
		async (kind) => {
			const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
			const channel = await stage.make('/api/channel/add', { name: 'Mail' });
			const path = '/api/channel/:channelid/assign/:type/:itemid';
			stage.sandbox.faults.add({ kind, path });
			const places = { campaignId, channelId: byId(channel) };
			const parameters = { url, additionalFields: places };
			const result = await stage.link('link.create', parameters, { settings: RETRY });
			expect(result.error).toBeUndefined();
			const assign = [`POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`];
			expect(sentIn(result).filter((request) => !request.includes('campaign'))).toEqual([
				CREATE,
				...assign,
				...assign,
			]);
			expect(sentIn(result)).toHaveLength(4);
		},
	);
});

describe('Extra Fields', () => {
	const stage = onStage(new Stage());

	test.each<[string, INodeParameters, IDataObject]>([
		['link.create', { url }, { url, pixels: [3] }],
		['campaign.create', { name: 'x' }, { name: 'x', pixels: [3] }],
		['pixel.create', { pixelType: 'forum', name: 'x', tag: 'x' }, { pixels: [3] }],
		['qrCode.create', { qrType: 'text', text: 'x' }, { type: 'text', pixels: [3] }],
	])('of %s are sent beside the others', async (operation, given, body) => {
		for (const extraFields of ['{ "pixels": [3] }', '={{ { pixels: [3] } }}']) {
			const parameters = { ...given, additionalFields: { extraFields } };
			expect(bodiesIn(await stage.link(operation, parameters))).toMatchObject([body]);
		}
	});

	test('alone are an update', async () => {
		const channelId = byId(await stage.make('/api/channel/add', { name: 'x' }));
		const updateFields = { extraFields: '{ "status": 1 }' };
		const result = await stage.link('channel.update', { channelId, updateFields });
		expect(bodiesIn(result)).toEqual([{ status: 1 }]);
	});

	test.each([
		['link.create', '{ "url": "x" }', /^Extra Fields \(JSON\) must not have "url"/],
		['link.create', '{ "custom": "x" }', /must not have "custom"/],
		['qrCode.create', '{ "data": "x" }', /must not have "data"/],
		['link.create', '[1]', /must be a JSON object/],
		['link.create', '{ a }', /not valid JSON/],
	])('of %s are refused: %s', async (operation, extraFields, message) => {
		const parameters = { url, additionalFields: { extraFields } };
		const { error, requests } = await stage.link(operation, parameters);
		expect(error?.message).toMatch(message);
		expect(requests).toEqual([]);
	});
});
