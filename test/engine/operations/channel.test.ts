import { byId, inEveryDialect, like, pairs } from '../support.ts';

inEveryDialect((stage) => {
	const make = async (name: string) => await stage.make('/api/channel/add', { name });
	const channel = (id: unknown, name: string, members: Record<string, unknown> = {}) => ({
		id,
		name,
		description: '',
		color: '#000000',
		starred: false,
		...members,
	});

	test('create makes one channel for each row, its colour as HEX', async () => {
		const result = await stage.link(
			'channel.create',
			{
				name: '={{ $json.name }}',
				additionalFields: {
					description: '={{ $json.text }}',
					color: '={{ $json.color }}',
					starred: '={{ $json.starred }}',
				},
			},
			{
				rows: [
					{ name: 'Mail', text: 'All mails', color: '#ff9900', starred: true },
					{ name: 'Print', text: '', color: 'rgb(0, 128, 255)', starred: false },
				],
			},
		);
		const bodies = [
			{ name: 'Mail', description: 'All mails', color: '#ff9900', starred: true },
			{ name: 'Print', description: '', color: '#0080ff', starred: false },
		];
		const ids = result.json.map(({ id }) => id);
		expect(ids).toEqual([expect.any(Number), Number(ids[0]) + 1]);
		expect(result.json).toEqual(bodies.map((body, index) => ({ id: ids[index], ...body })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			bodies.map((body) => stage.expected('link', 'POST /api/channel/add', { body })),
		);
	});

	test('getAll lists the channels for each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link('channel.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = [channel(ids[0], 'One'), channel(ids[1], 'Two')];
		if (stage.dialect.listOrder === 'desc') all.reverse();
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/channels', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});

	test('assignItem adds a link, a QR code and a bio page, and getItems lists them', async () => {
		const channels = [await make('One'), await make('Two')];
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const qr = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
		const bio = stage.sandbox.links.addBioPage(stage.linkAccount.id, 'About us');
		const items = [
			{ channel: channels[0], type: 'links', item: link },
			{ channel: channels[1], type: 'qr', item: qr },
			{ channel: channels[1], type: 'bio', item: bio },
		];
		const assigned = await stage.link(
			'channel.assignItem',
			{
				channelId: byId('={{ $json.channel }}'),
				itemType: '={{ $json.type }}',
				itemId: byId('={{ $json.item }}'),
			},
			{ rows: items },
		);
		const message = 'The item has been assigned to the channel.';
		expect(assigned.json).toEqual(
			items.map(({ channel: channelId, item: itemId }) => ({
				success: true,
				channelId,
				itemId,
				message,
			})),
		);
		expect(pairs(assigned)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(assigned.requests).toEqual(
			items.map(({ channel: id, type, item }) =>
				stage.expected('link', `POST /api/channel/${String(id)}/assign/${type}/${item}`),
			),
		);

		const listed = await stage.link(
			'channel.getItems',
			{ channelId: byId('={{ $json.id }}'), returnAll: true },
			{ rows: channels.map((id) => ({ id })) },
		);
		const item = (type: string, id: number, title: string) => ({
			type,
			id,
			title,
			preview: like(/^http.*\/preview\/.*\.svg$/),
			link: like(/^http/),
			date: like(/^\d{4}-\d\d-\d\d$/),
		});
		const second = [item('bio', bio, 'About us'), item('qr', qr, 'Text QR code')];
		expect(listed.json).toHaveLength(3);
		expect(listed.json[0]).toEqual(item('links', link, 'example.com'));
		expect(listed.json.slice(1)).toEqual(expect.arrayContaining(second));
		expect(pairs(listed)).toEqual([{ item: 0 }, { item: 1 }, { item: 1 }]);
		expect(listed.requests).toEqual(
			channels.map((id) =>
				stage.expected('link', `GET /api/channel/${id}`, { query: { limit: '100', page: '1' } }),
			),
		);
	});

	test('getItems gives a link and a QR code of the same ID both', async () => {
		const id = await make('Both');
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		let qr = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
		while (qr < link) qr = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
		let same = link;
		while (same < qr) same = await stage.make('/api/url/add', { url: 'https://example.com/' });
		await stage.api(`POST /api/channel/${id}/assign/links/${same}`);
		await stage.api(`POST /api/channel/${id}/assign/qr/${qr}`);
		const { json } = await stage.link('channel.getItems', { channelId: byId(id), returnAll: true });
		expect(json.map(({ type, id: itemId }) => [type, itemId])).toEqual(
			expect.arrayContaining([
				['links', same],
				['qr', same],
			]),
		);
		expect(json).toHaveLength(2);
	});

	test('update sends only the fields that were added', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link(
			'channel.update',
			{
				channelId: byId('={{ $json.id }}'),
				updateFields: { color: '={{ $json.color }}', starred: true },
			},
			{
				rows: [
					{ id: ids[0], color: '#abc' },
					{ id: ids[1], color: '00ff00' },
				],
			},
		);
		const message = 'The channel has been updated.';
		expect(result.json).toEqual(ids.map((id) => ({ success: true, id, message })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		const colors = ['#aabbcc', '#00ff00'];
		expect(result.requests).toEqual(
			ids.map((id, index) =>
				stage.expected('link', `PUT /api/channel/${id}/update`, {
					body: { color: colors[index], starred: true },
				}),
			),
		);
		const { json } = await stage.link('channel.getAll', { returnAll: true });
		expect(json).toEqual(
			expect.arrayContaining([
				channel(ids[0], 'One', { color: '#aabbcc', starred: true }),
				channel(ids[1], 'Two', { color: '#00ff00', starred: true }),
			]),
		);
	});

	test('update clears a description that was added empty, and nothing besides', async () => {
		const id = await stage.make('/api/channel/add', {
			name: 'Mail',
			description: 'All mails',
			color: '#123456',
			starred: true,
		});
		const result = await stage.link('channel.update', {
			channelId: byId(id),
			updateFields: { description: '' },
		});
		expect(result.requests).toEqual([
			stage.expected('link', `PUT /api/channel/${id}/update`, { body: { description: '' } }),
		]);
		const { json } = await stage.link('channel.getAll', { returnAll: true });
		expect(json).toEqual([channel(id, 'Mail', { color: '#123456', starred: true })]);
	});

	test('update sends an added empty colour empty', async () => {
		const id = await make('Mail');
		const { requests } = await stage.link('channel.update', {
			channelId: byId(id),
			updateFields: { color: '' },
		});
		expect(requests.map(({ body }) => body)).toEqual([{ color: '' }]);
	});

	test('update with nothing to change is refused before any request', async () => {
		const { error, requests } = await stage.link('channel.update', {
			channelId: byId(1),
			updateFields: {},
		});
		expect(error).toMatchObject({
			message: 'There is nothing to update',
			description: 'Add at least one field under Update Fields',
		});
		expect(requests).toEqual([]);
	});

	test('delete removes the channel of each row, and its items stay', async () => {
		const ids = [await make('One'), await make('Two')];
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		await stage.api(`POST /api/channel/${String(ids[0])}/assign/links/${link}`);
		const result = await stage.link(
			'channel.delete',
			{ channelId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/channel/${id}/delete`)),
		);
		expect((await stage.link('link.get', { linkId: byId(link) })).json).toHaveLength(1);
	});
});
