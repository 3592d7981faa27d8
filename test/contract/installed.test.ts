import { DEMO } from '../../sandbox/demo.ts';
import { call, callLink, demoSandbox, member } from './clients.ts';

/** What the default dialect does beyond the documents, and no engine test would notice. */

const url = 'https://example.com/page';

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
	await using sandbox = await demoSandbox();
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
	const { data } = await callLink(sandbox, 'POST /api/url/add', body);
	const id = String(member(data, 'id'));
	const before = sandbox.tables.links.find(id);
	expect(before).toMatchObject(KEPT);
	for (const [name, empty] of Object.entries(EMPTIED))
		expect([name, member(before, name)]).not.toEqual([name, empty]);
	await callLink(sandbox, `PUT /api/url/${id}/update`, { url });
	expect(sandbox.tables.links.find(id)).toMatchObject({ ...KEPT, ...EMPTIED, longurl: url });
});

test('whoever tries a trigger publishes, buys and refunds in a browser', async () => {
	await using sandbox = await demoSandbox();
	const { storeUrl } = sandbox;
	const open = async (path: string) => await (await fetch(`${storeUrl}${path}`)).text();
	expect(await open('/publish')).toMatch(/^Published: item \d+$/);
	const bought = await open('/buy');
	const code = /^Bought: purchase code (.+), with 180 days of support$/.exec(bought)?.[1];
	const body = { api_key: DEMO.store.apiKey, purchase_code: code };
	const validate = async () =>
		(await call(storeUrl, 'POST /api/purchases/validation', body)).status;
	expect(await validate()).toBe(200);
	expect(await open(`/refund?code=${code}`)).toBe(`Refunded: purchase code ${code}`);
	expect(await validate()).toBe(404);
	expect(await open(`/refund?code=${code}`)).toBe('There is no such purchase code');
});
