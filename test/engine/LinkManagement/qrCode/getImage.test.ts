import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../../sandbox/dialects.ts';
import { qrPng, qrSvg } from '../../../../sandbox/link/qrCodes.ts';
import type { LoopbackServer } from '../../../loopback.ts';
import { serve } from '../../../loopback.ts';
import { callTool } from '../../helpers/engine.ts';
import type { NodeSettings } from '../../helpers/support.ts';
import { Stage, byId, like, onStage } from '../../helpers/support.ts';

/** The picture of a QR code as a file; what comes in its place. */

const newCode = async (stage: Stage): Promise<number> =>
	await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });

const image = async (stage: Stage, id: unknown, settings: NodeSettings = {}) =>
	await stage.link('qrCode.getImage', { qrCodeId: byId(id as number) }, settings);

describe.each(['png', 'svg', 'redirect'] as const)('the picture as %s', (qrPicture) => {
	const stage = onStage(new Stage({ qrPicture }));

	test('is what the service shows, named after the code, for one request of the API', async () => {
		const id = await newCode(stage);
		// A second request would wait a minute for the limit.
		const credential = { requestsPerMinute: 1 };
		const { error, items, json, requests } = await image(stage, id, { credential });
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(1);
		expect(json).toMatchObject([{ id, scans: 0, link: like(/\/qr\/\w+$/) }]);
		const isSvg = qrPicture === 'svg';
		const bytes = isSvg ? await qrSvg('Table 7') : await qrPng('Table 7');
		expect(items[0]?.binary).toMatchObject({
			data: {
				fileName: `qr-code-${id}.${isSvg ? 'svg' : 'png'}`,
				mimeType: isSvg ? 'image/svg+xml' : 'image/png',
				data: Buffer.from(bytes).toString('base64'),
			},
		});
	});
});

describe.each<[Dialect['qrPicture'], RegExp]>([
	['page', /^Expected a picture from http:\S+\/qr\/\w+, but got a web page \(status 200\)/],
	['fake', /^Expected a picture from \S+, but got a web page \(status 200\)/],
	['mistyped', /, but got a picture declared as text\/plain \(status 200\)/],
	['missing', /, but got a web page \(status 404\)/],
	['loop', /^The address of the picture redirects more than 5 times/],
])('where the address of a code gives %s', (qrPicture, message) => {
	const stage = onStage(new Stage({ qrPicture }));

	test('the error says so, and lets the other rows go on', async () => {
		const id = await newCode(stage);
		const stopped = await image(stage, id);
		expect(stopped.error).toMatchObject({
			message: like(message),
			description: like(/^Open that address in a browser/),
		});
		expect(stopped.items).toEqual([]);
		expect(stopped.requests).toHaveLength(1);
		const settings = { onError: 'continueRegularOutput' } as const;
		const continued = await image(stage, id, { settings, rows: [{}, {}] });
		const error = like(message);
		expect(continued.items).toEqual(
			[0, 1].map((item) => ({ json: { error }, pairedItem: { item } })),
		);
	});
});

