import type { IDataObject } from 'n8n-workflow';

import { campaigns } from '../../../../dist/nodes/LinkManagement/lists.js';
import type { Page, RequestPage } from '../../../../dist/nodes/shared/lists/pages.js';
import { pageIn } from '../../../../dist/nodes/shared/lists/pages.js';
import type { NamedList } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { RecordIndex } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { textIn } from '../../../../dist/nodes/shared/values/json.js';

/** Records found by their names, in a list that answers two at a time. */

const PAGE = 2;

const named: NamedList = {
	source: { path: '/api/things', listName: 'things' },
	what: 'thing',
	names: ({ name, other }) => [name, other].filter((each) => typeof each === 'string'),
	nameOf: (text) => text.toLowerCase(),
	isUnique: (name) => name.startsWith('one-'),
	label: ({ name }) => `thing ${JSON.stringify(name)}`,
};

const thing = (id: unknown, ...[name, other]: string[]): IDataObject =>
	({ id, name, other }) as IDataObject;

const pageOf = (things: IDataObject[], maxpage?: number, result?: number): Page =>
	pageIn({ things, maxpage, result }, 'things');

/** An index, the records that its list holds, and the pages that were asked for. */
function indexOf(records: IDataObject[], list: NamedList = named) {
	const asked: number[] = [];
	const requestPage: RequestPage = async (page) => {
		asked.push(page);
		const last = Math.max(1, Math.ceil(records.length / PAGE));
		const onPage = records.slice((page - 1) * PAGE, page * PAGE);
		return await Promise.resolve(pageOf(onPage, last, records.length));
	};
	const index = new RecordIndex(list, requestPage);
	const idsOf = async (text: string, toEnd = false) =>
		(await index.all(text, toEnd)).map(({ id }) => id);
	return { index, records, asked, idsOf };
}

