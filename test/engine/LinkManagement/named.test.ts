import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	CONTINUE,
	Stage,
	idsOf,
	inContrastingDialects,
	like,
	named,
	onStage,
	recordsOf,
} from '../helpers/support.ts';

const NAME = '={{ $json.name }}';

const rowsOf = (...names: unknown[]): IDataObject[] =>
	names.map((name) => ({ name }) as IDataObject);

const url = 'https://example.com/';
const SIGNS = `Ann's "<b>" & co`;

inContrastingDialects((stage) => {
	test('no match and several are errors that name them, row by row', async () => {
		const ids = [];
		for (const name of ['Twin', 'Twin', 'One']) {
			ids.push(await stage.make('/api/channel/add', { name }));
		}
		const given = { rows: rowsOf('Twin', 'Nowhere', 'one', 'One'), settings: CONTINUE };
		const { json } = await stage.link('channel.delete', { channelId: named('name', NAME) }, given);
		expect(json.map((item) => item.error ?? item)).toEqual([
			`2 channels are called "Twin": Twin (ID ${ids[0]}), Twin (ID ${ids[1]}). Pick it by its ID, or rename the others in the service.`,
			'There is no channel "Nowhere". Check its spelling; it may have been deleted, or belong to another account.',
			'There is no channel "one". Did you mean "One"? Enter it exactly as in the service.',
			{ deleted: true, id: ids[2] },
		]);
	});

	test.each([
		['campaign', 'searchCampaigns'],
		['channel', 'searchChannels'],
	])('a %s with signs in its name is shown and found as it was entered', async (what, search) => {
		const id = await stage.make(`/api/${what}/add`, { name: SIGNS });
		const { json } = await stage.link(`${what}.getAll`, { returnAll: true });
		expect(json).toMatchObject([{ id, name: SIGNS }]);
		const { results } = await stage.search(search, { filter: SIGNS });
		expect(results).toMatchObject([{ name: SIGNS, value: id }]);
		const deleted = await stage.link(`${what}.delete`, { [`${what}Id`]: named('name', SIGNS) });
		expect(deleted.json).toMatchObject([{ id }]);
	});

	test('a name is found with other spaces in it', async () => {
		const names = {
			'Spring  Sale': 'Spring \u00a0 Sale',
			'Fall Sale': 'Fall  Sale',
		};
		for (const [name, entered] of Object.entries(names)) {
			const id = await stage.make('/api/channel/add', { name });
			const channelId = named('name', entered);
			expect((await stage.link('channel.delete', { channelId })).json).toMatchObject([{ id }]);
		}
	});

	test('a title with signs is output as it was entered', async () => {
		const linkId = byId(await stage.make('/api/url/add', { url, metatitle: SIGNS }));
		for (const [operation, given] of Object.entries({ get: { linkId }, getAll: {} }))
			expect((await stage.link(`link.${operation}`, given)).json).toMatchObject([{ title: SIGNS }]);
	});
});

const stage = onStage(new Stage());

test.each([403, 404])(
	'a list that is refused with %i is asked for once in a run',
	async (status) => {
		const refusal = { status, body: { error: 1, message: 'Not found' } };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/channels', times: 99, ...refusal });
		const given = { rows: rowsOf('a', 'b', 'c', 'd', 'e', 'f'), settings: CONTINUE };
		const channelId = named('name', NAME);
		const { json, requests } = await stage.link('channel.delete', { channelId }, given);
		expect(json).toMatchObject(given.rows.map(() => ({ error: like(/^Not found/) })));
		expect(requests).toHaveLength(1);
	},
);

test.each(['domain.update', 'domain.delete'])(
	'%s: a domain that all accounts share has no ID',
	async (operation) => {
		const domainId = named('name', 'https://shared.example.net');
		const updateFields = operation === 'domain.update' ? { rootRedirect: url } : {};
		const { error } = await stage.link(operation, { domainId, updateFields });
		expect(error?.message).toMatch(/^The domain "https:\/\/shared\.example\.net" has no ID/);
	},
);

