/**
 * Draws what the editor shows of every operation, event and credential onto a few pictures, so that a person reads all of it in
 * ten minutes.
 *
 *     npx node test/e2e/panels.ts [parts of names, as "qrCode.create"]
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { LinkManagementApi } from '../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../dist/credentials/StoreApi.credentials.js';
import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { packPackage, removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { withCredentials } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import { choicesOf, OPERATIONS } from '../operations.ts';
import type { Editor } from './editor.ts';
import { openEditor } from './editor.ts';
import { OwnN8n } from './ownN8n.ts';
import { installPrograms } from './programs.ts';
import { resultsFolder } from './stage.ts';
import { inLine } from './workflow.ts';

interface Panel {
	/** `link.create`, or `link.create, qrType: wifi` */
	title: string;
	/** The picture onto which it is drawn */
	sheet: string;
	/** `linkManagementTrigger` */
	type: string;
	parameters: INodeParameters;
}

interface Drawn extends Pick<Panel, 'title' | 'sheet'> {
	/** In Base64 */
	picture: string;
}

/** High enough for the longest panel without scrolling. */
const VIEWPORT = { width: 1500, height: 3400 };
const SHEET = { width: 2000, height: 1000 };
const MARGIN = 16;
const SETTLE_MS = 500;
/** On a busy machine the editor takes minutes to open. */
const LONGEST_WAIT_MS = 600_000;

/** A value for each optional field, so that the panel shows it. */
function filled(field: INodeProperties): INodeParameters[string] {
	const parts = (field.options ?? []).filter((option) => 'type' in option);
	if (field.type === 'collection') return valuesOf(parts);
	const [group] = field.options ?? [];
	if (field.type !== 'fixedCollection' || group === undefined || !('values' in group)) {
		return field.default;
	}
	const row = valuesOf(group.values);
	return { [group.name]: field.typeOptions?.multipleValues ? [row] : row };
}

const valuesOf = (fields: readonly INodeProperties[]): INodeParameters =>
	Object.fromEntries(fields.map((field) => [field.name, filled(field)]));

/** The panel as it opens, and once more for each choice that other fields wait for. */
function withChoices(panel: Panel, fields: readonly INodeProperties[]): Panel[] {
	const choices = new Map<string, INodeParameters>();
	for (const [name, value] of fields.flatMap(waitsFor)) {
		const choosing = fields.find((field) => field.name === name);
		if (choosing && choosing.default !== value) {
			choices.set(`${panel.title}, ${name}: ${String(value)}`, { [name]: value });
		}
	}
	return [
		panel,
		...[...choices].map(([title, chosen]) => ({
			...panel,
			title,
			parameters: { ...panel.parameters, ...chosen },
		})),
	];
}

const waitsFor = ({ displayOptions }: INodeProperties) =>
	Object.entries(displayOptions?.show ?? {}).flatMap(([name, values = []]) =>
		values.filter((value) => typeof value !== 'object').map((value) => [name, value] as const),
	);

const OF_OPERATIONS = OPERATIONS.flatMap(({ node: type, name, fields }) => {
	const [resource = '', operation = ''] = name.split('.');
	const sheet = type === 'store' ? type : resource;
	const title = type === 'store' ? `store ${name}` : name;
	const parameters = { resource, operation, ...valuesOf(fields) };
	return withChoices({ title, sheet, type, parameters }, fields);
});

const OF_TRIGGERS = [new LinkManagementTrigger(), new StoreTrigger()].flatMap(({ description }) => {
	const { name: type, properties } = description;
	const events = properties.filter(({ name }) => name === 'event').flatMap(choicesOf);
	return events.map(({ value: event }): Panel => {
		const parameters = { ...valuesOf(properties), event };
		return { title: `${type}: ${event}`, sheet: 'triggers', type, parameters };
	});
});

const words = process.argv.slice(2);
const isWanted = (title: string): boolean =>
	words.length === 0 || words.some((word) => title.includes(word));

