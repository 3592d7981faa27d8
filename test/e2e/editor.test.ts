import { readFile } from 'node:fs/promises';

import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import type { SavedWorkflow, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	demoAccess,
	readWorkflow,
	saveSandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { choicesOf, OPERATIONS } from '../operations.ts';
import { until } from '../n8n-host/until.ts';
import { withEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import { linksOf, theStage } from './stage.ts';
import { chain } from './workflow.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);

beforeAll(async () => {
	await client.login(DEMO_OWNER);
});

/** Other suites import the examples under their own names. */
async function importExample(file: string): Promise<WorkflowJson & SavedWorkflow> {
	const example = await readWorkflow(`examples/${file}`);
	const workflow = { ...example, name: `${example.name} in the editor` };
	const credentials = await client.credentials();
	const saved = await client.importWorkflow(withCredentials(workflow, credentials));
	return { ...workflow, ...saved };
}

test('an example, run with one click, shows a short link that the service knows', async () => {
	await editor().openWorkflow((await importExample('create-short-link.json')).id);
	await editor().execute();

	await editor().openNode('Create a link');
	const output = editor().page.getByTestId('output-panel');
	await output.getByText('shorturl', { exact: true }).waitFor();
	const shorturl = await output.getByText(stage.linkUrl).innerText();

	expect((await linksOf(stage)).map((link) => link.shorturl)).toContain(shorturl);
});

test.each([
	{
		node: 'linkManagement',
		title: 'Link Management',
		words: 'short link',
		trigger: new LinkManagementTrigger(),
	},
	{ node: 'store', title: 'Store', words: 'purchase code', trigger: new StoreTrigger() },
])(
	'"$words" finds $title in the node panel, with all operations and events, and an icon for each theme',
	async ({ node, title, words, trigger }) => {
		const [events] = trigger.description.properties.filter((field) => field.name === 'event');
		const expected = [
			...OPERATIONS.flatMap(({ option, ...of }) => (of.node === node ? (option.action ?? []) : [])),
			...(events ? choicesOf(events) : []).map((event) => `On ${event.name}`),
		];
		expect(expected.length).toBeGreaterThan(5);
		await editor().openActionsOf(title, words);
		const actions = editor().page.getByTestId('node-creator-item-name');
		const offered = (await actions.allInnerTexts()).map((action) => action.toLowerCase());
		for (const label of expected) expect(offered).toContain(label.toLowerCase());
		for (const [colorScheme, file] of [
			['dark', `/${node}.dark.svg`],
			['light', `/${node}.svg`],
		] as const) {
			await editor().page.emulateMedia({ colorScheme });
			// As text, because it runs in the browser.
			await editor().page.waitForFunction(
				`[...document.images].some(({ src, naturalWidth }) => src.endsWith('${file}') && naturalWidth > 0)`,
			);
		}
	},
);

test('a campaign is picked from the list by a part of its name', async () => {
	await editor().addAction('Link Management', 'Assign link to campaign');
	const found = await editor().searchList('campaignId', 'sprin');
	expect(await found.allInnerTexts()).toEqual(['Spring Sale']);
	await found.click();
	const locator = editor().page.getByTestId('resource-locator-campaignId');
	expect(await locator.getByTestId('rlc-input').inputValue()).toBe('Spring Sale');
});

test('a sheet becomes links without a typed value, and a second run only reads the list', async () => {
	const sandbox = await startSandbox({ seed: 'demo' });
	const suffix = 'of the sheet';
	const saved = await saveSandboxCredentials(client, demoAccess(sandbox), { suffix });
	const rows = ['spring', 'summer'].map((alias) => ({
		Title: alias,
		URL: `https://example.com/${alias}`,
		Alias: `sheet-${alias}`,
		'UTM Source': 'newsletter',
		utm_medium: 'email',
	}));
	const { id } = await client.importWorkflow(chain('A sheet in the editor', rows, []));
	await editor().openWorkflow(id);
	await editor().appendAction(
		'Link Management',
		'Create or update short link',
		saved[0]?.name ?? '',
	);
	await editor().choose('mappingMode', 'Map Automatically');
	const first = await editor().runStepUntil('created');
	const column = (name: string) => first.map((row) => row[name]);
	expect(column('outcome')).toEqual(['created', 'created']);
	expect(column('Title')).toEqual(['spring', 'summer']);
	expect(column('longurl')).toEqual(
		rows.map(({ URL }) => `${URL}?utm_source=newsletter&utm_medium=email`),
	);

	sandbox.clearRequests();
	const second = await editor().runStepUntil('unchanged');
	expect(second.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
	const asked = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	expect(asked).toEqual(['GET /api/urls']);
	await sandbox.stop();
});

test('a colleague uploads a sheet in the form of an example, and gets it back with links', async () => {
	const { id, nodes } = await importExample('sheet-in-sheet-out.json');
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const { page } = editor();
	await client.activate(id);
	await until(async () => {
		await page.goto(`${stage.n8nUrl}/form/${String(form?.webhookId)}`);
		return (await page.locator('input[type=file]').count()) > 0;
	}, 'the form');
	await page.locator('input[type=file]').setInputFiles('examples/sheet-in-sheet-out.csv');
	await page.locator('select').first().selectOption('Semicolon');
	const [download] = await Promise.all([
		page.waitForEvent('download', { timeout: 60_000 }),
		page.getByRole('button', { name: 'Get short links' }).click(),
	]);
	expect(download.suggestedFilename()).toBe('short-links.csv');
	const content = await readFile(await download.path(), 'utf8');
	// It begins with a byte order mark, for Excel.
	const [header = '', ...lines] = content
		.replace(/^\uFEFF/, '')
		.trim()
		.split(/\r?\n/);
	const rows = lines.slice(0, 3).map((line) => {
		const cells = line.split(';');
		return Object.fromEntries(header.split(';').map((name, at) => [name, cells[at] ?? '']));
	});
	expect(rows.map(({ outcome, title }) => [outcome, title])).toEqual([
		['created', 'Frühling'],
		['created', 'Straßenfest'],
		['created', 'Größen'],
	]);
	expect(rows[0]).toMatchObject({
		error: '',
		shorturl: expect.stringContaining(stage.linkUrl) as unknown,
		qr_code: expect.stringContaining(`${stage.linkUrl}/qr/`) as unknown,
	});
	expect(lines[3]).toMatch(/^failed;.*Failed: .*Tippfehler/);
	await client.deactivate(id);
});

test('a new credential is tested with address and key alone', async () => {
	const fields = { baseUrl: stage.storeUrl, apiKey: stage.storeApiKey };
	const verdict = await editor().newCredential('Store API', fields);
	expect(verdict).toContain('Connection tested successfully');
});

test('a new credential with a wrong key says that it is the key', async () => {
	const fields = { baseUrl: stage.linkUrl, apiKey: KEYS.mistyped };
	const verdict = await editor().newCredential('Link Management API', fields);
	expect(verdict).toMatch(/Check the API key/);
	expect(verdict).not.toContain(KEYS.mistyped);
});
