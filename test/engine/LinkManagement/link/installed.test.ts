import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import { byId, onStage, Stage } from '../../helpers/support.ts';
import type { StageResult } from '../../helpers/support.ts';

/** Links on a service that behaves as installations do: an update replaces, aliases are rewritten, names come back escaped. */

const outcomesIn = ({ json }: StageResult): unknown[] => json.map(({ outcome }) => outcome);
const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const writesIn = (result: StageResult): string[] =>
	sentIn(result).filter((request) => !request.startsWith('GET '));

const MAPPED = {
	mappingMode: 'autoMapInputData',
	additionalFields: {},
	options: { createMissing: true },
};

/** What an update may not lose, as far as responses show it. */
const KEPT = ['domain', 'expiry', 'location', 'device', 'campaign', 'channel', 'alias', 'longurl'];

describe.each([{}, { linkUpdate: 'merges' }] as const)('where an update is %j', (dialect) => {
	const stage = onStage(new Stage(dialect));

	async function newDomain(): Promise<string> {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		return domain;
	}

	test('a nightly sheet writes only what changed, and no link loses what it has', async () => {
		const domain = await newDomain();
		const rows: IDataObject[] = [0, 1, 2, 3].map((n) => ({
			url: `https://example.com/it's?n=${n}`,
			alias: `row_${n}`,
			domain,
			campaign: "Ann's mail",
			channel: 'News',
			expiry: '2099-01-01',
			'Meta Title': `"Row" ${n}`,
		}));
		const first = await stage.link('link.upsert', MAPPED, { rows });
		expect(outcomesIn(first)).toEqual(['created', 'created', 'created', 'created']);
		const stored = () => first.json.map(({ id }) => stage.sandbox.stored('links', Number(id)));
		const before = stored();
		expect(before).toMatchObject(
			rows.map((_row, n) => ({ alias: `row-${n}`, expiry: '2099-01-01 23:59:59', domain })),
		);
		const again = await stage.link('link.upsert', MAPPED, { rows: first.json });
		expect(outcomesIn(again)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
		expect(again.json).toMatchObject(rows);
		const changed = again.json.map((row, n) => (n === 2 ? { ...row, 'Meta Title': 'New' } : row));
		const third = await stage.link('link.upsert', MAPPED, { rows: changed });
		expect(outcomesIn(third)).toEqual(['unchanged', 'unchanged', 'updated', 'unchanged']);
		expect(writesIn(third).filter((request) => request.startsWith('PUT '))).toHaveLength(1);
		expect(stored()).toEqual(before.map((link, n) => (n === 2 ? { ...link, title: 'New' } : link)));
	});

	test('Update sends back what the link has, and what the row says wins', async () => {
		const domain = await newDomain();
		const campaign = await stage.make('/api/campaign/add', { name: 'Spring' });
		const id = await stage.make('/api/url/add', {
			url: 'https://example.com/a',
			custom: stage.unique('kept'),
			domain,
			expiry: '2099-05-05 12:00:00',
			geotarget: [{ location: 'Germany', link: 'https://example.de/' }],
			devicetarget: [{ device: 'iphone', link: 'https://example.com/app' }],
			campaign,
		});
		const before = record(stage.sandbox.stored('links', id));
		const update = async (updateFields: INodeParameters) =>
			await stage.link('link.update', { linkId: byId(id), updateFields });
		expect((await update({ metaTitle: 'New' })).error).toBeUndefined();
		const after = record(stage.sandbox.stored('links', id));
		expect(after.title).toBe('New');
		for (const name of KEPT) expect([name, after[name]]).toEqual([name, before[name]]);
		await update({ clearFields: ['expiry'] });
		const cleared = record(stage.sandbox.stored('links', id));
		expect([cleared.expiry, cleared.location]).toEqual([null, before.location]);
	});
});

test.each([
	[{ expiry: '2099-05-05 12:00:00' }, '2099-05-05 12:00:00'],
	[{ clearFields: ['expiry'] }, null],
])('a second row about a link keeps what the first one has written: %j', async (first, expiry) => {
	await using stage = await Stage.opened();
	const link = { url: 'https://example.com/a', expiry: '2098-01-01 12:00:00' };
	const id = await stage.make('/api/url/add', link);
	const rows = [first, { metaTitle: 'New' }];
	const names = ['expiry', 'clearFields', 'metaTitle'];
	const updateFields = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
	const given = { linkId: byId(id), updateFields };
	expect((await stage.link('link.update', given, { rows })).error).toBeUndefined();
	expect(stage.sandbox.stored('links', id)).toMatchObject({ expiry, title: 'New' });
});

test('an update that moves a link is an error, which nothing sends again', async () => {
	await using stage = await Stage.opened();
	const id = await stage.make('/api/url/add', { url: 'https://example.com/a', custom: 'moved' });
	const moved = { error: 0, id, shorturl: `${stage.sandbox.linkUrl}/elsewhere` };
	const path = '/api/url/:id/update';
	stage.sandbox.faults.add({ kind: 'respond', method: 'PUT', path, body: moved });
	const given = { linkId: byId(id), updateFields: { metaTitle: 'x' } };
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const result = await stage.link('link.update', given, { settings });
	expect(result.error?.message).toMatch(/^The update moved the link to .*elsewhere instead of/);
	expect(writesIn(result)).toHaveLength(1);
});

test('a plan without aliases ends the run at the first link, whose row has its short URL', async () => {
	await using stage = await Stage.opened({ plan: 'no-aliases' });
	const rows = ['a', 'b', 'c'].map((alias) => ({ url: `https://example.com/${alias}`, alias }));
	const settings = {
		onError: 'continueRegularOutput',
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
	} as const;
	const result = await stage.link('link.upsert', MAPPED, { rows, settings });
	expect(writesIn(result)).toEqual(['POST /api/url/add']);
	expect(result.json[0]).toMatchObject({
		outcome: 'failed',
		error: expect.stringMatching(/created with the alias ".*" instead of "a"/) as unknown,
		shorturl: expect.stringMatching(/^http/) as unknown,
	});
	expect(result.json[2]?.error).toMatch(/^Not sent: /);
});

test('a domain that is not the account’s is named, and used for no further row', async () => {
	await using stage = await Stage.opened();
	const domain = 'https://typo.example.com';
	const rows = ['a', 'b'].map((alias) => ({ url: `https://example.com/${alias}`, alias, domain }));
	const settings = { onError: 'continueRegularOutput' } as const;
	const result = await stage.link('link.upsert', MAPPED, { rows, settings });
	expect(writesIn(result)).toEqual(['POST /api/url/add']);
	expect(result.json[0]?.error).toMatch(
		/created on 127\.0\.0\.1:\d+ instead of typo\.example\.com/,
	);
	expect(result.json[1]?.error).toMatch(
		/^The service puts links for typo\.example\.com on another/,
	);
});

test.each(['link.create', 'link.upsert', 'link.update'])(
	'%s fails with the words of a service that does not take the picture',
	async (operation) => {
		await using stage = await Stage.opened();
		const id = await stage.make('/api/url/add', { url: 'https://example.com/a' });
		const fields = { metaImage: 'https://example.com/a.webp' };
		const given =
			operation === 'link.update'
				? { linkId: byId(id), updateFields: fields }
				: { url: 'https://example.com/b', customAlias: 'b', additionalFields: fields };
		const { error } = await stage.link(operation, given);
		expect(error?.message).toMatch(/^The picture was not saved/);
	},
);

test('an older link that answers a create is told apart, and put into no place', async () => {
	await using stage = await Stage.opened();
	const url = 'https://example.com/old';
	const id = await stage.make('/api/url/add', { url });
	const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
	const given = { url, additionalFields: { campaignId, password: 'secret' } };
	const { json } = await stage.link('link.create', given);
	expect(json).toMatchObject([{ outcome: 'existing', id }]);
	expect(stage.sandbox.stored('links', id)).toMatchObject({ campaign: null, password: '' });
});

test('an item that is in its channel already is no failure', async () => {
	await using stage = await Stage.opened();
	const id = await stage.make('/api/url/add', { url: 'https://example.com/a' });
	const channel = await stage.make('/api/channel/add', { name: 'News' });
	const given = { channelId: byId(channel), itemType: 'links', itemId: byId(id) };
	await stage.link('channel.assignItem', given);
	expect((await stage.link('channel.assignItem', given)).json).toMatchObject([{ success: true }]);
	const unknown = await stage.link('channel.assignItem', { ...given, itemId: byId(987_654) });
	expect(unknown.error?.message).toMatch(/987654/);
});

test.each(['refused', 'nulls'] as const)(
	'a link that does not exist is an error: %s',
	async (unknownLink) => {
		await using stage = await Stage.opened({ unknownLink });
		const { error } = await stage.link('link.get', { linkId: byId(987_654) });
		expect(error?.message).toMatch(/^There is no link with the (id|ID) 987654/);
	},
);

describe.each([
	[{}, 41, 3],
	[{ readsShort: 'no' }, 21, 1],
] as const)('in an account of 30,000 links, %j', (dialect, requestsOfNew, requestsOfKnown) => {
	const stage = onStage(new Stage(dialect));
	const parameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };

	test(`twenty new rows take ${requestsOfNew} requests, and ${requestsOfKnown} the next night`, async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 30_000);
		const rows = Array.from({ length: 20 }, (_, n) => {
			const alias = stage.unique(`new-${n}`);
			return { alias, url: `https://example.com/${alias}` };
		});
		const first = await stage.link('link.upsert', parameters, { rows });
		expect(new Set(outcomesIn(first))).toEqual(new Set(['created']));
		expect(first.requests).toHaveLength(requestsOfNew);
		const again = await stage.link('link.upsert', parameters, { rows });
		expect(new Set(outcomesIn(again))).toEqual(new Set(['unchanged']));
		expect(again.requests).toHaveLength(requestsOfKnown);
	});
});

