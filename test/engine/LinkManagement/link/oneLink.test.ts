import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import { clock } from '../../helpers/clock.ts';
import {
	byId,
	CONTINUE,
	like,
	named,
	newDomain,
	onStage,
	outcomesIn,
	sentIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';

/** Which link a row is about, however it is spelled, and what that link keeps. */

const MAPPED = { mappingMode: 'autoMapInputData' };
const url = 'https://example.com/';

const stage = onStage(new Stage());

const sheet = async (rows: IDataObject[], parameters: INodeParameters = {}) =>
	await stage.link('link.upsert', { ...MAPPED, ...parameters }, { rows, settings: CONTINUE });
const newLink = async (members: IDataObject) =>
	await stage.make('/api/url/add', { url, ...members });
const storedLink = (id: unknown) => record(stage.sandbox.stored('links', id));

test('pages whose paths differ in case are two pages', async () => {
	const id = await newLink({ url: `${url}watch?v=aBc` });
	const result = await sheet([{ url: `${url}watch?v=AbC` }, { url: `${url}watch?v=ABC` }]);
	expect(outcomesIn(result)).toEqual(['created', 'created']);
	expect(storedLink(id).longurl).toBe(`${url}watch?v=aBc`);
});

test('two rows that spell one page differently say the same', async () => {
	const result = await sheet([{ url: `${url}k?b=2&a=1` }, { url: `${url}k/?a=1&b=2` }]);
	expect(outcomesIn(result)).toEqual(['created', 'unchanged']);
});

test.each([
	[{}, [2, 1, 1]],
	[{ readsShort: 'no' }, [4, 4, 4]],
] as const)('%j: found as it was entered, in %j requests', async (dialect, counts) => {
	await using other = await Stage.opened(dialect);
	const id = await other.make('/api/url/add', { url, custom: 'foo-bar' });
	other.sandbox.links.addLinks(other.linkAccount.id, 250, 0);
	const names = ['foo_bar', 'FOO-bar', `${other.sandbox.linkUrl}/foo-bar`];
	for (const [at, name] of names.entries()) {
		const { json, requests } = await other.link('link.get', { linkId: named('alias', name) });
		expect([json[0]?.id, requests.length]).toEqual([id, counts[at]]);
	}
});

test.each(['HERE/other', 'https://elsewhere.example/ALIAS', undefined])(
	'a look-up that shows the link %s is not believed',
	async (other) => {
		const id = await newLink({ custom: stage.unique('mine') });
		const shorturl = other
			?.replace('HERE', stage.sandbox.linkUrl)
			.replace('ALIAS', stage.unique('mine'));
		const details = shorturl === undefined ? {} : { shorturl };
		const body = { error: 0, id: 987_654, details, data: {} };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', body });
		const linkId = named('alias', stage.unique('mine'));
		expect((await stage.link('link.get', { linkId })).json).toMatchObject([{ id }]);
	},
);

test.each([
	['desc', 1],
	['asc', 3],
] as const)('Created After, in 250 links that come %s: %i requests', async (listOrder, pages) => {
	await using other = await Stage.opened({ listOrder, maxLimit: '100' });
	other.sandbox.links.addLinks(other.linkAccount.id, 250);
	const matchCreatedAfter = new Date(clock() - 600_000).toISOString();
	const rows = [{ url: 'https://www.example.com/articles/250' }];
	const given = { ...MAPPED, options: { matchCreatedAfter } };
	const result = await other.link('link.upsert', given, { rows });
	expect(outcomesIn(result)).toEqual(['unchanged']);
	expect(sentIn(result)).toEqual(Array(pages).fill('GET /api/urls'));
});

test('rewritten aliases are a look-up each, one more to see that they are, and no create', async () => {
	for (const custom of ['my_alias', 'my_other']) await newLink({ custom });
	stage.sandbox.links.addLinks(stage.linkAccount.id, 450, 0);
	const result = await sheet(['my_alias', 'my_other'].map((alias) => ({ url, alias })));
	expect(outcomesIn(result)).toEqual(['unchanged', 'unchanged']);
	// And page 1, to see how long the list is.
	expect(sentIn(result)).toEqual(Array(4).fill('GET /api/urls'));
});

test('a rewritten alias ends the reading, where the list shows that all are', async () => {
	await using other = await Stage.opened({ readsShort: 'no', listOrder: 'desc', maxLimit: '100' });
	other.sandbox.links.addLinks(other.linkAccount.id, 450, 0);
	await other.make('/api/url/add', { url, custom: 'my_alias' });
	const rows = [{ url, alias: 'my_alias' }];
	const result = await other.link('link.upsert', MAPPED, { rows });
	expect(outcomesIn(result)).toEqual(['unchanged']);
	expect(sentIn(result)).toEqual(['GET /api/urls']);
});

test.each([
	['caf%C3%A9', 'café'],
	['a%2Fb', 'a-b'],
])('the alias %s of an address is sent as text', async (alias, written) => {
	const rows = [{ url, alias: `${stage.unique('x')}${alias}` }];
	const first = await sheet(rows);
	expect(first.json[0]?.link_alias).toBe(`${stage.unique('x')}${written}`);
	expect(outcomesIn(await sheet(rows))).toEqual(['unchanged']);
});

test('an alias of signs alone is refused', async () => {
	const result = await sheet([{ url, alias: '___' }]);
	expect(result.json[0]?.error).toMatch(/^Column "alias" has no alias with a letter or digit/);
	expect(result.requests).toEqual([]);
});

test.each(['https://X/', 'HTTPS://X', 'x/', 'X'])('the domain %s is found', async (form) => {
	const domain = await newDomain(stage);
	const host = domain.replace('https://', '');
	const entered = form.replace('X', host.toUpperCase()).replace('x', host);
	const { json } = await sheet([{ url, alias: stage.unique('one'), domain: entered }]);
	expect(json[0]?.shorturl).toBe(`${domain}/${stage.unique('one')}`);
});

test('an update to a domain that the account does not have is not sent', async () => {
	const id = await newLink({ domain: await newDomain(stage) });
	const updateFields = { domain: named('name', 'https://go.other.example') };
	const result = await stage.link('link.update', { linkId: byId(id), updateFields });
	expect(result.error?.message).toBe('The account has no domain go.other.example');
	expect(writesIn(result)).toEqual([]);
});

test('a plan without domains has none that a link could move to', async () => {
	await using other = await Stage.opened({ plan: 'no-domains' });
	const id = await other.make('/api/url/add', { url });
	const updateFields = { domain: named('name', 'https://go.other.example') };
	const result = await other.link('link.update', { linkId: byId(id), updateFields });
	expect(result.error?.message).toBe('The account has no domain go.other.example');
	expect(writesIn(result)).toEqual([]);
});

test('a plan without domains can update a link on another host', async () => {
	await using other = await Stage.opened({ plan: 'no-domains' });
	const id = await other.make('/api/url/add', { url });
	const baseUrl = other.sandbox.linkUrl.replace('127.0.0.1', 'localhost');
	const given = { linkId: byId(id), updateFields: { metaTitle: 'New' } };
	const { error } = await other.link('link.update', given, { credential: { baseUrl } });
	expect(error).toBeUndefined();
});

test('a campaign is kept although the service does not search, and the link is on page 2', async () => {
	await using other = await Stage.opened({ readsSearch: 'no' });
	const campaign = await other.make('/api/campaign/add', { name: 'Spring' });
	const id = await other.make('/api/url/add', { url, custom: 'first', campaign });
	other.sandbox.links.addLinks(other.linkAccount.id, 120, 0);
	const updateFields = { metaTitle: 'New' };
	for (const linkId of [byId(id), named('alias', 'first')]) {
		expect((await other.link('link.update', { linkId, updateFields })).error).toBeUndefined();
		expect(other.sandbox.stored('links', id)).toMatchObject({ campaign, title: 'New' });
	}
});

test.each([
	['may read the list', 0],
	['may not', 99],
])('with a key that %s, Update takes the details, a search and a PUT', async (_what, times) => {
	await using other = await Stage.opened();
	const id = await other.make('/api/url/add', { url });
	other.sandbox.links.addLinks(other.linkAccount.id, 250, 0);
	const refusal = { kind: 'respond', path: '/api/urls', status: 403, body: { error: 1 } } as const;
	if (times > 0) other.sandbox.faults.add({ ...refusal, times });
	const given = { linkId: byId(id), updateFields: { metaTitle: 'New' } };
	const { requests, error } = await other.link('link.update', given);
	expect([error, requests.length]).toEqual([undefined, 3]);
});

test('the details are read once before an update of the expiry', async () => {
	await newLink({ custom: stage.unique('one'), expiry: '2090-01-01 00:00:00' });
	const result = await sheet([{ url, alias: stage.unique('one'), expiry: '2091-01-01' }]);
	expect(sentIn(result).filter((sent) => /^GET .*\d$/.test(sent)).length).toBeLessThan(2);
	expect(outcomesIn(result)).toEqual(['updated']);
});

test('a link does not lead to itself by its new alias, nor on its branded domain', async () => {
	const domain = await newDomain(stage);
	const toQ = await newLink({ url: `${stage.sandbox.linkUrl}/q-new`, custom: 'p' });
	const branded = await newLink({ domain, custom: 'br' });
	const changes = [
		[toQ, { customAlias: 'q-new' }],
		[branded, { customAlias: 'br2', url: `${domain}/br2` }],
		[toQ, { domain: named('name', domain), url: `${domain}/p` }],
	] as const;
	for (const [id, updateFields] of changes) {
		const result = await stage.link('link.update', { linkId: byId(id), updateFields });
		expect(result.error?.message).toMatch(/^The link would lead to itself/);
		expect(writesIn(result)).toEqual([]);
	}
});

test('Create says that an older link is on another domain, and goes on', async () => {
	const domain = await newDomain(stage);
	await newLink({ url: `${url}old` });
	const given = { url: '={{ $json.url }}', domain: named('name', domain) };
	const rows = [{ url: `${url}old` }, { url: `${url}new` }];
	const { json } = await stage.link('link.create', given, { rows, settings: CONTINUE });
	expect(json[0]?.error).toMatch(/has an older link to this URL, on .+ or give the row an alias/);
	expect(json[1]?.outcome).toBe('created');
});

test('in an empty account, the second create carries campaign and channel', async () => {
	const rows = [0, 1, 2].map((n) => ({ url: `${url}${n}`, campaign: 'C', channel: 'N' }));
	const result = await sheet(rows, { options: { createMissing: true } });
	expect(outcomesIn(result)).toEqual(['created', 'created', 'created']);
	expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(2);
});

test('an update of tags without a URL sends the other fields, too', async () => {
	const id = await newLink({ url: `${url}tagged` });
	const updateFields = { utm: { source: 'mail' }, metaTitle: 'New' };
	await stage.link('link.update', { linkId: byId(id), updateFields });
	const longurl = `${url}tagged?utm_source=mail`;
	expect(storedLink(id)).toMatchObject({ longurl, title: 'New' });
});

test.each([
	[true, 0],
	[false, 1],
])(
	'dry run %j: an old link is found in 3 pages, after %i refused writes',
	async (dryRun, writes) => {
		await using other = await Stage.opened({ readsShort: 'no' });
		await other.make('/api/url/add', { url, custom: 'old' });
		other.sandbox.links.addLinks(other.linkAccount.id, 250, 0);
		const given = { rows: [{ url, alias: 'old' }] };
		const result = await other.link('link.upsert', { ...MAPPED, options: { dryRun } }, given);
		expect(outcomesIn(result)).toEqual(['unchanged']);
		expect([result.requests.length, writesIn(result).length]).toEqual([3 + writes, writes]);
	},
);

test('a result that a sheet has as a text gets no column of its own', async () => {
	const { json } = await sheet([{ url, alias: stage.unique('one'), clicks: '0' }]);
	expect(json[0]).toMatchObject({ outcome: 'created', clicks: 0 });
	expect(json[0]).not.toHaveProperty('link_clicks');
});

test.each([
	[{}, /The next run adds it\.$/],
	[{ createReadsPlaces: 'no' }, /A later run does not add it: use Channel > Assign Item\.$/],
] as const)(
	'%j: a link that misses its channel says what a later run does',
	async (dialect, said) => {
		await using other = await Stage.opened(dialect);
		await other.make('/api/url/add', { url, custom: 'one' });
		other.sandbox.faults.add({
			kind: 'http-500',
			path: '/api/channel/:channelid/assign/:type/:itemid',
		});
		const rows = [{ url, alias: 'one', channel: 'News', 'Meta Title': 'New' }];
		const options = { createMissing: true };
		const given = { rows, settings: CONTINUE };
		const { json } = await other.link('link.upsert', { ...MAPPED, options }, given);
		expect(json[0]?.error).toMatch(said);
	},
);

test.each([
	['used-up', /Run the workflow again.+plan is used up/],
	['used-up-message', /^Your plan has no more links. Check/],
] as const)('a row fails with what is known where the plan is %s', async (plan, said) => {
	await using other = await Stage.opened({ plan });
	const given = { rows: [{ url }], settings: CONTINUE };
	const { json } = await other.link('link.upsert', MAPPED, given);
	expect(json[0]?.error).toMatch(said);
});

test.each<[what: string, row: IDataObject, kept: IDataObject]>([
	['the name that a result would get', { id: 5, link_id: 'own' }, { id: 5, link_id: 'own' }],
	['an error beside an own outcome', { outcome: 'open', error: 'mine' }, { input_error: 'mine' }],
])('a row keeps %s, also in the second run', async (_what, row, kept) => {
	const rows = [{ url: row.error === undefined ? url : 'no address', ...row }];
	const first = await sheet(rows);
	expect(first.json[0]).toMatchObject(kept);
	const second = await sheet(first.json);
	expect(second.json[0]).toMatchObject(kept);
	expect(Object.keys(second.json[0] ?? {})).toEqual(Object.keys(first.json[0] ?? {}));
});

test('a title is the same without the blanks around it', async () => {
	const rows = [{ url, alias: stage.unique('titled'), 'Meta Title': ' Spring  Sale ' }];
	const { json } = await sheet(rows);
	stage.sandbox.tables.links.change(json[0]?.id, { title: 'Spring Sale' });
	expect(outcomesIn(await sheet(rows))).toEqual(['unchanged']);
});

test('an apostrophe in a long URL outlives an update of another field', async () => {
	const id = await newLink({ url: `${url}it's` });
	await stage.link('link.update', { linkId: byId(id), updateFields: { metaTitle: 'New' } });
	expect(storedLink(id)).toMatchObject({ longurl: `${url}it%27s`, title: 'New' });
});

test('targets come back as they were entered, and are not written again', async () => {
	const target = [{ location: 'Germany', link: `${url}?a=1&b=2` }];
	const given = { additionalFields: { geoTargets: { target } } };
	const rows = [{ url: `${url}targets`, alias: 'targets' }];
	const [created] = (await sheet(rows, given)).json;
	expect(outcomesIn(await sheet(rows, given))).toEqual(['unchanged']);
	const linkId = byId(Number(created?.id));
	const { requests } = await stage.link('link.update', {
		linkId,
		updateFields: { metaTitle: 'A' },
	});
	expect(requests.at(-1)?.body).toMatchObject({ geotarget: [{ link: `${url}?a=1&b=2` }] });
});

test('no other form of a taken alias, and no target, leads to the link itself', async () => {
	const { linkUrl } = stage.sandbox;
	await newLink({ custom: 'self' });
	const target = [{ location: 'Germany', link: `${linkUrl}/other` }];
	const cases = [
		{ url: `${linkUrl}/self-2`, customAlias: 'self', options: { ifAliasTaken: 'suffix' } },
		{ url, customAlias: 'other', additionalFields: { geoTargets: { target } } },
	];
	for (const parameters of cases) {
		const { error } = await stage.link('link.create', parameters);
		expect(error?.message).toMatch(/^The link would lead to itself/);
	}
});

test('no target leads to the link itself by way of another row', async () => {
	const { linkUrl } = stage.sandbox;
	const target = [{ location: '={{ $json.country }}', link: '={{ $json.link }}' }];
	const rows = [
		{ url: `${linkUrl}/second`, alias: 'first' },
		{ url, alias: 'second', country: 'Germany', link: `${linkUrl}/first` },
	];
	const { json } = await sheet(rows, { additionalFields: { geoTargets: { target } } });
	expect(json).toMatchObject([
		{ outcome: 'created' },
		{ outcome: 'failed', error: like(/^The link would lead to itself/) },
	]);
});

test('an older link under another alias is told from a plan without aliases', async () => {
	await using other = await Stage.opened({ sameUrl: 'always' });
	const id = await other.make('/api/url/add', { url });
	other.sandbox.tables.links.change(id, { date: '2020-01-01 00:00:00' });
	const rows = [
		{ url, alias: 'new' },
		{ url: `${url}2`, alias: 'two' },
	];
	const { json } = await other.link('link.upsert', MAPPED, { rows, settings: CONTINUE });
	expect(json).toMatchObject([{ outcome: 'failed' }, { outcome: 'created' }]);
	expect(json[0]?.error).toMatch(/^The service has an older link/);
});

test('an item is found in its channel among others of the same ID', async () => {
	await using other = await Stage.opened();
	const channelId = byId(await other.make('/api/channel/add', { name: 'News' }));
	const id = await other.make('/api/url/add', { url });
	expect(await other.make('/api/qr/add', { type: 'text', data: 'a' })).toBe(id);
	const rows = ['links', 'qr', 'links'].map((type) => ({ type }));
	const given = { channelId, itemType: '={{ $json.type }}', itemId: byId(id) };
	for (let runs = 0; runs < 2; runs += 1) {
		const { json } = await other.link('channel.assignItem', given, { rows });
		expect(json).toHaveLength(3);
	}
});

test('a domain that the account lists is the own one if new links land there', async () => {
	await using other = await Stage.opened();
	const domain = await newDomain(other);
	const given = { rows: [{ url }] };
	const [created] = (await other.link('link.upsert', MAPPED, given)).json;
	other.sandbox.tables.links.change(created?.id, { domain });
	expect(outcomesIn(await other.link('link.upsert', MAPPED, given))).toEqual(['unchanged']);
});

test('a long URL that the service spells in ten other ways is known again', async () => {
	const ways: ReadonlyArray<(longUrl: string) => string> = [
		(longUrl) => longUrl.replace('?', '/?'),
		(longUrl) => longUrl.replace('https:', 'HTTPS:'),
		(longUrl) => longUrl.replace('example.com', 'EXAMPLE.com'),
		(longUrl) => longUrl.replace('example.com', 'example.com:443'),
		(longUrl) => longUrl.replaceAll('&', '&amp;'),
		(longUrl) => longUrl.replaceAll('&', '&#038;'),
		(longUrl) => longUrl.replace('%27', "'"),
		(longUrl) => longUrl.replace('%27', '&#x27;'),
		(longUrl) => longUrl.replace('%C3%B6', 'ö'),
		(longUrl) => longUrl.replace('a=1&b=2', 'b=2&a=1'),
	];
	const rows = ways.map((_, n) => ({ url: `${url}spelled-${n}?a=1&b=2&c=it%27s&d=%C3%B6` }));
	const { json } = await sheet(rows);
	for (const [n, way] of ways.entries())
		stage.sandbox.tables.links.change(json[n]?.id, { longurl: way(rows[n]?.url ?? '') });
	expect(outcomesIn(await sheet(rows))).toEqual(rows.map(() => 'unchanged'));
});

test('a dry run says what becomes of each row, whatever On Error says', async () => {
	await newLink({ custom: 'dry', url: `${url}dry` });
	const rows = [
		{ url: `${url}dry`, alias: 'dry' },
		{ url: `${url}dry`, alias: 'dry' },
		{ url: `${url}tagged?utm_source=old`, alias: 'My Tag', 'UTM Source': 'new' },
		{ url, alias: 'no-campaign', campaign: 'Nobody' },
		{ url: 'exa mple', alias: 'no-host' },
		{ url: `${url}case`, alias: 'MyOwn' },
	];
	const parameters = { ...MAPPED, options: { dryRun: true } };
	const { json, requests } = await stage.link('link.upsert', parameters, { rows });
	expect(json).toMatchObject([
		{ outcome: 'unchanged', shorturl: `${stage.sandbox.linkUrl}/dry` },
		{ outcome: 'unchanged', note: 'Same as item 1' },
		{
			outcome: 'would be created',
			shorturl: null,
			note: 'The service may write the alias as "My-Tag". The row replaces utm_source of the URL',
		},
		{ outcome: 'failed', error: like(/^There is no campaign "Nobody"/) },
		{ outcome: 'failed', error: like(/^Column "url"/) },
		{ outcome: 'would be created', note: null },
	]);
	expect(requests.filter(({ request }) => !request.startsWith('GET '))).toEqual([]);
});

test('an update puts the link into its campaign and channel', async () => {
	const linkId = byId(await newLink({ custom: stage.unique('placed') }));
	const updateFields = { campaignId: named('name', 'Placed'), channelId: named('name', 'Mail') };
	const parameters = { linkId, updateFields, options: { createMissing: true } };
	const { json } = await stage.link('link.update', parameters);
	const idOf = (table: 'campaigns' | 'channels', name: string) =>
		stage.sandbox.tables[table].first("record ->> 'name' = ?", name)?.id;
	const places = { campaign: idOf('campaigns', 'Placed'), channel: idOf('channels', 'Mail') };
	expect(storedLink(json[0]?.id)).toMatchObject(places);
	expect(writesIn(await stage.link('link.update', parameters))).toEqual([]);
});

test('a link that is kept leads where it did, whatever its row says', async () => {
	const { linkUrl } = stage.sandbox;
	await newLink({ custom: 'kept' });
	const rows = [
		{ url: `${linkUrl}/to-kept`, alias: 'kept' },
		{ url: `${linkUrl}/kept`, alias: 'to-kept' },
	];
	const result = await sheet(rows, { ifExists: 'keep' });
	expect(outcomesIn(result)).toEqual(['unchanged', 'created']);
});

test('a list without numbers is not read further for each row', async () => {
	await using other = await Stage.opened({ readsShort: 'no' });
	other.sandbox.links.addLinks(other.linkAccount.id, 450);
	const id = await other.make('/api/url/add', { url, custom: 'newest' });
	const change = (body: string) => body.replace(/"(maxpage|nextpage|result)"/g, '"no_$1"');
	const numberless = { kind: 'respond', path: '/api/urls', times: 99, status: 200 } as const;
	other.sandbox.faults.add({ ...numberless, change });
	const rows = [1, 2, 3].map((n) => ({ url: `${url}new-${n}` }));
	const created = await other.link('link.create', { url: '={{ $json.url }}' }, { rows });
	const posts = rows.map(() => 'POST /api/url/add');
	expect(sentIn(created)).toEqual(['GET /api/urls', ...posts]);
	const found = await other.link('link.upsert', MAPPED, { rows: [{ url, alias: 'newest' }] });
	expect(found.json).toMatchObject([{ outcome: 'unchanged', id }]);
	expect(sentIn(found)).toEqual(['GET /api/urls']);
});
