/**
 * Draws what the editor shows of every operation, event and credential, so that a person reads all of it in ten minutes.
 *
 *     npm run panels -- [words of names, as "qrCode.create"]
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
import { resultsFolder } from './stage.ts';

interface Panel {
	/** `link.create`, or `link.create, qrType: wifi` */
	title: string;
	/** The sheet on which it is drawn */
	sheet: string;
	/** `linkManagementTrigger` */
	type: string;
	parameters: INodeParameters;
	fields: readonly INodeProperties[];
}

/** High enough for the longest panel without scrolling. */
const VIEWPORT = { width: 1500, height: 3000 };
const SHEET = { width: 2000, height: 1000 };
const MARGIN = 16;
const SETTLE_MS = 500;

/** Where the last word or field ends, but for n8n's own line at the bottom; as text, because it runs in the browser. */
const endOf = (part: string): string => `Math.max(
	...[...document.querySelectorAll('[data-test-id="${part}"] *')]
		.filter((each) => each.children.length === 0 && !/^I wish this/.test(each.textContent.trim()))
		.filter((each) => each.textContent.trim() !== '' || /INPUT|TEXTAREA/.test(each.tagName))
		.map((each) => each.getBoundingClientRect().bottom),
)`;

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

/** The panel as it opens, and once more for each choice that other fields of the operation wait for. */
function panelsOf(panel: Panel): Panel[] {
	const choices = new Map<string, INodeParameters>();
	for (const { displayOptions } of panel.fields) {
		for (const [name, values = []] of Object.entries(displayOptions?.show ?? {})) {
			const preset = panel.fields.find((field) => field.name === name)?.default;
			if (preset === undefined) continue;
			for (const value of values) {
				if (value !== preset && typeof value !== 'object') {
					choices.set(`${name}: ${String(value)}`, { [name]: value });
				}
			}
		}
	}
	const { title, parameters } = panel;
	return [
		panel,
		...[...choices].map(([choice, chosen]) => ({
			...panel,
			...{ title: `${title}, ${choice}`, parameters: { ...parameters, ...chosen } },
		})),
	];
}

const ofOperations = OPERATIONS.flatMap(({ node, name, fields }) => {
	const [resource = '', operation = ''] = name.split('.');
	const sheet = node === 'store' ? 'store' : resource;
	const parameters = { resource, operation, ...valuesOf(fields) };
	const title = node === 'store' ? `store ${name}` : name;
	return panelsOf({ title, sheet, type: node, parameters, fields });
});

const ofTriggers = [new LinkManagementTrigger(), new StoreTrigger()].flatMap(({ description }) => {
	const { name, properties } = description;
	const [events] = properties.filter((field) => field.name === 'event');
	return choicesOf(events ?? ({} as INodeProperties)).map(({ value }): Panel => {
		const fields = properties.filter(
			({ displayOptions }) => displayOptions?.show?.event?.includes(value) ?? true,
		);
		const parameters = { ...valuesOf(fields), event: value };
		return { title: `${name}: ${value}`, sheet: 'triggers', type: name, parameters, fields };
	});
});

const words = process.argv.slice(2);
const PANELS = [...ofOperations, ...ofTriggers].filter(
	({ title }) => words.length === 0 || words.some((word) => title.includes(word)),
);
const CREDENTIALS = [new LinkManagementApi(), new StoreApi()];

const escaped = (text: unknown): string =>
	String(text).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What a person can read of a field, in tooltips and dropdowns, too. */
function wordsOf(field: INodeProperties): string {
	const { displayName, description, hint, placeholder, options = [] } = field;
	const said = Object.entries({ description, hint, placeholder });
	const lines = said.flatMap(([what, text]) => (text ? [`<i>${what}</i> ${escaped(text)}`] : []));
	const inner = options.map((option) => {
		if ('type' in option) return wordsOf(option);
		if ('values' in option) return option.values.map(wordsOf).join('');
		return `<li><b>${escaped(option.name)}</b> ${escaped(option.description ?? '')}</li>`;
	});
	return `<li><b>${escaped(displayName)}</b>${lines.map((line) => `<br>${line}`).join('')}<ul>${inner.join('')}</ul></li>`;
}

