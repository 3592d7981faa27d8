import axios from 'axios';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { callLink, member, sandboxForTests } from './clients.ts';

/** What counts of a visit the engine's tests see, in the statistics of links and QR codes. */

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19) Version/19 Mobile Safari/604.1';

const sandbox = sandboxForTests();

async function addLink(fields: object): Promise<{ id: number; shorturl: string }> {
	const body = { url: 'https://example.com/target', ...fields };
	const { data } = await callLink(sandbox(), 'POST /api/url/add', { body });
	return { id: Number(member(data, 'id')), shorturl: String(member(data, 'shorturl')) };
}

const BROWSER = { maxRedirects: 0, validateStatus: () => true, proxy: false as const };
const visit = (url: string, headers: Record<string, string> = {}) =>
	axios.get<string>(url, { ...BROWSER, headers });

const statistics = async (id: number) =>
	member((await callLink(sandbox(), `GET /api/url/${id}`)).data, 'data');

describe('A visit of a short link', () => {
	test.each([
		['frame', /<iframe src="https:\/\/example.com\/target">/],
		['splash', /<a href="https:\/\/example.com\/target">/],
		['1', /<h1>Please wait<\/h1>.*<a href/],
		['overlay-1', /<iframe.*<aside class="contact">Ask for a call/],
	])('of the type %s shows a page', async (type, page) => {
		const { shorturl } = await addLink({ type });
		const { status, data } = await visit(shorturl);
		expect([status, data]).toEqual([200, expect.stringMatching(page)]);
	});

	test('needs the password', async () => {
		const { id, shorturl } = await addLink({ password: 'open sesame' });
		const submit = (password: string) =>
			axios.post<string>(shorturl, new URLSearchParams({ password }), BROWSER);
		expect((await visit(shorturl)).data).toMatch(/type="password"/);
		expect((await submit('wrong')).status).toBe(403);
		expect(await statistics(id)).toMatchObject({ clicks: 0 });
		expect((await submit('open sesame')).headers.location).toBe('https://example.com/target');
		expect(await statistics(id)).toMatchObject({ clicks: 1 });
	});

	test('goes by location, then device, then language, with the parameters', async () => {
		const { shorturl } = await addLink({
			geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
			devicetarget: [{ device: 'iPhone', link: 'https://example.com/app' }],
			languagetarget: [{ language: 'fr', link: 'https://example.com/fr?page=1' }],
			parameters: [{ name: 'utm_source', value: 'a b&c' }],
		});
		const targets = [
			[{ 'CF-IPCountry': 'DE', 'User-Agent': IPHONE }, 'de?'],
			[{ 'User-Agent': IPHONE }, 'app?'],
			[{ 'Accept-Language': 'fr-CH, en;q=0.8' }, 'fr?page=1&'],
			[{ 'Accept-Language': 'en' }, 'target?'],
		] as const;
		for (const [headers, target] of targets) {
			const { location } = (await visit(shorturl, headers)).headers;
			expect(location).toBe(`https://example.com/${target}utm_source=a+b%26c`);
		}
	});

	test('ends at the expiry', async () => {
		let now = Date.UTC(2030, 0, 1);
		const timed = await startSandbox({ seed: 'demo', clock: () => now });
		const { data } = await callLink(timed, 'POST /api/url/add', {
			body: { url: 'https://example.com/brief', expiry: '2030-01-01 12:00:00' },
		});
		const status = async () => (await visit(String(member(data, 'shorturl')))).status;
		expect(await status()).toBe(302);
		now += 12 * 3600 * 1000;
		expect(await status()).toBe(410);
		await timed.stop();
	});

	test('of an unknown alias finds a page that says so', async () => {
		expect((await visit(`${sandbox().linkUrl}/no-such-alias`)).status).toBe(404);
	});
});

describe('A branded domain', () => {
	test('sends its root and its unknown addresses where it was told', async () => {
		const root = await visit(`${sandbox().linkUrl}/`, { Host: 'go.example.com' });
		const lost = await visit(`${sandbox().linkUrl}/nope`, { Host: 'news.example.org' });
		expect(root.headers.location).toBe('https://www.example.com/');
		expect(lost.headers.location).toBe('https://www.example.org/lost');
	});

	test('is in the short URL of its links, until it is deleted', async () => {
		const { id, shorturl } = await addLink({ domain: 'https://go.example.com', custom: 'brand' });
		expect(shorturl).toBe('https://go.example.com/brand');
		await callLink(sandbox(), 'DELETE /api/domain/1/delete');
		const { data } = await callLink(sandbox(), `GET /api/url/${id}`);
		expect(member(data, 'details', 'shorturl')).toBe(`${sandbox().linkUrl}/brand`);
	});
});

describe('A campaign', () => {
	test('rotates through its links and lists them when it is public', async () => {
		const added = await callLink(sandbox(), 'POST /api/campaign/add', {
			body: { name: 'Round', slug: 'round', public: true },
		});
		const links = [await addLink({ metatitle: 'One' }), await addLink({ metatitle: 'Two' })];
		for (const { id } of links) {
			await callLink(sandbox(), 'POST /api/campaign/:campaignid/assign/:linkid', {
				params: { campaignid: Number(member(added.data, 'id')), linkid: id },
			});
		}
		const rotator = String(member(added.data, 'rotator'));
		const seen = [];
		for (let turn = 0; turn < 4; turn += 1) seen.push((await visit(rotator)).headers.location);
		const [one, two] = links.map(({ shorturl }) => shorturl);
		expect(seen).toEqual([one, two, one, two]);
		expect((await visit(String(member(added.data, 'list')))).data).toMatch(/One.*Two/);
	});

	test('without a slug has no rotator, a private one shows no list', async () => {
		const { data } = await callLink(sandbox(), 'POST /api/campaign/add', { body: {} });
		expect(member(data, 'rotator')).toBe(false);
		expect(member(data, 'public')).toBe(false);
		expect((await visit(String(member(data, 'list')))).status).toBe(403);
	});
});

test('the picture of a QR code is a PNG unless an SVG is asked for', async () => {
	const body = { type: 'text', data: 'Hello', foreground: 'rgb(255,0,0)' };
	const { data } = await callLink(sandbox(), 'POST /api/qr/add', { body });
	const link = String(member(data, 'link'));
	expect((await visit(link)).headers['content-type']).toBe('image/png');
	expect((await visit(`${link}?format=svg`)).data).toMatch(/<svg.*#ff0000/s);
});

test('A channel unassigns its items when it is deleted, and keeps them', async () => {
	await callLink(sandbox(), 'POST /api/channel/2/assign/qr/2');
	await callLink(sandbox(), 'DELETE /api/channel/2/delete');
	expect((await callLink(sandbox(), 'GET /api/channel/2')).status).toBe(404);
	expect((await callLink(sandbox(), 'GET /api/qr/2')).status).toBe(200);
});
