import { byId, inEveryDialect, pairs } from '../support.ts';

inEveryDialect((stage) => {
	const campaign = (id: unknown, name: string, slug?: string, isPublic = false) => ({
		id,
		name,
		public: isPublic,
		rotator: slug === undefined ? false : `${stage.sandbox.linkUrl}/r/${slug}`,
		list: `${stage.sandbox.linkUrl}/campaign/${String(id)}`,
	});
	const make = async (name: string) => await stage.make('/api/campaign/add', { name });

	test('create makes one campaign for each row, its name always under name', async () => {
		const slugs = [stage.unique('spring'), stage.unique('summer')];
		const result = await stage.link(
			'campaign.create',
			{
				name: '={{ $json.name }}',
				additionalFields: { slug: '={{ $json.slug }}', public: '={{ $json.isPublic }}' },
			},
			{
				rows: [
					{ name: 'Spring', slug: slugs[0], isPublic: true },
					{ name: 'Summer', slug: slugs[1], isPublic: false },
				],
			},
		);
		const ids = result.json.map(({ id }) => id);
		expect(ids).toEqual([expect.any(Number), Number(ids[0]) + 1]);
		expect(result.json).toEqual([
			campaign(ids[0], 'Spring', slugs[0], true),
			campaign(ids[1], 'Summer', slugs[1]),
		]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual([
			stage.expected('link', 'POST /api/campaign/add', {
				body: { name: 'Spring', slug: slugs[0], public: true },
			}),
			stage.expected('link', 'POST /api/campaign/add', {
				body: { name: 'Summer', slug: slugs[1], public: false },
			}),
		]);
	});

	test('create without a name lets the service choose one', async () => {
		const { json, requests } = await stage.link('campaign.create', { additionalFields: {} });
		expect(json).toEqual([campaign(json[0]?.id, 'Untitled campaign')]);
		expect(requests).toHaveLength(1);
	});

	test('getAll lists the campaigns, each name under name, for each row', async () => {
		const names = ['One', 'Two', 'Three'];
		const ids: number[] = [];
		for (const name of names) ids.push(await make(name));
		const result = await stage.link('campaign.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = names.map((name, index) => campaign(ids[index], name));
		if (stage.dialect.listOrder === 'desc') all.reverse();
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 0, 1, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/campaigns', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});

	test('update sends the name, which the API requires, and only the fields that were added', async () => {
		const ids = [await make('Old one'), await make('Old two')];
		const result = await stage.link(
			'campaign.update',
			{
				campaignId: byId('={{ $json.id }}'),
				name: '={{ $json.name }}',
				updateFields: { public: true },
			},
			{
				rows: [
					{ id: ids[0], name: 'New one' },
					{ id: ids[1], name: 'New two' },
				],
			},
		);
		expect(result.json).toEqual([
			{ success: true, ...campaign(ids[0], 'New one', undefined, true) },
			{ success: true, ...campaign(ids[1], 'New two', undefined, true) },
		]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id, index) =>
				stage.expected('link', `PUT /api/campaign/${id}/update`, {
					body: { name: ['New one', 'New two'][index], public: true },
				}),
			),
		);
	});

	test('update leaves the slug alone unless it was added, and clears it when it was added empty', async () => {
		const slug = stage.unique('kept');
		const id = await stage.make('/api/campaign/add', { name: 'Kept', slug });
		const kept = await stage.link('campaign.update', {
			campaignId: byId(id),
			name: 'Renamed',
			updateFields: {},
		});
		expect(kept.json).toEqual([{ success: true, ...campaign(id, 'Renamed', slug) }]);
		const cleared = await stage.link('campaign.update', {
			campaignId: byId(id),
			name: 'Renamed',
			updateFields: { slug: '' },
		});
		expect(cleared.requests[0]?.body).toEqual({ name: 'Renamed', slug: '' });
		expect(cleared.json).toEqual([{ success: true, ...campaign(id, 'Renamed') }]);
	});

	test('update with a blank name is refused before any request', async () => {
		const { error, requests } = await stage.link('campaign.update', {
			campaignId: byId(1),
			name: ' ',
			updateFields: {},
		});
		expect(error?.message).toBe('Name is empty');
		expect(requests).toEqual([]);
	});

	test('delete removes the campaign of each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link(
			'campaign.delete',
			{ campaignId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/campaign/${id}/delete`)),
		);
		expect((await stage.link('campaign.getAll', { returnAll: true })).json).toEqual([]);
	});

	test('assignLink puts the link of each row into the campaign of its row', async () => {
		const campaigns = [await make('One'), await make('Two')];
		const links = [
			await stage.make('/api/url/add', { url: 'https://example.com/1' }),
			await stage.make('/api/url/add', { url: 'https://example.com/2' }),
		];
		const result = await stage.link(
			'campaign.assignLink',
			{ campaignId: byId('={{ $json.campaign }}'), linkId: byId('={{ $json.link }}') },
			{ rows: campaigns.map((id, index) => ({ campaign: id, link: links[index] })) },
		);
		const message = 'The link has been assigned to the campaign.';
		expect(result.json).toEqual(
			campaigns.map((campaignId, index) => ({
				success: true,
				campaignId,
				linkId: links[index],
				message,
			})),
		);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			campaigns.map((id, index) =>
				stage.expected('link', `POST /api/campaign/${id}/assign/${String(links[index])}`),
			),
		);
	});
});
