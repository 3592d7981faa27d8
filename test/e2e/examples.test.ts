import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, readExamples, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record } from '../n8n-host/json.ts';
import type { Chat } from './chat.ts';
import { startChat } from './chat.ts';
import { DataTable } from './dataTable.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, A_STRING, including, like, listWith } from './matchers.ts';
import { lastToolResult, startModel } from './model.ts';
import { saveOwnCredentials } from './ownCredentials.ts';
import { theStage } from './stage.ts';
import { until } from './until.ts';
import { polledOften } from './workflow.ts';

/** Every example, run as somebody runs it who has just imported it, with what the services and a chat get from it. */

const NOTE = 'n8n-nodes-base.stickyNote';
const CHAT_NODE = 'Send to your chat';
const BULK = 12;

/** By which the requests of these tests are told from those of the examples */
const OBSERVER = 'examples-test';

const client = new N8nClient(theStage().n8nUrl);
let sandbox: Sandbox;
let chat: Chat;
let credentials: CredentialRef[];
let examples: Map<string, WorkflowJson>;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 'demo', rateLimit: { requests: 30, windowSeconds: 2 } });
	chat = await startChat();
	await client.login(DEMO_OWNER);
	credentials = await saveOwnCredentials(client, sandbox, { suffix: 'of the examples' });
	examples = await readExamples();
});

beforeEach(() => {
	sandbox.clearRequests();
	sandbox.faults.clear();
	chat.posts.length = 0;
});

afterAll(async () => {
	await Promise.all([sandbox.stop(), chat.stop()]);
});

/** The example with its credentials picked, else as it is. */
function imported(file: string, picked = credentials): WorkflowJson {
	const example = examples.get(file);
	if (example === undefined) throw new Error(`There is no examples/${file}`);
	return withCredentials(example, picked);
}

/** With the address of a chat entered and the node switched on, as the note says. */
function withChat(workflow: WorkflowJson): WorkflowJson {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.name === CHAT_NODE
				? { ...node, disabled: false, parameters: { ...node.parameters, url: chat.url } }
				: node,
		),
	};
}

function triggerOf({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`"${name}" has no trigger`);
	return trigger.name;
}

async function run(workflow: WorkflowJson): Promise<ExecutionResult> {
	return await client.run(workflow, triggerOf(workflow));
}

async function runWell(workflow: WorkflowJson): Promise<ExecutionResult> {
	const result = await run(workflow);
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	return result;
}

function json(result: ExecutionResult, node: string): JsonRecord[] {
	return result.items(node).map((item) => item.json);
}

/** The requests of the examples that the services have answered. */
function requests(): RecordedRequest[] {
	return sandbox.requests.filter(({ headers }) => headers['user-agent'] !== OBSERVER);
}

/** As `POST /api/url/add`. */
function sent(): string[] {
	return requests().map(({ method, path }) => `${method} ${path}`);
}

function bodiesOf(path: string): unknown[] {
	return requests()
		.filter((request) => request.path === path)
		.map(({ body }) => body);
}

/** The links of the account, asked for as anybody might: in turn with the others, and not counted as sent by an example. */
async function links(): Promise<JsonRecord[]> {
	for (;;) {
		const { status, data } = await axios.get<unknown>(`${sandbox.linkUrl}/api/urls`, {
			params: { limit: 1000 },
			headers: { Authorization: `Bearer ${KEYS.link}`, 'User-Agent': OBSERVER },
			validateStatus: (code) => code === 200 || code === 429,
			proxy: false,
		});
		if (status === 200) return list(record(record(data).data).urls).map(record);
		await sleep(200);
	}
}

