import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { fixtureOf } from '../fixtures.ts';
import type { LoopbackServer } from '../loopback.ts';
import { serve } from '../loopback.ts';
import { choicesOf, OPERATIONS } from '../operations.ts';
import { nodeType, runNode, searchList, testCredential } from './engine.ts';
import { rowOf } from './fixture.ts';
import { ActiveTrigger } from './trigger.ts';

/** What a service that was taken over can do to n8n, in every place that sends to it. No dialect gives such responses. */

const KEY = 'key-of-32-characters-0123456789ab';
const MIB = 1024 * 1024;

let server: LoopbackServer;
let answer: (response: ServerResponse) => unknown;
let open: Set<IncomingMessage['socket']>;
beforeAll(async () => {
	server = await serve((request, response) => {
		const { socket } = request;
		if (!open.has(socket)) socket.on('close', () => open.delete(socket));
		open.add(socket);
		answer(response);
	});
});
beforeEach(() => {
	open = new Set();
});
afterAll(async () => {
	await server.stop();
});

const credential = () => ({
	baseUrl: server.url,
	apiKey: KEY,
	requestsPerMinute: 0,
	timezone: 'UTC',
});
const credentials = () => ({ linkManagementApi: credential(), storeApi: credential() });

const operation = async (
	type: string,
	resource: string,
	name: string,
	more: object = {},
	row: IDataObject = {},
) => {
	const parameters = { resource, operation: name, ...more } as never;
	const { error, json } = await runNode({
		type,
		parameters,
		rows: [row],
		credentials: credentials(),
	});
	return error?.message ?? JSON.stringify(json);
};
const trigger = async (type: string, parameters: IDataObject) => {
	const made = new ActiveTrigger({
		type,
		parameters: parameters as never,
		credentials: credentials(),
	});
	return JSON.stringify(await made.activate());
};
const said = async (asked: Promise<unknown>) =>
	await asked.then(
		(result) => (typeof result === 'string' ? result : JSON.stringify(result)),
		(error: unknown) => (error as Error).message,
	);

const TIMEOUT = { requestOptions: { timeout: 300 } };

type Asker = [who: string, mib: number, ask: (more?: IDataObject) => Promise<unknown>];

/** A list may be longer than any other response. */
const sizeOf = (name: string): number => (/getAll$|getItems$|upsert$/.test(name) ? 50 : 1);

const OPERATION_ASKERS = OPERATIONS.map(({ node, name }): Asker => {
	const [resource = '', operationName = ''] = name.split('.');
	const fixture = fixtureOf(node, name);
	const ask = async (more?: IDataObject) =>
		await operation(
			node,
			resource,
			operationName,
			{ ...fixture.parameters, ...more },
			rowOf(fixture),
		);
	return [`${node} ${name}`, sizeOf(name), ask];
});

/** Suggestions are no answers of the service. */
const SUGGESTIONS = ['searchCountries', 'searchDevices', 'searchLanguages'];

const SEARCH_ASKERS = (['linkManagement', 'store'] as const).flatMap((type) =>
	Object.keys(nodeType(`n8n-nodes-linkstore.${type}`).methods?.listSearch ?? {})
		.filter((method) => !SUGGESTIONS.includes(method))
		.map((method): Asker => {
			const search = { type, method, parameters: { itemType: 'links' } };
			const ask = async () => await searchList({ ...search, credentials: credentials() });
			return [`${type} ${method}`, 50, ask];
		}),
);

const TRIGGER_ASKERS = ['linkManagementTrigger', 'storeTrigger'].flatMap((type) => {
	const { properties } = nodeType(`n8n-nodes-linkstore.${type}`).description;
	const events = properties.find(({ name }) => name === 'event');
	const more = { channelId: { __rl: true, mode: 'id', value: 1 }, purchaseCodes: 'x' };
	return (events ? choicesOf(events) : []).map(({ value }): Asker => {
		const isCode = type === 'storeTrigger' && value !== 'newItem';
		const parameters = { event: value, milestones: '1', options: {}, ...more };
		return [`${type} ${value}`, isCode ? 1 : 50, async () => await trigger(type, parameters)];
	});
});

const TEST_ASKERS = (['linkManagement', 'store'] as const).map((type): Asker => [
	`credential test of ${type}`,
	1,
	async () => await testCredential(type, `${type}Api`, credential()),
]);

