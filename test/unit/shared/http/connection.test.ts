import { Readable } from 'node:stream';

import type {
	ICredentialTestFunctions,
	IDataObject,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import { connect, connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { credentialTest } from '../../../../dist/nodes/shared/http/credentialTest.js';
import { OWN_REQUEST } from '../../../../dist/nodes/shared/http/keyedRequest.js';
import { interactiveOptions, sendRequest } from '../../../../dist/nodes/shared/http/request.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';

const like = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;

/** What n8n's HTTP clients are asked for, and what becomes of their answers. */

const data = { baseUrl: 'https://a.example/', apiKey: 'key' };
const request = { method: 'PUT', path: '/x', query: { a: 1 }, body: { b: 2 } } as const;
const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
const never = async () => await new Promise<never>(() => undefined);

test('a request is sent with the credential that was read, and what the user set for the client', async () => {
	const sent = jest.fn(
		async (..._given: unknown[]) => await Promise.resolve({ statusCode: 200, body: 'no stream' }),
	);
	const context = {
		getCredentials: async () => await Promise.resolve(data),
		helpers: { httpRequestWithAuthentication: sent },
	} as unknown as IPollFunctions;
	const { sendOnce: send } = await connect(context, linkService, {
		skipSslCertificateValidation: true,
		timeout: 1,
	});
	expect(await send(request, 700)).toEqual({ statusCode: 200, headers: {}, body: '' });
	const type = 'linkManagementApi';
	expect(sent.mock.calls).toEqual([
		[
			type,
			{
				method: 'PUT',
				url: '/x',
				qs: { a: 1 },
				body: { b: 2 },
				timeout: 700,
				headers,
				json: true,
				returnFullResponse: true,
				skipSslCertificateValidation: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				encoding: 'stream',
				abortSignal: expect.any(AbortSignal) as unknown,
				[OWN_REQUEST]: true,
			},
			{ credentialsDecrypted: { id: type, name: type, type, data } },
		],
	]);
});

test.each<[string, object]>([
	['a file', { body: Buffer.from('file') }],
	['a file in JSON', { body: { a: { value: new Uint8Array(3) } } }],
	['a file in a form', { form: { a: Buffer.from('file') } }],
])('%s is not sent with a key, wherever the key goes', async (_what, file) => {
	const upload = { url: '/x', method: 'POST', ...file } as const;
	for (const service of [linkService, storeService])
		for (const apiKeyLocation of ['body', 'query', 'header']) {
			const sent = service.authenticate({ ...data, apiKeyLocation }, upload);
			await expect(sent).rejects.toThrow('not sent with files');
		}
});

test.each<[object, RegExp]>([
	[{ formData: {} }, /^The key .* multipart form data\. Send JSON, form data as Form/],
	[
		{ url: 'https://b.example/?c' },
		/to https:\/\/a\.example only, not to https:\/\/b\.example\/\. Enter/,
	],
	[{ proxy: 'http://p.example', rejectUnauthorized: false }, /^The proxy could .*\. Remove/],
	[{ method: 'XGET' }, /with the method "XGET"\.$/],
	[{ method: 'GETX' }, /with the method "GETX"\.$/],
	[{ method: ['GET'] }, /with the method/],
	[{ headers: { a: {} } }, /^The value of header "a" is not text\.$/],
	[{ headers: { a: String } }, /^The value of header "a" is not text\.$/],
	[{ headers: { 'X-Original-URL': '/' } }, /^The header "X-Original-URL" could lead the key of/],
])('the key is not sent with %j, and the message says what to do', async (options, words) => {
	const sent = linkService.authenticate(data, { url: '/x', ...options });
	await expect(sent).rejects.toMatchObject({ explanation: like(words) });
});

test.each([
	{ proxy: 'http://p.example', rejectUnauthorized: true },
	{ headers: { ...headers, 'X-Empty': null } },
	{ simple: false },
	{ url: undefined, uri: 'x' },
	{ url: '', baseURL: 'https://a.example/', uri: 'x' },
])('the key is sent with %j', async (options) => {
	const sent = await linkService.authenticate(data, { url: '/x', ...options } as never);
	expect(sent).toMatchObject({
		url: 'https://a.example/x',
		uri: 'https://a.example/x',
		useStream: false,
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
	});
});

test('certificates that the user set are sent, and nothing else of a connection', async () => {
	const certificates = { ca: 'a', cert: 'b', key: 'c', passphrase: 'd' };
	const agentOptions = { ...certificates, host: 'evil.example' };
	const request = { url: '/x%20y;z', agentOptions } as never;
	const options = await linkService.authenticate(data, request);
	expect(options.url).toBe('https://a.example/x%20y;z');
	expect(options.agentOptions).toEqual(certificates);
});

test("n8n's HTTP Request node gets no stream, which would hold the request with the key", async () => {
	const streamed = { url: '/x', useStream: true, encoding: null };
	const options = await linkService.authenticate(data, streamed as never);
	expect(options).toMatchObject({ useStream: false, encoding: null });
	// Its pagination reads only streams.
	const paginated = { ...streamed, simple: false };
	const kept = await linkService.authenticate(data, paginated as never);
	expect(kept).toMatchObject({ useStream: true, encoding: null });
});

test('an answer that does not end is late', async () => {
	await expect(connectionWith(linkService, data, never).sendOnce(request, 5)).rejects.toThrow(
		'ETIMEDOUT',
	);
});

test('what has one address and key shares a limiter, but nothing that was read', () => {
	const changedTo = (changes: IDataObject) =>
		connectionWith(linkService, { ...data, ...changes }, never);
	const own = changedTo({});
	const changed = [
		{ baseUrl: 'https://a.example' },
		{ baseUrl: 'https://b.example' },
		{ apiKey: 'b' },
		{ extraHeaderName: 'Authorization', extraHeaderValue: 'Token b' },
	];
	expect(changed.map((changes) => changedTo(changes).limiter === own.limiter)).toEqual([
		...[true, false, false, true],
	]);
	const keys = [{}, ...changed].map((changes) => changedTo(changes).connectionKey);
	expect(new Set(keys).size).toBe(keys.length);
});

test('who connects again and again gets the same connection for the same credential and options', async () => {
	const known = new Map<string, Connection>();
	const connected = async (changes: IDataObject = {}, proxy?: IHttpRequestOptions['proxy']) => {
		const getCredentials = async () =>
			await Promise.resolve({ ...data, requestsPerMinute: 0, ...changes });
		const context = { getCredentials } as unknown as IPollFunctions;
		return await connect(context, linkService, proxy ? { proxy } : {}, known);
	};
	const first = await connected();
	expect(await connected()).toBe(first);
	const others = [await connected({ apiKey: 'b' }), await connected({}, { host: 'p', port: 1 })];
	expect(others.map(({ limiter }) => limiter === first.limiter)).toEqual([false, true]);
	expect(new Set([first, ...others]).size).toBe(3);
	expect([...known.values()]).toEqual([first, ...others]);
});

const said =
	(body: string, head: IDataObject = {}) =>
	async () =>
		await Promise.resolve({
			statusCode: 200,
			headers: {},
			...head,
			body: Readable.from([Buffer.from(body)]),
		});

test.each([
	[`"${'x'.repeat(2 ** 20 - 2)}"`, undefined],
	[`"${'x'.repeat(2 ** 20 - 1)}"`, 'is larger than 1 MiB'],
	[`${'['.repeat(100)}${']'.repeat(100)}`, undefined],
	[`${'['.repeat(101)}${']'.repeat(101)}`, 'is nested too deeply, or has too many members'],
])('a response is read up to its limits: %.5s', async (body, fault) => {
	const sent = connectionWith(linkService, data, said(body)).sendOnce(request, 700);
	if (fault === undefined) expect(await sent).toMatchObject({ statusCode: 200 });
	else {
		const failure = {
			kind: 'unreadable',
			advice: like(/^Check the base URL/),
		};
		const message = `The response of the service ${fault}`;
		await expect(sent).rejects.toMatchObject({ ...failure, message });
	}
});

test('a response that breaks off is an error with its cause, and a cancelled one is not waited for', async () => {
	const cause = new Error('aborted');
	const broken = async () =>
		await Promise.resolve({ body: new Readable({ read: (): void => void 0 }).destroy(cause) });
	const reset = connectionWith(linkService, data, broken).sendOnce(request, 700);
	await expect(reset).rejects.toMatchObject({ message: 'ERR_BAD_RESPONSE', cause });
	const { sendOnce: send } = connectionWith(linkService, data, never);
	await expect(send(request, 700, AbortSignal.abort())).rejects.toThrow('cancelled');
	const controller = new AbortController();
	const sent = send(request, 700, controller.signal);
	controller.abort();
	await expect(sent).rejects.toThrow('cancelled');
});

const SECRET = { ...data, apiKey: '1234567890&b', requestsPerMinute: 0 };

test.each([
	['"1234567890&b"', '***'],
	['"1234567890\\u0026b"', '***'],
	['"MTIzNDU2Nzg5MCZi"', '***'],
	['"1234567890%26b and 1234567890&b"', '*** and ***'],
	['[{"1234567890&b":["1234567890&b",1234567890,null]}]', [{ '***': ['***', 1234567890, null] }]],
	['plain text with 1234567890&b', 'plain text with ***'],
	['"1234567890"', '1234567890'],
])('a key that a service repeats is masked in %s', async (text, masked) => {
	const { sendOnce: send } = connectionWith(linkService, SECRET, said(text));
	expect((await send(request, 700)).body).toEqual(masked);
});

const filled = (unit: string): string => unit.repeat(Math.floor((8 * 2 ** 20 - 100) / unit.length));
const members = (of: (name: string) => string): string =>
	Array.from({ length: 480_000 }, (_, at) => of((at + 2 ** 25).toString(36))).join(',');

/** `test/mutate` compiles switches into the code. */
const SLOWER_BY = Number(process.env.SLOWER_BY ?? 1);

/** The processor time of some work, in milliseconds. */
async function timeOf(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	return process.cpuUsage(before).user / 1000;
}

test.each([
	['objects', `[${filled('{},')}"1234567890&b"]`],
	['texts', `[${filled('"a",')}"1234567890&b"]`],
	['keys', `[${filled('"1234567890&b",')}1]`],
	['what is nearly a key', `["${filled('1234567890&')}"]`],
	['members of an object', `{${members((name) => `"${name}":0`)},"1234567890&b":0}`],
	['objects that all differ', `[${members((name) => `{"${name}":0}`)},"1234567890&b"]`],
	['levels', `${'['.repeat(2.8 * 2 ** 20)}${']'.repeat(4 * 2 ** 20)}`],
])('a page of a list with as many %s as it may have takes about a second', async (_, body) => {
	expect(body.length).toBeLessThanOrEqual(8 * 2 ** 20);
	const { sendOnce: send } = connectionWith(linkService, SECRET, said(body));
	const page = { method: 'GET', path: '/api/urls', query: { page: 1 } } as const;
	// Beside JSON.parse, because machines differ, and other suites run at the same time.
	const large = `[${members((name) => `{"${name}":0}`)}]`;
	const parse = async () => await timeOf(() => JSON.parse(large) as unknown);
	const before = await parse();
	const time = await timeOf(async () => {
		await send(page, 60_000).catch((error: unknown) => {
			expect(error).toMatchObject({
				message: like(/is nested too deeply, or has too many members$/),
			});
		});
	});
	expect(time / (before + (await parse()))).toBeLessThan(2.5 * SLOWER_BY);
});

test('a page of a list may be larger than other responses', async () => {
	const { sendOnce: send } = connectionWith(
		linkService,
		SECRET,
		said(`["${'x'.repeat(8 * 2 ** 20)}"]`),
	);
	const page = { method: 'GET', path: '/api/urls', query: { page: 1 } } as const;
	await expect(send(page, 700)).rejects.toThrow('is larger than 8 MiB');
});

test.each(['u1@S3cret-0123456789abcdef', 'S3cret-0123456789abcdef?x', 'A1B2C3D4E5F60718'])(
	'the key %s in the address of a redirect is masked',
	async (apiKey) => {
		for (const location of [`/login/${apiKey}`, `http://${apiKey}.example/x`]) {
			const head = { statusCode: 302, headers: { location } };
			const connection = connectionWith(linkService, { ...SECRET, apiKey }, said('', head));
			const sent = sendRequest(
				connection,
				{ method: 'GET', path: '/x' },
				interactiveOptions(connection),
			);
			const { message } = (await sent.catch((error: unknown) => error)) as Error;
			expect(message).toContain('***');
			expect(message.toLowerCase()).not.toMatch(/s3cret|a1b2/);
		}
	},
);

test('a key at the place where a long message is cut is masked', async () => {
	for (let length = 900; length < 960; length += 1) {
		const headers = { location: `https://b.example/${'a'.repeat(length)}${SECRET.apiKey}/x` };
		const connection = connectionWith(linkService, SECRET, said('', { statusCode: 302, headers }));
		const sent = sendRequest(
			connection,
			{ method: 'GET', path: '/x' },
			interactiveOptions(connection),
		);
		const { message } = (await sent.catch((error: unknown) => error)) as Error;
		expect(message).toMatch(/redirect to .*(a|\*)…?( \(status 302\))?/);
		expect(message).not.toContain('1');
	}
});

test("a credential test asks n8n's older client for the account, and follows no redirect", async () => {
	const sent = jest.fn(said('{"error":1,"message":"Locked"}'));
	const context = { helpers: { request: sent } } as unknown as ICredentialTestFunctions;
	const test = credentialTest(linkService);
	const details = { id: '', name: '', type: '' };
	expect(await test.call(context, { ...details, data })).toEqual({
		status: 'Error',
		message: like(/^Locked\. Check the base URL and the API key/),
	});
	expect(sent.mock.calls).toEqual([
		[
			{
				uri: 'https://a.example/api/account',
				method: 'GET',
				qs: {},
				body: undefined,
				json: true,
				timeout: 10_000,
				headers: {
					...headers,
					Authorization: 'Bearer key',
					'Cache-Control': 'no-cache, no-store',
					Pragma: 'no-cache',
				},
				simple: false,
				followRedirect: false,
				resolveWithFullResponse: true,
				useStream: true,
				agentOptions: { signal: expect.any(AbortSignal) as unknown },
			},
		],
	]);
	expect((await test.call(context, details)).message).toMatch(/^The base URL is empty/);
});
