import { KeyRefused } from '../../../sandbox/failure.ts';
import { messageIn } from '../../../sandbox/link/answers.ts';
import { record } from '../../n8n-host/json.ts';
import { Stage, inEveryDialect, like, onStage, textOf, FIRST_PAGE } from '../support.ts';

interface Locator {
	search: string;
	/** Where the API lists the records. */
	path: string;
	/** Where it gives one of them, if it can. */
	details?: string;
	/** Makes a record that is known by `name`; gives its value, and what the list shows for it. */
	make(stage: Stage, name: string): Promise<{ value: number | string; label: string }>;
	/** What a person types to find the record called `needle`. */
	typed?: string;
}

const isDomain = (search: string, tld: string): Locator => ({
	search,
	path: '/api/domains',
	async make(stage, name) {
		const label = `https://${stage.unique(name)}.example.${tld}`;
		const id = await stage.make('/api/domain/add', { domain: label });
		return { value: search === 'searchDomains' ? id : label, label };
	},
});

const LOCATORS: Locator[] = [
	{
		search: 'searchLinks',
		path: '/api/urls',
		details: '/api/url',
		async make(stage, name) {
			const custom = stage.unique(name);
			const members = { url: 'https://example.com/', custom, metatitle: 'Spring sale' };
			const host = stage.sandbox.linkUrl.replace('http://', '');
			const value = await stage.make('/api/url/add', members);
			return { value, label: `${host}/${custom} – Spring sale` };
		},
	},
	...['campaign', 'channel'].map((what) => ({
		search: `search${what.replace('c', 'C')}s`,
		path: `/api/${what}s`,
		make: async (stage: Stage, name: string) => ({
			value: await stage.make(`/api/${what}/add`, { name }),
			label: name,
		}),
	})),
	isDomain('searchDomains', 'com'),
	isDomain('searchDomainNames', 'org'),
	{
		search: 'searchPixels',
		path: '/api/pixels',
		make: async (stage, name) => ({
			value: await stage.make('/api/pixel/add', { type: 'forum', name, tag: 'T' }),
			label: `${name} – forum`,
		}),
	},
	{
		search: 'searchQrCodes',
		path: '/api/qr',
		details: '/api/qr',
		async make(stage, name) {
			const [type, label] = name === 'needle' ? ['wifi', 'Wi-Fi'] : ['text', 'Text'];
			const value = await stage.make('/api/qr/add', { type, data: name });
			const { details } = await stage.api(`GET /api/qr/${value}`);
			const day = textOf(record(details).date).slice(0, 10);
			return { value, label: `${label} QR code #${value} – ${day} – 0 scans` };
		},
		typed: 'wi-fi',
	},
	{
		search: 'searchSplashPages',
		path: '/api/splash',
		async make({ sandbox, linkAccount }, name) {
			const value = sandbox.links.addSplashPage(linkAccount.id, name);
			return await Promise.resolve({ value, label: name });
		},
	},
	{
		search: 'searchCtaOverlays',
		path: '/api/overlay',
		async make({ sandbox, linkAccount }, name) {
			const value = sandbox.links.addOverlay(linkAccount.id, name, 'contact');
			return await Promise.resolve({ value, label: `${name} – contact` });
		},
	},
];