/** Every place that asks a service: name, how much it may answer, and how to make it ask. */
const ASKERS = [...OPERATION_ASKERS, ...SEARCH_ASKERS, ...TRIGGER_ASKERS, ...TEST_ASKERS];

/** Waits until none is left. @returns how many are */
async function drained(count: () => number): Promise<number> {
	for (let left = 100; left > 0 && count() > 0; left -= 1) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return count();
}

/** Waits until the service has no connection any more. */
const closed = async () => await drained(() => open.size);

const json = (response: ServerResponse, body: unknown) =>
	response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

describe.each(ASKERS)('%s', (_who, mib, ask) => {
	test('reads no more than its limit, also of what is compressed', async () => {
		const bomb = gzipSync(Buffer.alloc(mib * MIB + 1, ' '));
		answer = (response) =>
			response
				.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' })
				.end(bomb);
		expect(await said(ask())).toMatch(
			new RegExp(`The response of the (service|store) is larger than ${mib} MiB`),
		);
		expect(await closed()).toBe(0);
	});

	test('ends a response that does not end', async () => {
		const chunk = Buffer.alloc(MIB, ' ');
		let sent = 0;
		answer = (response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const more = (): void => {
				while (!response.destroyed && sent < mib * 3 + 8) {
					sent += 1;
					if (!response.write(chunk)) return void response.once('drain', more);
				}
			};
			more();
		};
		expect(await said(ask())).toMatch(/is larger than/);
		expect(sent).toBeLessThan(mib * 3 + 8);
		expect(await closed()).toBe(0);
	});

	test('shows the key in no result and no message that repeats it', async () => {
		const encoded = Buffer.from(`user:${KEY}`).toString('base64');
		const repeated = [
			KEY,
			encodeURIComponent(KEY),
			`&#${KEY.charCodeAt(0)};${KEY.slice(1)}`,
			encoded,
		];
		const record = {
			id: 1,
			name: repeated.join(' '),
			[KEY]: KEY,
			purchase_code: repeated.join(' '),
		};
		for (const outcome of [
			{ error: 0, status: 'success' },
			{ error: 1, status: 'error' },
		]) {
			answer = (response) =>
				json(response, {
					...{ ...outcome, message: repeated.join(' '), msg: repeated.join(' '), id: 1 },
					data: { ...record, campaigns: [record], urls: [record] },
					items: [record],
				});
			const text = await said(ask());
			expect(text.length).toBeGreaterThan(1);
			for (const form of [...repeated, encoded.slice(8, -4)]) expect(text).not.toContain(form);
		}
	});

	test('outputs nothing that is nested too deeply to be stored', async () => {
		const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
		const record = `{"id":1,"name":${nested},"x":${nested}}`;
		const lists = `"campaigns":[${record}],"urls":[${record}]`;
		answer = (response) =>
			response.end(
				`{"error":0,"status":"success","id":1,"data":{"id":1,"x":${nested},${lists}},"items":[${record}]}`,
			);
		expect(await said(ask())).toMatch(/The response of the (service|store) is nested too deeply/);
	});

	test('cuts a message of megabytes', async () => {
		const message = 'No. '.repeat((MIB - 200) / 8);
		answer = (response) => json(response, { error: 1, status: 'error', message, msg: message });
		expect((await said(ask())).length).toBeLessThan(1500);
	});
});

describe('a response that drips', () => {
	test.each(ASKERS.filter(([who]) => /account.get$|campaign.create/.test(who)))(
		'ends with the timeout of %s, and its connection with it',
		async (_who, _mib, ask) => {
			for (const begins of [true, false]) {
				answer = (response) => {
					if (begins) response.writeHead(200, { 'Content-Type': 'application/json' });
					else response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
					const drip = setInterval(() => response.socket?.write('a'), 100);
					response.on('close', () => clearInterval(drip));
				};
				const startedAt = performance.now();
				await said(ask(TIMEOUT));
				expect(performance.now() - startedAt).toBeLessThan(20_000);
				expect(await closed()).toBe(0);
			}
		},
		60_000,
	);
});

const { methods = {} } = nodeType('n8n-nodes-linkstore.linkManagement');
const SEARCHES = [
	...Object.keys(methods.listSearch ?? {}).map((method) => ({
		...{ type: 'linkManagement', method, parameters: { itemType: 'links' } },
	})),
	{ type: 'store', method: 'searchItems' },
];

