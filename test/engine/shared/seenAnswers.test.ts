import type { IDataObject } from 'n8n-workflow';

import type { Dialect } from '../../../sandbox/dialects.ts';
import { testCredential } from '../helpers/engine.ts';
import { triggersOf } from '../helpers/trigger.ts';
import type { StageResult } from '../helpers/support.ts';
import { Stage, byId, like, onStage } from '../helpers/support.ts';

/** What later rows say: nothing of the row that failed. */
const NOT_SENT = like(
	/^Not sent, because the (account|API key) was refused( \(status \d+\))?\. See/,
);

/** Answers of installations that others have seen: what users read of them, and what is still sent. */

const triggerOn = triggersOf('linkManagementTrigger');

const ACCOUNT = 'GET /api/account';
const onError = 'continueRegularOutput';

const requestsOf = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);

/** Reads a link for each of these ids, and goes on after a failure. */
async function readLinks(stage: Stage, ids: number[], credential: IDataObject = {}) {
	const rows = ids.map((id) => ({ id }));
	const linkId = byId('={{ $json.id }}');
	return await stage.link('link.get', { linkId }, { rows, credential, settings: { onError } });
}

/** Makes a campaign for each of these names, and goes on after a failure. */
async function makeCampaigns(stage: Stage, names: string[], credential: IDataObject = {}) {
	const rows = names.map((name) => ({ name }));
	const name = '={{ $json.name }}';
	return await stage.link(
		'campaign.create',
		{ campaignName: name },
		{ rows, credential, settings: { onError } },
	);
}

async function credentialTestOf(
	stage: Stage,
	changes: Record<string, string> = {},
): Promise<string> {
	const credential = { ...stage.credentials.linkManagementApi, ...changes };
	return (await testCredential('linkManagement', 'linkManagementApi', credential)).message;
}

describe.each<[Dialect['apiAccess'], words: string]>([
	['no-permission', 'You do not have the permission to use the API'],
	['not-activated', 'Please activate your account'],
	['disabled', 'API service is disabled'],
])('where the API access is %s', (apiAccess, words) => {
	const stage = onStage(new Stage({ apiAccess }));
	const message = `${words}. The API key is right. Check in the service that the account is active and its plan includes the API.`;

	test('one request is enough to say so for every row, and of the credential', async () => {
		const result = await makeCampaigns(stage, ['a', 'b', 'c']);
		expect(result.json).toEqual([message, NOT_SENT, NOT_SENT].map((error) => ({ error })));
		expect(result.requests).toHaveLength(1);
		expect(await credentialTestOf(stage)).toBe(message);
	});
});

describe('where a failure is "error": true with status 200', () => {
	const stage = onStage(new Stage({ failureStatus: 'http200', errorMember: 'boolean' }));

	test('it is a failure, in the words of the service', async () => {
		await stage.make('/api/url/add', { url: 'https://example.com/', custom: 'taken' });
		const fields = { url: 'https://example.com/new', customAlias: 'taken' };
		const { error, json } = await stage.link('link.create', fields);
		expect(json).toEqual([]);
		expect(error).toMatchObject({ message: like(/taken/) });
	});
});

describe('where a record that is not there is answered with 403', () => {
	const stage = onStage(new Stage({ unknownRecord: '403' }));

	test('only its row fails, and the account is asked once for all rows', async () => {
		const made = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const result = await readLinks(stage, [99_998, made, 99_999]);
		const error = like(/^There is no link .*9999\d\. The API key works, but this is not allowed/);
		expect(result.json).toMatchObject([{ error }, { id: made }, { error }]);
		expect(requestsOf(result).filter((request) => request === ACCOUNT)).toHaveLength(1);
	});

	test('a dropdown finds the number in a name, and a trigger reads the other records', async () => {
		const make = async (custom: string) =>
			await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		const [gone, kept] = [await make('99999'), await make('kept')];
		const { results } = await stage.search('searchLinks', { filter: '99999' });
		expect(results).toMatchObject([{ value: gone }]);
		const links = { link: [gone, kept].map((id) => ({ linkId: byId(id) })) };
		const trigger = triggerOn(stage, { event: 'linkClicked', links });
		await trigger.activate();
		await stage.api(`DELETE /api/url/${gone}/delete`);
		stage.sandbox.links.addVisits('link', kept, 1);
		expect(await trigger.poll()).toMatchObject([{ id: kept, new_clicks: 1 }]);
		const description = like(/^The API key works, but this is not allowed/);
		await expect(trigger.test()).rejects.toMatchObject({ description });
	});
});

