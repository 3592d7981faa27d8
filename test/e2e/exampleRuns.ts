import { unzipSync } from 'fflate';

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
/** Targets of a link, in place of those of the account: nothing on the internet is asked. */
const targets = (...urls: string[]): Entered => {
	const items = urls.map((target) => ({ json: { target, links: ['https://go.example/a'] } }));
	return ['Targets to check', { jsCode: `return ${JSON.stringify(items)};` }];
};
const PAGE = 'https://example.com/';
const pages = (...names: string[]) => names.map((name) => ({ url: PAGE + name }));

/** A row of a table with its link, and one without. */
const linked = (url: string) =>
	including({ url: PAGE + url, shorturl: like(/^http/), problem: '' });
const MISTAKE = including({
	url: 'example dot com',
	shorturl: '',
	problem: like(/example dot com/),
});
const exampleRows = (first: string) => [
	...[linked(first), linked('catalogue')],
	...[MISTAKE, linked('opening-hours')],
];
const NIGHTLY: JsonRecord[] = ['spring-sale', 'catalogue', 'opening-hours'].map((name) => ({
	alias: `example-${name}`,
	url: PAGE + name,
	utm_source: name === 'opening-hours' ? '' : 'newsletter',
}));

const shownByHand = (message: RegExp): Run => ({
	does: 'shows one record when it is tried by hand',
	gives: { 'Write the message': [{ text: like(message) }] },
});

