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
import type { WorkflowJson } from '../n8n-host/client.ts';
import { readExample, readExamples } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import type { Editor } from './editor.ts';
import { openEditor, SWITCHED_ON } from './editor.ts';
import { OwnN8n } from './ownN8n.ts';
import { installPrograms } from './programs.ts';
import { sheetPage } from './sheetPage.ts';
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
	'.vue-flow__panel, [data-test-id="canvas-wrapper"] button { visibility: hidden }';

/** Windows of the width that npm shows. */
const NARROW = { width: 1000, height: 640 };
const WIDE = { width: 1280, height: 640 };
const TALL = { width: 1000, height: 1200 };

await using stack = new AsyncDisposableStack();
installPrograms('chromium');
const n8n = await OwnN8n.open(stack, { name: 'pictures' });
const { client, sandbox } = n8n;
const editor: Editor = await openEditor(stack, client.url);
const { page } = editor;

/** @param target what is shown */
async function take(name: string, target: Locator): Promise<void> {
	await sleep(SETTLE_MS);
	const path = join(FOLDER, `${name}.png`);
	await target.screenshot({ path, animations: 'disabled', style: WITHOUT_BUTTONS });
	process.stderr.write(`${name}\n`);
}

const open = async (workflow: WorkflowJson): Promise<void> => {
	const { id } = await client.createWorkflow(n8n.ready(workflow));
	await editor.openWorkflow(id);
};

const dialog = () => page.getByTestId('editCredential-modal');

/** Shows something, and gives what of the window is in the picture, by the picture's name. The other examples are canvases. */
const SCENES: Record<string, () => Promise<Locator>> = {
	'create-short-link': async () => {
		const parameters = {
			url: 'https://example.com/spring',
			customAlias: 'spring-sale',
			domain: DOMAIN,
		};
		await page.setViewportSize(WIDE);
		await open(chain('A short link', [{}], [link('Create a link', 'create', parameters)]));
		await editor.execute();
		await editor.openNode('Create a link');
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
		const fields = { baseUrl: sandbox.linkUrl, apiKey: DEMO.link.apiKey };
		await editor.newCredential('Link Management API', fields);
		return dialog();
	},
	'store-credential': async () => {
		await page.setViewportSize(TALL);
		const fields = {
			baseUrl: sandbox.storeUrl,
			moreSettings: SWITCHED_ON,
			apiKey: DEMO.store.apiKey,
			knownValidCode: DEMO.purchaseCodes.valid,
		};
		await editor.newCredential('Store API', fields);
		return dialog();
	},
	'support-form-ending': async () => {
		await client.publish(n8n.ready(await readExample('purchase-support-form.json')));
		const isThere = async () => {
			await page.goto(`${client.url}/form/purchase-support`);
			return (await page.locator('textarea').count()) > 0;
		};
		await until(isThere, 'the form');
		const [email, code] = [page.locator('input').nth(0), page.locator('input').nth(1)];
		await email.fill('ada@example.com');
		await code.fill(DEMO.purchaseCodes.supportEnded);
		await page.locator('textarea').fill('How do I install it?');
		await page.getByRole('button').click();
		await page.getByText('Your support has ended').waitFor();
		return page.locator('.card').first();
	},
};

for (const [file, workflow] of await readExamples()) {
	const name = file.replace('.json', '');
	if (!isWanted(name) || name in SCENES || !existsSync(join(FOLDER, `${name}.png`))) continue;
	await page.setViewportSize(NARROW);
	await open(workflow);
	await take(name, page.getByTestId('canvas-wrapper'));
}
for (const [name, show] of Object.entries(SCENES)) {
	if (isWanted(name)) await take(name, await show());
}
