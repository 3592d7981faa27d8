import type { IDataObject } from 'n8n-workflow';

import { LIST_START, pagesOf } from '../../../../dist/nodes/shared/lists/listPages.js';
import { LARGEST_PAGE, pageIn, requestPage } from '../../../../dist/nodes/shared/lists/pages.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';
import { idIn, textIn } from '../../../../dist/nodes/shared/values/json.js';

/** Where a list ends, whatever the numbers beside its records say: a walk through its pages reads each record once. */

const recordsOf = (first: number, last: number): IDataObject[] =>
	Array.from({ length: last - first + 1 }, (_, at) => ({ id: first + at }));

const page = (first: number, last: number, numbers: IDataObject = {}): IDataObject => ({
	...numbers,
	urls: recordsOf(first, last),
});

const pageOf = (...urls: IDataObject[]): IDataObject => ({ urls });

const refused = new Failure({ kind: 'refused', httpCode: 422, message: 'No such page' });
const missing = new Failure({ kind: 'otherRefusal', httpCode: 404, message: 'Not found' });
const failed = new Failure({ kind: 'serverError', httpCode: 500, message: 'Failed' });

type Pages = Array<IDataObject | Failure>;

const SOURCE = { path: '/api/urls', listName: 'urls' };

/** A service that answers so. */
const sendTo =
	(answer: (query: IDataObject) => IDataObject | Failure | undefined) =>
	async ({ query = {} }) => {
		const body = answer(query);
		if (body instanceof Failure) throw body;
		return await Promise.resolve({ body: body ?? {}, headers: {}, answeredAt: 0 });
	};

const nameOf = ({ id, name }: IDataObject = {}): number | string => idIn(id) ?? textIn(name) ?? '';

/** What a walk over these pages reads; behind them, the last one comes again. */
async function walked(
	pages: Pages,
	pageSize = LARGEST_PAGE,
): Promise<{ read: string; asked: number }> {
	let asked = 0;
	const send = sendTo((query) => {
		asked += 1;
		return pages[Number(query.page) - 1] ?? pages.at(-1);
	});
	const read: string[] = [];
	try {
		for await (const { records } of pagesOf(SOURCE, send, { ...LIST_START, pageSize }))
			if (records.length > 0) read.push(`${nameOf(records.at(0))}-${nameOf(records.at(-1))}`);
	} catch (error) {
		read.push(toFailure(error).message);
	}
	return { read: read.join(' '), asked };
}

const both = (result: number, maxpage: number): IDataObject => ({ result, maxpage });
const one = page(1, 20);
const promising = page(1, 20, both(60, 4));

