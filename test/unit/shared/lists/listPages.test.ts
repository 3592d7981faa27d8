import type { IDataObject } from 'n8n-workflow';

import { LIST_START, pagesOf } from '../../../../dist/nodes/shared/lists/listPages.js';
import { LARGEST_PAGE, pageIn, requestPage } from '../../../../dist/nodes/shared/lists/pages.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';

/** Where a list ends, whatever the numbers beside its records say: a walk through its pages reads each record once. */

const SOURCE = { path: '/api/urls', listName: 'urls' };

const FAILURES: Record<string, Failure> = {
	422: new Failure({ kind: 'refused', httpCode: 422, message: 'No such page' }),
	404: new Failure({ kind: 'otherRefusal', httpCode: 404, message: 'Not found' }),
	500: new Failure({ kind: 'serverError', httpCode: 500, message: 'Failed' }),
};

/** What is behind a page in the tables: `1-20 r60 m4` has these IDs, 60 as `result` and 4 as `maxpage`. @throws Failure */
function pageOf(written: string): IDataObject {
	const failure = FAILURES[written];
	if (failure) throw failure;
	const [, first, last, result, maxpage] =
		/^(\d+)-(\d+)(?: r(\d+))?(?: m(\d+))?$/.exec(written) ?? [];
	const length = Number(last) - Number(first) + 1;
	const urls = Array.from({ length }, (_, at) => ({ id: Number(first) + at }));
	return { urls, result, maxpage };
}

/** What a walk over these pages reads; behind them, the last one comes again. */
async function walked(pages: string[], pageSize = LARGEST_PAGE) {
	let asked = 0;
	const send = async ({ query = {} }: IDataObject) => {
		asked += 1;
		const { page } = query as { page: number };
		const body = pageOf(pages[page - 1] ?? pages.at(-1) ?? '');
		return await Promise.resolve({ body, answeredAt: 0 });
	};
	const read: unknown[] = [];
	try {
		for await (const { records } of pagesOf(SOURCE, send as never, { ...LIST_START, pageSize }))
			if (records.length > 0) read.push([0, -1].map((at) => Number(records.at(at)?.id)).join('-'));
	} catch (error) {
		read.push(toFailure(error).message);
	}
	return [read.join(' '), asked];
}

test.each<[what: string, pages: string[], read: string, requests: number]>([
	['a short page ends a list', ['1-20', '21-25'], '1-20 21-25', 2],
	['so does one that is shorter than another', ['1-20', '21-35'], '1-20 21-35', 2],
	['also if result is right', ['1-7 r7'], '1-7', 1],
	['or maxpage is', ['1-7 m1'], '1-7', 1],
	['not if result promises more', ['1-7 r9', '8-9'], '1-7 8-9', 2],
	['nor if maxpage does', ['1-7 m2', '8-9'], '1-7 8-9', 2],
	['a promise that is not kept ends, too', ['1-7 r40', '8-7'], '1-7', 2],
	['also if the service refuses the page', ['1-7 r40', '422'], '1-7', 2],
	['an empty list', ['1-0'], '', 1],
	['an empty page does, too', ['1-20', '21-20'], '1-20', 2],
	['both numbers together end it', ['1-20 r20 m1'], '1-20', 1],
	['result alone does not', ['1-20 r20 m2', '21-22'], '1-20 21-22', 2],
	['maxpage alone does not', ['1-20 r21 m1', '21-21'], '1-20 21-21', 2],
	['the same page again ends it', ['1-20', '1-20'], '1-20', 2],
	['also as the last one', ['1-20 m2', '1-20 m2'], '1-20', 2],
	['not if more are promised', ['1-20 r60 m4', '1-20 r60 m4', '21-25'], '1-20 21-25', 3],
	['two do, whatever is promised', ['1-20 r9000 m9000'], '1-20', 3],
	['a record that comes again is left out', ['1-20', '20-25'], '1-20 21-25', 2],
	['a refused page behind the end is no error', ['1-20', '422'], '1-20', 2],
	['nor is a page of the web server', ['1-20', '404'], '1-20', 2],
	['a failure behind the last page is none', ['1-20 r21 m1', '500'], '1-20', 2],
	['also if only result says so', ['1-20 r20', '500'], '1-20', 2],
	['before it, it is one', ['1-20 r40 m2', '500'], '1-20 Failed', 2],
	['nor may a counted one be refused', ['1-20 r21 m2', '422'], '1-20 No such page', 2],
	[
		'an empty first page of a list that is not empty is an error',
		['1-0 r7 m1'],
		'The list is empty, although the service says that it has 7 records',
		1,
	],
])('%s', async (_what, pages, read, requests) => {
	expect(await walked(pages)).toEqual([read, requests]);
});

test('a page of a known size is short if it has fewer records', async () => {
	expect(await walked(['1-3', '4-6', '7-7'], 3)).toEqual(['1-3 4-6 7-7', 3]);
	// The service decides.
	expect(await walked(['1-7'], 0)).toEqual(['1-7', 1]);
});

test.each([
	[100, '422', [100]],
	[60, '422', [100, undefined]],
	[50, '500', [100, 50]],
])(
	'a service that takes up to %i records a page is asked for fewer',
	async (most, failed, asked) => {
		const limits: unknown[] = [];
		const send = async ({ query = {} }: { query?: IDataObject }) => {
			limits.push(query.limit);
			const body = pageOf(Number(query.limit) > most ? failed : '1-1');
			return await Promise.resolve({ body, answeredAt: 0 });
		};
		const { pageSize } = await requestPage(SOURCE, send, 1);
		await requestPage(SOURCE, send, 2, pageSize);
		expect(limits).toEqual([...asked, asked.at(-1)]);
	},
);

test.each<[body: IDataObject, ids: number[]]>([
	[{ data: { result: '31', maxpage: '3', urls: [{ id: 1 }] } }, [1]],
	[{ result: 31, urls: [{ id: 1 }] }, [1]],
	[{ data: { overlay: [{ id: 1 }] } }, [1]],
	[{ data: { result: 0, urls: null } }, []],
	[{ data: [] }, []],
	[{ data: { result: 2, urls: { 0: { id: 1 }, 2: { id: 3 } } } }, [1, 3]],
])('the page in %j has the records %j', (body, ids) => {
	const { records } = pageIn(body, { listName: 'urls', otherListName: 'overlay' });
	expect(records.map(({ id }) => id)).toEqual(ids);
});

test.each<IDataObject>([{ data: { urls: null } }, { data: {} }, { data: { result: 3 } }])(
	'%j is no list',
	(body) => {
		expect(() => pageIn(body, { listName: 'urls' })).toThrow('The response has no "urls"');
	},
);

test('a record that is twice on a page is read once', async () => {
	const send = async () =>
		await Promise.resolve({ body: { urls: [{ id: 1 }, { id: 1 }] }, answeredAt: 0 });
	const read: IDataObject[] = [];
	for await (const { records } of pagesOf(SOURCE, send)) read.push(...records);
	expect(read).toEqual([{ id: 1 }]);
});
