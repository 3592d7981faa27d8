import type { IDataObject } from 'n8n-workflow';

import type { RateLimiter } from '../../dist/nodes/shared/http/rateLimiter.js';
import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { Page, RequestPage } from '../../dist/nodes/shared/lists/pages.js';
import { pagesOf, readPage, walkPages } from '../../dist/nodes/shared/lists/pages.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';

const idsOf = (...ids: unknown[]): IDataObject[] => ids.map((id) => ({ id }) as IDataObject);
const many = (count: number): IDataObject[] =>
	idsOf(...Array.from({ length: count }, (_, at) => at));

test('a page is read with its envelope under `data` or at the top, numbers as strings', () => {
	const urls = idsOf(1);
	const counts = { result: '31', perpage: '15', maxpage: '3', nextpage: '3', currentpage: '3' };
	const page = {
		total: 31,
		size: 15,
		isCapped: false,
		number: 3,
		pages: 3,
		isLast: true,
		records: urls,
	};
	const request = { page: 3, limit: 100 };
	expect(readPage({ data: { ...counts, urls } }, 'urls', request)).toEqual(page);
	expect(readPage({ ...counts, urls }, 'urls', request)).toEqual(page);
	expect(() => readPage({ data: {} }, 'urls', request)).toThrow('The response has no "urls"');
});

/** `count` records on page `page` with these numbers, after a page with `most` records, for a `limit` of 100. */
interface Shown extends IDataObject {
	count: number;
	page?: number;
	limit?: number;
	most?: number;
}

test.each<[what: string, shown: Shown, is: Partial<Page>]>([
	['a full page with nothing said', { count: 100 }, { size: 100, isLast: undefined }],
	['a short page with nothing said', { count: 9 }, { size: 100, isLast: true }],
	['one that may be capped', { count: 10 }, { size: 10, isLast: undefined }],
	['one after a full page', { count: 40, page: 2, most: 100 }, { size: 100, isLast: true }],
	['one after a capped page', { count: 40, page: 3, most: 50 }, { size: 50, isLast: true }],
	[
		'the same without a limit',
		{ count: 7, page: 3, most: 15, limit: 0 },
		{ size: 15, isLast: true },
	],
	['a cap that is told', { count: 14, perpage: 15 }, { size: 15, isLast: true }],
	[
		'perpage that echoes the limit',
		{ count: 50, perpage: 100, maxpage: 3 },
		{ size: 50, isLast: false },
	],
	[
		'perpage that is missing',
		{ count: 50, result: 120 },
		{ size: 50, total: 120, pages: 3, isLast: false },
	],
	['the end by maxpage', { count: 40, perpage: 100, maxpage: 1 }, { size: 100, isLast: true }],
	['the end by nextpage', { count: 40, perpage: 100, nextpage: 1 }, { size: 100, isLast: true }],
	[
		'the end by result alone',
		{ count: 40, page: 2, result: 140 },
		{ size: 100, total: 140, isLast: true },
	],
	[
		'a full page that is the last by maxpage',
		{ count: 100, page: 2, maxpage: 2 },
		{ isLast: undefined },
	],
	['the same by result', { count: 100, page: 2, maxpage: 2, result: 200 }, { isLast: true }],
	['a nextpage that leads on', { count: 100, page: 2, nextpage: 3, result: 200 }, { isLast: true }],
	[
		'a result of the page',
		{ count: 100, page: 2, result: 100 },
		{ total: undefined, isLast: undefined },
	],
	[
		'a result of the first page',
		{ count: 100, result: 100 },
		{ total: undefined, isLast: undefined },
	],
	[
		'a result that is outdated',
		{ count: 100, result: 95, maxpage: 1 },
		{ total: undefined, isLast: undefined },
	],
	[
		'a maxpage that is outdated',
		{ count: 30, page: 2, maxpage: 1, currentpage: 2, most: 100 },
		{ isLast: true, pages: undefined },
	],
	['a short page that should be full', { count: 9, maxpage: 6 }, { isLast: true, pages: 6 }],
	['an empty page', { count: 0, page: 3, maxpage: 9 }, { isLast: true, pages: 2 }],
	[
		'page 1 after the end',
		{ count: 100, page: 3, currentpage: 1 },
		{ records: [], number: 3, pages: 2, isLast: true },
	],
	[
		'the same, if only maxpage says so',
		{ count: 100, page: 3, maxpage: 2 },
		{ records: [], isLast: true },
	],
	[
		'another page than the one asked for',
		{ count: 100, page: 4, maxpage: 9, currentpage: 3 },
		{ number: 3, pages: 3, isLast: true },
	],
	[
		'a list of which result and maxpage differ',
		{ count: 100, result: 150, maxpage: 9 },
		{ pages: 2, isLast: false },
	],
])('%s', (_what, { count, page = 1, limit = 100, most = 0, ...numbers }, is) => {
	const read = readPage({ ...numbers, urls: many(count) }, 'urls', { page, limit }, most);
	expect(read).toMatchObject(is);
});

