import type { IncomingMessage } from 'node:http';
import { inspect } from 'node:util';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoopbackServer } from '../../loopback.ts';
import { serve } from '../../loopback.ts';
import { runNode, testCredential } from '../helpers/engine.ts';
import { Stage, like, onStage } from '../helpers/support.ts';

/** Where the key goes if a user who may use the credential, but not see it, tries to get hold of it. */

const KEY = 'key-of-32-characters-0123456789ab';
const COOKIE = 'clearance=0123456789abcdef';

/** Whatever arrived somewhere else than at the service. */
const stolen: IncomingMessage[] = [];
let foreign: LoopbackServer;
/** The service: sends everything below `/sub/away` to the foreign server. */
let service: LoopbackServer;
const asked: IncomingMessage[] = [];

beforeAll(async () => {
	foreign = await serve((request, response) => {
		stolen.push(request);
		response.end('{}');
	});
	service = await serve((request, response) => {
		asked.push(request);
		if (request.url?.startsWith('/sub/away')) response.writeHead(302, { Location: foreign.url });
		response.end('{"error":0,"status":"success","data":{}}');
	});
});
afterAll(async () => {
	await foreign.stop();
	await service.stop();
});
beforeEach(() => {
	stolen.length = 0;
	asked.length = 0;
});

const CREDENTIALS: Record<string, IDataObject> = {
	linkManagementApi: {},
	storeApi: { apiKeyLocation: 'header', apiKeyHeader: 'api_key' },
};

const credentialOf = (type: string, changes: IDataObject = {}) =>
	({
		baseUrl: `${service.url}/sub`,
		apiKey: KEY,
		...CREDENTIALS[type],
		extraHeaderName: 'Cookie',
		extraHeaderValue: COOKIE,
		...changes,
	}) as ICredentialDataDecryptedObject;

/** The HTTP Request node with these options, in the words of each of n8n's two helpers. */
async function requested(
	type: string,
	address: string,
	options: IDataObject = {},
	credential: IDataObject = {},
) {
	const results = [];
	for (const name of ['uri', 'url']) {
		const { error } = await runNode({
			type: 'httpRequest',
			parameters: { options: { [name]: address, method: 'GET', ...options } } as INodeParameters,
			credentials: { [type]: credentialOf(type, credential) },
			settings: { type: 'n8n-nodes-base.httpRequest' },
		});
		results.push(error?.message ?? 'sent');
	}
	return results;
}

const secretsIn = (requests: IncomingMessage[]) =>
	requests.filter(({ url, headers }) => {
		const text = JSON.stringify([url, headers]);
		return text.includes(KEY) || text.includes(COOKIE);
	});

const REFUSED = like(/^The key of this credential goes to http:\S+\/sub only, not to /);
const TLS = { baseUrl: 'https://127.0.0.1:1' };