test.each<[what: string, pages: Pages, read: string, requests: number]>([
	['a short page ends a list', [one, page(21, 25)], '1-20 21-25', 2],
	['so does one that is shorter than another', [one, page(21, 35)], '1-20 21-35', 2],
	['also if result is right', [page(1, 7, { result: 7 })], '1-7', 1],
	['or maxpage is', [page(1, 7, { maxpage: 1 })], '1-7', 1],
	['not if result promises more', [page(1, 7, { result: 9 }), page(8, 9)], '1-7 8-9', 2],
	['nor if maxpage does', [page(1, 7, { maxpage: 2 }), page(8, 9)], '1-7 8-9', 2],
	['a promise that is not kept ends, too', [page(1, 7, { result: 40 }), page(8, 7)], '1-7', 2],
	['also if the service refuses the page', [page(1, 7, { result: 40 }), refused], '1-7', 2],
	['an empty list', [page(1, 0)], '', 1],
	['an empty page does, too', [one, page(21, 20)], '1-20', 2],
	['both numbers together end it', [page(1, 20, both(20, 1))], '1-20', 1],
	['result alone does not', [page(1, 20, both(20, 2)), page(21, 22)], '1-20 21-22', 2],
	['maxpage alone does not', [page(1, 20, both(21, 1)), page(21, 21)], '1-20 21-21', 2],
	['the same page again ends it', [one, one], '1-20', 2],
	[
		'also as the last one',
		[
			{ ...one, maxpage: 2 },
			{ ...one, maxpage: 2 },
		],
		'1-20',
		2,
	],
	['not if more are promised', [promising, promising, page(21, 25)], '1-20 21-25', 3],
	['two do, whatever is promised', [page(1, 20, both(9e9, 9e9))], '1-20', 3],
	['a record that comes again is left out', [one, page(20, 25)], '1-20 21-25', 2],
	[
		'also if it has changed since',
		[one, pageOf({ id: 20, clicks: 1 }, { id: 21 })],
		'1-20 21-21',
		2,
	],
	['records without an ID differ', [pageOf({ id: 1 }, { name: 'a' }, { name: 'b' })], '1-b', 1],
	['a refused page behind the end is no error', [one, refused], '1-20', 2],
	['nor is a page of the web server', [one, missing], '1-20', 2],
	['a failure behind the last page is none', [page(1, 20, both(21, 1)), failed], '1-20', 2],
	['also if only result says so', [page(1, 20, { result: 20 }), failed], '1-20', 2],
	['before it, it is one', [page(1, 20, both(40, 2)), failed], '1-20 Failed', 2],
	['nor may a counted one be refused', [page(1, 20, both(21, 2)), refused], '1-20 No such page', 2],
	[
		'an empty first page of a list that is not empty is an error',
		[page(1, 0, both(7, 1))],
		'The list is empty, although the service says that it has 7 records',
		1,
	],
])('%s', async (_what, pages, read, requests) => {
	expect(await walked(pages)).toEqual({ read, asked: requests });
});

test.each([
	[3, [page(1, 3), page(4, 6), page(7, 7)], '1-3 4-6 7-7', 3],
	// The service decides.
	[0, [page(1, 7)], '1-7', 1],
])('of %i records, a page is short if it has fewer', async (pageSize, pages, read, asked) => {
	expect(await walked(pages, pageSize)).toEqual({ read, asked });
});

test.each([
	[100, refused, [100]],
	[60, refused, [100, undefined]],
	[50, failed, [100, 50]],
])(
	'a service that takes up to %i records a page is asked for fewer',
	async (most, failure, asked) => {
		const limits: unknown[] = [];
		const send = sendTo(({ limit, page: number }) => {
			limits.push(limit);
			return Number(limit) > most ? failure : page(Number(number), Number(number));
		});
		const { pageSize } = await requestPage(SOURCE, send, 1);
		await requestPage(SOURCE, send, 2, pageSize);
		expect(limits).toEqual([...asked, asked.at(-1)]);
	},
);

test.each<[body: IDataObject, count: number]>([
	[{ data: { result: '31', maxpage: '3', urls: [{ id: 1 }] } }, 1],
	[{ result: 31, urls: [{ id: 1 }] }, 1],
	[{ data: { result: 0, urls: null } }, 0],
	[{ data: [] }, 0],
	[{ data: { result: 2, urls: { 0: { id: 1 }, 2: { id: 3 } } } }, 2],
])('the page in %j has %i records', (body, count) => {
	expect(pageIn(body, { listName: 'urls' }).records).toHaveLength(count);
});

test('an array may have two names', () => {
	const names = { listName: 'cta', otherListName: 'overlay' };
	expect(pageIn({ data: { overlay: [{ id: 1 }] } }, names).records).toEqual([{ id: 1 }]);
	expect(pageIn({ data: { cta: [{ id: 2 }] } }, names).records).toEqual([{ id: 2 }]);
});

test.each<IDataObject>([{ data: { urls: null } }, { data: {} }, { data: { result: 3 } }])(
	'%j is no list',
	(body) => {
		expect(() => pageIn(body, { listName: 'urls' })).toThrow('The response has no "urls"');
	},
);
