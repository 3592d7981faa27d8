import type { IDataObject } from 'n8n-workflow';

import type { StageResult } from '../../helpers/support.ts';
import { Stage, byId, inContrastingDialects, onStage } from '../../helpers/support.ts';

/** *Link > Get Many* where the list alone does not say enough: links in a channel, details, expiry. */

const LIST = 'GET /api/urls';
const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const aliasesIn = ({ json }: StageResult): unknown[] => json.map(({ alias }) => alias).sort();

/** A channel with these links, and a QR code. */
async function channelWith(stage: Stage, links: number[]): Promise<number> {
	const channel = await stage.make('/api/channel/add', { name: stage.unique('Mail') });
	const code = await stage.make('/api/qr/add', { type: 'text', data: 'x' });
	const assign = async (type: string, id: number) =>
		await stage.api(`POST /api/channel/${channel}/assign/${type}/${id}`);
	await assign('qr', code);
	for (const id of links) await assign('links', id);
	return channel;
}

const made = async (stage: Stage, alias: string, more: IDataObject = {}): Promise<number> =>
	await stage.make('/api/url/add', { url: `https://example.com/${alias}`, custom: alias, ...more });

inContrastingDialects((stage) => {
	test('In Channel returns its links, whatever their place in the list', async () => {
		const aliases = ['a', 'b', 'c'].map((name) => stage.unique(name));
		const ids = await Promise.all(aliases.map(async (alias) => await made(stage, alias)));
		await made(stage, stage.unique('other'));
		const channel = await channelWith(stage, ids);
		const filters = { channelId: byId(channel) };
		const all = await stage.link('link.getAll', { filters });
		expect(aliasesIn(all)).toEqual(aliases);
		const [first] = aliases;
		const one = await stage.link('link.getAll', { filters: { ...filters, search: first } });
		expect(aliasesIn(one)).toEqual([first]);
		const limited = await stage.link('link.getAll', { filters, limit: 2 });
		expect(limited.json).toHaveLength(2);
	});

	test('Expires Before reads the details of links that pass the other filters, and counts what is left', async () => {
		const [soon, late, never] = ['soon', 'late', 'never'].map((name) => stage.unique(name));
		await made(stage, soon ?? '', { expiry: '2099-01-01 00:00:00' });
		await made(stage, late ?? '', { expiry: '2099-12-01 00:00:00' });
		await made(stage, never ?? '');
		const filters = { expiresBefore: '2099-06-01' };
		const options = { includeDetails: true };
		const result = await stage.link('link.getAll', { filters, options, limit: 1 });
		expect(result.json).toMatchObject([{ alias: soon, expiry: '2099-01-01 00:00:00', clicks: 0 }]);
		const searched = await stage.link('link.getAll', { filters: { ...filters, search: late } });
		expect(searched.json).toEqual([]);
		expect(sentIn(searched)).toHaveLength(2);
	});
});

describe('the links of a channel', () => {
	const stage = onStage(new Stage({ listOrder: 'asc' }));

	test.each([
		{ count: 1, sends: ['channel', 'details'] },
		{ count: 4, sends: ['channel', LIST, 'details', 'details', 'details', 'details'] },
		{ count: 30, sends: ['channel', ...Array<string>(8).fill(LIST)] },
	])('take as few requests as they can: $count', async ({ count, sends }) => {
		// The oldest links come first, so those of the channel are on the last page.
		stage.sandbox.links.addLinks(stage.linkAccount.id, 700);
		const ids: number[] = [];
		for (let n = 0; n < count; n += 1) ids.push(await made(stage, `in-${count}-${n}`));
		const channel = await channelWith(stage, ids);
		const given = { returnAll: true, filters: { channelId: byId(channel) } };
		const result = await stage.link('link.getAll', given);
		expect(result.json.map(({ id }) => id).sort()).toEqual(ids.sort());
		const kinds = sentIn(result).map((request) =>
			request
				.replace(/^GET \/api\/channel\/.*/, 'channel')
				.replace(/^GET \/api\/url\/.*/, 'details'),
		);
		expect(kinds).toEqual(sends);
	});

	test('one that the service refuses, such as a deleted one, is named', async () => {
		const id = await made(stage, stage.unique('gone'));
		const filters = { channelId: byId(await channelWith(stage, [id])) };
		stage.sandbox.faults.add({
			kind: 'respond',
			path: `/api/url/${id}`,
			status: 404,
			body: { error: 1, message: 'Gone' },
		});
		const { error } = await stage.link('link.getAll', { filters });
		expect(error?.message).toMatch(new RegExp(`^The details of link ${id} cannot be read: `));
	});

	test('read one by one look as in the list, and their details are read once', async () => {
		const id = await made(stage, stage.unique('one'));
		const [listed] = (await stage.link('link.getAll', {})).json;
		const filters = { channelId: byId(await channelWith(stage, [id])) };
		expect((await stage.link('link.getAll', { filters })).json).toEqual([listed]);
		const options = { includeDetails: true };
		const detailed = await stage.link('link.getAll', { filters, options });
		expect(detailed.json).toMatchObject([{ ...listed, expiry: null, statistics: { clicks: 0 } }]);
		expect(sentIn(detailed)).toHaveLength(2);
	});
});

describe('an assignment', () => {
	const stage = onStage(new Stage());

	test.each(['campaign.assignLink', 'channel.assignItem'])(
		'%s outputs the input row if it should',
		async (name) => {
			const [resource = ''] = name.split('.');
			const place = await stage.make(`/api/${resource}/add`, { name: stage.unique('Spring') });
			const alias = stage.unique('a');
			await made(stage, alias);
			const link = { __rl: true, mode: 'id', value: '={{ $json.alias }}' };
			const parameters = { [`${resource}Id`]: byId(place), assignedLinkId: link, itemId: link };
			const rows = [{ alias, owner: 'Ann' }];
			const options = { includeInputFields: true };
			const { json } = await stage.link(name, { ...parameters, options }, { rows });
			expect(json).toMatchObject([{ alias, owner: 'Ann', success: true }]);
			const bare = await stage.link(name, parameters, { rows });
			expect(bare.json[0]).not.toHaveProperty('owner');
		},
	);
});