describe.each(Object.keys(CREDENTIALS))('%s in an HTTP Request node', (type) => {
	test('is sent to the base URL and below', async () => {
		for (const path of ['/sub', '/sub/', '/sub/api/urls?limit=1', '/sub/x/../api/urls']) {
			expect(await requested(type, `${service.url}${path}`)).toEqual(['sent', 'sent']);
		}
		expect(secretsIn(asked)).toHaveLength(8);
	});

	test('is sent below a base URL with other letters', async () => {
		const baseUrl = `${service.url}/ünï;x`;
		const results = await requested(type, `${baseUrl}/api/urls`, {}, { baseUrl });
		expect(results).toEqual(['sent', 'sent']);
	});

	test.each<[string, () => string]>([
		['another host', () => foreign.url],
		['another port with the same path', () => `${foreign.url}/sub/api`],
		['another name of the host', () => service.url.replace('127.0.0.1', 'localhost') + '/sub'],
		['another scheme', () => `${service.url.replace('http', 'https')}/sub`],
		['beside the base URL', () => `${service.url}/subordinate`],
		['above the base URL', () => `${service.url}/`],
		['above it with dots', () => `${service.url}/sub/../api`],
		['above it with encoded dots', () => `${service.url}/sub/%2e%2E/api`],
		['above it with encoded slashes', () => `${service.url}/sub/..%2f..%5capi`],
		['above it, encoded twice', () => `${service.url}/sub/x%252F%252e%252e%252F%252e./api`],
		['above it with dots that are too long', () => `${service.url}/sub/%c0%ae%c0%ae/api`],
		['above it with a path parameter', () => `${service.url}/sub/..;/api`],
		['a user name before another host', () => `${service.url}/sub@${foreign.url.slice(7)}/`],
		['the base URL as user name', () => `http://127.0.0.1:80@${foreign.url.slice(7)}/sub`],
		['a user name', () => `${service.url.replace('//', '//user:password@')}/sub`],
		['backslashes', () => `http:\\\\${foreign.url.slice(7)}\\sub`],
		['a line break', () => `ht\ntp://${foreign.url.slice(7)}/sub`],
		['no web address', () => 'javascript:alert(1)'],
	])('is not sent to %s', async (_what, address) => {
		const results = await requested(type, address());
		for (const message of results) expect(message).toEqual(REFUSED);
		expect([...stolen, ...asked]).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['that it is told to follow', { followRedirect: true, followAllRedirects: true }],
		['that it follows by itself', { maxRedirects: 21 }],
		['with its credentials', { sendCredentialsOnCrossOriginRedirect: true }],
	])('is not sent on by a redirect %s', async (_how, options) => {
		await requested(type, `${service.url}/sub/away`, { simple: false, ...options });
		expect(asked).toHaveLength(2);
		expect(stolen).toEqual([]);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['http', {}, {}],
		['certificates that are not checked', TLS, { rejectUnauthorized: false }],
		['that in other words', TLS, { skipSslCertificateValidation: true }],
		['an authority of the user', TLS, { agentOptions: { ca: 'of the user' } }],
	])('is not sent through a proxy that reads it: %s', async (_what, credential, options) => {
		const { baseUrl } = credentialOf(type, credential);
		for (const proxy of [
			foreign.url,
			{ host: '127.0.0.1', port: Number(new URL(foreign.url).port) },
		]) {
			const results = await requested(type, baseUrl as string, { proxy, ...options }, credential);
			for (const message of results) expect(message).toMatch(/^The proxy could read the key/);
		}
		expect([...stolen, ...asked]).toEqual([]);
	});

	test('goes through a proxy that cannot read it', async () => {
		const proxy = foreign.url;
		const results = await requested(type, TLS.baseUrl, { proxy }, TLS);
		for (const message of results) expect(message).not.toMatch(/could read/);
	});

	const hidden = { toLowerCase: () => 'get', toString: () => 'TRACE' };
	test.each<unknown>(['TRACE', 'track', 'trac\u212a', 'CONNECT', ' TRACE', hidden])(
		'is not sent with %s, which shows it',
		async (method) => {
			const results = await requested(type, `${service.url}/sub`, { method } as IDataObject);
			for (const message of results)
				expect(message).toMatch(/^The key of this credential is not sent with the method "/);
			expect(asked).toEqual([]);
		},
	);

	test.each(['hOst', ' Host', 'host\t'])('is not sent with another host as "%s"', async (name) => {
		const results = await requested(type, `${service.url}/sub`, {
			headers: { [name]: 'evil.example' },
		});
		for (const message of results) expect(message).toMatch(/^The header cannot be named "host"$/i);
		expect(asked).toEqual([]);
	});

	test.each([
		'Content-Length',
		'transfer-encoding',
		'HTTP2-Settings',
		'Connection',
		'X\r\nHost',
		':authority',
		'ho\u017ft',
	])('is not sent with the header %j, which could hide a second request', async (name) => {
		const options = { method: 'POST', body: { a: 1 }, headers: { [name]: '5' } };
		const results = await requested(type, `${service.url}/sub`, options);
		for (const message of results) expect(message).toMatch(/^The header cannot be named /);
		expect(asked).toEqual([]);
	});

	const FILES = /^The key of this credential is not sent with files/;
	const pipe = (): void => undefined;
	test.each<[string, object]>([
		['multipart form data', { formData: { a: { value: 'x', options: { knownLength: 1 } } } }],
		[
			'JSON sent as multipart',
			{ body: { a: 1 }, headers: { 'Content-Type': 'Multipart/form-data' } },
		],
		['what an HTTP client takes for a stream', { body: { pipe } }],
	])('is not sent with %s', async (_what, options) => {
		const results = await requested(type, `${service.url}/sub`, { method: 'POST', ...options });
		for (const message of results) expect(message).toMatch(FILES);
		expect(asked).toEqual([]);
	});

	test('is not seen by functions in a request', async () => {
		let seen: unknown;
		const steal = (request: unknown): void => void (seen = request);
		const list = Object.assign([], { pipe: steal });
		for (const options of [{ body: list }, { body: { a: 1 }, form: { pipe: steal } }])
			await requested(type, `${service.url}/sub`, { method: 'POST', ...options });
		expect(seen).toBeUndefined();
		expect(asked).toHaveLength(4);
	});

	test('is not sent over a connection to another host', async () => {
		const agentOptions = { host: '127.0.0.1', port: Number(new URL(foreign.url).port) };
		await requested(type, `${service.url}/sub`, { agentOptions });
		expect([asked.length, stolen.length]).toEqual([2, 0]);
	});

	test.each(['X-Original-URL', 'X_HTTP_METHOD_OVERRIDE', 'x-forwarded-host', ' Forwarded'])(
		'is not sent with the header %s, which some servers obey',
		async (name) => {
			const results = await requested(type, `${service.url}/sub`, { headers: { [name]: '/x' } });
			for (const message of results) expect(message).toMatch(/^The header ".*" could lead the key/);
			expect(asked).toEqual([]);
		},
	);

	test('is not sent where only the nodes of this package may use the credential', async () => {
		const credential = { allowedHttpRequestDomains: 'none' };
		const results = await requested(type, `${service.url}/sub`, {}, credential);
		for (const message of results)
			expect(message).toBe('This credential cannot be used in other nodes');
		expect(asked).toEqual([]);
	});

	test.each(['common', 'get'])('is not sent with headers for "%s", as axios has', async (name) => {
		const headers = { [name]: { Host: 'evil.example' } };
		const results = await requested(type, `${service.url}/sub`, { headers });
		for (const message of results) expect(message).toMatch(/^The value of header ".*" is not text/);
		expect(asked).toEqual([]);
	});
});

test('a body that cannot hold the key of a store is refused', async () => {
	const options = { method: 'POST', body: '{}' };
	const credential = { apiKeyLocation: 'body' };
	const results = await requested('storeApi', `${service.url}/sub`, options, credential);
	for (const message of results) expect(message).toMatch(/^The API key goes into the body/);
	expect(asked).toEqual([]);
});

describe('the nodes themselves', () => {
	const stage = onStage(new Stage());

	test('send key and extra header, and refuse a proxy that reads them', async () => {
		const credential = credentialOf('linkManagementApi');
		const sent = await stage.link('account.get', {}, { credential });
		expect(sent.error).toBeUndefined();
		expect(asked.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
			[`Bearer ${KEY}`, COOKIE],
		]);
		const parameters = { requestOptions: { proxy: foreign.url } };
		const refused = await stage.link('account.get', parameters, { credential });
		expect(refused.error?.message).toMatch(/^The proxy could read the key/);
		expect(stolen).toEqual([]);
	});

	test('let an extra header replace the Bearer key', async () => {
		const credential = { extraHeaderName: 'authorization', extraHeaderValue: 'Token abc' };
		await stage.link(
			'account.get',
			{},
			{ credential: credentialOf('linkManagementApi', credential) },
		);
		expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Token abc']);
	});

	test.each<[IDataObject, RegExp | undefined]>([
		[{ allowedHttpRequestDomains: 'all' }, undefined],
		[{ allowedHttpRequestDomains: 'none' }, undefined],
		[{ allowedHttpRequestDomains: 'domains', allowedDomains: 'x.example, 127.0.0.1' }, undefined],
		[
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'x.example, *.0.0.1.example' },
			/^The Allowed Domains of the credential do not include 127\.0\.0\.1/,
		],
		[
			{ allowedHttpRequestDomains: 'domains', allowedDomains: '' },
			/^The Allowed Domains|^No allowed domains/,
		],
	])('keep to the Allowed Domains of the credential: %j', async (domains, refusal) => {
		const data = credentialOf('linkManagementApi', domains);
		const { error } = await stage.link('account.get', {}, { credential: data });
		const { status, message } = await testCredential('linkManagement', 'linkManagementApi', data);
		expect(status).toBe(refusal ? 'Error' : 'OK');
		if (!refusal) return;
		for (const each of [error?.message, message]) expect(each).toMatch(refusal);
		expect(asked).toEqual([]);
	});

	test.each([
		[{ extraHeaderName: '__proto__' }, /^The extra header cannot be named "__proto__"/],
		[{ extraHeaderName: '' }, /^Extra Header Name is empty/],
		[{ extraHeaderValue: '' }, /^Extra Header Value is empty/],
		[
			{ extraHeaderValue: 'a\r\nHost: evil.example' },
			/^The value of the extra header has a line break/,
		],
	])('refuse the extra header %j without showing its value', async (changes, message) => {
		const data = credentialOf('storeApi', changes);
		const result = await testCredential('store', 'storeApi', data);
		expect(result).toEqual({ status: 'Error', message: like(message) });
		expect(asked).toEqual([]);
	});
});