describe('every example', () => {
	test('explains itself in one note above its nodes: what it does, what to replace, what it costs', () => {
		expect(examples.size).toBe(8);
		for (const [file, { name, nodes }] of examples) {
			const notes = nodes.filter(({ type }) => type === NOTE);
			const others = nodes.filter(({ type }) => type !== NOTE);
			expect({ file, notes: notes.length }).toEqual({ file, notes: 1 });
			for (const { parameters, position } of notes) {
				const { content, width, height } = parameters;
				expect(content).toMatch(
					new RegExp(`^## ${name}\n\n.+\n\n\\*\\*Make it yours:.+\n\n\\*\\*Requests:.+$`),
				);
				const lowerEdge = position[1] + Number(height);
				const rightmost = Math.max(...others.map((node) => node.position[0]));
				expect({ file, above: others.every((node) => node.position[1] > lowerEdge) }).toEqual({
					file,
					above: true,
				});
				expect(position[0] + Number(width)).toBeGreaterThan(rightmost);
			}
		}
	});

	test('names its nodes in sentence case, each one in a note or a step of its own', () => {
		for (const { nodes } of examples.values()) {
			for (const { name } of nodes) {
				expect(name.replace(/‘Execute|Monday|OpenAI|QR/g, '')).toMatch(/^[A-Z]?[^A-Z]*$/);
			}
			const names = nodes.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
			const places = nodes.map(({ position: [x, y] }) => `${x} ${y}`);
			expect(new Set(places).size).toBe(names.length);
		}
	});

	test('speaks in its note only of nodes that it has', () => {
		const terms = ['Make it yours:', 'Requests:', 'Execute workflow', 'Tool'];
		for (const [file, { nodes }] of examples) {
			const names = [...terms, ...nodes.map(({ name }) => name)];
			const note = nodes.find(({ type }) => type === NOTE);
			const spokenOf = String(note?.parameters.content).matchAll(/\*\*(.+?)\*\*/g);
			for (const [, name] of spokenOf)
				expect({ file, names }).toEqual({ file, names: listWith(name) });
		}
	});

	test('holds no credential but by name, no pinned data, and nothing of the n8n it was made in', () => {
		for (const { nodes, ...workflow } of examples.values()) {
			expect(Object.keys(workflow)).toEqual(['name', 'connections', 'settings']);
			for (const { credentials: used = {} } of nodes) {
				for (const credential of Object.values(used)) {
					expect(credential).toEqual({ id: null, name: A_STRING });
				}
			}
		}
	});

	test('is made of nodes that this n8n has', async () => {
		const types = new Set((await client.nodeTypes('')).map(({ name }) => name));
		for (const [file, { nodes }] of examples) {
			const unknown = nodes.filter(({ type }) => !types.has(type)).map(({ type }) => type);
			expect({ file, unknown }).toEqual({ file, unknown: [] });
		}
	});
});

test('create-short-link.json creates a link', async () => {
	const result = await runWell(imported('create-short-link.json'));
	expect(json(result, 'Create a link')).toMatchObject([{ id: A_NUMBER, shorturl: A_STRING }]);
	expect(sent()).toEqual(['POST /api/url/add']);
});

