import type { INodeParameters } from 'n8n-workflow';

import { DATETIME, Stage, byId, inEveryDialect, like, onStage, pairs, textOf } from '../support.ts';

/** A name in a locator, typed or by expression. */
const byName = (value: string): INodeParameters => ({ __rl: true, mode: 'name', value });

inEveryDialect((stage) => {
	const make = async (name: string, fields: Record<string, unknown> = {}) =>
		await stage.make('/api/url/add', { url: `https://example.com/${name}`, ...fields });
	const at = (alias: string) => `${stage.sandbox.linkUrl}/${alias}`;

	test('create shortens the URL of each row, in one request each', async () => {
		const rows = ['one', 'two'].map((name) => ({
			url: `https://example.com/${name}`,
			alias: stage.unique(name),
		}));
		const result = await stage.link(
			'link.create',
			{ url: '={{ $json.url }}', additionalFields: { customAlias: '={{ $json.alias }}' } },
			{ rows },
		);
		const ids = result.json.map(({ id }) => id);
		expect(ids).toEqual([expect.any(Number), Number(ids[0]) + 1]);
		expect(result.json).toEqual(
			rows.map(({ alias }, index) => ({ id: ids[index], shorturl: at(alias) })),
		);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			rows.map(({ url, alias }) =>
				stage.expected('link', 'POST /api/url/add', { body: { url, custom: alias } }),
			),
		);
	});

	test('create sends every field as the document has it, and the service understands it', async () => {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		const alias = stage.unique('all');
		const { json, requests } = await stage.link(
			'link.create',
			{
				url: 'https://example.com/all',
				additionalFields: {
					customAlias: alias,
					redirectType: 'direct',
					password: 'open sesame',
					domain: byName(domain),
					expiry: '2030-12-31T23:59:00',
					geoTargets: {
						target: [
							{ location: byName('={{ $json.country }}'), link: 'https://example.de/' },
							{ location: byName('France'), link: 'https://example.fr/' },
						],
					},
					deviceTargets: {
						target: [{ device: byName('iphone'), link: 'https://example.com/iphone' }],
					},
					languageTargets: {
						target: [{ language: byName('nl'), link: 'https://example.nl/' }],
					},
					metaTitle: 'A title',
					metaDescription: 'A description',
					metaImage: 'https://example.com/a.png',
					parameters: { parameter: [{ name: 'ref', value: '={{ $json.country }}' }] },
					utm: { medium: 'email', source: 'newsletter', term: '' },
				},
			},
			{ rows: [{ country: 'Germany' }] },
		);
		expect(requests).toEqual([
			stage.expected('link', 'POST /api/url/add', {
				body: {
					url: 'https://example.com/all',
					custom: alias,
					type: 'direct',
					password: 'open sesame',
					domain,
					expiry: '2030-12-31 23:59:00',
					geotarget: [
						{ location: 'Germany', link: 'https://example.de/' },
						{ location: 'France', link: 'https://example.fr/' },
					],
					devicetarget: [{ device: 'iphone', link: 'https://example.com/iphone' }],
					languagetarget: [{ language: 'nl', link: 'https://example.nl/' }],
					metatitle: 'A title',
					metadescription: 'A description',
					metaimage: 'https://example.com/a.png',
					parameters: [
						{ name: 'ref', value: 'Germany' },
						{ name: 'utm_source', value: 'newsletter' },
						{ name: 'utm_medium', value: 'email' },
					],
				},
			}),
		]);
		expect(json).toEqual([{ id: json[0]?.id, shorturl: `${domain}/${alias}` }]);

		const opened = await fetch(at(alias), {
			method: 'POST',
			redirect: 'manual',
			headers: { 'Content-Type': 'application/json', 'CF-IPCountry': 'FR' },
			body: JSON.stringify({ password: 'open sesame' }),
		});
		expect(opened.headers.get('location')).toBe(
			'https://example.fr/?ref=Germany&utm_source=newsletter&utm_medium=email',
		);
	});

	test('create and update send the page that visitors see first by its ID', async () => {
		const { links } = stage.sandbox;
		const splash = links.addSplashPage(stage.linkAccount.id, 'Wait');
		const overlay = links.addOverlay(stage.linkAccount.id, 'Sale');
		const withSplash = await stage.link('link.create', {
			url: 'https://example.com/splash',
			additionalFields: { redirectType: 'customSplash', splashPageId: byId(splash) },
		});
		const withOverlay = await stage.link('link.create', {
			url: 'https://example.com/overlay',
			additionalFields: { redirectType: 'overlay', ctaOverlayId: byId(overlay) },
		});
		expect(withSplash.requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/splash', type: String(splash) },
		]);
		expect(withOverlay.requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/overlay', type: `overlay-${overlay}` },
		]);
		for (const { json } of [withSplash, withOverlay]) expect(json).toHaveLength(1);
		const shown = await fetch(textOf(withSplash.json[0]?.shorturl));
		expect(await shown.text()).toContain('Wait');

		const updated = await stage.link(
			'link.update',
			{
				linkId: byId(Number(withSplash.json[0]?.id)),
				updateFields: {
					url: 'https://example.com/splash',
					redirectType: 'overlay',
					ctaOverlayId: byId('={{ $json.overlay }}'),
				},
			},
			{ rows: [{ overlay: String(overlay) }] },
		);
		expect(updated.requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/splash', type: `overlay-${overlay}` },
		]);
	});

	test('get gives the details of each row with the statistics beside them', async () => {
		const ids = [
			await make('one', { geotarget: [{ location: 'Germany', link: 'https://example.de/' }] }),
			await make('two', { metatitle: 'Two', expiry: '2099-01-01 00:00:00' }),
		];
		const [first = 0] = ids;
		const details = (await stage.api(`GET /api/url/${first}`)).details as Record<string, string>;
		const headers = {
			'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
			'CF-IPCountry': 'DE',
			Referer: 'https://t.co/abc',
		};
		for (let visit = 0; visit < 2; visit += 1) {
			await fetch(String(details.shorturl), { headers, redirect: 'manual' });
		}

		const result = await stage.link(
			'link.get',
			{ linkId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		const asNumbers = stage.dialect.topStatistics === 'integer';
		const top = (label: string) => (asNumbers ? 1 : { [label]: '2' });
		const none = asNumbers || stage.dialect.topStatistics === 'as-documented' ? 0 : {};
		const noNetwork = { facebook: 0, instagram: 0, linkedin: 0, twitter: 0 };
		expect(result.json).toEqual([
			{
				id: ids[0],
				shorturl: details.shorturl,
				longurl: 'https://example.com/one',
				title: 'example.com',
				description: '',
				location: { germany: 'https://example.de/' },
				device: {},
				expiry: null,
				date: DATETIME,
				statistics: {
					clicks: 2,
					uniqueClicks: 1,
					topCountries: top('Germany'),
					topReferrers: top('t.co'),
					topBrowsers: top('Chrome'),
					topOs: top('Windows'),
					socialCount: { ...noNetwork, twitter: 2 },
				},
			},
			{
				id: ids[1],
				shorturl: like(/^http/),
				longurl: 'https://example.com/two',
				title: 'Two',
				description: '',
				location: {},
				device: {},
				expiry: '2099-01-01 00:00:00',
				date: DATETIME,
				statistics: {
					clicks: 0,
					uniqueClicks: 0,
					topCountries: none,
					topReferrers: none,
					topBrowsers: none,
					topOs: none,
					socialCount: noNetwork,
				},
			},
		]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toHaveLength(2);
		expect(result.requests).toEqual(
			expect.arrayContaining(ids.map((id) => stage.expected('link', `GET /api/url/${id}`))),
		);
	});

	test('getAll lists the links for each row, in the order that was asked for', async () => {
		const aliases = [stage.unique('a'), stage.unique('b')];
		const ids: number[] = [];
		for (const custom of aliases) ids.push(await make('x', { custom }));
		await fetch(at(aliases[0] ?? ''), { redirect: 'manual' });

		const result = await stage.link(
			'link.getAll',
			{ returnAll: true, options: { order: '={{ $json.order }}' } },
			{ rows: [{ order: 'click' }, { order: 'date' }] },
		);
		const records = ids.map((id, index) => ({
			id,
			alias: aliases[index],
			shorturl: at(aliases[index] ?? ''),
			longurl: 'https://example.com/x',
			clicks: index === 0 ? 1 : 0,
			title: 'example.com',
			description: '',
			date: DATETIME,
		}));
		const [byClick, byDate] = [result.json.slice(0, 2), result.json.slice(2)];
		const isDescending = stage.dialect.listOrder === 'desc';
		expect(byClick).toEqual(isDescending ? records : records.toReversed());
		const dates = byDate.map(({ date }) => date).toSorted();
		expect(byDate.map(({ date }) => date)).toEqual(isDescending ? dates.toReversed() : dates);
		expect(byDate).toEqual(expect.arrayContaining(records));
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		expect(result.requests).toHaveLength(2);
		expect(result.requests).toEqual(
			expect.arrayContaining(
				['click', 'date'].map((order) =>
					stage.expected('link', 'GET /api/urls', { query: { limit: '100', page: '1', order } }),
				),
			),
		);
	});

	test('getAll without the option sends no order', async () => {
		const { requests } = await stage.link('link.getAll', { returnAll: true, options: {} });
		expect(requests.map(({ query }) => query)).toEqual([{ limit: '100', page: '1' }]);
	});

	test('update with a new URL sends it and the added fields in one request each', async () => {
		const ids = [await make('one', { metatitle: 'One' }), await make('two', { metatitle: 'Two' })];
		const result = await stage.link(
			'link.update',
			{
				linkId: byId('={{ $json.id }}'),
				updateFields: { url: '={{ $json.url }}', metaDescription: 'New' },
			},
			{ rows: ids.map((id, index) => ({ id, url: `https://example.com/new/${index}` })) },
		);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id, index) =>
				stage.expected('link', `PUT /api/url/${id}/update`, {
					body: { url: `https://example.com/new/${index}`, metadescription: 'New' },
				}),
			),
		);
		for (const [index, id] of ids.entries()) {
			const { details } = await stage.api(`GET /api/url/${id}`);
			const { shorturl, ...members } = details as Record<string, unknown>;
			expect(result.json[index]).toEqual({ id, shorturl });
			expect(members).toMatchObject({
				longurl: `https://example.com/new/${index}`,
				title: ['One', 'Two'][index],
				description: 'New',
			});
		}
	});

	test('update without a URL reads the present one and sends it again: two requests each', async () => {
		const ids = [await make('one'), await make('two')];
		const result = await stage.link(
			'link.update',
			{
				linkId: byId('={{ $json.id }}'),
				updateFields: { metaTitle: '={{ $json.title }}' },
			},
			{ rows: ids.map((id) => ({ id, title: `Title ${id}` })) },
		);
		expect(result.json.map(({ id }) => id)).toEqual(ids);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.flatMap((id, index) => [
				stage.expected('link', `GET /api/url/${id}`),
				stage.expected('link', `PUT /api/url/${id}/update`, {
					body: {
						metatitle: `Title ${id}`,
						url: `https://example.com/${['one', 'two'][index] ?? ''}`,
					},
				}),
			]),
		);
	});

	test('update clears what was added empty, and touches nothing else', async () => {
		const id = await make('kept', {
			expiry: '2099-01-01 00:00:00',
			metatitle: 'Title',
			metadescription: 'Description',
			password: 'secret',
			geotarget: [{ location: 'Germany', link: 'https://example.de/' }],
			devicetarget: [{ device: 'iphone', link: 'https://example.com/iphone' }],
			parameters: [{ name: 'ref', value: 'x' }],
		});
		const { requests } = await stage.link('link.update', {
			linkId: byId(id),
			updateFields: {
				url: 'https://example.com/kept',
				expiry: '',
				metaDescription: '',
				password: '',
				geoTargets: {},
				parameters: {},
			},
		});
		expect(requests.map(({ body }) => body)).toEqual([
			{
				url: 'https://example.com/kept',
				expiry: '',
				metadescription: '',
				password: '',
				geotarget: [],
				parameters: [],
			},
		]);
		const { json } = await stage.link('link.get', { linkId: byId(id) });
		expect(json).toEqual([
			expect.objectContaining({
				expiry: null,
				title: 'Title',
				description: '',
				location: {},
				device: { iphone: 'https://example.com/iphone' },
			}),
		]);
		const opened = await fetch(textOf(json[0]?.shorturl), { redirect: 'manual' });
		expect(opened.headers.get('location')).toBe('https://example.com/kept');
	});

	test('update sends an empty domain, alias, image and target list where they were added empty', async () => {
		const id = await make('x');
		const { requests } = await stage.link('link.update', {
			linkId: byId(id),
			updateFields: {
				url: 'https://example.com/x',
				domain: byName(''),
				customAlias: '',
				metaImage: '',
				metaTitle: '',
				deviceTargets: {},
				languageTargets: {},
				utm: {},
			},
		});
		expect(requests.map(({ body }) => body)).toEqual([
			{
				url: 'https://example.com/x',
				domain: '',
				custom: '',
				metaimage: '',
				metatitle: '',
				devicetarget: [],
				languagetarget: [],
				parameters: [],
			},
		]);
	});

	test('update with nothing to change is refused before any request', async () => {
		const { error, requests } = await stage.link('link.update', {
			linkId: byId(1),
			updateFields: {},
		});
		expect(error).toMatchObject({
			message: 'There is nothing to update',
			description: 'Add at least one field under Update Fields',
		});
		expect(requests).toEqual([]);
	});

	test('delete removes the link of each row', async () => {
		const ids = [await make('one'), await make('two')];
		const result = await stage.link(
			'link.delete',
			{ linkId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/url/${id}/delete`)),
		);
		expect((await stage.link('link.getAll', { returnAll: true, options: {} })).json).toEqual([]);
	});
});

describe('where the service writes pages in another way', () => {
	const stage = onStage(new Stage({ pageReference: 'prefixed' }));

	test('the format of the ID can be set', async () => {
		const splash = stage.sandbox.links.addSplashPage(stage.linkAccount.id, 'Wait');
		const { json, requests } = await stage.link('link.create', {
			url: 'https://example.com/',
			additionalFields: {
				redirectType: 'customSplash',
				splashPageId: byId(splash),
				pageIdFormat: 'splash-*',
			},
		});
		expect(requests.map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/', type: `splash-${splash}` },
		]);
		expect(json).toHaveLength(1);
	});
});
