import type { IDataObject } from 'n8n-workflow';

import { campaigns, links, linksByLongUrl } from '../../dist/nodes/LinkManagement/lists.js';
import type { NamedList } from '../../dist/nodes/shared/lists/recordIndex.js';
import { RecordIndex } from '../../dist/nodes/shared/lists/recordIndex.js';
import { References } from '../../dist/nodes/shared/operations/references.js';

/** What the locators of an item stand for, in lists of one page. */

const indexOf = (records: IDataObject[], list: NamedList): RecordIndex =>
	new RecordIndex(list, async () => {
		const page = { records, perPage: 100, maxPage: 1, nextPage: undefined };
		return await Promise.resolve(page);
	});

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
		['https://', undefined],
		['go.example/', undefined],
		['Größe', undefined],
	])('is found by %s', async (text, id) => {
		const found = await indexOf([spring, other], links).find(text, true);
		expect(found?.id).toBe(id);
	});

	test.each([
		['https://example.com', 1],
		['https://EXAMPLE.com/', 1],
		['no address', 2],
		['https://example.com/?a', undefined],
	])('leads to %s', async (text, id) => {
		const index = indexOf(
			[
				{ id: 1, longurl: 'https://example.com/' },
				{ id: 2, longurl: 'no address' },
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
		await references.resolve(() => indexOf([{ id: 7, name: 'Spring' }], campaigns), 'GET');
		expect(id()).toBe(7);
	});

	test('that holds a name is refused where no list has names', () => {
		const references = new References({}, () => undefined);
		expect(() => references.id('qrCodeId', { mode: 'name', value: 'a' })).toThrow(
			'QR Code ID must be a positive whole number, but is "a"',
		);
	});

	test.each([
		['PUT', [7]],
		['POST', [8]],
		['DELETE', []],
	] as const)('is known by what a %s made of it', async (method, ids) => {
		const { references, id } = ofCampaign({ mode: 'name', value: 'Spring' });
		id();
		const index = indexOf(
			[
				{ id: 7, name: 'Spring' },
				{ id: 8, name: 'Autumn' },
			],
			campaigns,
		);
		await references.resolve(() => index, method);
		references.note(() => index, { ...request, method, ids: {} }, { name: 'No' });
		expect(await index.idOf('Spring', true)).toBe(7);
		if (method === 'PUT') index.remove(8);
		references.note(() => index, { ...request, method, body: { name: 'Autumn' } }, { id: 99 });
		if (method === 'DELETE') index.remove(8);
		expect((await index.all('Autumn', true)).map((record) => record.id)).toEqual(ids);
	});
});
