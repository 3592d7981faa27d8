import type { IDataObject } from 'n8n-workflow';

import type { ListPage } from '../../../../dist/nodes/LinkManagement/trigger/listPage.js';
import { listPage } from '../../../../dist/nodes/LinkManagement/trigger/listPage.js';
import { pageIn } from '../../../../dist/nodes/shared/lists/pages.js';

const idsOf = (...ids: unknown[]): IDataObject[] => ids.map((id) => ({ id }) as IDataObject);
const many = (count: number): IDataObject[] =>
	idsOf(...Array.from({ length: count }, (_, at) => at));

/** A page of `count` records; `page` and `limit` were asked for, `most` were on a page before, `first` came first. */
interface Shown extends Record<string, unknown> {
	count: number;
	page?: number;
	limit?: number;
	most?: number;
	first?: string;
	is: Partial<ListPage>;
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
	const shownPage = pageIn({ ...numbers, urls: many(count) } as IDataObject, 'urls');
	expect(listPage(shownPage, { page, limit }, { mostRecords: most, first })).toMatchObject(is);
});

test('a page after the last one that is numbered counts, unless it is the first page again', () => {
	const shown = (first?: string) =>
		listPage(
			pageIn({ urls: idsOf(1, 2, 3), maxpage: 2 }, 'urls'),
			{ page: 3, limit: 3 },
			{ mostRecords: 3, first },
		);
	expect([undefined, ' 1', ' 9'].map((first) => shown(first).records.length)).toEqual([0, 0, 3]);
});
