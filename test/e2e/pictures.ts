/**
 * Takes the pictures of the documentation again, from the real editor.
 *
 *     npm run pictures -- [parts of names, as "sheet"]
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkflowJson } from '../n8n-host/client.ts';
import { readExamples } from '../n8n-host/instance.ts';
import type { Editor } from './editor.ts';
import { openEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';
import { installPrograms } from './programs.ts';
import { chain } from './workflow.ts';

const FOLDER = 'examples/screenshots';
/** Until a message of n8n is gone, or a canvas has moved to its place. */
const SETTLE_MS = 6_000;

const words = process.argv.slice(2);
const isWanted = (name: string): boolean =>
	words.length === 0 || words.some((word) => name.includes(word));

/** A sheet as a marketing team writes it. */
const ROWS = [
	{
		Title: 'Mistake',
		URL: 'example dot com',
		Alias: 'mistake',
		Expiry: '',
		Campaign: '',
		'UTM Source': 'Newsletter',
	},
	{
		Title: 'Spring sale',
		URL: 'https://example.com/spring',
		Alias: 'spring-sale',
		Expiry: '31.12.2030',
		Campaign: 'spring sale',
		'UTM Source': 'Newsletter',
	},
	{
		Title: 'Summer',
		URL: 'https://example.com/summer',
		Alias: 'summer',
		Expiry: '',
		Campaign: 'Newsletter',
		'UTM Source': 'Newsletter',
	},
];

await using stack = new AsyncDisposableStack();
installPrograms('chromium');
const n8n = await OwnN8n.open(stack, { name: 'pictures' });
const { client, sandbox } = n8n;
const editor: Editor = await openEditor(stack, client.url);
const { page } = editor;

async function take(name: string): Promise<void> {
	await sleep(SETTLE_MS);
	await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
	process.stderr.write(`${name}\n`);
}

const open = async (workflow: WorkflowJson): Promise<void> => {
	const { id } = await client.createWorkflow(n8n.ready(workflow));
	await editor.openWorkflow(id);
};

/** What is on the screen, by the name of its picture. The examples are drawn on their canvases. */
const SCENES: Record<string, () => Promise<unknown>> = {
	'create-short-link': async () => {
		await editor.execute();
		await editor.openNode('Create a link');
	},
	'map-automatically': async () => {
		await open(chain('A sheet every week', ROWS, []));
		const action = 'Create or update short link';
		await editor.appendAction('Link Management', action);
		await editor.choose('mappingMode', 'Map Automatically');
		await editor.chooseSetting('onError', 'Continue');
		await editor.runStepUntil('created');
		const output = page.getByTestId('output-panel');
		await output.getByText('outcome', { exact: true }).scrollIntoViewIfNeeded();
	},
	'pick-a-campaign': async () => {
		await open(chain('A campaign', [{}], []));
		await editor.appendAction('Link Management', 'Assign link to campaign');
		await editor.searchList('campaignId', 'sprin');
	},
	'credential-tested': async () => {
		const fields = { baseUrl: sandbox.linkUrl, apiKey: KEYS.mistyped };
		await editor.newCredential('Link Management API', fields);
	},
	'store-credential': async () => {
		const fields = { baseUrl: sandbox.storeUrl, apiKey: KEYS.mistyped };
		await editor.newCredential('Store API', fields);
	},
};

for (const [file, workflow] of await readExamples()) {
	const name = file.replace('.json', '');
	if (!isWanted(name) || !existsSync(join(FOLDER, `${name}.png`))) continue;
	await open(workflow);
	await SCENES[name]?.();
	await take(name);
}
for (const [name, show] of Object.entries(SCENES)) {
	if (!isWanted(name) || name === 'create-short-link') continue;
	await show();
	await take(name);
}
