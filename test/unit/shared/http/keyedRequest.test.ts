import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../../../../dist/nodes/shared/http/credential.js';
import { parseCredential } from '../../../../dist/nodes/shared/http/credential.js';
import { keyedRequest, OWN_REQUEST } from '../../../../dist/nodes/shared/http/keyedRequest.js';
import { explanationOf } from '../../helpers/explanation.ts';

/** Which requests get the key, and where it is put. */

const KEY = 'key-1';
const BASE = 'https://go.example.com/links';

const credential = parseCredential({ baseUrl: BASE, apiKey: KEY });
const IN_HEADER = { headers: { Authorization: `Bearer ${KEY}` } };

const keyed = (
	request: Record<string | symbol, unknown>,
	place: Parameters<typeof keyedRequest>[2] = IN_HEADER,
	changes: Partial<ServiceCredential> = {},
) =>
	keyedRequest(
		{ ...credential, ...changes },
		{ url: '/api/urls', ...request } as IHttpRequestOptions,
		place,
	);

test('the key is in a copy of the request, which follows no redirect', () => {
	const request = { url: '/api/urls', headers: { Accept: 'a' }, qs: { page: 1 } };
	expect(keyed(request)).toEqual({
		url: `${BASE}/api/urls`,
		uri: `${BASE}/api/urls`,
		headers: { Accept: 'a', Authorization: `Bearer ${KEY}` },
		qs: { page: 1 },
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
		useStream: false,
		agentOptions: {},
	});
	expect(JSON.stringify(request)).not.toContain(KEY);
});

test('the key may be in the query, in a JSON body or in form data', () => {
	const request = { qs: { page: 1 }, body: { a: 1, none: undefined, list: [1] } };
	expect(keyed(request, { qs: { api_key: KEY } })).toMatchObject({
		qs: { page: 1, api_key: KEY },
		body: { a: 1, list: [1] },
	});
	expect(keyed(request, { body: { api_key: KEY } })).toMatchObject({
		qs: { page: 1 },
		body: { a: 1, list: [1], api_key: KEY },
	});
	const form = keyed(request, { form: { api_key: KEY } });
	expect(form).toMatchObject({
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: `a=1&list=%5B1%5D&api_key=${KEY}`,
	});
	expect(keyed(request).headers).not.toHaveProperty('Content-Type');
	expect(keyed({}, { body: { api_key: KEY } }).body).toEqual({ api_key: KEY });
});

test('a later header replaces one of the same name, in any case', () => {
	const { headers } = keyed({ headers: { authorization: 'mine', ' X-A ': 'a' } }, IN_HEADER, {
		extraHeader: { 'x-a': 'b', 'X-C': 'c' },
	});
	expect(headers).toEqual({ Authorization: `Bearer ${KEY}`, 'x-a': 'b', 'X-C': 'c' });
});

test.each([
	['/api/urls', 'api/urls'],
	['/api/urls', '/api/urls'],
	['/api/urls', `${BASE}/api/urls`],
	['', BASE],
	['/?x=1', `${BASE}/?x=1`],
])('the address %s below the base URL is entered as %s', (path, url) => {
	expect(keyed({ url }).url).toBe(`${BASE}${path}`);
	expect(keyed({ url: '', uri: url }).url).toBe(`${BASE}${path}`);
});

test('a base URL of its own is taken if it is below the one of the credential', () => {
	expect(keyed({ baseURL: `${BASE}/v2/`, url: 'x' }).url).toBe(`${BASE}/v2/x`);
	expect(keyed({ baseURL: `${BASE}/v2/`, url: 'x' })).not.toHaveProperty('baseURL');
	expect(explanationOf(() => keyed({ baseURL: 'https://evil.example', url: 'x' }))).toMatch(
		/goes to/,
	);
});

test.each([
	'https://evil.example/links/api',
	'http://go.example.com/links/api',
	'https://go.example.com:444/links/api',
	'https://go.example.com/other',
	'https://go.example.com/linksother',
	'https://go.example.com/x/links/',
	'https://ann:pw@go.example.com/links/api',
	'https://ann@go.example.com/links/api',
	'../api',
	'/api/%c0%ae./x',
	'/api/..;/x',
])('the key does not go to %s', (url) => {
	const message = explanationOf(() => keyed({ url }));
	expect(message).toMatch(
		/^The key of this credential goes to https:\/\/go\.example\.com\/links only, not to .*\. Enter an address below the base URL, with no % and no ; in its path, or use another credential\.$/,
	);
	expect(message).not.toContain('pw@');
});

test('two slashes are no host, and two dots stay below the base URL', () => {
	expect(keyed({ url: '//evil.example/x' }).url).toBe(`${BASE}//evil.example/x`);
	expect(keyed({ url: '/api/%2e%2e/x' }).url).toBe(`${BASE}/x`);
});

