import { DEMO } from '../../sandbox/demo.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record, texts } from '../n8n-host/json.ts';
import type { Call, Entered, ExampleStage, Outcome, Run } from './exampleStage.ts';
import { json } from './exampleStage.ts';
import { A_NUMBER, A_RECORD, A_STRING, including, like, listWith } from './matchers.ts';

const CHAT_NODE = 'Send to your chat';
const NOBODY = 'http://127.0.0.1:1';
const CHANNELS = { newsletter: 'email', social: 'post', poster: 'print' };
const CODES = DEMO.purchaseCodes;
const DOWN: Fault = { kind: 'http-503', service: 'store', times: 99 };

const times = <Value>(count: number, value: Value) => new Array<Value>(count).fill(value);

export const toChat = ({ chat }: ExampleStage): Entered[] => [[CHAT_NODE, { url: chat.url }]];

/** The rows of somebody's own sheet. */
const sheet = (...rows: JsonRecord[]): Entered[] => [
	['Rows of your sheet', { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` }],
];
const PAGE = 'https://example.com/';

/** A row of a table with its link, and one without. */
const linked = (url: string) =>
	including({ url: PAGE + url, shorturl: like(/^http/), problem: '' });
const MISTAKE = including({
	url: 'example dot com',
	shorturl: '',
	problem: like(/example dot com/),
});
const EXAMPLE_ROWS = [linked('spring-sale'), linked('catalogue'), MISTAKE, linked('opening-hours')];
const NIGHTLY: JsonRecord[] = ['spring-sale', 'catalogue', 'opening-hours'].map((name) => ({
	alias: `example-${name}`,
	url: PAGE + name,
	utm_source: name === 'opening-hours' ? '' : 'newsletter',
}));

const shownByHand = (message: RegExp): Run => ({
	does: 'shows one record when it is tried by hand',
	gives: { 'Write the message': [{ text: like(message) }] },
});

const NIGHTLY_COLUMNS = ['code', 'valid', 'reason', 'supported_until', 'problem'];
const NIGHT = [...Array(12).keys()].map((n) => ({ customer: 'Night', code: `night-${n}` }));
const nightlyPost = (...lines: string[]) => [
	{ text: ['Purchase codes that changed:', ...lines].join('\n') },
];

/** Of each example that is run by hand, one after the other. */
export const RUNS: Record<string, Run[]> = {
	'create-short-link.json': [
		{
			does: 'creates a link',
			sends: ['POST /api/url/add'],
			gives: { 'Create a link': [including({ id: A_NUMBER, shorturl: A_STRING })] },
		},
	],
	'new-link-to-chat.json': [shownByHand(/: https?:.* leads to https:/)],
	'sheet-to-links-every-night.json': [
		{
			does: 'creates a link for each row, tells the chat, and writes the link or the reason into its table',
			enters: toChat,
			sends: ['GET /api/urls', ...times(3, 'POST /api/url/add')],
			rows: EXAMPLE_ROWS,
			posts: NIGHTLY.map(({ alias, url }) => ({
				text: like(new RegExp(`^New: .*/${String(alias)} leads to ${String(url)}`)),
			})),
		},
		{
			does: 'changes only the link whose row has changed',
			enters: (stage) => [
				...toChat(stage),
				...sheet(...NIGHTLY.with(1, { ...NIGHTLY[1], url: `${PAGE}new-catalogue` })),
			],
			sends: ['GET /api/urls', like(/^PUT /)],
			posts: [],
			also: async ({ stage }) => {
				const longurl = `${PAGE}new-catalogue?utm_source=newsletter`;
				expect(await stage.links()).toEqual(listWith(including({ longurl })));
			},
		},
	],
	'campaign-launch.json': [
		{
			does: 'makes the domain, the campaign, and for each channel a link in it and a QR code',
			bodies: {
				'/api/domain/add': [{ domain: 'https://spring.example.com' }],
				'/api/campaign/add': [{ name: 'Spring sale' }],
				'/api/url/add': Object.entries(CHANNELS).map(([source, medium]) => ({
					url: `${PAGE}spring-sale?utm_source=${source}&utm_medium=${medium}&utm_campaign=spring-sale`,
					domain: 'https://spring.example.com',
					metatitle: 'Spring sale',
				})),
			},
			also: expectLaunch,
		},
		{
			does: 'uses a domain that the account has',
			sends: ['GET /api/domains', 'POST /api/campaign/add', ...times(9, like(/^POST/))],
			gives: { Launched: times(3, A_RECORD) },
		},
	],
	'weekly-click-report.json': [
		{
			does: 'counts all clicks as new in its first run, and keeps those of each link',
			sends: ['GET /api/urls'],
			also: async ({ stage, result, rows }) => {
				const links = await stage.links();
				const [{ text } = {}] = json(result, 'Write the report');
				const clicks = links.reduce((sum, link) => sum + Number(link.clicks), 0);
				expect(text).toMatch(new RegExp(`^${clicks} new clicks on ${links.length} links, `));
				expect(rows).toHaveLength(links.length);
			},
		},
		{
			does: 'says in the chat which clicks and links are new since the last run',
			given: async (stage) => await visitTop(stage, 3),
			enters: toChat,
			keeps: ['link'],
			also: ({ stage }) => {
				const { text } = record(stage.chat.posts[0]);
				expect(text).toMatch(/^3 new clicks on \d+ links, 0 of them new\n1\. .*: 3 new, /);
			},
		},
		{
			does: 'keeps no clicks of a report that did not reach the chat, so that the next one reports them',
			given: async (stage) => await visitTop(stage, 2),
			enters: () => [[CHAT_NODE, { url: NOBODY }]],
			failsIn: CHAT_NODE,
			keeps: ['link', 'clicks'],
		},
	],
	'nightly-purchase-check.json': [
		{ does: 'creates its table', sends: [], rows: [] },
		{
			does: 'writes which codes are valid, why not, and until when they have support, and tells the chat',
			adds: [
				{ customer: 'Ada', code: CODES.valid },
				{ customer: 'Grace', code: CODES.invalid },
				{ customer: 'Mary', code: CODES.withoutSupport },
			],
			enters: toChat,
			// The account proves the key before a code counts as invalid.
			sends: [...times(3, 'POST /api/purchases/validation'), 'GET /api/account/details'],
			rows: [
				including({ customer: 'Ada', valid: true, reason: '', supported_until: like(/^20/) }),
				including({ customer: 'Grace', valid: false, reason: 'Invalid purchase code' }),
				including({ customer: 'Mary', valid: true, supported_until: '', problem: '' }),
			],
			posts: nightlyPost('Ada: valid', 'Grace: Invalid purchase code', 'Mary: valid'),
		},
		{
			does: 'writes and says nothing where nothing has changed',
			enters: toChat,
			posts: [],
			keeps: [...NIGHTLY_COLUMNS, 'updatedAt'],
		},
		{
			does: 'tells the chat of a code that has become invalid, once',
			changes: ['customer', 'Mary', { code: CODES.otherAccount }],
			enters: toChat,
			posts: nightlyPost('Mary: Invalid purchase code'),
		},
		{
			does: 'calls no code invalid when the store stops in the middle, and says why codes were not checked',
			as: async (stage) =>
				await stage.storeThatStops(
					NIGHT.map(({ code }) => code),
					4,
				),
			adds: NIGHT,
			enters: toChat,
			also: ({ rows }) => {
				const night = rows.slice(-NIGHT.length);
				expect(night.filter(({ valid }) => valid === false)).toEqual([]);
				const unchecked = night.filter(({ valid }) => valid === null);
				expect(unchecked.length).toBeGreaterThan(0);
				expect(unchecked.filter(({ problem }) => problem === '')).toEqual([]);
			},
		},
		{
			does: 'checks them when the store is back',
			given: ({ sandbox }) => {
				for (const { code } of NIGHT) sandbox.store.addPurchase(1, { code });
			},
			enters: toChat,
			rows: NIGHT.map(({ code }) => including({ code, valid: true, problem: '' })),
		},
	],
	'qr-codes-as-files.json': [
		{ does: 'packs the picture of each QR code into one archive', also: expectPictures },
	],
};

const FORM = { Email: 'ada@example.com', Question: 'How?' };
const asking = (does: string, code: string, title: string, more: Partial<Call> = {}): Call => ({
	does,
	sends: { ...FORM, 'Purchase code': code },
	responds: [200, like(new RegExp(title))],
	...more,
});

/** Of each example that begins with a form, one after the other. */
export const CALLS: Record<string, Call[]> = {
	'purchase-support-form.json': [
		asking(
			'takes a question with a valid code',
			` \u200b${CODES.valid.replace('-', '\u2013')}`,
			'Thank you',
			{
				posts: [
					{ text: like(/^Question about Aurora.* from ada@example.com, 180 days .*: How\?$/) },
				],
			},
		),
		asking('says that a code is not valid', CODES.invalid, 'cannot find this purchase', {
			posts: [],
		}),
		asking(
			'asks for one code instead of what cannot be one',
			'x'.repeat(300),
			'send one purchase code',
		),
		asking('says that a code is for another product', CODES.withoutSupport, 'another product'),
		asking('says that support has ended', CODES.supportEnded, 'Your support has ended'),
		asking('asks for patience when the store is down', CODES.valid, 'Please try again later', {
			faults: [DOWN],
			posts: [],
		}),
	],
};

/** The most clicked link gets visitors from France. */
async function visitTop(stage: ExampleStage, visits: number): Promise<void> {
	const [top] = await byClicks(stage);
	stage.sandbox.links.addVisits('link', Number(top?.id), visits, 'France');
}

const byClicks = async (stage: ExampleStage) =>
	(await stage.links()).sort((a, b) => Number(b.clicks) - Number(a.clicks));

function expectLaunch({ stage, result }: Outcome): void {
	const [campaign] = json(result, 'Create the campaign');
	const made = json(result, 'Create a link');
	expect(stage.sent()).toEqual([
		...['GET /api/domains', 'POST /api/domain/add', 'POST /api/campaign/add'],
		...made.flatMap(({ id }) => [
			'POST /api/url/add',
			`POST /api/campaign/${String(campaign?.id)}/assign/${String(id)}`,
			'POST /api/qr/add',
		]),
	]);
	const shorturls = made.map(({ shorturl }) => shorturl);
	expect(shorturls).toEqual(times(3, like(/^https:\/\/spring\.example\.com\//)));
	expect(stage.bodiesOf('/api/qr/add')).toEqual(shorturls.map((data) => ({ type: 'link', data })));
	expect(json(result, 'Launched')).toEqual(
		Object.keys(CHANNELS).map((source, index) => ({
			campaign: 'Spring sale',
			source,
			shorturl: shorturls[index],
			qr_code: like(new RegExp(`^${stage.sandbox.linkUrl}/qr/`)),
		})),
	);
}

async function expectPictures({ stage, result }: Outcome): Promise<void> {
	const [archive] = result.items('Make the archive');
	const { fileName, id: archiveId } = texts(archive?.binary.data, 'fileName', 'id');
	expect(fileName).toMatch(/^qr-codes-\d{4}-\d\d-\d\d\.zip$/);
	const archived = (await stage.client.file(archiveId)).toString('latin1');
	const qrCodes = json(result, 'Get the QR codes');
	expect(qrCodes.length).toBeGreaterThan(3);
	for (const { id, name } of qrCodes)
		expect(archived).toContain(`${String(name)} ${String(id)}.png`);
}
