import { CALLS, RUNS, toChat } from './exampleRuns.ts';
import type { ExampleStage } from './exampleStage.ts';
import { json, openExamples, triggerOf, withEntered } from './exampleStage.ts';
import { list } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { A_STRING, including, like, listWith } from './matchers.ts';
import { lastToolResult, startModel } from './model.ts';
import { isAll } from './stage.ts';
import { describeStrangers } from './strangers.ts';

/** Every example, run as somebody runs it who has just imported it, with what the services, a chat and a mailbox get. */

const NOTE = 'n8n-nodes-base.stickyNote';

let stage: ExampleStage;

beforeAll(async () => {
	stage = await openExamples();
});

beforeEach(() => {
	stage.sandbox.clearRequests();
	stage.sandbox.faults.clear();
	stage.chat.posts.length = 0;
});

afterAll(async () => {
	await stage.close();
});

test('every example explains itself in one note, and speaks in it only of nodes that it has', () => {
	const terms = [
		'Make it yours:',
		'If the store is down,',
		'Requests:',
		'Execute workflow',
		'Tool',
	];
	for (const [file, { name, nodes }] of stage.examples) {
		const [note, ...others] = nodes.filter(({ type }) => type === NOTE);
		expect([file, others]).toEqual([file, []]);
		const content = String(note?.parameters.content);
		expect(content).toMatch(
			new RegExp(`^## ${name}\n\n### .+\n\n\\*\\*Make it yours:.+\n\n\\*\\*Requests:.+$`, 's'),
		);
		const names = [...terms, ...nodes.map((node) => node.name)];
		for (const [, word] of content.matchAll(/\*\*(.+?)\*\*/g)) {
			expect([file, names]).toEqual([file, listWith(word)]);
		}
	}
});

test('every example is made of nodes that this n8n has, and holds no credential but by name', async () => {
	const types = new Set(await stage.client.nodeTypes());
	for (const [file, { nodes, ...workflow }] of stage.examples) {
		expect(Object.keys(workflow)).toEqual(['name', 'connections', 'settings']);
		for (const { name, type, credentials = {} } of nodes) {
			expect([file, type, types.has(type)]).toEqual([file, type, true]);
			expect(name.replace(/‘Execute|Monday|OpenAI|QR/g, '')).toMatch(/^[A-Z]?[^A-Z]*$/);
			for (const credential of Object.values(credentials)) {
				expect(credential).toEqual({ id: null, name: A_STRING });
			}
		}
	}
});

const AGENT = 'campaign-link-agent.json';
/** It begins with a form, so editor.test.ts has it. */
const FORM = 'sheet-in-sheet-out.json';

test('every example is run', () => {
	const files = [...Object.keys(RUNS), ...Object.keys(CALLS), AGENT, FORM];
	expect(files.sort()).toEqual([...stage.examples.keys()]);
});

test.each(Object.entries(RUNS).flatMap(([file, runs]) => runs.map((run) => ({ file, ...run }))))(
	'$file $does',
	async ({ file, keeps = [], bodies = {}, gives = {}, ...run }) => {
		const workflow = stage.imported(file, await run.as?.(stage));
		const rowsNow = async () => (await (await stage.tableOf(workflow))?.rows()) ?? [];
		const kept = async () => (await rowsNow()).map((row) => keeps.map((column) => row[column]));
		const table = await stage.tableOf(workflow);
		if (run.changes) await table?.change(...run.changes);
		if (run.adds) await table?.add(run.adds);
		for (const fault of run.faults ?? []) stage.sandbox.faults.add(fault);
		await run.given?.(stage);
		const before = await kept();

		const ready = run.enters ? withEntered(workflow, run.enters(stage)) : workflow;
		const result = await stage.client.run(ready, triggerOf(workflow));

		const status = run.failsIn === undefined ? 'success' : 'error';
		const failed = Object.entries(result.runs).find(([, runs]) => runs.some(({ error }) => error));
		expect([result.status, failed?.[0]]).toEqual([status, run.failsIn]);
		if (run.sends) expect(stage.sent()).toEqual(run.sends);
		for (const [path, sent] of Object.entries(bodies)) expect(stage.bodiesOf(path)).toEqual(sent);
		for (const [node, items] of Object.entries(gives)) expect(json(result, node)).toEqual(items);
		const rows = await rowsNow();
		if (run.rows) expect(rows.slice(-run.rows.length)).toEqual(run.rows);
		if (keeps.length > 0) expect(await kept()).toEqual(before);
		if (run.posts) expect(stage.chat.posts).toEqual(run.posts);
		await run.also?.({ stage, result, rows });
	},
);

