import type { IDataObject } from 'n8n-workflow';

import { Stage, inEveryDialect, onStage } from '../support.ts';

/** A locator as the editor stores it, filled from a column. */
const named = (mode: 'name' | 'url', column = 'name') => ({
	__rl: true,
	mode,
	value: `={{ $json.${column} }}`,
});

const rowsOf = (...names: unknown[]): IDataObject[] =>
	names.map((name) => ({ name }) as IDataObject);

/** Requests of a list, whatever page. */
const pagesOf = (requests: ReadonlyArray<{ request: string }>, list: string): number =>
	requests.filter(({ request }) => request === `GET ${list}`).length;

/** Records that a name alone tells apart. */
const NAMED = [
	['campaign', '/api/campaign', '/api/campaigns', { name: 'Spring' }],
	['channel', '/api/channel', '/api/channels', { name: 'Spring' }],
	['pixel', '/api/pixel', '/api/pixels', { name: 'Spring', type: 'forum', tag: 'T' }],
] as const;

inEveryDialect((stage) => {
	test.each(NAMED)('%s is deleted by its name', async (resource, path, list, members) => {
		await stage.make(`${path}/add`, { ...members, name: 'Autumn' });
		const id = await stage.make(`${path}/add`, members);
		const { items, requests } = await stage.link(
			`${resource}.delete`,
			{ [`${resource}Id`]: named('name') },
			{ rows: rowsOf(' Spring ') },
		);
		expect(items.map(({ json }) => json)).toEqual([{ deleted: true, id }]);
		expect(requests.map(({ request }) => request)).toEqual([
			`GET ${list}`,
			`DELETE ${path}/${id}/delete`,
		]);
	});

	test('the items of a channel are listed by its name', async () => {
		const channel = await stage.make('/api/channel/add', { name: 'Spring' });
		const id = await stage.make('/api/url/add', { url: 'https://example.com/' });
		await stage.api(`POST /api/channel/${channel}/assign/links/${id}`);
		const parameters = { channelId: named('name') };
		const { json } = await stage.link('channel.getItems', parameters, { rows: rowsOf('Spring') });
		expect(json).toMatchObject([{ id, type: 'links' }]);
	});

	test('a domain is named with or without its scheme', async () => {
		const name = `${stage.unique('go')}.example.com`;
		const id = await stage.make('/api/domain/add', { domain: `https://${name}` });
		const updateFields = { rootRedirect: 'https://example.com/' };
		const { items } = await stage.link(
			'domain.update',
			{ domainId: named('name'), updateFields },
			{ rows: rowsOf(name, `https://${name.toUpperCase()}/`) },
		);
		expect(items.map(({ json }) => json)).toMatchObject([{ id }, { id }]);
	});

	test('a link is named by its alias or its short URL, and the list is read once', async () => {
		const custom = stage.unique('spring');
		const id = await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		await stage.make('/api/url/add', { url: 'https://example.com/other' });
		const shortUrl = `${stage.sandbox.linkUrl}/${custom}`;
		const { items, requests } = await stage.link(
			'link.get',
			{ linkId: named('url') },
			{ rows: rowsOf(custom, shortUrl, `${shortUrl}/?ref=x`, shortUrl.replace('http://', '')) },
		);
		expect(items.map(({ json }) => json.id)).toEqual([id, id, id, id]);
		expect(pagesOf(requests, '/api/urls')).toBe(1);
		expect(requests).toHaveLength(5);
	});

	test('a new link is created with the splash page and the overlay of that name', async () => {
		const { sandbox, linkAccount } = stage;
		const ids = [
			sandbox.links.addSplashPage(linkAccount.id, 'Wait'),
			sandbox.links.addOverlay(linkAccount.id, 'Form', 'contact'),
		];
		const bodies = [];
		for (const [redirectType, splashPageId, ctaOverlayId] of [
			['customSplash', 'Wait', 'none'],
			['overlay', 'none', 'Form'],
		] as const) {
			const { requests } = await stage.link('link.create', {
				url: 'https://example.com/',
				redirectType,
				splashPageId: { __rl: true, mode: 'name', value: splashPageId },
				ctaOverlayId: { __rl: true, mode: 'name', value: ctaOverlayId },
			});
			bodies.push(requests.at(-1)?.body);
		}
		expect(bodies).toMatchObject([{ type: String(ids[0]) }, { type: `overlay-${ids[1]}` }]);
	});

	test('a link is put into a campaign and a channel by their names', async () => {
		const custom = stage.unique('spring');
		const linkId = await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		const campaignId = await stage.make('/api/campaign/add', { name: 'Sale' });
		const channelId = await stage.make('/api/channel/add', { name: 'Mail' });
		const row = { campaign: 'Sale', channel: 'Mail', name: custom };
		const assigned = await stage.link(
			'campaign.assignLink',
			{ campaignId: named('name', 'campaign'), linkId: named('url') },
			{ rows: [row, row] },
		);
		expect(assigned.items.map(({ json }) => json)).toMatchObject([
			{ campaignId, linkId },
			{ campaignId, linkId },
		]);
		expect(assigned.requests).toHaveLength(4);
		const added = await stage.link(
			'channel.assignItem',
			{ channelId: named('name', 'channel'), itemType: 'links', itemId: named('url') },
			{ rows: [row] },
		);
		expect(added.items[0]?.json).toMatchObject({ channelId, itemId: linkId });
	});

	test('no match and several are errors that name them, row by row', async () => {
		const ids = [];
		for (const name of ['Twin', 'Twin', 'One']) {
			ids.push(await stage.make('/api/channel/add', { name }));
		}
		const { items } = await stage.link(
			'channel.delete',
			{ channelId: named('name') },
			{
				rows: rowsOf('Twin', 'None', 'one', 'One'),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json }) => json.error ?? json)).toEqual([
			`2 channels are called "Twin": Twin (ID ${ids[0]}), Twin (ID ${ids[1]}). Say more exactly which one: by its ID, or a link by its short URL or domain.`,
			...['None', 'one'].map(
				(name) =>
					`There is no channel "${name}". Look how it is written in the service; it may have been deleted, or belong to another account.`,
			),
			{ deleted: true, id: ids[2] },
		]);
	});
});

