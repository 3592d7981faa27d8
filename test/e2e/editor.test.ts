import { readFile } from 'node:fs/promises';

import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import type { SavedWorkflow } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	demoAccess,
	readExamples,
	readWorkflow,
	saveSandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';
import { until } from '../n8n-host/until.ts';
import { withEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import { linksOf, theStage } from './stage.ts';
import { chain, link } from './workflow.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);
/** The examples, imported, by file name */
const examples = new Map<string, SavedWorkflow>();
/** The credentials that were there before */
let kept: string[];

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	const credentials = await client.credentials();
	kept = credentials.map(({ id }) => id);
	for (const [file, example] of await readExamples()) {
		examples.set(file, await client.importWorkflow(withCredentials(example, credentials)));
	}
});

afterAll(async () => {
	for (const credential of await client.credentials()) {
		if (!kept.includes(credential.id)) await client.deleteCredential(credential);
	}
});

test.each([
	{ words: 'link management', node: 'Link Management' },
	{ words: 'short link', node: 'Link Management' },
	{ words: 'store', node: 'Store' },
	{ words: 'purchase code', node: 'Store' },
])('typing "$words" in the node panel finds $node', async ({ words, node }) => {
	const found = await editor().searchNodes(words);
	await found.getByText(node, { exact: true }).first().waitFor();
});

test('an example, run with one click, shows a short link that the service knows', async () => {
	await editor().openWorkflow(examples.get('create-short-link.json')?.id ?? '');
	await editor().screenshot('example opened');
	await editor().execute();
	await editor().screenshot('example executed');

	await editor().openNode('Create a link');
	const output = editor().page.getByTestId('output-panel');
	await output.getByText('shorturl', { exact: true }).waitFor();
	const shorturl = await output.getByText(stage.linkUrl).innerText();

	expect((await linksOf(stage)).map((link) => link.shorturl)).toContain(shorturl);
});

test('every example opens with all of its nodes and its note', async () => {
	for (const [file, example] of await readExamples()) {
		await editor().openWorkflow(examples.get(file)?.id ?? '');
		for (const { name, type } of example.nodes) {
			if (type !== 'n8n-nodes-base.stickyNote') await editor().node(name).waitFor();
		}
		await editor().page.getByTestId('sticky').waitFor();
		await editor().screenshot(file);
	}
}, 400_000);

test.each([
	['linkManagement', new LinkManagementTrigger()],
	['store', new StoreTrigger()],
] as const)(
	'the page of %s in the node panel offers every operation and every event',
	async (name, trigger) => {
		const [events] = trigger.description.properties.filter((field) => field.name === 'event');
		const expected = [
			...OPERATIONS.flatMap(({ node, option }) => (node === name ? (option.action ?? []) : [])),
			...(events ? choicesOf(events) : []).map((event) => `On ${event.name}`),
		];
		expect(expected.length).toBeGreaterThan(5);
		await editor().openActionsOf(OPERATION_NODES[name].node.description.displayName);
		const actions = editor().page.getByTestId('node-creator-item-name');
		const offered = (await actions.allInnerTexts()).map((action) => action.toLowerCase());
		for (const label of expected) expect(offered).toContain(label.toLowerCase());
	},
);

test('a campaign is picked from the list by a part of its name', async () => {
	await editor().addAction('Link Management', 'Assign link to campaign');
	const found = await editor().searchList('campaignId', 'sprin');
	expect(await found.allInnerTexts()).toEqual(['Spring Sale']);
	await editor().screenshot('campaign searched');
	await found.click();
	const locator = editor().page.getByTestId('resource-locator-campaignId');
	expect(await locator.getByTestId('rlc-input').inputValue()).toBe('Spring Sale');
});

