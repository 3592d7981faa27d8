import { Stage, inEveryDialect, onStage } from '../support.ts';

/** Pages that a search reads at most before it shows what it has. */
const PAGES_PER_SEARCH = 25;

/** Records that a search asks for at once, unless the service caps it. */
const PAGE = 100;

interface Locator {
	search: string;
	path: string;
	/** Whether the API can read one record by its ID. */
	hasDetails: boolean;
	/** Makes a record that is known by `name`; gives its id, and what the list shows for it. */
	make(stage: Stage, name: string): Promise<{ value: number | string; label: string }>;
}

const LOCATORS: Locator[] = [
	{
		search: 'searchLinks',
		path: '/api/urls',
		hasDetails: true,
		async make(stage, name) {
			const custom = stage.unique(name);
			const value = await stage.make('/api/url/add', {
				url: 'https://example.com/',
				custom,
				metatitle: 'Spring sale',
			});
			const host = stage.sandbox.linkUrl.replace('http://', '');
			return { value, label: `${host}/${custom} – Spring sale` };
		},
	},
	{
		search: 'searchCampaigns',
		path: '/api/campaigns',
		hasDetails: false,
		make: async (stage, name) => ({
			value: await stage.make('/api/campaign/add', { name }),
			label: name,
		}),
	},
	{
		search: 'searchChannels',
		path: '/api/channels',
		hasDetails: false,
		make: async (stage, name) => ({
			value: await stage.make('/api/channel/add', { name }),
			label: name,
		}),
	},
	{
		search: 'searchDomains',
		path: '/api/domains',
		hasDetails: false,
		async make(stage, name) {
			const label = `https://${stage.unique(name)}.example.com`;
			return { value: await stage.make('/api/domain/add', { domain: label }), label };
		},
	},
	{
		search: 'searchDomainNames',
		path: '/api/domains',
		hasDetails: false,
		async make(stage, name) {
			const label = `https://${stage.unique(name)}.example.org`;
			await stage.make('/api/domain/add', { domain: label });
			return { value: label, label };
		},
	},
	{
		search: 'searchPixels',
		path: '/api/pixels',
		hasDetails: false,
		make: async (stage, name) => ({
			value: await stage.make('/api/pixel/add', { type: 'forum', name, tag: 'T' }),
			label: `${name} – forum`,
		}),
	},
	{
		search: 'searchQrCodes',
		path: '/api/qr',
		hasDetails: true,
		async make(stage, name) {
			const [type, label] = name === 'needle' ? ['wifi', 'Wi-Fi'] : ['text', 'Text'];
			const value = await stage.make('/api/qr/add', { type, data: name });
			const today = new Date().toISOString().slice(0, 10);
			return { value, label: `${label} QR code #${value} – ${today} – 0 scans` };
		},
	},
	{
		search: 'searchSplashPages',
		path: '/api/splash',
		hasDetails: false,
		async make(stage, name) {
			const value = stage.sandbox.links.addSplashPage(stage.linkAccount.id, name);
			return await Promise.resolve({ value, label: name });
		},
	},
	{
		search: 'searchCtaOverlays',
		path: '/api/overlay',
		hasDetails: false,
		async make(stage, name) {
			const value = stage.sandbox.links.addOverlay(stage.linkAccount.id, name, 'contact');
			return await Promise.resolve({ value, label: `${name} – contact` });
		},
	},
];

/** What a person types to find the record called `needle`. */
const typed = ({ search }: Locator) => (search === 'searchQrCodes' ? 'wi-fi' : 'NEEDLE');

