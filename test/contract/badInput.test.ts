import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import { call, callLink, linkFailure, member, sandboxForTests } from './clients.ts';
import { DEMO } from '../../sandbox/sandbox.ts';

const URL_BODY = { url: 'https://example.com/page' };

/** What is sent, and what the message must name. */
const REFUSED: Array<[string, string, object | undefined, RegExp]> = [
	['an unknown link', 'GET /api/url/999999', undefined, /999999/],
	['an id that is no number', 'GET /api/url/abc', undefined, /abc/],
	['an id of 0', 'GET /api/url/0', undefined, /0/],
	['an id with a stray percent sign', 'GET /api/url/%zz', undefined, /%/],
	['an update of an unknown link', 'PUT /api/url/999999/update', URL_BODY, /999999/],
	['a deletion of an unknown link', 'DELETE /api/url/999999/delete', undefined, /999999/],
	['an unknown domain', 'DELETE /api/domain/999/delete', undefined, /999/],
	['an unknown campaign', 'POST /api/campaign/999/assign/1', undefined, /campaign.*999/],
	['an unknown link for a campaign', 'POST /api/campaign/1/assign/99999', undefined, /link.*99999/],
	['an unknown channel', 'GET /api/channel/999', undefined, /channel.*999/],
	['an unknown item type', 'POST /api/channel/1/assign/file/1', undefined, /links, bio, qr/],
	['an unknown item', 'POST /api/channel/1/assign/qr/999', undefined, /999/],
	['an unknown QR code', 'GET /api/qr/999', undefined, /QR code.*999/],
	['no URL', 'POST /api/url/add', {}, /url is required/],
	['a URL without a scheme', 'POST /api/url/add', { url: 'example.com' }, /url/],
	['a javascript URL', 'POST /api/url/add', { url: 'javascript:alert(1)' }, /url/],
	['a URL that is an array', 'POST /api/url/add', { url: ['https://example.com'] }, /url/],
	['a URL that is an object', 'POST /api/url/add', { url: {} }, /url/],
	['an alias already taken', 'POST /api/url/add', { ...URL_BODY, custom: 'spring' }, /spring/],
	['a reserved alias', 'POST /api/url/add', { ...URL_BODY, custom: 'API' }, /reserved/],
	['an alias with a slash', 'POST /api/url/add', { ...URL_BODY, custom: 'a/b' }, /custom/],
	[
		'an expiry in the past',
		'POST /api/url/add',
		{ ...URL_BODY, expiry: '2020-01-01 00:00:00' },
		/expiry/,
	],
	[
		'an expiry that is no day',
		'POST /api/url/add',
		{ ...URL_BODY, expiry: '2099-02-30 00:00:00' },
		/expiry/,
	],
	[
		'an expiry in ISO',
		'POST /api/url/add',
		{ ...URL_BODY, expiry: '2099-02-01T00:00:00Z' },
		/expiry/,
	],
	['an unknown redirect type', 'POST /api/url/add', { ...URL_BODY, type: 'sideways' }, /type/],
	['an unknown splash page', 'POST /api/url/add', { ...URL_BODY, type: '999' }, /type/],
	['an unknown overlay', 'POST /api/url/add', { ...URL_BODY, type: 'overlay-999' }, /type/],
	[
		'a foreign domain',
		'POST /api/url/add',
		{ ...URL_BODY, domain: 'https://other.example' },
		/domain/,
	],
	['a target that is no list', 'POST /api/url/add', { ...URL_BODY, geotarget: 'x' }, /geotarget/],
	[
		'a target without a link',
		'POST /api/url/add',
		{ ...URL_BODY, devicetarget: [{ device: 'iphone' }] },
		/link is required/,
	],
	[
		'an image that is no picture',
		'POST /api/url/add',
		{ ...URL_BODY, metaimage: 'https://example.com/a.gif' },
		/metaimage/,
	],
	['an unknown pixel type', 'POST /api/pixel/add', { type: 'x', name: 'a', tag: 'b' }, /type/],
	['a pixel without a tag', 'POST /api/pixel/add', { type: 'forum', name: 'a' }, /tag/],
	['another pixel type', 'PUT /api/pixel/1/update', { type: 'forum', tag: 'b' }, /type/],
	['an unknown QR type', 'POST /api/qr/add', { type: 'x', data: 'y' }, /type/],
	['a QR code without data', 'POST /api/qr/add', { type: 'text' }, /data/],
	['a QR code of no URL', 'POST /api/qr/add', { type: 'link', data: 'nowhere' }, /data/],
	[
		'a QR code of 5,000 signs',
		'POST /api/qr/add',
		{ type: 'text', data: 'ä'.repeat(5000) },
		/long/,
	],
	[
		'a colour that is no rgb',
		'POST /api/qr/add',
		{ type: 'text', data: 'x', foreground: '#ff0000' },
		/foreground/,
	],
	[
		'a colour above 255',
		'POST /api/qr/add',
		{ type: 'text', data: 'x', background: 'rgb(1,2,256)' },
		/background/,
	],
	[
		'a logo that is no picture',
		'POST /api/qr/add',
		{ type: 'text', data: 'x', logo: 'a.exe' },
		/logo/,
	],
	['a channel without a name', 'POST /api/channel/add', { color: '#fff' }, /name/],
	['a colour that is no HEX', 'POST /api/channel/add', { name: 'x', color: 'red' }, /color/],
	['a flag that is none', 'POST /api/channel/add', { name: 'x', starred: 'maybe' }, /starred/],
	['a campaign update without a name', 'PUT /api/campaign/1/update', { public: true }, /name/],
	['a slug already taken', 'POST /api/campaign/add', { slug: 'spring-sale' }, /spring-sale/],
	['a domain without a scheme', 'POST /api/domain/add', { domain: 'a.example.com' }, /domain/],
	['a domain with a path', 'POST /api/domain/add', { domain: 'https://a.example.com/x' }, /domain/],
	['a domain in use', 'POST /api/domain/add', { domain: 'http://go.example.com' }, /in use/],
	[
		'a domain that points elsewhere',
		'POST /api/domain/add',
		{ domain: 'https://a.invalid' },
		/point/,
	],
	[
		'a change of a domain',
		'PUT /api/domain/1/update',
		{ domain: 'https://b.example.com' },
		/domain/,
	],
	['an account update of nothing', 'PUT /api/account/update', {}, /email or password/],
	['an email that is none', 'PUT /api/account/update', { email: 'nobody' }, /email/],
	['a page of 0', 'GET /api/urls?page=0', undefined, /page/],
	['a page of -1', 'GET /api/urls?page=-1', undefined, /page/],
	['a page that is no number', 'GET /api/urls?page=two', undefined, /page/],
	['a limit of 10^9', 'GET /api/urls?limit=1000000000', undefined, /limit/],
	['a limit of 0', 'GET /api/urls?limit=0', undefined, /limit/],
	['an unknown order', 'GET /api/urls?order=size', undefined, /order/],
];

