import type { ICredentialType, IDataObject, INodeParameters } from 'n8n-workflow';
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
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What the fields of a credential mean, which requests get the key, and where it is redacted. */

const KEY = 'k3y/with+signs';
const FILLED = { baseUrl: 'https://go.example.com/links', apiKey: KEY };
const parsed = (changes: IDataObject) => credentialOf({ ...FILLED, ...changes } as never);

testReaders({
	'a base URL, which no message repeats': {
		read: (baseUrl) => parsed({ baseUrl: String(baseUrl) }).baseUrl,
		takes: [
			[' HTTPS://Go.Example.com/Links//\n', 'https://go.example.com/Links'],
			['https://go.example.com/links/API/', 'https://go.example.com/links'],
			['https://go.example.com/links/api/purchases/validation', 'https://go.example.com/links'],
			['https://go.example.com:8443/api?x=1#y', 'https://go.example.com:8443'],
			...all(['go.example.com', '“https://go.example.com/”\u200b'], 'https://go.example.com'),
			['localhost:5679/links', 'https://localhost:5679/links'],
		],
		refuses: [
			...['', 'htp://go.example.com', 'https://', 'https://ann:pw@go.example.com'],
			...['ann:pw@go.example.com', 'https://ann@go.example.com', 'ht\ntps://a.b'],
		],
		saying: /^'Base URL' is not a web address\. Enter it in the credential like https:\/\/www/,
	},
	'requests per minute': {
		read: (requestsPerMinute) => parsed({ requestsPerMinute } as never).requestsPerMinute,
		takes: [...same(0), [0.4, 1], ['45', 45], ...all([undefined, -1, 'many'], undefined)],
	},
	'a key': {
		read: (apiKey) => parsed({ apiKey: String(apiKey) }).apiKey,
		takes: [
			...all([`Authorization: bearer "${KEY}"`, `“${KEY}” `, `Bearer: ${KEY}`, `«${KEY}»`], KEY),
			...all([`Bearer ${KEY}`, `'${KEY}'\n`, `\u200b${KEY}\u200b`], KEY),
			...same('bearer-1', 'Bearer1', 'api_key_1', '-H1'),
		],
		refuses: ['', ' ', '""'],
		saying: /^The API key is empty\./,
	},
});

test('a credential keeps its secrets, and takes several messages', () => {
	const extra = { extraHeaderName: 'Cookie', extraHeaderValue: 'a=1' };
	expect(parsed({ ...extra, invalidCodeMessage: 'No\r\nNope\n' })).toMatchObject({
		extraHeader: { Cookie: 'a=1' },
		secrets: ['a=1', KEY],
		invalidCodeMessages: ['No', 'Nope'],
	});
	expect(() => parsed({ extraHeaderName: '', extraHeaderValue: 'secret' })).toThrow(
		/^'Extra Header Name' is empty, but 'Extra Header Value' is not$/,
	);
});

/** The fields that n8n reads of a filled credential. */
function knownFields({ properties }: ICredentialType, choices: INodeParameters): string[] {
	const set: INodeParameters = Object.fromEntries(properties.map(({ name }) => [name, 'set']));
	const data = { ...set, ...choices };
	return Object.keys(
		NodeHelpers.getNodeParameters(properties, data, true, false, null, null) ?? {},
	);
}

test.each([new LinkManagementApi(), new StoreApi()])(
	'$name has only address and key, unless More Settings is on',
	(type) => {
		const few = ['baseUrl', 'apiKey', 'moreSettings'];
		expect(knownFields(type, { moreSettings: false })).toEqual(few);
		const more = knownFields(type, { moreSettings: true, apiKeyLocation: 'body' });
		expect(more).toEqual(expect.arrayContaining(['requestsPerMinute', 'extraHeaderValue']));
		expect(more).not.toContain('apiKeyHeader');
	},
);

test('a request with the key is a copy, which follows no redirect in either of n8n’s HTTP clients', () => {
	const keyed = (url: string) =>
		keyedRequest(FILLED, { url }, { to: 'headers', name: 'Authorization' });
	expect(keyed('/api/urls')).toMatchObject({
		url: 'https://go.example.com/links/api/urls',
		uri: 'https://go.example.com/links/api/urls',
		headers: { authorization: KEY },
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
	expect(() => keyed('https://ann:pw@evil.example/links?key=1')).toThrow(
		/ only, not to https:\/\/evil\.example\/links$/,
	);
});

test('a key is hidden as it is, and as an address holds it, in texts and in members', () => {
	const mask = redactorFor([KEY]);
	expect(mask(`${KEY} and ${encodeURIComponent(KEY)}`)).toBe('*** and ***');
	const value = { a: [KEY, 1, null], b: { c: `x ${KEY}` } };
	expect(redactDeep(value, mask)).toEqual({ a: ['***', 1, null], b: { c: 'x ***' } });
	expect(redactorFor(['12345678'])('x 12345678')).toBe('x ***');
	// It could stand in any text.
	expect(redactorFor(['short'])('a short text')).toBe('a short text');
});

const connected = (changes: IDataObject, service = linkService, response: unknown = {}) =>
	connectionWith(
		service,
		{ ...FILLED, ...changes } as never,
		async () => await Promise.resolve(response),
	);

test('the key is masked in what comes', async () => {
	const response = { statusCode: 200, headers: { location: `/${KEY}` }, body: { a: KEY } };
	const { sendOnce } = connected({}, linkService, response);
	expect(await sendOnce({ method: 'GET', path: '/x' }, 700)).toEqual({
		statusCode: 200,
		headers: { location: '/***' },
		body: { a: '***' },
	});
});

/** The limiter of a connection, after a request. */
async function used({ limiter, pace }: Connection): Promise<RateLimiter> {
	(await limiter.acquire({ pace, urgent: false, until: Infinity }))?.();
	return limiter;
}

test('all with one address and key share a limiter until nobody uses it, and all of a store', async () => {
	jest.useFakeTimers();
	const limiter = await used(connected({}));
	expect(connected({ baseUrl: `${FILLED.baseUrl}/` }).limiter).toBe(limiter);
	expect(connected({ extraHeaderName: 'X-A', extraHeaderValue: 'a' }).limiter).toBe(limiter);
	expect(connected({ apiKey: 'b' }).limiter).not.toBe(limiter);
	jest.advanceTimersByTime(25 * 3_600_000);
	expect(connected({}).limiter).not.toBe(limiter);
	jest.useRealTimers();
	const ofStore = await used(connected({ apiKey: 'one' }, storeService));
	expect(connected({ apiKey: 'other' }, storeService).limiter).toBe(ofStore);
});
