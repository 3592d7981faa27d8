import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import {
	byId,
	CONTINUE,
	like,
	named,
	newDomain,
	onStage,
	outcomesIn,
	recordsOf,
	sentIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';

/** Links with nearly the same name, and what it costs to tell them apart. */

const MAPPED = { mappingMode: 'autoMapInputData' };
const url = 'https://example.com/';

type Dialect = Exclude<Parameters<typeof Stage.opened>[0], string | undefined>;

/** What a run reads comes so late that it has to wait for it. */
async function sheet(stage: Stage, rows: IDataObject[], parameters: INodeParameters = {}) {
	stage.sandbox.faults.add({ kind: 'delay', method: 'GET', milliseconds: 20, times: 99 });
	const given = { rows, settings: CONTINUE };
	return await stage.link('link.upsert', { ...MAPPED, ...parameters }, given);
}
const longUrlOf = (stage: Stage, id: unknown) => record(stage.sandbox.stored('links', id)).longurl;

test.each<Dialect>([{}, { readsShort: 'no' }])(
	'%j: a bare alias never changes a link on a branded domain, though all new links are there',
	async (dialect) => {
		await using stage = await Stage.opened({ maxLimit: '7', ...dialect });
		const domain = await newDomain(stage);
		await stage.make('/api/url/add', { url, custom: 'oldest' });
		const branded = await stage.make('/api/url/add', { url, custom: 'sale', domain });
		for (let n = 0; n < 8; n += 1) await stage.make('/api/url/add', { url: `${url}${n}`, domain });
		const result = await sheet(stage, [{ url: `${url}new`, alias: 'sale' }]);
		expect(outcomesIn(result)).toEqual(['created']);
		expect(longUrlOf(stage, branded)).toBe(url);
	},
);

test('without a look-up, a link is found behind pages and a branded one of its alias', async () => {
	await using stage = await Stage.opened({
		aliasForm: 'as-sent',
		listOrder: 'desc',
		readsShort: 'no',
		sameUrl: 'new',
	});
	const domain = await newDomain(stage);
	const id = await stage.make('/api/url/add', { url, custom: 'spring' });
	stage.sandbox.links.addLinks(stage.linkAccount.id, 150, 0);
	await stage.make('/api/url/add', { url, custom: 'spring', domain });
	const { json } = await sheet(stage, [{ url: `${url}new`, alias: 'spring' }]);
	expect(json).toMatchObject([{ outcome: 'updated', id }]);
});

test('without a look-up, an alias that the list does not show is that of the short URL', async () => {
	await using stage = await Stage.opened({ readsShort: 'no' });
	const rows = [{ url, alias: 'spring' }];
	await sheet(stage, rows);
	const change = (body: string) => body.replaceAll('"alias"', '"slug"');
	stage.sandbox.faults.add({ kind: 'respond', method: 'GET', path: '/api/urls', change, times: 9 });
	expect(outcomesIn(await sheet(stage, rows))).toEqual(['unchanged']);
});

test.each(['desc', 'asc'] as const)(
	'a bare alias may be on the domain of the newest link, if no link is on the own host: %s',
	async (listOrder) => {
		await using stage = await Stage.opened({ listOrder, aliases: 'unique' });
		for (const name of ['old', 'new']) {
			const domain = `https://${name}.example.com`;
			await stage.make('/api/domain/add', { domain });
			await stage.make('/api/url/add', { url, custom: `${name}-sale`, domain });
		}
		const rows = ['new-sale', 'old-sale'].map((alias) => ({ url, alias }));
		expect(outcomesIn(await sheet(stage, rows))).toEqual(['unchanged', 'failed']);
	},
);

test.each<Dialect>([{}, { readsShort: 'no' }])(
	'%j: where aliases stay as they are sent, the one that was entered counts',
	async (dialect) => {
		await using stage = await Stage.opened({ aliasForm: 'as-sent', maxLimit: '7', ...dialect });
		const id = await stage.make('/api/url/add', { url, custom: 'spring_sale' });
		for (let n = 0; n < 8; n += 1) await stage.make('/api/url/add', { url: `${url}${n}` });
		await stage.make('/api/url/add', { url, custom: 'a_b' });
		const other = await stage.make('/api/url/add', { url, custom: 'spring-sale' });
		const result = await sheet(stage, [{ url: `${url}new`, alias: 'spring_sale' }]);
		expect(result.json).toMatchObject([{ outcome: 'updated', id }]);
		expect(longUrlOf(stage, other)).toBe(url);
	},
);

test('a namesake on a branded domain does not hide a link whose alias differs in case', async () => {
	await using stage = await Stage.opened({ readsShort: 'no', aliasForm: 'as-sent' });
	const id = await stage.make('/api/url/add', { url, custom: 'Sale' });
	await stage.make('/api/url/add', { url, custom: 'sale', domain: await newDomain(stage) });
	expect((await sheet(stage, [{ url, alias: 'sale' }])).json).toMatchObject([
		{ outcome: 'unchanged', id },
	]);
});

describe('with an alias that the service says is taken', () => {
	const opened = async () => await Stage.opened({ aliasForm: 'as-sent', maxLimit: '7' });

	/** Makes a link, and more than two pages of others after it. */
	async function fill(stage: Stage, custom: string): Promise<number> {
		const id = await stage.make('/api/url/add', { url, custom });
		for (let n = 0; n < 20; n += 1)
			await stage.make('/api/url/add', { url: `${url}${n}`, custom: `link-${n}` });
		return id;
	}

	test('a look-up of the other form finds the link', async () => {
		await using stage = await opened();
		const id = await fill(stage, 'spring_sale');
		const result = await sheet(stage, [{ url: `${url}new`, alias: 'spring_sale' }]);
		expect(result.json).toMatchObject([{ outcome: 'updated', id }]);
		// Two look-ups, the create, page 1, a search for what only the list shows, and the update.
		expect(result.requests).toHaveLength(6);
	});

	test('the list is read where look-ups find nothing', async () => {
		await using stage = await opened();
		const id = await fill(stage, 'sale');
		const body = { error: 1, message: 'Not found' };
		const aliases = ['sale', ...Array.from({ length: 20 }, (_, n) => `link-${n}`)];
		for (const alias of aliases) {
			const query = { short: `${stage.sandbox.linkUrl}/${alias}` };
			stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', query, body, times: 9 });
		}
		const result = await sheet(stage, [{ url: `${url}new`, alias: 'sale' }]);
		expect(result.json).toMatchObject([{ outcome: 'updated', id }]);
	});
});

describe('in an account of 1,000 links', () => {
	const stage = onStage(new Stage());
	const addLinks = () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 1000, 0);
	};

	test('a create that is refused for another reason than its alias takes four requests', async () => {
		addLinks();
		const answer = { kind: 'respond', status: 400, body: { error: 1, message: 'No' } } as const;
		stage.sandbox.faults.add({ ...answer, path: '/api/url/add' });
		const result = await sheet(stage, [{ url, alias: 'new' }]);
		expect(outcomesIn(result)).toEqual(['failed']);
		// Its look-up, the create, page 1, and the look-up of a link of page 1.
		expect(result.requests).toHaveLength(4);
	});

	test('a new alias with a sign is one look-up and the create', async () => {
		addLinks();
		const result = await sheet(stage, [{ url, alias: stage.unique('new_one') }]);
		expect(sentIn(result)).toEqual(['GET /api/urls', 'POST /api/url/add']);
	});

	test('a dry run of a new alias takes three requests', async () => {
		addLinks();
		const result = await sheet(stage, [{ url, alias: 'new' }], { options: { dryRun: true } });
		expect(outcomesIn(result)).toEqual(['would be created']);
		expect(result.requests).toHaveLength(3);
	});

	test('look-ups that the service ignores cost one request a run', async () => {
		await using other = await Stage.opened({ readsShort: 'no' });
		other.sandbox.links.addLinks(other.linkAccount.id, 1000, 0);
		const rows = ['one', 'two', 'three'].map((alias) => ({ url: url + alias, alias }));
		const creates = rows.map(() => 'POST /api/url/add');
		expect(sentIn(await sheet(other, rows))).toEqual(['GET /api/urls', ...creates]);
	});

	test('an alias that was rewritten is found by its look-up', async () => {
		addLinks();
		const id = await stage.make('/api/url/add', { url, custom: 'Spring Sale' });
		const { json, requests } = await stage.link('link.get', {
			linkId: named('alias', 'Spring Sale'),
		});
		expect([json[0]?.id, requests.length]).toEqual([id, 2]);
	});

	test('an alias on a page that was read is one look-up', async () => {
		addLinks();
		const ids = [];
		for (const alias of ['one', 'two', 'three'])
			ids.push(await stage.make('/api/url/add', { url: url + alias, custom: alias }));
		const rows = ['one', 'two', 'three'].map((alias) => ({ alias }));
		const parameters = { linkId: named('alias', '={{ $json.alias }}') };
		const updateFields = { metaTitle: 'New' };
		const result = await stage.link('link.update', { ...parameters, updateFields }, { rows });
		expect(result.json.map(({ id }) => id)).toEqual(ids);
		expect(result.requests.length).toBeLessThanOrEqual(1 + 4 * rows.length);
	});
});