const NIGHTLY_COLUMNS = ['code', 'valid', 'reason', 'supported_until', 'checked_at'];
const NIGHT = [...Array(12).keys()].map((n) => ({ customer: 'Night', code: `night-${n}` }));
const nightlyPost = (...lines: string[]) => [{ text: `Purchase codes: ${lines.join('\n')}` }];

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
	'click-milestone.json': [shownByHand(/has passed 1,000 clicks: https?:.*, most of them from /)],
	'support-ending-reminder.json': [
		shownByHand(/^The support of .+ ends in \d+ days, on \d{4}-\d\d-\d\d\.$/),
	],
	'what-changed-in-my-store.json': [shownByHand(/ has changed: version\. Version .*; price \d/)],
	'sheet-of-urls.json': [
		{
			does: 'writes each short link, or the reason why there is none, into its table',
			sends: ['GET /api/urls', ...times(3, 'POST /api/url/add')],
			rows: exampleRows('summer-sale'),
		},
		{
			does: 'creates only the links of rows that were corrected or added',
			enters: () => sheet(...pages('summer-sale', 'corrected', 'added')),
			sends: ['GET /api/urls', ...times(2, 'POST /api/url/add')],
			rows: [linked('opening-hours'), linked('corrected'), linked('added')],
		},
	],
	'sheet-to-links-every-night.json': [
		{
			does: 'creates a link for each row, tells the chat, and writes the link or the reason into its table',
			enters: toChat,
			sends: ['GET /api/urls', ...times(3, 'POST /api/url/add')],
			rows: exampleRows('spring-sale'),
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
			does: 'reports all clicks and the links clicked most, and keeps the totals',
			sends: ['GET /api/urls'],
			also: async ({ stage, result, rows }) => {
				expect(stage.requests()[0]?.query.order).toBe('click');
				const [{ text, ...totals } = {}] = json(result, 'Write the report');
				expect(rows).toEqual([including(totals)]);
				await expectReport(stage, text, '');
			},
		},
		{
			does: 'says in the chat how many clicks are new since the last report',
			given: async (stage) => await visitTop(stage, 3),
			enters: toChat,
			rows: times(2, A_RECORD),
			posts: [{ text: A_STRING }],
			also: async ({ stage }) => {
				const today = new Date().toISOString().slice(0, 10);
				await expectReport(stage, record(stage.chat.posts[0]).text, `, 3 more than on ${today}`);
			},
		},
		{
			does: 'keeps no totals of a report that did not reach the chat, so that the next one counts from the last that did',
			enters: () => [[CHAT_NODE, { url: NOBODY }]],
			failsIn: CHAT_NODE,
			keeps: ['id', 'links', 'clicks'],
		},
	],
	'clicks-since-last-week.json': [
		{
			does: 'writes the clicks of each link, none of them new in its first run',
			sends: ['GET /api/urls'],
			also: async ({ stage, rows }) => {
				const links = await stage.links();
				const clicks = links.map((link) => ({ link: link.shorturl, clicks: link.clicks }));
				expect(rows).toHaveLength(links.length);
				for (const row of clicks) expect(rows).toContainEqual(including({ ...row, new_clicks: 0 }));
			},
		},
		{
			does: 'says how many are new since then',
			given: async (stage) => await visitTop(stage, 3),
			keeps: ['link'],
			also: ({ rows }) => {
				const added = rows.map((row) => Number(row.new_clicks)).filter((clicks) => clicks > 0);
				expect(added).toEqual([3]);
			},
		},
	],
	'expired-links-for-approval.json': [
		{
			does: 'lists the links that have expired',
			also: ({ stage, rows }) => {
				expect(stage.sent()[0]).toBe('GET /api/urls');
				const ends = rows.map(({ expiry }) => Date.parse(`${String(expiry)}Z`));
				expect(ends.filter((end) => !(end < Date.now()))).toEqual([]);
			},
		},
	],
	'dead-links.json': [
		{
			does: 'tells the chat which targets do not respond',
			enters: (stage) => [...toChat(stage), targets(stage.chat.url, NOBODY)],
			sends: ['GET /api/urls'],
			also: ({ stage }) => {
				const { text } = record(stage.chat.posts.at(-1));
				expect(text).toBe(
					`Links whose target is gone:\nhttps://go.example/a leads to ${NOBODY} (no response)`,
				);
			},
		},
		{
			does: 'fails, and calls no link dead, if no target responds: n8n itself is offline',
			enters: (stage) => [...toChat(stage), targets(NOBODY, `${NOBODY}/2`)],
			failsIn: 'List what is gone',
			posts: [],
			also: ({ result }) => {
				expect(result.error?.message).toMatch(/^No target responded, so n8n is probably offline/);
			},
		},
	],
	'nightly-purchase-check.json': [
		{
			does: 'writes which codes are valid, why not, and until when they have support, and tells the chat which are not',
			enters: toChat,
			// The account proves the key before a code counts as invalid.
			sends: [...times(3, 'POST /api/purchases/validation'), 'GET /api/account/details'],
			rows: [
				including({ customer: 'Ada', code: CODES.valid, valid: true, reason: '' }),
				including({
					customer: 'Grace',
					code: CODES.invalid,
					valid: false,
					reason: 'The store says: Invalid purchase code',
					supported_until: null,
				}),
				including({ customer: 'Mary', code: CODES.withoutSupport, valid: true }),
			],
			posts: nightlyPost(
				'3 checked',
				`${CODES.invalid} of Grace is not valid: Invalid purchase code`,
			),
			also: ({ rows }) => {
				const days = (time: unknown) => (Date.parse(String(time)) - Date.now()) / 86_400_000;
				expect(days(rows[0]?.supported_until)).toBeCloseTo(180, 0);
				for (const { checked_at } of rows) expect(days(checked_at)).toBeCloseTo(0, 2);
			},
		},
		{
			does: 'checks no code twice in a night',
			enters: toChat,
			sends: [],
			posts: [],
			keeps: NIGHTLY_COLUMNS,
		},
		{
			does: 'writes only the time of the check where nothing changed, and sends no message',
			changes: ['customer', 'Mary', { checked_at: null }],
			enters: toChat,
			sends: times(1, 'POST /api/purchases/validation'),
			posts: [],
			keeps: ['code', 'valid', 'reason', 'supported_until'],
			gives: { 'Write the time of the check': times(1, A_RECORD) },
		},
		{
			does: 'tells the chat of a code that has become invalid, once',
			changes: ['customer', 'Mary', { code: CODES.otherAccount, checked_at: null }],
			enters: toChat,
			posts: nightlyPost(
				'1 checked',
				`${CODES.otherAccount} of Mary is not valid: Invalid purchase code`,
			),
		},
		{
			does: 'marks no code as invalid when the store stops in the middle, and says how many are left',
			as: async (stage) =>
				await stage.storeThatStops(
					NIGHT.map(({ code }) => code),
					4,
				),
			adds: NIGHT,
			enters: toChat,
			failsIn: 'End as failed',
			also: ({ stage, rows }) => {
				const night = rows.slice(-NIGHT.length);
				const done = night.filter(({ checked_at }) => checked_at !== null);
				expect(done.map(({ valid }) => valid)).toEqual(times(done.length, true));
				expect(night.filter(({ valid }) => valid === false)).toEqual([]);
				expect(done.length).toBeGreaterThanOrEqual(4);
				const left = NIGHT.length - done.length;
				expect(left).toBeGreaterThan(0);
				const words = `^Purchase codes: ${done.length} checked\n${left} could not be checked: `;
				expect(stage.chat.posts).toEqual([{ text: like(new RegExp(words)) }]);
			},
		},
		{
			does: 'goes on where it stopped when the store is back',
			given: ({ sandbox }) => {
				for (const { code } of NIGHT) sandbox.store.addPurchase(1, { code });
			},
			enters: toChat,
			posts: [],
			rows: NIGHT.map(({ code }) => including({ code, valid: true })),
			also: ({ stage }) => expect(stage.sent().length).toBeLessThan(NIGHT.length),
		},
	],
	'qr-codes-as-files.json': [
		{ does: 'packs the picture of each QR code into one archive', also: expectPictures },
	],
	'click-figures.json': [
		{
			does: 'keeps each figure of the most clicked links in a row of its table, and draws them',
			given: async (stage) => await visitTop(stage, 3),
			sends: ['GET /api/urls', ...times(10, like(/^GET \/api\/url\/\d+$/))],
			also: expectFigures,
		},
		{
			does: 'renews the same rows the next night',
			given: async (stage) => await visitTop(stage, 2),
			keeps: ['id', 'link', 'dimension', 'label'],
			also: expectFigures,
		},
	],
};

