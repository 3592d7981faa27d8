import type { IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LinkManagementApi } from '../../../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../../../dist/credentials/StoreApi.credentials.js';
import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { parseCredential } from '../../../../dist/nodes/shared/http/credential.js';
import { keyedRequest } from '../../../../dist/nodes/shared/http/keyedRequest.js';
import { maskOf, withoutSecrets } from '../../../../dist/nodes/shared/http/mask.js';

/** What the fields of a credential mean, which requests get the key, and where it is masked. */

const KEY = 'k3y/with+signs';
const FILLED = { baseUrl: 'https://go.example.com/links', apiKey: KEY };
const parsed = (changes: IDataObject, documentedLimit?: number) =>
	parseCredential({ ...FILLED, ...changes } as never, documentedLimit);

describe('a credential', () => {
	test('has defaults', () => {
		expect(parsed({})).toStrictEqual({
			...FILLED,
			requestsPerMinute: 0,
			timezone: 'UTC',
			invalidCodeMessages: [],
			knownValidCode: undefined,
			extraHeader: {},
			secrets: [KEY],
		});
	});

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
	])('has the base URL %j as %s', (baseUrl, read) => {
		expect(parsed({ baseUrl }).baseUrl).toBe(read);
	});

	test.each(['', 'go.example.com', 'https://', 'https://ann:pw@go.example.com', 'ht\ntps://a.b'])(
		'refuses the base URL %j, without repeating it',
		(baseUrl) => {
			expect(() => parsed({ baseUrl })).toThrow(/^The base URL is not a web address$/);
		},
	);

	test.each([
		[0, 0],
		[0.4, 1],
		['45', 45],
		[undefined, 30],
		[-1, 30],
		['many', 30],
	])('reads %j requests per minute as %i', (requestsPerMinute, read) => {
		expect(parsed({ requestsPerMinute }, 30).requestsPerMinute).toBe(read);
	});

	test.each([new LinkManagementApi(), new StoreApi()])(
		'$name has only address and key, unless More Settings is on',
		({ properties }) => {
			const set: INodeParameters = Object.fromEntries(properties.map(({ name }) => [name, 'set']));
			const known = (moreSettings: boolean) => {
				const data = { ...set, moreSettings };
				// As n8n reads a credential.
				return NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
			};
			expect(Object.keys(known(false) ?? {})).toEqual(['baseUrl', 'apiKey', 'moreSettings']);
			expect(known(true)).toMatchObject({ requestsPerMinute: 'set', extraHeaderValue: 'set' });
		},
	);

	test.each([
		['body', false],
		['header', true],
	])('of a store that takes the key from the %s has a Header Name: %j', (apiKeyLocation, has) => {
		const data = { ...FILLED, moreSettings: true, apiKeyLocation };
		const { properties } = new StoreApi();
		const known = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
		expect(Object.hasOwn(known ?? {}, 'apiKeyHeader')).toBe(has);
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

	test.each([
		'https://evil.example/links/api',
		'http://go.example.com/links/api',
		'https://go.example.com:444/links/api',
		'https://ann:pw@evil.example/links?key=1',
		'ht\ntps://evil.example/x',
		'javascript:alert(1)',
	])('does not go to %j', (url) => {
		for (const request of [{ url }, { uri: url }]) {
			let message = '';
			try {
				keyed(request);
			} catch (error) {
				message = String(error);
			}
			expect(message).toMatch(/The key .* goes to https:\/\/go\.example\.com only, not to /);
			expect(message).not.toMatch(/pw@|key=1/);
		}
	});
});

describe('a mask', () => {
	test('hides a key as it is, and as an address holds it, in texts and in members', () => {
		const mask = maskOf([KEY]);
		expect(mask(`${KEY} and ${encodeURIComponent(KEY)}`)).toBe('*** and ***');
		const value = { a: [KEY, 1, null], b: { c: `x ${KEY}` } };
		expect(withoutSecrets(value, mask)).toEqual({ a: ['***', 1, null], b: { c: 'x ***' } });
	});

	test('hides a key of eight characters, and leaves a shorter one alone, which could stand in any text', () => {
		expect(maskOf(['12345678'])('x 12345678')).toBe('x ***');
		expect(maskOf(['short'])('a short text')).toBe('a short text');
	});
});

describe('a connection', () => {
	const connected = (changes: IDataObject, response: unknown = {}) =>
		connectionWith(
			linkService,
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

	test('shares its limiter with those of the same address and key', () => {
		const { limiter } = connected({});
		const header = { extraHeaderName: 'X-A', extraHeaderValue: 'a' };
		const others = [{ baseUrl: `${FILLED.baseUrl}/` }, header, { apiKey: 'b' }];
		expect(others.map((changes) => connected(changes).limiter === limiter)).toEqual([
			true,
			true,
			false,
		]);
	});
});
