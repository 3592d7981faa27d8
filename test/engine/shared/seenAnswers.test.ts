import type { IDataObject } from 'n8n-workflow';

import type { OrderedResponse } from '../../../sandbox/faults.ts';
import { testCredential } from '../helpers/engine.ts';
import { triggersOf } from '../helpers/trigger.ts';
import type { StageResult } from '../helpers/support.ts';
import { Stage, byId, like, onStage } from '../helpers/support.ts';

/** What later rows say: nothing of the row that failed. */
const notSent = (reason: string): string =>
	`Not sent: the service ${reason}. Run the items that were not sent again later.`;

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

/** Makes the service refuse whatever is asked. */
function refuseAll({ sandbox }: Stage, message: string): void {
	sandbox.faults.add({ kind: 'respond', times: 99, status: 403, body: { error: 1, message } });
}

async function credentialTestOf(
	stage: Stage,
	changes: Record<string, string> = {},
): Promise<string> {
	const credential = { ...stage.credentials.linkManagementApi, ...changes };
	return (await testCredential('linkManagement', 'linkManagementApi', credential)).message;
}

describe('where everything is refused with 403 because of the account', () => {
	const stage = onStage(new Stage());
	const words = 'Please activate your account.';
	const message = `${words} The API key is right. Check in the service that the account is active and its plan includes the API.`;

	test('one request is enough to say so for every row, and of the credential', async () => {
		refuseAll(stage, words);
		const result = await makeCampaigns(stage, ['a', 'b', 'c']);
		expect(result.json.map(({ error }) => error)).toEqual([
			message,
			notSent('refused the account'),
			notSent('refused the account'),
		]);
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
	const stage = onStage(new Stage());

	test('only its row fails, and the account is asked at each fifth in a row', async () => {
		const made = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const ids = [1, 2, 3, 4, 5].map((id) => 99_990 + id);
		for (const id of ids) {
			const body = { error: 1, message: `There is no link with the id ${id}.` };
			stage.sandbox.faults.add({ kind: 'respond', path: `/api/url/${id}`, status: 403, body });
		}
		const result = await readLinks(stage, [...ids, made]);
		const error = like(/^There is no link .* Check the ID, the API key and the permissions/);
		expect(result.json).toMatchObject([...ids.map(() => ({ error })), { id: made }]);
		expect(requestsOf(result).filter((request) => request === ACCOUNT)).toHaveLength(1);
	});
});

describe('where the words for a refused key say nothing', () => {
	const stage = onStage(new Stage());
	beforeEach(() => refuseAll(stage, 'Access denied.'));

	test('the account settles it at the fifth, and the run ends', async () => {
		const names = ['a', 'b', 'c', 'd', 'e', 'f'];
		const result = await makeCampaigns(stage, names);
		const errors = result.json.map(({ error }) => error);
		expect(errors.slice(4)).toEqual([
			like(/^Access denied\. Check the API key in/),
			notSent('refused the API key'),
		]);
		expect(requestsOf(result).at(-1)).toBe(ACCOUNT);
		expect(requestsOf(result)).toHaveLength(6);
	});

	test('the credential test names the key, and so do a dropdown and a trigger', async () => {
		expect(await credentialTestOf(stage)).toMatch(/^Access denied\. Check the API key in/);
		const words = /Check the ID, the API key and the permissions of its account/;
		const opened = stage.search('searchCampaigns');
		await expect(opened).rejects.toMatchObject({ description: like(words) });
		const trigger = triggerOn(stage, { event: 'linkCreated' });
		await expect(trigger.activate()).rejects.toMatchObject({ message: like(words) });
	});
});

describe('where the service says "A valid API key is required" with status 200', () => {
	const stage = onStage(new Stage({ keyRefused: '200' }));

	test('it is about the key, and the run ends', async () => {
		const result = await makeCampaigns(stage, ['a', 'b'], { apiKey: 'mistyped' });
		const error = like(/^A valid API key is required to use this service\. Check the API key/);
		expect(result.json.map((row) => row.error)).toEqual([error, notSent('refused the API key')]);
		expect(result.requests).toHaveLength(1);
	});
});

describe('where a web server removes the Authorization header', () => {
	const stage = onStage(new Stage());

	test('the service sees no key, and the credential test names it', async () => {
		expect(await credentialTestOf(stage, { apiKey: 'unseen' })).toMatch(
			/^A valid API key is required .*\. Check the API key .* remove the Authorization header/,
		);
	});
});

describe('where something stands before the service', () => {
	const stage = onStage(new Stage());

	test('node and credential test say what may help', async () => {
		const page = { headers: { 'content-type': 'text/html' }, body: '<html>' };
		stage.sandbox.faults.add({ kind: 'respond', times: 2, ...page });
		const said = /a web page.* an 'Extra Header' in the credential may/;
		expect((await readLinks(stage, [1])).json).toMatchObject([{ error: like(said) }]);
		expect(await credentialTestOf(stage)).toMatch(said);
	});
});

describe('a response that looks like another', () => {
	const stage = onStage(new Stage());
	const respond = (response: OrderedResponse) =>
		stage.sandbox.faults.add({ kind: 'respond', ...response });

	test('JSON declared as JavaScript is read', async () => {
		respond({
			headers: { 'content-type': 'application/javascript' },
			body: JSON.stringify({ error: 0, data: { id: 7, email: 'ann@example.com' } }),
		});
		expect((await stage.link('account.get')).json).toMatchObject([{ id: 7 }]);
	});

	test("Laravel's 422 is a failure in its own words", async () => {
		const message = 'The url field is required.';
		respond({ status: 422, body: { message, errors: { url: [message] } } });
		const { error } = await stage.link('link.create', { url: 'https://example.com/' });
		expect(error).toMatchObject({ message, httpCode: '422' });
	});

	test('words of other failures within a message lead to no advice about the key or the limit', async () => {
		const message = 'Unauthorized? Too many requests? There is no such link.';
		respond({ status: 404, body: { error: 1, message } });
		const { error, requests } = await stage.link('link.get', { linkId: byId(7) });
		expect(error).toMatchObject({ message, description: like(/^(?!.*(API key|limit))/) });
		expect(requests).toHaveLength(1);
	});
});
