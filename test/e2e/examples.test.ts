import { DEMO } from '../../sandbox/demo.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { testAssistants } from './assistants.ts';
import type { ExampleStage } from './exampleStage.ts';
import { including, like, openExamples } from './exampleStage.ts';
import { testForms } from './forms.ts';
import { testTriggers } from './triggers.ts';
import { link, webhookChain } from './workflow.ts';

/**
 * Examples, run as somebody runs them who has just imported them, with what the services and a chat get. editor.test.ts has
 * the two that begin with a click and with a file.
 */

const CODES = DEMO.purchaseCodes;

/** The words of the sandbox, whose store is in Portuguese. */
const INVALID = 'Código de compra inválido';

const stack = new AsyncDisposableStack();
let stage: ExampleStage;

beforeAll(async () => {
	stage = await openExamples(stack, 'examples');
});
afterEach(() => stage.sandbox.faults.clear());
afterAll(async () => await stack.disposeAsync());

test('new-link-to-chat.json shows one link when it is tried by hand', async () => {
	await stage.run('new-link-to-chat.json');
	expect(stage.posts).toEqual([{ text: like(/: https?:.* leads to https:/) }]);
});

test('sheet-to-links-every-night.json writes each link, or the reason, into its table, and tells the chat once', async () => {
	const file = 'sheet-to-links-every-night.json';
	await stage.run(file);
	const failed = 'failed rows: 1\\nRow 4: .*example dot com.*';
	const made = 'New: .*/example-spring-sale leads to https://example.com/spring-sale.*\\nNew: ';
	expect(stage.posts).toEqual([{ text: like(new RegExp(`^New links: 3, ${failed}\\n${made}`)) }]);
	const rows = async () => await (await stage.table('Links of the sheet')).rows();
	const link = including({ outcome: 'created', shorturl: like(/^http/), problem: '' });
	const mistake = including({ row: 4, outcome: 'failed', problem: like(/example dot com/) });
	expect(await rows()).toEqual([link, link, mistake, link]);

	await stage.run(file);
	// The look-up of a short URL, and page 1 of the list.
	expect(stage.sent()).toEqual(['GET /api/urls', 'GET /api/urls']);
	expect(stage.posts).toEqual([{ text: like(new RegExp(`^New links: 0, ${failed}$`)) }]);
});