describe.each(Object.entries(CALLS))('%s', (file, calls) => {
	let id: string;
	beforeAll(async () => {
		id = await stage.client.publish(withEntered(stage.imported(file), toChat(stage)));
	});
	afterAll(async () => {
		await stage.client.deactivate(id);
	});

	test.each(calls)('$does', async ({ sends, faults = [], responds, posts }) => {
		for (const fault of faults) stage.sandbox.faults.add(fault);
		expect(await stage.call(file, sends)).toEqual(responds);
		if (posts) expect(stage.chat.posts).toEqual(posts);
	});
});

if (isAll()) describeStrangers(() => stage);

test(`${AGENT} finds no such campaign, creates it, makes the link and assigns it, and says so in the chat`, async () => {
	const asked = 'A link to https://example.com/tour for our summer tour, for the newsletter';
	const utm = { source: 'newsletter', medium: 'email', campaign: 'summer-tour' };
	const link = { url: 'https://example.com/tour', title: 'Summer tour, newsletter', ...utm };
	const tags = Object.entries(utm).map(([name, value]) => `utm_${name}=${value}`);
	const tagged = `${link.url}?${tags.join('&')}`;
	let campaignId: unknown;
	const model = await startModel([
		{ tool: 'Find_the_campaigns', input: {} },
		{ tool: 'Create_a_campaign', input: { name: 'Summer tour' } },
		(request) => {
			campaignId = lastToolResult(request)[0]?.id;
			return { tool: 'Create_a_link', input: link };
		},
		(request) => {
			const linkId = lastToolResult(request)[0]?.id;
			return { tool: 'Assign_a_link_to_a_campaign', input: { campaignId, linkId } };
		},
		{ say: 'The newsletter has its link.' },
	]);
	try {
		const name = 'Scripted model of the examples';
		const data = { apiKey: KEYS.model, url: model.url, header: false };
		const openAi = await stage.client.saveCredential({ name, type: 'openAiApi', data });
		const workflow = stage.imported(AGENT, [...stage.credentials, openAi]);
		const result = await stage.client.chat(workflow, triggerOf(workflow), asked);
		expect(result.error).toBeUndefined();
		expect(json(result, 'Campaign agent')).toEqual([{ output: 'The newsletter has its link.' }]);

		const [first, ...others] = model.requests;
		expect(first?.messages.map(({ role }) => role)).toEqual(['developer', 'user']);
		expect(JSON.stringify(first?.messages)).toContain(asked);
		const names = Object.keys(link);
		const properties = names.map((name) => [name, including({ type: 'string' })] as const);
		const tool = first?.tools.find(({ name }) => name === 'Create_a_link');
		expect(tool).toMatchObject({
			description: like(/link/i),
			parameters: { properties: Object.fromEntries(properties) },
		});
		expect(list(tool?.parameters.required).sort()).toEqual(names.sort());
		const [known = []] = others.map(lastToolResult);
		expect(known.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']),
		);

		const made = (await stage.links()).find(({ longurl }) => longurl === tagged);
		const [run] = result.runs['Create a link'] ?? [];
		expect(JSON.stringify(run?.outputs)).toContain(made?.shorturl);
		expect(stage.requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(stage.sent()).toEqual([
			...['GET /api/campaigns', 'POST /api/campaign/add', 'POST /api/url/add'],
			`POST /api/campaign/${String(campaignId)}/assign/${String(made?.id)}`,
		]);
		expect(stage.bodiesOf('/api/campaign/add')).toEqual([{ name: 'Summer tour' }]);
		expect(stage.bodiesOf('/api/url/add')).toEqual([{ url: tagged, metatitle: link.title }]);
	} finally {
		await model.stop();
	}
});
