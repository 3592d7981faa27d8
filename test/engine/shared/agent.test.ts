import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callTool, runNode } from '../helpers/engine.ts';
import type { NodeSettings } from '../helpers/support.ts';
import { byId, like, onStage, RETRY, Stage } from '../helpers/support.ts';

/** The node as a tool of an AI agent, of which each call is a run of its own. */

const stage = onStage(new Stage());

const url = 'https://example.com/';

/** Fields that the model fills. */
const byTheModel = (...names: string[]): INodeParameters =>
	Object.fromEntries(names.map((name) => [name, `={{ $fromAI('${name}') }}`]));

/** What the agent reads of each of these calls, one after another. */
async function call(
	name: string,
	fields: INodeParameters,
	args: IDataObject[],
	{ settings = {} }: NodeSettings = {},
): Promise<string[]> {
	stage.sandbox.clearRequests();
	const [resource = '', operation = ''] = name.split('.');
	const { linkManagementApi = {} } = stage.credentials;
	const parameters = { resource, operation, ...fields };
	const given = { parameters, credentials: { linkManagementApi }, settings };
	const calls = args.map((each) => [each]);
	return (await callTool(given, calls)).flat();
}

const posted = () =>
	stage
		.sent()
		.filter(({ request }) => request.startsWith('POST '))
		.map(({ body }) => body);

const LOST = like(/may still have been carried out/);

test('a call after one whose answer was lost is sent: it is another call, if an equal one', async () => {
	stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	const said = await call('link.create', byTheModel('url'), [{ url }, { url }]);
	expect(said).toEqual([LOST, like(/shorturl/)]);
	expect(posted()).toEqual([{ url }, { url }]);
});

test('Retry On Fail does not repeat a call whose answer was lost', async () => {
	stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	const settings = { settings: RETRY };
	expect(await call('link.create', byTheModel('url'), [{ url }], settings)).toEqual([LOST]);
	expect(posted()).toHaveLength(1);
});

test.each(['null', 'None', 'undefined'])('%s counts as blank, whatever the field', async (word) => {
	const main = ['customAlias', 'domain', 'utmSource'];
	const added = ['metaTitle', 'expiry', 'password', 'metaImage', 'note', 'campaignId'];
	const chosen = ['ifAliasTaken', 'utmFormat'];
	const options = byTheModel(...chosen);
	const fields = { url, ...byTheModel(...main), additionalFields: byTheModel(...added), options };
	const args = Object.fromEntries([...main, ...added, ...chosen].map((name) => [name, word]));
	expect(await call('link.create', fields, [args])).toEqual([like(/shorturl/)]);
	expect(posted()).toEqual([{ url }]);
});

test('UTM tags are single fields', async () => {
	const tags = byTheModel('utmSource', 'utmCampaign');
	const options = { utmFormat: 'hyphen' };
	const args = [{ utmSource: 'mail', utmCampaign: 'Spring Sale' }];
	await call('link.create', { url, ...tags, options }, args);
	const longurl = `${url}?utm_source=mail&utm_campaign=spring-sale`;
	expect(posted()).toEqual([{ url: longurl }]);
	const id = await stage.make('/api/url/add', { url });
	const [said = ''] = await call('link.update', { linkId: byId(id), ...tags, options }, args);
	expect(JSON.parse(said)).toMatchObject([{ id, longurl }]);
});

test('an error says what to do in its message', async () => {
	const [said] = await call('link.create', byTheModel('url'), [{ url: 'no address' }]);
	expect(said).toMatch(/'URL' must be a web address, but is "no address"\. Enter a complete URL/);
	expect(said).not.toMatch(/Details/);
});

test('so it does in an agent that lets n8n run its tools like other nodes, and a word for nothing is blank', async () => {
	const { linkManagementApi = {} } = stage.credentials;
	const entered = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };
	const ran = async (row: IDataObject) =>
		await runNode({
			type: 'linkManagementTool',
			parameters: { resource: 'link', operation: 'create', ...entered },
			rows: [row],
			credentials: { linkManagementApi },
		});
	const { error } = await ran({ url: 'no address' });
	expect(error?.message).toMatch(/but is "no address"\. Enter a complete URL/);
	stage.sandbox.clearRequests();
	await ran({ url, alias: 'null' });
	expect(posted()).toEqual([{ url }]);
});

test('Get Many says that there are more records than it shows, to a model only', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3);
	const shown = async (limit: number, returnAll = false) =>
		JSON.parse((await call('link.getAll', { limit, returnAll }, [{}])).join()) as IDataObject[];
	const more = { has_more: true, note: like(/^Only the first 2 are shown\. Use Search/) };
	expect((await shown(2)).slice(2)).toEqual([more]);
	expect(await shown(3)).toHaveLength(3);
	expect((await stage.link('link.getAll', { limit: 2 })).json).toHaveLength(2);
	stage.sandbox.links.addLinks(stage.linkAccount.id, 300);
	expect((await shown(2, true)).slice(200)).toMatchObject([{ has_more: true }]);
});
