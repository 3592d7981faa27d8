import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	byId,
	named,
	newDomain,
	onStage,
	outcomesIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';
import { newLink, sheet, storedLink, url } from './sheet.ts';

/** What an update leaves as it is, although services empty what it does not send. */

const DIALECTS = [
	{},
	{ linkUpdate: 'merges' },
	{ shapes: 'documented' },
	// The campaign is on page 2 of the list.
	{ readsSearch: 'no' },
	'documented',
	'hostile',
] as const;

const TARGETS = {
	geoTargets: { target: [{ location: 'Germany', link: 'https://example.de/' }] },
	deviceTargets: { target: [{ device: 'iPhone', link: 'https://example.com/app' }] },
};

/** What a sheet says of all of its links. */
const NIGHTLY: INodeParameters = {
	additionalFields: { metaDescription: 'All', ...TARGETS },
	options: { createMissing: true },
};

const update = async (stage: Stage, id: number, updateFields: INodeParameters) =>
	await stage.link('link.update', { linkId: byId(id), updateFields });

describe.each(DIALECTS)('in the dialect %j', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test('a nightly sheet writes only what changed, and no link loses what it has', async () => {
		// Whatever does not wait for what is read is too early.
		if (dialect === DIALECTS[0])
			stage.sandbox.faults.add({ kind: 'delay', milliseconds: 10, times: 99 });
		const domain = await newDomain(stage);
		const rows: IDataObject[] = [0, 1, 2, 3].map((n) => ({
			url: `${url}it's?n=${n}`,
			alias: `row_${n}`,
			domain,
			campaign: "Ann's mail",
			channel: 'News',
			expiry: '2099-01-01',
			'Meta Title': `"Row" ${n}`,
		}));
		const isRewritten = stage.dialect.aliasForm === 'rewritten';
		const first = await sheet(stage, rows, NIGHTLY);
		expect(outcomesIn(first)).toEqual(rows.map(() => 'created'));
		const stored = () => first.json.map(({ id }) => storedLink(stage, id));
		const before = stored();
		const expiry = '2099-01-01 23:59:59';
		expect(before).toMatchObject(
			rows.map((_row, n) => ({ alias: isRewritten ? `row-${n}` : `row_${n}`, expiry, domain })),
		);
		const again = await sheet(stage, first.json, NIGHTLY);
		expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		expect(again.json).toMatchObject(
			rows.map(({ alias, ...columns }) => ({
				...columns,
				[isRewritten ? 'input_alias' : 'alias']: alias,
			})),
		);
		expect(writesIn(again)).toEqual([]);
		// One a row, and the lists.
		expect(again.requests.length).toBeLessThanOrEqual(rows.length + 4);
		const changed = again.json.map((row, n) => (n === 2 ? { ...row, 'Meta Title': 'New' } : row));
		const third = await sheet(stage, changed, NIGHTLY);
		expect(outcomesIn(third)).toEqual(['unchanged', 'unchanged', 'updated', 'unchanged']);
		const updates = third.requests.filter(({ request }) => request.startsWith('PUT '));
		expect(updates).toHaveLength(1);
		expect(updates[0]?.body).not.toHaveProperty('custom');
		expect(stored()).toEqual(before.map((link, n) => (n === 2 ? { ...link, title: 'New' } : link)));
	});

	test('Update sends back what the link has, and what the row says wins', async () => {
		const id = await newLink(stage, {
			custom: stage.unique('kept'),
			domain: await newDomain(stage),
			expiry: '2099-05-05 12:00:00',
			geotarget: TARGETS.geoTargets.target,
			devicetarget: TARGETS.deviceTargets.target,
			campaign: await stage.make('/api/campaign/add', { name: 'Spring' }),
		});
		stage.sandbox.links.addLinks(stage.linkAccount.id, 120, 0);
		const before = storedLink(stage, id);
		expect((await update(stage, id, { metaTitle: 'New' })).error).toBeUndefined();
		const after = storedLink(stage, id);
		expect(after.title).toBe('New');
		// As far as responses show it.
		for (const name of ['domain', 'expiry', 'location', 'device', 'campaign', 'alias', 'longurl'])
			expect([name, after[name]]).toEqual([name, before[name]]);
		await update(stage, id, { clearFields: ['expiry'] });
		expect(storedLink(stage, id)).toMatchObject({ expiry: null, location: before.location });
	});
});

const stage = onStage(new Stage());

