import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	checkedTimeZone,
	headerName,
	parseCredential,
} from '../../../../dist/nodes/shared/http/credential.js';
import { explanationOf } from '../../helpers/explanation.ts';

/** What the fields of a credential mean, and which are refused. */

const FILLED = { baseUrl: 'https://go.example.com', apiKey: 'key-1' };

const parsed = (changes: ICredentialDataDecryptedObject, documentedLimit?: number) =>
	parseCredential({ ...FILLED, ...changes }, documentedLimit);

test('what is not filled in has a default', () => {
	expect(parsed({})).toStrictEqual({
		baseUrl: 'https://go.example.com',
		apiKey: 'key-1',
		requestsPerMinute: 0,
		timezone: 'UTC',
		isForOwnNodes: false,
		invalidCodeMessage: undefined,
		knownValidCode: undefined,
		extraHeader: {},
		secrets: ['key-1'],
	});
	expect(parsed({ requestsPerMinute: '' }, 30).requestsPerMinute).toBe(30);
});

test('what is filled in is read', () => {
	expect(
		parsed({
			apiKey: ' key-2 ',
			timezone: 'Europe/Berlin',
			allowedHttpRequestDomains: 'none',
			invalidCodeMessage: 'Nope',
			knownValidCode: 'code-1',
			requestsPerMinute: 12.7,
		}),
	).toMatchObject({
		apiKey: 'key-2',
		timezone: 'Europe/Berlin',
		isForOwnNodes: true,
		invalidCodeMessage: 'Nope',
		knownValidCode: 'code-1',
		requestsPerMinute: 12,
	});
});

test.each([
	['https://go.example.com/', 'https://go.example.com'],
	['http://go.example.com', 'http://go.example.com'],
	['HTTPS://Go.Example.com/Links//', 'https://go.example.com/Links'],
	['https://go.example.com/links/API/', 'https://go.example.com/links'],
	['https://go.example.com/api?x=1#y', 'https://go.example.com'],
	['https://go.example.com:8443/v1', 'https://go.example.com:8443/v1'],
	['https://go.example.com/myapi', 'https://go.example.com/myapi'],
])('the base URL %s is %s', (baseUrl, read) => {
	expect(parsed({ baseUrl }).baseUrl).toBe(read);
});

const EXAMPLE = 'Enter it in the credential like https://www.example.com.';

test.each([
	['', `The base URL is empty. ${EXAMPLE}`],
	['go.example.com', `The base URL "go.example.com" has no http:// or https://. ${EXAMPLE}`],
	['go.https://x', `The base URL "go.https://x" has no http:// or https://. ${EXAMPLE}`],
	['https://', `The base URL "https://" is not a web address. ${EXAMPLE}`],
	[
		'https://a\u0007b.example',
		`The base URL "https://a\\u0007b.example" is not a web address. ${EXAMPLE}`,
	],
	[
		'go.example.com?key=secret',
		`The base URL "go.example.com" has no http:// or https://. ${EXAMPLE}`,
	],
	['https://ann:pw@go.example.com', `The base URL contains a user name or password. ${EXAMPLE}`],
	['https://ann@go.example.com', `The base URL contains a user name or password. ${EXAMPLE}`],
	['ann:pw@go.example.com', `The base URL contains a user name or password. ${EXAMPLE}`],
])('the base URL %j is refused', (baseUrl, explanation) => {
	expect(explanationOf(() => parsed({ baseUrl }))).toBe(explanation);
});

test.each([
	['all', '', true],
	['domains', 'go.example.com', true],
	['domains', ' other.example , GO.example.com', true],
	['domains', '*.example.com', true],
	['domains', 'example.com', false],
	['domains', '*.go.example.com', false],
	['domains', '', false],
])(
	'with Allowed HTTP Request Domains %s (%s), go.example.com is allowed: %s',
	(allowed, domains, isAllowed) => {
		const restriction = { allowedHttpRequestDomains: allowed, allowedDomains: domains };
		expect(explanationOf(() => parsed(restriction))).toBe(
			isAllowed
				? 'none'
				: 'The Allowed Domains of the credential do not include go.example.com, the host of its base URL. Add it there, or set Allowed HTTP Request Domains to All.',
		);
	},
);

