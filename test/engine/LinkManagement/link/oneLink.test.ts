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

test('pages whose paths differ in case are two pages, those spelled differently are one', async () => {
	const id = await newLink({ url: `${url}watch?v=aBc` });
	const paths = ['watch?v=AbC', 'watch?v=ABC', 'k?b=2&a=1', 'k/?a=1&b=2'];
	const result = await sheet(paths.map((path) => ({ url: `${url}${path}` })));
	expect(outcomesIn(result)).toEqual(['created', 'created', 'created', 'unchanged']);
	expect(storedLink(id).longurl).toBe(`${url}watch?v=aBc`);
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
	['caf%C3%A9', 'café', 'café'],
	['a%2Fb', 'a/b', 'a-b'],
])('the alias %s of an address is sent as %s', async (entered, sent, written) => {
	const start = stage.unique('x');
	const rows = [{ url, alias: `${start}${entered}` }];
	const first = await sheet(rows);
	expect(first.requests.at(-1)?.body).toEqual({ url, custom: `${start}${sent}` });
	const input_alias = rows[0]?.alias;
	expect(first.json).toMatchObject([{ alias: `${start}${written}`, input_alias }]);
	expect(outcomesIn(await sheet(rows))).toEqual(['unchanged']);
	expect(outcomesIn(await sheet(first.json))).toEqual(['unchanged']);
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

test('a link does not lead to itself, is not sent, and stops no other row', async () => {
	const { linkUrl } = stage.sandbox;
	const link = await newLink({ custom: stage.unique('own') });
	const rows = [
		{ alias: stage.unique('one'), url: `${linkUrl}/${stage.unique('one')}?utm_source=x` },
		{ alias: stage.unique('two'), url: `${linkUrl}/${stage.unique('one')}` },
	];
	const stopped = await stage.link('link.upsert', MAPPED, { rows });
	expect(stopped.error?.message).toMatch(/^The link would lead to itself.+nothing was sent/);
	for (const outcome of ['would be created', 'created', 'unchanged']) {
		const options = { dryRun: outcome === 'would be created' };
		expect(outcomesIn(await sheet(rows, { options }))).toEqual(['failed', outcome]);
	}
	const updateFields = { url: `${linkUrl}/${stage.unique('own')}` };
	const updated = await stage.link('link.update', { linkId: byId(link), updateFields });
	expect(updated.error?.message).toMatch(/^The link would lead to itself/);
	expect(writesIn(updated)).toEqual([]);
});

test('Create says that an older link is on another domain, and goes on', async () => {
	const domain = await newDomain(stage);
	await newLink({ url: `${url}old` });
	const given = { url: '={{ $json.url }}', domain: named('name', domain) };
	const rows = [{ url: `${url}old` }, { url: `${url}new` }];
	const { json } = await stage.link('link.create', given, { rows, settings: CONTINUE });
	const host = domain.replace('https://', '');
	expect(json).toMatchObject([
		{ outcome: 'failed', error: like(new RegExp(`instead of ${host}/`)) },
		{ outcome: 'created', shorturl: like(new RegExp(`^${domain}/`)) },
	]);
});

test('an update of tags without a URL sends the other fields, too', async () => {
	const id = await newLink({ url: `${url}it's` });
	const updateFields = { utm: { source: 'mail' }, metaTitle: 'New' };
	await stage.link('link.update', { linkId: byId(id), updateFields });
	const longurl = `${url}it%27s?utm_source=mail`;
	expect(storedLink(id)).toMatchObject({ longurl, title: 'New' });
});

test.each([{ campaignId: byId('') }, { utm: { source: '' } }])(
	'an update that has only blanks is refused: %j',
	async (updateFields) => {
		const linkId = byId(await newLink({ url: `${url}blank` }));
		const result = await stage.link('link.update', { linkId, updateFields });
		expect(result.error?.message).toMatch(/^There is nothing to update/);
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

test('texts that the service writes in its own way are the same', async () => {
	const id = await newLink({ custom: 'texts' });
	stage.sandbox.tables.links.change(id, { title: ' AT&T sale', description: 'One\nTwo' });
	const texts = { Title: ' AT&amp;T  sale ', 'Meta Description': 'One\r\nTwo' };
	const result = await sheet([{ url, alias: 'texts', ...texts }]);
	expect(outcomesIn(result)).toEqual(['unchanged']);
	expect(sentIn(result)).toEqual(['GET /api/urls']);
});

test('targets come back as they were entered, in any order, and are not written again', async () => {
	const target = ['Germany', 'France'].map((location) => ({ location, link: `${url}?a=1&b=2` }));
	const rows = [{ url: `${url}targets`, alias: 'targets' }];
	const given = (link: IDataObject[]) => ({ additionalFields: { geoTargets: { target: link } } });
	const [created] = (await sheet(rows, given(target) as INodeParameters)).json;
	const again = await sheet(rows, given(target.toReversed()) as INodeParameters);
	expect(outcomesIn(again)).toEqual(['unchanged']);
	const linkId = byId(Number(created?.id));
	const updateFields = { metaTitle: 'A' };
	const { requests } = await stage.link('link.update', { linkId, updateFields });
	const links = target.map(({ link }) => ({ link }));
	expect(requests.at(-1)?.body).toMatchObject({ geotarget: links });
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
