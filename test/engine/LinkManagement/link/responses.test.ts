import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Fault, page } from '../../../../sandbox/faults.ts';
import {
	A_NUMBER,
	byId,
	CONTINUE,
	like,
	named,
	newDomain,
	onStage,
	outcomesIn,
	RETRY,
	Stage,
	textOf,
	writesIn,
} from '../../helpers/support.ts';
import { newLink, type Settings, sheet, storedLink, url } from './sheet.ts';

/** What is made of look-ups, lists and writes of services that do not respond as the document says. */

const stage = onStage(new Stage());

test.each<[what: string, answer: Partial<Fault> | undefined]>([
	['a page', page(200)],
	['a page with 404', page(404)],
	['a page with 500', page(500)],
	['a refusal', { status: 403, body: { error: 1, message: 'This is not allowed.' } }],
	['a redirect', { kind: 'login-redirect' }],
	['the list', undefined],
])(
	'where a look-up is answered by %s, the list says which links there are',
	async (_what, answer) => {
		await using other = await Stage.opened({ readsShort: answer ? 'yes' : 'no' });
		const known = await newLink(other, { custom: 'known' });
		for (const alias of answer ? ['new', 'known'] : []) {
			const query = { short: `${other.sandbox.linkUrl}/${alias}` };
			const fault = { kind: 'respond', path: '/api/urls', query, times: 9, ...answer } as const;
			other.sandbox.faults.add(fault);
		}
		const run = async (alias: string) =>
			outcomesIn(await sheet(other, [{ url: `${url}new`, alias }]));
		expect([await run('new'), await run('known')]).toEqual([['created'], ['updated']]);
		expect(storedLink(other, known).longurl).toBe(`${url}new`);
	},
);

test('a service that is down is no service that cannot look up', async () => {
	stage.sandbox.faults.add({ kind: 'respond', status: 503, method: 'GET', times: 99 });
	const result = await sheet(stage, [{ url, alias: 'new' }]);
	expect([outcomesIn(result), writesIn(result)]).toEqual([['failed'], []]);
});

test.each(['yes', 'no'] as const)(
	'among 30,000 links, 20 new rows take 41 requests, and 3 in the next night: look-ups %s',
	async (readsShort) => {
		await using other = await Stage.opened({ readsShort });
		other.sandbox.links.addLinks(other.linkAccount.id, 30_000, 1);
		const rows = Array.from({ length: 20 }, (_, n) => ({ url: `${url}${n}`, alias: `new-${n}` }));
		const first = await sheet(other, rows);
		expect(outcomesIn(first)).toEqual(rows.map(() => 'created'));
		expect(first.requests.length).toBeLessThanOrEqual(41);
		const again = await sheet(other, rows);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(again.requests.length).toBeLessThanOrEqual(3);
	},
	120_000,
);

test.each(['HERE/other', 'https://elsewhere.example/ALIAS', undefined])(
	'a look-up that shows the link %s is not believed',
	async (other) => {
		const alias = stage.unique('mine');
		const id = await newLink(stage, { custom: alias });
		const shorturl = other?.replace('HERE', stage.sandbox.linkUrl).replace('ALIAS', alias);
		const details = shorturl === undefined ? {} : { shorturl };
		const body = { error: 0, id: 987_654, details, data: {} };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', body });
		const { json } = await stage.link('link.get', { linkId: named('alias', alias) });
		expect(json).toMatchObject([{ id }]);
	},
);

test('the list is read for an alias that is taken, where look-ups find nothing', async () => {
	await using other = await Stage.opened({ maxLimit: '7' });
	const ids: number[] = [];
	for (const custom of ['sale', ...Array.from({ length: 20 }, (_, n) => `link-${n}`)]) {
		ids.push(await newLink(other, { custom }));
		const query = { short: `${other.sandbox.linkUrl}/${custom}` };
		const body = { error: 1, message: 'Not found' };
		other.sandbox.faults.add({ kind: 'respond', path: '/api/urls', query, body, times: 9 });
	}
	const result = await sheet(other, [{ url: `${url}new`, alias: 'sale' }]);
	expect(result.json).toMatchObject([{ outcome: 'updated', id: ids[0] }]);
});

