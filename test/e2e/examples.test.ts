import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	demoAccess,
	readExamples,
	saveSandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { DataTable } from './dataTable.ts';
import { KEYS } from './keys.ts';
import type { Chat } from '../loopback.ts';
import { startChat } from '../loopback.ts';
import { A_NUMBER, A_RECORD, A_STRING, including, like, listWith } from './matchers.ts';
import { lastToolResult, startModel } from './model.ts';
import { linksOf, theStage } from './stage.ts';
import { until } from '../n8n-host/until.ts';
import { polledOften } from './workflow.ts';

/** Every example, run as somebody runs it who has just imported it, with what the services and a chat get from it. */

const NOTE = 'n8n-nodes-base.stickyNote';
const CHAT_NODE = 'Send to your chat';
const NOBODY = 'http://127.0.0.1:1';

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
	credentials = await saveSandboxCredentials(client, demoAccess(sandbox), {
		suffix: 'of the examples',
	});
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
function withChat(workflow: WorkflowJson, url = chat.url): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === CHAT_NODE
			? { ...node, disabled: false, parameters: { ...node.parameters, url } }
			: node,
	);
	return { ...workflow, nodes };
}

function triggerOf({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`"${name}" has no trigger`);
	return trigger.name;
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
	return requests().flatMap((request) => (request.path === path ? [request.body] : []));
}

/** The links of the account, asked for as anybody might, and not counted as sent by an example. */
async function links(): Promise<JsonRecord[]> {
	return await linksOf(demoAccess(sandbox), OBSERVER);
}

test('every example explains itself in one note above its nodes, and speaks in it only of nodes that it has', () => {
	expect(examples.size).toBeGreaterThanOrEqual(8);
	const terms = ['Make it yours:', 'Requests:', 'Execute workflow', 'Tool'];
	for (const [file, { name, nodes }] of examples) {
		const [note, ...others] = nodes.filter(({ type }) => type === NOTE);
		expect([file, others]).toEqual([file, []]);
		const { content, width, height } = note?.parameters ?? {};
		expect(content).toMatch(
			new RegExp(`^## ${name}\n\n.+\n\n\\*\\*Make it yours:.+\n\n\\*\\*Requests:.+$`),
		);
		const [left = 0, top = 0] = note?.position ?? [];
		for (const { type, position } of nodes) {
			const isUnder = position[1] > top + Number(height) && position[0] < left + Number(width);
			expect([file, type, isUnder]).toEqual([file, type, type !== NOTE]);
		}
		const names = [...terms, ...nodes.map((node) => node.name)];
		for (const [, word] of String(content).matchAll(/\*\*(.+?)\*\*/g)) {
			expect([file, names]).toEqual([file, listWith(word)]);
		}
	}
});

test('every example is made of nodes that this n8n has, and holds no credential but by name', async () => {
	const types = new Set((await client.nodeTypes('')).map(({ name }) => name));
	for (const [file, { nodes, ...workflow }] of examples) {
		expect(Object.keys(workflow)).toEqual(['name', 'connections', 'settings']);
		for (const { name, type, credentials: used = {} } of nodes) {
			expect([file, type, types.has(type)]).toEqual([file, type, true]);
			expect(name.replace(/‘Execute|Monday|OpenAI|QR/g, '')).toMatch(/^[A-Z]?[^A-Z]*$/);
			for (const credential of Object.values(used)) {
				expect(credential).toEqual({ id: null, name: A_STRING });
			}
		}
	}
});

/** One run of an example by hand, what went before it, and what comes of it. */
interface Scenario {
	file: string;
	does: string;
	given?: () => unknown;
	/** What is changed in the example after its import */
	as?: (workflow: WorkflowJson) => WorkflowJson;
	/** The node whose error ends it. Default: it ends well */
	failsIn?: string;
	/** Requests to the services, in their order */
	sends?: unknown[];
	/** Bodies of the requests to a path */
	bodies?: Record<string, unknown[]>;
	/** Items of nodes */
	gives?: Record<string, unknown>;
	/** Some rows of its data table, by their place from the end */
	rows?: unknown[];
	/** Columns of the table that hold what they held before */
	keeps?: string[];
	/** Messages in the chat */
	posts?: unknown[];
	also?: (result: ExecutionResult) => Promise<void> | void;
}

const TABLES: Record<string, string> = {
	'sheet-of-urls.json': 'Links to shorten',
	'weekly-click-report.json': 'Click reports',
	'nightly-purchase-check.json': 'Purchase codes',
};

/** The table that an example works on. */
const tableOf = async (file: string) => await DataTable.open(client, TABLES[file] ?? file);

