import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	CONTINUE,
	like,
	onStage,
	outcomesIn,
	recordsOf,
	RETRY,
	sentIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';
import { CREATE_MISSING, newLink, sheet, storedLink, url } from './sheet.ts';

/** The campaign, the channel and the QR code of a link: which, how often, and what a dry run says of them. */

const LIST = 'GET /api/urls';
const ASSIGN = '/api/channel/:channelid/assign/:type/:itemid';

describe('where lists show campaign and channel', () => {
	const stage = onStage(new Stage());

	test.each([
		[0, [2, 2, 2]],
		[1, [0, 0, 0]],
	])('with %i links before, creates take %j assignments', async (count, expected) => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, count);
		const rows = [0, 1, 2].map((n) => ({ url: `${url}${n}`, Campaign: 'Spring', Channel: 'News' }));
		const result = await sheet(stage, rows, CREATE_MISSING);
		expect(outcomesIn(result)).toEqual(rows.map(() => 'created'));
		const assigned = result.json.map(
			({ id }) => writesIn(result).filter((sent) => sent.endsWith(`/${Number(id)}`)).length,
		);
		expect(assigned).toEqual(expected);
		expect(sentIn(result).filter((request) => request === LIST)).toHaveLength(1);
	});

	test('a dry run names the places, members and QR code that a row would set', async () => {
		const alias = stage.unique('old');
		await newLink(stage, { custom: alias, metatitle: 'Old' });
		await stage.make('/api/campaign/add', { name: stage.unique('Known') });
		const [Campaign, Title] = [stage.unique('Known'), 'Meta Title'];
		const added = (to: string) => `The link would be added to the ${to}`;
		const QR = 'A QR code would be created';
		const places = ['campaign "Spring"', 'channel "Mail"'];
		const made = places.map((place) => `The ${place} would be created`);
		const rows: ReadonlyArray<[IDataObject, string, unknown]> = [
			[
				{ alias: 'new', Campaign: 'Spring', Channel: 'Mail' },
				'would be created',
				[...made, ...places.map(added), QR].join('. '),
			],
			[{ alias, Campaign }, 'would be updated', added(`campaign "${Campaign}"`)],
			[
				{ alias, [Title]: 'New', Expiry: '2090-01-01' },
				'would be updated',
				'The row sets Expiry, Meta Title',
			],
			[{ alias, [Title]: 'Old', Password: 'secret' }, 'would be updated', 'The row sets Password'],
			[{ alias, [Title]: 'Old' }, 'unchanged', null],
			[{ alias, qr_code: '' }, 'unchanged', QR],
			[
				{ alias: 'far', domain: 'https://far.example' },
				'would be created',
				like(/list of domains does not have far/),
			],
		];
		const given = {
			additionalFields: { createQrCode: true },
			options: { createMissing: true, dryRun: true },
		};
		for (const [row, outcome, note] of rows) {
			const dry = await sheet(stage, [{ url, ...row }], given);
			expect(dry.json).toMatchObject([{ outcome, note }]);
			expect(writesIn(dry)).toEqual([]);
		}
	});

	test('a campaign whose name fits several, or that is an ID, is not created', async () => {
		const ids = [];
		for (const name of ['Twin Sale', 'Twin Sale', 'With an ID'])
			ids.push(await stage.make('/api/campaign/add', { name }));
		const rows = ['TWIN SALE', ids[2]].map((Campaign, n) => ({ url: `${url}${n}`, Campaign }));
		const isId = { error: like(/^There is no campaign "\d+", but With an ID has this ID\. Enter/) };
		const several = /^2 campaigns are called "TWIN SALE": .+\. Pick it by its ID, or rename/;
		for (const parameters of [{}, CREATE_MISSING]) {
			const result = await sheet(stage, rows, parameters);
			expect(result.json).toMatchObject([{ error: like(several) }, isId]);
			expect(writesIn(result)).toEqual([]);
		}
		// Of two that are spelled so, *Create Missing* takes the oldest.
		const row = { url: `${url}twin`, Campaign: 'Twin Sale' };
		const { json } = await sheet(stage, [row], CREATE_MISSING);
		expect(storedLink(stage, json[0]?.id)).toMatchObject({ campaign: ids[0] });
	});

	test('a link that is only added to a campaign is output whole', async () => {
		const alias = stage.unique('whole');
		const id = await newLink(stage, { custom: alias });
		const { json } = await sheet(stage, [{ url, alias, Campaign: 'New' }], CREATE_MISSING);
		const shorturl = like(new RegExp(`/${alias}$`));
		expect(json).toMatchObject([{ outcome: 'updated', id, shorturl, longurl: url, clicks: 0 }]);
	});

	test('a link that does not get into its channel is an error that says where the link is', async () => {
		const channelId = byId(999);
		const created = await stage.link('link.create', { url, additionalFields: { channelId } });
		const linkId = byId(await newLink(stage));
		const updated = await stage.link('link.update', { linkId, updateFields: { channelId } });
		for (const { error } of [created, updated])
			expect(error?.message).toMatch(
				/^The link http\S+ \(ID \d+\) was (cre|upd)ated, but not added to the channel: There is no channel with the id 999\.$/,
			);
	});

	test('an item is found in its channel among others of the same ID', async () => {
		await using other = await Stage.opened();
		const channelId = byId(await other.make('/api/channel/add', { name: 'News' }));
		const id = await newLink(other);
		expect(await other.make('/api/qr/add', { type: 'text', data: 'a' })).toBe(id);
		const rows = ['links', 'qr', 'links'].map((type) => ({ type }));
		const given = { channelId, itemType: '={{ $json.type }}', itemId: byId(id) };
		for (let runs = 0; runs < 2; runs += 1) {
			const { json } = await other.link('channel.assignItem', given, { rows });
			expect(json).toHaveLength(3);
		}
	});
});