describe('in an account of 1,000 links, newest first', () => {
	const stage = onStage(new Stage({ listOrder: 'desc', maxLimit: '100' }));
	const links: IDataObject[] = [];

	beforeEach(async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 1_000, 0);
		links.length = 0;
		for (let page = 1; page <= 10; page += 1) {
			const { data } = await stage.api(`GET /api/urls?limit=100&page=${page}`);
			links.push(...(data as { urls: IDataObject[] }).urls);
		}
	});

	test.each([
		['get', 'of the first page', (at: number) => at < 100, 'alias', 1],
		['get', 'of four pages', (at: number) => at < 400 && at % 7 === 0, 'alias', 4],
		['get', 'of all pages', (at: number) => at % 20 === 0, 'alias', 10],
		['update', 'of the first page, by short URL', (at: number) => at < 3, 'shorturl', 1],
		['update', 'of the first page, by alias', (at: number) => at < 3, 'alias', 10],
		['delete', 'of all pages', (at: number) => at % 20 === 0, 'alias', 10],
		['delete', 'of all pages, by short URL', (at: number) => at % 20 === 0, 'shorturl', 10],
	] as const)('%s: rows %s cost so many pages', async (operation, _which, isRow, column, pages) => {
		const rows = links.filter((_link, at) => isRow(at));
		const { items, requests } = await stage.link(
			`link.${operation}`,
			{
				linkId: named('url', column),
				...(operation === 'update' ? { updateFields: { url: 'https://example.com/' } } : {}),
			},
			{ rows },
		);
		expect(items.map(({ json }) => json.id)).toEqual(rows.map(({ id }) => id));
		expect(pagesOf(requests, '/api/urls')).toBe(pages);
		expect(requests).toHaveLength(rows.length + pages);
	});
});

describe('what a run changes', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain' }));

	test('is known to its later rows: a new alias, and a link that is gone', async () => {
		const url = 'https://example.com/';
		const custom = stage.unique('old');
		const id = await stage.make('/api/url/add', { url, custom });
		const settings = { onError: 'continueRegularOutput' } as const;
		const alias = stage.unique('new');
		const renamed = await stage.link(
			'link.update',
			{ linkId: named('url'), updateFields: { url, customAlias: alias } },
			{ rows: rowsOf(custom, custom, alias), settings },
		);
		const gone = { error: expect.stringContaining(`There is no link "${custom}"`) as unknown };
		expect(renamed.items.map(({ json }) => json)).toMatchObject([{ id }, gone, { id }]);
		const deleted = await stage.link(
			'link.delete',
			{ linkId: named('url') },
			{ rows: rowsOf(alias, alias), settings },
		);
		expect(deleted.items.map(({ json }) => json)).toMatchObject([
			{ id },
			{ error: expect.stringContaining(`There is no link "${alias}"`) as unknown },
		]);
		expect(deleted.requests).toHaveLength(2);
	});

	test('an alias on two domains is never guessed, and its short URL is no doubt', async () => {
		const domain = 'https://go.example.com';
		await stage.make('/api/domain/add', { domain });
		const custom = stage.unique('spring');
		const url = 'https://example.com/';
		const own = await stage.make('/api/url/add', { url, custom });
		const branded = await stage.make('/api/url/add', { url, custom, domain });
		const { items } = await stage.link(
			'link.delete',
			{ linkId: named('url') },
			{
				rows: rowsOf(custom, `${domain}/${custom}`, custom),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ error: expect.stringMatching(/^2 links are called .*go\.example\.com/) as unknown },
			{ deleted: true, id: branded },
			{ deleted: true, id: own },
		]);
	});

	test('a list that cannot be read fails every row that needs it, and is asked for once', async () => {
		stage.sandbox.faults.add({ kind: 'http-500', path: '/api/urls', times: 99 });
		const { items, requests } = await stage.link(
			'link.get',
			{ linkId: named('url') },
			{ rows: rowsOf('a', 'b'), settings: { onError: 'continueRegularOutput' } },
		);
		expect(items).toHaveLength(2);
		for (const { json } of items) expect(json.error).toContain('(status 500)');
		expect(requests).toHaveLength(1);
	});

	test.each(['', '  ', null])('the name %j is refused before any request', async (name) => {
		const run = await stage.link('link.get', { linkId: named('url') }, { rows: [{ name }] });
		expect(run.error?.message).toBe('Link is empty');
		expect(run.requests).toEqual([]);
	});
});