const STYLE = `<meta charset="utf-8"><style>
	body { font: 13px sans-serif; margin: 16px; display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
	figure { width: 376px; margin: 0; } figcaption { font-weight: bold; padding: 4px 0; }
	img { width: 100%; border: 1px solid #bbb; } ul { padding-left: 16px; margin: 0; }
</style>`;

interface Drawn {
	title: string;
	sheet: string;
	picture: string;
	fields: readonly INodeProperties[];
}

const figure = ({ title, picture, fields }: Drawn, withWords: boolean): string =>
	`<figure><figcaption>${escaped(title)}</figcaption><img src="${picture}">${
		withWords
			? `<details><summary>words</summary><ul>${fields.map(wordsOf).join('')}</ul></details>`
			: ''
	}</figure>`;

const folder = join(resultsFolder(), 'panels');

async function draw(n8n: OwnN8n, editor: Editor): Promise<Drawn[]> {
	const drawn: Drawn[] = [];
	const { page } = editor;
	const keep = async (panel: Omit<Drawn, 'picture'>, part: string) => {
		const picture = `${panel.title.replace(/[^\w.]+/g, '-')}.png`;
		const box = await page.getByTestId(part).boundingBox();
		if (box === null) throw new Error(`The editor shows no ${part}`);
		const end = Number(await page.evaluate(endOf(part)));
		const clip = { ...box, height: end - box.y + MARGIN };
		await page.screenshot({ path: join(folder, picture), animations: 'disabled', clip });
		drawn.push({ ...panel, picture });
		process.stderr.write('.');
	};
	const { client, credentials } = n8n;
	const nodes = PANELS.map(({ title, type, parameters }, index) => {
		const credential = type.startsWith('store') ? 'storeApi' : 'linkManagementApi';
		return {
			...{ id: `panel-${index}`, name: title, type: `n8n-nodes-linkstore.${type}`, parameters },
			...{ typeVersion: 1, position: [index * 200, 0] as [number, number] },
			credentials: { [credential]: { id: null, name: '' } },
		};
	});
	const workflow = { name: 'Panels', nodes, connections: {}, settings: {} };
	const { id } = await client.importWorkflow(withCredentials(workflow, credentials));
	for (const [index, panel] of PANELS.entries()) {
		await until(async () => {
			await page.goto(`${client.url}/workflow/${id}/panel-${index}`);
			const parameters = page.getByTestId('node-parameters');
			return await parameters.waitFor().then(
				() => true,
				() => false,
			);
		}, panel.title);
		await sleep(SETTLE_MS);
		await keep(panel, 'node-parameters');
	}
	if (words.length > 0) return drawn;
	for (const { displayName, properties } of CREDENTIALS) {
		await editor.newCredential(displayName, { baseUrl: 'http://127.0.0.1:1', apiKey: 'none' });
		const title = displayName;
		await keep(
			{ title, sheet: 'credentials', fields: properties },
			'node-credentials-config-container',
		);
	}
	return drawn;
}

async function writeSheets(drawn: Drawn[], { page }: Editor): Promise<void> {
	const index = join(folder, 'index.html');
	await writeFile(index, STYLE + drawn.map((each) => figure(each, true)).join(''));
	await page.setViewportSize(SHEET);
	for (const sheet of new Set(drawn.map((each) => each.sheet))) {
		const file = join(folder, `${sheet}.html`);
		const figures = drawn.filter((each) => each.sheet === sheet);
		await writeFile(file, STYLE + figures.map((each) => figure(each, false)).join(''));
		await page.goto(`file://${file}`);
		await page.screenshot({ path: join(folder, `sheet-${sheet}.png`), fullPage: true });
		await rm(file);
	}
	process.stderr.write(
		`\n${drawn.length} panels: ${index}, and a picture of each sheet beside it\n`,
	);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const scratch = await temporaryFolder('panels');
try {
	const n8n = await OwnN8n.open({ name: 'panels', tarball: await packPackage(scratch) });
	try {
		const { editor, close } = await openEditor(n8n.client.url, VIEWPORT);
		try {
			await writeSheets(await draw(n8n, editor), editor);
		} finally {
			await close();
		}
	} finally {
		await n8n.close();
	}
} finally {
	await removeFolder(scratch);
}