test('a service that fails to add an item is asked nothing else', async () => {
	await using other = await Stage.opened();
	const channelId = byId(await other.make('/api/channel/add', { name: 'News' }));
	const itemId = byId(await newLink(other));
	await other.link('channel.assignItem', { channelId, itemId });
	other.sandbox.faults.add({ kind: 'http-500', path: '/api/channel/1/assign/links/1' });
	const { error, requests } = await other.link('channel.assignItem', { channelId, itemId });
	expect(error).toMatchObject({ httpCode: '500' });
	expect(requests).toHaveLength(1);
});

describe('where lists do not show campaign and channel', () => {
	const stage = onStage(new Stage({ createReadsPlaces: 'no', readsShort: 'no' }));

	test('a campaign that is refused is an error of its new row', async () => {
		await using other = await Stage.opened({
			createReadsPlaces: 'no',
			readsShort: 'no',
			failureStatus: 'http200',
		});
		const additionalFields = { campaignId: byId(999) };
		const { json } = await sheet(other, [{ url, alias: 'new' }], { additionalFields });
		const error = like(/was created, but not added to the campaign: There is no campaign/);
		expect(json).toMatchObject([{ outcome: 'failed', error }]);
	});

	test('a new campaign takes all its links, also those that are as their rows say', async () => {
		const aliases = ['one', 'two'].map((name) => stage.unique(name));
		for (const custom of aliases) await newLink(stage, { custom });
		const name = stage.unique('New');
		const rows = aliases.map((alias) => ({ url, alias, Campaign: name }));
		const dry = await sheet(stage, rows, { options: { createMissing: true, dryRun: true } });
		expect(outcomesIn(dry)).toEqual(['would be updated', 'would be updated']);
		expect(outcomesIn(await sheet(stage, rows, CREATE_MISSING))).toEqual(['updated', 'updated']);
		expect(outcomesIn(await sheet(stage, rows, CREATE_MISSING))).toEqual([
			'unchanged',
			'unchanged',
		]);
	});

	test('they take a link that is written, and no other', async () => {
		const campaign = await stage.make('/api/campaign/add', { name: stage.unique('Spring') });
		const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
		const additionalFields = { campaignId: byId(campaign), channelId: byId(channel) };
		const aliases = ['a', 'b'].map((name) => stage.unique(name));
		const ids: number[] = [];
		for (const custom of aliases) ids.push(await newLink(stage, { custom }));
		const [moved = '', kept = ''] = aliases;
		const rows = [
			{ url: `${url}moved`, alias: moved },
			{ url, alias: kept },
		];
		const result = await sheet(stage, rows, { additionalFields });
		expect(outcomesIn(result)).toEqual(['updated', 'unchanged']);
		const assign = `POST /api/channel/${channel}/assign/links/${ids[0]}`;
		expect(sentIn(result)).toEqual([
			LIST,
			`GET /api/url/${ids[0]}`,
			`PUT /api/url/${ids[0]}/update`,
			`POST /api/campaign/${campaign}/assign/${ids[0]}`,
			assign,
		]);
		// The service refuses what is in the channel already.
		const again = await sheet(stage, [{ url: `${url}again`, alias: moved }], { additionalFields });
		expect(outcomesIn(again)).toEqual(['updated']);
		expect(sentIn(again).slice(-2)).toEqual([assign, `GET /api/channel/${channel}`]);
	});

	test.each([
		['created', 'POST /api/url/add'],
		['updated', like(/^PUT /)],
	])('they take a link that was %s by an earlier try', async (outcome, write) => {
		const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
		const alias = stage.unique('a');
		if (outcome === 'updated') await newLink(stage, { custom: alias });
		stage.sandbox.faults.add({ kind: 'http-503', path: ASSIGN });
		const additionalFields = { channelId: byId(channel) };
		const settings = { ...CONTINUE, ...RETRY };
		const result = await sheet(
			stage,
			[{ url: `${url}a`, alias }],
			{ additionalFields },
			{ settings },
		);
		expect(outcomesIn(result)).toEqual([outcome]);
		const assign = `POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`;
		expect(writesIn(result)).toEqual([write, assign, assign]);
	});

	test.each(['drop-after', 'http-503'] as const)(
		'those that do not exist are created once a run if wanted, also after %s',
		async (kind) => {
			const rows = ['Summer', 'SUMMER', 'summer'].map((Campaign, n) => ({
				url: `${url}${n % 2}`,
				alias: stage.unique(n % 2 === 0 ? 'a' : 'b'),
				Campaign,
				Channel: 'Mail',
			}));
			const refused = await sheet(stage, rows);
			expect(refused.json[0]?.error).toMatch(/^There is no campaign "Summer"/);
			stage.sandbox.faults.add({ kind, path: '/api/campaign/add' });
			const result = await sheet(stage, rows, CREATE_MISSING, { settings: RETRY });
			expect(outcomesIn(result)).toEqual(['created', 'created', 'unchanged']);
			expect(await recordsOf(stage, '/api/campaigns')).toHaveLength(1);
			expect(await recordsOf(stage, '/api/channels')).toHaveLength(1);
			expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(4);
		},
	);
});