test('one step, run alone, shows a table of its results', async () => {
	await editor().addAction('Link Management', 'Get many campaigns');
	const [header = [], ...rows] = await editor().executeStep();
	expect(header).toEqual(expect.arrayContaining(['id', 'name', 'public', 'rotator', 'list']));
	const names = rows.map((cells) => cells[header.indexOf('name')]);
	expect(names).toEqual(expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']));
});

test('before a run the panel says how long its items take', async () => {
	const rows = Array.from({ length: 90 }, (_, at) => ({ url: `https://example.com/${at}` }));
	const step = link('Shorten', 'create', { url: '={{ $json.url }}' });
	const workflow = withCredentials(chain('A sheet', rows, [step]), await client.credentials());
	await editor().openWorkflow((await client.importWorkflow(workflow)).id);
	await editor().openNode('Shorten');
	await editor().page.getByText('Execute previous nodes').click();
	await editor().page.getByText('The input items take up to 3 minutes').waitFor();
	await editor().screenshot('how long it takes');
});

test('a sheet becomes links without a typed value, and a second run only reads the list', async () => {
	const sandbox = await startSandbox({ seed: 'demo' });
	const suffix = 'of the sheet';
	const saved = await saveSandboxCredentials(client, demoAccess(sandbox), { suffix });
	const rows = ['spring', 'summer'].map((alias) => ({
		...{ Title: alias, URL: `https://example.com/${alias}`, Alias: `sheet-${alias}` },
		...{ 'UTM Source': 'newsletter', utm_medium: 'email' },
	}));
	const { id } = await client.importWorkflow(chain('A sheet in the editor', rows, []));
	await editor().openWorkflow(id);
	await editor().appendAction(
		'Link Management',
		'Create or update short link',
		saved[0]?.name ?? '',
	);
	await editor().choose('mappingMode', 'Map Automatically');
	const [header = [], ...cells] = await editor().executeStep();
	const output = editor().page.getByTestId('output-panel');
	await output.getByText('Schema', { exact: true }).click();
	await output.getByText('outcome', { exact: true }).waitFor();
	await editor().screenshot('sheet mapped automatically');
	await output.getByText('Table', { exact: true }).click();
	const column = (name: string) => cells.map((row) => row[header.indexOf(name)]);
	expect(column('outcome')).toEqual(['created', 'created']);
	expect(column('Title')).toEqual(['spring', 'summer']);
	expect(column('longurl')).toEqual(
		rows.map(({ URL }) => `${URL}?utm_source=newsletter&utm_medium=email`),
	);

	sandbox.clearRequests();
	await editor().runStep();
	await output.getByText('unchanged', { exact: true }).nth(1).waitFor();
	await editor().screenshot('sheet without changes');
	const asked = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	expect(asked).toEqual(['GET /api/urls']);
	await sandbox.stop();
});

test('a colleague uploads a sheet in the form of an example, and gets it back with links', async () => {
	const example = examples.get('sheet-in-sheet-out.json');
	const { nodes } = await readWorkflow('examples/sheet-in-sheet-out.json');
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const { page } = editor();
	await client.activate(example?.id ?? '');
	await until(async () => {
		await page.goto(`${stage.n8nUrl}/form/${String(form?.webhookId)}`);
		return (await page.locator('input[type=file]').count()) > 0;
	}, 'the form');
	const sheet = 'title;url\nSpring;https://example.com/spring\nMistake;example dot com\n';
	const file = { name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
	await page.locator('input[type=file]').setInputFiles(file);
	await page.locator('select').selectOption('Semicolon');
	await editor().screenshot('form of the sheet');
	const [download] = await Promise.all([
		page.waitForEvent('download', { timeout: 60_000 }),
		page.getByRole('button', { name: 'Get short links' }).click(),
	]);
	expect(download.suggestedFilename()).toBe('short-links.csv');
	const content = await readFile(await download.path(), 'utf8');
	// It begins with a byte order mark, for Excel.
	const [header = '', spring = '', mistake = ''] = content.replace(/^\uFEFF/, '').split(/\r?\n/);
	const cellsOf = (line: string) => {
		const cells = line.split(',');
		return Object.fromEntries(header.split(',').map((name, at) => [name, cells[at] ?? '']));
	};
	expect(cellsOf(spring)).toMatchObject({
		...{ title: 'Spring', url: 'https://example.com/spring', error: '' },
		shorturl: expect.stringContaining(stage.linkUrl) as unknown,
		qr_code: expect.stringContaining(`${stage.linkUrl}/qr/`) as unknown,
	});
	expect(cellsOf(mistake)).toMatchObject({ title: 'Mistake', shorturl: '', qr_code: '' });
	expect(mistake).toContain('URL must be a web address');
	await editor().screenshot('sheet is back');
	await client.deactivate(example?.id ?? '');
});

test.each([
	['light', '.svg'],
	['dark', '.dark.svg'],
] as const)('both nodes have an icon for the %s theme', async (colorScheme, end) => {
	const { page } = editor();
	await page.emulateMedia({ colorScheme });
	for (const [node, file] of [
		['Link Management', `/linkManagement${end}`],
		['Store', `/store${end}`],
	] as const) {
		await editor().openActionsOf(node);
		// As text, because it runs in the browser.
		await page.waitForFunction(
			`[...document.images].some(({ src, naturalWidth }) => src.endsWith('${file}') && naturalWidth > 0)`,
		);
		await editor().screenshot(`${node} in the ${colorScheme} theme`);
	}
	await page.emulateMedia({ colorScheme: 'light' });
});

describe.each([
	{ type: 'Link Management API', baseUrl: stage.linkUrl, apiKey: stage.linkApiKey },
	{ type: 'Store API', baseUrl: stage.storeUrl, apiKey: stage.storeApiKey },
])('a new credential of the type $type', ({ type, baseUrl, apiKey }) => {
	const verdictOn = async (fields: Record<string, string>) =>
		await editor().newCredential(type, { baseUrl, apiKey, ...fields });

	test('is tested successfully with address and key alone', async () => {
		expect(await verdictOn({})).toContain('Connection tested successfully');
	});

	test('with a wrong key says that it is the key', async () => {
		const verdict = await verdictOn({ apiKey: KEYS.mistyped });
		expect(verdict).toMatch(/Check the API key/);
		expect(verdict).not.toContain(KEYS.mistyped);
	});
});