describe('campaigns and channels', () => {
	const stage = onStage(new Stage());

	test('an update that only assigns one writes nothing else', async () => {
		const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
		const id = await stage.make('/api/url/add', { url, password: 'secret' });
		const linkId = byId(id);
		const result = await stage.link('link.update', { linkId, updateFields: { campaignId } });
		expect(writesIn(result)).toEqual([like(/^POST \/api\/campaign\/\d+\/assign\/\d+$/)]);
		expect(result.json).toMatchObject([{ id, longurl: url }]);
		expect(stage.sandbox.stored('links', id)).toMatchObject({ password: 'secret' });
	});

	test('the list is read no further than to the link, where no search finds its campaign', async () => {
		await using other = await Stage.opened({ maxLimit: '7', readsSearch: 'no' });
		const ids = [];
		for (let n = 0; n < 20; n += 1)
			ids.push(await other.make('/api/url/add', { url: `${url}${n}` }));
		const given = { linkId: byId(ids.at(-9) ?? 0), updateFields: { metaTitle: 'New' } };
		const { requests } = await other.link('link.update', given);
		// The details, two searches, which are page 1, pages 1 and 2, and the update.
		expect(requests).toHaveLength(6);
	});

	test.each([{ campaignId: byId('') }, { utm: { source: '' } }])(
		'an update that has only blanks is refused: %j',
		async (updateFields) => {
			const linkId = byId(await stage.make('/api/url/add', { url: `${url}blank` }));
			const result = await stage.link('link.update', { linkId, updateFields });
			expect(result.error?.message).toMatch(/^There is nothing to update/);
		},
	);

	test('a second row with another channel does not say the same', async () => {
		const rows = ['Mail', 'Social'].map((Channel) => ({ url, alias: 'both', Channel }));
		const options = { createMissing: true };
		const result = await sheet(stage, [...rows, ...rows.slice(0, 1)], { options });
		expect(outcomesIn(result)).toEqual(['created', 'failed', 'unchanged']);
	});

	test.each([true, false])('Keep It needs no campaign, with Dry Run: %j', async (dryRun) => {
		const alias = stage.unique('kept');
		await stage.make('/api/url/add', { url, custom: alias });
		const rows = [{ url, alias, Campaign: 'Nowhere' }];
		const given = { ifExists: 'keep', options: dryRun ? { dryRun } : {} };
		expect(outcomesIn(await sheet(stage, rows, given))).toEqual(['unchanged']);
	});

	test('an empty list is read twice, however many links a run puts into a campaign', async () => {
		const rows = [1, 2, 3, 4].map((n) => ({ url: `${url}${n}`, Campaign: 'Spring' }));
		const result = await sheet(stage, rows, { options: { createMissing: true } });
		expect(outcomesIn(result)).toEqual(rows.map(() => 'created'));
		expect(sentIn(result).filter((request) => request === 'GET /api/urls')).toHaveLength(2);
	});

	test('a dry run names the campaign and channel that a row would create', async () => {
		const alias = stage.unique('old');
		await stage.make('/api/url/add', { url, custom: alias });
		await stage.make('/api/campaign/add', { name: stage.unique('Known') });
		const rows = [
			{ url, alias: 'new', Campaign: 'Summer', Channel: 'Mail' },
			{ url, alias, Campaign: stage.unique('Known'), Channel: 'Mail' },
		];
		const result = await sheet(stage, rows, { options: { createMissing: true, dryRun: true } });
		const mail = 'The channel "Mail" would be created';
		expect(result.json).toMatchObject([
			{ outcome: 'would be created', note: `The campaign "Summer" would be created. ${mail}` },
			{
				outcome: 'would be updated',
				note: `The link would be added to the campaign "${stage.unique('Known')}". ${mail}`,
			},
		]);
		expect(writesIn(result)).toEqual([]);
	});

	test('a dry run names what a row would change', async () => {
		const alias = stage.unique('changed');
		await stage.make('/api/url/add', { url, custom: alias, metatitle: 'Old' });
		const row = { url: `${url}new`, alias, 'Meta Title': 'New', Expiry: '2030-01-01' };
		const rows = [row, { url, alias, 'Meta Title': 'Old', Password: 'secret' }];
		for (const each of rows) {
			const dry = await sheet(stage, [each], { options: { dryRun: true } });
			const isNew = each === row;
			const note = isNew
				? 'The row changes URL, Expiry, Meta Title'
				: 'The service does not show whether the link has this already: Password';
			expect(dry.json).toMatchObject([
				{ outcome: 'would be updated', shorturl: like(new RegExp(alias)), longurl: each.url, note },
			]);
			expect(JSON.stringify(dry.json[0]?.note)).not.toContain('secret');
		}
	});

	test('a dry run creates no QR code, and two rows about one link create one', async () => {
		const [old, made] = [stage.unique('old'), stage.unique('made')];
		await stage.make('/api/url/add', { url, custom: old });
		const rows = [old, made, made].map((alias) => ({ url, alias }));
		const options = { qrCodeForExisting: true };
		const additionalFields = { createQrCode: true };
		const dry = await sheet(stage, rows, {
			additionalFields,
			options: { ...options, dryRun: true },
		});
		expect(writesIn(dry)).toEqual([]);
		const note = 'A QR code would be created';
		expect(dry.json).toMatchObject([
			{ outcome: 'unchanged', note, qr_code_id: null, qr_code: null },
			{ outcome: 'would be created', note, qr_code: null },
			{ outcome: 'unchanged', note: 'Same as item 2', qr_code: null },
		]);
		const result = await sheet(stage, rows, { additionalFields, options });
		const codes = result.json.map(({ qr_code }) => qr_code);
		expect(codes).toEqual([like(/^http/), like(/^http/), codes[1]]);
		expect(writesIn(result)).toHaveLength(3);
	});

	test('a campaign whose name fits several is not to be created', async () => {
		for (const name of ['Twin Sale', 'Twin sale']) await stage.make('/api/campaign/add', { name });
		for (const createMissing of [false, true]) {
			const rows = [{ url, Campaign: 'TWIN SALE' }];
			const { json } = await sheet(stage, rows, { options: { createMissing } });
			expect(json[0]?.error).toMatch(
				/^2 campaigns are called "TWIN SALE": .+\. Rename them in the service\.$/,
			);
		}
	});

	test('an ID where a name is expected is not to be created', async () => {
		const name = stage.unique('With an ID');
		const id = await stage.make('/api/campaign/add', { name });
		const rows = [{ url, Campaign: id }];
		const result = await sheet(stage, rows, { options: { createMissing: true } });
		expect(result.json).toMatchObject([
			{
				error: `There is no campaign "${id}", but ${name} has this ID. Enter its name, or pick it by its ID.`,
			},
		]);
		expect(writesIn(result)).toEqual([]);
	});

	test('a row with an unknown campaign and channel is told of both', async () => {
		const rows = [{ url, Campaign: 'Nowhere', Channel: 'Nobody' }];
		const { json } = await sheet(stage, rows);
		expect(json[0]?.error).toMatch(
			/^There is no campaign "Nowhere"\. There is no channel "Nobody"\. Check its spelling; [^.]+\. Or add/,
		);
	});

	test('a link that is only added to a campaign is output whole', async () => {
		const [alias, Campaign] = [stage.unique('whole'), stage.unique('New')];
		const id = await stage.make('/api/url/add', { url, custom: alias });
		const options = { createMissing: true };
		const { json } = await sheet(stage, [{ url, alias, Campaign }], { options });
		const shorturl = like(new RegExp(`/${alias}$`));
		expect(json).toMatchObject([{ outcome: 'updated', id, shorturl, longurl: url, clicks: 0 }]);
	});

	test('a row that is up to date makes no campaign where no list shows one', async () => {
		await using other = await Stage.opened({ createReadsPlaces: 'no' });
		await other.make('/api/url/add', { url, custom: 'same' });
		const rows = [{ url, alias: 'same', Campaign: 'New' }];
		const result = await sheet(other, rows, { options: { createMissing: true } });
		expect([outcomesIn(result), writesIn(result)]).toEqual([['unchanged'], []]);
	});
});

test('texts that the service writes in its own way are the same', async () => {
	await using stage = await Stage.opened();
	const id = await stage.make('/api/url/add', { url, custom: 'texts' });
	stage.sandbox.tables.links.change(id, { title: ' AT&T sale', description: 'One\nTwo' });
	const texts = { Title: 'AT&amp;T  sale ', 'Meta Description': 'One\r\nTwo' };
	const result = await sheet(stage, [{ url, alias: 'texts', ...texts }]);
	expect(outcomesIn(result)).toEqual(['unchanged']);
	expect(sentIn(result)).toEqual(['GET /api/urls']);
});

test('an update without a short URL in its response keeps that of a branded link', async () => {
	await using stage = await Stage.opened({ linkAnswer: 'without-id' });
	const domain = await newDomain(stage);
	await stage.make('/api/url/add', { url, custom: 'kept', domain });
	const [{ id } = {}] = await recordsOf(stage, '/api/urls');
	const updateFields = { metaTitle: 'New' };
	const result = await stage.link('link.update', { linkId: byId(Number(id)), updateFields });
	expect(result.json).toMatchObject([{ shorturl: `${domain}/kept` }]);
});
