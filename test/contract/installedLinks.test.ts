import { callLink, member, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';

/**
 * What the link service of the default dialect does beyond the documents, as its responses show it. What a node would notice
 * is left to test/engine.
 */

const sandbox = sandboxForTests({ rateLimit: { requests: 1000, windowSeconds: 60 } });

const link = async (...request: [endpoint: string, body?: object]): Promise<Answer> =>
	await callLink(sandbox(), request[0], { body: request[1] });

const url = 'https://example.com/page';
const text: unknown = expect.any(String);
const ending = (end: string): unknown => expect.stringMatching(new RegExp(`${end}$`));
const someOf = (record: object): unknown =>
	expect.arrayContaining([expect.objectContaining(record)]);

async function made(body: object): Promise<string> {
	const { data } = await link('POST /api/url/add', body);
	return String(member(data, 'id'));
}

const refused = { error: 1, message: text };
const NAME = `Ann's "<b>"`;
const ESCAPED = 'Ann&#039;s &quot;&lt;b&gt;&quot;';

type Step = [endpoint: string, body: object | undefined, response: object];

/** Requests one after the other, and what is in their responses. */
const STORIES: Record<string, Step[]> = {
	'blanks and signs of an alias become a dash, and its case does not count': [
		['POST /api/url/add', { url, custom: 'row_1' }, { shorturl: ending('/row-1') }],
		['POST /api/url/add', { url, custom: 'ROW-1' }, refused],
		['POST /api/url/add', { url, custom: '__a. (b)__' }, { shorturl: ending('/a-b') }],
		['POST /api/url/add', { url, custom: "it's|me" }, { shorturl: ending('/it-s-me') }],
	],
	'an item goes into a channel once': [
		['POST /api/channel/2/assign/links/1', {}, { error: 0 }],
		['POST /api/channel/2/assign/links/1', {}, refused],
	],
	'names have entities': [
		['POST /api/campaign/add', { name: NAME }, { campaign: ESCAPED }],
		['GET /api/campaigns?limit=100', undefined, { data: { campaigns: someOf({ name: ESCAPED }) } }],
	],
	'the numbers go on behind the last page': [
		[
			'GET /api/splash?page=4',
			undefined,
			{ data: { splash: [], currentpage: '4', nextpage: '5', maxpage: '1' } },
		],
	],
};

test.each(Object.entries(STORIES))('%s', async (_what, steps) => {
	for (const [endpoint, body, data] of steps) {
		expect(await link(endpoint, body)).toMatchObject({ status: 200, data });
	}
});

const EMPTIED = {
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
};

test('an update empties what it does not send, and keeps what names the link', async () => {
	const { data: pixels } = await link('GET /api/pixels');
	const id = await made({
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
	});
	const kept = {
		alias: 'full',
		type: 'frame',
		title: 'Full',
		description: 'All of it',
		image: `${url}/a.png`,
		public: true,
		channel: 2,
	};
	const before = sandbox().stored('links', id);
	expect(before).toMatchObject(kept);
	for (const [name, empty] of Object.entries(EMPTIED)) {
		expect([name, member(before, name)]).not.toEqual([name, empty]);
	}
	const { data } = await link('GET /api/urls?limit=1');
	expect(member(data, 'data', 'urls', 0)).toMatchObject({ id, campaign: '1', channel: '2' });
	await link(`PUT /api/url/${id}/update`, { url: `${url}/other` });
	const after = { ...kept, ...EMPTIED, longurl: `${url}/other` };
	expect(sandbox().stored('links', id)).toMatchObject(after);
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

test('the title of a link has entities, and after an update the long URL, too', async () => {
	const id = await made({ url: `${url}/it's`, metatitle: NAME });
	const details = async () => member((await link(`GET /api/url/${id}`)).data, 'details');
	expect(await details()).toMatchObject({ longurl: `${url}/it's`, title: ESCAPED });
	await link(`PUT /api/url/${id}/update`, { url: `${url}/it's` });
	expect(await details()).toMatchObject({ longurl: `${url}/it&#039;s` });
});

test('codes of contacts and phones', async () => {
	const data = { fname: 'Ann', org: 'Acme', phone: '+4912' };
	const contact = { type: 'vcard', data: { ...data, company: 'Acme' } };
	const id = member((await link('POST /api/qr/add', contact)).data, 'id');
	expect(member(sandbox().stored('qrCodes', id), 'data')).toEqual(data);
	const { data: code } = await link(`GET /api/qr/${String(id)}`);
	expect(code).toMatchObject({ data: { date: text } });
	expect(member(code, 'details')).not.toHaveProperty('date');
	const phone = await link('POST /api/qr/add', { type: 'phone', data: '(0221) 12' });
	expect(phone).toMatchObject({ status: 500, data: ending('</html>\n?') });
});

test('a refusal for the rate limit says in its body how long to wait', async () => {
	sandbox().faults.add({ kind: 'limit-exhausted' });
	const { status, data, headers } = await link('GET /api/account');
	expect([status, data]).toMatchObject([
		429,
		{ error: 429, 'Retry-After': expect.any(Number) as unknown },
	]);
	expect(headers).not.toHaveProperty('retry-after');
	expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
});
