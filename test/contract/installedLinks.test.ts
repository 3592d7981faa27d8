import type { Sandbox } from '../../sandbox/sandbox.ts';
import { callLink, member, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';

/** What the link service of the default dialect does beyond the documents, as its responses show it. */

const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });

const link = async (...request: [endpoint: string, body?: object]): Promise<Answer> =>
	await callLink(sandbox(), request[0], { body: request[1] });

let accounts = 0;

function newAccount({ register }: Sandbox): { key: string } {
	accounts += 1;
	return { key: register('link', { email: `new${accounts}@links.example` }).apiKey };
}

const url = 'https://example.com/page';
const text: unknown = expect.any(String);

async function made(body: object): Promise<string> {
	const { data } = await link('POST /api/url/add', body);
	return String(member(data, 'id'));
}

const refusal = { status: 200, data: { error: 1, message: text } };

test('an update empties what it does not send, and keeps what names the link', async () => {
	const { data: pixels } = await link('GET /api/pixels');
	const all = {
		url: `${url}/full`,
		custom: 'full',
		domain: 'https://go.example.com',
		type: 'frame',
		password: 'secret',
		expiry: '2099-01-01 00:00:00',
		geotarget: [{ location: 'Spain', link: `${url}/es` }],
		devicetarget: [{ device: 'iPhone', link: `${url}/ios` }],
		languagetarget: [{ language: 'nl', link: `${url}/nl` }],
		parameters: [{ name: 'ref', value: 'x' }],
		metatitle: 'Full',
		metadescription: 'All of it',
		metaimage: `${url}/a.png`,
		campaign: 1,
		channel: 2,
		pixels: [member(pixels, 'data', 'pixels', 0, 'id')],
		description: 'A note',
		status: 'public',
	};
	const id = await made(all);
	const kept = {
		alias: 'full',
		type: 'frame',
		title: 'Full',
		description: 'All of it',
		image: `${url}/a.png`,
		public: true,
		channel: 2,
	};
	expect(sandbox().stored('links', id)).toMatchObject({
		...kept,
		password: 'secret',
		location: { spain: `${url}/es` },
		device: { iphone: `${url}/ios` },
		language: { nl: `${url}/nl` },
		parameters: [{ name: 'ref', value: 'x' }],
		pixels: [1],
		note: 'A note',
		campaign: 1,
		domain: 'https://go.example.com',
	});
	const { data } = await link('GET /api/urls?limit=1');
	expect(member(data, 'data', 'urls', 0)).toMatchObject({ id, campaign: '1', channel: '2' });
	await link(`PUT /api/url/${id}/update`, { url: `${url}/other` });
	expect(sandbox().stored('links', id)).toMatchObject({
		...kept,
		longurl: `${url}/other`,
		password: '',
		expiry: null,
		location: {},
		device: {},
		language: {},
		parameters: [],
		pixels: [],
		note: '',
		campaign: null,
		domain: null,
	});
});

test('details of a link without traffic, targets and expiry', async () => {
	const id = await made({ url: `${url}/bare` });
	const { data } = await link(`GET /api/url/${id}`);
	expect(data).toEqual({
		error: 0,
		id,
		details: {
			shorturl: text,
			longurl: `${url}/bare`,
			title: text,
			description: '',
			location: null,
			device: [],
			expiry: null,
			date: text,
		},
		data: { clicks: '0', uniqueClicks: '0', socialCount: expect.any(Object) as unknown },
	});
});

test.each([
	['row_1', 'row-1'],
	['__a. (b)__', 'a-b'],
	["it's|me", 'it-s-me'],
])('the alias %s becomes %s', async (custom, alias) => {
	const { data } = await link('POST /api/url/add', { url, custom });
	expect(member(data, 'shorturl')).toBe(`${sandbox().linkUrl}/${alias}`);
	const other = { url, custom: alias.toUpperCase() };
	expect(await link('POST /api/url/add', other)).toMatchObject(refusal);
});

test('a link with a foreign domain lands on the main one', async () => {
	const { data } = await link('POST /api/url/add', { url, custom: 'far', domain: 'far.example' });
	expect(data).toMatchObject({ error: 0, shorturl: `${sandbox().linkUrl}/far` });
});

test('the same long URL without an alias is the old link, unchanged', async () => {
	const id = await made({ url: `${url}/twice`, metatitle: 'First' });
	expect(await made({ url: `${url}/twice`, metatitle: 'Second' })).toBe(id);
	expect(sandbox().stored('links', id)).toMatchObject({ title: 'First' });
	expect(await made({ url: `${url}/twice`, custom: 'another' })).not.toBe(id);
});

test('a picture that is not taken is a success without a link', async () => {
	const body = { url: `${url}/gif`, metaimage: `${url}/a.gif` };
	const { data } = await link('POST /api/url/add', body);
	expect(data).toEqual({ error: 0, message: text });
});

