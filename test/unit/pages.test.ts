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
	const numbers = { total: 31, size: 15, number: 3, pages: 3 };
	const page = { ...numbers, isCapped: false, isLast: true, records: urls };
	const request = { page: 3, limit: 100 };
	expect(readPage({ data: { ...counts, urls } }, 'urls', request)).toEqual(page);
	expect(readPage({ ...counts, urls }, 'urls', request)).toEqual(page);
	expect(() => readPage({ data: {} }, 'urls', request)).toThrow('The response has no "urls"');
});

/** A page of `count` records; `page` and `limit` were asked for, `most` were on a page before, `first` came first. */
interface Shown extends Record<string, unknown> {
	count: number;
	page?: number;
	limit?: number;
	most?: number;
	first?: string;
	is: Partial<Page>;
}

test.each<Shown>([
	// The size of a page, and whether it is the last, where nothing is said.
	{ count: 100, is: { size: 100, isLast: undefined, isCapped: false } },
	{ count: 9, is: { size: 100, isLast: true } },
	{ count: 10, is: { size: 10, isLast: undefined } },
	{ count: 40, page: 2, most: 100, is: { size: 100, isLast: true, isCapped: false } },
	{ count: 0, is: { pages: undefined, isLast: true } },
	{ count: 0, limit: 0, is: { isLast: true } },
	{ count: 40, page: 3, most: 50, is: { size: 50, isLast: true } },
	{ count: 7, page: 3, most: 15, limit: 0, is: { size: 15, isLast: true } },
	// A size that is stated, or only the limit repeated.
	{ count: 14, perpage: 15, is: { size: 15, isLast: true } },
	{ count: 0, page: 2, perpage: 0, result: 5, is: { size: 100, isLast: true } },
	{ count: 50, perpage: 100, maxpage: 3, is: { size: 50, isLast: false } },
	{ count: 50, result: 120, is: { size: 50, total: 120, pages: 3, isLast: false } },
	// A size that only counts the records of the last page.
	{ count: 5, perpage: 5, result: 5, is: { size: 100, isLast: true } },
	{ count: 9, perpage: 9, result: 30, is: { size: 9, isLast: false } },
	{ count: 50, page: 3, perpage: 50, result: 250, most: 100, is: { size: 100, isLast: true } },
	{ count: 7, page: 3, limit: 0, perpage: 7, result: 37, most: 15, is: { size: 15, isLast: true } },
	{ count: 50, page: 3, perpage: 50, maxpage: 3, most: 100, is: { size: 100, isLast: true } },
	{ count: 5, page: 3, perpage: 15, maxpage: 3, most: 15, is: { size: 15, isLast: true } },
	// The last page, as a number says.
	{ count: 40, perpage: 100, maxpage: 1, is: { size: 100, isLast: true } },
	{ count: 40, result: 40, maxpage: 1, is: { total: 40 } },
	{ count: 40, page: 2, perpage: 100, maxpage: 2, result: 40, most: 30, is: { isLast: true } },
	{ count: 40, perpage: 100, nextpage: 1, is: { size: 100, isLast: true } },
	{ count: 40, page: 2, result: 140, is: { total: 140, isLast: true } },
	{ count: 9, maxpage: 6, is: { isLast: true, pages: 6 } },
	{ count: 0, page: 3, maxpage: 9, is: { isLast: true, pages: 2 } },
	{ count: 30, page: 2, maxpage: 1, currentpage: 2, most: 100, is: { isLast: true } },
	// A short page, although there are more records: `maxpage` may count pages of the limit.
	{ count: 30, page: 1, perpage: 100, maxpage: 1, result: 100, is: { isLast: undefined } },
	{ count: 30, page: 2, perpage: 30, maxpage: 2, result: 137, most: 30, is: { isLast: false } },
	{ count: 9, perpage: 100, maxpage: 1, result: 100, is: { isLast: true } },
	{ count: 10, perpage: 100, maxpage: 1, result: 100, is: { isLast: undefined } },
	// The size of the others, which the last page shows if the service ignores the limit.
	{ count: 50, page: 2, perpage: 100, maxpage: 2, result: 250, is: { size: 200, total: 250 } },
	{ count: 50, page: 2, maxpage: 2, result: 250, most: 200, is: { size: 200 } },
	{ count: 50, page: 2, result: 250, most: 200, is: { size: 200, isLast: true } },
	{ count: 50, page: 2, result: 250, most: 200, first: 'other', is: { size: 200 } },
	{ count: 50, page: 2, result: 250, most: 150, first: 'other', is: { size: 100 } },
	{ count: 50, page: 2, perpage: 40, maxpage: 2, result: 250, is: { size: 50 } },
	{ count: 50, page: 3, maxpage: 3, result: 255, is: { size: 100 } },
	// A full page, after which there may always be another.
	{ count: 100, page: 2, maxpage: 2, is: { isLast: undefined } },
	{ count: 100, page: 2, maxpage: 2, result: 200, is: { isLast: undefined } },
	{ count: 25, page: 4, maxpage: 6, result: 100, perpage: 25, is: { isLast: false } },
	{ count: 100, page: 2, nextpage: 3, result: 200, is: { isLast: undefined } },
	// A number of records that contradicts the page, or the number of pages.
	{ count: 100, page: 2, result: 100, is: { total: undefined } },
	{ count: 100, result: 100, is: { total: undefined, isLast: undefined } },
	{ count: 100, result: 95, maxpage: 1, is: { total: undefined } },
	{ count: 40, page: 3, result: 150, most: 100, is: { total: undefined } },
	{ count: 0, page: 3, result: 150, is: { total: 150 } },
	{ count: 100, result: 150, maxpage: 9, is: { pages: 2, isLast: false } },
	// Another page than was asked for, because the list has ended.
	{ count: 9, page: 3, currentpage: 1, is: { records: [], number: 3, pages: 2, isLast: true } },
	{ count: 100, page: 3, maxpage: 2, is: { records: [], isLast: true } },
	{ count: 100, page: 4, maxpage: 9, currentpage: 3, is: { number: 3, pages: 3, isLast: true } },
])('a page is understood: %j', ({ count, page = 1, limit = 100, most = 0, is, ...shown }) => {
	const { first, ...numbers } = shown;
	const body = { ...numbers, urls: many(count) } as IDataObject;
	expect(readPage(body, 'urls', { page, limit }, { mostRecords: most, first })).toMatchObject(is);
});