/** What a walk brings of these pages of two records, and why it ended. */
async function walk(pages: Array<IDataObject | Error>, first = 1, limit = 2): Promise<unknown[]> {
	const brought: unknown[] = [];
	const list = { path: '/api/urls', listName: 'urls' };
	const requestPage = pagesOf({ limiter: {} as RateLimiter }, list, async ({ query }) => {
		const page = pages[Number(query?.page) - 1] ?? new Error(`page ${Number(query?.page)}`);
		if (page instanceof Error) throw page;
		return await Promise.resolve({ body: page } as unknown as ServiceResponse);
	});
	try {
		for await (const fresh of walkPages(requestPage, limit, first)) {
			brought.push(fresh.map(({ id, name }) => id ?? name));
		}
	} catch (error) {
		brought.push(String(error));
	}
	return brought;
}

const refused = new Failure({ kind: 'refused', message: 'No such page' });
const lost = new Failure({ kind: 'unreachable', message: 'Gone' });
const of = (...ids: unknown[]) => ({ urls: idsOf(...ids) });
const promised = { ...of(1, 2), maxpage: 9, nextpage: 9 };

test.each<[string, Array<IDataObject | Error>, unknown[]]>([
	['a short page ends it', [of(1, 2), of(3)], [[1, 2], [3]]],
	['a record that comes again is left out', [of(1, 2), of(2, 3), of(4)], [[1, 2], [3], [4]]],
	['a refused first page is a failure', [refused], ['Failure: No such page']],
	['a page that was not promised may be refused', [of(1, 2), refused], [[1, 2]]],
	['nor does a nextpage promise it', [{ ...of(1, 2), maxpage: 1, nextpage: 2 }, refused], [[1, 2]]],
	['a page that was not promised may not be lost', [of(1, 2), lost], [[1, 2], 'Failure: Gone']],
	['nor may anything else go wrong', [of(1, 2)], [[1, 2], 'Error: page 2']],
	[
		'a promised page may not be refused',
		[{ ...of(1, 2), maxpage: 2 }, refused],
		[[1, 2], 'Failure: No such page'],
	],
	['a page without news ends what promises none', [of(1, 2), of(1, 2)], [[1, 2]]],
	[
		'a promised page without news may be one that moved',
		[promised, promised, { ...promised, ...of(3, 4) }, { ...of(5), maxpage: 4 }],
		[[1, 2], [3, 4], [5]],
	],
	[
		'two of them are a service that repeats itself',
		[promised, promised, promised],
		[[1, 2], expect.stringMatching('page 3 repeats the pages before it$')],
	],
	[
		'two of them behind two with news are its end',
		[promised, { ...promised, ...of(3, 4) }, promised, promised],
		[
			[1, 2],
			[3, 4],
		],
	],
	[
		'two of them that are not full are the end, too',
		Array.from({ length: 3 }, () => ({ ...promised, ...of(1) })),
		[[1]],
	],
	[
		'two that stand apart end nothing',
		[promised, promised, { ...promised, ...of(3, 4) }, promised, { ...of(5), maxpage: 5 }],
		[[1, 2], [3, 4], [5]],
	],
])('%s', async (_what, pages, brought) => {
	expect(await walk(pages)).toEqual(brought);
});

test('a page that an earlier reading got to may be gone', async () => {
	expect(await walk([of(1, 2), refused], 2)).toEqual([]);
});

test('records are told apart by type and id, or by all they say', async () => {
	const link = { id: 1, type: 'links' };
	const first = [link, { name: 'a' }, { name: 'b' }];
	const second = [{ ...link, clicks: 5 }, { name: 'a' }, { id: 1, type: 'qr' }, { name: 'c' }];
	const pages = [
		{ urls: first, maxpage: 2 },
		{ urls: second, maxpage: 2 },
	];
	expect(await walk(pages, 1, 9)).toEqual([
		[1, 'a', 'b'],
		[1, 'c'],
	]);
});

test.each([
	['pages', 20_001, 1],
	['records', 1001, 1000],
])('a list of too many %s is an error', async (_what, pages, size) => {
	const requestPage: RequestPage = async (number) => {
		const records = Array.from({ length: size }, (_, at) => ({ id: number * size + at }));
		return await Promise.resolve({
			...{ records, number, size, isLast: undefined },
			...{ isCapped: false, total: undefined, pages: undefined },
		});
	};
	let read = 0;
	const all = async () => {
		for await (const _page of walkPages(requestPage, size)) read += 1;
	};
	await expect(all()).rejects.toThrow('The list has more than 20000 pages or 1000000 records');
	expect(read).toBe(pages - 1);
});