test.each<Settings>([{}, { readsShort: 'no' }])(
	'an alias that the list does not show is that of the short URL, and is not sent: %j',
	async (dialect) => {
		await using other = await Stage.opened(dialect);
		await newLink(other, { custom: 'spring' });
		const change = (body: string) => body.replaceAll('"alias"', '"slug"');
		other.sandbox.faults.add({ kind: 'respond', path: '/api/urls', change, times: 9 });
		expect(outcomesIn(await sheet(other, [{ url, alias: 'spring' }]))).toEqual(['unchanged']);
		const result = await sheet(other, [{ url: `${url}new`, alias: 'spring' }]);
		expect(outcomesIn(result)).toEqual(['updated']);
		expect(result.requests.at(-1)?.body).not.toHaveProperty('custom');
	},
);

test('a domain is sent as the list spells it', async () => {
	const domain = await newDomain(stage);
	const change = (body: string) => body.replaceAll('https:', 'http:');
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/domains', change });
	const { requests, json } = await sheet(stage, [{ url, alias: 'menu', domain }]);
	expect(requests.at(-1)?.body).toMatchObject({ domain: domain.replace('https:', 'http:') });
	expect(json).toMatchObject([{ outcome: 'created', shorturl: `${domain}/menu` }]);
});

/** A create that lands elsewhere, or not at all: which settings of the service, the writes, and what both rows say. */
test.each<[Settings, string | undefined, number, RegExp, RegExp]>([
	[
		{ mainDomain: 'other' },
		undefined,
		1,
		/^The link is now .+ Enter main.example.net as 'Short Link Domain'/,
		/^Not sent: /,
	],
	[
		{ aliases: 'ignored' },
		undefined,
		1,
		/^The link is now \S+ instead of [\d.:]+\/a\. .+ has aliases/,
		/^Not sent: /,
	],
	[
		{ foreignDomain: 'ignored' },
		'https://typo.example.com',
		1,
		/^The link is now 127\.0\.0\.1:\d+\/a instead of typo\./,
		/^Not sent: /,
	],
	[
		{ foreignDomain: 'refused' },
		'https://typo.example.com',
		// Three tries of two rows.
		6,
		/^https:\/\/typo\S+ is not a domain/,
		/^https:\/\/typo\S+ is not a domain/,
	],
])(
	'%j: a link that is not where it was to be, on %s',
	async (dialect, domain, writes, ...errors) => {
		await using other = await Stage.opened(dialect);
		await newDomain(other);
		const rows = ['a', 'b'].map((alias) => ({
			url: `${url}${alias}`,
			alias,
			...(domain && { domain }),
		}));
		const result = await sheet(other, rows, {}, { settings: { ...CONTINUE, ...RETRY } });
		expect(writesIn(result)).toHaveLength(writes);
		expect(result.json).toMatchObject(errors.map((error) => ({ error: like(error) })));
		if (writes === 1) expect(result.json[0]).toMatchObject({ shorturl: like(/^http/) });
	},
);