test('a page after the last one that is numbered counts, unless it is the first page again', () => {
	const shown = (first?: string) =>
		readPage(
			{ urls: idsOf(1, 2, 3), maxpage: 2 },
			'urls',
			{ page: 3, limit: 3 },
			{ mostRecords: 3, first },
		);
	expect([undefined, ' 1', ' 9'].map((first) => shown(first).records.length)).toEqual([0, 0, 3]);
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
		brought.push(error instanceof Failure ? error.explanation : String(error));
	}
	return brought;
}

const refused = new Failure({ kind: 'refused', message: 'No such page' });
const lost = new Failure({ kind: 'unreachable', message: 'Gone' });
const of = (...ids: unknown[]) => ({ urls: idsOf(...ids) });
const promised = { ...of(1, 2), maxpage: 9, nextpage: 9 };

const next = { ...promised, ...of(3, 4) };
const short = { ...promised, ...of(1) };
const last = (page: number) => ({ ...of(5), maxpage: page });
/** The pages, and what a walk brings of them. */
const WALKS: Record<string, [pages: Array<IDataObject | Error>, brought: string]> = {
	'a short page ends it': [[of(1, 2), of(3)], '1,2 | 3'],
	'a record that comes again is left out': [[of(1, 2), of(2, 3), of(4)], '1,2 | 3 | 4'],
	'a refused first page is a failure': [[refused], 'No such page.'],
	'a page that was not promised may be refused': [[of(1, 2), refused], '1,2'],
	'nextpage is no promise': [[{ ...of(1, 2), maxpage: 1, nextpage: 2 }, refused], '1,2'],
	'a page may not be lost': [[of(1, 2), lost], '1,2 | Gone.'],
	'nor may anything else go wrong': [[of(1, 2)], '1,2 | page 2.'],
	'a promise holds': [[{ ...of(1, 2), maxpage: 2 }, refused], '1,2 | No such page.'],
	'a page without news ends what promises none': [[of(1, 2), of(1, 2)], '1,2'],
	'a number of pages that is too low ends nothing': [
		[{ ...of(1, 2), result: 5, maxpage: 2 }, { ...of(3, 4), result: 5, maxpage: 2 }, of(5)],
		'1,2 | 3,4 | 5',
	],
	'a promised page may have moved': [[promised, promised, next, last(4)], '1,2 | 3,4 | 5'],
	'two of them are a service that repeats itself': [
		[promised, promised, promised],
		'1,2 | The list cannot be read to the end: page 3 repeats the pages before it. The service seems to ignore the page number. Set a Limit that fits on one page.',
	],
	'two of them after news are its end': [[promised, next, promised, promised], '1,2 | 3,4'],
	'two of them that are not full are the end, too': [[short, short, short], '1'],
	'an empty page ends no list that has more': [
		[{ ...of(1, 2), result: 5, maxpage: 3 }, of()],
		'1,2 | The list ended after 2 of 5 records. Try again in a minute: the service may be busy, or its count outdated.',
	],
	'nor an empty first page': [
		[{ ...of(), result: 5 }],
		'The list ended after 0 of 5 records. Try again in a minute: the service may be busy, or its count outdated.',
	],
	'an empty first page ends it, whatever it says': [[{ ...of(), maxpage: 3 }], ''],
	'a promised page may show an earlier one': [
		[promised, { ...promised, currentpage: 1 }, next, last(4)],
		'1,2 | 3,4 | 5',
	],
	'an empty page after a short one is the end': [
		[
			{ ...of(1), result: 5, maxpage: 3 },
			{ ...of(), result: 5, maxpage: 3 },
		],
		'1',
	],
	'a record that a page repeats is left out': [[of(1, 1), of(2, 2), of()], '1 | 2'],
	'two apart end nothing': [[promised, promised, next, promised, last(5)], '1,2 | 3,4 | 5'],
};