describe.each(DIALECT_NAMES)('In the preset %s', (preset) => {
	const dialect = presetDialect(preset);
	const sandbox = sandboxForTests({ dialect: preset });

	/** Everything the lists show. */
	const everything = async (): Promise<unknown[]> => {
		const lists = ['urls', 'domains', 'campaigns', 'channels', 'pixels', 'qr', 'account'];
		const answers = await Promise.all(lists.map((list) => callLink(sandbox(), `GET /api/${list}`)));
		return answers.map(({ data }) => data);
	};

	test.each(REFUSED)(
		'%s is refused and changes nothing',
		async (_what, endpoint, body, message) => {
			const before = await everything();
			const answer = await callLink(sandbox(), endpoint, { body });
			expect(linkFailure(answer)).toMatch(message);
			if (dialect.failureStatus === 'http200') expect(answer.status).toBe(200);
			else expect([400, 404, 409, 422]).toContain(answer.status);
			expect(await everything()).toEqual(before);
		},
	);

	test.each([
		['broken JSON', '{"url": "https://exam'],
		['a text', '"https://example.com"'],
		['an array', '[1, 2]'],
		['a number', '12'],
		['a body over 1 MiB', JSON.stringify({ url: `https://example.com/${'x'.repeat(1_100_000)}` })],
		[
			'a text over 65,535 signs',
			JSON.stringify({ url: `https://x.example/${'x'.repeat(70_000)}` }),
		],
	])('a body that is %s is refused', async (_what, body) => {
		const before = await everything();
		linkFailure(await callLink(sandbox(), 'POST /api/url/add', { body }));
		expect(await everything()).toEqual(before);
		const store = await call(sandbox().storeUrl, 'POST /api/purchases/validation', { body });
		expect(member(store.data, 'status')).toBe('error');
		expect(store.status).toBeLessThan(500);
	});
});

