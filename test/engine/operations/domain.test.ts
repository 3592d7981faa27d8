import { byId, inEveryDialect, pairs } from '../support.ts';

inEveryDialect((stage) => {
	const domainOf = (name: string) => `https://${stage.unique(name)}.example.com`;
	const make = async (name: string) =>
		await stage.make('/api/domain/add', {
			domain: domainOf(name),
			redirectroot: 'https://example.com/root',
			redirect404: 'https://example.com/404',
		});

	test('create adds one domain for each row', async () => {
		const rows = [
			{ domain: domainOf('a'), root: 'https://example.com/a', missing: 'https://example.com/404' },
			{ domain: domainOf('b'), root: 'https://example.com/b', missing: '' },
		];
		const result = await stage.link(
			'domain.create',
			{
				domain: '={{ $json.domain }}',
				additionalFields: {
					rootRedirect: '={{ $json.root }}',
					notFoundRedirect: '={{ $json.missing }}',
				},
			},
			{ rows },
		);
		const ids = result.json.map(({ id }) => id);
		expect(ids).toEqual([expect.any(Number), Number(ids[0]) + 1]);
		expect(result.json).toEqual(ids.map((id) => ({ id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			rows.map(({ domain, root, missing }) =>
				stage.expected('link', 'POST /api/domain/add', {
					body: { domain, redirectroot: root, redirect404: missing },
				}),
			),
		);
	});

	test('getAll lists the domains for each row', async () => {
		const ids = [await make('a'), await make('b')];
		const result = await stage.link('domain.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = ids.map((id, index) => ({
			id,
			domain: domainOf(['a', 'b'][index] ?? ''),
			redirectroot: 'https://example.com/root',
			redirect404: 'https://example.com/404',
		}));
		if (stage.dialect.listOrder === 'desc') all.reverse();
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/domains', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});

	test('update sends only the redirects that were added; an added empty one is cleared', async () => {
		const ids = [await make('a'), await make('b')];
		const result = await stage.link(
			'domain.update',
			{
				domainId: byId('={{ $json.id }}'),
				updateFields: { notFoundRedirect: '={{ $json.missing }}' },
			},
			{
				rows: [
					{ id: ids[0], missing: 'https://example.com/sorry' },
					{ id: ids[1], missing: '' },
				],
			},
		);
		const message = 'The domain has been updated.';
		expect(result.json).toEqual(ids.map((id) => ({ success: true, id, message })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		const redirects = ['https://example.com/sorry', ''];
		expect(result.requests).toEqual(
			ids.map((id, index) =>
				stage.expected('link', `PUT /api/domain/${id}/update`, {
					body: { redirect404: redirects[index] },
				}),
			),
		);
		const { json } = await stage.link('domain.getAll', { returnAll: true });
		for (const [index, id] of ids.entries()) {
			expect(json.find((domain) => domain.id === id)).toMatchObject({
				redirectroot: 'https://example.com/root',
				redirect404: redirects[index],
			});
		}
	});

	test('update with nothing to change is refused before any request', async () => {
		const { error, requests } = await stage.link('domain.update', {
			domainId: byId(1),
			updateFields: {},
		});
		expect(error?.message).toBe('There is nothing to update');
		expect(requests).toEqual([]);
	});

	test('delete removes the domain of each row', async () => {
		const ids = [await make('a'), await make('b')];
		const result = await stage.link(
			'domain.delete',
			{ domainId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/domain/${id}/delete`)),
		);
		expect((await stage.link('domain.getAll', { returnAll: true })).json).toEqual([]);
	});
});
