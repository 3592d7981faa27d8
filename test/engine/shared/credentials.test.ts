import type { IDataObject } from 'n8n-workflow';

import { Stage, like, newDomain, onStage } from '../helpers/support.ts';

/** What is entered in the credentials: the test that runs when they are saved, and what operations make of it. */

const stage = onStage(new Stage());

const OK = { status: 'OK', message: 'Connection successful!' };

/** The tests of both credentials. */
async function testsOf(changes: IDataObject) {
	stage.sandbox.clearRequests();
	return [
		await stage.testCredential('linkManagement', changes),
		await stage.testCredential('store', changes),
	];
}

test('a right credential passes its test, in two requests', async () => {
	expect(await testsOf({})).toEqual([OK, OK]);
	expect(stage.sent().map(({ request }) => request)).toEqual([
		'GET /api/account',
		'GET /api/urls',
		'GET /api/account/details',
	]);
});

test('the test of a credential says where new links are, if that is elsewhere', async () => {
	await using other = await Stage.opened({ mainDomain: 'other' });
	expect(await other.testCredential('linkManagement')).toEqual(OK);
	await other.make('/api/url/add', { url: 'https://example.com/' });
	expect(await other.testCredential('linkManagement')).toEqual({
		status: 'Error',
		message:
			"The key works, but new links of this account are on main.example.net. Enter main.example.net as 'Short Link Domain'.",
	});
	for (const shortDomain of ['main.example.net', 'https://main.example.net/'])
		expect(await other.testCredential('linkManagement', { shortDomain })).toEqual(OK);
});

test('links on branded domains alone say nothing about links without a domain', async () => {
	const domain = await newDomain(stage);
	await stage.make('/api/url/add', { url: 'https://example.com/', domain });
	expect(await testsOf({})).toEqual([OK, OK]);
});

test('a wrong key fails the test, however the service says so', async () => {
	await using other = await Stage.opened({ keyRefused: '200' });
	const result = await other.testCredential('linkManagement', { apiKey: 'wrong' });
	const message = like(/Check the API key in the credential/);
	expect(result).toEqual({ status: 'Error', message });
});

test('a key that is limited to some resources works, but may not read the account', async () => {
	const message = 'This key may not use this resource.';
	for (const path of ['/api/account', '/api/campaigns'])
		stage.sandbox.faults.add({ kind: 'respond', path, body: { error: true, message }, times: 9 });
	expect(await stage.testCredential('linkManagement')).toEqual(OK);
	for (const [operation, count] of [
		['account.get', 1],
		['campaign.getAll', 2],
	] as const) {
		const { error, requests } = await stage.link(operation);
		expect(error?.message).toBe(message);
		// A list is asked for once more without a limit, with no smaller ones.
		expect(requests).toHaveLength(count);
	}
});

test.each<[changes: IDataObject, message: RegExp]>([
	[{ apiKey: 'mistyped' }, /API key/i],
	[{ apiKey: 'two words' }, /API key/i],
	[{ timezone: 'Europe/Berln' }, /time zone.*Europe\/Berln/i],
	[{ extraHeaderName: 'Cookie:', extraHeaderValue: 'a=1' }, /Header name.*cookie:/i],
	...['ftp://links.example.com', '', 'http://'].map((baseUrl): [IDataObject, RegExp] => [
		{ baseUrl },
		/^'Base URL' is not a web address/,
	]),
])('%j fails the test, which says so, as does every operation', async (changes, said) => {
	const message = like(said);
	const failed = { status: 'Error', message };
	expect(await testsOf(changes)).toEqual([failed, failed]);
	if ('timezone' in changes) return;
	const { error } = await stage.link('account.get', {}, { credential: changes });
	expect(error).toMatchObject({ message });
	if (!('apiKey' in changes)) expect(stage.sent()).toEqual([]);
});

test('the address of a web page fails the test, which says so', async () => {
	const baseUrl = `${stage.sandbox.linkUrl}/somewhere`;
	const message = like(/got a web page \(status 404\)\. .*[Cc]heck the base URL/i);
	const failed = { status: 'Error', message };
	expect(await testsOf({ baseUrl })).toEqual([failed, failed]);
});
