import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { counted, DURABLE, makeLinks, triggersOf } from '../../helpers/trigger.ts';
import {
	byId,
	inContrastingDialects,
	largestPage,
	named,
	onStage,
	recordsOf,
	Stage,
	textOf,
} from '../../helpers/support.ts';

/** The events that compare counts: what was clicked, what passed a milestone, what is in a channel. */

const triggerOn = triggersOf('linkManagementTrigger');

const told = (records: IDataObject[], ...names: string[]): unknown[] =>
	records
		.map((record) => ['id', ...names].map((name) => record[name]))
		.toSorted(([a], [b]) => Number(a) - Number(b));

const thisLink = (name: string): INodeParameters => ({
	event: 'linkClicked',
	linkId: named('alias', name),
});

/** The first poll also asks whose the key is. */
const ACCOUNT = 1;

const CLICKS = { event: 'linkClicked' };
const MILESTONES = { event: 'clicksReached', milestones: '3, 10; 5' };

const visitorOf =
	(stage: Stage) =>
	(id = 0, count = 1) => {
		stage.sandbox.links.addVisits('link', id, count);
	};

inContrastingDialects((stage) => {
	const visit = visitorOf(stage);

	test('clicksReached: each milestone once, the highest of several, none from before', async () => {
		const [old, one, two, still] = await makeLinks(stage, 4);
		visit(old, 4);
		const trigger = triggerOn(stage, MILESTONES);
		expect(await trigger.activate()).toEqual([]);
		visit(one, 3);
		visit(two, 7);
		visit(still, 2);
		const names = ['milestone', 'clicks', 'clicks_before'];
		expect(told(await trigger.poll(), ...names)).toEqual([
			[one, 3, 3, 0],
			[two, 5, 7, 0],
		]);
		expect(await trigger.poll()).toEqual([]);
		visit(old, 1);
		visit(two, 1);
		visit(one, 20);
		expect(told(await trigger.poll(), ...names)).toEqual([
			[old, 5, 5, 4],
			[one, 10, 23, 3],
		]);
	});

	test('linkClicked: what was gained since the poll before, also by a new link, once each', async () => {
		const [old, quiet] = await makeLinks(stage, 2);
		visit(old, 4);
		const trigger = triggerOn(stage, CLICKS);
		expect(await trigger.activate()).toEqual([]);
		const [made] = await makeLinks(stage, 1);
		visit(old, 2);
		visit(made, 1);
		const names = ['new_clicks', 'clicks_before', 'clicks'];
		expect(told(await trigger.poll(), ...names)).toEqual([
			[old, 2, 4, 6],
			[made, 1, 0, 1],
		]);
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.tables.links.change(old, { clicks: 0 });
		visit(quiet, 1);
		expect(told(await trigger.poll(), ...names)).toEqual([[quiet, 1, 0, 1]]);
		visit(old, 1);
		expect(told(await trigger.poll(), ...names)).toEqual([[old, 1, 0, 1]]);
	});

	test('scansReached: the same for QR codes', async () => {
		const code = await stage.make('/api/qr/add', { type: 'text', data: 'Text' });
		const trigger = triggerOn(stage, { event: 'scansReached', milestones: [2] });
		expect(await trigger.activate()).toEqual([]);
		stage.sandbox.links.addVisits('qr', code, 3);
		const names = ['milestone', 'scans', 'scans_before'];
		expect(told(await trigger.poll(), ...names)).toEqual([[code, 2, 3, 0]]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('channelItemAdded: what is put into the channel, whatever its age, type and ID', async () => {
		const [first = 0, second = 0] = await makeLinks(stage, 2);
		const channelId = await stage.make('/api/channel/add', { name: 'Team' });
		const put = async (type: string, id: number) =>
			await stage.api(`POST /api/channel/${channelId}/assign/${type}/${id}`);
		await put('links', second);
		const trigger = triggerOn(stage, { event: 'channelItemAdded', channelId: byId(channelId) });
		expect(await trigger.activate()).toEqual([]);
		const page = stage.sandbox.tables.bioPages.add(stage.linkAccount.id, { title: 'About' });
		await put('bio', page);
		await put('links', first);
		const records = await trigger.poll();
		const items = records.map(({ type, id }) => `${textOf(type)} ${Number(id)}`);
		expect(items.toSorted()).toEqual([`bio ${page}`, `links ${first}`]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('a link by its alias or short URL is looked up once, then takes one request, whatever it is called', async () => {
		const alias = stage.unique('spring');
		const url = 'https://example.com/named';
		const id = await stage.make('/api/url/add', { url, custom: alias });
		stage.sandbox.links.addLinks(stage.linkAccount.id, 233, 0);
		// The link may be on the last page.
		const pages = Math.ceil(234 / largestPage(stage.dialect));
		const shortUrl = `${stage.sandbox.linkUrl}/${alias}`;
		for (const name of [alias, shortUrl]) {
			const trigger = triggerOn(stage, thisLink(name));
			const [first, lookups] = await counted(stage, () => trigger.activate());
			expect(first).toEqual([]);
			expect(lookups).toBeLessThanOrEqual(pages + 1 + ACCOUNT);
			if (name === shortUrl)
				await stage.api(`PUT /api/url/${id}/update`, { url, custom: stage.unique('summer') });
			trigger.crash();
			visit(id, 3);
			const [records, requests] = await counted(stage, () => trigger.poll());
			expect(told(records, 'new_clicks', 'longurl')).toEqual([[id, 3, url]]);
			expect(requests).toBe(1);
		}
	});

	test.each([CLICKS, MILESTONES])('a poll takes one request per page: %j', async (parameters) => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 233, 0);
		const pages = Math.ceil(233 / largestPage(stage.dialect));
		const trigger = triggerOn(stage, parameters);
		expect(await counted(stage, () => trigger.activate())).toEqual([[], pages + ACCOUNT]);
		expect(await counted(stage, () => trigger.poll())).toEqual([[], pages]);
	});
});

const stage = onStage(new Stage());
const visit = visitorOf(stage);

test.each([
	['no record has', 0, /^There is no channel "Team"/],
	['several have', 2, /^2 channels are called "Team": Team \(ID \d+\), Team \(ID \d+\)/],
])('a name that %s fails the activation', async (_what, count, message) => {
	for (let n = 0; n < count; n += 1) await stage.make('/api/channel/add', { name: 'Team' });
	const channelId = named('name', 'Team');
	const trigger = triggerOn(stage, { event: 'channelItemAdded', channelId });
	await expect(trigger.activate()).rejects.toThrow(message);
	await expect(trigger.test()).rejects.toThrow(message);
	expect(trigger.state).toEqual({});
});

test.each(DURABLE)(
	'no click is lost or counted twice over failed polls and crashes (durable cursors: %s)',
	async (isDurable) => {
		await using small = await Stage.opened({ maxLimit: '7' });
		const ids = await makeLinks(small, 10);
		const trigger = triggerOn(small, CLICKS, { isDurable });
		await trigger.activate();
		const given = new Map<number, number>();
		const poll = async () => {
			for (const { id, new_clicks } of await trigger.poll().catch(() => []))
				given.set(Number(id), (given.get(Number(id)) ?? 0) + Number(new_clicks));
		};
		for (let round = 0; round < 12; round += 1) {
			visitorOf(small)(ids[(round * 3) % 10], round + 1);
			const page = { kind: 'http-500', path: '/api/urls', query: { page: '2' } } as const;
			if (round % 3 === 1) small.sandbox.faults.add({ ...page, times: 2 });
			await poll();
			if (round % 4 === 2) trigger.crash();
		}
		small.sandbox.faults.clear();
		await poll();
		const links = (await recordsOf(small, '/api/urls')).filter(({ clicks }) => Number(clicks) > 0);
		expect(given).toEqual(new Map(links.map((link) => [Number(link.id), Number(link.clicks)])));
	},
);

test('milestones in a large account are read down to the lowest one', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3000, 0);
	const [newest = 0] = await makeLinks(stage, 1);
	// In no order of IDs, as people click.
	const clicked = Array.from({ length: 130 }, (_, at) => newest - 1 - ((at * 1013) % 3000));
	for (const [at, id] of clicked.entries()) visit(id, 140 - at);
	const trigger = triggerOn(stage, { event: 'clicksReached', milestones: '50, 200' });
	expect(await counted(stage, () => trigger.activate())).toEqual([[], 1 + ACCOUNT]);
	const [first, last] = [clicked[0], clicked.at(-1)];
	visit(last, 60);
	visit(first, 60);
	const [records, requests] = await counted(stage, () => trigger.poll());
	const reached = records.map(({ id, milestone, clicks_before }) => [id, milestone, clicks_before]);
	expect(reached).toHaveLength(2);
	expect(reached).toEqual(
		expect.arrayContaining([
			[first, 200, 140],
			[last, 50, null],
		]),
	);
	expect(requests).toBe(1);
	expect(await trigger.poll()).toEqual([]);
});

test('a milestone of a picked link comes once, in one request, also after the count went down', async () => {
	const [id = 0, other = 0] = await makeLinks(stage, 2);
	const trigger = triggerOn(stage, { event: 'clicksReached', milestones: '100', linkId: byId(id) });
	expect(await counted(stage, () => trigger.activate())).toEqual([[], 1 + ACCOUNT]);
	visit(other, 300);
	const reached = async (clicks: number) => {
		stage.sandbox.tables.links.change(id, { clicks });
		const [records, requests] = await counted(stage, () => trigger.poll());
		return [told(records, 'clicks', 'clicks_before'), requests];
	};
	expect(await reached(120)).toEqual([[[id, 120, 0]], 1]);
	expect([await reached(80), await reached(110)]).toEqual([
		[[], 1],
		[[], 1],
	]);
});

test('the clicks of a link that one reading missed do not come again', async () => {
	const [id = 0] = await makeLinks(stage, 2);
	visit(id, 4);
	const trigger = triggerOn(stage, CLICKS);
	await trigger.activate();
	for (const account of [0, stage.linkAccount.id]) {
		stage.sandbox.tables.links.move(id, account);
		expect(await trigger.poll()).toEqual([]);
	}
});

test('a picked link that cannot be read fails the poll, and no click is lost', async () => {
	const [id = 0] = await makeLinks(stage, 1);
	const trigger = triggerOn(stage, { event: 'linkClicked', linkId: byId(id) });
	await trigger.activate();
	visit(id);
	const path = `/api/url/${id}`;
	stage.sandbox.faults.add({ kind: 'http-500', path });
	await expect(trigger.poll()).rejects.toThrow();
	expect(told(await trigger.poll(), 'new_clicks')).toEqual([[id, 1]]);
	const body = { error: 0, id: 0, details: { shorturl: 'https://example.com/other' }, data: {} };
	stage.sandbox.faults.add({ kind: 'respond', path, body });
	await expect(trigger.poll()).rejects.toThrow('There is no link');
	await stage.api(`DELETE ${path}/delete`);
	await expect(trigger.poll()).rejects.toThrow('There is no link');
});

test('starts over with another link, and with another lowest milestone', async () => {
	const [one = 0, two = 0] = await makeLinks(stage, 2);
	const trigger = triggerOn(stage, { ...MILESTONES, linkId: byId(one) });
	await trigger.activate();
	visit(one, 2);
	visit(two, 4);
	for (const changed of [{ linkId: byId(two) }, { milestones: '1, 9', linkId: byId(one) }]) {
		trigger.change({ parameters: { ...MILESTONES, ...changed } });
		expect(await trigger.poll()).toEqual([]);
	}
});

test('goes on with a milestone more', async () => {
	const [id = 0, passed = 0] = await makeLinks(stage, 2);
	visit(passed, 5);
	const trigger = triggerOn(stage, { event: 'clicksReached', milestones: '3' });
	await trigger.activate();
	visit(id, 3);
	trigger.change({ parameters: { event: 'clicksReached', milestones: '4, 3' } });
	expect(told(await trigger.poll(), 'milestone')).toEqual([[id, 3]]);
	visit(passed, 1);
	visit(id, 1);
	expect(told(await trigger.poll(), 'milestone')).toEqual([[id, 4]]);
});

test.each([
	[0, 3, 1, true],
	[4, 3, 4, undefined],
])('a test shows a link of %i clicks in its form, and keeps nothing', async (...each) => {
	const [clicks, milestone, new_clicks, is_sample] = each;
	const [id = 0] = await makeLinks(stage, 1);
	visit(id, clicks);
	const expected = { clicksReached: { milestone }, linkClicked: { new_clicks } };
	for (const [event, members] of Object.entries(expected)) {
		const trigger = triggerOn(stage, { ...MILESTONES, event });
		const [shown] = await trigger.test();
		expect([shown, trigger.state]).toMatchObject([{ id, ...members }, {}]);
		expect(shown?.is_sample).toBe(is_sample);
	}
});

test.each<[INodeParameters, RegExp]>([
	[{ milestones: '100, many' }, /Milestones.*"100, many"/],
	[{ milestones: ' ' }, /'Milestones' must not be empty/],
	[{ milestones: '={{ "null" }}' }, /'Milestones' .*"null"/],
	[{ linkId: byId('../1') }, /^'Only This Link' must be/],
	[{ options: { emitExisting: 'maybe' } }, /Existing Records' must be true or false/],
	[{ event: 'channelItemAdded', channelId: byId('') }, /^'Channel' must be .*empty/],
	[{ event: 'channelItemAdded', channelId: named('name', ' ') }, /'Channel' is empty/],
	[{ event: 'scansReached', qrCodeId: named('name', 'a') }, /^'Only This QR Code' must be/],
])('%j is refused before any request', async (parameters, message) => {
	const trigger = triggerOn(stage, { ...MILESTONES, ...parameters });
	stage.sandbox.clearRequests();
	await expect(trigger.activate()).rejects.toThrow(message);
	expect(stage.sandbox.requests).toEqual([]);
});