const FORM = { Email: 'ada@example.com', Question: 'How?' };
const asking = (does: string, code: string, title: string, more: Partial<Call> = {}): Call => ({
	does,
	sends: { ...FORM, 'Purchase code': code },
	responds: [200, like(new RegExp(title))],
	...more,
});
const LATER = { reason: 'The code cannot be checked right now' };
const NOT_VALID = { reason: 'This code is not valid' };
const NO_CODE = { reason: 'Send the code as a text of at most 255 characters' };

/** Of each example that waits for requests, one after the other. */
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
		asking('says so of what cannot be a code', 'x'.repeat(300), 'cannot find this purchase'),
		asking('says that a code is for another product', CODES.withoutSupport, 'another product'),
		asking('says that support has ended', CODES.supportEnded, 'Your support has ended'),
		asking('asks for patience when the store is down', CODES.valid, 'Please try again later', {
			faults: [DOWN],
			posts: [],
		}),
	],
	'purchase-download.json': [
		{
			does: 'gives the link for a valid code',
			sends: { code: CODES.valid },
			responds: [200, { url: like(/^https:/), product: 'Aurora Shop Theme' }],
		},
		{ does: 'refuses a code that is not valid', sends: { code: 'x' }, responds: [403, NOT_VALID] },
		{ does: 'refuses a request without a code', sends: {}, responds: [403, NOT_VALID] },
		{ does: 'refuses what cannot be a code', sends: { code: { a: 1 } }, responds: [400, NO_CODE] },
		{
			does: 'refuses a code for another product',
			sends: { code: CODES.supportEnding },
			responds: [403, { reason: 'This code is for another product' }],
		},
		{
			does: 'calls no code invalid when the store is down',
			faults: [DOWN],
			sends: { code: CODES.valid },
			responds: [503, LATER],
		},
	],
	'purchase-code-used-before.json': [
		{ does: 'refuses what cannot be a code', sends: { code: ['x'] }, responds: [400, NO_CODE] },
		{ does: 'refuses a code that is not valid', sends: { code: 'x' }, responds: [403, NOT_VALID] },
		{
			does: 'takes a valid code once',
			sends: { code: CODES.valid, email: 'ada@example.com' },
			responds: [200, { first: true }],
			posts: [],
		},
		{
			does: 'notices the second use, however the code is written, and tells the chat of both',
			sends: {
				code: `\u00a0${CODES.valid.replaceAll('-', '\u2010').replace('3', '\uff13')}`,
				email: '\u202eeve@example.com',
			},
			responds: [409, { first: false }],
			posts: [{ text: like(/used again, by  eve@example.com\. First use: ada@example.com, 20/) }],
		},
		{
			does: 'adds no use when the store is down',
			sends: { code: CODES.supportEnding, email: 'ada@example.com' },
			faults: [DOWN],
			responds: [503, LATER],
		},
		{
			does: 'takes one of two uses at the same time for the first',
			sends: { code: CODES.supportEnding, email: 'ada@example.com' },
			responds: [200, { first: true }],
			andAtOnce: [409, { first: false }],
		},
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

/** The report counts the clicks of all links, and names the ten clicked most. */
async function expectReport(stage: ExampleStage, text: unknown, since: string): Promise<void> {
	const [head, ...top] = String(text).split('\n');
	const counts = (await byClicks(stage)).map(({ clicks }) => Number(clicks));
	const clicks = counts.reduce((sum, count) => sum + count, 0);
	expect(head).toBe(`${clicks} clicks on ${counts.length} links${since}`);
	const shown = top.map((line) => Number(/: (\d+) \(http.*\)$/.exec(line)?.[1]));
	expect(shown.length).toBeGreaterThan(3);
	expect(shown).toEqual(counts.filter(Boolean).slice(0, 10));
}

async function expectPictures({ stage, result }: Outcome): Promise<void> {
	const [archive] = result.items('Make the archive');
	const { fileName, id: archiveId } = texts(archive?.binary.data, 'fileName', 'id');
	expect(fileName).toMatch(/^qr-codes-\d{4}-\d\d-\d\d\.zip$/);
	const files = unzipSync(await stage.client.file(archiveId));
	const qrCodes = json(result, 'Get the QR codes');
	expect([Object.keys(files).length, qrCodes.length > 3]).toEqual([qrCodes.length, true]);
	for (const { id, name, link } of qrCodes) {
		const picture = Buffer.from(await (await fetch(String(link))).arrayBuffer());
		expect(picture.toString('latin1')).toMatch(/^\x89PNG\r\n/);
		expect(Buffer.from(files[`${String(name)} ${String(id)}.png`] ?? [])).toEqual(picture);
	}
}

async function expectFigures({ stage, result, rows }: Outcome): Promise<void> {
	const countsOf = (wanted: string) =>
		rows
			.filter(({ dimension, label }) => `${String(dimension)} ${String(label)}` === wanted)
			.map(({ count }) => Number(count));
	const top = (await byClicks(stage)).slice(0, 10).map(({ clicks }) => Number(clicks));
	expect(countsOf('total clicks').sort((a, b) => b - a)).toEqual(top);
	const fromFrance = countsOf('country France').reduce((total, count) => total + count, 0);
	expect(fromFrance).toBeGreaterThanOrEqual(3);
	const chart = new RegExp(`Clicks by country.*<tr>.*>France<.*>${fromFrance}<.*</tr>`, 's');
	expect(json(result, 'Show the chart')).toEqual([{ html: like(chart) }]);
}