test('names have entities, and long URLs after an update', async () => {
	const name = `Ann's "<b>"`;
	const escaped = 'Ann&#039;s &quot;&lt;b&gt;&quot;';
	const { data } = await link('POST /api/campaign/add', { name });
	expect(data).toMatchObject({ campaign: escaped });
	const { data: list } = await link('GET /api/campaigns?limit=100');
	expect(member(list, 'data', 'campaigns', 3)).toMatchObject({ name: escaped });
	const id = await made({ url: `${url}/it's`, metatitle: name });
	const details = async () => member((await link(`GET /api/url/${id}`)).data, 'details');
	expect(await details()).toMatchObject({ longurl: `${url}/it's`, title: escaped });
	await link(`PUT /api/url/${id}/update`, { url: `${url}/it's` });
	expect(await details()).toMatchObject({ longurl: `${url}/it&#039;s` });
});

test('what the list of one link gives, and a search', async () => {
	const short = encodeURIComponent(`${sandbox().linkUrl}/PRESS`);
	const { data } = await link(`GET /api/urls?limit=100&page=1&short=${short}`);
	expect(data).toMatchObject({ error: 0, id: '38', details: { longurl: text } });
	expect(await link(`GET /api/urls?short=${short}-less`)).toMatchObject(refusal);
	const { data: found } = await link('GET /api/urls?q=PRES');
	expect(found).toMatchObject({ data: { result: '1', urls: [{ alias: 'press' }] } });
});

test('an item goes into a channel once, and into one campaign', async () => {
	expect(await link('POST /api/channel/2/assign/links/1')).toMatchObject({ data: { error: 0 } });
	expect(await link('POST /api/channel/2/assign/links/1')).toMatchObject(refusal);
	await link('POST /api/campaign/1/assign/1');
	await link('POST /api/campaign/2/assign/1');
	expect(sandbox().stored('links', 1)).toMatchObject({ campaign: 2, channel: 2 });
});

test('codes of contacts and phones', async () => {
	const data = { fname: 'Ann', org: 'Acme', company: 'Acme', phone: '+4912' };
	const { data: answer } = await link('POST /api/qr/add', { type: 'vcard', data });
	const { company: _company, ...known } = data;
	const id = member(answer, 'id');
	expect(sandbox().stored('qrCodes', id)).toMatchObject({ data: known });
	const { data: code } = await link(`GET /api/qr/${String(id)}`);
	expect(code).toMatchObject({ data: { date: text } });
	expect(member(code, 'details')).not.toHaveProperty('date');
	const phone = await link('POST /api/qr/add', { type: 'phone', data: '(0221) 12' });
	expect(phone).toMatchObject({
		status: 500,
		data: expect.stringContaining('<html>') as unknown,
	});
});

test('words, and the refusals of an endpoint, the key and the limit', async () => {
	const pixel = { name: 'Talk', tag: 'R-1' };
	expect(await link('POST /api/pixel/add', { ...pixel, type: 'forum' })).toMatchObject(refusal);
	expect(await link('POST /api/pixel/add', { ...pixel, type: 'reddit' })).toMatchObject({
		data: { error: 0 },
	});
	expect((await link('GET /api/overlay')).data).toMatchObject({ data: { overlay: [{}, {}] } });
	expect(await link('DELETE /api/url/9999/delete')).toMatchObject(refusal);
	const key = 'wrong';
	expect(await callLink(sandbox(), 'GET /api/urls', { key })).toMatchObject({ status: 403 });
	sandbox().faults.add({ kind: 'limit-exhausted' });
	const { key: fresh } = newAccount(sandbox());
	const limited = await callLink(sandbox(), 'GET /api/urls', { key: fresh });
	expect(limited).toMatchObject({ status: 429, data: { error: 429, 'Retry-After': 60 } });
	expect(limited.headers).not.toHaveProperty('retry-after');
	expect(limited.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
	expect(await link('GET /api/account')).toMatchObject({ status: 200 });
});

test('pages, their order, and domains of the service', async () => {
	const ids = async (endpoint: string, list: string) => {
		const records = member((await link(endpoint)).data, 'data', list) as object[];
		return records.map((record) => member(record, 'id'));
	};
	const links = await ids('GET /api/urls', 'urls');
	expect(links).toHaveLength(15);
	expect(Number(links[0])).toBeGreaterThan(Number(links[14]));
	expect(await ids('GET /api/domains', 'domains')).toEqual(['1', '2', null]);
	expect(await ids('GET /api/domains?page=2', 'domains')).toEqual([null]);
	expect((await link('GET /api/splash?page=4')).data).toMatchObject({
		data: { splash: [], currentpage: '4', nextpage: '5', maxpage: '1' },
	});
	const { key } = newAccount(sandbox());
	const { data } = await callLink(sandbox(), 'GET /api/urls', { key });
	expect(data).toMatchObject({ data: { result: '0', maxpage: '0', urls: [] } });
});
