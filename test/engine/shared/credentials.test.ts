import type { IDataObject } from 'n8n-workflow';

import { Stage, like, newDomain, onStage } from '../helpers/support.ts';

/** What is entered in the credentials: the test that runs when they are saved, and what operations make of it. */

const stage = onStage(new Stage());

/** The tests of both credentials. */
async function testsOf(changes: IDataObject) {
	stage.sandbox.clearRequests();
	return [
		await stage.testCredential('linkManagement', changes),
		await stage.testCredential('store', changes),
	];
}

test('a right credential passes its test, in two requests', async () => {
	for (const result of await testsOf({})) expect(result.status).toBe('OK');
	expect(stage.sent().map(({ request }) => request)).toEqual([
		'GET /api/account',
		'GET /api/urls',
		'GET /api/account/details',
	]);
});

test('the test of a credential says where new links are, if that is elsewhere', async () => {
	await using other = await Stage.opened({ mainDomain: 'other' });
	expect(await other.testCredential('linkManagement')).toMatchObject({ status: 'OK' });
	await other.make('/api/url/add', { url: 'https://example.com/' });
	expect(await other.testCredential('linkManagement')).toEqual({
		status: 'Error',
		message:
			"The key works, but new links of this account are on main.example.net. Enter main.example.net as 'Short Link Domain'.",
	});
	for (const shortDomain of ['main.example.net', 'https://main.example.net/'])
		expect(await other.testCredential('linkManagement', { shortDomain })).toMatchObject({
			status: 'OK',
		});
});

test('links on branded domains alone say nothing about links without a domain', async () => {
	await using other = await Stage.opened();
	const domain = await newDomain(other);
	await other.make('/api/url/add', { url: 'https://example.com/', domain });
	expect(await other.testCredential('linkManagement')).toMatchObject({ status: 'OK' });
});

test.each(['ftp://links.example.com', '', 'http://'])(
	'the base URL %j fails the test, which says so, and every operation',
	async (baseUrl) => {
		const message = like(/^'Base URL' is not a web address/);
		for (const result of await testsOf({ baseUrl })) {
			expect(result).toEqual({ status: 'Error', message });
		}
		const { error } = await stage.link('account.get', {}, { credential: { baseUrl } });
		expect(error).toMatchObject({ message });
		expect(stage.sent()).toEqual([]);
	},
);

test('a header name that no header can have fails the test, and nothing is sent', async () => {
	const link = { extraHeaderName: 'Cookie:', extraHeaderValue: 'a=1' };
	const store = { apiKeyLocation: 'header', apiKeyHeader: 'X API Key' };
	stage.sandbox.clearRequests();
	for (const { status, message } of [
		await stage.testCredential('linkManagement', link),
		await stage.testCredential('store', store),
	]) {
		expect(status).toBe('Error');
		expect(message).toMatch(/^'(Extra )?Header Name' must be the name of a header/);
	}
	expect(stage.sent()).toEqual([]);
});

test('a key that is limited to some resources works, but may not read the account', async () => {
	await using limited = await Stage.opened({ keyScope: 'links' });
	expect(await limited.testCredential('linkManagement')).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	for (const [operation, count] of [
		['account.get', 1],
		['campaign.getAll', 2],
	] as const) {
		const { error, requests } = await limited.link(operation);
		expect(error?.message).toBe('This key may not use this resource.');
		// A list is asked for once more without a limit, with no smaller ones.
		expect(requests).toHaveLength(count);
	}
});

test.each<[what: string, changes: () => IDataObject, message: RegExp]>([
	['a mistyped key', () => ({ apiKey: 'mistyped' }), /API key/i],
	['a key of two words', () => ({ apiKey: 'two words' }), /API key/i],
	['a mistyped time zone', () => ({ timezone: 'Europe/Berln' }), /time zone.*Europe\/Berln/i],
	[
		'the address of a web page',
		() => ({ baseUrl: `${stage.sandbox.linkUrl}/somewhere` }),
		/got a web page \(status 404\)\. .*[Cc]heck the base URL/i,
	],
])('%s fails the test, which says so', async (_what, changes, message) => {
	for (const result of await testsOf(changes())) {
		expect(result).toEqual({ status: 'Error', message: like(message) });
	}
});
