import * as fc from 'fast-check';

import type { Page } from '../../dist/nodes/shared/lists/pages.js';
import { readPage, walkPages } from '../../dist/nodes/shared/lists/pages.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';

type NextPage = 'null' | 'same' | 'plusOne' | 'zero' | 'absent';
type Beyond = 'empty' | 'error' | 'last';

interface ListServer {
	ids: number[];
	cap?: number;
	nextPage?: NextPage;
	beyond?: Beyond;
	/** Changes the list after each page. */
	meanwhile?: (ids: number[]) => number[];
	maxPage?: (honest: number) => number | undefined;
}

/** A list as the documents leave it open; counts its requests. */
function listServer({
	ids,
	cap = Infinity,
	nextPage = 'same',
	beyond = 'empty',
	meanwhile = (list) => list,
	maxPage = (honest) => honest,
}: ListServer) {
	let current = ids;
	const state = { requests: 0 };
	const ask = async (number: number, asked: number): Promise<Page> => {
		state.requests += 1;
		const perPage = Math.min(asked, cap);
		const last = Math.max(1, Math.ceil(current.length / perPage));
		if (number > last && beyond === 'error')
			throw new Failure({ kind: 'refused', message: 'No such page' });
		const shown = number > last && beyond === 'last' ? last : number;
		const records = current.slice((shown - 1) * perPage, shown * perPage).map((id) => ({ id }));
		const next = { null: undefined, absent: undefined, same: number, plusOne: number + 1, zero: 0 }[
			nextPage
		];
		current = meanwhile(current);
		return await Promise.resolve({
			records,
			perPage,
			maxPage: maxPage(last),
			nextPage: number < last ? number + 1 : next,
		});
	};
	return { ask, state };
}

async function readAll(
	ask: Parameters<typeof walkPages>[0],
	perPage: number,
	wanted = Infinity,
): Promise<number[]> {
	const ids: number[] = [];
	for await (const records of walkPages(ask, perPage)) {
		ids.push(...records.map(({ id }) => Number(id)));
		if (ids.length >= wanted) break;
	}
	return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const NEXT_PAGES: NextPage[] = ['null', 'same', 'plusOne', 'zero', 'absent'];
const BEYOND: Beyond[] = ['empty', 'error', 'last'];

test('every record comes once, in the order of the list, whatever the service does on and behind the last page', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat(60),
			fc.integer({ min: 1, max: 30 }),
			fc.option(fc.integer({ min: 1, max: 20 }), { nil: Infinity }),
			fc.constantFrom(...NEXT_PAGES),
			fc.constantFrom(...BEYOND),
			async (count, perPage, cap, nextPage, beyond) => {
				const { ask, state } = listServer({ ids: upTo(count), cap, nextPage, beyond });
				expect(await readAll(ask, perPage)).toEqual(upTo(count));
				const pages = Math.max(1, Math.ceil(count / Math.min(perPage, cap)));
				// One more, where the last page is full and claims that another follows.
				expect(state.requests - pages).toBeLessThanOrEqual(nextPage === 'plusOne' ? 1 : 0);
			},
		),
	);
});

test('a limit takes no more pages than it needs', async () => {
	const { ask, state } = listServer({ ids: upTo(500) });
	expect(await readAll(ask, 100, 130)).toHaveLength(200);
	expect(state.requests).toBe(2);
});

test('records added or removed between pages never come twice', async () => {
	let id = 1000;
	const added = listServer({ ids: upTo(50), meanwhile: (list) => [(id += 1), (id += 1), ...list] });
	const ids = await readAll(added.ask, 10);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toEqual(upTo(50));
	const removed = listServer({ ids: upTo(50), meanwhile: (list) => list.slice(1) });
	const rest = await readAll(removed.ask, 10);
	expect(new Set(rest).size).toBe(rest.length);
});

test('a whole page of new records in front does not end the list early', async () => {
	let id = 1000;
	const { ask } = listServer({
		ids: upTo(30),
		meanwhile: (list) => (id > 1000 ? list : [...upTo(10).map(() => (id += 1)), ...list]),
	});
	expect(await readAll(ask, 10)).toEqual(upTo(30));
});

describe('a maxpage that lies', () => {
	test('low is overruled by a full page whose nextpage leads on', async () => {
		const { ask } = listServer({ ids: upTo(35), maxPage: () => 1, nextPage: 'null' });
		expect(await readAll(ask, 10)).toEqual(upTo(35));
	});

	test('high costs one request', async () => {
		const { ask, state } = listServer({ ids: upTo(20), maxPage: () => 99 });
		expect(await readAll(ask, 10)).toEqual(upTo(20));
		expect(state.requests).toBe(3);
	});

	test('high, with the last page again and again, costs two', async () => {
		const { ask, state } = listServer({ ids: upTo(20), maxPage: () => 99, beyond: 'last' });
		expect(await readAll(ask, 10)).toEqual(upTo(20));
		expect(state.requests).toBe(4);
	});
});

test('a failure in the middle of a list is a failure, not its end', async () => {
	let requests = 0;
	const ask = async (): Promise<Page> => {
		requests += 1;
		if (requests === 2) throw new Failure({ kind: 'refused', message: 'Key revoked' });
		return await Promise.resolve({
			records: [{ id: requests }],
			perPage: 1,
			maxPage: 3,
			nextPage: 2,
		});
	};
	await expect(readAll(ask, 1)).rejects.toThrow('Key revoked');
});

test('a page is read with its envelope under `data` or at the top, numbers as strings', () => {
	const envelope = {
		result: '42',
		perpage: '15',
		maxpage: '3',
		nextpage: '2',
		currentpage: '1',
		urls: [{ id: 1 }],
	};
	const page = {
		records: [{ id: 1 }],
		total: 42,
		perPage: 15,
		currentPage: 1,
		maxPage: 3,
		nextPage: 2,
	};
	expect(readPage({ data: envelope }, 'urls', 100)).toEqual(page);
	expect(readPage(envelope, 'urls', 100)).toEqual(page);
	expect(() => readPage({ data: {} }, 'urls', 100)).toThrow('The answer holds no "urls"');
});