test('Get by an old short URL is one request where the service looks links up', async () => {
	await using stage = await Stage.opened();
	const id = await stage.make('/api/url/add', { url: 'https://example.com/a', custom: 'old' });
	stage.sandbox.links.addLinks(stage.linkAccount.id, 1000);
	const linkId = { __rl: true, mode: 'alias', value: `${stage.sandbox.linkUrl}/old` };
	const { json, requests } = await stage.link('link.get', { linkId });
	expect([json[0]?.id, requests.length]).toEqual([id, 1]);
});

test('a long URL is searched only as far back as Created After says', async () => {
	await using stage = await Stage.opened();
	stage.sandbox.links.addLinks(stage.linkAccount.id, 1000, 3600);
	const rows = [{ url: 'https://www.example.com/articles/999' }];
	const options = { matchCreatedAfter: new Date(Date.now() - 7_200_000).toISOString() };
	const { json, requests } = await stage.link('link.upsert', { ...MAPPED, options }, { rows });
	expect(json).toMatchObject([{ outcome: 'unchanged' }]);
	expect(requests).toHaveLength(1);
});

test('a link to itself is refused before it is sent, also by way of another row', async () => {
	await using stage = await Stage.opened();
	const { linkUrl } = stage.sandbox;
	const rows = [
		{ alias: 'one', url: `${linkUrl}/one?utm_source=x` },
		{ alias: 'two', url: `${linkUrl}/three` },
		{ alias: 'three', url: `${linkUrl}/two` },
	];
	const settings = { onError: 'continueRegularOutput' } as const;
	const result = await stage.link('link.upsert', MAPPED, { rows, settings });
	expect(outcomesIn(result)).toEqual(['failed', 'created', 'failed']);
	expect(result.json[0]?.error).toMatch(/^The link would lead to itself/);
});