inEveryDialect((stage) => {
	describe.each(LOCATORS)('$search', (locator) => {
		const { search, path, details, typed = 'NEEDLE' } = locator;

		test('shows a readable label for every record, and finds one by a part of it', async () => {
			const records = [await locator.make(stage, 'straw'), await locator.make(stage, 'needle')];
			const { results, paginationToken, requests } = await stage.search(search);
			const shown = results.map(({ name, value }) => ({ label: name, value }));
			const { dates, listOrder } = stage.dialect;
			expect(new Set(shown)).toEqual(new Set(records));
			if (dates === 'forward') {
				expect(shown).toEqual(listOrder === 'desc' ? records.toReversed() : records);
			}
			expect(paginationToken).toBeUndefined();
			expect(requests).toEqual([stage.expected('link', `GET ${path}`, { query: FIRST_PAGE })]);

			const [, { label, value } = {}] = records;
			const found = await stage.search(search, { filter: typed });
			expect(found.results).toMatchObject([{ name: label, value }]);
			expect(found.requests).toEqual([]);
			const none = await stage.search(search, { filter: 'nothing-like-it' });
			expect(none).toEqual({ results: [], paginationToken: undefined, requests: [] });
		});

		test('fails with the message of the service and advice, and shows no option', async () => {
			// One for each size of a page that is tried.
			stage.sandbox.faults.add({ kind: 'http-500', path, times: 5 });
			await expect(stage.search(search)).rejects.toMatchObject({
				message: 'Expected a response from the service, but got a web page (status 500)',
			});
			stage.sandbox.expireKey('link', stage.linkAccount.id);
			await expect(stage.search(search)).rejects.toMatchObject({
				message: messageIn(stage.dialect, new KeyRefused('The API key has expired.')),
				description: like(/^Check the API key in the credential/),
			});
		});

		if (details === undefined) return;

		test('finds a record by its ID in one request, and looks for other numbers in the labels', async () => {
			const { value, label } = await locator.make(stage, 'needle');
			const { results, requests } = await stage.search(search, { filter: ` ${value} ` });
			expect(results).toMatchObject([{ value }]);
			if (search === 'searchQrCodes') expect(results[0]?.name).toBe(label);
			expect(requests).toEqual([stage.expected('link', `GET ${details}/${value}`)]);
			const other = await stage.search(search, { filter: '987654321' });
			expect(other.results).toEqual([]);
			expect(other.requests).toHaveLength(2);
		});
	});

	test('searchItems shows name and category of every item, in one request, and finds one of them in no further one', async () => {
		const { store } = stage.sandbox;
		expect((await stage.search('searchItems')).results).toEqual([]);
		await stage.enter();
		const straw = store.addItem(stage.storeAccount.id, { name: 'Straw', category: 'Audio' });
		const needle = store.addItem(stage.storeAccount.id, { name: 'Needle', category: 'Video' });
		const all = await stage.search('searchItems');
		expect(all.results).toMatchObject([
			{ name: 'Needle – Video', value: needle, url: 'https://demo.example/needle' },
			{ name: 'Straw – Audio', value: straw },
		]);
		expect(all.requests).toEqual([stage.expected('store', 'GET /api/items/all')]);
		const found = await stage.search('searchItems', { filter: 'needle' });
		expect([found.results.map(({ value }) => value), found.requests]).toEqual([[needle], []]);
		await stage.enter();
		stage.sandbox.expireKey('store', stage.storeAccount.id);
		const message = 'The API key has expired.';
		await expect(stage.search('searchItems')).rejects.toMatchObject({ message });
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

	test('a link with a title is found by its addresses, and before newer ones that hold the word', async () => {
		const custom = stage.unique('spring');
		const url = 'https://example.com/deep';
		const id = await stage.make('/api/url/add', { url, custom, metatitle: 'Titled' });
		for (const newer of ['a', 'b']) {
			const members = { url: `${url}/${custom}/${newer}`, custom: `${custom}-${newer}` };
			await stage.make('/api/url/add', members);
		}
		const foundBy = async (filter: string) =>
			(await stage.search('searchLinks', { filter })).results;
		const shortUrl = `${stage.sandbox.linkUrl}/${custom}`;
		expect(await foundBy(url)).toContainEqual(expect.objectContaining({ value: id }));
		for (const filter of [shortUrl, custom.toUpperCase()]) {
			const found = await foundBy(filter);
			expect(found).toHaveLength(3);
			expect(found[0]).toMatchObject({ value: id, url: shortUrl });
		}
	});
});

describe('the usual names', () => {
	const stage = onStage(new Stage());

	test.each([
		['searchCountries', 'germ', { name: 'Germany', value: 'Germany' }],
		['searchDevices', 'IPH', { name: 'iphone', value: 'iphone' }],
		['searchLanguages', 'dutch', { name: 'Dutch', value: 'nl' }],
	])('%s suggests without any request', async (search, filter, suggestion) => {
		const all = await stage.search(search);
		const found = await stage.search(search, { filter });
		expect(all.results.length).toBeGreaterThan(5);
		expect(found.results).toContainEqual(suggestion);
		expect(found.results.length).toBeLessThan(all.results.length);
		expect([...all.requests, ...found.requests]).toEqual([]);
	});
});
