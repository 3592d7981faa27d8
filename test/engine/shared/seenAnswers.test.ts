import type { Fault } from '../../../sandbox/faults.ts';
import { triggersOf } from '../helpers/trigger.ts';
import { Stage, byId, like, onStage } from '../helpers/support.ts';

/** Answers of installations that others have seen, and what users read of them. What each means, the unit tests show. */

const stage = onStage(new Stage());

const respond = (response: Omit<Fault, 'kind'>) =>
	stage.sandbox.faults.add({ kind: 'respond', times: 99, ...response });

const credentialTestOf = async (changes = {}): Promise<string> =>
	(await stage.testCredential('linkManagement', changes)).message;

test('where the words for a refused key say nothing, credential test, dropdown and trigger name the key', async () => {
	respond({ status: 403, body: { error: 1, message: 'Access denied.' } });
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
	respond({ headers: { 'content-type': 'text/html' }, body: '<html>' });
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

const shorturl = 'https://go.example/one';

test.each([
	['link.get', { linkId: byId(7) }, { id: 8, details: { shorturl } }, 'link'],
	['link.get', { linkId: byId(7) }, { details: { shorturl: null } }, 'link'],
	['qrCode.get', { qrCodeId: byId(7) }, { details: { id: 0 }, data: { clicks: 0 } }, 'QR code'],
])('%s %j: the details in %j are of another record', async (operation, given, body, what) => {
	respond({ body: { error: 0, ...body } });
	const { error } = await stage.link(operation, given);
	expect(error?.message).toBe(`There is no ${what} with the ID 7`);
});
