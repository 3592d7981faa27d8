/**
 * Takes the pictures of the documentation again, from the real editor.
 *
 *     npm run pictures -- [parts of names, as "sheet"]
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator } from 'playwright-core';

import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { readExamples } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { providePurchaseCodes } from '../n8n-host/provide.ts';
import type { Editor } from './editor.ts';
import { openEditor } from './editor.ts';
import { startModel } from './model.ts';
import { OwnN8n } from './ownN8n.ts';
import { installPrograms } from './programs.ts';
import { sheetPage } from './sheetPage.ts';
import { standInsFor } from './standIns.ts';
import { chain, link } from './workflow.ts';

const FOLDER = 'examples/screenshots';
/** Until a message of n8n is gone, or a canvas has moved to its place. */
const SETTLE_MS = 6_000;

const words = process.argv.slice(2);
const isWanted = (name: string): boolean =>
	words.length === 0 || words.some((word) => name.includes(word));

/** A sheet as a marketing team writes it. */
const ROWS = [
	{ Title: 'Spring sale', URL: 'https://example.com/spring', Alias: 'spring-sale' },
	{ Title: 'Mistake', URL: 'example dot com', Alias: 'mistake' },
	{ Title: 'Summer', URL: 'https://example.com/summer', Alias: 'summer' },
];

/** A branded domain of the sandbox. */
const DOMAIN = { __rl: true, mode: 'name', value: 'go.example.com' };

/** What the editor shows above a canvas. */
const WITHOUT_BUTTONS =
	'.vue-flow__panel, .tab-bar-container, [data-test-id="canvas-wrapper"] button { visibility: hidden }';
/** The dialog down to *Known Valid Code*, which n8n shows only to those who scroll. */
const WITHOUT_SCROLLING =
	'[data-test-id="editCredential-modal"] { height: 842px !important; max-height: none !important }';

/** Windows of the width that npm shows. */
const NARROW = { width: 1000, height: 640 };
const CANVAS = { width: 1000, height: 720 };
const TALL = { width: 1000, height: 1200 };

/** What is around the nodes of a canvas in a picture: at the bottom, also their names. */
const MARGIN = { top: 24, bottom: 64 };

await using stack = new AsyncDisposableStack();
installPrograms('chromium');
/** The services behind the addresses that the pictures show. */
const shown = await startSandbox({ seed: 'demo' });
stack.defer(async () => await shown.stop());
const env = standInsFor({
	'links.example.com': shown.linkUrl,
	'store.example.com': shown.storeUrl,
});
const n8n = await OwnN8n.open(stack, { name: 'pictures', env });
const { client } = n8n;
const campaign = 'Summer tour';
const message = `A link to https://example.com/tour for our ${campaign}, for the newsletter`;
const goodbye = 'The newsletter has its link.';
const model = await startModel(stack, [
	{ tool: 'Find_the_campaigns', input: {} },
	{
		tool: 'Create_a_link',
		input: { url: 'https://example.com/tour', title: campaign, campaignName: campaign },
	},
	{ say: goodbye },
]);
n8n.credentials.push(await client.createCredential(model.credential));
const editor: Editor = await openEditor(stack, client.url);
const { page } = editor;

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

async function boxOf(locator: Locator): Promise<Box> {
	const box = await locator.boundingBox();
	if (box === null) throw new Error('What is to be shown is not visible');
	return box;
}

/** A canvas, as high as its nodes need it. */
async function canvasBox(): Promise<Box> {
	const { x, y, width, height } = await boxOf(page.getByTestId('canvas-wrapper'));
	const nodes = await Promise.all((await page.locator('.vue-flow__node').all()).map(boxOf));
	const top = Math.max(y, Math.min(...nodes.map((node) => node.y)) - MARGIN.top);
	const lowest = Math.max(...nodes.map((node) => node.y + node.height)) + MARGIN.bottom;
	return { x, y: top, width, height: Math.min(y + height, lowest) - top };
}

/** @param getBox gives what of the window is shown, once it has its place */
async function take(name: string, getBox: () => Promise<Box>): Promise<void> {
	await sleep(SETTLE_MS);
	const path = join(FOLDER, `${name}.png`);
	const clip = await getBox();
	await page.screenshot({ path, clip, animations: 'disabled', style: WITHOUT_BUTTONS });
	process.stderr.write(`${name}\n`);
}

const open = async (workflow: WorkflowJson): Promise<void> => {
	const { id } = await client.createWorkflow(n8n.ready(workflow));
	await editor.openWorkflow(id);
};

