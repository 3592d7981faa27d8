import { DATETIME, inEveryDialect, pairs } from '../support.ts';

/** Splash pages and CTA overlays, which the API can only list. */
inEveryDialect((stage) => {
	const listed = (records: Array<Record<string, unknown>>) =>
		stage.dialect.listOrder === 'desc' ? [...records].reverse() : records;

	test('splashPage.getAll lists the splash pages for each row', async () => {
		const names = ['Wait', 'Look'];
		const ids = names.map((name) => stage.sandbox.links.addSplashPage(stage.linkAccount.id, name));
		const result = await stage.link('splashPage.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = listed(names.map((name, index) => ({ id: ids[index], name, date: DATETIME })));
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/splash', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});

	test('ctaOverlay.getAll lists the overlays for each row, although its answer has no error member', async () => {
		const { links } = stage.sandbox;
		const ids = [
			links.addOverlay(stage.linkAccount.id, 'Sale', 'message'),
			links.addOverlay(stage.linkAccount.id, 'Call us', 'contact'),
		];
		const result = await stage.link('ctaOverlay.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = listed([
			{ id: ids[0], type: 'message', name: 'Sale', date: DATETIME },
			{ id: ids[1], type: 'contact', name: 'Call us', date: DATETIME },
		]);
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/overlay', {
			query: { limit: '100', page: '1' },
		});
		expect(result.requests).toEqual([request, request]);
	});
});