/** Changes the rows of an example's table whose column has that value. */
const change =
	(file: string, ...given: Parameters<DataTable['change']>) =>
	async (): Promise<void> => {
		await (await tableOf(file)).change(...given);
	};

const times = <Value>(count: number, value: Value) => new Array<Value>(count).fill(value);

const SHEET = 'sheet-of-urls.json';
const WRONG_ROW = including({
	title: 'Typing mistake',
	address: 'example dot com',
	shorturl: '',
	problem: like(/example dot com/),
});
const shortened = (title: string) => including({ title, shorturl: like(/^http/), problem: '' });
const UNSEEN = including({
	title: 'Unseen',
	shorturl: '',
	problem: like(/may have been carried out/),
});
const BULK = 12;

const SHEETS: Scenario[] = [
	{
		file: SHEET,
		does: 'makes its table, and writes each short link, or the reason why there is none, into its row',
		given: async () => {
			expect(await DataTable.named(client, 'Links to shorten')).toEqual([]);
		},
		bodies: {
			'/api/url/add': [
				{ url: 'https://example.com/spring-sale', metatitle: 'Spring sale' },
				{ url: 'https://example.com/catalogue', metatitle: 'Catalogue' },
				{ url: 'https://example.com/opening-hours', metatitle: 'Opening hours' },
			],
		},
		gives: { 'Rows to correct': [WRONG_ROW] },
		rows: [shortened('Spring sale'), shortened('Catalogue'), WRONG_ROW, shortened('Opening hours')],
	},
	{
		file: SHEET,
		does: 'makes no second link for a row that has one',
		sends: [],
		keeps: ['id', 'shorturl'],
	},
	{
		file: SHEET,
		does: 'makes the link of a row that was corrected, and takes its reason away',
		given: change(SHEET, 'title', 'Typing mistake', { address: 'https://example.com/corrected' }),
		sends: ['POST /api/url/add'],
		gives: { 'Rows to correct': [] },
		rows: [shortened('Typing mistake'), shortened('Opening hours')],
	},
	{
		file: SHEET,
		does: 'writes more rows than it takes at a time, each with its own link',
		given: async () => {
			const addresses = times(BULK, 'https://example.com/bulk/').map((url, n) => `${url}${n}`);
			await (await tableOf(SHEET)).add(addresses.map((address) => ({ title: 'Bulk', address })));
		},
		sends: times(BULK, 'POST /api/url/add'),
		rows: times(BULK, shortened('Bulk')),
		also: ({ runs }) => {
			expect(runs['Write back']).toHaveLength(2);
		},
	},
	{
		file: SHEET,
		does: 'goes on after a row whose link may have been made unseen',
		given: async () => {
			const unseen = { title: 'Unseen', address: 'https://example.com/unseen' };
			const after = { title: 'After it', address: 'https://example.com/after-it' };
			await (await tableOf(SHEET)).add([unseen, after]);
			sandbox.faults.add({ kind: 'drop-after', service: 'link', path: '/api/url/add' });
		},
		rows: [UNSEEN, shortened('After it')],
	},
	{
		file: SHEET,
		does: 'leaves that row alone',
		sends: [],
		rows: [UNSEEN, shortened('After it')],
	},
	{
		file: SHEET,
		does: 'makes its link when its reason is cleared',
		given: change(SHEET, 'title', 'Unseen', { problem: '' }),
		sends: ['POST /api/url/add'],
		rows: [shortened('Unseen'), shortened('After it')],
	},
];

const CHANNELS = [
	{ source: 'newsletter', medium: 'email' },
	{ source: 'social', medium: 'post' },
	{ source: 'poster', medium: 'print' },
];

