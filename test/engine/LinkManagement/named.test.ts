import type { IDataObject, INodeParameters } from 'n8n-workflow';

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

/** Records that are given by name: found however the name is spelled, never guessed, and with few requests. */

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
		['campaign', 'searchCampaigns', SIGNS, SIGNS],
		['channel', 'searchChannels', SIGNS, SIGNS],
		['channel', 'searchChannels', 'Fall Sale', 'Fall \u00a0 Sale'],
	])('a %s is shown in %s and found as it was entered: %s', async (what, search, name, entered) => {
		const id = await stage.make(`/api/${what}/add`, { name });
		const { json } = await stage.link(`${what}.getAll`, { returnAll: true });
		expect(json).toMatchObject([{ id, name }]);
		const { results } = await stage.search(search, { filter: name });
		expect(results).toMatchObject([{ name, value: id }]);
		const deleted = await stage.link(`${what}.delete`, { [`${what}Id`]: named('name', entered) });
		expect(deleted.json).toMatchObject([{ id }]);
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

describe('what is dragged onto a picker, or given by an agent', () => {
	/** A link with this alias, and long URL. */
	const newLink = async (custom: string) =>
		await stage.make('/api/url/add', { url: `${url}${custom}`, custom });

	test.each<[what: string, linkIdOf: (alias: string, id: number) => INodeParameters]>([
		['an alias, as n8n sets By ID', (alias) => byId(alias)],
		['an alias in another case, with spaces', (alias) => byId(` ${alias.toUpperCase()} `)],
		['an ID as text', (_alias, id) => byId(String(id))],
		['a short URL', (alias) => byId(`${stage.sandbox.linkUrl}/${alias}`)],
		['a name in From List', (alias) => ({ ...byId(alias), mode: 'list' })],
	])('may be %s', async (_what, linkIdOf) => {
		const alias = stage.unique('Drag');
		const id = await newLink(alias);
		const { json } = await stage.link('link.get', { linkId: linkIdOf(alias, id) });
		expect(json).toMatchObject([{ id }]);
	});

	test('is no name that a row before has changed', async () => {
		const [alias, renamed] = [stage.unique('before'), stage.unique('behind')];
		const id = await newLink(alias);
		const given = { rows: rowsOf(alias, alias, renamed), settings: CONTINUE };
		const updateFields = { customAlias: renamed };
		const { json } = await stage.link('link.update', { linkId: byId(NAME), updateFields }, given);
		expect(json).toMatchObject([{ id }, { error: like(/^There is no link/) }, { id }]);
	});

	test.each(['get', 'delete'])('%s: is told from an ID and from a long URL', async (operation) => {
		const alias = stage.unique('told');
		const id = await newLink(alias);
		const errorOf = async (name: string) =>
			(await stage.link(`link.${operation}`, { linkId: named('alias', name) })).error;
		expect(await errorOf(String(id))).toMatchObject({
			message: like(new RegExp(`^There is no link "${id}", but .*/${alias} – .* has this ID$`)),
			description: 'Enter its name, or pick it by its ID',
		});
		const longUrl = `${url}${alias}/`;
		expect(await errorOf(longUrl)).toMatchObject({ message: `There is no link "${longUrl}"` });
	});

	test('matches the names of other records without regard to case, unless they are deleted', async () => {
		const name = stage.unique('Campaign');
		const id = await stage.make('/api/campaign/add', { name });
		const given = { rows: rowsOf(name.toUpperCase()) };
		const parameters = { campaignId: byId(NAME), campaignName: name };
		const { json } = await stage.link('campaign.update', parameters, given);
		expect(json).toMatchObject([{ success: true, id }]);
		const { error } = await stage.link('campaign.delete', parameters, given);
		expect(error?.description).toBe(`Did you mean "${name}"? Enter it exactly as in the service`);
	});

	test('is refused if it begins like a number, with the mode to switch to', async () => {
		const { error, requests } = await stage.link('link.get', { linkId: byId('2030-sale') });
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
	])('%s: rows %s cost at most so many requests', async (...each) => {
		const [operation, , isRow, column, most] = each;
		large.sandbox.links.addLinks(large.linkAccount.id, 1_000, 0);
		const picked = (await recordsOf(large, '/api/urls')).filter((_link, at) => isRow(at));
		const rows = rowsOf(...picked.map((link) => link[column]));
		const changes = operation === 'update' ? { updateFields: { url } } : {};
		const parameters = { linkId: named('alias', NAME), ...changes };
		const { json, requests } = await large.link(`link.${operation}`, parameters, { rows });
		expect(idsOf(json)).toEqual(picked.map(({ id }) => Number(id)));
		expect(requests.length).toBeLessThanOrEqual(most);
	});
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
