import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { DEMO } from '../../sandbox/demo.ts';
import type { SavedWorkflow } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, readExamples, withCredentials } from '../n8n-host/instance.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';
import { withEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import type { LoopbackServer } from '../loopback.ts';
import { serve } from '../loopback.ts';
import { linksOf, theStage } from './stage.ts';
import { chain, link } from './workflow.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);
/** The examples, imported, by file name */
const examples = new Map<string, SavedWorkflow>();
let website: LoopbackServer;
/** The credentials that were there before */
let kept: string[];

beforeAll(async () => {
	website = await serve((_request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>Welcome</title><h1>Welcome</h1>');
	});
	await client.login(DEMO_OWNER);
	const credentials = await client.credentials();
	kept = credentials.map(({ id }) => id);
	for (const [file, example] of await readExamples()) {
		examples.set(file, await client.importWorkflow(withCredentials(example, credentials)));
	}
});

afterAll(async () => {
	await website.stop();
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
});

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

test('Get Many of links offers its filters, and no box of options', async () => {
	const parameters = editor().page.getByTestId('node-parameters');
	await editor().addAction('Link Management', 'Get many short links');
	const add = parameters.getByText('Add Filter').or(parameters.getByPlaceholder('Add Filter'));
	await add.first().click();
	const filters = editor().page.getByRole('option').filter({ visible: true });
	await filters.getByText('Search', { exact: true }).waitFor();
	expect(await filters.allInnerTexts()).toEqual([
		...['Clicks at Least', 'Clicks at Most', 'Created After', 'Created Before'],
		...['Domain', 'Search'],
	]);
	await editor().screenshot('filters of links');
	await filters.getByText('Search', { exact: true }).click();
	await editor().fill('search', 'spring');
	const [header = [], ...rows] = await editor().executeStep();
	expect(header).toContain('longurl');
	for (const cells of rows) expect(cells.join(' ')).toMatch(/spring/i);
	expect(await parameters.innerText()).not.toContain('Options');
});

test('before a run the panel says how long its items take', async () => {
	const rows = Array.from({ length: 90 }, (_, at) => ({ url: `https://example.com/${at}` }));
	const step = link('Shorten', 'create', { url: '={{ $json.url }}' });
	const workflow = withCredentials(chain('A sheet', rows, [step]), await client.credentials());
	await editor().openWorkflow((await client.importWorkflow(workflow)).id);
	await editor().openNode('Shorten');
	await editor().page.getByText('Execute previous nodes').click();
	await editor().page.getByText('Up to 90 items take about 3 minutes').waitFor();
	await editor().screenshot('how long it takes');
});

test('the picture of a QR code comes as a file beside its record', async () => {
	await editor().addAction('Link Management', 'Get image of QR code');
	await (await editor().searchList('qrCodeId', 'QR code')).first().click();
	const output = await editor().runStep();
	await output.getByText(/^qr-code-\d+\.png$/).waitFor();
	await editor().screenshot('picture of a QR code');
	// n8n shows the next results as the last ones.
	await output.getByText('Table', { exact: true }).click();
	await output.getByText('scans', { exact: true }).waitFor();
});

test('the statistics of a link are a table of figures', async () => {
	await editor().addAction('Link Management', 'Get statistics of short link');
	await (await editor().searchList('linkId', 'spring')).first().click();
	const [header = [], first = []] = await editor().executeStep();
	// n8n keeps a column for its own use at the end of some tables.
	expect(header.filter(Boolean)).toEqual(['id', 'dimension', 'label', 'count']);
	expect(first.slice(1, 3)).toEqual(['total', 'clicks']);
});

test('a purchase code, checked by hand, shows how long its support lasts', async () => {
	await editor().addAction('Store', 'Validate purchase code');
	await editor().fill('purchaseCode', DEMO.purchaseCodes.valid);
	const [header = [], row = []] = await editor().executeStep();
	expect(row[header.indexOf('valid')]).toBe('true');
	expect(row[header.indexOf('support_days_left')]).toBe('180');
});

test('a mistyped URL is refused in words that say what to do', async () => {
	await editor().addAction('Link Management', 'Create short link');
	await editor().fill('url', 'example dot com');
	const output = await editor().runStep();
	await output.getByText('Error details').waitFor();
	const said = await output.innerText();
	expect(said).toContain('URL must be a web address, but is "example dot com"');
	expect(said).toContain('Write it with http:// or https:// in front');
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
		expect(verdict).toMatch(/Check the API key in the credential/);
		expect(verdict).not.toContain(KEYS.mistyped);
	});

	test('with an address where nothing listens says so', async () => {
		const [port = 0] = await freePorts(1);
		expect(await verdictOn({ baseUrl: `http://127.0.0.1:${port}` })).toMatch(
			/nothing listens at that address.*Check the base URL/i,
		);
	});

	test('with the address of a web page says that it is one', async () => {
		const verdict = await verdictOn({ baseUrl: website.url });
		expect(verdict).toMatch(/web page|HTML/i);
		expect(verdict).toMatch(/base URL/i);
		expect(verdict).not.toContain('<h1>');
	});
});
