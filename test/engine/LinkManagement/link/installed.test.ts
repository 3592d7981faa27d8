import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import {
	byId,
	CONTINUE,
	like,
	newDomain,
	onStage,
	outcomesIn,
	RETRY,
	Stage,
	writesIn,
} from '../../helpers/support.ts';

/** Links on a service that behaves as installations do: an update replaces, aliases are rewritten, names come back escaped. */

const MAPPED = {
	mappingMode: 'autoMapInputData',
	additionalFields: {},
	options: { createMissing: true },
};

/** What an update may not lose, as far as responses show it. */
const KEPT = ['domain', 'expiry', 'location', 'device', 'campaign', 'channel', 'alias', 'longurl'];

/** What a sheet says of all of its links. */
const NIGHTLY = {
	...MAPPED,
	additionalFields: {
		metaDescription: 'All',
		geoTargets: { target: [{ location: 'Germany', link: 'https://example.de/' }] },
		deviceTargets: { target: [{ device: 'iPhone', link: 'https://example.com/app' }] },
	},
};

const DIALECTS = [
	{},
	{ linkUpdate: 'merges' },
	{ locationTargets: 'all' },
	'documented',
	'hostile',
] as const;

describe.each(DIALECTS)('in the dialect %j', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test('a nightly sheet writes only what changed, and no link loses what it has', async () => {
		// Whatever does not wait for what is read is too early.
		if (dialect === DIALECTS[0])
			stage.sandbox.faults.add({ kind: 'delay', milliseconds: 10, times: 99 });
		const domain = await newDomain(stage);
		const rows: IDataObject[] = [0, 1, 2, 3].map((n) => ({
			url: `https://example.com/it's?n=${n}`,
			alias: `row_${n}`,
			domain,
			campaign: "Ann's mail",
			channel: 'News',
			expiry: '2099-01-01',
			'Meta Title': `"Row" ${n}`,
		}));
		const first = await stage.link('link.upsert', NIGHTLY, { rows });
		expect(outcomesIn(first)).toEqual(rows.map(() => 'created'));
		const stored = () => first.json.map(({ id }) => stage.sandbox.stored('links', Number(id)));
		const before = stored();
		expect(before).toMatchObject(
			rows.map((_row, n) => ({
				alias: stage.dialect.aliasForm === 'rewritten' ? `row-${n}` : `row_${n}`,
				expiry: '2099-01-01 23:59:59',
				domain,
			})),
		);
		const again = await stage.link('link.upsert', NIGHTLY, { rows: first.json });
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		const aliases = stage.dialect.aliasForm === 'rewritten' ? 'input_alias' : 'alias';
		expect(again.json).toMatchObject(
			rows.map(({ alias, ...columns }) => ({ ...columns, [aliases]: alias })),
		);
		expect(writesIn(again)).toEqual([]);
		// One a row, and the lists.
		expect(again.requests.length).toBeLessThanOrEqual(rows.length + 4);
		const changed = again.json.map((row, n) => (n === 2 ? { ...row, 'Meta Title': 'New' } : row));
		const third = await stage.link('link.upsert', NIGHTLY, { rows: changed });
		expect(outcomesIn(third)).toEqual(['unchanged', 'unchanged', 'updated', 'unchanged']);
		const updates = third.requests.filter(({ request }) => request.startsWith('PUT '));
		expect(updates).toHaveLength(1);
		expect(updates[0]?.body).not.toHaveProperty('custom');
		expect(stored()).toEqual(before.map((link, n) => (n === 2 ? { ...link, title: 'New' } : link)));
	});

	test('Update sends back what the link has, and what the row says wins', async () => {
		const domain = await newDomain(stage);
		const campaign = await stage.make('/api/campaign/add', { name: 'Spring' });
		const id = await stage.make('/api/url/add', {
			url: 'https://example.com/a',
			custom: stage.unique('kept'),
			domain,
			expiry: '2099-05-05 12:00:00',
			geotarget: [{ location: 'Germany', link: 'https://example.de/' }],
			devicetarget: [{ device: 'iphone', link: 'https://example.com/app' }],
			campaign,
		});
		const before = record(stage.sandbox.stored('links', id));
		const update = async (updateFields: INodeParameters) =>
			await stage.link('link.update', { linkId: byId(id), updateFields });
		expect((await update({ metaTitle: 'New' })).error).toBeUndefined();
		const after = record(stage.sandbox.stored('links', id));
		expect(after.title).toBe('New');
		for (const name of KEPT) expect([name, after[name]]).toEqual([name, before[name]]);
		await update({ clearFields: ['expiry'] });
		const cleared = record(stage.sandbox.stored('links', id));
		expect([cleared.expiry, cleared.location]).toEqual([null, before.location]);
	});
});

