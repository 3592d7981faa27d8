import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';

/**
 * What the services of the default dialect do beyond the documents, as their responses show it. What a node would notice is
 * left to test/engine.
 */

const sandbox = sandboxForTests();

const url = 'https://example.com/page';
const text: unknown = expect.any(String);

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
const KEPT = { alias: 'full', type: 'frame', title: 'Full', public: true };

test('an update empties what it does not send, and keeps what names the link', async () => {
	const body = {
		url,
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
		campaign: 1,
		pixels: [1],
		description: 'A note',
		status: 'public',
	};
	const { data } = await callLink(sandbox(), 'POST /api/url/add', { body });
	const id = String(member(data, 'id'));
	const before = sandbox().stored('links', id);
	expect(before).toMatchObject(KEPT);
	for (const [name, empty] of Object.entries(EMPTIED)) {
		expect([name, member(before, name)]).not.toEqual([name, empty]);
	}
	await callLink(sandbox(), `PUT /api/url/${id}/update`, { body: { url: `${url}/other` } });
	const after = { ...KEPT, ...EMPTIED, longurl: `${url}/other` };
	expect(sandbox().stored('links', id)).toMatchObject(after);
});

const api_key = DEMO.store.apiKey;
const ACCOUNT = 'GET /api/account/details';
const VALIDATION = 'POST /api/purchases/validation';

test('whoever tries a trigger publishes, buys and refunds in a browser', async () => {
	const { storeUrl } = sandbox();
	const open = async (path: string) => await (await fetch(`${storeUrl}${path}`)).text();
	expect(await open('/publish')).toMatch(/^Published: item \d+$/);
	const bought = await open('/buy');
	const code = /^Bought: purchase code (.+), with 180 days of support$/.exec(bought)?.[1];
	const validate = async () =>
		(await call(storeUrl, VALIDATION, { body: { api_key, purchase_code: code } })).status;
	expect(await validate()).toBe(200);
	expect(await open(`/refund?code=${code}`)).toBe(`Refunded: purchase code ${code}`);
	expect(await validate()).toBe(404);
	const { data } = await call(storeUrl, ACCOUNT, { query: { api_key } });
	expect(data).toMatchObject({ data: { balance: '29.00' } });
	expect(await open(`/refund?code=${code}`)).toBe('There is no such purchase code');
});

test('the store counts the requests of an address, and says when there are too many', async () => {
	const storeRateLimit = { requests: 1, windowSeconds: 60 };
	const limited = await startSandbox({ seed: 'demo', storeRateLimit });
	const ask = async () => await call(limited.storeUrl, ACCOUNT, { query: { api_key } });
	const { headers } = await ask();
	expect(headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
	expect(headers).not.toHaveProperty('x-ratelimit-reset');
	const refused = await ask();
	await limited.stop();
	expect(refused).toMatchObject({
		status: 429,
		data: { status: 'erro' },
		headers: { 'retry-after': text, 'x-ratelimit-reset': text },
	});
});
