import type {
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LinkManagementApi } from '../../../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../../../dist/credentials/StoreApi.credentials.js';
import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import { connect, connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { checkedTimeZone, parseCredential } from '../../../../dist/nodes/shared/http/credential.js';
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

	test('needs a key', () => {
		expect(() => parsed({ apiKey: ' ' })).toThrow('The API key is empty');
	});

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

	test('has a time zone by its IANA name', () => {
		expect(checkedTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
		expect(() => checkedTimeZone('Berlin')).toThrow('but is "Berlin"');
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
});

describe('a request with the key', () => {
	const IN_HEADER = { headers: { Authorization: `Bearer ${KEY}` } };
	const keyed = (
		request: IDataObject,
		place: Parameters<typeof keyedRequest>[2] = IN_HEADER,
		extraHeader: Record<string, string> = {},
	) =>
		keyedRequest({ ...parsed({}), extraHeader }, request as unknown as IHttpRequestOptions, place);

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

	test('has it in the query, in a JSON body or in form data', () => {
		const request = { url: '/x', qs: { page: 1 }, body: { a: 1, list: [1] } };
		expect(keyed(request, { qs: { api_key: KEY } }).qs).toEqual({ page: 1, api_key: KEY });
		const { body } = keyed(request, { body: { api_key: KEY } });
		expect(body).toEqual({ a: 1, list: [1], api_key: KEY });
		expect(keyed(request, { form: { api_key: 'k' } })).toMatchObject({
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: 'a=1&list=%5B1%5D&api_key=k',
		});
	});

	test('has the extra header in place of one of the same name', () => {
		const { headers } = keyed({ url: '/x' }, IN_HEADER, { authorization: 'Token a' });
		expect(headers).toEqual({ authorization: 'Token a' });
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

	test('leaves a short key alone, which could stand in any text', () => {
		expect(maskOf(['short'])('a short text')).toBe('a short text');
	});
});

describe('a connection', () => {
	const never = async () => await new Promise<never>(() => undefined);

	test('gives up a response that does not end', async () => {
		const { sendOnce } = connectionWith(linkService, FILLED, never);
		await expect(sendOnce({ method: 'GET', path: '/x' }, 5)).rejects.toThrow('timed out');
	});

	test('masks the key in what comes', async () => {
		const response = { statusCode: 200, headers: { location: `/${KEY}` }, body: { a: KEY } };
		const send = async () => await Promise.resolve(response);
		const { sendOnce } = connectionWith(linkService, FILLED, send);
		expect(await sendOnce({ method: 'GET', path: '/x' }, 700)).toEqual({
			statusCode: 200,
			headers: { location: '/***' },
			body: { a: '***' },
		});
	});

	test('shares its limiter with those of the same address and key, and what was read with none', () => {
		const changedTo = (changes: IDataObject) =>
			connectionWith(linkService, { ...FILLED, ...changes } as never, never);
		const own = changedTo({});
		const header = { extraHeaderName: 'X-A', extraHeaderValue: 'a' };
		const others = [{ baseUrl: `${FILLED.baseUrl}/` }, { apiKey: 'b' }, header].map(changedTo);
		expect(others.map(({ limiter }) => limiter === own.limiter)).toEqual([true, false, true]);
		expect(new Set([own, ...others].map(({ connectionKey }) => connectionKey)).size).toBe(4);
	});

	test('is the same for the same credential, of those who connect again and again', async () => {
		const known = new Map<string, Connection>();
		const connected = async (apiKey: string) => {
			const getCredentials = async () => await Promise.resolve({ ...FILLED, apiKey });
			const context = { getCredentials } as unknown as IPollFunctions;
			return await connect(context, linkService, {}, known);
		};
		const first = await connected('a');
		expect(await connected('a')).toBe(first);
		expect(await connected('b')).not.toBe(first);
	});
});