const stage = onStage(new Stage());
const url = 'https://example.com/a';

test.each([
	[{ expiry: '2099-05-05 12:00:00' }, '2099-05-05 12:00:00'],
	[{ clearFields: ['expiry'] }, null],
])('a second row about a link keeps what the first one has written: %j', async (first, expiry) => {
	const link = { url, expiry: '2098-01-01 12:00:00' };
	const id = await stage.make('/api/url/add', link);
	const rows = [first, { metaTitle: 'New' }];
	const names = ['expiry', 'clearFields', 'metaTitle'];
	const updateFields = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
	const given = { linkId: byId(id), updateFields };
	expect((await stage.link('link.update', given, { rows })).error).toBeUndefined();
	expect(stage.sandbox.stored('links', id)).toMatchObject({ expiry, title: 'New' });
});

test('an expiry that has passed is not sent back', async () => {
	const id = await stage.make('/api/url/add', { url, expiry: '2020-01-01 00:00:00' });
	const given = { linkId: byId(id), updateFields: { metaTitle: 'New' } };
	const { requests } = await stage.link('link.update', given);
	expect(requests.at(-1)?.body).toEqual({ url, metatitle: 'New' });
});

test('what no response shows is written each time', async () => {
	const rows = [{ url, alias: 'locked', password: 'secret' }];
	for (const outcome of ['created', 'updated'])
		expect(outcomesIn(await stage.link('link.upsert', MAPPED, { rows }))).toEqual([outcome]);
});

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

test('a plan without aliases ends the run at the first link, whose row has its short URL', async () => {
	await using limited = await Stage.opened({ plan: 'no-aliases' });
	const rows = ['a', 'b', 'c'].map((alias) => ({ url: `https://example.com/${alias}`, alias }));
	const settings = { ...CONTINUE, ...RETRY };
	const result = await limited.link('link.upsert', MAPPED, { rows, settings });
	expect(writesIn(result)).toEqual(['POST /api/url/add']);
	expect(result.json[0]).toMatchObject({
		outcome: 'failed',
		error: like(/^The link is now \S+ instead of [\d.:]+\/a\. .+ has aliases/),
		shorturl: like(/^http/),
	});
	expect(result.json[2]?.error).toMatch(/^Not sent: /);
});

test.each([
	['ignored', 1, /^The link is now 127\.0\.0\.1:\d+\/a instead of typo\./, /^Not sent: /],
	['refused', 2, /^https:\/\/typo\S+ is not a domain/, /^https:\/\/typo\S+ is not a domain/],
] as const)(
	'a domain that is not the account’s, %s: %i creates, and each row says so',
	async (foreignDomain, writes, first, second) => {
		await using other = await Stage.opened({ foreignDomain });
		await newDomain(other);
		const domain = 'https://typo.example.com';
		const rows = ['a', 'b'].map((alias) => ({ url: `${url}/${alias}`, alias, domain }));
		const given = { rows, settings: CONTINUE };
		const result = await other.link('link.upsert', MAPPED, given);
		expect(writesIn(result)).toHaveLength(writes);
		expect(result.json).toMatchObject([{ error: like(first) }, { error: like(second) }]);
	},
);

test.each(['link.create', 'link.upsert', 'link.update'])(
	'%s fails with the words of a service that does not take the picture',
	async (operation) => {
		const fields = { metaImage: 'https://example.com/a.webp' };
		const given =
			operation === 'link.update'
				? { linkId: byId(await stage.make('/api/url/add', { url })), updateFields: fields }
				: { url: 'https://example.com/b', customAlias: 'pictured', additionalFields: fields };
		const { error } = await stage.link(operation, given);
		expect(error?.message).toMatch(/^The picture was not saved/);
	},
);

test('an older link that answers Create is told apart, and put into no campaign', async () => {
	const id = await stage.make('/api/url/add', { url });
	stage.sandbox.links.addLinks(stage.linkAccount.id, 120, 0);
	const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
	stage.sandbox.faults.add({ kind: 'delay', method: 'GET', milliseconds: 100, times: 99 });
	const additionalFields = { campaignId, password: 'secret', createQrCode: true };
	const { json } = await stage.link('link.create', { url, additionalFields });
	expect(json).toMatchObject([{ outcome: 'existing', id }]);
	expect(json[0]).not.toHaveProperty('qr_code');
	expect(stage.sandbox.stored('links', id)).toMatchObject({ campaign: null, password: '' });
});

test('a link of which the service shows nothing does not exist', async () => {
	await using other = await Stage.opened({ unknownLink: 'nulls' });
	const { error } = await other.link('link.get', { linkId: byId(987_654) });
	expect(error?.message).toMatch(/^There is no link with the (id|ID) 987654/);
});
