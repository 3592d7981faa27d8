import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { callTool, runNode } from '../helpers/engine.ts';
import { byId, like, onStage, Stage } from '../helpers/support.ts';

/** The node as a tool of an AI agent, of which each call is a run of its own. */

const stage = onStage(new Stage());

/** The agent asks for these links, one after another, and the first answer is lost. */
async function loseFirst(settings: Partial<INode>, urls: string[]) {
	stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	return await createLinks(settings, urls);
}

async function createLinks(settings: Partial<INode>, urls: string[]) {
	stage.sandbox.clearRequests();
	const parameters = {
		resource: 'link',
		operation: 'create',
		url: "={{ $fromAI('url') }}",
	};
	const { linkManagementApi = {} } = stage.credentials;
	const given = { parameters, credentials: { linkManagementApi }, settings };
	return await callTool(
		given,
		urls.map((url) => [{ url }]),
	);
}

/** What the agent reads of one call, in which the model fills every field that says so. */
async function call(operation: string, fields: INodeParameters, args: IDataObject) {
	stage.sandbox.clearRequests();
	const [resource = '', name = ''] = operation.split('.');
	const { linkManagementApi = {} } = stage.credentials;
	const parameters = { resource, operation: name, ...fields };
	const [answers] = await callTool({ parameters, credentials: { linkManagementApi } }, [[args]]);
	return answers?.[0] ?? '';
}

const writes = () => stage.sent().filter(({ request }) => request.startsWith('POST '));
const LOST = [like(/may still have been carried out/)];
const url = 'https://example.com/';

test('a call after one whose answer was lost is sent: it is another call, if an equal one', async () => {
	expect(await loseFirst({}, [url, url])).toEqual([LOST, [like(/shorturl/)]]);
	expect(writes()).toMatchObject([{ body: { url } }, { body: { url } }]);
});

test('Retry On Fail does not repeat a call whose answer was lost', async () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	expect(await loseFirst(retry, [url])).toEqual([LOST]);
	expect(writes()).toHaveLength(1);
});

const FROM_AI = (name: string) => `={{ $fromAI('${name}') }}`;
const byTheModel = (...names: string[]): INodeParameters =>
	Object.fromEntries(names.map((name) => [name, FROM_AI(name)]));

test.each(['null', 'None', 'undefined'])('%s counts as blank, whatever the field', async (word) => {
	const main = ['customAlias', 'domain', 'utmSource'];
	const added = ['metaTitle', 'expiry', 'password', 'metaImage', 'note', 'campaignId'];
	const chosen = ['ifAliasTaken', 'utmFormat'];
	const options = byTheModel(...chosen);
	const fields = { url, ...byTheModel(...main), additionalFields: byTheModel(...added), options };
	const args = Object.fromEntries([...main, ...added, ...chosen].map((name) => [name, word]));
	expect(await call('link.create', fields, args)).toMatch(/shorturl/);
	expect(stage.sent().at(-1)?.body).toEqual({ url });
});

test('UTM tags are single fields', async () => {
	const fields = {
		...byTheModel('url', 'utmSource', 'utmCampaign'),
		options: { utmFormat: 'hyphen' },
	};
	const args = { url, utmSource: 'mail', utmCampaign: 'Spring Sale' };
	await call('link.create', fields, args);
	const longurl = `${url}?utm_source=mail&utm_campaign=spring-sale`;
	expect(stage.sent().at(-1)?.body).toEqual({ url: longurl });
	const id = await stage.make('/api/url/add', { url });
	const said = await call('link.update', { ...fields, url: '', linkId: byId(id) }, args);
	expect(JSON.parse(said)).toMatchObject([{ id, longurl }]);
});

test('an error says what to do in its message', async () => {
	const said = await call('link.create', byTheModel('url'), { url: 'no address' });
	expect(said).toMatch(/'URL' must be a web address, but is "no address"\. Enter a complete URL/);
	expect(said).not.toMatch(/Details/);
});

describe('in an agent that lets n8n run its tools like other nodes', () => {
	const ran = async (row: IDataObject) => {
		const { linkManagementApi = {} } = stage.credentials;
		stage.sandbox.clearRequests();
		const entered = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };
		const parameters = { resource: 'link', operation: 'create', ...entered };
		const credentials = { linkManagementApi };
		return await runNode({ type: 'linkManagementTool', parameters, rows: [row], credentials });
	};

	test('an error says what to do in its message', async () => {
		const { error } = await ran({ url: 'no address' });
		expect(error?.message).toMatch(/but is "no address"\. Enter a complete URL/);
	});

	test('a word for nothing counts as blank', async () => {
		await ran({ url, alias: 'null' });
		expect(stage.sent().map(({ body }) => body)).toContainEqual({ url });
	});
});

test('Get Many says that there are more records than it shows, to a model only', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3);
	const shown = async (limit: number) =>
		JSON.parse(await call('link.getAll', { limit }, {})) as IDataObject[];
	const more = { has_more: true, note: like(/^Only the first 2 are shown\. Use Search/) };
	expect((await shown(2)).slice(2)).toEqual([more]);
	expect(await shown(3)).toHaveLength(3);
	const { json } = await stage.link('link.getAll', { limit: 2 });
	expect(json).toHaveLength(2);
});