test.each([
	[{ expiry: '2099-05-05 12:00:00' }, '2099-05-05 12:00:00'],
	[{ clearFields: ['expiry'] }, null],
])('a second row about a link keeps what the first one has written: %j', async (first, expiry) => {
	const id = await newLink(stage, { expiry: '2098-01-01 12:00:00' });
	const rows = [first, { metaTitle: 'New' }];
	const names = ['expiry', 'clearFields', 'metaTitle'];
	const updateFields = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
	const given = { linkId: byId(id), updateFields };
	expect((await stage.link('link.update', given, { rows })).error).toBeUndefined();
	expect(storedLink(stage, id)).toMatchObject({ expiry, title: 'New' });
});

test('an expiry that has passed is not sent back', async () => {
	const id = await newLink(stage, { expiry: '2020-01-01 00:00:00' });
	const { requests } = await update(stage, id, { metaTitle: 'New' });
	expect(requests.at(-1)?.body).toEqual({ url, metatitle: 'New' });
});

test('what no response shows is written each time', async () => {
	const rows = [{ url, alias: 'locked', password: 'secret' }];
	for (const outcome of ['created', 'updated'])
		expect(outcomesIn(await sheet(stage, rows))).toEqual([outcome]);
});

test('an update of tags without a URL sends the other fields, too', async () => {
	const id = await newLink(stage, { url: `${url}it's` });
	await update(stage, id, { utm: { source: 'mail' }, metaTitle: 'New' });
	const longurl = `${url}it%27s?utm_source=mail`;
	expect(storedLink(stage, id)).toMatchObject({ longurl, title: 'New' });
});

test.each([
	[{ campaignId: byId('') }, /^There is nothing to update/],
	[{ utm: { source: '' } }, /^There is nothing to update/],
	[{ url: 'ITSELF' }, /^The link would lead to itself/],
])('an update of blanks, or to its own address, is refused: %j', async (entered, message) => {
	const custom = stage.unique('own');
	const id = await newLink(stage, { custom });
	const fields = JSON.stringify(entered).replace('ITSELF', `${stage.sandbox.linkUrl}/${custom}`);
	const result = await update(stage, id, JSON.parse(fields) as INodeParameters);
	expect(result.error?.message).toMatch(message);
	expect(writesIn(result)).toEqual([]);
});

test('texts that the service writes in its own way are the same', async () => {
	const id = await newLink(stage, { custom: 'texts' });
	stage.sandbox.tables.links.change(id, { title: ' AT&T sale', description: 'One\nTwo' });
	const texts = { Title: ' AT&amp;T  sale ', 'Meta Description': 'One\r\nTwo' };
	const result = await sheet(stage, [{ url, alias: 'texts', ...texts }]);
	expect(outcomesIn(result)).toEqual(['unchanged']);
	expect(result.requests).toHaveLength(1);
});

test('targets come back as they were entered, in any order, and are not written again', async () => {
	const target = ['Germany', 'France'].map((location) => ({ location, link: `${url}?a=1&b=2` }));
	const run = async (targets: INodeParameters[]) =>
		await sheet(stage, [{ url, alias: 'targets' }], {
			additionalFields: { geoTargets: { target: targets } },
		});
	const [created] = (await run(target)).json;
	expect(outcomesIn(await run(target.toReversed()))).toEqual(['unchanged']);
	const { requests } = await update(stage, Number(created?.id), { metaTitle: 'A' });
	const geotarget = target.map(({ link }) => ({ link }));
	expect(requests.at(-1)?.body).toMatchObject({ geotarget });
});

test.each(['link.create', 'link.upsert', 'link.update'])(
	'%s fails with the words of a service that does not take the picture',
	async (operation) => {
		const fields = { metaImage: 'https://example.com/a.webp' };
		const given =
			operation === 'link.update'
				? { linkId: byId(await newLink(stage)), updateFields: fields }
				: { url: `${url}b`, customAlias: 'pictured', additionalFields: fields };
		const { error } = await stage.link(operation, given);
		expect(error?.message).toMatch(/^The picture was not saved/);
	},
);

test('an update puts the link into its campaign and channel, and writes nothing else', async () => {
	const id = await newLink(stage, { password: 'secret' });
	const updateFields = { campaignId: named('name', 'Placed'), channelId: named('name', 'Mail') };
	const given = { linkId: byId(id), updateFields, options: { createMissing: true } };
	const result = await stage.link('link.update', given);
	expect(result.json).toMatchObject([{ id, longurl: url }]);
	expect(writesIn(result).filter((request) => request.startsWith('PUT '))).toEqual([]);
	const [campaign, channel] = (['campaigns', 'channels'] as const).map(
		(table) => stage.sandbox.tables[table].first("record ->> 'name' in ('Placed', 'Mail')")?.id,
	);
	expect(storedLink(stage, id)).toMatchObject({ campaign, channel, password: 'secret' });
	expect(writesIn(await stage.link('link.update', given))).toEqual([]);
});