describe('sheet-of-urls.json', () => {
	const rowsOf = async () => await (await DataTable.open(client, 'Links to shorten')).rows();
	/** The short link in each row leads to that row's address. */
	async function expectOwnLinks(rows: JsonRecord[]): Promise<void> {
		const targets = new Map((await links()).map((link) => [link.shorturl, link.longurl]));
		for (const { address, shorturl } of rows) expect(targets.get(shorturl)).toBe(address);
	}
	const wrongRow = {
		title: 'Typing mistake',
		address: 'example dot com',
		shorturl: '',
		problem: like(/example dot com/),
	};

	test('makes its table, and writes each short link, or the reason why there is none, into its row', async () => {
		expect(await DataTable.named(client, 'Links to shorten')).toEqual([]);
		const result = await runWell(imported('sheet-of-urls.json'));
		const row = (title: string) => ({ title, shorturl: like(/^http/), problem: '' });
		const rows = await rowsOf();
		expect(rows).toMatchObject([
			row('Spring sale'),
			row('Catalogue'),
			wrongRow,
			row('Opening hours'),
		]);
		await expectOwnLinks(rows.filter(({ title }) => title !== wrongRow.title));
		expect(json(result, 'Rows to correct')).toEqual([including(wrongRow)]);
		expect(bodiesOf('/api/url/add')).toEqual([
			{ url: 'https://example.com/spring-sale', metatitle: 'Spring sale' },
			{ url: 'https://example.com/catalogue', metatitle: 'Catalogue' },
			{ url: 'https://example.com/opening-hours', metatitle: 'Opening hours' },
		]);
	});

	test('makes no second link for a row that has one', async () => {
		const before = await rowsOf();
		await runWell(imported('sheet-of-urls.json'));
		expect(sent()).toEqual([]);
		const keyed = (rows: JsonRecord[]) => rows.map(({ id, shorturl }) => ({ id, shorturl }));
		expect(keyed(await rowsOf())).toEqual(keyed(before));
	});

	test('makes the link of a row that was corrected, and takes its reason away', async () => {
		const table = await DataTable.open(client, 'Links to shorten');
		await table.change('title', 'Typing mistake', { address: 'https://example.com/corrected' });
		const result = await runWell(imported('sheet-of-urls.json'));
		expect(sent()).toEqual(['POST /api/url/add']);
		expect((await rowsOf())[2]).toMatchObject({ shorturl: like(/^http/), problem: '' });
		expect(json(result, 'Rows to correct')).toEqual([]);
	});

	test('writes more rows than it takes at a time, each with its own link', async () => {
		const table = await DataTable.open(client, 'Links to shorten');
		const addresses = Array.from({ length: BULK }, (_, n) => `https://example.com/bulk/${n}`);
		await table.add(addresses.map((address) => ({ title: 'Bulk', address })));
		const result = await runWell(imported('sheet-of-urls.json'));
		expect(result.runs['Write back']).toHaveLength(2);
		const written = (await rowsOf()).filter(({ title }) => title === 'Bulk');
		expect(written).toHaveLength(BULK);
		await expectOwnLinks(written);
		expect(sent()).toHaveLength(BULK);
	});

	test('leaves a row alone whose link may have been made unseen, until its reason is cleared', async () => {
		const table = await DataTable.open(client, 'Links to shorten');
		await table.add([
			{ title: 'Unseen', address: 'https://example.com/unseen' },
			{ title: 'After it', address: 'https://example.com/after-it' },
		]);
		sandbox.faults.add({ kind: 'drop-after', service: 'link', path: '/api/url/add' });
		const lastTwo = async () => (await rowsOf()).slice(-2);
		const unseen = { title: 'Unseen', shorturl: '', problem: like(/may have been carried out/) };
		const made = { title: 'After it', shorturl: like(/^http/), problem: '' };

		await runWell(imported('sheet-of-urls.json'));
		expect(await lastTwo()).toMatchObject([unseen, made]);
		sandbox.clearRequests();
		await runWell(imported('sheet-of-urls.json'));
		expect(sent()).toEqual([]);
		expect(await lastTwo()).toMatchObject([unseen, made]);

		await table.change('title', 'Unseen', { problem: '' });
		await runWell(imported('sheet-of-urls.json'));
		expect(sent()).toEqual(['POST /api/url/add']);
		expect(await lastTwo()).toMatchObject([{ ...made, title: 'Unseen' }, made]);
	});
});