describe('Wrong types that do no harm', () => {
	const sandbox = sandboxForTests();

	test('"1", 1 and "true" are true, a number is a text', async () => {
		for (const starred of ['1', 1, 'true', true]) {
			const { data } = await callLink(sandbox(), 'POST /api/channel/add', {
				body: { name: 5, starred },
			});
			expect(data).toMatchObject({ name: '5', starred: true });
		}
	});

	test('an empty array is a body without fields', async () => {
		const { data } = await callLink(sandbox(), 'PUT /api/domain/1/update', { body: [] });
		expect(data).toMatchObject({ error: 0 });
	});

	test('null and "" clear a field, one that is not sent stays', async () => {
		const url = 'https://example.com/clear';
		const added = await callLink(sandbox(), 'POST /api/url/add', {
			body: { url, metatitle: 'Title', expiry: '2099-01-01 00:00:00', metadescription: 'Text' },
		});
		const params = { id: Number(member(added.data, 'id')) };
		await callLink(sandbox(), 'PUT /api/url/:id/update', {
			params,
			body: { url, expiry: null, metadescription: '' },
		});
		const { data } = await callLink(sandbox(), 'GET /api/url/:id', { params });
		expect(member(data, 'details')).toMatchObject({
			title: 'Title',
			description: '',
			expiry: null,
		});
	});
});

describe('Accounts', () => {
	const sandbox = sandboxForTests();

	test('see and change nothing of one another', async () => {
		const { apiKey: key } = await sandbox().register({ email: 'stranger@example.com' });
		const list = await callLink(sandbox(), 'GET /api/urls', { key });
		expect(list.data).toMatchObject({ error: '0', data: { result: 0, maxpage: 1, urls: [] } });
		const foreign: Array<[string, object | undefined]> = [
			['GET /api/url/1', undefined],
			['PUT /api/url/1/update', URL_BODY],
			['DELETE /api/url/1/delete', undefined],
			['PUT /api/domain/1/update', {}],
			['DELETE /api/domain/1/delete', undefined],
			['PUT /api/campaign/1/update', { name: 'Mine' }],
			['DELETE /api/campaign/1/delete', undefined],
			['POST /api/campaign/1/assign/1', undefined],
			['GET /api/channel/1', undefined],
			['PUT /api/channel/1/update', {}],
			['DELETE /api/channel/1/delete', undefined],
			['PUT /api/pixel/1/update', { tag: 'x' }],
			['DELETE /api/pixel/1/delete', undefined],
			['GET /api/qr/1', undefined],
			['PUT /api/qr/1/update', { data: 'https://example.com' }],
			['DELETE /api/qr/1/delete', undefined],
		];
		for (const [endpoint, body] of foreign) {
			const answer = await callLink(sandbox(), endpoint, { key, body });
			expect([endpoint, answer.status]).toEqual([endpoint, 404]);
			linkFailure(answer);
		}
		expect((await callLink(sandbox(), 'GET /api/url/1')).status).toBe(200);
	});

	test('keys are replaced by rotation and end when they expire', async () => {
		const { id, apiKey } = await sandbox().register({ email: 'rotating@example.com' });
		const newKey = sandbox().rotateKey('link', id);
		expect((await callLink(sandbox(), 'GET /api/account', { key: apiKey })).status).toBe(401);
		expect((await callLink(sandbox(), 'GET /api/account', { key: newKey })).status).toBe(200);
		sandbox().expireKey('link', id);
		const expired = await callLink(sandbox(), 'GET /api/account', { key: newKey });
		expect(linkFailure(expired)).toMatch(/expired/);
	});

	test('a store account does not sell what another one sells', async () => {
		const { id, apiKey } = await sandbox().registerStoreAccount({ email: 'seller@example.com' });
		const item = sandbox().store.addItem(id, { media: 'audio', screenshots: true });
		const code = sandbox().store.addPurchase(item);
		const validate = (key: string) =>
			call(sandbox().storeUrl, 'POST /api/purchases/validation', {
				body: { api_key: key, purchase_code: code },
			});
		expect((await validate(apiKey)).data).toMatchObject({ status: 'success' });
		expect((await validate(DEMO.store.apiKey)).data).toEqual({
			status: 'error',
			msg: 'Invalid purchase code',
		});
		sandbox().store.removePurchase(code);
		expect((await validate(apiKey)).data).toMatchObject({ status: 'error' });
	});
});
