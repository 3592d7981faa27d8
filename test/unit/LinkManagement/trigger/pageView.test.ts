import type { ListPage } from '../../../../dist/nodes/LinkManagement/trigger/listPage.js';
import type { PageView, Paging } from '../../../../dist/nodes/LinkManagement/trigger/pageView.js';
import {
	isDisordered,
	join,
	pageFrom,
	viewOf,
} from '../../../../dist/nodes/LinkManagement/trigger/pageView.js';

const paging = (order: 'oldest' | 'newest', pageSize = 10, isFixed = false): Paging => ({
	newestFirst: order === 'newest',
	pageSize,
	longest: 0,
	isFixed,
});

const recordsOf = (ids: number[]) => ids.map((id) => ({ id, record: { id } }));

const idsOf = ({ records }: Pick<PageView, 'records'>) => records.map(({ id }) => id);

const PAGE: ListPage = {
	records: [{ id: 1 }, { id: 2 }, { id: 3 }],
	number: 3,
	size: 10,
	isLast: false,
	isCapped: false,
	total: undefined,
	pages: undefined,
};

test.each<[Partial<ListPage>, Paging, unknown[]]>([
	[{}, paging('oldest'), [[1, 2, 3], 22, Infinity, false, false]],
	[{}, paging('newest'), [[3, 2, 1], -20, Infinity, false, false]],
	[{ number: 1 }, paging('oldest'), [[1, 2, 3], 2, Infinity, true, false]],
	[{ number: 1 }, paging('newest'), [[3, 2, 1], -0, Infinity, false, true]],
	[{ isLast: true }, paging('oldest'), [[1, 2, 3], 22, 22, false, true]],
	[{ isLast: true }, paging('newest'), [[3, 2, 1], -20, 22, true, false]],
	[{ pages: 7 }, paging('oldest'), [[1, 2, 3], 22, 69, false, false]],
	[{ isLast: true, pages: 2 }, paging('oldest'), [[1, 2, 3], 22, 19, false, true]],
	// Only where all pages have one size, the number of records tells which page is the last.
	[{ total: 23 }, paging('oldest', 10, true), [[1, 2, 3], 22, 22, false, true]],
	[{ total: 24 }, paging('oldest', 10, true), [[1, 2, 3], 22, Infinity, false, false]],
	[{ total: 23 }, paging('oldest'), [[1, 2, 3], 22, Infinity, false, false]],
	[
		{ records: [{ id: 1 }, {}, { id: '2' }, { id: 1 }] },
		paging('oldest'),
		[[1, 2], 23, Infinity, false, false],
	],
])('of the page %j, the list %j shows %j', (page, list, expected) => {
	const view = viewOf({ ...PAGE, ...page }, list);
	const { newest, extent, reachesOldEnd, reachesNewEnd } = view;
	expect([idsOf(view), newest, extent, reachesOldEnd, reachesNewEnd]).toEqual(expected);
});

test.each<[older: number[], newer: number[], touches: boolean, joined: unknown[] | undefined]>([
	[[1, 2, 3], [3, 4], false, [[1, 2, 3, 4], 20]],
	[[1, 2, 3], [2], false, [[1, 2, 3], 21]],
	[[1, 2, 3], [1, 2], false, [[1, 2, 3], 21]],
	[[1, 2], [3], false, undefined],
	[[1, 2], [3], true, [[1, 2, 3], 20]],
	[[1, 2], [], true, [[1, 2], 20]],
	[[1, 2], [], false, undefined],
])('%j and %j, which touch: %j, are joined to %j', (older, newer, touches, expected) => {
	const view = { reachesOldEnd: false, reachesNewEnd: false, extent: 50, total: undefined };
	const joined = join(
		{ ...view, records: recordsOf(older), newest: 10 },
		{ ...view, records: recordsOf(newer), newest: 20 },
		touches,
	);
	expect(joined && [idsOf(joined), joined.newest]).toEqual(expected);
});

test.each<[isDisordered: boolean, ids: number[]]>([
	[false, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
	[false, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
	[false, [2, 3, 4, 1, 5, 6, 7, 8, 9, 10]],
	[true, [2, 3, 4, 5, 1, 6, 7, 8, 9, 10]],
	[true, [10, 9, 8, 7, 6, 1, 5, 4, 3, 2]],
	[false, [2, 3, 4, 5, 1, 6, 7, 8, 9, 10, 11, 12]],
	// Too few to tell.
	[false, [2, 3, 4, 5, 6, 7, 8, 9, 1]],
])('is a page in disorder? %j: %j', (is, ids) => {
	expect(isDisordered(ids)).toBe(is);
});

test.each<
	[what: string, place: number, before: number, paging: Paging, maxLimit: number, page: unknown]
>([
	['the oldest', 0, 2, paging('oldest'), 10, { limit: 10, page: 1, newest: 9 }],
	['the newest', 0, 2, paging('newest'), 10, { limit: 10, page: 1, newest: -0 }],
	['one in the middle', 24, 2, paging('oldest'), 10, { limit: 10, page: 3, newest: 29 }],
	['one in the middle', -24, 2, paging('newest'), 10, { limit: 9, page: 3, newest: -18 }],
	['one at the edge of all pages', 19, 2, paging('oldest'), 10, { limit: 8, page: 3, newest: 23 }],
	['one on a smaller page', 0, 2, paging('oldest'), 7, { limit: 7, page: 1, newest: 6 }],
	['one of a fixed size', 24, 2, paging('oldest', 10, true), 7, { limit: 10, page: 3, newest: 29 }],
	['fewer than wished', 9, 5, paging('oldest', 10, true), 10, { limit: 10, page: 1, newest: 9 }],
])('the page that shows %s, %i: %j', (_what, place, before, list, maxLimit, expected) => {
	expect(pageFrom(place, before, list, maxLimit)).toEqual(expected);
});
