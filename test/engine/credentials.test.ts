import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { testCredential } from './engine.ts';
import { Stage, like, onStage } from './support.ts';

/** What is entered in the credentials: the test that runs when they are saved, and what operations make of it. */

const stage = onStage(new Stage());

/** The tests of both credentials. */
async function testsOf(changes: IDataObject) {
	const { linkManagementApi, storeApi } = stage.credentials;
	const link = { ...linkManagementApi, ...changes } as ICredentialDataDecryptedObject;
	const store = { ...storeApi, ...changes } as ICredentialDataDecryptedObject;
	stage.sandbox.clearRequests();
	return [
		await testCredential('linkManagement', 'linkManagementApi', link),
		await testCredential('store', 'storeApi', store),
	];
}

test.each([
	(url: string) => url,
	(url: string) => `${url}//`,
	(url: string) => `  ${url}/api/  `,
	(url: string) => `${url.replace('http', 'HTTP')}/`,
])('a base URL works with slashes, /api and blanks around it: %s', async (write) => {
	const links = { baseUrl: write(stage.sandbox.linkUrl) };
	const { json, requests } = await stage.link('account.get', {}, { credential: links });
	expect(json).toHaveLength(1);
	expect(requests.map(({ request }) => request)).toEqual(['GET /api/account']);
	const shop = { baseUrl: write(stage.sandbox.storeUrl) };
	expect((await stage.store('account.get', {}, { credential: shop })).json).toHaveLength(1);
});

test('a right credential passes its test, in one request', async () => {
	for (const result of await testsOf({})) expect(result.status).toBe('OK');
	expect(stage.sent().map(({ request }) => request)).toEqual([
		'GET /api/account',
		'GET /api/account/details',
	]);
});

test.each([
	['links.example.com', /^The base URL "links\.example\.com" has no http:\/\/ or https:\/\//],
	['', /^The base URL is empty/],
	['http://', /^The base URL "http:\/\/" is no web address/],
])(
	'the base URL %j fails the test, which says so, and every operation',
	async (baseUrl, message) => {
		for (const result of await testsOf({ baseUrl })) {
			expect(result).toEqual({ status: 'Error', message: like(message) });
		}
		const { error } = await stage.link('account.get', {}, { credential: { baseUrl } });
		expect(error?.message).toMatch(message);
		expect(stage.sent()).toEqual([]);
	},
);

test.each(['mistyped', 'two words', ''])(
	'the key %j fails the test, which says so',
	async (apiKey) => {
		for (const result of await testsOf({ apiKey })) {
			expect(result).toEqual({ status: 'Error', message: like(/API key/i) });
		}
	},
);

test('the base URL of another server fails the test, which says what came', async () => {
	for (const result of await testsOf({ baseUrl: `${stage.sandbox.linkUrl}/somewhere` })) {
		expect(result).toEqual({ status: 'Error', message: like(/a web page came \(status 404\)/) });
	}
});