describe('campaign-launch.json', () => {
	const CHANNELS = [
		{ source: 'newsletter', medium: 'email' },
		{ source: 'social', medium: 'post' },
		{ source: 'poster', medium: 'print' },
	];
	const THREE_TIMES = CHANNELS.map(() => '');

	test('makes the domain, the campaign, and for each channel a link in it and a QR code', async () => {
		const result = await runWell(imported('campaign-launch.json'));
		const [campaign] = json(result, 'Create the campaign');
		const made = json(result, 'Create a link');
		expect(sent()).toEqual([
			'GET /api/domains',
			'POST /api/domain/add',
			'POST /api/campaign/add',
			...THREE_TIMES.map(() => 'POST /api/url/add'),
			...made.map(({ id }) => `POST /api/campaign/${String(campaign?.id)}/assign/${String(id)}`),
			...THREE_TIMES.map(() => 'POST /api/qr/add'),
		]);
		expect(bodiesOf('/api/domain/add')).toEqual([{ domain: 'https://spring.example.com' }]);
		expect(bodiesOf('/api/campaign/add')).toEqual([{ name: 'Spring sale' }]);
		expect(bodiesOf('/api/url/add')).toEqual(
			CHANNELS.map(({ source, medium }) => ({
				url: 'https://example.com/spring-sale',
				domain: 'https://spring.example.com',
				metatitle: 'Spring sale',
				parameters: [
					{ name: 'utm_source', value: source },
					{ name: 'utm_medium', value: medium },
					{ name: 'utm_campaign', value: 'spring-sale' },
				],
			})),
		);
		expect(bodiesOf('/api/qr/add')).toEqual(
			made.map(({ shorturl }) => ({ type: 'link', data: shorturl })),
		);
		expect(json(result, 'Launched')).toEqual(
			CHANNELS.map(({ source }, index) => ({
				campaign: 'Spring sale',
				source,
				shorturl: made[index]?.shorturl,
				qrcode: json(result, 'Create its QR code')[index]?.link,
			})),
		);
		expect(made.map(({ shorturl }) => shorturl)).toEqual(
			CHANNELS.map(() => like(/^https:\/\/spring\.example\.com\//)),
		);
	});

	test('uses a domain that the account has', async () => {
		const result = await runWell(imported('campaign-launch.json'));
		expect(sent()).not.toContain('POST /api/domain/add');
		expect(sent()).toHaveLength(11);
		expect(json(result, 'Launched')).toHaveLength(3);
	});
});

describe('weekly-click-report.json', () => {
	const FILE = 'weekly-click-report.json';

	/** The lines of the report, from what the service lists. */
	async function expectedLines(since: string): Promise<string[]> {
		const all = await links();
		const clicks = all.reduce((sum, link) => sum + Number(link.clicks), 0);
		const clicked = all.filter((link) => Number(link.clicks) > 0);
		expect(clicked.length).toBeGreaterThan(3);
		return [
			`${clicks} clicks on ${all.length} links${since}`,
			...clicked
				.sort((a, b) => Number(b.clicks) - Number(a.clicks))
				.slice(0, 10)
				.map((link) => `${String(link.clicks)} (${String(link.shorturl)})`),
		];
	}

	function linesOf(text: unknown): string[] {
		const [head = '', ...top] = String(text).split('\n');
		return [head, ...top.map((line) => line.replace(/^\d+\. .*: (?=\d+ \()/, ''))];
	}

	/** The same lines, those of the links in any order, because links may have been clicked equally often. */
	function expectSameLines(text: unknown, expected: string[]): void {
		const [head, ...top] = linesOf(text);
		expect(head).toBe(expected[0]);
		expect(top.map(clicksIn)).toEqual(expected.slice(1).map(clicksIn));
		if (expected.length <= 10) expect([...top].sort()).toEqual(expected.slice(1).sort());
	}

	const clicksIn = (line: string) => Number.parseInt(line, 10);

	test('reports all clicks and the links clicked most, and keeps the totals', async () => {
		const result = await runWell(imported(FILE));
		expect(requests().map(({ query }) => query.order)).toEqual(['click']);
		const [report] = json(result, 'Write the report');
		expectSameLines(report?.text, await expectedLines(''));
		const table = await DataTable.open(client, 'Click reports');
		expect(await table.rows()).toEqual([
			including({ links: report?.links, clicks: report?.clicks }),
		]);
	});

	test('says in the chat how many clicks are new since the last report', async () => {
		const today = new Date().toISOString().slice(0, 10);
		const link = (await links()).find((one) => String(one.shorturl).startsWith(sandbox.linkUrl));
		for (let visit = 0; visit < 3; visit += 1) {
			await axios.get(String(link?.shorturl), {
				maxRedirects: 0,
				validateStatus: (status) => status < 400,
				proxy: false,
			});
		}
		await runWell(withChat(imported(FILE)));
		expect(chat.posts).toEqual([{ text: A_STRING }]);
		const [post] = chat.posts;
		expectSameLines(record(post).text, await expectedLines(`, 3 more than on ${today}`));
		const table = await DataTable.open(client, 'Click reports');
		expect(await table.rows()).toHaveLength(2);
	});

	test('keeps no totals of a report that did not reach the chat, so that the next one counts from the last that did', async () => {
		const refused = withChat(imported(FILE));
		const nobody = refused.nodes.map((node) =>
			node.name === CHAT_NODE
				? { ...node, parameters: { ...node.parameters, url: 'http://127.0.0.1:1' } }
				: node,
		);
		const result = await run({ ...refused, nodes: nobody });
		expect(result.status).toBe('error');
		const table = await DataTable.open(client, 'Click reports');
		expect(await table.rows()).toHaveLength(2);
	});

	test('reports nothing clicked for an account without links', async () => {
		const account = await sandbox.register({
			email: 'newcomer@links.example',
			apiKey: KEYS.newcomer,
		});
		const newcomer = await client.saveCredential({
			name: 'Newcomer',
			type: 'linkManagementApi',
			data: {
				baseUrl: sandbox.linkUrl,
				apiKey: account.apiKey,
				requestsPerMinute: 30,
				timezone: 'UTC',
			},
		});
		const result = await runWell(imported(FILE, [newcomer]));
		expect(json(result, 'Write the report')).toEqual([
			{ links: 0, clicks: 0, text: like(/^0 clicks on 0 links/) },
		]);
	});
});

describe('nightly-purchase-check.json', () => {
	const FILE = 'nightly-purchase-check.json';
	const CODES = DEMO.purchaseCodes;
	const rowsOf = async () => await (await DataTable.open(client, 'Purchase codes')).rows();
	const VALIDATION = '/api/purchases/validation';

	test('writes into its table which codes are valid, why not, and until when they have support', async () => {
		const started = Date.now();
		await runWell(imported(FILE));
		const rows = await rowsOf();
		expect(rows).toEqual([
			including({ customer: 'Ada', code: CODES.valid, valid: true, reason: '' }),
			including({
				customer: 'Grace',
				code: CODES.invalid,
				valid: false,
				reason: 'Invalid purchase code',
				supported_until: null,
			}),
			including({
				customer: 'Mary',
				code: CODES.withoutSupport,
				valid: true,
				supported_until: null,
			}),
		]);
		const daysLeft = (Date.parse(String(rows[0]?.supported_until)) - started) / 86_400_000;
		expect(Math.round(daysLeft)).toBe(180);
		for (const { checked_at } of rows) {
			expect(Date.parse(String(checked_at))).toBeGreaterThanOrEqual(started - 1000);
			expect(Date.parse(String(checked_at))).toBeLessThanOrEqual(Date.now());
		}
		expect(sent()).toEqual(rows.map(() => `POST ${VALIDATION}`));
	});

	test('tells the chat once of a code that has become invalid', async () => {
		const table = await DataTable.open(client, 'Purchase codes');
		await table.change('customer', 'Mary', { code: CODES.otherAccount });
		await runWell(withChat(imported(FILE)));
		expect(chat.posts).toEqual([
			{
				text: `The purchase code ${CODES.otherAccount} of Mary is not valid: Invalid purchase code`,
			},
		]);
		await runWell(withChat(imported(FILE)));
		expect(chat.posts).toHaveLength(1);
	});

	test.each([
		{
			what: 'is down',
			break: () => sandbox.faults.add({ kind: 'http-503', service: 'store', times: 99 }),
		},
		{
			what: 'goes down in the midst of it',
			break: () => {
				sandbox.faults.add({ kind: 'delay', milliseconds: 1, service: 'store' });
				sandbox.faults.add({ kind: 'http-503', service: 'store', times: 99 });
			},
		},
		{
			what: 'shows a login page',
			break: () => sandbox.faults.add({ kind: 'login-redirect', service: 'store', times: 99 }),
		},
	])(
		'ends with an error, and leaves the table as it was, when the store $what',
		async ({ break: breakStore }) => {
			const before = await rowsOf();
			breakStore();
			const result = await run(withChat(imported(FILE)));
			expect(result.status).toBe('error');
			expect(result.error?.node).toBe('Validate each code');
			expect(await rowsOf()).toEqual(before);
			expect(chat.posts).toEqual([]);
		},
	);

	test('goes on as before when the store is back', async () => {
		const before = await rowsOf();
		await runWell(withChat(imported(FILE)));
		const state = (rows: JsonRecord[]) => rows.map(({ code, valid }) => ({ code, valid }));
		const after = await rowsOf();
		expect(state(after)).toEqual(state(before));
		expect(after.map(({ checked_at }) => checked_at)).not.toEqual(
			before.map(({ checked_at }) => checked_at),
		);
		expect(chat.posts).toEqual([]);
	});
});

describe('the examples that wait for something', () => {
	test.each([
		['new-link-to-chat.json', /: https?:.* leads to https:/],
		['support-ending-reminder.json', /^The support of .+ ends in \d+ days, on \d{4}-\d\d-\d\d\.$/],
	])('%s shows one record when it is tried by hand', async (file, text) => {
		const workflow = imported(file);
		const result = await runWell(workflow);
		expect(result.items(triggerOf(workflow))).toHaveLength(1);
		expect(json(result, 'Write the message')).toEqual([{ text: like(text) }]);
	});

	test('tell the chat once each of a new link and of support that ends, when they are published', async () => {
		const ids: string[] = [];
		try {
			for (const file of ['support-ending-reminder.json', 'new-link-to-chat.json']) {
				const { id } = await client.importWorkflow(polledOften(withChat(imported(file))));
				ids.push(id);
				await client.activate(id);
			}
			await expectOnePostEach();
		} finally {
			for (const id of ids) await client.deactivate(id);
		}
	});

	async function expectOnePostEach(): Promise<void> {
		const polls = () => requests().filter(isListOfLinks).length;
		await until(() => polls() > 0 && chat.posts.length > 0, 'the first poll of each');
		expect(chat.posts).toEqual([
			{ text: like(new RegExp(`purchase ${DEMO.purchaseCodes.supportEnding} ends in 10 days`)) },
		]);

		await axios.post(
			`${sandbox.linkUrl}/api/url/add`,
			{ url: 'https://example.com/news', custom: 'news-of-the-day', metatitle: 'News' },
			{ headers: { Authorization: `Bearer ${KEYS.link}` }, proxy: false },
		);
		await until(() => chat.posts.length > 1, 'the new link');
		const pollsBefore = polls();
		await until(() => polls() > pollsBefore, 'one more poll');
		expect(chat.posts.slice(1)).toEqual([
			{ text: `News: ${sandbox.linkUrl}/news-of-the-day leads to https://example.com/news` },
		]);
	}

	function isListOfLinks({ method, path }: RecordedRequest): boolean {
		return method === 'GET' && path === '/api/urls';
	}
});

describe('campaign-link-agent.json', () => {
	const ASKED = 'A link to https://example.com/tour for our summer tour, for the newsletter';
	const LINK = {
		url: 'https://example.com/tour',
		title: 'Summer tour, newsletter',
		source: 'newsletter',
		medium: 'email',
		campaign: 'summer-tour',
	};
	const LAST_WORD = 'The newsletter has its link.';

	test('finds no such campaign, creates it, makes the link and assigns it, and says so in the chat', async () => {
		let campaignId: unknown;
		const model = await startModel([
			{ tool: 'Find_the_campaigns', input: {} },
			{ tool: 'Create_a_campaign', input: { name: 'Summer tour' } },
			(request) => {
				campaignId = lastToolResult(request)[0]?.id;
				return { tool: 'Create_a_link', input: LINK };
			},
			(request) => ({
				tool: 'Assign_a_link_to_a_campaign',
				input: { campaignId, linkId: lastToolResult(request)[0]?.id },
			}),
			{ say: LAST_WORD },
		]);
		try {
			const openAi = await client.saveCredential({
				name: 'Scripted model of the examples',
				type: 'openAiApi',
				data: { apiKey: KEYS.model, url: model.url, header: false },
			});
			const workflow = imported('campaign-link-agent.json', [...credentials, openAi]);
			const result = await client.chat(workflow, triggerOf(workflow), ASKED);
			expect(result.error).toBeUndefined();
			expect(json(result, 'Campaign agent')).toEqual([{ output: LAST_WORD }]);

			const [first, second] = model.requests;
			expect(first?.tools.map(({ name }) => name).sort()).toEqual([
				'Assign_a_link_to_a_campaign',
				'Create_a_campaign',
				'Create_a_link',
				'Find_the_campaigns',
			]);
			expect(first?.messages.map(({ role }) => role)).toEqual(['developer', 'user']);
			expect(JSON.stringify(first?.messages)).toContain(ASKED);
			const known = second === undefined ? [] : lastToolResult(second).map(({ name }) => name);
			expect(known).toEqual(expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']));

			const [made] = (await links()).filter(({ longurl }) => longurl === LINK.url);
			expect(sent()).toEqual([
				'GET /api/campaigns',
				'POST /api/campaign/add',
				'POST /api/url/add',
				`POST /api/campaign/${String(campaignId)}/assign/${String(made?.id)}`,
			]);
			expect(requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
			expect(bodiesOf('/api/campaign/add')).toEqual([{ name: 'Summer tour' }]);
			expect(bodiesOf('/api/url/add')).toEqual([
				{
					url: LINK.url,
					metatitle: LINK.title,
					parameters: [
						{ name: 'utm_source', value: 'newsletter' },
						{ name: 'utm_medium', value: 'email' },
						{ name: 'utm_campaign', value: 'summer-tour' },
					],
				},
			]);
		} finally {
			await model.stop();
		}
	});
});