describe('an expression in a field cannot get hold of the key', () => {
	const SPELLED = KEY.split('').join('-');
	const READ = `$credentials.apiKey.split('').join('-')`;
	const NAMES_A_NODE = `$(${READ}).first()`;
	const create = { resource: 'link', operation: 'create', url: 'https://example.com' };
	const validate = { resource: 'purchase', operation: 'validate', purchaseCode: 'x' };

	// n8n evaluates each field once with `$credentials`, for nothing but its effects and its errors.
	test.each<[string, (expression: string) => IDataObject, string]>([
		['it names a node', (url) => ({ ...create, url }), NAMES_A_NODE],
		[
			'it is saved with the execution',
			(url) => ({ ...create, url }),
			`$execution.customData.set('key', ${READ})`,
		],
		[
			'it is left in the input',
			(url) => ({ ...create, url, customAlias: '={{ $json.key }}' }),
			`$json.key = ${READ}`,
		],
		['in a purchase code', (purchaseCode) => ({ ...validate, purchaseCode }), NAMES_A_NODE],
		[
			'with an expression as authentication',
			(url) => ({ ...create, url, authentication: '={{ "none" }}' }),
			NAMES_A_NODE,
		],
	])('%s', async (_how, parameters, expression) => {
		const filled = parameters(`={{ ${expression} }}`) as INodeParameters;
		// Someone may also have saved the other credential with the node.
		const credentials = {
			linkManagementApi: credentialOf('linkManagementApi', { requestsPerMinute: 0 }),
			storeApi: credentialOf('storeApi'),
		};
		const type = filled.resource === 'link' ? 'linkManagement' : 'store';
		const { run } = await runNode({ type, parameters: filled, credentials });
		const kept = inspect(run, { depth: Infinity, maxStringLength: Infinity, showHidden: true });
		expect(kept).not.toContain(SPELLED);
	});
});