/** Opens a new credential in its dialog, in which n8n tests it. */
async function openCredential(name: string, type: string, data: JsonRecord): Promise<Locator> {
	const { id } = await client.createCredential({ name, type, data });
	await page.goto(`${client.url}/home/credentials/${id}`);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.getByText('Connection tested successfully').waitFor();
	return dialog;
}

/** Runs the example of that name, which is open. The others begin with a click. */
const RUNS: Record<string, () => Promise<void>> = {
	'campaign-link-agent': async () => {
		const chat = page.getByTestId('workflow-chat-button');
		await chat.click();
		await page.locator('textarea[data-test-id="chat-input"]').fill(message);
		await page.keyboard.press('Enter');
		await page.getByText(goodbye).first().waitFor();
		await chat.click();
	},
	'nightly-purchase-check': async () => {
		await providePurchaseCodes(client);
		await editor.execute();
	},
	'sheet-in-sheet-out': async () => {
		// n8n opens the form in a tab of its own.
		const opened = page.context().waitForEvent('page');
		await page.getByTestId('execute-workflow-button').click();
		const form = await opened;
		await form.locator('input[type=file]').setInputFiles('examples/sheet-in-sheet-out.csv');
		await form.getByRole('button', { name: 'Get short links' }).click();
		await form.getByText('3 created').waitFor();
		// The page tells n8n a moment later that somebody has seen it.
		await sleep(SETTLE_MS);
		await form.close();
	},
};

/** Shows something, and gives what of the window is in the picture, by the picture's name. The other examples are canvases. */
const SCENES: Record<string, () => Promise<Locator>> = {
	'create-short-link': async () => {
		const parameters = {
			url: 'https://example.com/tour',
			customAlias: 'summer-tour',
			domain: DOMAIN,
		};
		await page.setViewportSize(NARROW);
		const rows = [{ Title: campaign }];
		await open(chain('A short link', rows, [link('Create a link', 'create', parameters)]));
		await editor.execute();
		await editor.openNode('Create a link');
		await page.getByTestId('output-panel').getByText('Schema', { exact: true }).click();
		// The output gets some of the input's place.
		const { x, y } = await boxOf(page.getByTestId('panel-drag-button'));
		await page.mouse.move(x + 20, y + 5);
		await page.mouse.down();
		await page.mouse.move(x - 50, y + 5, { steps: 10 });
		await page.mouse.up();
		return page.getByTestId('ndv');
	},
	'sheet-before-and-after': async () => {
		const parameters = { mappingMode: 'autoMapInputData', domain: DOMAIN };
		const step = {
			...link('Links', 'upsert', parameters),
			onError: 'continueRegularOutput',
		} as const;
		const result = await client.run(n8n.ready(chain('A sheet every week', ROWS, [step])));
		await page.setContent(sheetPage(ROWS, result.json('Links')));
		return page.locator('body');
	},
	'pick-a-campaign': async () => {
		await page.setViewportSize(NARROW);
		await open(chain('A campaign', [{}], []));
		await editor.appendAction('Link Management', 'Assign link to campaign');
		await editor.searchList('campaignId', 'sprin');
		return page.getByTestId('ndv');
	},
	'credential-tested': async () => {
		await page.setViewportSize(TALL);
		const fields = { baseUrl: 'https://links.example.com', apiKey: DEMO.link.apiKey };
		return await openCredential('Link Management account', 'linkManagementApi', fields);
	},
	'store-credential': async () => {
		await page.setViewportSize(TALL);
		const dialog = await openCredential('Store account', 'storeApi', {
			baseUrl: 'https://store.example.com',
			apiKey: DEMO.store.apiKey,
			moreSettings: true,
			knownValidCode: DEMO.purchaseCodes.valid,
		});
		await page.addStyleTag({ content: WITHOUT_SCROLLING });
		return dialog;
	},
};

// First, before the examples write into the same account.
for (const [name, show] of Object.entries(SCENES)) {
	if (!isWanted(name)) continue;
	const target = await show();
	await take(name, async () => await boxOf(target));
}
for (const [file, workflow] of await readExamples()) {
	const name = file.replace('.json', '');
	if (!isWanted(name) || name in SCENES || !existsSync(join(FOLDER, `${name}.png`))) continue;
	await page.setViewportSize(CANVAS);
	await open(workflow);
	await (RUNS[name] ?? (async () => await editor.execute()))();
	await take(name, canvasBox);
}
