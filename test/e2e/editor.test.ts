import { readFile } from 'node:fs/promises';

import type { Download, Locator } from 'playwright-core';

import type { WorkflowJson } from '../n8n-host/client.ts';
import { readExample } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import { OPERATIONS } from '../operations.ts';
import type { Editor } from './editor.ts';
import { openEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';
import { chain } from './workflow.ts';

const stack = new AsyncDisposableStack();
let n8n: OwnN8n;
let editor: Editor;

beforeAll(async () => {
	n8n = await OwnN8n.open(stack, { name: 'editor' });
	editor = await openEditor(stack, n8n.client.url);
});
afterEach(async () => {
	// Of a failed test that is the explanation.
	await editor.screenshot(expect.getState().currentTestName ?? 'end');
});
afterAll(async () => await stack.disposeAsync());

async function open(workflow: WorkflowJson): Promise<void> {
	const { id } = await n8n.client.createWorkflow(n8n.ready(workflow));
	await editor.openWorkflow(id);
}

test('an example, run with one click, shows a short link that the service made', async () => {
	await open(await readExample('create-short-link.json'));
	await editor.execute();
	await editor.openNode('Create a link');
	const output = editor.page.getByTestId('output-panel');
	await output.getByText('shorturl', { exact: true }).waitFor();
	await output.getByText(n8n.sandbox.linkUrl).waitFor();
	expect(n8n.sandbox.requests.map(({ path }) => path)).toContain('/api/url/add');
});

/** All operations are in the node panel, and the node has an icon for each theme. */
async function expectInPanel(node: string, actions: Locator): Promise<void> {
	for (const { node: of, option } of OPERATIONS) {
		if (of !== node) continue;
		await actions.getByText(new RegExp(`^\\s*${option.action}\\s*$`, 'i')).waitFor();
	}
	for (const [colorScheme, file] of [
		['dark', `/${node}.dark.svg`],
		['light', `/${node}.svg`],
	] as const) {
		await editor.page.emulateMedia({ colorScheme });
		// As text, because it runs in the browser.
		await editor.page.waitForFunction(
			`[...document.images].some(({ src, naturalWidth }) => src.endsWith('${file}') && naturalWidth > 0)`,
		);
	}
}

test('words find both nodes, with all operations, and a campaign is picked by a part of its name', async () => {
	await open(chain('Search for a node', []));
	await expectInPanel('store', await editor.openActionsOf('Store', 'purchase codes'));
	await editor.page.keyboard.press('Escape');
	const links = await editor.openActionsOf('Link Management', 'short links');
	await expectInPanel('linkManagement', links);
	await editor.page.keyboard.press('Escape');

	await editor.appendAction('Link Management', 'Assign link to campaign');
	const found = await editor.searchList('campaignId', 'sprin');
	expect(await found.allInnerTexts()).toEqual(['Spring Sale']);
	await found.click();
	const locator = editor.page.getByTestId('resource-locator-campaignId');
	expect(await locator.getByTestId('rlc-input').inputValue()).toBe('Spring Sale');
});

/** As a team writes it: one column says nothing of a link, and one row has no address. */
const SHEET = [
	'Titel;Destination URL;Slug;Campaign;UTM Source;Status',
	'Frühling;https://example.com/frühling;fest;spring sale;Newsletter;ok',
	'Sommer; https://example.com/sommer ;;;Newsletter;',
	'Falsch;example dot com;falsch;;;',
	'Nur ein Titel;;;;;',
];

/** A workflow that begins with this file. */
const sheetOf = (lines: string[]) =>
	chain('A sheet every week', [
		{
			name: 'Text',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: `return [{ json: ${JSON.stringify({ text: lines.join('\r\n') })} }];`,
			},
		},
		{
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: { operation: 'toText', sourceProperty: 'text' },
		},
		{
			name: 'Sheet',
			type: 'n8n-nodes-base.extractFromFile',
			parameters: { operation: 'csv', options: { delimiter: ';' } },
		},
	]);

test('a sheet becomes links by clicks alone, says what became of each row, and writes nothing a second time', async () => {
	await open(sheetOf(SHEET));
	await editor.appendAction('Link Management', 'Create or update short link');
	await editor.choose('mappingMode', 'Map Automatically');
	n8n.sandbox.clearRequests();
	await editor.runStep();
	const stopped = editor.page.getByTestId('node-error-message');
	await stopped.getByText(/\[item 3\] \(nothing was sent\)/).waitFor();
	expect(n8n.sandbox.requests).toEqual([]);

	await editor.chooseSetting('onError', 'Continue');
	const first = await editor.runStepUntil('created');
	expect(first.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'failed', 'skipped']);
	expect(first.map(({ Titel }) => Titel)).toEqual(SHEET.slice(1).map((row) => row.split(';')[0]));
	expect(first[2]?.error).toContain('Column "Destination URL" must be a web address');
	expect(first[0]?.longurl).toMatch(/\/fr%C3%BChling\?utm_source=Newsletter$/);
	const created = n8n.sandbox.requests.filter(({ path }) => path === '/api/url/add');
	expect(created[0]?.body).toHaveProperty('campaign');

	n8n.sandbox.clearRequests();
	const second = await editor.runStepUntil('unchanged');
	const outcomes = second.map(({ outcome }) => outcome);
	expect(outcomes).toEqual(['unchanged', 'unchanged', 'failed', 'skipped']);
	expect(n8n.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a colleague uploads a sheet in the form of an example, and gets it back with links', async () => {
	const example = await readExample('sheet-in-sheet-out.json');
	const form = example.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const { page } = editor;
	const id = await n8n.client.publish(n8n.ready(example));
	const handedBack = async (sheet: string): Promise<Download> => {
		await until(async () => {
			await page.goto(`${n8n.client.url}/form/${form?.webhookId}`);
			return (await page.locator('input[type=file]').count()) > 0;
		}, 'the form');
		await page.locator('input[type=file]').setInputFiles(sheet);
		const downloaded = page.waitForEvent('download', { timeout: 60_000 });
		await page.getByRole('button', { name: 'Get short links' }).click();
		return await downloaded;
	};
	const download = await handedBack('examples/sheet-in-sheet-out.csv');
	expect(download.suggestedFilename()).toBe('short-links.csv');
	const lines = (await readFile(await download.path(), 'utf8')).split(/\r?\n/);
	// It begins with a byte order mark, for Excel.
	expect(lines[0]).toMatch(/^\uFEFFoutcome;/);
	expect(lines[1]).toMatch(/^created;.*Frühling/);
	expect(lines[1]).toContain(`${n8n.sandbox.linkUrl}/qr/`);
	expect(lines[2]).toMatch(/^created;.*Straßenfest/);
	expect(lines[3]).toMatch(/^created;.*Größen/);
	expect(lines[4]).toMatch(/^failed;.*Tippfehler/);
	await page.getByText('3 created, 1 failed. The file has been downloaded').waitFor();

	await handedBack(await download.path());
	await page.getByText('3 unchanged, 1 failed').waitFor();
	await n8n.client.deactivate(id);
});

test('a new credential with a wrong key says that it is the key, and with the right one that it is connected', async () => {
	await editor.openNewCredential('Link Management API');
	const fields = { baseUrl: n8n.sandbox.linkUrl, apiKey: KEYS.mistyped };
	const verdict = await editor.saveCredential(fields);
	expect(verdict).toMatch(/Check the API key/);
	expect(verdict).not.toContain(KEYS.mistyped);
	const corrected = await editor.saveCredential({ apiKey: KEYS.link });
	expect(corrected).toContain('Connection tested successfully');
});