const six = () => indexOf(['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => thing(at + 1, name)));

describe('A name that is not found', () => {
	const mistakenFor = jest.fn(({ url }: IDataObject) => [textIn(url) ?? '']);
	const things = [
		{ id: 1, name: 'Spring', url: 'https://A.example' },
		{ id: 2, name: 'Summer', url: 'b' },
		{ id: 3, name: 'SUMMER', url: 'c' },
	];
	const adviceFor = async (index: RecordIndex, text: string) =>
		await index.idOf(text, true).then(String, (error: unknown) => (error as Failure).advice);

	test('may be one in another case, or what is entered by mistake', async () => {
		const { index } = indexOf(things, { ...named, mistakenFor });
		expect(await adviceFor(index, 'sPRING')).toMatch(/^Did you mean "Spring"\? Enter it exactly/);
		expect(await adviceFor(index, 'https://a.EXAMPLE')).toMatch(/^Did you mean "Spring"/);
		expect(await adviceFor(index, 'summer')).toMatch(/^Did you mean "Summer"/);
		expect(await adviceFor(index, 'winter')).toMatch(/^Check its spelling; it may have been/);
	});

	test('may be one that was added, and none that was removed', async () => {
		const { index } = indexOf([...things], { ...named, mistakenFor });
		expect(await adviceFor(index, 'autumn')).toMatch(/^Check its spelling/);
		index.put({ id: 4, name: 'Autumn' });
		expect(await adviceFor(index, 'autumn')).toMatch(/^Did you mean "Autumn"/);
		index.remove(4);
		expect(await adviceFor(index, 'autumn')).toMatch(/^Check its spelling/);
		index.put({ id: 5, name: 'AUTUMN' });
		expect(await adviceFor(index, 'autumn')).toMatch(/^Did you mean "AUTUMN"/);
		index.put({ id: 5, name: 'FALL' });
		expect(await adviceFor(index, 'autumn')).toMatch(/^Check its spelling/);
		expect(await adviceFor(index, 'fall')).toMatch(/^Did you mean "FALL"/);
	});

	test('does not look at all records for each row', async () => {
		mistakenFor.mockClear();
		const label = jest.fn(() => 'a thing');
		const same = Array.from({ length: 40 }, (_, at) => thing(at + 1, 'same'));
		const { index } = indexOf(same, { ...named, mistakenFor, label });
		for (let row = 0; row < 20; row += 1) {
			await adviceFor(index, `row ${row}`);
			await expect(index.idOf('same', true)).rejects.toThrow(
				/^40 things are called "same": .*, …$/,
			);
		}
		expect(mistakenFor).toHaveBeenCalledTimes(40);
		expect(label).toHaveBeenCalledTimes(20 * 5);
	});
});

test('A record without a name is none, and one without an ID is replaced by the one that has it', async () => {
	const { index, idsOf } = indexOf([]);
	index.put({ id: 1, color: 'red' });
	expect(index.get(1)).toBeUndefined();
	for (const name of ['x', 'y']) index.put({ name });
	index.put({ id: 2, name: 'x', other: null });
	expect([await idsOf('x'), await idsOf('y')]).toEqual([[2], [undefined]]);
	index.put({ id: 2, name: null, other: 'z' });
	expect([await idsOf('x'), await idsOf('z')]).toEqual([[2], [2]]);
});

describe('The list', () => {
	test('of a service that never ends it fails every lookup, with the reason', async () => {
		const requestPage: RequestPage = async (page) =>
			await Promise.resolve(pageOf([thing(2 * page, 'a'), thing(2 * page + 1, 'b')], page + 1));
		const index = new RecordIndex(named, requestPage);
		const message = 'The list has more than 20000 pages or 1000000 records';
		await expect(index.find('c', false)).rejects.toThrow(message);
		await expect(index.idOf('d', true)).rejects.toThrow(message);
	});

	test.each([
		['refused', { kind: 'refused', httpCode: 422 }, 3],
		['not allowed', { kind: 'forbidden', httpCode: 403 }, 3],
		['not found', { kind: 'otherRefusal', httpCode: 404 }, 3],
		['not a list', { kind: 'unreadable' }, 3],
		['down', { kind: 'unavailable', httpCode: 503 }, 9],
		['too late for one row', { kind: 'outOfTime' }, 9],
	] as const)(
		'that is %s is asked for by no more than so many rows: %j, %i',
		async (_what, details, tries) => {
			let asked = 0;
			const failure = new Failure({ ...details, message: 'No list' });
			const index = new RecordIndex(
				named,
				async () => {
					asked += 1;
					return await Promise.reject(failure);
				},
				{ limit: 0 },
			);
			for (let row = 0; row < 9; row += 1)
				await expect(index.find('a', false)).rejects.toThrow('No list');
			expect(asked).toBe(tries);
		},
	);

	test('that is refused from time to time is read on', async () => {
		let asked = 0;
		const refused = new Failure({ kind: 'forbidden', message: 'Busy' });
		const index = new RecordIndex(named, async (page) => {
			asked += 1;
			if (asked % 3 !== 0) throw refused;
			return await Promise.resolve(
				pageOf([thing(2 * page, `n${page}`), thing(2 * page + 1, 'x')], page + 1),
			);
		});
		for (const page of [1, 2, 3]) {
			for (let row = 0; row < 2; row += 1)
				await expect(index.find(`n${page}`, false)).rejects.toThrow('Busy');
			expect(await index.find(`n${page}`, false)).toMatchObject({ id: 2 * page });
		}
	});

	test('that loses records whenever it is read is read twice', async () => {
		let asked = 0;
		const requestPage: RequestPage = async (page) => {
			asked += 1;
			if (asked > 50) throw new Error('again and again');
			return await Promise.resolve(
				pageOf(page < 4 ? [thing(page * 10, 'a'), thing(page * 10 + 1, 'b')] : [], 3, 100 - asked),
			);
		};
		expect(await new RecordIndex(named, requestPage).find('c', true)).toBeUndefined();
		expect(asked).toBeLessThan(20);
	});

	test('is not read before a name is asked for, then as far as that name', async () => {
		const { index, asked, idsOf } = six();
		expect(asked).toEqual([]);
		expect(await index.idOf('c', false)).toBe(3);
		expect(asked).toEqual([1, 2]);
		expect(await idsOf('a')).toEqual([1]);
		expect(await idsOf('d')).toEqual([4]);
		expect(asked).toEqual([1, 2]);
	});

	test('is read to its end, once, where a second record of the name would matter', async () => {
		const { index, asked } = six();
		expect(await index.find('a', true)).toMatchObject({ id: 1 });
		for (const toEnd of [true, false]) expect(await index.find('z', toEnd)).toBeUndefined();
		expect(asked).toEqual([1, 2, 3]);
	});

	test('is read once for all who ask at the same time', async () => {
		const { index, asked } = six();
		const names = ['f', 'a', 'c', 'z', 'f'];
		const found = await Promise.all(names.map(async (name) => await index.find(name, false)));
		expect(found.map((record) => record?.id)).toEqual([6, 1, 3, undefined, 6]);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('is read again, once, if deletions moved a record to a page that was read before', async () => {
		const { records, asked, idsOf } = six();
		expect(await idsOf('a')).toEqual([1]);
		records.splice(0, 1);
		expect([await idsOf('c'), await idsOf('z')]).toEqual([[3], []]);
		expect(asked).toEqual([1, 2, 3, 1, 2, 3]);
	});

	test('that cannot be read fails those who wait for it, and is read on by the next one', async () => {
		let requests = 0;
		const index = new RecordIndex(named, async (page) => {
			requests += 1;
			if (requests === 2) throw new Error('No list today');
			return await Promise.resolve(pageOf([thing(page, page === 1 ? 'a' : 'b')], 2));
		});
		const asked = ['b', 'c', 'a'].map(async (name) => await index.idOf(name, false));
		const statuses = (await Promise.allSettled(asked)).map(({ status }) => status);
		expect(statuses).toEqual(['rejected', 'rejected', 'fulfilled']);
		expect(await index.find('b', true)).toMatchObject({ id: 2 });
		expect(await index.find('a', true)).toMatchObject({ id: 1 });
		expect(requests).toBe(3);
	});
});

describe('A name', () => {
	test('is looked for as the list writes it, and may be one of two', async () => {
		const { index } = indexOf([thing(7, 'spring', 'one-spring')]);
		expect(await index.idOf('SPRING', false)).toBe(7);
		expect(await index.idOf('One-Spring', false)).toBe(7);
		const decomposed = indexOf([thing(8, 'größe'.normalize('NFD'))]);
		expect(await decomposed.index.idOf('Größe', false)).toBe(8);
		expect([index.isUnique('ONE-spring'), index.isUnique('spring')]).toEqual([true, false]);
	});

	test('counts as it is where the list says nothing else, and is never sure to be unique', async () => {
		const { index, idsOf } = indexOf([thing(1, 'Spring')], campaigns);
		expect([await idsOf('Spring'), await idsOf('spring')]).toEqual([[1], []]);
		expect(index.isUnique('one-spring')).toBe(false);
	});

	test('that no record has is an error that says what there is none of', async () => {
		await expect(six().index.idOf('Z', false)).rejects.toMatchObject({
			kind: 'refused',
			message: 'There is no thing "Z"',
		});
	});

	test('that several have is an error that tells the first five apart, the oldest first', async () => {
		const twins = (count: number) =>
			indexOf(Array.from({ length: count }, (_, at) => thing(String(count - at), 'twin')));
		const several = async (count: number) => await twins(count).index.find('twin', true);
		const said = [1, 2, 3, 4, 5].map((id) => `thing "twin" (ID ${id})`).join(', ');
		await expect(several(5)).rejects.toMatchObject({
			kind: 'refused',
			message: `5 things are called "twin": ${said}`,
		});
		await expect(several(6)).rejects.toThrow(`6 things are called "twin": ${said}, …`);
		expect((await twins(11).idsOf('twin', true)).slice(-2)).toEqual(['10', '11']);
	});

	test.each(['Spring', 'https://example.com/page'])(
		'that is near, %s, is suggested',
		async (text) => {
			const mistakable = {
				...campaigns,
				findsNear: false,
				mistakenFor: () => ['https://example.com/page'],
			};
			const { index } = indexOf([thing(1, 'spring')], mistakable);
			await expect(index.idOf(text, false)).rejects.toMatchObject({
				advice: 'Did you mean "spring"? Enter it exactly as in the service',
			});
		},
	);
});

describe('A near name', () => {
	const spring = { ...campaigns, mistakenFor: () => ['https://example.com/page'] };

	test('of one record is enough, unless it has to be exact, and another record counts only if it is exact', async () => {
		const { index } = indexOf([thing(1, 'Spring'), thing(2, 'SUMMER'), thing(3, 'summer')], spring);
		expect(await index.idOf('sPRING', true)).toBe(1);
		expect(await index.find('sPRING', true)).toMatchObject({ id: 1 });
		expect(await index.idOf('summer', true)).toBe(3);
		await expect(index.idOf('Summer', true)).rejects.toThrow(/^2 campaigns are called "Summer"/);
		await expect(index.idOf('spring', true, true)).rejects.toMatchObject({
			advice: 'Did you mean "Spring"? Enter it exactly as in the service',
		});
		await expect(index.idOf('https://example.com/page', true)).rejects.toThrow(/^There is no/);
		const twoNames = { ...spring, names: (record: IDataObject) => named.names(record) };
		expect(await indexOf([thing(4, 'Fall', 'Autumn')], twoNames).index.idOf('AUTUMN', true)).toBe(
			4,
		);
	});
});

describe('What the run writes', () => {
	test('is found although its page was read before, by its new name alone', async () => {
		const { index, asked, idsOf } = six();
		expect(await idsOf('a', true)).toEqual([1]);
		index.put(thing('1', 'new', 'one-new'));
		expect(await idsOf('a')).toEqual([]);
		for (const name of ['new', 'one-new']) expect(await idsOf(name)).toEqual(['1']);
		index.put(thing(9, 'new'));
		await expect(index.find('new', false)).rejects.toThrow(/^2 things/);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('keeps what it says nothing of', async () => {
		const { index, idsOf } = six();
		expect(await idsOf('a')).toEqual([1]);
		index.put({ id: 1, color: 'red', name: undefined });
		expect(await index.find('a', false)).toEqual({ ...thing(1, 'a'), color: 'red' });
		expect(index.get('1')).toEqual({ ...thing(1, 'a'), color: 'red' });
	});

	test('is found without an id until the list shows it', async () => {
		const { index, records, idsOf } = six();
		expect(await idsOf('new', true)).toEqual([]);
		index.put(thing(undefined, 'new'));
		expect(await idsOf('new')).toEqual([undefined]);
		records.push(thing(7, 'new'));
		await index.readNew();
		expect(await idsOf('new')).toEqual([7]);
	});

	test('is gone when it is removed, and its namesake stays', async () => {
		const { index, idsOf } = indexOf([thing(1, 'a', 'a'), thing(2, 'a'), thing(3, 'b')]);
		expect(await idsOf('a', true)).toEqual([1, 2]);
		index.remove(1);
		index.remove(1);
		index.remove(99);
		expect(await index.idOf('a', true)).toBe(2);
		index.remove(2);
		expect(await idsOf('a')).toEqual([]);
		expect(await idsOf('b')).toEqual([3]);
	});

	test('is what counts of a record that comes once more on a later page', async () => {
		const { index, records, idsOf } = six();
		expect(await idsOf('b')).toEqual([2]);
		index.put(thing(2, 'new'));
		records.unshift(thing(7, 'g'));
		expect(await idsOf('f')).toEqual([6]);
		expect([await idsOf('b'), await idsOf('new')]).toEqual([[], [2]]);
	});
});

describe('New records', () => {
	const things = (...ids: number[]) => ids.map((id) => thing(id, `n${id}`));
	/** What a list holds, what is added where, and the pages that are read for it. */
	test.each([
		['the newest first', [6, 5, 4, 3, 2, 1], 0, [7], [1]],
		['the newest first, and many', [6, 5, 4, 3, 2, 1], 0, [10, 9, 8, 7], [1, 2, 3]],
		['the oldest first', [1, 2, 3, 4, 5, 6], 6, [7], [3, 4]],
		['the oldest first, on a page that is not full', [1, 2, 3], 3, [7], [2]],
		['no order', [1, 5, 3, 4, 2, 6], 4, [7], [1, 2, 3, 4]],
		['one record', [1], 0, [7], [1]],
	])('are read where they stand, in a list with %s', async (_order, ids, at, added, pages) => {
		const { index, records, asked, idsOf } = indexOf(things(...ids));
		await index.find('none', true);
		records.splice(at, 0, ...things(...added));
		asked.length = 0;
		await index.readNew();
		expect(asked).toEqual(pages);
		for (const id of added) expect(await idsOf(`n${id}`)).toEqual([id]);
	});

	test('are found where deletions have moved the end of the list', async () => {
		const { index, records, idsOf } = indexOf(things(1, 2, 3, 4, 5, 6));
		await index.find('none', true);
		records.splice(0, 6, ...things(5, 7));
		await index.readNew();
		expect(await idsOf('n7')).toEqual([7]);
	});
});
