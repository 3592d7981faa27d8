import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import {
	byId,
	CONTINUE,
	like,
	newDomain,
	onStage,
	outcomesIn,
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

describe.each<Dialect>([{}, { readsShort: 'no' }])('with %j', (dialect) => {
	test('a namesake on a branded domain does not hide the link, behind pages, or in another case', async () => {
		const given = { aliasForm: 'as-sent', listOrder: 'desc', maxLimit: '100' } as const;
		await using stage = await Stage.opened({ ...given, ...dialect });
		const custom = dialect.readsShort === 'no' ? 'Sale' : 'sale';
		const id = await stage.make('/api/url/add', { url, custom });
		stage.sandbox.links.addLinks(stage.linkAccount.id, 150, 0);
		await stage.make('/api/url/add', { url, custom: 'sale', domain: await newDomain(stage) });
		const { json } = await sheet(stage, [{ url: `${url}new`, alias: 'sale' }]);
		expect(json).toMatchObject([{ outcome: 'updated', id }]);
	});

	test('an alias that the list does not show is that of the short URL, and is not sent', async () => {
		await using stage = await Stage.opened(dialect);
		const rows = [{ url, alias: 'spring' }];
		await sheet(stage, rows);
		const change = (body: string) => body.replaceAll('"alias"', '"slug"');
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', change, times: 9 });
		expect(outcomesIn(await sheet(stage, rows))).toEqual(['unchanged']);
		const result = await sheet(stage, [{ url: `${url}new`, alias: 'spring' }]);
		expect(outcomesIn(result)).toEqual(['updated']);
		const written = result.requests.find(({ request }) => request.startsWith('PUT '));
		expect(written?.body).not.toHaveProperty('custom');
	});
});

test('where aliases stay as they are sent, the one that was entered counts', async () => {
	await using stage = await Stage.opened({ aliasForm: 'as-sent', maxLimit: '7' });
	const id = await stage.make('/api/url/add', { url, custom: 'spring_sale' });
	for (let n = 0; n < 8; n += 1) await stage.make('/api/url/add', { url: `${url}${n}` });
	const other = await stage.make('/api/url/add', { url, custom: 'spring-sale' });
	const result = await sheet(stage, [{ url: `${url}new`, alias: 'spring_sale' }]);
	expect(result.json).toMatchObject([{ outcome: 'updated', id }]);
	expect(longUrlOf(stage, other)).toBe(url);
});

test('the list is read for an alias that is taken, where look-ups find nothing', async () => {
	await using stage = await Stage.opened({ maxLimit: '7' });
	const aliases = ['sale', ...Array.from({ length: 20 }, (_, n) => `link-${n}`)];
	const ids = [];
	for (const custom of aliases) {
		ids.push(await stage.make('/api/url/add', { url, custom }));
		const query = { short: `${stage.sandbox.linkUrl}/${custom}` };
		const body = { error: 1, message: 'Not found' };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', query, body, times: 9 });
	}
	const result = await sheet(stage, [{ url: `${url}new`, alias: 'sale' }]);
	expect(result.json).toMatchObject([{ outcome: 'updated', id: ids[0] }]);
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

	test('a second row with another channel does not say the same', async () => {
		const rows = ['Mail', 'Social'].map((Channel) => ({ url, alias: 'both', Channel }));
		const options = { createMissing: true };
		const result = await sheet(stage, [...rows, ...rows.slice(0, 1)], { options });
		expect(outcomesIn(result)).toEqual(['created', 'failed', 'unchanged']);
	});

	test.each([
		[0, [2, 2, 2]],
		[1, [0, 0, 0]],
	])('where the list has %i links, creates take %j assignments', async (count, expected) => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, count);
		const rows = [0, 1, 2].map((n) => ({ url: `${url}${n}`, Campaign: 'Spring', Channel: 'News' }));
		const result = await sheet(stage, rows, { options: { createMissing: true } });
		expect(outcomesIn(result)).toEqual(rows.map(() => 'created'));
		const assigned = result.json.map(
			({ id }) => writesIn(result).filter((sent) => sent.endsWith(`/${Number(id)}`)).length,
		);
		expect(assigned).toEqual(expected);
		expect(sentIn(result).filter((request) => request === 'GET /api/urls')).toHaveLength(1);
	});

	test('a dry run names the places, members and QR code that a row would set', async () => {
		const alias = stage.unique('old');
		await stage.make('/api/url/add', { url, custom: alias, metatitle: 'Old' });
		await stage.make('/api/campaign/add', { name: stage.unique('Known') });
		const [Campaign, Title] = [stage.unique('Known'), 'Meta Title'];
		const [spring, mail] = ['The campaign "Spring" would be created', 'to the channel "Mail"'];
		const QR = 'A QR code would be created';
		const rows: ReadonlyArray<readonly [IDataObject, string, string | null]> = [
			[
				{ alias: 'new', Campaign: 'Spring', Channel: 'Mail' },
				'would be created',
				`${spring}. The channel "Mail" would be created. The link would be added to the campaign "Spring". The link would be added ${mail}. ${QR}`,
			],
			[
				{ alias, Campaign },
				'would be updated',
				`The link would be added to the campaign "${Campaign}"`,
			],
			[
				{ alias, [Title]: 'New', Expiry: '2090-01-01' },
				'would be updated',
				'The row sets Expiry, Meta Title',
			],
			[{ alias, [Title]: 'Old', Password: 'secret' }, 'would be updated', 'The row sets Password'],
			[{ alias, [Title]: 'Old' }, 'unchanged', null],
			[{ alias, qr_code: '' }, 'unchanged', QR],
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
		for (const name of ['Twin Sale', 'Twin sale']) await stage.make('/api/campaign/add', { name });
		const id = await stage.make('/api/campaign/add', { name: 'With an ID' });
		const rows = ['TWIN SALE', id].map((Campaign) => ({ url: `${url}${Campaign}`, Campaign }));
		const isId = { error: like(/^There is no campaign "\d+", but With an ID has this ID\. Enter/) };
		const result = await sheet(stage, rows);
		const isSeveral = like(
			/^2 campaigns are called "TWIN SALE": .+\. Pick it by its ID, or rename/,
		);
		expect(result.json).toMatchObject([{ error: isSeveral }, isId]);
		expect(writesIn(result)).toEqual([]);
		// With *Create Missing*, the oldest is taken.
		const made = await sheet(stage, rows, { options: { createMissing: true } });
		expect(made.json).toMatchObject([{ outcome: 'created' }, isId]);
		expect(writesIn(made).join()).not.toContain('campaign/add');
	});

	test('a link that is only added to a campaign is output whole', async () => {
		const [alias, Campaign] = [stage.unique('whole'), stage.unique('New')];
		const id = await stage.make('/api/url/add', { url, custom: alias });
		const options = { createMissing: true };
		const { json } = await sheet(stage, [{ url, alias, Campaign }], { options });
		const shorturl = like(new RegExp(`/${alias}$`));
		expect(json).toMatchObject([{ outcome: 'updated', id, shorturl, longurl: url, clicks: 0 }]);
	});
});
