import axios from 'axios';
import { callLink, member, sandboxForTests } from './clients.ts';

/** What counts of a visit the engine's tests see, in the statistics of links and QR codes. */

const sandbox = sandboxForTests();

async function addLink(fields: object): Promise<{ id: number; shorturl: string }> {
	const body = { url: 'https://example.com/target', ...fields };
	const { data } = await callLink(sandbox(), 'POST /api/url/add', { body });
	return { id: Number(member(data, 'id')), shorturl: String(member(data, 'shorturl')) };
}

const BROWSER = { maxRedirects: 0, validateStatus: () => true, proxy: false as const };
const visit = (url: string) => axios.get<string>(url, BROWSER);

describe('A visit of a short link', () => {
	test('is counted, and leads to the long URL', async () => {
		const { id, shorturl } = await addLink({});
		expect((await visit(shorturl)).headers.location).toBe('https://example.com/target');
		const { data } = await callLink(sandbox(), `GET /api/url/${id}`);
		expect(member(data, 'data', 'clicks')).toBe(1);
	});

	test('of an unknown alias finds a page that says so', async () => {
		expect((await visit(`${sandbox().linkUrl}/no-such-alias`)).status).toBe(404);
	});
});

describe('A branded domain', () => {
	test('is in the short URL of its links, until it is deleted', async () => {
		const { id, shorturl } = await addLink({ domain: 'https://go.example.com', custom: 'brand' });
		expect(shorturl).toBe('https://go.example.com/brand');
		await callLink(sandbox(), 'DELETE /api/domain/1/delete');
		const { data } = await callLink(sandbox(), `GET /api/url/${id}`);
		expect(member(data, 'details', 'shorturl')).toBe(`${sandbox().linkUrl}/brand`);
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
