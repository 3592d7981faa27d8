import { DEMO } from '../../sandbox/demo.ts';
import type { NodeTypeSummary } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';
import { list, optionalText, record } from '../n8n-host/json.ts';
import { withEditor } from './editor.ts';
import { theStage } from './stage.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);
/** The package's node types, but for the tools that n8n derives from them */
let types: NodeTypeSummary[];

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	const all = await client.nodeTypes('n8n-nodes-linkstore.');
	types = all.filter(({ name }) => !name.endsWith('Tool'));
});

/** What a node's type says that it offers: its operations, or a trigger's events. */
function offeredBy({ name, description }: NodeTypeSummary): string[] {
	const parameter = name.endsWith('Trigger') ? 'event' : 'operation';
	const offered: string[] = [];
	for (const property of list(description.properties).map(record)) {
		if (property.name !== parameter) continue;
		for (const option of list(property.options).map(record)) {
			if (option.value === '__CUSTOM_API_CALL__') continue;
			offered.push(optionalText(option.action) ?? `On ${String(option.name)}`);
		}
	}
	return offered;
}

test.each(['Link Management', 'Store'])(
	'the page of %s in the node panel offers every operation and every event',
	async (node) => {
		const ofNode = types.filter(({ displayName }) => displayName.replace(/ Trigger$/, '') === node);
		expect(ofNode.length).toBeGreaterThanOrEqual(1);
		await editor().openActionsOf(node);
		const offered = (await editor().offeredActions()).map((action) => action.toLowerCase());
		for (const type of ofNode) {
			const expected = offeredBy(type);
			expect(expected.length).toBeGreaterThanOrEqual(3);
			for (const action of expected) expect(offered).toContain(action.toLowerCase());
		}
	},
);

test('a campaign is picked from the list by a part of its name', async () => {
	await editor().addAction('Link Management', 'Assign link to campaign');
	await editor().pickCredential('Link Management account');
	const found = await editor().searchList('campaignId', 'sprin');
	expect(await found.allInnerTexts()).toEqual(['Spring Sale']);
	await editor().screenshot('campaign searched');
	await found.click();
	expect(await editor().pickedInList('campaignId')).toBe('Spring Sale');
});

test('one step, run alone, shows a table of its results', async () => {
	await editor().addAction('Link Management', 'Get many campaigns');
	await editor().pickCredential('Link Management account');
	const [header = [], ...rows] = await editor().executeStep();
	expect(header).toEqual(expect.arrayContaining(['id', 'name', 'public', 'rotator', 'list']));
	const names = rows.map((cells) => cells[header.indexOf('name')]);
	expect(names).toEqual(expect.arrayContaining(['Spring Sale', 'Newsletter', 'Conference']));
});

test('a purchase code, checked by hand, shows how long its support lasts', async () => {
	await editor().addAction('Store', 'Validate purchase code');
	await editor().pickCredential('Store account');
	await editor().fill('purchaseCode', DEMO.purchaseCodes.valid);
	const [header = [], row = []] = await editor().executeStep();
	expect(row[header.indexOf('valid')]).toBe('true');
	expect(row[header.indexOf('support_days_left')]).toBe('180');
});

test('a mistyped URL is refused in words that say what to do', async () => {
	await editor().addAction('Link Management', 'Create short link');
	await editor().pickCredential('Link Management account');
	await editor().fill('url', 'example dot com');
	const said = await editor().executeFailingStep();
	expect(said).toContain('URL must be a web address, but is "example dot com"');
	expect(said).toContain('Write it with http:// or https:// in front');
});

test.each(['light', 'dark'] as const)('both nodes have an icon for the %s theme', async (theme) => {
	await editor().useTheme(theme);
	for (const { node, file } of [
		{ node: 'Link Management', file: 'linkManagement' },
		{ node: 'Store', file: 'store' },
	]) {
		await editor().openActionsOf(node);
		await editor().untilIconShows(`${file}${theme === 'dark' ? '.dark' : ''}.svg`);
		await editor().screenshot(`${node} in the ${theme} theme`);
	}
	await editor().useTheme('light');
});
