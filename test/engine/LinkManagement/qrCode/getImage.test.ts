import type { IncomingMessage, ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { LoopbackServer } from '../../../loopback.ts';
import { serve } from '../../../loopback.ts';
import type { NodeSettings } from '../../helpers/support.ts';
import { CONTINUE, Stage, byId, onStage } from '../../helpers/support.ts';

/** The picture of a QR code as a file; what comes in its place. */

const stage = onStage(new Stage());
const apiKey = 'a1b2c3d4e5f6a7b8';
const GIF = Buffer.from('GIF89a and so on');
let server: LoopbackServer;
/** What the record says, and what comes from there. */
let link: unknown;
let show: (response: ServerResponse) => void;
let asked: IncomingMessage[];

beforeAll(async () => {
	server = await serve((request, response) => {
		asked.push(request);
		if (!request.url?.includes('/api/')) show(response);
		else response.end(JSON.stringify({ error: 0, details: { id: '7', link }, data: {} }));
	});
});
afterAll(async () => await server.stop());
beforeEach(() => {
	asked = [];
	link = '/pictures/7?size=400&secret=x';
	show = sends(GIF);
});

const sends =
	(body: Buffer | string, type = 'image/gif', status = 200) =>
	(response: ServerResponse) =>
		response.writeHead(status, { 'Content-Type': type }).end(body);

const get = async (
	{ credential = {}, ...settings }: NodeSettings = {},
	requestOptions: INodeParameters = {},
) =>
	await stage.link(
		'qrCode.getImage',
		{ qrCodeId: byId(7), binaryPropertyName: 'picture', requestOptions },
		{ credential: { baseUrl: `${server.url}/links`, apiKey, ...credential }, ...settings },
	);

test.each<[string, () => string, string]>([
	['relative to the base URL', () => 'pictures/7', '/links/pictures/7'],
	['relative to its host', () => '/pictures/7', '/pictures/7'],
	['on another host', () => `${server.url.replace('127.0.0.1', 'localhost')}/7`, '/7'],
])('an address %s gets neither key nor extra header', async (_how, address, path) => {
	link = address();
	const cookie = { extraHeaderName: 'Cookie', extraHeaderValue: '__test=passed' };
	const { error, items } = await get({ credential: cookie });
	expect(error).toBeUndefined();
	expect(items[0]?.binary?.picture).toMatchObject({
		fileName: 'qr-code-7.gif',
		data: GIF.toString('base64'),
	});
	expect(asked.map(({ url }) => url)).toEqual(['/links/api/qr/7', path]);
	for (const secret of [apiKey, '__test=passed']) {
		expect(JSON.stringify(asked[0]?.headers)).toContain(secret);
		expect(JSON.stringify(asked[1]?.headers)).not.toContain(secret);
	}
});

test('record and picture are asked for through the proxy of the node', async () => {
	const address = 'http://service.invalid';
	link = `${address}/pictures/7`;
	const { error } = await get({ credential: { baseUrl: address } }, { proxy: server.url });
	expect(error).toBeUndefined();
	expect(asked.map(({ url }) => url)).toEqual([`${address}/api/qr/7`, link]);
});

/** As a server sends it, after a redirect. */
test.each([
	['gif', 'image/gif', 'GIF89a and so on', 'image/gif'],
	['webp', 'image/webp', 'RIFF\n\r\x00\x00WEBPVP8 ', 'application/octet-stream'],
	[
		'svg',
		'image/svg+xml',
		'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- Made\nby hand --><svg>',
		'application/octet-stream',
	],
])('the first bytes say that it is a %s, whatever the server says', async (...each) => {
	const [ending, mimeType, bytes, said] = each;
	show = (response) => {
		if (asked.length === 2) response.writeHead(302, { Location: '/there' }).end();
		else sends(Buffer.from(bytes, 'latin1'), said)(response);
	};
	const { items } = await get();
	const picture = { mimeType, fileName: `qr-code-7.${ending}` };
	expect(items[0]?.binary?.picture).toMatchObject(picture);
	expect(asked.at(-1)?.url).toBe('/there');
});

test.each([
	['a page', sends('<html>', 'text/html; charset=utf-8'), 'What came from * is no picture'],
	['what only says that it is one', sends('{}'), 'What came from * is no picture'],
	[
		'a picture that is gone',
		sends(GIF, 'text/html', 404),
		'No picture came from *: Request failed with status code 404',
	],
])('%s fails its row, and other rows go on', async (_what, answer, message) => {
	// Both records are read at once, then both pictures.
	show = (response) => (asked.length === 3 ? answer(response) : sends(GIF)(response));
	const { json } = await get({ rows: [{}, {}], settings: CONTINUE });
	const said = message.replace('*', `${server.url}/pictures/7`);
	const advice = 'Open that address in a browser, to see whether the picture is there.';
	expect(json.flatMap(({ error = [] }) => error)).toEqual([`${said}. ${advice}`]);
});

test.each([null, 'http://', 'ftp://example.com/7.png?hidden', 'javascript:alert(1)'])(
	'%j is no address of a picture',
	async (address) => {
		link = address;
		expect((await get()).error?.message).toBe('The QR code has no web address of a picture');
		expect(asked).toHaveLength(1);
	},
);

test.each<[string, (response: ServerResponse) => void]>([
	['never begins', () => undefined],
	[
		'comes byte by byte',
		(response) => {
			response.writeHead(200, { 'Content-Type': 'image/gif' });
			const drip = setInterval(() => response.write('G'), 20);
			response.on('close', () => clearInterval(drip));
			setTimeout(() => response.destroy(), 2000);
		},
	],
])('a picture that %s is waited for as long as Timeout says', async (_how, hang) => {
	show = hang;
	const before = performance.now();
	expect((await get({}, { timeout: 200 })).error?.message).toMatch(
		/^No picture came from .* timed out$/,
	);
	expect(performance.now() - before).toBeLessThan(1500);
});
