import axios from 'axios';
import { unzipSync } from 'fflate';

import { DEMO } from '../../sandbox/demo.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import type { Call, ExampleStage, Outcome, Run } from './exampleStage.ts';
import { json } from './exampleStage.ts';
import { KEYS } from './keys.ts';
import { attachmentOf } from './mailServer.ts';
import { A_NUMBER, A_RECORD, A_STRING, including, like, listWith } from './matchers.ts';

const CHAT_NODE = 'Send to your chat';
const NOBODY = 'http://127.0.0.1:1';
const BULK = 12;
const CHANNELS = { newsletter: 'email', social: 'post', poster: 'print' };
const CODES = DEMO.purchaseCodes;
const DOWN: Fault = { kind: 'http-503', service: 'store', times: 99 };

const times = <Value>(count: number, value: Value) => new Array<Value>(count).fill(value);

export const toChat = ({ chat }: ExampleStage): [string, JsonRecord] => [
	CHAT_NODE,
	{ url: chat.url },
];

/** A row of a sheet with its link, and one without. */
const linked = (title: string) => including({ title, shorturl: like(/^http/), problem: '' });
const failed = (title: string, problem: RegExp, shorturl: unknown = '') =>
	including({ title, shorturl, problem: like(problem) });
const UNSEEN = failed('Unseen', /may have been carried out/);
const exampleRows = (noLink: unknown) => [
	...[linked('Spring sale'), linked('Catalogue')],
	...[failed('Typing mistake', /example dot com/, noLink), linked('Opening hours')],
];

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
	'sheet-of-urls.json': [
		{
			does: 'makes its table, and writes each short link, or the reason why there is none, into its row',
			bodies: {
				'/api/url/add': [
					{ url: 'https://example.com/spring-sale', metatitle: 'Spring sale' },
					{ url: 'https://example.com/catalogue', metatitle: 'Catalogue' },
					{ url: 'https://example.com/opening-hours', metatitle: 'Opening hours' },
				],
			},
			gives: { 'Rows to correct': [failed('Typing mistake', /example dot com/)] },
			rows: exampleRows(''),
		},
		{ does: 'makes no second link for a row that has one', sends: [], keeps: ['id', 'shorturl'] },
		{
			does: 'makes the link of a row that was corrected, and of more new rows than it takes at a time',
			changes: ['title', 'Typing mistake', { address: 'https://example.com/corrected' }],
			adds: [...Array(BULK).keys()].map((n) => ({
				...{ title: 'Bulk', address: `https://example.com/bulk/${n}` },
			})),
			sends: times(BULK + 1, 'POST /api/url/add'),
			gives: { 'Rows to correct': [] },
			rows: [linked('Typing mistake'), linked('Opening hours'), ...times(BULK, linked('Bulk'))],
			also: expectOwnLinks,
		},
		{
			does: 'goes on after a row whose link may have been made unseen',
			adds: [
				{ title: 'Unseen', address: 'https://example.com/unseen' },
				{ title: 'After it', address: 'https://example.com/after-it' },
			],
			faults: [{ kind: 'drop-after', service: 'link', path: '/api/url/add' }],
			rows: [UNSEEN, linked('After it')],
			also: expectOwnLinks,
		},
		{ does: 'leaves that row alone', sends: [], rows: [UNSEEN, linked('After it')] },
		{
			does: 'makes its link when its reason is cleared',
			changes: ['title', 'Unseen', { problem: '' }],
			sends: ['POST /api/url/add'],
			rows: [linked('Unseen'), linked('After it')],
			also: expectOwnLinks,
		},
	],
	'sheet-to-links-every-night.json': [
		{
			does: 'makes a link for each row of its table, tells the chat, and writes the link or the reason back',
			enters: toChat,
			sends: ['GET /api/urls', ...times(3, 'POST /api/url/add')],
			rows: exampleRows(null),
			posts: ['Spring sale', 'Catalogue', 'Opening hours'].map((title) => {
				const name = title.toLowerCase().replace(' ', '-');
				const link = `.*/example-${name} leads to https://example.com/${name}`;
				return { text: like(new RegExp(`^New: ${title}, ${link}$`)) };
			}),
			also: expectOwnLinks,
		},
		{
			does: 'creates nothing the next night, and lets each link lead where its row now says',
			changes: ['title', 'Catalogue', { address: 'https://example.com/new-catalogue' }],
			enters: toChat,
			sends: ['GET /api/urls', ...times(3, like(/^PUT /))],
			keeps: ['id', 'shorturl', 'problem'],
			posts: [],
			also: expectOwnLinks,
		},
		{
			does: 'makes the link of a row that was corrected, and takes its reason away',
			changes: ['title', 'Typing mistake', { address: 'https://example.com/corrected' }],
			sends: ['GET /api/urls', ...times(2, like(/^PUT /)), 'POST /api/url/add', like(/^PUT /)],
			rows: [linked('Typing mistake'), linked('Opening hours')],
			also: expectOwnLinks,
		},
	],
	'campaign-launch.json': [
		{
			does: 'makes the domain, the campaign, and for each channel a link in it and a QR code',
			bodies: {
				'/api/domain/add': [{ domain: 'https://spring.example.com' }],
				'/api/campaign/add': [{ name: 'Spring sale' }],
				'/api/url/add': Object.entries(CHANNELS).map(([source, medium]) => ({
					url: 'https://example.com/spring-sale',
					domain: 'https://spring.example.com',
					metatitle: 'Spring sale',
					parameters: [
						{ name: 'utm_source', value: source },
						{ name: 'utm_medium', value: medium },
						{ name: 'utm_campaign', value: 'spring-sale' },
					],
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
			given: async (stage) => await visitNewest(stage, 3),
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
			enters: () => [CHAT_NODE, { url: NOBODY }],
			failsIn: CHAT_NODE,
			keeps: ['id', 'links', 'clicks'],
		},
		{
			does: 'reports nothing clicked for an account without links',
			as: async ({ sandbox, credentialsOf }) => {
				const account = { email: 'newcomer@links.example', apiKey: KEYS.newcomer };
				return await credentialsOf((await sandbox.register(account)).apiKey);
			},
			gives: { 'Write the report': [{ links: 0, clicks: 0, text: like(/^0 clicks on 0 links/) }] },
		},
	],
	'nightly-purchase-check.json': [
		{
			does: 'writes which codes are valid, why not, and until when they have support, and tells the chat which are not',
			enters: toChat,
			sends: times(3, 'POST /api/purchases/validation'),
			rows: [
				including({ customer: 'Ada', code: CODES.valid, valid: true, reason: '' }),
				including({
					...{ customer: 'Grace', code: CODES.invalid, valid: false },
					...{ reason: 'Invalid purchase code', supported_until: null },
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
			...{ enters: toChat, sends: [], posts: [], keeps: NIGHTLY_COLUMNS },
		},
		{
			does: 'writes only the time of the check where nothing changed, and sends no message',
			changes: ['customer', 'Mary', { checked_at: null }],
			...{ enters: toChat, sends: times(1, 'POST /api/purchases/validation'), posts: [] },
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
		// Each code is sent four times to a store that is down for the moment.
		...(
			[
				['is down', DOWN, 20],
				['shows a login page', { ...DOWN, kind: 'login-redirect' }, 5],
			] as const
		).map(([what, fault, requests], index) => ({
			does: `asks for five codes, leaves the table as it was, and ends as failed when the store ${what}`,
			...{ faults: [fault], enters: toChat, failsIn: 'End as failed' },
			...(index === 0 ? { adds: NIGHT } : {}),
			sends: times(requests, 'POST /api/purchases/validation'),
			keeps: NIGHTLY_COLUMNS,
			posts: [{ text: like(/^Purchase codes: 0 checked\n12 could not be checked: /) }],
		})),
		{
			does: 'marks no code as invalid when the store stops in the middle, and says how many are left',
			as: async (stage) =>
				await stage.storeThatStops(
					NIGHT.map(({ code }) => code),
					4,
				),
			...{ enters: toChat, failsIn: 'End as failed' },
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
			...{ enters: toChat, posts: [] },
			rows: NIGHT.map(({ code }) => including({ code, valid: true })),
			also: ({ stage }) => expect(stage.sent().length).toBeLessThan(NIGHT.length),
		},
	],
	'qr-codes-as-files.json': [
		{
			does: 'sends an e-mail with the picture of each QR code in one archive',
			enters: () => ['Send it by e-mail', {}],
			also: expectPictures,
		},
	],
	'click-figures.json': [
		{
			does: 'keeps each figure of the newest links in a row of its table, and draws them',
			given: async (stage) => await visitNewest(stage, 3),
			sends: ['GET /api/urls', ...times(10, like(/^GET \/api\/url\/\d+$/))],
			also: expectFigures,
		},
		{
			does: 'renews the same rows the next night',
			given: async (stage) => await visitNewest(stage, 2),
			keeps: ['id', 'link', 'dimension', 'label'],
			also: expectFigures,
		},
	],
};

const FORM = { Email: 'ada@example.com', Question: 'How?' };
const asking = (does: string, code: string, title: string, more: Partial<Call> = {}): Call => ({
	...{ does, sends: { ...FORM, 'Purchase code': code }, responds: [200, like(new RegExp(title))] },
	...more,
});
const LATER = { reason: 'The code cannot be checked right now' };
const NOT_VALID = { reason: 'This code is not valid' };

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
		asking('says that a code is for another product', CODES.withoutSupport, 'another product'),
		asking('says that support has ended', CODES.supportEnded, 'Your support has ended'),
		asking('asks for patience when the store is down', CODES.valid, 'Please try again later', {
			...{ faults: [DOWN], posts: [] },
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
		{
			does: 'refuses a code for another product',
			sends: { code: CODES.supportEnding },
			responds: [403, { reason: 'This code is for another product' }],
		},
		{
			does: 'calls no code invalid when the store is down',
			...{ faults: [DOWN], sends: { code: CODES.valid }, responds: [503, LATER] },
		},
	],
	'purchase-code-used-before.json': [
		{ does: 'refuses a code that is not valid', sends: { code: 'x' }, responds: [403, NOT_VALID] },
		{
			does: 'takes a valid code once',
			sends: { code: CODES.valid, email: 'ada@example.com' },
			...{ responds: [200, { first: true }], posts: [] },
		},
		{
			does: 'notices the second use, however the code is written, and tells the chat of both',
			sends: { code: `\u00a0${CODES.valid.replaceAll('-', '\u2010')}`, email: 'eve@example.com' },
			responds: [409, { first: false }],
			posts: [{ text: like(/used again, by eve@example.com\. First use: ada@example.com, 20/) }],
		},
		{
			does: 'adds no use when the store is down',
			sends: { code: CODES.supportEnding, email: 'ada@example.com' },
			...{ faults: [DOWN], responds: [503, LATER] },
		},
		{
			does: 'takes one of two uses at the same time for the first',
			sends: { code: CODES.supportEnding, email: 'ada@example.com' },
			...{ responds: [200, { first: true }], andAtOnce: [409, { first: false }] },
		},
	],
};

/** Visitors from France come to the newest link that the sandbox itself redirects. */
async function visitNewest(stage: ExampleStage, visits: number): Promise<void> {
	const own = (url: unknown) => String(url).startsWith(stage.sandbox.linkUrl);
	const newest = (await stage.links()).find(({ shorturl }) => own(shorturl));
	for (let visitor = 0; visitor < visits; visitor += 1) {
		await axios.get(String(newest?.shorturl), {
			headers: { 'cf-ipcountry': 'FR' },
			maxRedirects: 0,
			validateStatus: (status) => status < 400,
			proxy: false,
		});
	}
}

/** Each row that has a link has its own. */
async function expectOwnLinks({ stage, rows }: Outcome): Promise<void> {
	const links = await stage.links();
	for (const { address: longurl, shorturl } of rows) {
		if (shorturl) expect(links).toEqual(listWith(including({ shorturl, longurl })));
	}
}

function expectLaunch({ stage, result }: Outcome): void {
	const [campaign] = json(result, 'Create the campaign');
	const made = json(result, 'Create a link');
	expect(stage.sent()).toEqual([
		...['GET /api/domains', 'POST /api/domain/add', 'POST /api/campaign/add'],
		...times(3, 'POST /api/url/add'),
		...made.map(({ id }) => `POST /api/campaign/${String(campaign?.id)}/assign/${String(id)}`),
		...times(3, 'POST /api/qr/add'),
	]);
	const shorturls = made.map(({ shorturl }) => shorturl);
	expect(shorturls).toEqual(times(3, like(/^https:\/\/spring\.example\.com\//)));
	expect(stage.bodiesOf('/api/qr/add')).toEqual(shorturls.map((data) => ({ type: 'link', data })));
	const qrCodes = json(result, 'Create its QR code');
	expect(json(result, 'Launched')).toEqual(
		Object.keys(CHANNELS).map((source, index) => ({
			...{ campaign: 'Spring sale', source },
			...{ shorturl: shorturls[index], qrcode: qrCodes[index]?.link },
		})),
	);
}

/** The report has these lines; links that were clicked equally often may stand in any order. */
async function expectReport(stage: ExampleStage, text: unknown, since: string): Promise<void> {
	const [head, ...top] = String(text).split('\n');
	const links = await stage.links();
	const counts = links.map(({ clicks }) => Number(clicks)).sort((a, b) => b - a);
	const clicks = counts.reduce((sum, count) => sum + count, 0);
	expect(head).toBe(`${clicks} clicks on ${links.length} links${since}`);
	const lines = top.map((line) => /: (\d+) \((.*)\)$/.exec(line) ?? []);
	expect(lines.length).toBeGreaterThan(3);
	expect(lines.map(([, count]) => Number(count))).toEqual(counts.filter(Boolean).slice(0, 10));
	for (const [, count, shorturl] of lines) {
		expect(links).toEqual(listWith(including({ shorturl, clicks: Number(count) })));
	}
}

async function expectPictures({ stage, result }: Outcome): Promise<void> {
	const [mail = ''] = stage.mailServer.mails;
	expect(mail).toMatch(/filename="?qr-codes-\d{4}-\d\d-\d\d\.zip/);
	const files = unzipSync(attachmentOf(mail));
	const qrCodes = json(result, 'Get the QR codes');
	expect([Object.keys(files).length, qrCodes.length > 3]).toEqual([qrCodes.length, true]);
	for (const { id, name, link } of qrCodes) {
		const picture = Buffer.from(await (await fetch(String(link))).arrayBuffer());
		expect(picture.toString('latin1')).toMatch(/^\x89PNG\r\n/);
		expect(Buffer.from(files[`${String(name)} ${String(id)}.png`] ?? [])).toEqual(picture);
	}
}

/** All visitors of the newest of the visited links came from France. */
async function expectFigures({ stage, result, rows }: Outcome): Promise<void> {
	const newest = (await stage.links()).slice(0, 10);
	const clicks = newest.map((link) => ({ link: link.shorturl, count: Number(link.clicks) }));
	const rowsOf = (wanted: string) =>
		rows.filter(({ dimension, label }) => `${String(dimension)} ${String(label)}` === wanted);
	expect(rowsOf('total clicks')).toEqual(clicks.map(including));
	const visited = clicks.find(({ count }) => count >= 3);
	const fromFrance = rowsOf('country France');
	expect(fromFrance).toEqual(listWith(including({ ...visited })));
	const sum = fromFrance.reduce((total, { count }) => total + Number(count), 0);
	const chart = new RegExp(`Clicks by country.*<tr>.*>France<.*width: 180px.*>${sum}<.*</tr>`, 's');
	expect(json(result, 'Show the chart')).toEqual([{ html: like(chart) }]);
}
