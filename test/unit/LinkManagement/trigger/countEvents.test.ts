import type { IDataObject } from 'n8n-workflow';

import {
	isBelowLowest,
	linkClicks,
} from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { pollCounts } from '../../../../dist/nodes/LinkManagement/trigger/pollCounts.js';
import type { Poll } from '../../../../dist/nodes/shared/triggers/poll.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Where a poll for counts ends, and what is known of each link then. */

interface Answers {
	/** The clicks on each link, by its ID, page after page. */
	pages: Array<Record<number, number | string>>;
	/** How many requests the poll has time for. */
	lasts?: number;
}

/** @returns the ID and the new clicks of what started the workflow, and what is stored */
async function poll(state: IDataObject | undefined, { pages, lasts = 99 }: Answers) {
	let left = lasts;
	const send = async ({ query }: { query: { page: number } }) => {
		left -= 1;
		if (left < 0) throw new Failure({ kind: 'outOfTime', message: 'Too late' });
		const links = Object.entries(pages[query.page - 1] ?? {});
		const urls = links.map(([id, clicks]) => ({ id: Number(id), shorturl: `s/${id}`, clicks }));
		const result = pages.flatMap(Object.keys).length;
		return await Promise.resolve({ body: { data: { result, maxpage: pages.length, urls } } });
	};
	const given = { state, isTest: false, parameters: {}, send };
	const { records, state: next = {} } = await pollCounts(given as unknown as Poll, linkClicks);
	return { started: records.map((link) => [link.id, link.new_clicks]), state: next };
}

const KNOWN = { counts: { 1: 5, 2: 5 }, gone: [], isBaseline: false };

test('a poll whose time runs out is followed by one that goes on at its page', async () => {
	const pages = [{ 1: 6 }, { 2: 7 }, { 3: 1 }];
	const cut = await poll(KNOWN, { pages, lasts: 2 });
	expect(cut.started).toEqual([
		[1, 1],
		[2, 2],
	]);
	const rest = await poll(cut.state, { pages, lasts: 1 });
	expect(rest.started).toEqual([[3, 1]]);
	await expect(poll(KNOWN, { pages, lasts: 0 })).rejects.toThrow('Too late');
});

test('the first reading starts nothing, however many polls it takes', async () => {
	const pages = [{ 1: 6 }, { 2: 7 }];
	const first = await poll(undefined, { pages, lasts: 1 });
	const second = await poll(first.state, { pages });
	expect([first.started, second.started]).toEqual([[], []]);
	expect((await poll(second.state, { pages: [{ 1: 7, 3: 2 }] })).started).toEqual([
		[1, 1],
		[3, 2],
	]);
});

test('a link that two whole readings miss is forgotten, and new when it comes back', async () => {
	let { state } = await poll(KNOWN, { pages: [{ 1: 5 }] });
	expect((await poll(state, { pages: [{ 1: 5, 2: 6 }] })).started).toEqual([[2, 1]]);
	({ state } = await poll(state, { pages: [{ 1: 5 }] }));
	expect((await poll(state, { pages: [{ 1: 5, 2: 6 }] })).started).toEqual([[2, 6]]);
});

test.each([
	['an empty list forgets nothing', {}],
	['a count that cannot be read stays as it was', { 1: 'many', 2: 5 }],
	['so does one of a new link', { 3: 'many', 2: 5 }],
])('%s', async (_what, page) => {
	let { state } = await poll(KNOWN, { pages: [page] });
	({ state } = await poll(state, { pages: [page] }));
	expect(state.counts).toMatchObject({ 2: 5 });
	expect(state.counts).not.toHaveProperty('3');
});

test('a list of which no count can be read fails', async () => {
	const unread = poll(KNOWN, { pages: [{ 1: 'many' }] });
	await expect(unread).rejects.toThrow('The response has no "clicks or scans"');
});

/** The ID and the clicks of each link; the lowest milestone is 10. */
test.each<[what: string, links: string, isEnd: boolean]>([
	['by clicks, and below', '3:50 9:20 5:9', true],
	['by clicks, but not below yet', '3:50 9:20 5:10', false],
	['a count rises', '3:20 9:50 5:9', false],
	['the newest first, clicks fall by chance', '9:50 5:20 3:9', false],
	['the oldest first, clicks fall by chance', '3:50 5:20 9:9', false],
	['few clicks, then none', '3:2 9:0 5:0', false],
	['a count that cannot be read', '3:50 9:20 5:?', false],
])('a reading for milestones ends where a list is seen to be %s', (_what, links, isEnd) => {
	const records = links.split(' ').map((link) => {
		const [id, clicks] = link.split(':').map(Number);
		return { id, clicks };
	});
	const countOf = ({ clicks }: IDataObject) => (Number.isNaN(clicks) ? undefined : Number(clicks));
	const watch = { countOf, lowest: 10 } as Parameters<typeof isBelowLowest>[1];
	expect(isBelowLowest(records as IDataObject[], watch)).toBe(isEnd);
	expect(isBelowLowest([], watch)).toBe(false);
});