inEveryDialect((stage) => {
	describe.each(LOCATORS)('$search', (locator) => {
		const { search, path, hasDetails } = locator;

		test('shows a readable label for every record, in one request', async () => {
			const records = [await locator.make(stage, 'straw'), await locator.make(stage, 'needle')];
			const { results, paginationToken, requests } = await stage.search(search);
			const shown = results.map(({ name, value }) => ({ label: name, value }));
			expect(shown).toEqual(expect.arrayContaining(records));
			expect(shown).toHaveLength(records.length);
			expect(paginationToken).toBeUndefined();
			expect(requests).toEqual([
				stage.expected('link', `GET ${path}`, { query: { limit: String(PAGE), page: '1' } }),
			]);
		});

		test('finds a record by a part of its name, in capitals or not, in one request', async () => {
			await locator.make(stage, 'straw');
			const needle = await locator.make(stage, 'needle');
			const { results, requests } = await stage.search(search, { filter: typed(locator) });
			expect(results).toMatchObject([{ name: needle.label, value: needle.value }]);
			expect(requests).toHaveLength(1);
		});

		test('gives an empty list when nothing matches', async () => {
			await locator.make(stage, 'straw');
			const { results, paginationToken } = await stage.search(search, {
				filter: 'nothing-like-it',
			});
			expect({ results, paginationToken }).toEqual({ results: [], paginationToken: undefined });
		});

		test('fails with the message of the service and advice', async () => {
			stage.sandbox.expireKey('link', stage.linkAccount.id);
			await expect(stage.search(search)).rejects.toMatchObject({
				message: 'The API key has expired.',
				description: expect.stringMatching(/^Check the API key in the credential/) as unknown,
			});
		});

		test('shows no option when the service answers with a web page', async () => {
			stage.sandbox.faults.add({ kind: 'http-500', path });
			await expect(stage.search(search)).rejects.toMatchObject({
				message: 'The link service was expected to answer, but a web page came (status 500)',
			});
		});

		if (hasDetails) {
			test('finds a record by its ID in one request', async () => {
				const { value, label } = await locator.make(stage, 'needle');
				const { results, requests } = await stage.search(search, { filter: ` ${value} ` });
				expect(results).toMatchObject([{ value }]);
				if (search === 'searchQrCodes') expect(results[0]?.name).toBe(label);
				const details = path === '/api/urls' ? '/api/url' : path;
				expect(requests).toEqual([stage.expected('link', `GET ${details}/${value}`)]);
			});

			test('looks for a number in the names when no record has it as ID', async () => {
				await locator.make(stage, 'straw');
				const { results, requests } = await stage.search(search, { filter: '987654321' });
				expect(results).toEqual([]);
				expect(requests).toHaveLength(2);
			});
		}
	});

	test('searchItems shows name and category of every item, in one request, and finds one of them in no further one', async () => {
		const { store } = stage.sandbox;
		const straw = store.addItem(stage.storeAccount.id, { name: 'Straw', category: 'Audio' });
		const needle = store.addItem(stage.storeAccount.id, { name: 'Needle', category: 'Video' });
		const all = await stage.search('searchItems');
		expect(all.results).toMatchObject([
			{ name: 'Needle – Video', value: needle, url: 'https://demo.example/needle' },
			{ name: 'Straw – Audio', value: straw },
		]);
		expect(all.requests).toEqual([stage.expected('store', 'GET /api/items/all')]);
		const found = await stage.search('searchItems', { filter: 'needle' });
		expect(found.results.map(({ value }) => value)).toEqual([needle]);
		expect(found.requests).toEqual([]);
	});

	test('searchItems is empty for a store without items', async () => {
		expect((await stage.search('searchItems')).results).toEqual([]);
	});

	test('searchItems says that the key was refused', async () => {
		stage.sandbox.expireKey('store', stage.storeAccount.id);
		await expect(stage.search('searchItems')).rejects.toMatchObject({
			message: 'The API key has expired.',
		});
	});

	test('searchChannelItems searches what the item type says', async () => {
		const link = await stage.make('/api/url/add', { url: 'https://example.com/' });
		const qr = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
		const links = await stage.search('searchChannelItems', { parameters: { itemType: 'links' } });
		const codes = await stage.search('searchChannelItems', { parameters: { itemType: 'qr' } });
		expect(links.results.map(({ value }) => value)).toEqual([link]);
		expect(codes.results.map(({ value }) => value)).toEqual([qr]);
		await expect(
			stage.search('searchChannelItems', { parameters: { itemType: 'bio' } }),
		).rejects.toMatchObject({
			message: 'The API cannot list bio pages',
			description: 'Switch the field to By ID, and enter the ID of the bio page',
		});
	});

	test.each(['https://example.com/deep', 'its short URL', 'its alias'])(
		'a link with a title is found by %s, and comes before newer ones that only hold the word',
		async (what) => {
			const custom = stage.unique('spring');
			const id = await stage.make('/api/url/add', {
				url: 'https://example.com/deep',
				custom,
				metatitle: 'Titled',
			});
			for (const newer of ['a', 'b']) {
				await stage.make('/api/url/add', {
					url: `https://example.com/deep/${custom}/${newer}`,
					custom: `${custom}-${newer}`,
				});
			}
			const filters: Record<string, string> = {
				'its short URL': `${stage.sandbox.linkUrl}/${custom}`,
				'its alias': custom.toUpperCase(),
			};
			const { results } = await stage.search('searchLinks', { filter: filters[what] ?? what });
			const ids = results.map(({ value }) => value);
			expect(ids).toHaveLength(3);
			if (what in filters) expect(ids[0]).toBe(id);
			else expect(ids).toContain(id);
		},
	);

	test('a link can be opened from its field', async () => {
		const custom = stage.unique('open');
		await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		const { results } = await stage.search('searchLinks');
		expect(results).toMatchObject([{ url: `${stage.sandbox.linkUrl}/${custom}` }]);
	});
});