test('only web addresses leave a dropdown as addresses', async () => {
	const addresses = [
		...['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x'],
		...['vbscript:x', 'file:///etc/passwd', 'blob:x', 'view-source:http://x', '//x', 'go.x/a', ''],
		'https://links.example.com/a',
	];
	const records = addresses.map((address, index) => ({
		...{ id: index + 1, name: 'x', alias: 'x', title: 'x' },
		...{ shorturl: address, link: address, list: address, demo_link: address },
	}));
	const lists = ['campaigns', 'channels', 'cta', 'domains', 'pixels', 'qrs', 'splash', 'urls'];
	const data = Object.fromEntries(lists.map((list) => [list, records]));
	answer = (response) => json(response, { error: 0, status: 'success', items: records, data });
	const linked: string[] = [];
	for (const search of SEARCHES) {
		const { results } = await searchList({ ...search, credentials: credentials() });
		const urls = results.flatMap(({ url }) => url ?? []);
		if (urls.length > 0) linked.push(search.method);
		expect(urls.filter((url) => url !== 'https://links.example.com/a')).toEqual([]);
	}
	expect(linked.sort()).toEqual([
		...['searchCampaigns', 'searchChannelItems', 'searchItems', 'searchLinks', 'searchQrCodes'],
	]);
});

test('a list of millions of empty objects is refused before it takes memory', async () => {
	const body = `{"error":0,"data":{"campaigns":[${'{},'.repeat(1_500_000)}{}]}}`;
	answer = (response) => response.end(body);
	expect(await operation('linkManagement', 'campaign', 'getAll')).toBe(
		'The response of the service holds too many objects',
	);
});

test('no entry of a dropdown is an expression, which n8n would evaluate', async () => {
	const expression = '={{ $env.HOME }}';
	const record = { id: 1, name: expression, alias: expression, title: expression };
	const records = [{ ...record, domain: expression, type: expression }];
	const lists = ['campaigns', 'channels', 'cta', 'domains', 'pixels', 'qrs', 'splash', 'urls'];
	const data = Object.fromEntries(lists.map((list) => [list, records]));
	answer = (response) => json(response, { error: 0, status: 'success', items: records, data });
	for (const search of SEARCHES) {
		const { results } = await searchList({ ...search, credentials: credentials() });
		expect(results.flatMap(({ name, value }) => [name, String(value)])).not.toContainEqual(
			expect.stringMatching(/^=/),
		);
	}
	const method = 'searchDomainNames';
	const { results } = await searchList({
		...{ type: 'linkManagement', method, credentials: credentials() },
	});
	expect(results).toEqual([]);
});

test('a token or cookie of the extra header is masked without its name, too', async () => {
	const secret = 'token-of-32-characters-987654321';
	for (const extraHeaderValue of [`Token ${secret}`, `clearance=${secret}`]) {
		answer = (response) => json(response, { error: 0, data: { id: 1, name: secret } });
		const parameters = { resource: 'account', operation: 'get' };
		const linkManagementApi = { ...credential(), extraHeaderName: 'X-Clearance', extraHeaderValue };
		const { json: items } = await runNode({
			...{ type: 'linkManagement', parameters, credentials: { linkManagementApi } },
		});
		expect(items).toEqual([{ id: 1, name: '***' }]);
	}
});

test('nothing of 200 requests is left behind: no socket, timer or abort listener', async () => {
	const spy = jest.spyOn(EventTarget.prototype, 'addEventListener');
	answer = (response) => json(response, { error: 0, data: { id: 1 } });
	const parameters = { resource: 'account', operation: 'get' };
	const given = { type: 'linkManagement', parameters, credentials: credentials() };
	const timers = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
	const result = await runNode({ ...given, rows: Array.from({ length: 200 }, () => ({})) });
	const contexts: unknown[] = spy.mock.contexts;
	const signals = new Set(contexts.filter((each) => each instanceof AbortSignal));
	spy.mockRestore();
	expect(result.json).toHaveLength(200);
	expect(await closed()).toBe(0);
	const countOf = (kind: string) =>
		process.getActiveResourcesInfo().filter((each) => each === kind).length;
	expect(await drained(() => countOf('TCPSocketWrap'))).toBe(0);
	expect(countOf('Timeout')).toBeLessThanOrEqual(timers);
	expect(signals.size).toBeGreaterThan(200);
	const listening = [...signals].flatMap((signal) => getEventListeners(signal, 'abort'));
	expect(listening).toEqual([]);
});