test.each([
	['alias', /\/[^/]*$/, '/elsewhere'],
	['host', /^.*\//, 'https://elsewhere.example/'],
])(
	'an update that gives a link another %s is an error, which nothing sends again',
	async (_what, part, other) => {
		const { id, shorturl } = await stage.api('POST /api/url/add', { url });
		const moved = { error: 0, id, shorturl: String(shorturl).replace(part, other) };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/:id/update', body: moved });
		const given = { linkId: byId(Number(id)), updateFields: { metaTitle: 'x' } };
		const result = await stage.link('link.update', given, { settings: RETRY });
		expect(result.error?.message).toMatch(/^The link is now .*elsewhere.* instead of/);
		expect(writesIn(result)).toHaveLength(1);
	},
);

type Answer = (usual: IDataObject) => IDataObject;

test.each<[what: string, created: Answer, updated?: Answer]>([
	['nested', ({ error, ...data }) => ({ error, data })],
	['without an ID', ({ shorturl }) => ({ short: shorturl }), () => ({ message: 'Updated' })],
	['short_url', ({ shorturl, ...others }) => ({ ...others, short_url: shorturl })],
])(
	'the short URL that is known is kept where the answer is %s',
	async (...[what, created, updated = created]) => {
		const domain = await newDomain(stage);
		const run = async (path: string) =>
			(await sheet(stage, [{ url: `${url}${path}`, alias: 'a', domain }])).json;
		const shorturl = `${domain}/a`;
		const answer = (path: string, answered: Answer): void => {
			const change = (body: string) => JSON.stringify(answered(JSON.parse(body) as IDataObject));
			stage.sandbox.faults.add({ kind: 'respond', path, change });
		};
		answer('/api/url/add', created);
		answer('/api/url/:id/update', updated);
		const id = what === 'without an ID' ? null : A_NUMBER;
		expect(await run('old')).toMatchObject([{ outcome: 'created', shorturl, id }]);
		expect(await run('new')).toMatchObject([{ outcome: 'updated', shorturl, alias: 'a' }]);
	},
);

test.each<[what: string, changes: (other: string) => INodeParameters, alias: string]>([
	['alias', () => ({ customAlias: 'two' }), 'two'],
	['domain', (other) => ({ domain: named('name', other) }), 'one'],
])('where an update says nothing, the short URL of another %s is not known', async (...given) => {
	const [, changes, alias] = given;
	const [domain, other] = [await newDomain(stage), `https://${stage.unique('to')}.example.com`];
	await stage.make('/api/domain/add', { domain: other });
	const id = await newLink(stage, { custom: 'one', domain });
	const body = { error: 0, message: 'Updated' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/:id/update', body });
	const updated = { linkId: byId(id), updateFields: changes(other) };
	const { json } = await stage.link('link.update', updated);
	expect(json).toMatchObject([{ id, longurl: url, shorturl: null, alias }]);
});

test.each<[path: string, said: IDataObject, columns: IDataObject]>([
	['url', { id: 7 }, { outcome: 'created', id: 7, shorturl: null, longurl: url }],
	['qr', { id: 7 }, { qr_code_id: 7, qr_code: null }],
	['qr', { link: 'https://a.b/c' }, { qr_code_id: null, qr_code: 'https://a.b/c' }],
])('a create in %s of which the service says only %j is a success', async (path, said, columns) => {
	const body = { error: 0, ...said };
	stage.sandbox.faults.add({ kind: 'respond', path: `/api/${path}/add`, body });
	const given = { url, additionalFields: { createQrCode: path === 'qr' } };
	expect((await stage.link('link.create', given)).json).toMatchObject([columns]);
});

test('a link of which the service shows nothing does not exist', async () => {
	const details = { shorturl: null, longurl: null, title: null };
	const body = { error: 0, details, data: {} };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/:id', body });
	const { error } = await stage.link('link.get', { linkId: byId(987_654) });
	expect(error?.message).toMatch(/^There is no link with the (id|ID) 987654/);
});

const message = 'Your plan has no more links.';
const USED_UP: Array<[what: string, answer: Partial<Fault>, said: RegExp]> = [
	['a page', page(500), /Run the workflow again.+plan is used up/],
	['a message', { body: { error: 1, message } }, /^Your plan has no more links. Check/],
	['429', { status: 429, body: { error: 429, message } }, /./],
];

test.each(
	USED_UP.flatMap(([what, ...given]) => [true, false].map((has) => [what, has, ...given] as const)),
)(
	'a plan that is used up, said by %s, ends the run after five refusals, also with aliases: %s',
	async (...given) => {
		const [, hasAlias, answer, said] = given;
		const path = '/api/url/add';
		stage.sandbox.faults.add({ kind: 'delay', milliseconds: 0, path, times: 3 });
		stage.sandbox.faults.add({ kind: 'respond', path, times: 99, ...answer });
		const rows = Array.from({ length: 30 }, (_, n) => ({
			url: `${url}${n}`,
			...(hasAlias ? { alias: stage.unique(`row-${n}`) } : {}),
		}));
		const result = await sheet(stage, rows);
		expect(outcomesIn(result).filter((outcome) => outcome === 'created')).toHaveLength(3);
		expect(writesIn(result).length).toBeLessThanOrEqual(9);
		expect(textOf(result.json[3]?.error)).toMatch(said);
		expect(textOf(result.json.at(-1)?.error)).toMatch(/^Not sent: .+ records in your plan/);
	},
);

test('aliases of others, all refused in the same words, end nothing between rows that are updated', async () => {
	const path = '/api/url/add';
	const present = Array.from({ length: 7 }, (_, n) => stage.unique(`mine-${n}`));
	for (const custom of present) await newLink(stage, { custom });
	const answer = { status: 400, body: { error: 1, message: 'Please choose another alias' } };
	stage.sandbox.faults.add({ kind: 'respond', path, times: 99, ...answer });
	const rows = present.flatMap((alias) => [
		{ url: `${url}new`, alias },
		{ url, alias: `other-${alias}` },
	]);
	const result = await sheet(stage, rows);
	expect(outcomesIn(result)).toEqual(present.flatMap(() => ['updated', 'failed']));
	expect(result.json.at(-1)?.error).toMatch(/^Please choose another alias/);
});