const unusable = (what: string) =>
	`${what} has a line break, a backslash or another character that is not allowed, or more than 2000 characters. Copy it into the credential again.`;

test.each([
	['', 'The API key is empty. Enter it in the credential.'],
	['a b', unusable('The API key')],
	['a\nb', unusable('The API key')],
	['a\\b', unusable('The API key')],
	['ä', unusable('The API key')],
	['x'.repeat(2001), unusable('The API key')],
	['x'.repeat(2000), 'none'],
	['!"#$%&~[]', 'none'],
])('the key %j', (apiKey, explanation) => {
	expect(explanationOf(() => parsed({ apiKey }))).toBe(explanation);
});

test('an extra header is sent, and its long values are secret', () => {
	const withHeader = (extraHeaderValue: string) =>
		parsed({ extraHeaderName: 'X-Proxy', extraHeaderValue });
	expect(withHeader('short').extraHeader).toEqual({ 'X-Proxy': 'short' });
	expect(withHeader('short').secrets).toEqual(['key-1']);
	const long = 'abcdefghijklmnop';
	expect(withHeader(long).secrets).toEqual(['key-1', long]);
	expect(withHeader(`Bearer ${long}`).secrets).toEqual(['key-1', `Bearer ${long}`, long]);
	expect(withHeader(`session=${long}`).secrets).toEqual(['key-1', `session=${long}`, long]);
	expect(withHeader('Basic abcdefghijklmno').secrets).toEqual(['key-1', 'Basic abcdefghijklmno']);
});

test.each([
	[
		{ extraHeaderName: 'X-A' },
		'Extra Header Value is empty. Fill in both fields of the extra header in the credential, or neither.',
	],
	[
		{ extraHeaderValue: 'a' },
		'Extra Header Name is empty. Fill in both fields of the extra header in the credential, or neither.',
	],
	[{ extraHeaderName: 'X-A', extraHeaderValue: 'a\nb' }, unusable('The value of the extra header')],
	[
		{ extraHeaderName: 'Host', extraHeaderValue: 'a' },
		'The extra header cannot be named "Host". HTTP reserves that name; enter another one.',
	],
	[
		{ extraHeaderName: 'X A', extraHeaderValue: 'a' },
		'The extra header cannot be named "X A". Use letters, digits, _ and -.',
	],
])('the extra header %j is refused', (fields, explanation) => {
	expect(explanationOf(() => parsed(fields))).toBe(explanation);
});

test.each(['host', 'Content-Length', 'proxy-authorization', '__proto__', 'TE', 'a:b', 'ä', ''])(
	'no header is named %j',
	(name) => {
		expect(explanationOf(() => headerName('header', name))).toMatch(/^The header cannot be named/);
	},
);

test.each(['X-Host', 'te-st', "a!#$%&'*+.^`|~_-", 'Authorization'])(
	'a header may be named %s',
	(name) => {
		expect(headerName('header', name)).toBe(name);
	},
);

test.each([
	[0, 0],
	['0', 0],
	[0.4, 1],
	['45', 45],
	[undefined, 30],
	[null, 30],
])('%j requests per minute are %i', (requestsPerMinute, read) => {
	const data = { requestsPerMinute } as ICredentialDataDecryptedObject;
	expect(parsed(data, 30).requestsPerMinute).toBe(read);
});

test.each([-1, 'many', Number.NaN, Infinity])(
	'%j requests per minute are refused',
	(requestsPerMinute) => {
		expect(explanationOf(() => parsed({ requestsPerMinute }))).toMatch(
			/^Requests per Minute must be 0 or more, but is .*\. Enter a whole number in the credential, or 0 for no limit\.$/,
		);
	},
);

test('a time zone is an IANA name', () => {
	expect(checkedTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
	expect(explanationOf(() => checkedTimeZone('Berlin'))).toBe(
		'Service Time Zone must be a time zone, but is "Berlin". Enter its IANA name in the credential, as in Europe/Berlin.',
	);
});