test.each(Object.entries(WALKS))('%s', async (_what, [pages, brought]) => {
	expect((await walk(pages)).join(' | ')).toBe(brought);
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
	const nothing = { isLast: undefined, isCapped: false, total: undefined, pages: undefined };
	const requestPage: RequestPage = async (number) => {
		const records = many(size).map(({ id }) => ({ id: number * size + Number(id) }));
		return await Promise.resolve({ records, number, size, ...nothing });
	};
	let read = 0;
	const all = async () => {
		for await (const _page of walkPages(requestPage, size)) read += 1;
	};
	const words =
		'The list has more than 20000 pages or 1000000 records. Set a Limit, or pick records';
	const explanation: unknown = expect.stringContaining(words);
	await expect(all()).rejects.toMatchObject({ kind: 'unreadable', explanation });
	expect(read).toBe(pages - 1);
});

describe('A service that refuses a limit', () => {
	type Refusal = Partial<Pick<Failure, 'kind' | 'httpCode'>>;

	/** What it was asked for, and a list of it. It refuses a limit above `accepts`. */
	function service(accepts: number, failure: Refusal = {}) {
		const asked: unknown[] = [];
		const limiter = {} as RateLimiter;
		const list = (path = '/api/urls') => {
			const source = { path, listName: 'urls', query: { order: 'date' } };
			return pagesOf({ limiter }, source, async ({ method, query }) => {
				asked.push(query);
				const limit = Number(query?.limit ?? 0);
				const refusal = { kind: 'refused', httpCode: 422, message: `No ${limit}` } as const;
				if (limit > accepts || method !== 'GET')
					throw new Failure({ ...refusal, ...failure } as typeof refusal);
				return await Promise.resolve({ body: of(1) } as unknown as ServiceResponse);
			});
		};
		const limits = () => asked.splice(0).map((query) => (query as IDataObject).limit);
		return { list, asked, limits };
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
		const { list, limits } = service(accepts);
		expect((await list()(1, limit)).records).toEqual([{ id: 1 }]);
		expect(limits()).toEqual(asked);
		await list()(2, limit);
		expect(limits()).toEqual(asked.slice(-1));
	});

	test('is asked for less if less is wanted, with the rest of the query, and each list for itself', async () => {
		const { list, asked } = service(50);
		await list()(1, 100);
		await list()(3, 7);
		await list('/api/pixels')(1, 100);
		const lowered = [100, 50].map((limit) => ({ order: 'date', limit, page: 1 }));
		expect(asked).toEqual([...lowered, { order: 'date', limit: 7, page: 3 }, ...lowered]);
	});

	test('of any size fails with its words for the first one', async () => {
		const { list, limits } = service(-1);
		for (let time = 0; time < 2; time += 1) {
			await expect(list()(1, 100)).rejects.toThrow('No 100');
			expect(limits()).toEqual([100, 50, 25, 10, undefined]);
		}
		await expect(list()(1, 0)).rejects.toThrow('No 0');
		expect(limits()).toEqual([undefined]);
	});

	test.each<[Refusal, page: number, limits: number[]]>([
		[{ httpCode: 499 }, 1, [100, 50]],
		[{ kind: 'unreadable', httpCode: 500 }, 1, [100, 50]],
		[{ kind: 'unavailable', httpCode: 504 }, 1, [100, 50]],
		[{ kind: 'unreachable' }, 1, [100, 50]],
		[{}, 2, [100]],
		[{ httpCode: 404 }, 1, [100]],
		[{ kind: 'unauthorized' }, 1, [100]],
	])('with %j on page %i is asked for %j', async (failure, page, asked) => {
		const { list, limits } = service(50, failure);
		await list()(page, 100).catch((error: unknown) => {
			expect([asked, error]).toMatchObject([[100], { message: 'No 100' }]);
		});
		expect(limits()).toEqual(asked);
	});

	test('after another limit is not expected to fill its pages as before', async () => {
		const list = { path: '/api/urls', listName: 'urls' };
		const takes = [100, 0];
		const requestPage = pagesOf({ limiter: {} as RateLimiter }, list, async ({ query }) => {
			const limit = Number(query?.limit ?? 0);
			if (!takes.includes(limit)) throw refused;
			const urls = many(limit || 15);
			return await Promise.resolve({ body: { urls } } as unknown as ServiceResponse);
		});
		await requestPage(1, 100);
		takes.shift();
		expect(await requestPage(1, 100)).toMatchObject({ size: 15, isLast: undefined });
	});

	test('with its words, although the time is up before a smaller one is tried', async () => {
		const list = { path: '/api/urls', listName: 'urls' };
		const late = new Failure({ kind: 'outOfTime', message: 'Late' });
		const requestPage = pagesOf({ limiter: {} as RateLimiter }, list, async ({ query }) => {
			return await Promise.reject(query?.limit === 100 ? refused : late);
		});
		await expect(requestPage(1, 100)).rejects.toThrow('No such page');
	});

	test.each([
		[{ count: 50, maxpage: 3 }, [100, 50]],
		[{ count: 50 }, [100, 100]],
		[{ count: 15, perpage: 15, maxpage: 9 }, [100, 100]],
	])('by lowering it to %j is asked for %j', async ({ count, ...numbers }, limits) => {
		const asked: unknown[] = [];
		const list = { path: '/api/urls', listName: 'urls' };
		const requestPage = pagesOf({ limiter: {} as RateLimiter }, list, async (request) => {
			asked.push([request.query?.limit, request.timeShare]);
			const data = { perpage: request.query?.limit, ...numbers, urls: many(count) };
			return await Promise.resolve({ body: { data } } as unknown as ServiceResponse);
		});
		for (const page of [1, 2]) await requestPage(page, 100);
		expect(asked).toEqual(limits.map((limit, at) => [limit, at === 0 ? 0.5 : 1]));
	});
});
