import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import { type Connection, connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { credentialOf } from '../../../../dist/nodes/shared/http/credential.js';
import type { RateLimiter } from '../../../../dist/nodes/shared/http/rateLimiter.js';
import { redactorFor } from '../../../../dist/nodes/shared/values/redaction.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What the fields of a credential mean, and which requests share a rate limit. */

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
});

test('a key is masked as it is, and as an address holds it, unless it could stand in any text', () => {
	expect(redactorFor([KEY])(`${KEY} and ${encodeURIComponent(KEY)}`)).toBe('*** and ***');
	expect(redactorFor(['12345678', 'short'])('x 12345678, short')).toBe('x ***, short');
});

const connected = (changes: IDataObject, service = linkService) =>
	connectionWith(service, { ...FILLED, ...changes } as never, async () => await Promise.resolve());

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
