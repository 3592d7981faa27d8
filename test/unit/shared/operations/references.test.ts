import type { IDataObject } from 'n8n-workflow';

import { campaigns, links, linksByLongUrl } from '../../../../dist/nodes/LinkManagement/lists.js';
import type { NamedList } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { pageIn } from '../../../../dist/nodes/shared/lists/pages.js';
import type { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { RecordIndex } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { References } from '../../../../dist/nodes/shared/operations/references.js';

/** What the locators of an item stand for, in lists of one page. */

const indexOf = (records: IDataObject[], list: NamedList): RecordIndex =>
	new RecordIndex(list, async () => {
		const body = { urls: records, maxpage: 1 };
		return await Promise.resolve(pageIn(body, 'urls'));
	});

const spring = {
	id: 7,
	alias: 'größe',
	shorturl: 'https://Go.example/gr%C3%B6%C3%9Fe',
	longurl: 'https://example.com/page?a=1',
};
const other = { id: 8, shorturl: 'http://go.example/100%/' };
const slashed = { id: 9, alias: 'promo/spring', shorturl: 'https://go.example/promo/spring' };
const target = { id: 1, longurl: 'https://example.com/' };
const encoded = { id: 3, longurl: 'https://example.com/a?b=+c' };

test.each<[NamedList, string, number | undefined]>([
	[links, 'größe', 7],
	[links, 'https://go.example/größe', 7],
	[links, 'HTTP://GO.EXAMPLE/gr%c3%b6%c3%9fe/?ref=x#y', 7],
	[links, 'go.example/gr%C3%B6ße', 7],
	[links, 'go.example/100%', 8],
	[links, '100%', 8],
	[links, '100%25', 8],
	[links, 'go.example/100%25', 8],
	[links, 'promo/spring', 9],
	[links, 'https://', undefined],
	[links, 'go.example/', undefined],
	[links, 'Größe', undefined],
	[linksByLongUrl, 'https://example.com', 1],
	[linksByLongUrl, 'https://EXAMPLE.com/', 1],
	[linksByLongUrl, 'no address', 2],
	[linksByLongUrl, 'https://example.com/a?b=%20c', 3],
	[linksByLongUrl, 'https://example.com/?a', undefined],
	[campaigns, '2024', 2024],
	[campaigns, '2025', 2025],
	[campaigns, '2026', 2026],
])('of %j, %s is found', async (list, name, id) => {
	const records = [spring, other, slashed, target, { id: 2, longurl: 'no address' }, encoded];
	const years = [
		{ id: 2024, name: 2024 },
		{ id: 2025, domain: '2025' },
		{ id: 2026, name: ' 2026' },
	];
	const found = await indexOf([...records, ...years], list).find(name, true);
	expect(found?.id).toBe(id);
});

test('a link of another case, or entered by its long URL, is suggested', async () => {
	const index = indexOf([spring], links);
	for (const name of ['GRÖßE', spring.longurl]) {
		await expect(index.idOf(name, true)).rejects.toMatchObject({
			advice: expect.stringMatching(/^Did you mean "go\.example\/größe"\?/) as unknown,
		});
	}
});

test('only a short URL is the name of one link', () => {
	const names = ['promo/spring', 'go.example/x', 'https://example.com/'];
	expect(names.map((name) => indexOf([], links).isUnique(name))).toEqual([false, true, false]);
	expect(indexOf([], linksByLongUrl).isUnique('https://example.com/')).toBe(false);
});

describe('A locator', () => {
	const ofCampaign = (held: unknown) => {
		const references = new References({ campaignId: () => campaigns }, () => undefined);
		const pick = () => {
			references.pick('campaignId', held);
		};
		return { references, pick, id: () => references.id('campaignId') };
	};
	const named = [
		{ id: 7, name: 'Spring' },
		{ id: 8, name: 'Autumn' },
	];

	test.each<[held: unknown, id: number]>([
		[42, 42],
		[' 42 ', 42],
		[{ mode: 'id', value: '42' }, 42],
		[{ mode: 'list', value: 42 }, 42],
		[{ mode: 'name', value: ' Spring ' }, 7],
		[{ mode: 'url', value: 'Spring' }, 7],
		// n8n sets By ID when a column is dragged onto a picker.
		[{ mode: 'id', value: ' Spring ' }, 7],
		['Spring', 7],
	])('that holds %j picks %d, known once its name is looked up', async (held, picked) => {
		const { references, pick, id } = ofCampaign(held);
		expect(id).toThrow('campaignId was not picked');
		pick();
		if (picked === 7) expect(id).toThrow('campaignId was not picked, or not looked up');
		await references.lookUp(async (list, find) => await find(indexOf(named, list)), 'GET');
		expect(id()).toBe(picked);
	});

	test('that holds a name where no list has names, or a blank, is refused', () => {
		const references = new References({}, () => undefined);
		expect(() => {
			references.pick('qrCodeId', { mode: 'name', value: 'a' });
		}).toThrow('QR Code ID must be a positive whole number, but is "a"');
		expect(ofCampaign({ mode: 'name', value: ' ' }).pick).toThrow('Campaign is empty');
	});

	test.each([
		[{ mode: 'list', value: 'Spring' }, 'must be a positive whole number, but is "Spring"'],
		[{ mode: 'id', value: '4x' }, 'must be a positive whole number, but is "4x"'],
		[{ mode: 'id', value: '-Spring' }, undefined],
		[{ mode: 'id', value: '+.5' }, 'must be a positive whole number'],
		[{ mode: 'id', value: '..' }, 'must be a positive whole number'],
		[{ mode: 'id', value: '%2e' }, 'must be a positive whole number'],
		[{ mode: 'id', value: 'a4' }, undefined],
		[{ mode: 'id', value: '' }, 'must be a positive whole number, but is empty'],
	])('that holds %j is refused: %s', (held, message) => {
		const { pick } = ofCampaign(held);
		if (message === undefined) expect(pick).not.toThrow();
		else expect(pick).toThrow(message);
	});

	test('whose list has names says how to enter one', () => {
		const advice = (list: NamedList) => {
			const references = new References({ linkId: list }, () => undefined);
			try {
				references.pick('linkId', { mode: 'id', value: '0' });
			} catch (error) {
				return (error as Failure).advice;
			}
			return 'none';
		};
		expect(advice(campaigns)).toBe(
			'Pick one from the list, enter its ID, or switch the field to By Name',
		);
		expect(advice(links)).toBe(
			'Pick one from the list, enter its ID, or switch the field to By Short URL or Alias',
		);
	});

	test.each([
		['PUT', 7],
		['DELETE', 'There is no campaign "sPRING"'],
	] as const)('of a %s takes a near name: %j', async (method, outcome) => {
		const { references, pick, id } = ofCampaign({ mode: 'name', value: 'sPRING' });
		pick();
		const looked = references
			.lookUp(async (list, find) => await find(indexOf(named, list)), method)
			.then(id, (error: unknown) => (error as Failure).message);
		expect(await looked).toBe(outcome);
	});

	test.each([
		['GET', 'a', 1],
		['GET', 'go.example/a', 1],
		['POST', 'a', 2],
		['PUT', 'a', 2],
		['PUT', 'go.example/a', 1],
		['DELETE', 'a', 2],
		['DELETE', 'go.example/a', 2],
	] as const)('of a %s that holds %s has so many pages read: %d', async (method, value, pages) => {
		let requests = 0;
		const index = new RecordIndex(links, async (number) => {
			requests += 1;
			const urls = number === 1 ? [{ id: 7, shorturl: 'https://go.example/a' }] : [];
			const page = pageIn({ urls, maxpage: 2 }, 'urls');
			return await Promise.resolve(page);
		});
		const references = new References({ linkId: links }, () => undefined);
		references.pick('linkId', { mode: 'url', value });
		await references.lookUp(async (_list, find) => await find(index), method);
		expect(requests).toBe(pages);
	});

	test.each([
		['PUT', [], [7, 8]],
		['POST', [7], [8]],
		['DELETE', [], [8]],
	] as const)('is known by its names after a %s: %j, %j', async (method, spring7, autumn) => {
		const { references, pick } = ofCampaign({ mode: 'name', value: 'Spring' });
		pick();
		const index = indexOf(named, campaigns);
		await references.lookUp(async (_list, find) => await find(index), method);
		const idsOf = async (name: string) => (await index.all(name, true)).map((record) => record.id);
		references.note(() => index, { method, body: {}, ids: {} }, { name: 'Autumn' });
		expect([await idsOf('Spring'), await idsOf('Autumn')]).toEqual([[7], [8]]);
		const request = { method, body: { name: 'Autumn' }, ids: { campaignId: 7 } };
		references.note(() => index, request, { id: 99 });
		expect([await idsOf('Spring'), await idsOf('Autumn')]).toEqual([spring7, autumn]);
	});
});