describe('A service that refuses a limit', () => {
	/** What it is asked for, and how it answers: refusing all above `accepts`, or as `failure` says. */
	function listOf(
		accepts: number,
		failure: Partial<Pick<Failure, 'kind'> & { httpCode: number }> = {},
	) {
		const asked: unknown[] = [];
		const limiter = {} as RateLimiter;
		const of = (path = '/api/urls') =>
			pagesOf(
				{ limiter },
				{ path, listName: 'urls', query: { order: 'date' } },
				async ({ method, query }) => {
					asked.push(query);
					const limit = Number(query?.limit ?? 0);
					if (limit > accepts || method !== 'GET') {
						throw new Failure({
							kind: 'refused',
							httpCode: 422,
							message: `No ${limit}`,
							...failure,
						});
					}
					return await Promise.resolve({
						body: { urls: [{ id: 1 }] },
					} as unknown as ServiceResponse);
				},
			);
		const limits = () => asked.splice(0).map((query) => (query as IDataObject).limit);
		return { of, asked, limits };
	}

	test.each([
		[100, 100, [100]],
		[60, 100, [100, 50]],
		[50, 100, [100, 50]],
		[25, 100, [100, 50, 25]],
		[10, 50, [50, 25, 10]],
		[9, 100, [100, 50, 25, 10, undefined]],
		[9, 10, [10, undefined]],
	])('above %i is asked for %i, then for less', async (accepts, limit, asked) => {
		const { of, limits } = listOf(accepts);
		expect((await of()(1, limit)).records).toEqual([{ id: 1 }]);
		expect(limits()).toEqual(asked);
		await of()(2, limit);
		expect(limits()).toEqual(asked.slice(-1));
	});

	test('is asked for less than it accepts where less is wanted, and anew for another list', async () => {
		const { of, limits } = listOf(50);
		await of()(1, 100);
		await of()(1, 7);
		await of('/api/pixels')(1, 100);
		expect(limits()).toEqual([100, 50, 7, 100, 50]);
	});

	test('keeps the rest of the query', async () => {
		const { of, asked } = listOf(9);
		await of()(3, 9);
		await of()(1, 10);
		expect(asked).toEqual([
			{ order: 'date', limit: 9, page: 3 },
			{ order: 'date', limit: 10, page: 1 },
			{ order: 'date', page: 1 },
		]);
	});

	test('in whatever form is told its own words for the first one', async () => {
		const { of, limits } = listOf(-1);
		for (let time = 0; time < 2; time += 1) {
			await expect(of()(1, 100)).rejects.toThrow('No 100');
			expect(limits()).toEqual([100, 50, 25, 10, undefined]);
		}
		await expect(of()(1, 0)).rejects.toThrow('No 0');
		expect(limits()).toEqual([undefined]);
	});

	test.each([
		['on a later page', 2, {}],
		['for there is none', 1, { httpCode: 404 }],
		['by a refused key', 1, { kind: 'unauthorised' as const }],
	])('%s is not asked for less', async (_why, at, failure) => {
		const { of, limits } = listOf(50, failure);
		await expect(of()(at, 100)).rejects.toThrow('No 100');
		expect(limits()).toEqual([100]);
	});

	test.each([
		['a status of its own', { httpCode: 499 }],
		['an error page', { kind: 'unreadable' as const, httpCode: 500 }],
		['an outage', { kind: 'unavailable' as const, httpCode: 504 }],
		['a timeout', { kind: 'unreachable' as const }],
	])('with %s may mean the limit', async (_what, failure) => {
		const { of, limits } = listOf(50, failure);
		await of()(1, 100);
		expect(limits()).toEqual([100, 50]);
	});

	test('by lowering it is asked for what fits on a page', async () => {
		const asked: unknown[] = [];
		const list = { path: '/api/urls', listName: 'urls' };
		const requestPage = pagesOf({ limiter: {} as RateLimiter }, list, async ({ query }) => {
			asked.push(query);
			const data = { urls: many(50), perpage: query?.limit, maxpage: 3 };
			return await Promise.resolve({ body: { data } } as unknown as ServiceResponse);
		});
		for (const page of [1, 2]) await requestPage(page, 100);
		expect(asked).toEqual([
			{ limit: 100, page: 1 },
			{ limit: 50, page: 2 },
		]);
	});
});