const LAUNCHES: Scenario[] = [
	{
		file: 'campaign-launch.json',
		does: 'makes the domain, the campaign, and for each channel a link in it and a QR code',
		bodies: {
			'/api/domain/add': [{ domain: 'https://spring.example.com' }],
			'/api/campaign/add': [{ name: 'Spring sale' }],
			'/api/url/add': CHANNELS.map(({ source, medium }) => ({
				url: 'https://example.com/spring-sale',
				domain: 'https://spring.example.com',
				metatitle: 'Spring sale',
				parameters: [
					{ name: 'utm_source', value: source },
					{ name: 'utm_medium', value: medium },
					{ name: 'utm_campaign', value: 'spring-sale' },
				],
			})),
		},
		also: (result) => {
			const [campaign] = json(result, 'Create the campaign');
			const made = json(result, 'Create a link');
			expect(sent()).toEqual([
				'GET /api/domains',
				'POST /api/domain/add',
				'POST /api/campaign/add',
				...times(3, 'POST /api/url/add'),
				...made.map(({ id }) => `POST /api/campaign/${String(campaign?.id)}/assign/${String(id)}`),
				...times(3, 'POST /api/qr/add'),
			]);
			const shorturls = made.map(({ shorturl }) => shorturl);
			expect(shorturls).toEqual(times(3, like(/^https:\/\/spring\.example\.com\//)));
			expect(bodiesOf('/api/qr/add')).toEqual(shorturls.map((data) => ({ type: 'link', data })));
			const codes = json(result, 'Create its QR code');
			expect(json(result, 'Launched')).toEqual(
				CHANNELS.map(({ source }, index) => ({
					campaign: 'Spring sale',
					source,
					shorturl: shorturls[index],
					qrcode: codes[index]?.link,
				})),
			);
		},
	},
	{
		file: 'campaign-launch.json',
		does: 'uses a domain that the account has',
		sends: [
			'GET /api/domains',
			'POST /api/campaign/add',
			...times(3, 'POST /api/url/add'),
			...times(3, like(/\/assign\//)),
			...times(3, 'POST /api/qr/add'),
		],
		gives: { Launched: times(3, A_RECORD) },
	},
];

const REPORT = 'weekly-click-report.json';

/** The report has these lines; links that were clicked equally often may stand in any order. */
async function expectReport(text: unknown, since: string): Promise<void> {
	const [head = '', ...top] = String(text).split('\n');
	const all = await links();
	const clicks = all.reduce((sum, link) => sum + Number(link.clicks), 0);
	expect(head).toBe(`${clicks} clicks on ${all.length} links${since}`);
	const clicked = all.filter((link) => Number(link.clicks) > 0);
	expect(clicked.length).toBeGreaterThan(3);
	const byClicks = clicked.toSorted((a, b) => Number(b.clicks) - Number(a.clicks)).slice(0, 10);
	const counts = top.map((line) => Number(/: (\d+) \(/.exec(line)?.[1]));
	expect(counts).toEqual(byClicks.map((link) => Number(link.clicks)));
	for (const line of top) {
		const [, count, shorturl] = /: (\d+) \((.*)\)$/.exec(line) ?? [];
		expect(all).toContainEqual(including({ shorturl, clicks: Number(count) }));
	}
}

const REPORTS: Scenario[] = [
	{
		file: REPORT,
		does: 'reports all clicks and the links clicked most, and keeps the totals',
		sends: ['GET /api/urls'],
		also: async (result) => {
			expect(requests().map(({ query }) => query.order)).toEqual(['click']);
			const [report] = json(result, 'Write the report');
			await expectReport(report?.text, '');
			const totals = including({ links: report?.links, clicks: report?.clicks });
			expect(await (await tableOf(REPORT)).rows()).toEqual([totals]);
		},
	},
	{
		file: REPORT,
		does: 'says in the chat how many clicks are new since the last report',
		given: async () => {
			const own = (await links()).find((link) => String(link.shorturl).startsWith(sandbox.linkUrl));
			for (let visit = 0; visit < 3; visit += 1) {
				await axios.get(String(own?.shorturl), {
					maxRedirects: 0,
					validateStatus: (status) => status < 400,
					proxy: false,
				});
			}
		},
		as: withChat,
		rows: times(2, A_RECORD),
		posts: [{ text: A_STRING }],
		also: async () => {
			const today = new Date().toISOString().slice(0, 10);
			await expectReport(record(chat.posts[0]).text, `, 3 more than on ${today}`);
		},
	},
	{
		file: REPORT,
		does: 'keeps no totals of a report that did not reach the chat, so that the next one counts from the last that did',
		as: (workflow) => withChat(workflow, NOBODY),
		failsIn: CHAT_NODE,
		keeps: ['id', 'links', 'clicks'],
	},
];

const CHECK = 'nightly-purchase-check.json';
const CODES = DEMO.purchaseCodes;
const BROKEN: Array<[what: string, break_: () => void]> = [
	['is down', () => sandbox.faults.add({ kind: 'http-503', service: 'store', times: 99 })],
	[
		'goes down in the midst of it',
		() => {
			sandbox.faults.add({ kind: 'delay', milliseconds: 1, service: 'store' });
			sandbox.faults.add({ kind: 'http-503', service: 'store', times: 99 });
		},
	],
	[
		'shows a login page',
		() => sandbox.faults.add({ kind: 'login-redirect', service: 'store', times: 99 }),
	],
];

const CHECKS: Scenario[] = [
	{
		file: CHECK,
		does: 'writes into its table which codes are valid, why not, and until when they have support',
		sends: times(3, 'POST /api/purchases/validation'),
		rows: [
			including({ customer: 'Ada', code: CODES.valid, valid: true, reason: '' }),
			including({
				customer: 'Grace',
				code: CODES.invalid,
				valid: false,
				reason: 'Invalid purchase code',
				supported_until: null,
			}),
			including({ customer: 'Mary', code: CODES.withoutSupport, valid: true }),
		],
		also: async () => {
			const rows = await (await tableOf(CHECK)).rows();
			const now = Date.now();
			const daysLeft = (Date.parse(String(rows[0]?.supported_until)) - now) / 86_400_000;
			expect(Math.round(daysLeft)).toBe(180);
			for (const { checked_at } of rows) {
				expect(Math.abs(now - Date.parse(String(checked_at)))).toBeLessThan(60_000);
			}
		},
	},
	{
		file: CHECK,
		does: 'tells the chat of a code that has become invalid',
		given: change(CHECK, 'customer', 'Mary', { code: CODES.otherAccount }),
		as: withChat,
		posts: [
			{
				text: `The purchase code ${CODES.otherAccount} of Mary is not valid: Invalid purchase code`,
			},
		],
	},
	{ file: CHECK, does: 'tells it no second time', as: withChat, posts: [] },
	...BROKEN.map(([what, given]) => ({
		file: CHECK,
		does: `ends with an error, and leaves the table as it was, when the store ${what}`,
		given,
		as: withChat,
		failsIn: 'Validate each code',
		keeps: ['code', 'valid', 'reason', 'supported_until', 'checked_at'],
		posts: [],
	})),
	{
		file: CHECK,
		does: 'goes on as before when the store is back',
		as: withChat,
		keeps: ['code', 'valid', 'reason'],
		posts: [],
	},
];

const OTHERS: Scenario[] = [
	{
		file: 'create-short-link.json',
		does: 'creates a link',
		sends: ['POST /api/url/add'],
		gives: { 'Create a link': [including({ id: A_NUMBER, shorturl: A_STRING })] },
	},
	...[
		{ file: 'new-link-to-chat.json', text: /: https?:.* leads to https:/ },
		{
			file: 'click-milestone.json',
			text: /has passed 1,000 clicks: https?:.*, most of them from /,
		},
		{
			file: 'support-ending-reminder.json',
			text: /^The support of .+ ends in \d+ days, on \d{4}-\d\d-\d\d\.$/,
		},
	].map(({ file, text }) => ({
		file,
		does: 'shows one record when it is tried by hand',
		gives: { 'Write the message': [{ text: like(text) }] },
	})),
];

/** Some columns of the example's table. */
async function columnsOf(file: string, columns: string[]): Promise<unknown[]> {
	const rows = await (await tableOf(file)).rows();
	return rows.map((row) => columns.map((column) => row[column]));
}

async function expectOwnLinks(): Promise<void> {
	const targets = new Map((await links()).map((link) => [link.shorturl, link.longurl]));
	for (const { address, shorturl } of await (await tableOf(SHEET)).rows()) {
		if (shorturl !== '') expect(targets.get(shorturl)).toBe(address);
	}
}

test.each([...OTHERS, ...SHEETS, ...LAUNCHES, ...REPORTS, ...CHECKS])(
	'$file $does',
	async ({ file, given, as, failsIn, keeps = [], sends, rows, posts, also, ...expected }) => {
		await given?.();
		const before = keeps.length > 0 ? await columnsOf(file, keeps) : [];
		const workflow = imported(file);
		const result = await client.run(as?.(workflow) ?? workflow, triggerOf(workflow));

		expect([result.status, result.error?.node]).toEqual([
			failsIn === undefined ? 'success' : 'error',
			failsIn,
		]);
		if (sends !== undefined) expect(sent()).toEqual(sends);
		for (const [path, bodies] of Object.entries(expected.bodies ?? {})) {
			expect(bodiesOf(path)).toEqual(bodies);
		}
		for (const [node, items] of Object.entries(expected.gives ?? {})) {
			expect(json(result, node)).toEqual(items);
		}
		if (rows !== undefined) {
			const found = await (await tableOf(file)).rows();
			expect(found.slice(-rows.length)).toEqual(rows);
		}
		if (keeps.length > 0) expect(await columnsOf(file, keeps)).toEqual(before);
		if (posts !== undefined) expect(chat.posts).toEqual(posts);
		if (file === SHEET) await expectOwnLinks();
		await also?.(result);
	},
);

test('weekly-click-report.json reports nothing clicked for an account without links', async () => {
	const { apiKey } = await sandbox.register({
		email: 'newcomer@links.example',
		apiKey: KEYS.newcomer,
	});
	const access = { ...demoAccess(sandbox), linkApiKey: apiKey };
	const newcomer = await saveSandboxCredentials(client, access, { suffix: 'of a newcomer' });
	const workflow = imported(REPORT, newcomer);
	const result = await client.run(workflow, triggerOf(workflow));
	expect(json(result, 'Write the report')).toEqual([
		{ links: 0, clicks: 0, text: like(/^0 clicks on 0 links/) },
	]);
});

test('the examples that wait for something tell the chat once each, when they are published', async () => {
	const ids: string[] = [];
	for (const file of [
		'support-ending-reminder.json',
		'new-link-to-chat.json',
		'click-milestone.json',
	]) {
		ids.push(await client.publish(polledOften(withChat(imported(file)))));
	}
	try {
		const polls = () => sent().filter((request) => request === 'GET /api/urls').length;
		await until(() => polls() > 0 && chat.posts.length > 0, 'the first poll of each');
		expect(chat.posts).toEqual([
			{ text: like(new RegExp(`purchase ${CODES.supportEnding} ends in 10 days`)) },
		]);
		await axios.post(
			`${sandbox.linkUrl}/api/url/add`,
			{ url: 'https://example.com/news', custom: 'news-of-the-day', metatitle: 'News' },
			{ headers: { Authorization: `Bearer ${KEYS.link}` }, proxy: false },
		);
		await until(() => chat.posts.length > 1, 'the new link');
		const before = polls();
		await until(() => polls() > before + 1, 'two more polls');
		expect(chat.posts.slice(1)).toEqual([
			{ text: `News: ${sandbox.linkUrl}/news-of-the-day leads to https://example.com/news` },
		]);
		const news = (await links()).find(({ alias }) => alias === 'news-of-the-day');
		sandbox.links.addVisits('link', Number(news?.id), 1000);
		await until(() => chat.posts.length > 2, 'the milestone');
		expect(chat.posts.slice(2)).toEqual([
			{ text: like(/^News has passed 1,000 clicks: .*\/news-of-the-day/) },
		]);
	} finally {
		for (const id of ids) await client.deactivate(id);
	}
});

test('campaign-link-agent.json finds no such campaign, creates it, makes the link and assigns it, and says so in the chat', async () => {
	const asked = 'A link to https://example.com/tour for our summer tour, for the newsletter';
	const utm = { source: 'newsletter', medium: 'email', campaign: 'summer-tour' };
	const link = { url: 'https://example.com/tour', title: 'Summer tour, newsletter', ...utm };
	let campaignId: unknown;
	const model = await startModel([
		{ tool: 'Find_the_campaigns', input: {} },
		{ tool: 'Create_a_campaign', input: { name: 'Summer tour' } },
		(request) => {
			campaignId = lastToolResult(request)[0]?.id;
			return { tool: 'Create_a_link', input: link };
		},
		(request) => ({
			tool: 'Assign_a_link_to_a_campaign',
			input: { campaignId, linkId: lastToolResult(request)[0]?.id },
		}),
		{ say: 'The newsletter has its link.' },
	]);
	try {
		const openAi = await client.saveCredential({
			name: 'Scripted model of the examples',
			type: 'openAiApi',
			data: { apiKey: KEYS.model, url: model.url, header: false },
		});
		const workflow = imported('campaign-link-agent.json', [...credentials, openAi]);
		const result = await client.chat(workflow, triggerOf(workflow), asked);
		expect(result.error).toBeUndefined();
		expect(json(result, 'Campaign agent')).toEqual([{ output: 'The newsletter has its link.' }]);

		const [first, second] = model.requests;
		expect(first?.messages.map(({ role }) => role)).toEqual(['developer', 'user']);
		expect(JSON.stringify(first?.messages)).toContain(asked);
		const known = second === undefined ? [] : lastToolResult(second).map(({ name }) => name);
		expect(known).toEqual(expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']));

		const [made] = (await links()).filter(({ longurl }) => longurl === link.url);
		expect(requests().map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
			'GET /api/campaigns 200',
			'POST /api/campaign/add 200',
			'POST /api/url/add 200',
			`POST /api/campaign/${String(campaignId)}/assign/${String(made?.id)} 200`,
		]);
		expect(bodiesOf('/api/campaign/add')).toEqual([{ name: 'Summer tour' }]);
		const parameters = Object.entries(utm).map(([name, value]) => ({ name: `utm_${name}`, value }));
		expect(bodiesOf('/api/url/add')).toEqual([
			{ url: link.url, metatitle: link.title, parameters },
		]);
	} finally {
		await model.stop();
	}
});