test('campaign-launch.json makes the domain, the campaign, and for each channel a link in it and a QR code', async () => {
	const result = await stage.run('campaign-launch.json');
	const [campaign] = result.json('Create the campaign');
	const made = result.json('Create a link');
	expect(stage.sent()).toEqual([
		...['GET /api/domains', 'POST /api/domain/add', 'POST /api/campaign/add'],
		...['GET /api/domains', 'GET /api/urls'],
		...made.flatMap(() => ['POST /api/url/add', 'POST /api/qr/add']),
	]);
	const channels = { newsletter: 'email', social: 'post', poster: 'print' };
	expect(stage.bodiesOf('/api/url/add')).toEqual(
		Object.entries(channels).map(([source, medium]) => ({
			url: `https://example.com/summer-sale?utm_source=${source}&utm_medium=${medium}&utm_campaign=summer-sale`,
			domain: 'https://summer.example.com',
			metatitle: 'Summer sale',
			campaign: campaign?.id,
		})),
	);
	expect(stage.bodiesOf('/api/qr/add')).toMatchObject(
		made.map(({ shorturl }) => ({ type: 'link', data: shorturl })),
	);
	expect(result.json('Launched')).toEqual(
		Object.keys(channels).map((source, index) => ({
			campaign: 'Summer sale',
			source,
			shorturl: made[index]?.shorturl,
			qr_code: like(/^http.*\/qr\//),
			outcome: 'created',
		})),
	);
});

test('weekly-click-report.json tells the chat the clicks and links since the last run', async () => {
	const file = 'weekly-click-report.json';
	await stage.run(file);
	expect(stage.posts).toEqual([{ text: like(/^[1-9]\d* new clicks on \d+ links, /) }]);
	stage.sandbox.links.addVisits('link', 1, 3, 'France');
	await stage.run(file);
	expect(stage.posts).toEqual([
		{ text: like(/^3 new clicks on \d+ links, 0 of them new\n1\. .*: 3 new, /) },
	]);
	expect(stage.sent()).toEqual(['GET /api/urls']);
});

test('nightly-purchase-check.json writes back and tells the chat what has changed, and calls no code invalid while the store is down', async () => {
	const file = 'nightly-purchase-check.json';
	await stage.run(file);
	const table = await stage.table('Purchase codes');
	const bought = stage.sandbox.store.addPurchase(DEMO.itemId);
	await table.add(
		{ customer: 'Ada', code: CODES.valid },
		{ customer: 'Grace', code: CODES.invalid },
		{ customer: 'Mary', code: bought },
	);
	await stage.run(file);
	const checked = [
		including({ customer: 'Ada', valid: true, reason: '', supported_until: like(/^20/) }),
		including({ customer: 'Grace', valid: false, reason: INVALID }),
		including({ customer: 'Mary', valid: true, supported_until: '', problem: '' }),
	];
	expect(await table.rows()).toEqual(checked);
	const lines = ['Ada, Mary: valid', `Grace: ${INVALID}`];
	expect(stage.posts).toEqual([{ text: ['Purchase codes that changed:', ...lines].join('\n') }]);

	await table.add({ customer: 'Night', code: CODES.supportEnded });
	stage.sandbox.faults.add({ kind: 'http-503', service: 'store', times: 99 });
	await stage.run(file);
	const rows = await table.rows();
	expect(rows.map(({ valid }) => valid)).toEqual([true, false, true, null]);
	expect(rows.map(({ problem }) => problem)).toEqual(new Array(4).fill(like(/./)));
	expect(stage.posts).toEqual([{ text: like(/\nAda, Grace, Mary, Night: .*503/) }]);

	stage.sandbox.faults.clear();
	stage.sandbox.store.removePurchase(bought);
	await stage.run(file);
	// That a problem is over is no news.
	const news = [`Mary: ${INVALID}`, 'Night: valid'];
	expect(stage.posts).toEqual([{ text: ['Purchase codes that changed:', ...news].join('\n') }]);
	await stage.run(file);
	expect(stage.posts).toEqual([]);
});

test('qr-codes-as-files.json packs the picture of each QR code into one archive', async () => {
	const result = await stage.run('qr-codes-as-files.json');
	const [archive] = result.items('Make the archive');
	const { fileName, id } = archive?.binary?.data ?? {};
	expect(fileName).toMatch(/^qr-codes-\d{4}-\d\d-\d\d\.zip$/);
	const content = (await stage.client.file(id)).toString('latin1');
	const qrCodes = result.json('Get the QR codes');
	expect(qrCodes.length).toBeGreaterThan(3);
	for (const { name, id: qrCode } of qrCodes) {
		expect(content).toContain(`${String(name)} ${String(qrCode)}.png`);
	}
});

test('support-ends.json tells the chat of a purchase when it is tried by hand', async () => {
	await stage.run('support-ends.json');
	const told = new RegExp(`^Support of Aurora.* has ended for ${CODES.supportEnded}$`);
	expect(stage.posts).toContainEqual({ text: like(told) });

	const workflow = JSON.stringify(await stage.ready('support-ends.json'));
	const supported = workflow.replace(/(?<="purchaseCodes":")[^"]*/, CODES.valid);
	const result = await stage.runWorkflow(JSON.parse(supported) as WorkflowJson);
	expect(result.json('Support ended')).toMatchObject([{ is_sample: true }]);
	expect([result.json('Only real ends'), stage.posts]).toEqual([[], []]);
});

test('google-sheet-in-sheet-out.json writes short URL, outcome or reason into each row, and a second run changes only what is new', async () => {
	const file = 'google-sheet-in-sheet-out.json';
	const { rows } = stage;
	const given = [
		['Title', 'url', 'alias', 'utm_source'],
		['Spring', 'https://example.com/frühling', 'google-spring', 'Newsletter'],
		['Mistake', 'example dot com', 'google-mistake', ''],
		[],
		['Summer', 'https://example.com/summer', 'google-summer', ''],
	];
	rows.push(...given);
	await stage.run(file);
	const address = (alias: string): string => `${stage.sandbox.linkUrl}/${alias}`;
	const [title, spring, mistake, , summer] = given.map((row) => row.slice(0, 4));
	expect(rows).toEqual([
		[...(title ?? []), 'shorturl', 'outcome', 'error'],
		[...(spring ?? []), address('google-spring'), 'created', ''],
		[...(mistake ?? []), '', 'failed', like(/must be a web address/)],
		[],
		[...(summer ?? []), address('google-summer'), 'created', ''],
	]);

	rows[2] = ['Mistake', 'https://example.com', 'google-mistake', '', '', 'failed'];
	await stage.run(file);
	expect(rows.slice(1).map((row) => row.slice(4))).toEqual([
		[address('google-spring'), 'unchanged', ''],
		[address('google-mistake'), 'created', ''],
		[],
		[address('google-summer'), 'unchanged', ''],
	]);
	expect(stage.bodiesOf('/api/url/add')).toHaveLength(1);
});

test('two executions at once that miss a campaign put their links into one', async () => {
	const { client } = stage;
	const step = link('Links', 'create', {
		url: '={{ $json.url }}',
		additionalFields: { campaignId: { __rl: true, mode: 'name', value: 'Made twice' } },
		options: { createMissing: true },
	});
	const path = 'made-twice';
	const workflow = stage.n8n.ready(webhookChain(path, path, 'onReceived', [step]));
	const id = await client.publish(workflow);
	stage.sandbox.clearRequests();
	const urls = ['https://example.com/twice/1', 'https://example.com/twice/2'];
	await Promise.all(urls.map(async (url) => await client.callWebhook(path, { rows: [{ url }] })));
	const ended = await client.allEnded(id, urls.length);
	expect(ended.map(({ status }) => status)).toEqual(['success', 'success']);
	const links = stage.bodiesOf('/api/url/add');
	expect(links).toHaveLength(2);
	expect(links[0]?.campaign).toEqual(expect.any(Number));
	expect(links[1]?.campaign).toBe(links[0]?.campaign);
	await client.deactivate(id);
});

testForms(() => stage);
testAssistants(() => stage);
// Last, because they kill n8n.
testTriggers(() => stage.n8n);
