import type { IDataObject } from 'n8n-workflow';

import { campaigns, links, linksByLongUrl } from '../../dist/nodes/LinkManagement/lists.js';
import type { NamedList } from '../../dist/nodes/shared/lists/recordIndex.js';
import { readPage } from '../../dist/nodes/shared/lists/pages.js';
import { RecordIndex } from '../../dist/nodes/shared/lists/recordIndex.js';
import { References } from '../../dist/nodes/shared/operations/references.js';

/** What the locators of an item stand for, in lists of one page. */

const indexOf = (records: IDataObject[], list: NamedList): RecordIndex =>
	new RecordIndex(list, async () => {
		const body = { urls: records, maxpage: 1 };
		return await Promise.resolve(readPage(body, 'urls', { page: 1, limit: 100 }));
	});

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const request = { path: '', query: {}, body: {}, ids: { campaignId: 7 } };

describe('A link', () => {
	const spring = { id: 7, alias: 'größe', shorturl: 'https://Go.example/gr%C3%B6%C3%9Fe' };
	const other = { id: 8, shorturl: 'http://go.example/100%/' };

	test.each([
		['größe', 7],
		['https://go.example/größe', 7],
		['HTTP://GO.EXAMPLE/gr%c3%b6%c3%9fe/?ref=x#y', 7],
		['go.example/gr%C3%B6ße', 7],
		['go.example/100%', 8],
		['100%', 8],
		['100%25', 8],
		['go.example/100%25', 8],
		['https://', undefined],
		['go.example/', undefined],
		['Größe', undefined],
	])('is found by %s', async (text, id) => {
		const found = await indexOf([spring, other], links).find(text, true);
		expect(found?.id).toBe(id);
	});

	test('whose alias has a slash is found by it, and no short URL is taken for it', async () => {
		const slashed = { id: 9, alias: 'promo/spring', shorturl: 'https://go.example/promo/spring' };
		const index = indexOf([spring, slashed], links);
		expect((await index.find('promo/spring', true))?.id).toBe(9);
		expect([index.isUnique('promo/spring'), index.isUnique('go.example/x')]).toEqual([false, true]);
	});

	test('of another case, or entered by its long URL, is suggested', async () => {
		const index = indexOf([{ ...spring, longurl: 'https://example.com/page?a=1' }], links);
		for (const text of ['GRÖSSE'.replace('SS', 'ß'), 'https://example.com/page?a=1']) {
			await expect(index.idOf(text, true)).rejects.toMatchObject({
				advice: like(/^Did you mean "go\.example\/größe"\?/),
			});
		}
	});

	test.each([
		['https://example.com', 1],
		['https://EXAMPLE.com/', 1],
		['no address', 2],
		['https://example.com/a?b=%20c', 3],
		['https://example.com/?a', undefined],
	])('leads to %s', async (text, id) => {
		const index = indexOf(
			[
				{ id: 1, longurl: 'https://example.com/' },
				{ id: 2, longurl: 'no address' },
				{ id: 3, longurl: 'https://example.com/a?b=+c' },
			],
			linksByLongUrl,
		);
		expect((await index.find(text, true))?.id).toBe(id);
		expect(index.isUnique('https://example.com/')).toBe(false);
	});
});

test.each([{ name: 2024 }, { domain: '2024' }, { name: ' 2024' }])(
	'a campaign of the name 2024 is found where the list has it as %j',
	async (members) => {
		expect(await indexOf([{ id: 3, ...members }], campaigns).idOf('2024', true)).toBe(3);
	},
);

describe('A locator', () => {
	const ofCampaign = (held: unknown) => {
		const references = new References({ campaignId: () => campaigns }, () => undefined);
		return { references, id: () => references.id('campaignId', held) };
	};

	test.each([42, ' 42 ', { mode: 'id', value: '42' }, { mode: 'list', value: 42 }])(
		'that holds %j needs no look',
		(held) => {
			const { references, id } = ofCampaign(held);
			expect([id(), references.isEmpty]).toEqual([42, true]);
		},
	);

	test.each(['name', 'url'])('that holds a %s gets its id when the list was read', async (mode) => {
		const { references, id } = ofCampaign({ mode, value: ' Spring ' });
		expect([id(), references.isEmpty]).toEqual([1, false]);
		await references.resolve((list) => indexOf([{ id: 7, name: 'Spring' }], list), 'GET');
		expect(id()).toBe(7);
	});

	test('that holds a name is refused where no list has names', () => {
		const references = new References({}, () => undefined);
		expect(() => references.id('qrCodeId', { mode: 'name', value: 'a' })).toThrow(
			'QR Code ID must be a positive whole number, but is "a"',
		);
	});

	test('that holds a blank is refused by its label', () => {
		expect(ofCampaign({ mode: 'name', value: ' ' }).id).toThrow('Campaign is empty');
	});

	test.each([
		['GET', 'a', 1],
		['GET', 'go.example/a', 1],
		['POST', 'a', 2],
		['PUT', 'a', 2],
		['PUT', 'go.example/a', 1],
		['DELETE', 'a', 2],
		['DELETE', 'go.example/a', 2],
	] as const)('of a %s that holds %s has so many pages read', async (method, value, pages) => {
		let asked = 0;
		const records = [{ id: 7, shorturl: 'https://go.example/a' }];
		const index = new RecordIndex(links, async (number) => {
			asked += 1;
			const body = { urls: number === 1 ? records : [], maxpage: 2 };
			return await Promise.resolve(readPage(body, 'urls', { page: number, limit: 1 }));
		});
		const references = new References({ linkId: links }, () => undefined);
		references.id('linkId', { mode: 'url', value });
		await references.resolve(() => index, method);
		expect(asked).toBe(pages);
	});

	test.each([
		['PUT', [], [7, 8]],
		['POST', [7], [8]],
		['DELETE', [], [8]],
	] as const)('is known by what a %s made of it', async (method, spring, autumn) => {
		const { references, id } = ofCampaign({ mode: 'name', value: 'Spring' });
		id();
		const named = [
			{ id: 7, name: 'Spring' },
			{ id: 8, name: 'Autumn' },
		];
		const index = indexOf(named, campaigns);
		await references.resolve(() => index, method);
		references.note(() => index, { ...request, method, ids: {} }, { name: 'Autumn' });
		const idsOf = async (name: string) => (await index.all(name, true)).map((record) => record.id);
		expect(await idsOf('Spring')).toEqual([7]);
		references.note(() => index, { ...request, method, body: { name: 'Autumn' } }, { id: 99 });
		expect([await idsOf('Spring'), await idsOf('Autumn')]).toEqual([spring, autumn]);
	});
});