test('of a service at the root of its host, any path may have signs', () => {
	const root = { baseUrl: 'https://go.example.com' };
	expect(keyed({ url: '/a%20b;c' }, IN_HEADER, root).url).toBe('https://go.example.com/a%20b;c');
});

test.each(['TRACE', 'CONNECT', '', 'GETX', 5])(
	'the key is not sent with the method %j',
	(method) => {
		expect(explanationOf(() => keyed({ method }))).toMatch(
			/^The key of this credential is not sent with the method /,
		);
	},
);

test.each(['get', 'POST', 'Put', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
	'the key is sent with %s',
	(method) => {
		expect(keyed({ method }).method).toBe(method);
	},
);

test('a credential for its own nodes is of no use in others', () => {
	const own = { isForOwnNodes: true };
	expect(explanationOf(() => keyed({}, IN_HEADER, own))).toBe(
		'This credential cannot be used in other nodes. Use a node of this package, or change Allowed HTTP Request Domains of the credential.',
	);
	expect(keyed({ [OWN_REQUEST]: true }, IN_HEADER, own).url).toBe(`${BASE}/api/urls`);
});

const PROXY = { proxy: { host: 'proxy.example', port: 80 } };
test.each([
	['of a service with TLS', {}, BASE, true],
	['of a service without TLS', {}, 'http://go.example.com', false],
	['that may show any certificate', { skipSslCertificateValidation: true }, BASE, false],
	['whose certificate is not checked', { rejectUnauthorized: false }, BASE, false],
	['whose certificate is maybe checked', { rejectUnauthorized: 'x' }, BASE, false],
	['whose certificate is checked', { rejectUnauthorized: true }, BASE, true],
	['with certificates of its own', { agentOptions: { ca: 'x' } }, BASE, false],
])('a proxy before a request %s', (_what, options, baseUrl, isSent) => {
	const sent = explanationOf(() => keyed({ ...PROXY, ...options }, IN_HEADER, { baseUrl }));
	expect(sent === 'none').toBe(isSent);
	if (!isSent)
		expect(sent).toBe(
			'The proxy could read the key of this credential, so nothing was sent. Remove the proxy, or use an https:// base URL with Ignore SSL Issues off and no SSL certificates of your own.',
		);
	expect(explanationOf(() => keyed(options, IN_HEADER, { baseUrl }))).toBe('none');
});

test.each([
	'Forwarded',
	'X-Forwarded-Host',
	'x_http_method',
	' X-Rewrite-URL',
	'X-Original-Method',
	'X-Host',
])('the header %j could replace the address', (name) => {
	expect(explanationOf(() => keyed({ headers: { [name]: 'x' } }))).toMatch(
		/^The header ".*" could lead the key of this credential elsewhere\.$/,
	);
});

test.each([[{ a: 1 }], [['a']], [() => 'x']])('a header is no %j', (value) => {
	expect(explanationOf(() => keyed({ headers: { 'X-A': value } }))).toBe(
		'The value of header "X-A" is not text.',
	);
});

test.each<[string, Record<string, unknown>]>([
	['form data of several parts', { formData: {} }],
	['what writes itself', { body: { pipe: () => undefined } }],
	['a file', { body: { a: { b: Buffer.from('x') } } }],
	['a file in a form', { form: { a: new Uint8Array(2) } }],
	[
		'the header of several parts',
		{ headers: { 'content-type': 'Multipart/form-data; boundary=x' } },
	],
])('the key is not sent with %s', (_what, request) => {
	expect(explanationOf(() => keyed(request))).toBe(
		'The key of this credential is not sent with files or multipart form data. Send JSON, form data as Form Urlencoded, or text.',
	);
});

test('another type of content, and a member called pipe, are sent', () => {
	expect(keyed({ headers: { 'content-type': 'text/plain' } }).headers).toMatchObject({
		'content-type': 'text/plain',
	});
	expect(keyed({ body: { pipe: 'x' } }).body).toEqual({ pipe: 'x' });
});

test('a response is a stream only for the pagination of n8n', () => {
	expect(keyed({ useStream: true })).toMatchObject({ useStream: false });
	expect(keyed({ useStream: true, simple: false })).toMatchObject({ useStream: true });
	expect(keyed({ useStream: 1, simple: false })).toMatchObject({ useStream: false });
});

test('of the options of the connection, only certificates are taken', () => {
	const agentOptions = { ca: 'a', cert: 'b', key: 'c', passphrase: 'd', host: 'evil.example' };
	expect(keyed({ agentOptions }).agentOptions).toEqual({
		ca: 'a',
		cert: 'b',
		key: 'c',
		passphrase: 'd',
	});
});
