import type { IDataObject } from 'n8n-workflow';

import { fixtureOf } from '../../fixtures.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import { inContrastingDialects, textOf } from '../helpers/support.ts';

const nameOf = ({ name }: IDataObject): unknown => name;
const withType = ({ name, type }: IDataObject): string => `${textOf(name)} – ${textOf(type)}`;
const addressOf = ({ shorturl, title }: IDataObject): string =>
	`${textOf(shorturl).replace('http://', '')} – ${textOf(title)}`;
const scansOf = ({ name, id, date }: IDataObject): string =>
	`${textOf(name)} #${Number(id)} – ${textOf(date).slice(0, 10)} – 0 scans`;

/** Each search of a picker, the resource whose records it lists, what it shows for one of them, and the member that is its value. */
const SEARCHES: Array<[string, string, (record: IDataObject) => unknown, 'id' | 'domain']> = [
	['searchLinks', 'link', addressOf, 'id'],
	['searchCampaigns', 'campaign', nameOf, 'id'],
	['searchChannels', 'channel', nameOf, 'id'],
	['searchDomains', 'domain', ({ domain }) => domain, 'id'],
	['searchDomainNames', 'domain', ({ domain }) => domain, 'domain'],
	['searchPixels', 'pixel', withType, 'id'],
	['searchQrCodes', 'qrCode', scansOf, 'id'],
	['searchSplashPages', 'splashPage', nameOf, 'id'],
	['searchCtaOverlays', 'ctaOverlay', withType, 'id'],
];

inContrastingDialects((stage) => {
	test.each(SEARCHES)(
		'%s shows a readable label for every %s, and finds one by a part of it',
		async (search, resource, label, member) => {
			const fixture = fixtureOf('linkManagement', `${resource}.getAll`);
			const request = fixture.requests[0]?.request ?? '';
			const { rows } = await prepare(stage, fixture, 2);
			const { json } = await runFixture(stage, fixture, { rows });
			// A domain that every account shares has no ID.
			const all = json
				.map((record) => ({ name: label(record), value: record[member] }))
				.filter(({ value }) => value !== null);
			const { results, paginationToken, requests } = await stage.search(search);
			expect(results.map(({ name, value }) => ({ name, value }))).toEqual(all);
			expect(paginationToken).toBeUndefined();
			const firstPage = { query: { limit: '100', page: '1' } };
			expect(requests).toEqual([stage.expected('link', request, firstPage)]);

			const [entry] = all;
			const filter = ` ${textOf(entry?.name).slice(2).toUpperCase()}`;
			const found = await stage.search(search, { filter });
			expect(found.results).toMatchObject([entry]);
			const none = await stage.search(search, { filter: 'nothing-like-it' });
			expect(none.results).toEqual([]);
		},
	);

	test('searchItems shows name and category of every item, in one request, and finds one of them', async () => {
		const { store } = stage.sandbox;
		expect((await stage.search('searchItems')).results).toEqual([]);
		const [straw, needle, bare] = [
			{ name: 'Straw', category: 'Audio' },
			{ name: 'Needle', category: 'Video' },
			{ name: '', category: '' },
		].map((item) => store.addItem(stage.storeAccount.id, item));
		stage.sandbox.clearRequests();
		const all = await stage.search('searchItems');
		expect(all.results).toMatchObject([
			{ name: `#${bare}`, value: bare },
			{ name: 'Needle – Video', value: needle, url: 'https://demo.example/needle' },
			{ name: 'Straw – Audio', value: straw },
		]);
		expect(all.requests).toEqual([stage.expected('store', 'GET /api/items/all')]);
		const found = await stage.search('searchItems', { filter: 'needle' });
		expect(found.results.map(({ value }) => value)).toEqual([needle]);
	});

	test('searchChannelItems searches what the item type says', async () => {
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const qr = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
		const idsOf = async (itemType: string) => {
			const { results } = await stage.search('searchChannelItems', { parameters: { itemType } });
			return results.map(({ value }) => value);
		};
		expect([await idsOf('links'), await idsOf('qr')]).toEqual([[link], [qr]]);
		await expect(idsOf('bio')).rejects.toMatchObject({
			message: 'The API cannot list bio pages',
			description: 'Switch the field to By ID, and enter the ID of the bio page',
		});
	});

	test('a link with a title is found by its addresses', async () => {
		const custom = stage.unique('spring');
		const url = 'https://example.com/deep';
		const id = await stage.make('/api/url/add', { url, custom, metatitle: 'Titled' });
		const shortUrl = `${stage.sandbox.linkUrl}/${custom}`;
		for (const filter of [url, shortUrl, custom.toUpperCase()]) {
			const { results } = await stage.search('searchLinks', { filter });
			expect(results).toMatchObject([{ value: id, url: shortUrl }]);
		}
	});
});
