import type { IncomingMessage } from 'node:http';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { type LoopbackServer, serve } from '../../loopback.ts';
import { runNode } from '../helpers/engine.ts';
import { onStage, Stage } from '../helpers/support.ts';

/** Where the key goes: to the host of the base URL only, also if n8n's HTTP Request node uses the credential. */

const KEY = 'key-of-32-characters-0123456789ab';
const COOKIE = 'clearance=0123456789abcdef';

/** Whatever arrived somewhere else than at the service. */
const stolen: IncomingMessage[] = [];
let foreign: LoopbackServer;
/** The service: redirects everything below `/sub/away` to the foreign server. */
let service: LoopbackServer;
const asked: IncomingMessage[] = [];

beforeAll(async () => {
	foreign = await serve((request, response) => {
		stolen.push(request);
		response.end('{}');
	});
	service = await serve((request, response) => {
		asked.push(request);
		if (request.url?.startsWith('/sub/away') === true)
			response.writeHead(302, { Location: foreign.url });
		response.end('{"error":0,"status":"success","data":{}}');
	});
});
afterAll(async () => {
	await foreign.stop();
	await service.stop();
});
beforeEach(() => {
	stolen.length = 0;
	asked.length = 0;
});

const CREDENTIALS: Record<string, IDataObject> = {
	linkManagementApi: {},
	storeApi: { apiKeyLocation: 'header', apiKeyHeader: 'api_key' },
};

const credentialOf = (type: string, changes: IDataObject = {}) =>
	({
		baseUrl: `${service.url}/sub`,
		apiKey: KEY,
		...CREDENTIALS[type],
		extraHeaderName: 'Cookie',
		extraHeaderValue: COOKIE,
		...changes,
	}) as ICredentialDataDecryptedObject;

/** The HTTP Request node with these options, in the words of each of n8n's two helpers. */
async function requested(type: string, address: string, options: IDataObject = {}) {
	const results: string[] = [];
	for (const name of ['uri', 'url']) {
		const { error } = await runNode({
			type: 'httpRequest',
			parameters: { options: { [name]: address, method: 'GET', ...options } } as INodeParameters,
			credentials: { [type]: credentialOf(type) },
			settings: { type: 'n8n-nodes-base.httpRequest' },
		});
		results.push(error?.message ?? 'sent');
	}
	return results;
}

describe.each(Object.keys(CREDENTIALS))('%s in an HTTP Request node', (type) => {
	test('is sent to the host of the base URL', async () => {
		for (const path of ['/sub', '/sub/api/urls?limit=1', '/other'])
			expect(await requested(type, `${service.url}${path}`)).toEqual(['sent', 'sent']);
		const texts = asked.map(({ headers }) => JSON.stringify(headers));
		expect(texts.filter((text) => text.includes(KEY) && text.includes(COOKIE))).toHaveLength(6);
	});

	test.each<[string, () => string]>([
		['another host', () => foreign.url],
		['another scheme', () => `${service.url.replace('http', 'https')}/sub`],
		['a user name before another host', () => `${service.url}@${foreign.url.slice(7)}/`],
		['a line break', () => `ht\ntp://${foreign.url.slice(7)}/sub`],
		['no web address', () => 'javascript:alert(1)'],
	])('is not sent to %s', async (_what, address) => {
		for (const message of await requested(type, address()))
			expect(message).toMatch(/^The key of this credential goes to http:\S+ only, not to /);
		expect([...stolen, ...asked]).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['that it is told to follow', { followRedirect: true, followAllRedirects: true }],
		['that it follows by itself', { maxRedirects: 21 }],
		['with its credentials', { sendCredentialsOnCrossOriginRedirect: true }],
	])('is not sent on by a redirect %s', async (_how, options) => {
		await requested(type, `${service.url}/sub/away`, { simple: false, ...options });
		expect([asked.length, stolen.length]).toEqual([2, 0]);
	});
});

describe('the nodes themselves', () => {
	const stage = onStage(new Stage());

	test('send key and extra header, and follow no redirect', async () => {
		const credential = credentialOf('linkManagementApi');
		const sent = await stage.link('account.get', {}, { credential });
		expect(sent.error).toBeUndefined();
		expect(asked.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
			[`Bearer ${KEY}`, COOKIE],
		]);
		const away = { ...credential, baseUrl: `${service.url}/sub/away` };
		const { error } = await stage.link('account.get', {}, { credential: away });
		expect(error?.message).toMatch(/got a redirect to /);
		expect(stolen).toEqual([]);
	});

	test.each([
		['storeApi', { apiKeyHeader: 'X-API-Key' }, { 'x-api-key': KEY, cookie: COOKIE }],
		[
			'linkManagementApi',
			{ extraHeaderName: 'authorization', extraHeaderValue: 'Token abc' },
			{ authorization: 'Token abc' },
		],
	])('put the key of %s where %j says', async (type, changes, headers) => {
		const run = type === 'storeApi' ? stage.store : stage.link;
		await run('account.get', {}, { credential: credentialOf(type, changes) });
		expect(asked[0]?.headers).toMatchObject(headers);
		expect(asked[0]?.headers).not.toHaveProperty('api_key');
	});
});