describe.each([
	['as many as asked', 'unlimited', PAGE],
	['25 at most', '25', 25],
] as const)('where the service gives %s records a page', (_what, maxLimit, perPage) => {
	const stage = onStage(new Stage({ maxLimit, listOrder: 'desc' }));

	test('every page can be scrolled to, in one request each, and the list ends', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, perPage * 2 + 3);
		const seen: unknown[] = [];
		let paginationToken: string | undefined;
		let requests = 0;
		do {
			const page = await stage.search('searchLinks', paginationToken ? { paginationToken } : {});
			seen.push(...page.results.map(({ value }) => value));
			requests += page.requests.length;
			paginationToken = page.paginationToken;
		} while (paginationToken !== undefined);
		expect(new Set(seen).size).toBe(perPage * 2 + 3);
		expect(seen).toHaveLength(perPage * 2 + 3);
		expect(requests).toBe(3);
	});

	test('a record on the last page that a search reads is found in as many requests', async () => {
		const custom = stage.unique('hidden');
		const id = await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		// Newer links push it to the last place of the last page.
		stage.sandbox.links.addLinks(stage.linkAccount.id, perPage * PAGES_PER_SEARCH - 1, 0);
		const { results, requests } = await stage.search('searchLinks', { filter: 'hidden' });
		expect(results.map(({ value }) => value)).toEqual([id]);
		expect(requests).toHaveLength(PAGES_PER_SEARCH);
	});

	test('a record beyond is found by searching on, which the list offers', async () => {
		const custom = stage.unique('beyond');
		const id = await stage.make('/api/url/add', { url: 'https://example.com/', custom });
		stage.sandbox.links.addLinks(stage.linkAccount.id, perPage * PAGES_PER_SEARCH, 0);
		const first = await stage.search('searchLinks', { filter: 'beyond' });
		expect(first.results).toEqual([]);
		expect(first.paginationToken).toBe(String(PAGES_PER_SEARCH + 1));
		const next = await stage.search('searchLinks', {
			filter: 'beyond',
			paginationToken: String(PAGES_PER_SEARCH + 1),
		});
		expect(next.results.map(({ value }) => value)).toEqual([id]);
		expect(first.requests.length + next.requests.length).toBe(PAGES_PER_SEARCH + 1);
	});

	test('typing on reads no page again', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, perPage * 2);
		const first = await stage.search('searchLinks', { filter: 'artic' });
		const second = await stage.search('searchLinks', { filter: 'article' });
		expect(first.requests).toHaveLength(perPage === PAGE ? 1 : 2);
		expect(second.requests).toHaveLength(0);
		expect(second.results.length).toBeGreaterThan(0);
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