describe('where the words for a refused key say nothing', () => {
	const stage = onStage(new Stage({ keyRefused: '403', keyWords: 'vague' }));
	const message = like(/^Access denied\. Check the API key in the credential: it may be mistyped/);

	test('the account settles it, and the run ends', async () => {
		const credential = { apiKey: 'mistyped' };
		const result = await makeCampaigns(stage, ['a', 'b', 'c'], credential);
		expect(result.json).toEqual([message, NOT_SENT, NOT_SENT].map((error) => ({ error })));
		expect(requestsOf(result)).toEqual(['POST /api/campaign/add', ACCOUNT]);
		expect(await credentialTestOf(stage, credential)).toEqual(message);
	});

	test('a dropdown and a trigger name the key, too', async () => {
		stage.linkAccount.apiKey = 'mistyped';
		const description = like(/^Check the API key in the credential: it may be mistyped/);
		await expect(stage.search('searchCampaigns')).rejects.toMatchObject({ description });
		const trigger = triggerOn(stage, { event: 'linkCreated' });
		await expect(trigger.activate()).rejects.toMatchObject({ message });
	});
});

describe('where the service says "A valid API key is required" with status 200', () => {
	const stage = onStage(new Stage({ keyRefused: '200', keyWords: 'seen' }));

	test('it is about the key, and the run ends', async () => {
		const result = await makeCampaigns(stage, ['a', 'b'], { apiKey: 'mistyped' });
		const error = like(/^A valid API key is required to use this service\. Check the API key/);
		expect(result.json).toEqual([{ error }, { error: NOT_SENT }]);
		expect(result.requests).toHaveLength(1);
	});
});

describe('where a web server removes the Authorization header', () => {
	const stage = onStage(new Stage({ keyHeader: 'removed' }));

	test('the credential test names it', async () => {
		expect(await credentialTestOf(stage)).toMatch(
			/^A valid API key is required .*\. Check the API key .* remove the Authorization header/,
		);
	});
});

describe('where a page checks for bots', () => {
	const stage = onStage(new Stage({ botCheck: 'cookie' }));

	test('node and credential test say what may help', async () => {
		const said = /a web page that checks for bots.* or add an Extra Header to the credential/;
		expect((await readLinks(stage, [1])).json).toEqual([{ error: like(said) }]);
		expect(await credentialTestOf(stage)).toMatch(said);
	});

	test('an Extra Header lets node and credential test through', async () => {
		const cookie = { extraHeaderName: 'Cookie', extraHeaderValue: '__test=passed' };
		const { json } = await stage.link('account.get', {}, { credential: cookie });
		expect(json).toMatchObject([{ email: stage.email }]);
		expect(await credentialTestOf(stage, cookie)).toBe('Connection successful!');
	});
});

describe('where the Authorization header has the older form', () => {
	const stage = onStage(new Stage({ keyScheme: 'token' }));

	test('an Extra Header replaces it', async () => {
		const extraHeaderValue = `Token ${stage.linkAccount.apiKey}`;
		const token = { extraHeaderName: 'Authorization', extraHeaderValue };
		const { json } = await stage.link('account.get', {}, { credential: token });
		expect(json).toMatchObject([{ email: stage.email }]);
		expect(await credentialTestOf(stage, token)).toBe('Connection successful!');
	});
});