describe('at a service of any kind', () => {
	const stage = onStage(new Stage());
	let server: LoopbackServer;
	let origin: string;
	/** What the record says, and what comes from there. */
	let link: unknown;
	let show: (response: ServerResponse, request: IncomingMessage) => void;
	let asked: IncomingMessage[];

	beforeAll(async () => {
		server = await serve((request, response) => {
			asked.push(request);
			if (!request.url?.includes('/api/')) show(response, request);
			else response.end(JSON.stringify({ error: 0, details: { id: '7', link }, data: {} }));
		});
		origin = server.url;
	});
	afterAll(async () => {
		await server.stop();
	});
	beforeEach(() => {
		asked = [];
		link = '/pictures/7?size=400&secret=x';
		show = (response) => sendImage(response);
	});

	const GIF = Buffer.from('GIF89a and so on');
	const sendImage = (response: ServerResponse, bytes: Buffer | string = GIF, type = 'image/gif') =>
		response.writeHead(200, { 'Content-Type': type }).end(bytes);

	const get = async (parameters: INodeParameters = {}, settings: NodeSettings = {}) => {
		const credential = { baseUrl: `${origin}/links` };
		const all = { qrCodeId: byId(7), ...parameters };
		return await stage.link('qrCode.getImage', all, { credential, ...settings });
	};

	test.each<[string, () => string, string]>([
		['relative to the base URL', () => 'pictures/7', '/links/pictures/7'],
		['relative to its host', () => '/pictures/7', '/pictures/7'],
		['on another host', () => `${origin.replace('127.0.0.1', 'localhost')}/7`, '/7'],
	])('an address %s gets neither key nor extra header', async (_how, address, path) => {
		link = address();
		const cookie = { extraHeaderName: 'Cookie', extraHeaderValue: '__test=passed' };
		const credential = { baseUrl: `${origin}/links`, ...cookie };
		const { error, items } = await get({}, { credential });
		expect(error).toBeUndefined();
		expect(items[0]?.binary?.data?.fileName).toBe('qr-code-7.gif');
		expect(asked.map(({ url }) => url)).toEqual(['/links/api/qr/7', path]);
		for (const secret of [stage.linkAccount.apiKey, '__test=passed']) {
			expect(JSON.stringify(asked[0]?.headers)).toContain(secret);
			expect(JSON.stringify(asked[1]?.headers)).not.toContain(secret);
		}
	});

	test.each([
		['png', 'image/png', Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1')],
		['jpg', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
		['gif', 'image/gif', Buffer.from('GIF87a…')],
		['webp', 'image/webp', Buffer.from('RIFF\n\r\x00\x00WEBPVP8 ', 'latin1')],
		['svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
		[
			'svg',
			'image/svg+xml',
			'\ufeff<?xml version="1.0"?>\n<!-- Made\nby hand --><!DOCTYPE svg PUBLIC "">\n<svg>',
		],
	])('a %s is told by its first bytes', async (extension, mimeType, bytes) => {
		show = (response) => sendImage(response, bytes, 'IMAGE/Anything; charset=utf-8');
		const { items } = await get({ binaryPropertyName: '={{ "picture" }}' });
		expect(items[0]?.binary).toMatchObject({
			picture: { mimeType, fileName: `qr-code-7.${extension}` },
		});
	});

	test.each([
		['', 'an empty response'],
		['{"error": 1}', 'JSON'],
		['  <html><svg>', 'a web page'],
		['RIFF….WAVE', 'something else'],
	])('%j is no picture', async (body, what) => {
		show = (response) => sendImage(response, body);
		const { error } = await get();
		expect(error?.message).toBe(
			`Expected a picture from ${origin}/pictures/7, but got ${what} (status 200)`,
		);
	});

	const others = [undefined, null, '', 7, ['http://x.example/?hidden'], 'http://'];
	test.each([...others, 'ftp://example.com/7.png?hidden', 'javascript:alert(1)'])(
		'%j is no address of a picture',
		async (address) => {
			link = address;
			const { error } = await get();
			expect(error?.message).toMatch(
				/^The address of the picture must be a web address, but is (?!.*hidden)/,
			);
			expect(asked).toHaveLength(1);
		},
	);

	test.each<[string, (response: ServerResponse, key: string) => void]>([
		['redirect', (response, key) => response.writeHead(302, { Location: `/${key}` }).end()],
		[
			'refused redirect',
			(response, key) => response.writeHead(302, { Location: `x:${key}` }).end(),
		],
		['type', (response, key) => sendImage(response, GIF, `text/${key}`)],
	])('a %s that repeats the key is masked', async (_what, answer) => {
		const apiKey = 'a1b2c3d4e5f6a7b8';
		show = (response) => (asked.length > 2 ? response.end('<') : answer(response, apiKey));
		const { error } = await get({}, { credential: { baseUrl: origin, apiKey } });
		expect(error?.message).toMatch(/\*\*\*/);
		expect(error?.message).not.toContain(apiKey);
	});

	test.each([5, 6])('of %i redirects, five are followed', async (redirects) => {
		show = (response) => {
			if (asked.length > redirects + 1) sendImage(response);
			else response.writeHead(302, { Location: `/pictures/${asked.length}` }).end();
		};
		const { error, items } = await get();
		expect([error === undefined, items.length]).toEqual(redirects === 5 ? [true, 1] : [false, 0]);
	});

	test('a redirect to what is not a web address is an error', async () => {
		show = (response) => response.writeHead(302, { Location: 'file:///etc/passwd?token=x' }).end();
		const { error } = await get();
		expect(error?.message).toBe(
			'The address of the picture must be a web address, but is "file:///etc/passwd"',
		);
	});

	test.each([true, false])('no more than 10 MiB are read, told before or not: %p', async (told) => {
		const closed = new Promise<number>((resolve) => {
			show = (response) => {
				const length = told ? { 'Content-Length': 1e9 } : {};
				response.writeHead(200, { 'Content-Type': 'image/gif', ...length });
				let sent = 0;
				const send = () => {
					while (!response.destroyed && response.write(Buffer.alloc(2 ** 16))) sent += 2 ** 16;
				};
				response.on('drain', send);
				response.on('close', () => resolve(sent));
				send();
			};
		});
		const { error } = await get();
		expect(error?.message).toBe(`The picture at ${origin}/pictures/7 is larger than 10 MiB`);
		expect(await closed).toBeLessThan((told ? 8 : 24) * 2 ** 20);
	});

	const begin = (response: ServerResponse) =>
		response.writeHead(200, { 'Content-Type': 'image/gif', 'Content-Length': 99 });

	test.each<[string, RegExp, (response: ServerResponse) => void]>([
		['never begins', /timed out$/, () => undefined],
		['never ends', /timed out$/, (response) => begin(response).write('GIF')],
		['breaks off', /^/, (response) => begin(response).write('GIF89a', () => response.destroy())],
	])('a picture that %s is waited for as long as Timeout says', async (_how, end, hang) => {
		show = hang;
		const { error } = await get({ requestOptions: { timeout: 200 } });
		expect(error?.message).toMatch(/^No response from the address of the picture, /);
		expect(error?.message).toMatch(end);
	});

	test('Retry On Fail asks for it again', async () => {
		show = (response) => {
			if (asked.length > 2) sendImage(response);
			else response.writeHead(503).end();
		};
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { error, items } = await get({}, { settings });
		expect([error, items.length]).toEqual([undefined, 1]);
	});

	test('an AI agent gets the record', async () => {
		const parameters = {
			resource: 'qrCode',
			operation: 'getImage',
			qrCodeId: byId("={{ $fromAI('Code', '', 'string') }}"),
		};
		const credential = { ...stage.credentials.linkManagementApi, baseUrl: origin };
		const credentials = { linkManagementApi: credential as IDataObject as never };
		const [[answer] = []] = await callTool({ parameters, credentials }, [[{ Code: '7' }]]);
		expect(answer).toContain('"id":7');
	});
});