describe('what is dragged onto a picker', () => {
	const get = async (name: unknown) =>
		await stage.link('link.get', { linkId: byId(NAME) }, { rows: rowsOf(name) });

	test('may be an alias or a short URL, as n8n sets By ID', async () => {
		const custom = stage.unique('Drag');
		const id = await stage.make('/api/url/add', { url, custom });
		const names = [custom, custom.toLowerCase(), ` ${custom} `, String(id)];
		for (const name of [...names, `${stage.sandbox.linkUrl}/${custom}`])
			expect((await get(name)).json).toMatchObject([{ id }]);
	});

	test('is no name that a row before has changed', async () => {
		const [alias, renamed] = [stage.unique('before'), stage.unique('behind')];
		const id = await stage.make('/api/url/add', { url, custom: alias });
		const given = { rows: rowsOf(alias, alias, renamed), settings: CONTINUE };
		const updateFields = { customAlias: renamed };
		const { json } = await stage.link('link.update', { linkId: byId(NAME), updateFields }, given);
		expect(json).toMatchObject([{ id }, { error: like(/^There is no link/) }, { id }]);
	});

	test('may be a name in From List, as an agent gives it', async () => {
		const custom = stage.unique('Listed');
		const id = await stage.make('/api/url/add', { url, custom });
		const linkId = { ...byId(custom), mode: 'list' };
		expect((await stage.link('link.get', { linkId })).json).toMatchObject([{ id }]);
	});

	test.each(['get', 'delete'])('%s: is told from an ID', async (operation) => {
		const custom = stage.unique('Numbered');
		const id = await stage.make('/api/url/add', { url, custom });
		const { error } = await stage.link(`link.${operation}`, { linkId: named('alias', `${id}`) });
		expect(error).toMatchObject({
			message: like(new RegExp(`^There is no link "${id}", but .*/${custom} – .* has this ID$`)),
			description: 'Enter its name, or pick it by its ID',
		});
	});

	test.each(['get', 'delete'])('%s: is told from a long URL', async (operation) => {
		const long = `https://example.com/${stage.unique('long')}`;
		const custom = stage.unique('short');
		await stage.make('/api/url/add', { url: long, custom });
		const { error } = await stage.link(`link.${operation}`, { linkId: named('alias', `${long}/`) });
		expect(error?.message).toBe(`There is no link "${long}/"`);
	});

	test('matches the names of other records without regard to case, unless they are deleted', async () => {
		const name = stage.unique('Campaign');
		const campaign = await stage.make('/api/campaign/add', { name });
		const given = { rows: rowsOf(name.toUpperCase()) };
		const parameters = { campaignId: byId(NAME), campaignName: name };
		const { json } = await stage.link('campaign.update', parameters, given);
		expect(json).toMatchObject([{ success: true, id: campaign }]);
		const { error } = await stage.link('campaign.delete', parameters, given);
		expect(error?.description).toBe(`Did you mean "${name}"? Enter it exactly as in the service`);
	});

	test('is refused if it begins like a number, with the mode to switch to', async () => {
		const { error, requests } = await get('2030-sale');
		expect(error).toMatchObject({
			message: '\'Link\' must be a positive whole number, but is "2030-sale"',
			description:
				"Enter its ID, pick one from the list, or switch the field to 'By Short URL or Alias'",
		});
		expect(requests).toEqual([]);
	});
});

describe('in an account of 1,000 links, newest first', () => {
	const large = onStage(new Stage({ listOrder: 'desc', maxLimit: '100' }));

	test.each([
		['get', 'of the first page', (at: number) => at < 5, 'alias', 6],
		['get', 'of four pages', (at: number) => at < 400 && at % 20 === 0, 'alias', 24],
		['update', 'of the first page, by short URL', (at: number) => at < 3, 'shorturl', 10],
		['update', 'of the first page, by alias', (at: number) => at < 3, 'alias', 19],
		['delete', 'of all pages, by short URL', (at: number) => at % 20 === 0, 'shorturl', 61],
	])(
		'%s: rows %s cost at most so many requests',
		async (operation, _which, isRow, column, most) => {
			large.sandbox.links.addLinks(large.linkAccount.id, 1_000, 0);
			const links = await recordsOf(large, '/api/urls');
			const picked = links.filter((_link, at) => isRow(at));
			const rows = rowsOf(...picked.map((link) => link[column]));
			const changes = operation === 'update' ? { updateFields: { url } } : {};
			const parameters = { linkId: named('alias', NAME), ...changes };
			const { json, requests } = await large.link(`link.${operation}`, parameters, { rows });
			expect(idsOf(json)).toEqual(picked.map(({ id }) => Number(id)));
			expect(requests.length).toBeLessThanOrEqual(most);
		},
	);
});

test('an alias on two domains is never guessed, and its short URL is no doubt', async () => {
	const domain = 'https://go.example.com';
	await stage.make('/api/domain/add', { domain });
	const custom = stage.unique('spring');
	await stage.make('/api/url/add', { url, custom });
	const branded = await stage.make('/api/url/add', { url, custom, domain });
	const given = { rows: rowsOf(custom, `${domain}/${custom}`), settings: CONTINUE };
	const { json } = await stage.link('link.delete', { linkId: named('alias', NAME) }, given);
	expect(json).toMatchObject([
		{ error: like(/^2 links are called .*go\.example\.com/) },
		{ deleted: true, id: branded },
	]);
});
