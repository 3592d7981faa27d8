import type { IDataObject } from 'n8n-workflow';

import { linkClicks } from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { pollCounts } from '../../../../dist/nodes/LinkManagement/trigger/pollCounts.js';
import type { Poll } from '../../../../dist/nodes/shared/triggers/poll.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Where the next poll goes on, with which pages, and what is known of each link then. */

interface Answers {
	/** The clicks on each link, by its ID, page after page. */
	pages: Array<Record<number, number | string>>;
	/** The largest `limit` that the service takes. */
	largest?: number;
	/** How many requests the poll has time for. */
	lasts?: number;
}

async function poll(state: IDataObject | undefined, { pages, largest = 100, lasts = 99 }: Answers) {
	const limits: unknown[] = [];
	const send = async ({ query }: { query: { limit: number; page: number } }) => {
		if (limits.length >= lasts) throw new Failure({ kind: 'outOfTime', message: 'Too late' });
		limits.push(query.limit);
		if (query.limit > largest) throw new Failure({ kind: 'serverError', message: 'Too large' });
		const links = Object.entries(pages[query.page - 1] ?? {});
		const urls = links.map(([id, clicks]) => ({ id: Number(id), shorturl: `s/${id}`, clicks }));
		const result = pages.flatMap(Object.keys).length;
		const body = { data: { result, maxpage: pages.length, urls } };
		return await Promise.resolve({ body, answeredAt: 1 });
	};
	const given = { state, isTest: false, parameters: {}, send };
	const result = await pollCounts(given as unknown as Poll, linkClicks);
	const started = result.records.map(({ id, new_clicks: growth }) => [id, growth]);
	return { limits, started, state: result.state ?? {} };
}

const KNOWN = { counts: { 1: 5, 2: 5 }, gone: [], isBaseline: false };

test('a poll whose time runs out is followed by one that goes on at its page', async () => {
	const pages = [{ 1: 6 }, { 2: 7 }, { 3: 1 }];
	const cut = await poll(KNOWN, { pages, lasts: 3, largest: 50 });
	expect(cut.started).toEqual([
		[1, 1],
		[2, 2],
	]);
	expect(cut.state).toMatchObject({ next: { page: 3, pageSize: 50 } });
	const rest = await poll(cut.state, { pages });
	expect([rest.started, rest.limits[0]]).toEqual([[[3, 1]], 50]);
});

test('one without any page fails', async () => {
	await expect(poll(KNOWN, { pages: [{ 1: 6 }], lasts: 0 })).rejects.toThrow('Too late');
});

test('a link that two whole readings miss is forgotten, and new when it comes back', async () => {
	let { state } = await poll(KNOWN, { pages: [{ 1: 5, 2: 5 }] });
	({ state } = await poll(state, { pages: [{ 1: 5 }] }));
	expect((await poll(state, { pages: [{ 1: 5, 2: 6 }] })).started).toEqual([[2, 1]]);
	({ state } = await poll(state, { pages: [{ 1: 5 }] }));
	expect(state.counts).toEqual({ 1: 5 });
	expect((await poll(state, { pages: [{ 1: 5, 2: 6 }] })).started).toEqual([[2, 6]]);
});

test('an empty list forgets nothing', async () => {
	let { state } = await poll(KNOWN, { pages: [{}] });
	({ state } = await poll(state, { pages: [{}] }));
	expect(state.counts).toEqual({ 1: 5, 2: 5 });
});

test('a count that cannot be read stays as it was', async () => {
	const { state } = await poll(KNOWN, { pages: [{ 1: 'many', 2: 5 }] });
	expect(state.counts).toEqual({ 1: 5, 2: 5 });
	const fresh = await poll(KNOWN, { pages: [{ 3: 'many', 2: 5 }] });
	expect(fresh.state.counts).toEqual({ 1: 5, 2: 5 });
});

test('a list of which no count can be read fails', async () => {
	const pages = [{ 1: 'many' }];
	await expect(poll(KNOWN, { pages })).rejects.toThrow('The response has no "clicks or scans"');
});

test('the first reading starts nothing, however many polls it takes', async () => {
	const pages = [{ 1: 6 }, { 2: 7 }];
	const first = await poll(undefined, { pages, lasts: 1 });
	expect([first.started, first.state.isBaseline]).toEqual([[], true]);
	const second = await poll(first.state, { pages });
	expect([second.started, second.state.isBaseline]).toEqual([[], false]);
});
