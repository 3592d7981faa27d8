import type { Fault } from '../../../sandbox/faults.ts';
import { triggersOf } from '../helpers/trigger.ts';
import { Stage, byId, like, onStage } from '../helpers/support.ts';

/** Answers of installations that others have seen, and what users read of them. What each means, the unit tests show. */

const stage = onStage(new Stage());

const respond = (response: Omit<Fault, 'kind'>) =>
	stage.sandbox.faults.add({ kind: 'respond', ...response });

const credentialTestOf = async (changes = {}): Promise<string> =>
	(await stage.testCredential('linkManagement', changes)).message;

/** Makes a campaign for each of these names, and goes on after a failure. @returns the errors, and what was requested */
async function makeCampaigns(...names: string[]) {
	const rows = names.map((name) => ({ name }));
	const given = { rows, settings: { onError: 'continueRegularOutput' } } as const;
	const parameters = { campaignName: '={{ $json.name }}' };
	const { json, requests } = await stage.link('campaign.create', parameters, given);
	return [json.map(({ error }) => error), requests.map(({ request }) => request)];
}

/** What later rows say: nothing of the row that failed. */
const notSent = (reason: string): string =>
	`Not sent: the service ${reason}. Run the items that were not sent again later.`;

const CREATE = 'POST /api/campaign/add';

test('where the words for a refused key say nothing, five rows end the run', async () => {
	respond({ times: 99, status: 403, body: { error: 1, message: 'Access denied.' } });
	const [errors = [], requests] = await makeCampaigns('a', 'b', 'c', 'd', 'e', 'f');
	expect(errors.slice(4)).toEqual([
		like(/^Access denied\. Check the API key in the credential, what its account and plan may do/),
		'Not sent: the service gave no usable response 5 times in a row. Run the items that were not sent again later.',
	]);
	expect(requests).toEqual([CREATE, CREATE, CREATE, CREATE, CREATE]);
});

test('where the words for a refused key say nothing, credential test, dropdown and trigger name the key', async () => {
	respond({ times: 99, status: 403, body: { error: 1, message: 'Access denied.' } });
	expect(await credentialTestOf()).toMatch(
		/^Access denied\. Check the API key in .* may be mistyped/,
	);
	const words = /Check the API key in the credential, what its account and plan may do/;
	const opened = stage.search('searchCampaigns');
	await expect(opened).rejects.toMatchObject({ description: like(words) });
	const trigger = triggersOf('linkManagementTrigger')(stage, { event: 'linkCreated' });
	await expect(trigger.activate()).rejects.toMatchObject({ message: like(words) });
});

test('where a web server removes the Authorization header, the credential test names it', async () => {
	expect(await credentialTestOf({ apiKey: 'unseen' })).toMatch(
		/^A valid API key is required .*\. Check the API key .* remove the Authorization header/,
	);
});

test('where something stands before the service, node and credential test say what may help', async () => {
	respond({ times: 2, headers: { 'content-type': 'text/html' }, body: '<html>' });
	const said = /a web page.* 'Extra Header Value' in the credential may/;
	const { error } = await stage.link('link.get', { linkId: byId(1) });
	expect([error?.message, error?.description].join('. ')).toMatch(said);
	expect(await credentialTestOf()).toMatch(said);
});

test('JSON declared as JavaScript is read', async () => {
	respond({
		headers: { 'content-type': 'application/javascript' },
		body: JSON.stringify({ error: 0, data: { id: 7, email: 'ann@example.com' } }),
	});
	expect((await stage.link('account.get')).json).toMatchObject([{ id: 7 }]);
});
