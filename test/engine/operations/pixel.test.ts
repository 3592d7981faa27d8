import { DATETIME, byId, inEveryDialect, pairs } from '../support.ts';

/** As the document lists them. */
const PIXEL_TYPES = [
	'tagmanagerpixel',
	'analyticspixel',
	'socialapixel',
	'adspixel',
	'professionalnetworkpixel',
	'microblogpixel',
	'retargetingpixel',
	'qapixel',
	'pinboard',
	'searchengine',
	'messaging',
	'forum',
	'shortvideo',
];

inEveryDialect((stage) => {
	const make = async (name: string) =>
		await stage.make('/api/pixel/add', { type: 'forum', name, tag: `TAG-${name}` });

	test('create adds one pixel for each row, of each of the 13 types', async () => {
		const rows = PIXEL_TYPES.map((type, index) => ({
			type,
			name: `Pixel ${index}`,
			tag: `T${index}`,
		}));
		const result = await stage.link(
			'pixel.create',
			{ pixelType: '={{ $json.type }}', name: '={{ $json.name }}', tag: '={{ $json.tag }}' },
			{ rows },
		);
		const first = Number(result.json[0]?.id);
		expect(result.json).toEqual(rows.map((_row, index) => ({ id: first + index })));
		expect(pairs(result)).toEqual(rows.map((_row, item) => ({ item })));
		expect(result.requests).toEqual(
			rows.map((body) => stage.expected('link', 'POST /api/pixel/add', { body })),
		);
	});

	test('create takes a tag that a sheet gave as a number', async () => {
		const { requests } = await stage.link(
			'pixel.create',
			{ pixelType: 'forum', name: 'Numbers', tag: '={{ $json.tag }}' },
			{ rows: [{ tag: 12345 }] },
		);
		expect(requests.map(({ body }) => body)).toEqual([
			{ type: 'forum', name: 'Numbers', tag: '12345' },
		]);
	});

	test('getAll lists the pixels for each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link('pixel.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = ['One', 'Two'].map((name, index) => ({
			id: ids[index],
			type: 'forum',
			name,
			tag: `TAG-${name}`,
			date: DATETIME,
		}));
		if (stage.dialect.listOrder === 'desc') all.reverse();
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/pixels', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});

	test('update sends the tag, which the API requires, and the name only where it was added', async () => {
		const ids = [await make('One'), await make('Two')];
		const rows = ids.map((id, index) => ({ id, tag: `NEW-${index}` }));
		const parameters = { pixelId: byId('={{ $json.id }}'), tag: '={{ $json.tag }}' };
		const result = await stage.link('pixel.update', { ...parameters, updateFields: {} }, { rows });
		const message = 'The pixel has been updated.';
		expect(result.json).toEqual(ids.map((id) => ({ success: true, id, message })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			rows.map(({ id, tag }) =>
				stage.expected('link', `PUT /api/pixel/${id}/update`, { body: { tag } }),
			),
		);
		const renamed = await stage.link(
			'pixel.update',
			{ ...parameters, updateFields: { name: 'Renamed' } },
			{ rows: rows.slice(0, 1) },
		);
		expect(renamed.requests.map(({ body }) => body)).toEqual([{ tag: 'NEW-0', name: 'Renamed' }]);
		const { json } = await stage.link('pixel.getAll', { returnAll: true });
		expect(json.map(({ name, tag }) => [name, tag]).sort()).toEqual([
			['Renamed', 'NEW-0'],
			['Two', 'NEW-1'],
		]);
	});

	test('create and update with a blank tag are refused before any request', async () => {
		const created = await stage.link('pixel.create', { pixelType: 'forum', name: 'x', tag: ' ' });
		const updated = await stage.link('pixel.update', {
			pixelId: byId(1),
			tag: '={{ $json.missing }}',
			updateFields: { name: 'x' },
		});
		for (const { error, requests } of [created, updated]) {
			expect(error?.message).toBe('Tag is empty');
			expect(requests).toEqual([]);
		}
	});

	test('delete removes the pixel of each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link(
			'pixel.delete',
			{ pixelId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/pixel/${id}/delete`)),
		);
		expect((await stage.link('pixel.getAll', { returnAll: true })).json).toEqual([]);
	});
});
