import type { IDataObject } from 'n8n-workflow';

import type { RateLimiter } from '../../dist/nodes/shared/http/rateLimiter.js';
import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { Page } from '../../dist/nodes/shared/lists/pages.js';
import { hasMore, pagesOf, readPage, walkPages } from '../../dist/nodes/shared/lists/pages.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';

test('a page is read with its envelope under `data` or at the top, numbers as strings', () => {
	const urls = [{ id: 1 }];
	const counts = { result: '42', perpage: '15', maxpage: '3', nextpage: '2', currentpage: '1' };
	const page = { total: 42, perPage: 15, currentPage: 1, maxPage: 3, nextPage: 2, records: urls };
	expect(readPage({ data: { ...counts, urls } }, 'urls', 100)).toEqual(page);
	expect(readPage({ ...counts, urls }, 'urls', 100)).toEqual(page);
	expect(readPage({ urls }, 'urls', 100).perPage).toBe(100);
	expect(readPage({ urls }, 'urls', 0).perPage).toBe(1);
	expect(() => readPage({ data: {} }, 'urls', 100)).toThrow('The answer holds no "urls"');
});

const records = (...ids: unknown[]): IDataObject[] => ids.map((id) => ({ id }) as IDataObject);
const page = (more: Partial<Page>): Page => ({
	records: records(1, 2),
	perPage: 2,
	maxPage: undefined,
	nextPage: undefined,
	...more,
});

test.each([
	[{ records: [], maxPage: 9 }, false],
	[{ maxPage: 6 }, true],
	[{ maxPage: 6, records: records(1) }, true],
	[{ maxPage: 5 }, false],
	[{ maxPage: 5, nextPage: 5 }, false],
	[{ maxPage: 5, nextPage: 6 }, true],
	[{ maxPage: 5, nextPage: 6, records: records(1) }, false],
	[{ nextPage: 6 }, true],
	[{ nextPage: 5 }, false],
	[{}, true],
	[{ records: records(1) }, false],
	[{ records: records(1, 2, 3) }, true],
])('behind page 5 of %j stands another one: %s', (members, expected) => {
	expect(hasMore(page(members), 5)).toBe(expected);
});

/** What a walk brings of these pages, and why it ended. */
async function walk(pages: Array<Partial<Page> | Error>, first = 1): Promise<unknown[]> {
	const brought: unknown[] = [];
	const requestPage = async (number: number): Promise<Page> => {
		const answer = pages[number - 1] ?? new Error(`page ${number}`);
		if (answer instanceof Error) throw answer;
		return await Promise.resolve(page(answer));
	};
	try {
		for await (const fresh of walkPages(requestPage, 2, first))
			brought.push(fresh.map(({ id }) => id));
	} catch (error) {
		brought.push(String(error));
	}
	return brought;
}

const refused = new Failure({ kind: 'refused', message: 'No such page' });
const lost = new Failure({ kind: 'unreachable', message: 'Gone' });
const of = (...ids: unknown[]) => ({ records: records(...ids) });
const promised = { maxPage: 9, nextPage: 9 };

test.each<[string, Array<Partial<Page> | Error>, unknown[]]>([
	['a short page ends it', [of(1, 2), of(3)], [[1, 2], [3]]],
	['a record that comes again is left out', [of(1, 2), of(2, 3), of(4)], [[1, 2], [3], [4]]],
	['a refused first page is a failure', [refused], ['Failure: No such page']],
	['a page that was not promised may be refused', [of(1, 2), refused], [[1, 2]]],
	['nor does a nextpage promise it', [{ maxPage: 1, nextPage: 2 }, refused], [[1, 2]]],
	['a page that was not promised may not be lost', [of(1, 2), lost], [[1, 2], 'Failure: Gone']],
	['nor may anything else go wrong', [of(1, 2)], [[1, 2], 'Error: page 2']],
	[
		'a promised page may not be refused',
		[{ maxPage: 2 }, refused],
		[[1, 2], 'Failure: No such page'],
	],
	['a page without news ends what promises none', [of(1, 2), of(1, 2)], [[1, 2]]],
	[
		'a promised page without news may be one that moved',
		[promised, promised, { ...of(3, 4), ...promised }, { ...of(5), maxPage: 4 }],
		[[1, 2], [3, 4], [5]],
	],
	[
		'two of them are a service that repeats itself',
		[promised, promised, promised],
		[[1, 2], expect.stringMatching('page 3 holds nothing that was not on the pages before$')],
	],
	[
		'two of them behind two with news are its end',
		[promised, { ...of(3, 4), ...promised }, promised, promised],
		[
			[1, 2],
			[3, 4],
		],
	],
	[
		'two of them that are not full are the end, too',
		Array.from({ length: 3 }, () => ({ ...of(1), ...promised })),
		[[1]],
	],
	[
		'two that stand apart end nothing',
		[promised, promised, { ...of(3, 4), ...promised }, promised, { ...of(5), maxPage: 5 }],
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
	const all = [link, { name: 'a' }, { name: 'b' }];
	const others = [{ id: 1, type: 'qr' }, { name: 'c' }];
	const pages = [
		{ records: all, perPage: 3 },
		{ records: [{ ...link, clicks: 5 }, { name: 'a' }, ...others], perPage: 9 },
	];
	const brought = [];
	for await (const fresh of walkPages(
		async (at) => await Promise.resolve(page(pages[at - 1] ?? {})),
		4,
	)) {
		brought.push(fresh);
	}
	expect(brought).toEqual([all, others]);
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
		['for it is broken', 1, { httpCode: 500 }],
		['by a refused key', 1, { kind: 'unauthorised' as const }],
	])('%s is not asked for less', async (_why, at, failure) => {
		const { of, limits } = listOf(50, failure);
		await expect(of()(at, 100)).rejects.toThrow('No 100');
		expect(limits()).toEqual([100]);
	});

	test('with a status of its own kind may mean the limit', async () => {
		const { of, limits } = listOf(50, { httpCode: 499 });
		await of()(1, 100);
		expect(limits()).toEqual([100, 50]);
	});
});
