import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import { call, callLink, linkFailure, member, sandboxForTests } from './clients.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { LINK_ENDPOINTS } from './manifest.ts';

/** What is sent beside what is wrong. */
const COMPLETE: Record<string, object> = {
	'POST /api/url/add': { url: 'https://example.com/page' },
	'PUT /api/url/999999/update': { url: 'https://example.com/page' },
	'POST /api/pixel/add': { type: 'forum', name: 'a', tag: 'b' },
	'PUT /api/pixel/1/update': { tag: 'b' },
	'POST /api/qr/add': { type: 'text', data: 'x' },
	'POST /api/channel/add': { name: 'x' },
};

/** What is wrong, and what the message must name; undefined: a member that is missing. */
const REFUSED: Record<string, Array<[wrong: object | undefined, message: RegExp]>> = {
	'GET /api/url/999999': [[undefined, /999999/]],
	'GET /api/url/abc': [[undefined, /abc/]],
	'GET /api/url/0': [[undefined, /0/]],
	'GET /api/url/%zz': [[undefined, /%/]],
	'PUT /api/url/999999/update': [[{}, /999999/]],
	'DELETE /api/url/999999/delete': [[undefined, /999999/]],
	'DELETE /api/domain/999/delete': [[undefined, /999/]],
	'POST /api/campaign/999/assign/1': [[undefined, /campaign.*999/]],
	'POST /api/campaign/1/assign/99999': [[undefined, /link.*99999/]],
	'GET /api/channel/999': [[undefined, /channel.*999/]],
	'POST /api/channel/1/assign/file/1': [[undefined, /links, bio, qr/]],
	'POST /api/channel/1/assign/qr/999': [[undefined, /999/]],
	'GET /api/qr/999': [[undefined, /QR code.*999/]],
	'POST /api/url/add': [
		[{ url: undefined }, /url is required/],
		[{ url: 'example.com' }, /url/],
		[{ url: 'javascript:alert(1)' }, /url/],
		[{ url: ['https://example.com'] }, /url/],
		[{ url: {} }, /url/],
		[{ custom: 'spring' }, /spring/],
		[{ custom: 'API' }, /reserved/],
		[{ custom: 'a/b' }, /custom/],
		[{ expiry: '2020-01-01 00:00:00' }, /expiry/],
		[{ expiry: '2099-02-30 00:00:00' }, /expiry/],
		[{ expiry: '2099-02-01T00:00:00Z' }, /expiry/],
		[{ type: 'sideways' }, /type/],
		[{ type: '999' }, /type/],
		[{ type: 'overlay-999' }, /type/],
		[{ domain: 'https://other.example' }, /domain/],
		[{ geotarget: 'x' }, /geotarget/],
		[{ devicetarget: [{ device: 'iphone' }] }, /link is required/],
		[{ metaimage: 'https://example.com/a.gif' }, /metaimage/],
	],
	'POST /api/pixel/add': [
		[{ type: 'x' }, /type/],
		[{ tag: undefined }, /tag/],
	],
	'PUT /api/pixel/1/update': [[{ type: 'forum' }, /type/]],
	'POST /api/qr/add': [
		[{ type: 'x' }, /type/],
		[{ data: undefined }, /data/],
		[{ type: 'link', data: 'nowhere' }, /data/],
		[{ data: 'ä'.repeat(5000) }, /long/],
		[{ foreground: '#ff0000' }, /foreground/],
		[{ background: 'rgb(1,2,256)' }, /background/],
		[{ logo: 'a.exe' }, /logo/],
	],
	'POST /api/channel/add': [
		[{ name: undefined }, /name/],
		[{ color: 'red' }, /color/],
		[{ starred: 'maybe' }, /starred/],
	],
	'PUT /api/campaign/1/update': [[{ public: true }, /name/]],
	'POST /api/campaign/add': [[{ slug: 'spring-sale' }, /spring-sale/]],
	'POST /api/domain/add': [
		[{ domain: 'a.example.com' }, /domain/],
		[{ domain: 'https://a.example.com/x' }, /domain/],
		[{ domain: 'http://go.example.com' }, /in use/],
		[{ domain: 'https://a.invalid' }, /point/],
	],
	'PUT /api/domain/1/update': [[{ domain: 'https://b.example.com' }, /domain/]],
	'PUT /api/account/update': [
		[{}, /email or password/],
		[{ email: 'nobody' }, /email/],
	],
	'GET /api/urls?page=0': [[undefined, /page/]],
	'GET /api/urls?page=-1': [[undefined, /page/]],
	'GET /api/urls?page=two': [[undefined, /page/]],
	'GET /api/urls?limit=1000000000': [[undefined, /limit/]],
	'GET /api/urls?limit=0': [[undefined, /limit/]],
	'GET /api/urls?order=size': [[undefined, /order/]],
};

const CASES = Object.entries(REFUSED).flatMap(([endpoint, wrongs]) =>
	wrongs.map(([wrong, message]) => {
		const body = wrong && { ...COMPLETE[endpoint], ...wrong };
		const title = `${endpoint} ${wrong ? JSON.stringify(wrong).slice(0, 60) : ''}`;
		return [title, endpoint, body, message] as const;
	}),
);

describe.each(DIALECT_NAMES)('In the preset %s', (preset) => {
	const dialect = presetDialect(preset);
	const sandbox = sandboxForTests({ dialect: preset });

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

	test.each(CASES)('%s is refused', async (_title, endpoint, body, message) => {
		const answer = await callLink(sandbox(), endpoint, { body });
		expect(linkFailure(answer)).toMatch(message);
		if (dialect.failureStatus === 'http200') expect(answer.status).toBe(200);
		else expect([400, 404, 409, 422]).toContain(answer.status);
	});

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
		linkFailure(await callLink(sandbox(), 'POST /api/url/add', { body }));
		const store = await call(sandbox().storeUrl, 'POST /api/purchases/validation', { body });
		expect(member(store.data, 'status')).toBe('error');
		expect(store.status).toBeLessThan(500);
	});

	test('what was refused has changed nothing', async () => {
		expect(await everything()).toEqual(before);
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
		// Every endpoint of a record, with the demo account's first one.
		const ids = { id: 1, campaignid: 1, linkid: 1, channelid: 1, type: 'links', itemid: 1 };
		const ofRecords = Object.entries(LINK_ENDPOINTS).filter(([name]) => name.includes('/:'));
		for (const [endpoint, { example }] of ofRecords) {
			const request = { key, params: ids, body: example?.body };
			const answer = await callLink(sandbox(), endpoint, request);
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