/** Where the last word or field ends, but for n8n's own line at the bottom; as text, because it runs in the browser. */
const endOf = (part: string): string => `Math.max(
	...[...document.querySelectorAll('[data-test-id="${part}"] *')]
		.filter((each) => each.children.length === 0 || each.matches('.cm-editor'))
		.filter((each) => each.matches('input, textarea') || /^(?!I wish this)\\S/.test(each.textContent.trim()))
		.map((each) => each.getBoundingClientRect().bottom),
)`;

/** A picture of a part of the page, cut below its last word. */
async function pictureOf({ page }: Editor, part: string): Promise<string> {
	const box = await page.getByTestId(part).boundingBox();
	if (box === null) throw new Error(`The editor shows no ${part}`);
	const clip = { ...box, height: Number(await page.evaluate(endOf(part))) - box.y + MARGIN };
	process.stderr.write('.');
	return (await page.screenshot({ animations: 'disabled', clip })).toString('base64');
}

async function drawPanels({ client, credentials }: OwnN8n, editor: Editor): Promise<Drawn[]> {
	const drawn: Drawn[] = [];
	for (const { title, sheet, type, parameters } of [...OF_OPERATIONS, ...OF_TRIGGERS]) {
		if (!isWanted(title)) continue;
		const credential = type.startsWith('store') ? 'storeApi' : 'linkManagementApi';
		const node = {
			id: 'panel',
			name: title,
			type: `n8n-nodes-linkstore.${type}`,
			parameters,
			credentials: { [credential]: { id: null, name: '' } },
		};
		const workflow = withCredentials(inLine(title, [node]), credentials);
		const { id } = await client.importWorkflow(workflow);
		const isOpen = async () => {
			await editor.page.goto(`${client.url}/workflow/${id}/${node.id}`);
			await editor.page.getByTestId('node-parameters').waitFor();
			return true;
		};
		await until(async () => await isOpen().catch(() => false), title, LONGEST_WAIT_MS);
		await sleep(SETTLE_MS);
		drawn.push({ title, sheet, picture: await pictureOf(editor, 'node-parameters') });
	}
	return drawn;
}

async function drawCredentials(editor: Editor): Promise<Drawn[]> {
	const drawn: Drawn[] = [];
	for (const { displayName: title } of [new LinkManagementApi(), new StoreApi()]) {
		if (!isWanted(title)) continue;
		await editor.newCredential(title, { baseUrl: 'http://127.0.0.1:1', apiKey: 'none' });
		// Else the window ends in the middle of the fields.
		await editor.page.addStyleTag({ content: '.el-dialog { max-height: none !important; }' });
		const picture = await pictureOf(editor, 'node-credentials-config-container');
		drawn.push({ title, sheet: 'credentials', picture });
	}
	return drawn;
}

const STYLE = `<!doctype html><style>
	body { font: 13px sans-serif; margin: 16px; columns: 376px; }
	figure { margin: 0 0 16px; break-inside: avoid; } figcaption { font-weight: bold; padding: 4px 0; }
	img { width: 100%; border: 1px solid #bbb; }
</style>`;

await using stack = new AsyncDisposableStack();
const folder = join(resultsFolder(), 'panels');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
installPrograms('chromium');
const tarball = await packPackage(stack.adopt(await temporaryFolder('panels'), removeFolder));
const n8n = await OwnN8n.open(stack, { name: 'panels', tarball });
const editor = await openEditor(stack, n8n.client.url, VIEWPORT);
const drawn = [...(await drawPanels(n8n, editor)), ...(await drawCredentials(editor))];
await editor.page.setViewportSize(SHEET);
await editor.page.goto('about:blank');
for (const sheet of new Set(drawn.map((each) => each.sheet))) {
	const figures = drawn
		.filter((each) => each.sheet === sheet)
		.map(({ title, picture }) => {
			const image = `<img src="data:image/png;base64,${picture}">`;
			return `<figure><figcaption>${title}</figcaption>${image}</figure>`;
		});
	await editor.page.setContent(STYLE + figures.join(''));
	await editor.page.screenshot({ path: join(folder, `${sheet}.png`), fullPage: true });
}
process.stderr.write(`\n${drawn.length} panels in ${folder}\n`);
