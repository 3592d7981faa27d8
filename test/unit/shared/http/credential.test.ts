import type {
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LinkManagementApi } from '../../../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../../../dist/credentials/StoreApi.credentials.js';
import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import {
	type Connection,
	connectionWith,
	redactDeep,
	redactorFor,
} from '../../../../dist/nodes/shared/http/connection.js';
import { credentialOf, keyedRequest } from '../../../../dist/nodes/shared/http/credential.js';
import type { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';

/** What the fields of a credential mean, which requests get the key, and where it is redacted. */

const KEY = 'k3y/with+signs';
const FILLED = { baseUrl: 'https://go.example.com/links', apiKey: KEY };
const parsed = (changes: IDataObject) => credentialOf({ ...FILLED, ...changes } as never);

describe('a credential', () => {
	test('keeps its secrets, and takes several messages', () => {
		const extra = { extraHeaderName: 'Cookie', extraHeaderValue: 'a=1' };
		expect(parsed({ ...extra, invalidCodeMessage: 'No\r\nNope\n' })).toMatchObject({
			extraHeader: { Cookie: 'a=1' },
			secrets: ['a=1', KEY],
			invalidCodeMessages: ['No', 'Nope'],
		});
	});

	test.each([
		['https://go.example.com/', 'https://go.example.com'],
		[' HTTPS://Go.Example.com/Links//\n', 'https://go.example.com/Links'],
		['https://go.example.com/links/API/', 'https://go.example.com/links'],
		['https://go.example.com:8443/api?x=1#y', 'https://go.example.com:8443'],
		['go.example.com', 'https://go.example.com'],
		['localhost:5679/links', 'https://localhost:5679/links'],
		['https://go.example.com/api/url/add', 'https://go.example.com'],
		['https://go.example.com/links/api/purchases/validation', 'https://go.example.com/links'],
		['https://go.example.com/api/docs', 'https://go.example.com'],
		['“https://go.example.com”\u200b', 'https://go.example.com'],
	])('has the base URL %j as %s', (baseUrl, read) => {
		expect(parsed({ baseUrl }).baseUrl).toBe(read);
	});

	test.each([
		'',
		'htp://go.example.com',
		'https://',
		'https://ann:pw@go.example.com',
		'ann:pw@go.example.com',
		'https://ann@go.example.com',
		'https://:pw@go.example.com',
		'ht\ntps://a.b',
	])('refuses the base URL %j, without repeating it', (baseUrl) => {
		expect(() => parsed({ baseUrl })).toThrow(/^'Base URL' is not a web address$/);
	});

	test.each([
		[0, 0],
		[0.4, 1],
		['45', 45],
		[undefined, undefined],
		[-1, undefined],
		['many', undefined],
	])('reads %j requests per minute as %j', (requestsPerMinute, read) => {
		expect(parsed({ requestsPerMinute }).requestsPerMinute).toBe(read);
	});

	test.each([
		...[`Bearer ${KEY}`, `Authorization: bearer "${KEY}"`, `“${KEY}” `, `'${KEY}'\n`],
		...[`Bearer: ${KEY}`, `Authorization: Bearer ${KEY}`, `«${KEY}»`, `\u200b${KEY}\u200b`],
	])('takes %j for the key in it', (apiKey) => {
		expect(parsed({ apiKey })).toMatchObject({ apiKey: KEY, secrets: [KEY] });
	});

	test.each(['bearer-1', 'Bearer1', 'api_key_1', '-H1'])('takes the key %j as it is', (apiKey) => {
		expect(parsed({ apiKey }).apiKey).toBe(apiKey);
	});

	test.each(['', ' ', '""'])('refuses the key %j', (apiKey) => {
		expect(() => parsed({ apiKey })).toThrow(/^The API key is empty$/);
	});

	test('refuses the name of a header that HTTP cannot have', () => {
		const extra = { extraHeaderName: 'Cookie: a=1', extraHeaderValue: 'b' };
		expect(() => parsed(extra)).toThrow(/^'Extra Header Name' .* "Cookie: a=1"$/);
		const nameless = { extraHeaderName: '', extraHeaderValue: 'secret' };
		expect(() => parsed(nameless)).toThrow(
			/^'Extra Header Name' is empty, but 'Extra Header Value' is not$/,
		);
	});

	/** The fields that n8n reads of a filled credential. */
	const known = ({ properties }: ICredentialType, choices: INodeParameters) => {
		const set: INodeParameters = Object.fromEntries(properties.map(({ name }) => [name, 'set']));
		const data = { ...set, ...choices };
		return Object.keys(
			NodeHelpers.getNodeParameters(properties, data, true, false, null, null) ?? {},
		);
	};

	test.each([new LinkManagementApi(), new StoreApi()])(
		'$name has only address and key, unless More Settings is on',
		(type) => {
			expect(known(type, { moreSettings: false })).toEqual(['baseUrl', 'apiKey', 'moreSettings']);
			const more = ['requestsPerMinute', 'extraHeaderValue'];
			expect(known(type, { moreSettings: true })).toEqual(expect.arrayContaining(more));
		},
	);

	test('has a header name only for a key in a header', () => {
		const knownIn = (apiKeyLocation: string) =>
			known(new StoreApi(), { moreSettings: true, apiKeyLocation });
		expect(knownIn('body')).not.toContain('apiKeyHeader');
		expect(knownIn('header')).toContain('apiKeyHeader');
	});
});

describe('a request with the key', () => {
	const keyed = (request: IDataObject) =>
		keyedRequest(parsed({}), request as unknown as IHttpRequestOptions, {
			headers: { Authorization: `Bearer ${KEY}` },
		});

	test('is a copy, and follows no redirect in either of n8n’s HTTP clients', () => {
		const request = { url: '/api/urls', headers: { Accept: 'a' } };
		expect(keyed(request)).toMatchObject({
			url: 'https://go.example.com/links/api/urls',
			uri: 'https://go.example.com/links/api/urls',
			headers: { accept: 'a', authorization: `Bearer ${KEY}` },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
		expect(JSON.stringify(request)).not.toContain(KEY);
	});

	test('goes to no other host, and a message repeats neither password nor query', () => {
		const away = () => keyed({ url: 'https://ann:pw@evil.example/links?key=1' });
		expect(away).toThrow(/ only, not to https:\/\/evil\.example\/links$/);
	});
});

describe('a mask', () => {
	test('hides a key as it is, and as an address holds it, in texts and in members', () => {
		const mask = redactorFor([KEY]);
		expect(mask(`${KEY} and ${encodeURIComponent(KEY)}`)).toBe('*** and ***');
		const value = { a: [KEY, 1, null], b: { c: `x ${KEY}` } };
		expect(redactDeep(value, mask)).toEqual({ a: ['***', 1, null], b: { c: 'x ***' } });
	});

	test('hides a key of eight characters, and leaves a shorter one, which could stand in any text', () => {
		expect(redactorFor(['12345678'])('x 12345678')).toBe('x ***');
		expect(redactorFor(['short'])('a short text')).toBe('a short text');
	});
});

describe('a connection', () => {
	const connected = (changes: IDataObject, response: unknown = {}, service = linkService) =>
		connectionWith(
			service,
			{ ...FILLED, ...changes } as never,
			async () => await Promise.resolve(response),
		);

	test('masks the key in what comes', async () => {
		const response = { statusCode: 200, headers: { location: `/${KEY}` }, body: { a: KEY } };
		const { sendOnce } = connected({}, response);
		expect(await sendOnce({ method: 'GET', path: '/x' }, 700)).toEqual({
			statusCode: 200,
			headers: { location: '/***' },
			body: { a: '***' },
		});
	});

	test('sends with the proxy and the certificate option of the node', async () => {
		const sent: IHttpRequestOptions[] = [];
		const send = async (request: IHttpRequestOptions): Promise<unknown> => {
			sent.push(request);
			return await Promise.resolve({});
		};
		const options = {
			proxy: { host: 'proxy.example', port: 3128 },
			skipSslCertificateValidation: true,
		};
		const { sendOnce } = connectionWith(linkService, FILLED, send, options);
		await sendOnce({ method: 'GET', path: '/x' }, 700);
		expect(sent).toMatchObject([options]);
	});

	/** Its limiter, after a request. */
	const used = async ({ limiter, pace }: Connection): Promise<RateLimiter> => {
		(await limiter.acquire({ pace, urgent: false, until: Infinity }))?.();
		return limiter;
	};

	test('of a store shares its limiter with those of every key', async () => {
		const limiter = await used(connected({ apiKey: 'one' }, {}, storeService));
		expect(connected({ apiKey: 'other' }, {}, storeService).limiter).toBe(limiter);
	});

	test('shares its limiter with those of the same address and key, until its window ends', async () => {
		jest.useFakeTimers();
		const limiter = await used(connected({}));
		expect(connected({ baseUrl: `${FILLED.baseUrl}/` }).limiter).toBe(limiter);
		expect(connected({ extraHeaderName: 'X-A', extraHeaderValue: 'a' }).limiter).toBe(limiter);
		expect(connected({ apiKey: 'b' }).limiter).not.toBe(limiter);
		jest.advanceTimersByTime(61_000);
		expect(connected({}).limiter).not.toBe(limiter);
		jest.useRealTimers();
	});
});
