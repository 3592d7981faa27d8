import { DEMO } from '../../sandbox/demo.ts';
import { call, callLink, firstRecords, linkFailure, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS } from './manifest.ts';

/** What the services refuse: the requests, what is wrong, and what the message must name. */

const LONG_TEXT = 'x'.repeat(65_536);
const URL = { url: 'https://example.com/page' };
const QR = { type: 'text', data: 'x' };

type Refused = [request: string, body: unknown, message: RegExp];

const REFUSED: Refused[] = [
	['GET /api/url/abc', undefined, /abc/],
	['PUT /api/url/999999/update', URL, /999999/],
	['POST /api/campaign/999/assign/1', undefined, /campaign.*999/],
	['POST /api/channel/1/assign/file/1', undefined, /links, bio, qr/],
	['POST /api/channel/1/assign/qr/999', undefined, /999/],
	['POST /api/url/add', { url: 'example.com' }, /url/],
	['POST /api/url/add', { url: 'javascript:alert(1)' }, /url/],
	['POST /api/url/add', { ...URL, custom: 'spring' }, /spring/],
	['POST /api/url/add', { ...URL, custom: 'API' }, /reserved/],
	['POST /api/url/add', { ...URL, custom: 'a/b' }, /custom/],
	['POST /api/url/add', { ...URL, expiry: '2020-01-01 00:00:00' }, /expiry/],
	['POST /api/url/add', { ...URL, expiry: '2099-02-30 00:00:00' }, /expiry/],
	['POST /api/url/add', { ...URL, domain: 'https://other.example' }, /domain/],
	['POST /api/url/add', { ...URL, geotarget: 'x' }, /geotarget/],
	['POST /api/url/add', { ...URL, devicetarget: [{ device: 'iphone' }] }, /link is required/],
	['POST /api/url/add', { ...URL, metaimage: 'https://example.com/a.gif' }, /metaimage/],
	['POST /api/url/add', { ...URL, metatitle: LONG_TEXT }, /metatitle/],
	['POST /api/url/add', '{"url": "https://exam', /JSON/],
	['POST /api/url/add', [1, 2], /object/],
	['POST /api/pixel/add', { type: 'x', name: 'a', tag: 'b' }, /type/],
	['POST /api/qr/add', { ...QR, type: 'x' }, /type/],
	['POST /api/qr/add', { type: 'link', data: 'nowhere' }, /data/],
	['POST /api/qr/add', { ...QR, data: 'ä'.repeat(1200) }, /long/],
	['POST /api/qr/add', { ...QR, foreground: '#ff0000' }, /foreground/],
	['POST /api/qr/add', { ...QR, logo: 'a.exe' }, /logo/],
	['POST /api/channel/add', { name: 'x', color: 'red' }, /color/],
	['POST /api/channel/add', { name: 'x', starred: 'maybe' }, /starred/],
	['POST /api/campaign/add', { slug: 'spring-sale' }, /spring-sale/],
	['POST /api/domain/add', { domain: 'a.example.com' }, /domain/],
	['POST /api/domain/add', { domain: 'http://go.example.com' }, /in use/],
	['POST /api/domain/add', { domain: 'https://a.invalid' }, /point/],
	['PUT /api/account/update', {}, /email or password/],
	['PUT /api/account/update', { email: 'nobody' }, /email/],
	['GET /api/urls?page=0', undefined, /page/],
	['GET /api/urls?limit=1000000000', undefined, /limit/],
	['GET /api/urls?order=size', undefined, /order/],
];

/** The example of an endpoint without a field that it requires, or with one that cannot be changed. */
const INCOMPLETE = Object.entries(LINK_ENDPOINTS).flatMap(([request, { body = {}, example }]) =>
	Object.entries(body).flatMap(([field, presence]): Refused[] => {
		if (presence === 'optional') return [];
		const value = presence === 'required' ? undefined : 'x';
		const message = new RegExp(`${field} (is required|cannot be changed)`);
		return [[request, { ...example?.body, [field]: value }, message]];
	}),
);

const sandbox = sandboxForTests();

/** Everything the lists show. */
const everything = async (): Promise<unknown[]> => {
	const lists = ['urls', 'domains', 'campaigns', 'channels', 'pixels', 'qr', 'account'];
	const answers = await Promise.all(lists.map((list) => callLink(sandbox(), `GET /api/${list}`)));
	return answers.map(({ data }) => data);
};

let before: unknown[];
beforeAll(async () => {
	before = await everything();
});

test.each([...REFUSED, ...INCOMPLETE])(
	'%s with %j is refused: %s',
	async (request, body, words) => {
		const answer = await callLink(sandbox(), request, { params: firstRecords(request), body });
		expect(linkFailure(answer)).toMatch(words);
		expect([400, 404, 409, 422]).toContain(answer.status);
	},
);

test.each([
	...['', ' ', '00000000-0000-4000-8000-000000000000'].map(
		(code) => ['POST /api/purchases/validation', { purchase_code: code }] as const,
	),
	...['', 'abc', '-1', '1e3', '99999999999999999999'].map(
		(id) => [`GET /api/items/item?item_id=${id}`, {}] as const,
	),
])('the store refuses %s with %j', async (request, body) => {
	const key = DEMO.store.apiKey;
	const { data } = await call(sandbox().storeUrl, request, { body: { ...body, api_key: key } });
	const msg = request.includes('items') ? 'Item Not Found' : 'Invalid purchase code';
	expect(data).toEqual({ status: 'error', msg });
});

test('what was refused has changed nothing', async () => {
	expect(await everything()).toEqual(before);
});

test('null and "" clear a field, one that is not sent stays', async () => {
	const body = {
		...URL,
		metatitle: 'Title',
		expiry: '2099-01-01 00:00:00',
		metadescription: 'Text',
	};
	const { data: added } = await callLink(sandbox(), 'POST /api/url/add', { body });
	const params = { id: Number(member(added, 'id')) };
	const cleared = { ...URL, expiry: null, metadescription: '' };
	await callLink(sandbox(), 'PUT /api/url/:id/update', { params, body: cleared });
	const { data } = await callLink(sandbox(), 'GET /api/url/:id', { params });
	const details = { title: 'Title', description: '', expiry: null };
	expect(member(data, 'details')).toMatchObject(details);
});
